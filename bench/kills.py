"""A tournament whose arena is killed with SIGKILL again and again, beside the same one undisturbed.

Six bots play: three house bots, and three in processes of their own that come
back by themselves. All choose by their view alone, so both tournaments must
come to the same, move by move. Killed is at random instants, from the moment at
which the port answers; the instants follow from the seed.

The outside bots think for some milliseconds as long as kills are to come, so
that the tournament outlasts them.

    python bench/kills.py [--kills 100] [--games 210] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sixtysix.client.calls import RemoteArena
from sixtysix.record import DealRecord, MadeMove
from sixtysix.wire import unpack_deal, unpack_moves

HOUSE = ("house:counting", "house:greedy", "house:random")
OUTSIDE = ("ada", "bob", "cid")
PAIRINGS = len(list(combinations(HOUSE + OUTSIDE, 2)))
FIRST_S, LAST_S = 0.05, 2.0
"""When an arena is killed, at the earliest and the latest, after its port answers."""
THINK_S = 0.02
START_LIMIT_S = 60.0
END_LIMIT_S = 600.0
POLL_S = 0.005
PORTS = range(20_000, 30_000)
"""Below those that the system gives to whoever dials: dialling one of these finds nobody."""

TOURNAMENT = """\
name = "Kills"
slug = "kills"
rules = "doubling"
games_per_pairing = {games_per_pairing}
games_at_once = 8
entrants = {entrants}
seed = "{seed}"
[clock]
per_move_ms = 60000
per_game_ms = 3600000
grace_ms = 600000
join_ms = 600000
"""

BOT = """\
import os, time
from hashlib import sha256

rulesets = ("doubling",)

def choose(view):
    if os.path.exists({brake!r}):
        time.sleep({think_s})
    place = f"{{view.game}} {{view.deal}} {{view.ply}} {{view.seat}} {name}"
    return view.legal[sha256(place.encode()).digest()[0] % len(view.legal)]
"""


@dataclass(frozen=True)
class Stored:
    """What is in a database at some moment, read from outside."""

    games: dict[int, tuple[Any, ...]]
    """Number, deals started, deals counted, scores, winner of every game, by id."""
    over: frozenset[int]
    deals: dict[tuple[int, int], bytes]
    """Records of the deals that are over, by game and number."""
    journal: tuple[MadeMove, ...]
    """The moves of deals in progress, and some of deals that are over."""

    @classmethod
    def read(cls, database: Path) -> Stored:
        """Reads it all in one transaction."""
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
        try:
            connection.execute("BEGIN")
            rows = connection.execute(
                "SELECT id, state, deals_started, deal_count, score0, score1, winner, fault"
                " FROM game"
            ).fetchall()
            deals = connection.execute("SELECT game_id, number, record FROM deal").fetchall()
            journal = connection.execute("SELECT moves FROM journal ORDER BY tick").fetchall()
            (health,) = connection.execute("PRAGMA integrity_check").fetchone()
        finally:
            connection.close()
        assert health == "ok", health
        return cls(
            {row[0]: row[2:] for row in rows},
            frozenset(row[0] for row in rows if row[1] == "over"),
            {(game, number): record for game, number, record in deals},
            tuple(made for (moves,) in journal for made in unpack_moves(moves)),
        )

    @property
    def in_progress(self) -> int:
        """How many deals have begun and are not over."""
        return sum(
            row[0] > 0 and (game, row[0] - 1) not in self.deals
            for game, row in self.games.items()
            if game not in self.over
        )


class Place:
    """A folder with a tournament, its bots and its arena."""

    def __init__(self, folder: Path, games_per_pairing: int, seed: int) -> None:
        self.folder = folder
        folder.mkdir()
        self.port = _free_port()
        self.brake = folder / "brake"
        """As long as this file is there the outside bots take their time."""
        self.database = folder / "sixtysix-data" / "arena.db"
        self._env = {k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")}
        self._env["SIXTYSIX_VALIDATION"] = "0"
        text = TOURNAMENT.format(
            games_per_pairing=games_per_pairing, entrants=[*HOUSE, *OUTSIDE], seed=seed
        )
        (folder / "kills.toml").write_text(text)
        for name in OUTSIDE:
            bot = BOT.format(brake=str(self.brake), think_s=THINK_S, name=name)
            (folder / f"{name}.py").write_text(bot)

    def submit(self) -> None:
        """Registers the outside bots; their tokens come to lie where `join` looks for them."""
        for name in OUTSIDE:
            done = subprocess.run(
                _command("bot", "submit", name, "--json"),
                cwd=self.folder,
                env=self._env,
                check=True,
                capture_output=True,
            )
            (self.folder / f"{name}.token").touch(mode=0o600)
            (self.folder / f"{name}.token").write_text(json.loads(done.stdout)["token"])

    @contextmanager
    def outside_bots(self) -> Iterator[list[subprocess.Popen[bytes]]]:
        """The outside bots, each a process; killed at the end if they still run."""
        with ExitStack() as all_of_them:
            bots = []
            for name in OUTSIDE:
                join = ("join", f"{name}.py", "--arena", f"127.0.0.1:{self.port}")
                bots.append(all_of_them.enter_context(self._running(name, *join)))
            yield bots

    @contextmanager
    def arena(self) -> Iterator[subprocess.Popen[bytes]]:
        """`sixtysix run`, killed at the end if it still runs."""
        run = ("run", "kills.toml", "--grpc", f"127.0.0.1:{self.port}", "--json")
        with self._running("arena", *run) as process:
            yield process

    def until_answering(self, arena: subprocess.Popen[bytes]) -> float:
        """Waits for the port to answer; how many seconds that took."""
        began_s = time.monotonic()
        while not _answers(self.port):
            if arena.poll() is not None:
                raise SystemExit(f"the arena ended with {arena.returncode}: {self.said('arena')}")
            assert time.monotonic() - began_s < START_LIMIT_S, "the port does not answer"
            time.sleep(POLL_S)
        return time.monotonic() - began_s

    def until_all_are_back(self, limit_s: float) -> float:
        """Waits for every bot to be connected; how many seconds that took."""
        began_s = time.monotonic()
        with RemoteArena(f"127.0.0.1:{self.port}") as remote:
            while not all(bot.connected for bot in remote.tournament("kills").entrants):
                assert time.monotonic() - began_s < limit_s, "a bot does not come back"
                time.sleep(10 * POLL_S)
        return time.monotonic() - began_s

    def said(self, name: str) -> str:
        """What a process wrote on standard error."""
        return (self.folder / f"{name}.err").read_text()

    @contextmanager
    def _running(self, name: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        with (
            (self.folder / f"{name}.out").open("wb") as out,
            (self.folder / f"{name}.err").open("ab") as err,
            subprocess.Popen(
                _command(*arguments), cwd=self.folder, env=self._env, stdout=out, stderr=err
            ) as process,
        ):
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()


@dataclass
class Disturbed:
    """What came of the kills."""

    start_s: list[float] = field(default_factory=list)
    back_s: float = 0.0
    in_progress: list[int] = field(default_factory=list)
    """Deals in progress at each kill."""
    lives_with_moves: int = 0
    moves_at_kills: set[MadeMove] = field(default_factory=set)
    """What had been journaled whenever the arena was killed."""
    changed: int = 0
    """Games, or deals, that were over at a kill and are not the same at the next."""


def play(place: Place) -> tuple[str, Stored]:
    """Plays the tournament from where it is to its end; its board, and what is stored."""
    with place.arena() as arena:
        arena.wait(END_LIMIT_S)
    return _end(place, arena)


def play_disturbed(place: Place, kills: int, random: Random) -> tuple[str, Stored, Disturbed]:
    """The same with kills in between."""
    found = Disturbed()
    place.brake.touch()
    before: Stored | None = None
    for number in range(kills):
        with place.arena() as arena:
            found.start_s.append(place.until_answering(arena))
            time.sleep(random.uniform(FIRST_S, LAST_S))
            if arena.poll() is not None:
                raise SystemExit(f"it was over after {number} kills: play more games")
            arena.kill()
            arena.wait()
        now = Stored.read(place.database)
        if before is not None:
            found.changed += _changed(before, now)
            found.lives_with_moves += now.journal != before.journal or now.deals != before.deals
        found.in_progress.append(now.in_progress)
        found.moves_at_kills.update(now.journal)
        before = now
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {kills} kills", end="", file=sys.stderr)
    place.brake.unlink()
    with place.arena() as arena:
        found.start_s.append(place.until_answering(arena))
        found.back_s = place.until_all_are_back(START_LIMIT_S)
        arena.wait(END_LIMIT_S)
    board, stored = _end(place, arena)
    found.changed += 0 if before is None else _changed(before, stored)
    return board, stored, found


def _end(place: Place, arena: subprocess.Popen[bytes]) -> tuple[str, Stored]:
    assert arena.returncode == 0, place.said("arena")
    board = json.loads((place.folder / "arena.out").read_text())
    assert board["final"]
    return board["canonical"], Stored.read(place.database)


def _changed(before: Stored, now: Stored) -> int:
    games = sum(now.games.get(game) != before.games[game] for game in before.over)
    return games + sum(now.deals.get(key) != deal for key, deal in before.deals.items())


def _played(deal: DealRecord) -> tuple[Any, ...]:
    """All of a deal but its times."""
    return deal.deal, deal.dealer, deal.pack, deal.moves, deal.result, deal.void


def _moves_lost(moves: set[MadeMove], deals: dict[tuple[int, int], DealRecord]) -> int:
    """Moves that were journaled once and are not, just as they were made, in a record."""
    lost = 0
    for made in moves:
        deal = deals.get((made.game, made.deal))
        kept = deal is not None and len(deal.moves) > made.ply
        lost += not (
            kept
            and deal is not None
            and (deal.moves[made.ply], deal.charged_ms[made.ply]) == (made.move, made.charged_ms)
        )
    return lost


def measure(kills: int, games: int, seed: int, folder: Path) -> dict[str, Any]:
    """Plays both tournaments; what is to be said of them."""
    per_pairing = max(2, -(-games // PAIRINGS))
    random = Random(seed)
    began_s = time.monotonic()
    calm = Place(folder / "calm", per_pairing, seed)
    calm.submit()
    with calm.outside_bots():
        calm_board, calm_stored = play(calm)
    shaken = Place(folder / "shaken", per_pairing, seed)
    shaken.submit()
    with shaken.outside_bots() as bots:
        board, stored, found = play_disturbed(shaken, kills, random)
        bot_codes = [bot.wait(START_LIMIT_S) for bot in bots]
    deals = {key: unpack_deal(record) for key, record in stored.deals.items()}
    calm_deals = {key: unpack_deal(record) for key, record in calm_stored.deals.items()}
    dealt = {(game, number) for game, row in stored.games.items() for number in range(row[0])}
    return {
        "seed": seed,
        "kills": kills,
        "games": len(stored.games),
        "deals": len(deals),
        "games_lost": len(stored.games) - len(stored.over),
        "games_forfeited": sum(row[5] is not None for row in stored.games.values()),
        "deals_void": sum(deal.void for deal in deals.values()),
        "deals_without_result": sum(deal.result is None for deal in deals.values()),
        "deals_dealt_and_not_recorded": len(dealt - set(deals)),
        "deals_recorded_and_not_dealt": len(set(deals) - dealt),
        "deals_beside_the_count": len(deals) - sum(row[1] for row in stored.games.values()),
        "results_changed_by_a_kill": found.changed,
        "moves_in_the_journal_at_kills": len(found.moves_at_kills),
        "moves_lost": _moves_lost(found.moves_at_kills, deals),
        "same_board": board == calm_board,
        "same_deals": {key: _played(deal) for key, deal in deals.items()}
        == {key: _played(deal) for key, deal in calm_deals.items()},
        "outside_bots_ended_well": bot_codes == [0] * len(OUTSIDE),
        "kills_with_deals_in_progress": sum(count > 0 for count in found.in_progress),
        "deals_in_progress_at_kills": sum(found.in_progress),
        "lives_with_moves": found.lives_with_moves,
        "start_s": [round(each, 3) for each in found.start_s],
        "start_median_s": round(median(found.start_s), 3),
        "start_max_s": round(max(found.start_s), 3),
        "all_bots_back_s": round(found.back_s, 3),
        "tracebacks": shaken.said("arena").count("Traceback"),
        "seconds": round(time.monotonic() - began_s, 1),
        "versions": {"sixtysix": version("sixtysix"), "python": platform.python_version()},
    }


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "sixtysix", *arguments]


def _free_port() -> int:
    for port in Random().sample(PORTS, 100):
        with socket.socket() as found:
            try:
                found.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise SystemExit("no port is free")


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, default=210, help="at least")
    parser.add_argument("--seed", type=int, default=1, help="of the instants and the packs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        figures = measure(options.kills, options.games, options.seed, Path(folder))
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        if not isinstance(value, list | dict):
            print(f"{name.replace('_', ' '):<32}{value}")


if __name__ == "__main__":
    main()
