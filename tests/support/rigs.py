"""A tournament whose arena and bots are processes, to be killed, starved and cut off.

Its bots are pure functions of their views, so that whatever is done to it, it
must come to the same, move by move. What is stored is read from outside.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import psutil
from support.commands import wait_for

from sixtysix.client.calls import RemoteArena
from sixtysix.record import DealRecord, MadeMove
from sixtysix.wire import unpack_deal, unpack_moves
from sixtysix_arena.registrar import Registrar
from sixtysix_arena.store import DataFolder

__all__ = ["GUESTS", "Process", "Result", "Rig", "Stored", "leftovers"]

GUESTS = ("ada", "bob")
"""The bots, in the order of their seats. They think for as long as the test wants, and note
what they are asked."""
PATIENT = {"per_move_ms": 60_000, "per_game_ms": 600_000, "grace_ms": 60_000, "join_ms": 60_000}
END_LIMIT_S = 100.0
STILL_S = 1.0
PORTS = range(20_000, 30_000)
"""Below those that the system gives to whoever dials: dialling one of these finds nobody."""
WORKERS = 20
"""Processes that run tests, at most: each has ports of its own."""

TOURNAMENT = """\
name = "Cup"
slug = "cup"
rules = "doubling"
games_per_pairing = {games}
games_at_once = {games_at_once}
entrants = {entrants}
seed = "{seed}"
[clock]
"""

BOT = """\
import os
import sys
import time
from hashlib import sha256
from pathlib import Path
from threading import Thread

import sixtysix
from sixtysix.client import stream

ASKED = open("asked", "a", buffering=1)


def join(name):
    pause = Path(f"{name}.pause")

    def choose(view):
        ASKED.write(f"{name} {view.game} {view.deal} {view.ply}\\n")
        time.sleep(float(pause.read_text()))
        place = f"{view.game} {view.deal} {view.ply} {view.seat}"
        return view.legal[sha256(place.encode()).digest()[0] % len(view.legal)]

    sixtysix.join(choose, token=os.environ[name], version="1", rulesets=["doubling"])


# A test does not want to wait for its bots to come back.
stream.FIRST_PAUSE_S = stream.MOST_PAUSE_S = 0.3
threads = [Thread(target=join, args=(name,)) for name in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

Process = subprocess.Popen[bytes]
Place = tuple[int, int, int]
"""Game, deal, ply: the id of a decision."""


@dataclass(frozen=True)
class Result:
    """What a finished tournament came to, without its times."""

    board: str
    """In its canonical form, which is compared byte for byte."""
    deals: Mapping[tuple[int, int], tuple[Any, ...]]


@dataclass(frozen=True)
class Stored:
    """What is in the database at some moment."""

    games: dict[int, sqlite3.Row]
    deals: dict[tuple[int, int], DealRecord]
    moves: tuple[MadeMove, ...]
    """What the journal has: all moves of deals in progress, and some of deals that are over."""
    ticks: int
    """The number of the journal's last row."""

    @property
    def over(self) -> set[int]:
        """The games that are over."""
        return {game for game, row in self.games.items() if row["state"] == "over"}

    @property
    def durable(self) -> set[Place]:
        """The decisions whose answers are stored; of deals that are over, all of them."""
        over = ((*key, ply) for key, deal in self.deals.items() for ply in range(len(deal.moves)))
        return {(made.game, made.deal, made.ply) for made in self.moves} | set(over)

    def check_finished(self) -> None:
        """Every game is over and nobody paid; each deal was dealt once and has its record."""
        assert self.over == set(self.games)
        faults = [(*row,) for row in self.games.values() if row["fault"]]
        assert not faults, faults
        dealt = {(game, n) for game, row in self.games.items() for n in range(row["deals_started"])}
        assert set(self.deals) == dealt
        assert len(self.deals) == sum(row["deal_count"] for row in self.games.values())
        odd = [deal for deal in self.deals.values() if deal.void or deal.result is None]
        assert not odd, odd

    def check_kept(self, earlier: Stored) -> None:
        """What was stored earlier is in the records now: results, deals, and single moves."""
        for game in earlier.over:
            assert tuple(self.games[game]) == tuple(earlier.games[game])
        for key, deal in earlier.deals.items():
            assert self.deals[key] == deal
        for made in earlier.moves:
            deal = self.deals[made.game, made.deal]
            assert (deal.moves[made.ply], deal.charged_ms[made.ply]) == (made.move, made.charged_ms)


class Rig:
    """A folder with a tournament, and the processes that play it."""

    def __init__(
        self,
        folder: Path,
        *,
        data: Path | None = None,
        games: int = 12,
        seed: str = "42",
        games_at_once: int = 8,
        **clock: int,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.data = data or folder / "sixtysix-data"
        self.database = self.data / "arena.db"
        self.port = _free_port()
        self._arena: Process | None = None
        self.prefix: Sequence[str] = ()
        """What stands before each command line, such as `nsenter`."""
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")}
        self.env["SIXTYSIX_VALIDATION"] = "0"
        self.env["SIXTYSIX_WEB"] = "off"
        text = TOURNAMENT.format(
            games=games, seed=seed, games_at_once=games_at_once, entrants=list(GUESTS)
        )
        lines = (f"{name} = {value}\n" for name, value in (PATIENT | clock).items())
        (folder / "cup.toml").write_text(text + "".join(lines))
        (folder / "guests.py").write_text(BOT)
        self.guests_think(0)

    def submit(self) -> None:
        """Registers the guests; their tokens are in their environment."""
        folder = DataFolder.open(self.data, create=True)
        with closing(folder.lock()) as lock, folder.open_store(lock) as store:
            self._tokens = {name: Registrar(store).submit_bot(name, "")[1] for name in GUESTS}

    def guests_think(self, seconds: float, *names: str) -> None:
        """How long all guests, or those named, think about a decision, from the next one on."""
        for name in names or GUESTS:
            draft = self.folder / f"{name}.new"
            draft.write_text(str(seconds))
            draft.replace(self.folder / f"{name}.pause")

    # Processes

    @contextmanager
    def arena(self, **env: str) -> Iterator[Process]:
        """`sixtysix run`, from the moment at which it serves; killed at the end if need be."""
        with self.starting_arena(**env) as process:
            self.until_serving(process)
            yield process

    @contextmanager
    def starting_arena(self, **env: str) -> Iterator[Process]:
        """`sixtysix run`, from its first moment."""
        address = f"127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "sixtysix", "run", "cup.toml", "--json"]
        command += ["--grpc", address, "--data", str(self.data)]
        with self._running("arena", *command, **env) as process:
            self._arena = process
            yield process

    @contextmanager
    def guests(self, *names: str, port: int | None = None) -> Iterator[Process]:
        """All guests, or those named, in one process; they join whenever the arena is there."""
        names = names or GUESTS
        address = f"127.0.0.1:{port or self.port}"
        command = [sys.executable, "guests.py", *names]
        with self._running(names[0], *command, SIXTYSIX_ARENA=address, **self._tokens) as process:
            yield process

    @contextmanager
    def _running(self, name: str, *command: str, **env: str) -> Iterator[Process]:
        with (
            (self.folder / f"{name}.out").open("wb") as out,
            (self.folder / f"{name}.err").open("wb") as err,
            subprocess.Popen(
                [*self.prefix, *command],
                cwd=self.folder,
                env=self.env | env,
                stdout=out,
                stderr=err,
            ) as process,
        ):
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()

    def until_serving(self, arena: Process) -> None:
        """Waits for the arena to say where it serves."""
        assert arena is self._arena
        self.wait_for(lambda: "The arena serves at" in self.said("arena"), "the arena")

    def wait_for(self, found: Callable[[], Any], what: str) -> Any:
        """Polls until `found()` returns something, as long as the arena runs."""
        arena = self._arena
        assert arena is not None
        result = wait_for(lambda: found() or arena.poll() is not None, what)
        assert arena.poll() is None, f"the arena ended before {what}: {self.said('arena')}"
        return result

    def said(self, name: str) -> str:
        """What the arena or a guest has said on standard error since it was started."""
        path = self.folder / f"{name}.err"
        return path.read_text() if path.exists() else ""

    # What has become of it

    def remote(self) -> RemoteArena:
        """The running arena, to be asked and to be closed."""
        return RemoteArena(f"127.0.0.1:{self.port}")

    def asked(self, name: str = "") -> list[Place]:
        """The decisions that came to the guests, or the one that is named, in their order."""
        path = self.folder / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        places = (line.split() for line in lines if line.startswith(name))
        return [
            (int(game.removeprefix("cup.")), int(deal), int(ply)) for _, game, deal, ply in places
        ]

    def until_asked(self, count: int = 1, name: str = "") -> None:
        """Waits for so many more decisions to come to the guests, or the one that is named."""
        wanted = len(self.asked(name)) + count
        self.wait_for(lambda: len(self.asked(name)) >= wanted, "decisions")

    def until_thinking(self) -> None:
        """Waits until the guests think about what they were asked: for a while nobody is asked."""
        before = -1
        while (count := len(self.asked())) != before:
            before = count
            time.sleep(STILL_S)

    def ticks(self) -> int:
        """The number of the journal's last row: how far play has come."""
        with self.reading() as connection:
            (tick,) = connection.execute("SELECT max(tick) FROM journal").fetchone()
        return tick or 0

    def until_played(self, ticks: int = 1) -> None:
        """Waits for so many more ticks in which a move was made."""
        wanted = self.ticks() + ticks
        self.wait_for(lambda: self.ticks() >= wanted, "moves")

    def count(self, table: str, where: str) -> int:
        """How many rows of a table are like that."""
        with self.reading() as connection:
            (count,) = connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()
        return int(count)

    def stored(self) -> Stored:
        """All that is stored."""
        with self.reading() as connection:
            games = connection.execute("SELECT * FROM game").fetchall()
            deals = connection.execute("SELECT game_id, number, record FROM deal").fetchall()
            journal = connection.execute("SELECT tick, moves FROM journal ORDER BY tick").fetchall()
            assert [*connection.execute("PRAGMA integrity_check").fetchone()] == ["ok"]
        return Stored(
            {row["id"]: row for row in games},
            {(game, number): unpack_deal(record) for game, number, record in deals},
            tuple(made for _, moves in journal for made in unpack_moves(moves)),
            journal[-1][0] if journal else 0,
        )

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A moment of the database, from outside."""
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        connection.isolation_level = None
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()

    def ended(self, arena: Process, *, nobody_paid: bool = True) -> Result:
        """Waits for the tournament's end; what it came to."""
        arena.wait(END_LIMIT_S)
        assert arena.returncode == 0, self.said("arena")
        assert "Traceback" not in self.said("arena")
        board = json.loads((self.folder / "arena.out").read_text())
        assert board["final"]
        stored = self.stored()
        if nobody_paid:
            stored.check_finished()
        deals = {
            key: (deal.dealer, deal.pack, deal.moves, deal.result)
            for key, deal in stored.deals.items()
        }
        return Result(board["canonical"], deals)

    def played_on(self) -> Result:
        """Plays the tournament to its end, at full speed and with nobody disturbing."""
        self.guests_think(0)
        with self.starting_arena() as arena:
            return self.ended(arena)


def leftovers(folder: Path) -> list[psutil.Process]:
    """Processes that were started in `folder` or below, and still run."""
    found = []
    for process in psutil.process_iter():
        try:
            if folder in Path(process.cwd()).parents or Path(process.cwd()) == folder:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def _free_port() -> int:
    # Nobody else may take it between now and the arena's start, nor while an arena is killed.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    first = int(worker.removeprefix("gw") or 0) % WORKERS
    for port in Random().sample(PORTS[first::WORKERS], 100):
        with socket.socket() as found:
            try:
                found.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
