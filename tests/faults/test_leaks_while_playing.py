"""While a tournament is played, nothing that anybody can reach tells of it what is hidden.

Two arenas play the same tournament. In one of them other cards lie in the deals
that are not over; where a bot that is asked knows some of them, just those are
the same. Whatever can be reached has to be the same too.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace

import psutil
import pytest
from rules.twins import Hidden
from support.arenas import RawBot, definition, running_arena, until_finished
from support.command_line import nothing_from_outside
from support.reachable import (
    OTHER_COMMANDS,
    answers,
    command_names,
    environments,
    files,
    page,
    page_paths,
    printed,
    reading_commands,
    scraped,
)

from sixtysix import shuffle
from sixtysix.clock import Clock
from sixtysix.forced import forced_move
from sixtysix.rules import CLAIM, CLOSE, RULESETS, Deal
from sixtysix.v1 import play_pb2
from sixtysix_arena import arena as arena_module
from sixtysix_arena import house, times, tournaments
from sixtysix_arena.arena import Arena
from sixtysix_arena.clocks import ArenaClock
from sixtysix_arena.logs import logging_to
from sixtysix_arena.referee import GameSpec, Referee
from sixtysix_arena.server import callers
from sixtysix_arena.tokens import new_token

# Two worlds take what a machine has to give; each bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

RULES = RULESETS["doubling"]
SLUG = "cup"
PLAYERS = ("ada", "bob", "cat")
STRANGER = "eve"
ENTRANTS = (*PLAYERS, "house:random")
GAME_COUNT = 12
CUP = replace(
    definition(ENTRANTS, rules="doubling", games_at_once=16, clock=Clock(60_000, 600_000)),
    practice_seed=None,
)
SEATS = ("ada", "bob")
"""Of the game that is looked at; in it ada knows the same in both worlds."""
HIDDEN_DEAL = 1
"""The deal that is not over; the one before it is, and public."""
WATCHED_GAME = "cup.9"
FAULT_GAME = "cup.4"
"""Which cat forfeits at once, so that there is evidence to ask for."""
PLIES = 8
PATIENCE_S = 100.0

Pack = tuple[int, ...]
Deals = Callable[..., Pack]

dealt = shuffle.pack
SEED = hashlib.sha256(b"a seed that nobody knows").digest()
KEY = shuffle.tournament_key(SEED, {})


@dataclass
class Script:
    """The game of ada and bob: what is played in it up to where everybody waits."""

    deal: Deal
    moves: Mapping[int, int]

    @classmethod
    def written(cls) -> Script:
        """Plays it with the packs that are dealt."""
        spec = GameSpec(1, "cup.1", SEATS, 0, RULES, CUP.clock)
        referee = Referee(spec, _watched_pack, (False, False))
        referee.begin_deal()
        while referee.deal_number == 0 and referee.seat_on_turn is not None:
            referee.answer(referee.view().legal[0], 0)
        referee.begin_deal()
        rng = Random("script")
        while referee.ply < PLIES:
            quiet = [move for move in referee.view().legal if move not in (CLAIM, CLOSE)]
            referee.answer(rng.choice(quiet), 0)
        record = referee.void("")
        assert record is not None
        assert record.deal == HIDDEN_DEAL
        deal = Deal(RULES, record.pack, record.dealer)
        for move in record.moves:
            deal.play(move)
        return cls(deal, dict(enumerate(map(int, record.moves))))

    def twin(self) -> Deal:
        """The same moves in a world that ada cannot tell from this one."""
        rng = Random("twin")
        hidden = Hidden.of(self.deal, 0)
        while True:
            twin = hidden.world(rng)
            others = set(twin.hand(1)).difference(self.deal.hand(1))
            if len(others) >= 3 and forced_move(twin, wants_question=False) is None:
                return twin


def _watched_pack(deal: int) -> Pack:
    return dealt(KEY, ruleset=RULES.name, tournament=SLUG, entrants=SEATS, game=0, deal=deal)


def other_world(twin: Deal) -> Deals:
    """Packs where other cards lie in the deals that are not over, but for what ada knows."""

    def pack(key: bytes, *, entrants: tuple[str, str], game: int, deal: int, **rest: str) -> Pack:
        if deal == HIDDEN_DEAL and (entrants, game) == (SEATS, 0):
            return twin.pack
        if deal == HIDDEN_DEAL:
            deal += 1_000
        return dealt(key, entrants=entrants, game=game, deal=deal, **rest)

    return pack


class Holder:
    """A bot that plays the first deal of each game, and then holds its answers back."""

    def __init__(self, raw: RawBot, script: Script, noticed: asyncio.Event) -> None:
        self.raw = raw
        self.script = script
        self.noticed = noticed
        """Set whenever an answer is held back."""
        self.held: dict[str, play_pb2.Decision] = {}
        self.seen: dict[tuple[str, int], bytes] = {}
        """The decisions of the hidden deals, by game and ply."""
        self.released = False
        self._ids: dict[int, str] = {}
        self._writing = asyncio.Lock()

    async def run(self) -> None:
        """Plays until the stream ends."""
        while True:
            frame = await self.raw.receive()
            if frame.HasField("bye"):
                return
            self._ids |= {start.game: start.game_id for start in frame.starts}
            for decision in frame.decisions:
                await self._decide(decision)

    async def release(self) -> None:
        """Plays on to the end."""
        self.released = True
        for decision in self.held.values():
            await self._answer(decision, decision.legal[0])

    async def _decide(self, decision: play_pb2.Decision) -> None:
        game = self._ids[decision.game]
        first = min(decision.legal)
        if decision.deal == HIDDEN_DEAL:
            self.seen[game, decision.ply] = decision.SerializeToString()
        if self.released:
            await self._answer(decision, first)
        elif decision.deal < HIDDEN_DEAL:
            is_wrong = self.raw.name == "cat" and game == FAULT_GAME
            await self._answer(decision, 36 if is_wrong else first)
        elif game == WATCHED_GAME and decision.ply in self.script.moves:
            await self._answer(decision, self.script.moves[decision.ply])
        else:
            self.held[game] = decision
            self.noticed.set()

    async def _answer(self, d: play_pb2.Decision, move: int) -> None:
        async with self._writing:
            await self.raw.answer(play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=move))


@dataclass
class World:
    """What was reached in one world: by moment, caller and question."""

    folder: Path
    reached: dict[str, bytes] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    decisions: dict[int, bytes] = field(default_factory=dict)
    """Those of ada in the watched game, by ply."""

    @property
    def data(self) -> Path:
        """The arena's data folder."""
        return self.folder / "sixtysix-data"


async def play(world: World, script: Script) -> None:
    """Plays the tournament, and looks at everything at some moments of it."""
    async with running_arena(world.data, metrics="127.0.0.1:0", web="127.0.0.1:0") as arena:
        for name in (*PLAYERS, STRANGER):
            _, world.tokens[name] = await arena.submit_bot(name)
        world.tokens["organiser"] = (world.data / "admin-token").read_text().strip()
        noticed = asyncio.Event()
        bots = [RawBot(arena.address, world.tokens[name]) for name in PLAYERS]
        holders = [Holder(raw, script, noticed) for raw in bots]
        for holder in holders:
            await holder.raw.hello()
        tasks = [asyncio.create_task(holder.run()) for holder in holders]
        await arena.create_tournament(CUP)
        await arena.start_tournament(SLUG)
        # Until an answer is held back in every game that is played.
        async with asyncio.timeout(PATIENCE_S):
            while len({game for holder in holders for game in holder.held}) < GAME_COUNT - 1:
                noticed.clear()
                await noticed.wait()
        await look_around(world, arena, "running")
        await arena.stop_tournament(SLUG)
        await look_around(world, arena, "stopped")
        await arena.start_tournament(SLUG)
        for holder in holders:
            await holder.release()
        await until_finished(arena)
        await look_around(world, arena, "over")
        for (game, ply), decision in holders[0].seen.items():
            if game == WATCHED_GAME and ply <= PLIES:
                world.decisions[ply] = decision
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for holder in holders:
            await holder.raw.vanish()


async def look_around(world: World, arena: Arena, moment: str) -> None:
    """Asks everything as everybody, and reads whatever lies around."""
    games = [f"{SLUG}.{number}" for number in range(1, GAME_COUNT + 1)]
    callers = {None: None} | dict(world.tokens)
    for caller, token in callers.items():
        told = await answers(
            arena.address,
            token,
            slug=SLUG,
            games=games,
            names=ENTRANTS,
            is_organiser=caller == "organiser",
        )
        for what, answer in told.items():
            world.reached[f"{moment}: {caller}: {what}"] = answer
    looks = reading_commands(SLUG, [WATCHED_GAME, FAULT_GAME], "ada")
    for place in (["--data", "sixtysix-data"], ["--arena", arena.address]):
        for command, each in looks.items():
            for arguments in each:
                line = [*command.split(), *arguments, *place]
                shown = await asyncio.to_thread(printed, *line)
                name = f"{moment}: {command} {' '.join([*arguments, place[0]])}"
                world.reached[name] = str(shown).replace(arena.address, "ADDRESS").encode()
    for at in page_paths(SLUG, [WATCHED_GAME, FAULT_GAME], ENTRANTS):
        seen = await asyncio.to_thread(page, arena.web_address, at)
        world.reached[f"{moment}: page {at}"] = seen
    await asyncio.to_thread(printed, "backup", f"{moment}.db")
    metrics = await asyncio.to_thread(scraped, arena.metrics_address)
    world.reached[f"{moment}: metrics"] = metrics.encode()
    for path, content in files(world.folder):
        world.reached[f"{moment}: file {path.name}"] = content
    children = [child.pid for child in psutil.Process().children()]
    for name, content in environments([os.getpid(), *children]):
        world.reached[f"{moment}: {name}"] = content


class StillClock(ArenaClock):
    """Nobody is charged anything, so that records of both worlds are the same."""

    def now_ms(self) -> float:
        return 0.0


class StillCalendar(datetime):
    """The same time of day in both worlds, however it is written."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> StillCalendar:
        return cls(2026, 1, 31, 12, tzinfo=tz)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, World]:
    """The same tournament in two worlds."""
    script = Script.written()
    one, other = (World(tmp_path_factory.mktemp("world")) for _ in range(2))
    for world, deals in (one, dealt), (other, other_world(script.twin())):
        tokens = world.tokens
        with pytest.MonkeyPatch.context() as patch:
            nothing_from_outside(patch)
            # What is in it must not be for others, whoever may open the folder itself.
            world.data.mkdir(mode=0o755)
            patch.chdir(world.folder)
            patch.setattr(shuffle, "pack", deals)
            patch.setattr(arena_module, "ArenaClock", StillClock)
            patch.setattr(times, "datetime", StillCalendar)
            # All calls are tried with wrong tokens, and what is refused must not depend on time.
            patch.setattr(callers, "WRONG_TOKEN_BURST", 100_000)
            patch.setattr(tournaments, "secrets", SimpleNamespace(token_bytes=lambda _size: SEED))
            patch.setattr(house, "new_token", partial(house_token, tokens))
            with logging_to(world.folder / "arena.log", is_service=True):
                asyncio.run(asyncio.wait_for(play(world, script), 280))
    return one, other


def house_token(tokens: dict[str, str]) -> str:
    """A token for the house bot, which is noted."""
    return tokens.setdefault("house", new_token())


def told(world: World, *moments: str) -> dict[str, bytes]:
    """What has to be the same in both worlds, whoever asks.

    Files are not, nor what tells of the machine and its speed; nor is the evidence that the author
    of a fault, and the organiser, may see: which frames were the last depends on who was faster.
    """
    return {
        name: without_event_names(content)
        for name, content in world.reached.items()
        if name.startswith(moments)
        and not re.search(": file |: /proc/|: metrics$", name)
        and not re.search(f"(cat|organiser): GetFaults .*{FAULT_GAME}", name)
    }


@pytest.mark.parametrize("moment", ["running", "stopped"])
def test_threat_12_logs_tell_nothing_that_is_hidden(
    worlds: tuple[World, World], moment: str
) -> None:
    one, other = (lines_of(world.reached[f"{moment}: file arena.log"]) for world in worlds)
    assert len(one) > 50
    assert one == other


def lines_of(log: bytes) -> list[str]:
    """The lines of a log without what differs by itself, in no order."""
    lines = []
    for line in log.splitlines():
        fields = json.loads(line)
        if "seconds" in fields:
            continue  # The machine was slow.
        for name in ("time", "address", "local_address", "metrics", "web", "data"):
            fields.pop(name, None)
        lines.append(json.dumps(fields))
    return sorted(lines)


def without_event_names(content: bytes) -> bytes:
    """A feed has new ones each time."""
    return re.sub(rb"\nid: [^\n]*|^id: [^\n]*", b"", content)


def test_nothing_is_left_out() -> None:
    looks = reading_commands(SLUG, [WATCHED_GAME], "ada")
    assert {*looks, *OTHER_COMMANDS} == set(command_names())


def test_threat_12_what_is_hidden_cannot_be_reached(worlds: tuple[World, World]) -> None:
    one, other = (told(world, "running", "stopped") for world in worlds)
    assert len(one) > 400
    assert one.keys() == other.keys()
    differ = [name for name, content in one.items() if content != other[name]]
    assert not differ


def test_threat_12_it_can_be_reached_when_its_deal_is_over(worlds: tuple[World, World]) -> None:
    """So the comparison is one that finds something."""
    one, other = (told(world, "over") for world in worlds)
    differ = {name for name, content in one.items() if content != other[name]}
    for call in ("GetGame", "ExportTournament"):
        assert any(name.startswith(f"over: None: {call}") for name in differ)
    for where in ("log", "tournament export", f"page /g/{WATCHED_GAME}/{HIDDEN_DEAL}"):
        assert any(name.startswith(f"over: {where}") for name in differ)


def test_threat_12_ada_was_asked_the_same_in_both_worlds(worlds: tuple[World, World]) -> None:
    one, other = worlds
    assert one.decisions
    assert one.decisions == other.decisions


def spellings(secret: bytes) -> set[bytes]:
    """How bytes may be written."""
    texts = {
        secret.hex(),
        secret.hex().upper(),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        repr(secret)[2:-1],
        str(int.from_bytes(secret, "big")),
        ", ".join(map(str, secret)),
        ",".join(map(str, secret)),
        "".join(f"\\{byte:03o}" for byte in secret),
    }
    in_json = {json.dumps(text)[1:-1] for text in (*texts, secret.decode("latin-1"))}
    return {secret, *(text.encode() for text in (*texts, *in_json))}


def places(world: World, needles: Iterable[bytes]) -> set[str]:
    """Where one of these can be read."""
    return {
        name
        for name, content in world.reached.items()
        if any(needle in content for needle in needles)
    }


def test_threat_12_the_seed_is_nowhere_before_the_end(worlds: tuple[World, World]) -> None:
    needles = spellings(SEED) | spellings(KEY)
    found = places(worlds[0], needles)
    database = {name for name in found if re.search(r"file .*\.db(-wal|-shm)?$", name)}
    assert database, "it is looked for in vain where it is kept"
    early = {name for name in found - database if not name.startswith("over")}
    assert not early
    assert any(name.startswith("over: None: GetTournament") for name in found), "nor at the end"


def test_threat_02_tokens_are_nowhere(worlds: tuple[World, World]) -> None:
    for world in worlds:
        assert set(world.tokens) == {*PLAYERS, STRANGER, "organiser", "house"}
        for owner, token in world.tokens.items():
            found = places(world, spellings(token.encode()))
            expected = {"file admin-token"} if owner == "organiser" else set()
            assert {name.partition(": ")[2] for name in found} == expected, owner
