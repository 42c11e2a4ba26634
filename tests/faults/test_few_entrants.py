"""Tournaments of odd, few, or no bots."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.commands import Workplace
from support.misbehaving import PATIENT, run

from sixtysix.outcome import Fault, GameEnd

FILE = """\
name = "Cup"
slug = "cup"
rules = "classic"
games_per_pairing = 2
entrants = {entrants}
[clock]
grace_ms = 100
join_ms = 300
"""


@pytest.mark.parametrize("count", [3, 5])
def test_fault_row_72_with_an_odd_number_each_rests_in_turn(tmp_path: Path, count: int) -> None:
    names = [f"bot-{number}" for number in range(count)]

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, AsyncExitStack() as bots:
            for name in names:
                await bots.enter_async_context(bot(arena, name, RawBot.play))
            await arena.create_tournament(definition(names, clock=PATIENT))
            await arena.start_tournament("cup")
            await until_finished(arena)
            games = tuple(arena.stored.games("cup"))
            rows = arena.stored.board("cup").rows
        assert {game.end for game in games} == {GameEnd.TARGET}
        assert sorted(row.entrant for row in rows) == names
        assert {row.games for row in rows} == {2 * (count - 1)}
        rounds = {game.round for game in games}
        assert len(rounds) == count
        for number in rounds:
            playing = {name for game in games if game.round == number for name in game.entrants}
            assert len(playing) == count - 1

    run(main())


@pytest.mark.parametrize("entrants", [[], ["house:random"]], ids=["none", "one"])
def test_fault_row_72_a_tournament_of_one_or_none_is_refused(
    tmp_path: Path, entrants: list[str]
) -> None:
    place = Workplace(tmp_path)
    place.write("cup.toml", FILE.format(entrants=entrants))
    assert place.error("run", "cup.toml", "--grpc", "127.0.0.1:0", code=2) == (
        f"sixtysix: cup.toml:5: there cannot be {len(entrants)} entrants: expected 2 to 1000"
    )
    assert not (tmp_path / "sixtysix-data").exists()


def test_fault_row_72_a_tournament_that_no_bot_joins_ends_all_the_same(tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    place.write("cup.toml", FILE.format(entrants=["ada", "bob"]))
    for name in ("ada", "bob"):
        place.run("bot", "submit", name)
    board = place.json("run", "cup.toml", "--grpc", "127.0.0.1:0")
    assert board["final"]
    assert [row["games"] for row in board["rows"]] == [0, 0]
    games = place.json("games", "cup")
    assert [(game["end"], game["winner"]) for game in games] == [("void", None)] * 2
    assert all("did not join within 300 ms" in game["reason"] for game in games)


def test_fault_row_72_a_tournament_that_one_bot_joins_is_won_by_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "cleo", RawBot.play):
            for name in ("ada", "bob"):
                await arena.submit_bot(name)
            clock = replace(PATIENT, join_ms=1_000)
            await arena.create_tournament(definition(("ada", "bob", "cleo"), clock=clock))
            await arena.start_tournament("cup")
            await until_finished(arena)
            rows = {row.entrant: row for row in arena.stored.board("cup").rows}
        assert (rows["cleo"].games, rows["cleo"].won) == (4, 4)
        for name in ("ada", "bob"):
            assert rows[name].faults == {Fault.NO_SHOW: 2}
            assert (rows[name].lost, rows[name].void) == (2, 2)

    run(main())
