"""What a seat is told says nothing about hidden cards, and nobody can guess what is dealt."""

from __future__ import annotations

import ast
import asyncio
import json
import secrets
import struct
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.reachable import printed
from support.source_tree import is_in, modules
from support.twin_worlds import PHASES, Tally, compare

from sixtysix.rules import RULESETS
from sixtysix.shuffle import commitment

SCENES = 220
"""Some 870 worlds for each rule set. `make twins` compares as many as one likes."""


@cache
def tally_of(rules: str) -> Tally:
    return compare(rules, "tests", range(SCENES))


@pytest.mark.parametrize("rules", RULESETS)
def test_threats_10_and_11_twin_worlds_are_the_same_down_to_the_bytes(rules: str) -> None:
    """At a real table: frames with their sizes and order, notices, texts, and what is stored."""
    tally = tally_of(rules)
    assert not tally.differences, "\n".join(map(str, tally.differences))
    assert tally.worlds.total() >= 800
    for phase in PHASES:
        worlds = tally.worlds[phase]
        if phase == "closed" and RULESETS[rules].close_min_talon is None:
            assert worlds == 0
            continue
        assert worlds >= 60, f"too few worlds with the talon {phase}"
        if phase != "used up":
            assert tally.other_hand[phase] > 0.9 * worlds
            assert tally.other_talon[phase] > 0.9 * worlds
    assert len(tally.probes) >= 12, "something that a seat may do wrong was never done"


@pytest.mark.parametrize("rules", RULESETS)
def test_threat_14_the_same_lines_run_whatever_is_hidden(rules: str) -> None:
    """So nothing can be measured, but that a reply without a choice comes at once."""
    tally = tally_of(rules)
    assert tally.same_work == tally.comparable_work
    assert tally.comparable_work.total() >= 120


# Seeds


def candidates(around_s: float) -> Iterator[bytes]:
    """Seeds that somebody would try: small numbers, and times, in whatever way they are written."""
    yield from spelt(range(2**13))
    second = int(around_s)
    yield from spelt(range(second - 3_600, second + 60))
    yield from spelt(range(second * 1_000 - 3_000, second * 1_000 + 3_000))


def spelt(numbers: Iterable[int]) -> Iterator[bytes]:
    for number in numbers:
        yield str(number).encode()
        yield b"%x" % number
        yield struct.pack("<Q", number)
        yield number.to_bytes(32, "big")
        yield number.to_bytes(32, "little")


def opened(published: str, seeds: Iterable[bytes]) -> bytes | None:
    """The seed that a commitment was made to, if it is one of these."""
    wanted = bytes.fromhex(published)
    return next((seed for seed in seeds if commitment(seed) == wanted), None)


def published(tmp_path: Path, practice_seed: str | None) -> tuple[str, bytes]:
    """The commitment of a new tournament, and the seed in the store."""

    async def create() -> tuple[str, bytes]:
        async with running_arena(tmp_path / "data") as arena:
            await arena.submit_bot("ada")
            await arena.submit_bot("bob")
            cup = replace(definition(("ada", "bob")), practice_seed=practice_seed)
            info = await arena.create_tournament(cup)
            assert info.seed == ""
            return info.commitment, arena.reader.tournament("cup").seed

    return asyncio.run(create())


def test_threat_15_a_seed_is_32_bytes_of_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bytes] = []
    token_bytes = secrets.token_bytes

    def draw(count: int | None = None) -> bytes:
        drawn.append(token_bytes(count))
        return drawn[-1]

    monkeypatch.setattr(secrets, "token_bytes", draw)
    committed, seed = published(tmp_path, None)
    assert seed in drawn
    assert len(seed) == 32
    assert committed == commitment(seed).hex()
    assert opened(committed, candidates(time.time())) is None


@pytest.mark.parametrize("guessable", ["42", "a minute ago"])
def test_threat_15_seeds_that_are_guessed_are_found(tmp_path: Path, guessable: str) -> None:
    """So the search of the test before is one that finds something."""
    if guessable == "a minute ago":
        guessable = str(int(time.time()) - 60)
    committed, seed = published(tmp_path, guessable)
    assert opened(committed, candidates(time.time())) == seed == guessable.encode()


def test_threat_15_commitments_do_not_repeat() -> None:
    count = 100_000
    assert len({commitment(secrets.token_bytes(32)) for _ in range(count)}) == count


def test_threat_15_nothing_is_drawn_but_from_the_system() -> None:
    """Only the pause before a bot dials again comes from a generator that can be predicted."""
    users = {
        module.name
        for module in modules()
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Import) and any(each.name == "random" for each in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "random")
    }
    assert users
    assert all(is_in(name, "sixtysix.client") for name in users), users


def test_threat_16_practice_is_said_wherever_its_tournament_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with (
            running_arena(tmp_path / "sixtysix-data") as arena,
            bot(arena, "ada", RawBot.play),
            bot(arena, "bob", RawBot.play),
        ):
            await arena.create_tournament(definition(("ada", "bob")))
            await arena.start_tournament("cup")
            await until_finished(arena)
            assert arena.stored.board("cup").practice
            assert arena.stored.standing_board("classic").rows == ()

    asyncio.run(play())
    monkeypatch.chdir(tmp_path)
    for command in (
        "tournament status cup",
        "tournament list",
        "leaderboard cup",
        "leaderboard cup --cross",
        "verify cup",
    ):
        assert "practice" in shown(command), command
    for command in ("tournament status cup", "leaderboard cup", "verify cup"):
        assert json.loads(shown(f"{command} --json"))["practice"], command
    assert json.loads(shown("tournament export cup").splitlines()[0])["practice"]


def shown(command: str) -> str:
    printing = printed(*command.split())
    assert printing.code == 0, printing
    return printing.out
