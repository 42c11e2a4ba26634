"""Checking records: what is right passes; damage, and headers that cannot be, are found."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import records as games_of_records
from support.forgeries import (
    CUP,
    GAMES,
    KIND_OF,
    LINES,
    Change,
    Contents,
    difference,
    found_after,
    told,
)
from support.records import RULES, SEED, header, lines_of, play_games, sealed

from sixtysix import shuffle
from sixtysix.outcome import Fault, GameEnd
from sixtysix.reports import TournamentState
from sixtysix.rules import Game
from sixtysix.verify import Difference, Verdict, verify
from sixtysix.verify import games as games_checked

# What is right


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("entrants", [("ada", "bob"), ("ada", "bob", "cy", "dee", "house:random")])
def test_what_was_played_is_right(rules: Any, entrants: tuple[str, ...]) -> None:
    cup = header(rules, entrants=entrants, games_per_pairing=2 if len(entrants) > 2 else 6)
    games = play_games(cup, KIND_OF)
    verdict = verify(lines_of(cup, games))
    assert verdict.difference is None
    assert verdict == Verdict(
        tournament=cup,
        game_count=len(games),
        deal_count=sum(len(game.deals) for game in games),
        move_count=sum(len(deal.moves) for game in games for deal in game.deals),
        round_count=len(cup.rounds),
        digest=json.loads(lines_of(cup, games)[-1])["sha256"],
    )


def test_every_kind_of_game_is_in_the_record_that_is_tampered_with() -> None:
    kinds = {(game.outcome.end, game.outcome.fault) for game in GAMES}
    assert kinds >= {
        (GameEnd.TARGET, None),
        (GameEnd.FORFEIT, Fault.ILLEGAL),
        (GameEnd.FORFEIT, Fault.LEFT),
        (GameEnd.FORFEIT, Fault.NO_SHOW),
        (GameEnd.VOID, None),
    }
    assert any(deal.void for game in GAMES for deal in game.deals)
    assert verify(LINES).ok


def test_a_secret_seed_leaves_packs_unchecked() -> None:
    cup = header(state=TournamentState.RUNNING, seed=None)
    verdict = verify(lines_of(cup, play_games(cup)))
    assert verdict.ok
    assert verdict.unchecked == ("packs unchecked, seed still secret",)
    assert verify(lines_of(replace(cup, commitment="ab" * 32), play_games(cup))).ok


@pytest.mark.parametrize("state", [TournamentState.RUNNING, TournamentState.STOPPED])
def test_a_running_tournament_has_the_games_that_are_over(state: TournamentState) -> None:
    cup = header(games_per_pairing=4, state=state, seed=None)
    games = play_games(cup)
    over = [game for game in games if game.number in (1, 2, 3, 4, 7, 11)]
    verdict = verify(lines_of(cup, over))
    assert verdict.difference is None
    assert (verdict.game_count, verdict.round_count) == (6, 1)
    assert verify(lines_of(cup, games)).round_count == 3, "all over, and not yet finished"


def test_a_tournament_before_its_start() -> None:
    cup = header(state=TournamentState.CREATED, seed=None)
    verdict = verify(lines_of(cup, []))
    assert verdict.ok
    assert (verdict.game_count, verdict.round_count) == (0, 0)


def test_deals_beyond_the_limit_end_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def limit(deal_count: int) -> None:
        for module in (games_of_records, games_checked):
            monkeypatch.setattr(module, "Game", partial(Game, deal_limit=deal_count))

    limit(3)
    cup = header(games_per_pairing=4)
    games = play_games(cup, {2: "void-deal"})
    assert games[1].outcome.end is GameEnd.DEAL_LIMIT
    assert len(games[1].deals) == 4
    assert verify(lines_of(cup, games)).difference is None
    limit(4)
    assert "end: expected forfeit or void, as neither the" in str(difference(lines_of(cup, games)))


def test_practice_may_have_any_seed() -> None:
    seed = b"42"
    cup = header(practice=True, seed=seed.hex(), commitment=shuffle.commitment(seed).hex())
    found = difference(lines_of(cup, play_games(cup)))
    assert found.what.startswith("pack["), "it was dealt from another seed; all before is right"
    assert "seed: expected 32 bytes, or practice, found 2 bytes" in str(
        difference(lines_of(replace(cup, practice=False), []))
    )


# Bytes


def test_a_flipped_byte_is_found_on_its_line() -> None:
    data = "".join(LINES).encode()
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    chance = random.Random(66)
    for _ in range(400):
        place = chance.randrange(len(data))
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        found = difference(bytes(flipped).splitlines(keepends=True))
        line = sum(end < place for end in ends) + 1
        assert found.line == line, place
        assert found.what in ("digest", "the end"), place


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_byte_of_any_other_value_is_found_on_its_line(data: st.DataObject) -> None:
    lines = [line.encode() for line in LINES]
    number = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[number][place]))
    lines[number] = lines[number][:place] + bytes([value]) + lines[number][place + 1 :]
    assert difference(b"".join(lines).splitlines(keepends=True)).line == number + 1


def test_swapped_dropped_and_doubled_lines_are_found() -> None:
    swapped = [*LINES[:3], LINES[4], LINES[3], *LINES[5:]]
    assert difference(swapped).place == "line 4"
    assert difference([*LINES[:5], *LINES[6:]]).place == "line 6"
    assert difference([*LINES[:5], LINES[4], *LINES[5:]]).place == "line 6"
    assert difference(LINES[1:]).place == "line 1"
    assert difference(LINES[:-1]).place == "line 14"
    assert difference([*LINES, LINES[-1]]).place == "line 15"
    assert difference([]).place == "line 1"


# Somebody who makes all digests anew is found by what the lines say.


def swap(one: int, other: int) -> Change:
    def change(contents: Contents) -> None:
        contents[one], contents[other] = contents[other], contents[one]

    return change


def test_games_out_of_order_are_found() -> None:
    assert told(swap(3, 4)) == "line 4: number: expected 3, the next of the schedule, found 4" or (
        told(swap(3, 4))
        == "line 4, game cup.4: number: expected 3, the next of the schedule, found 4"
    )


def test_a_game_that_is_missing_is_found() -> None:
    assert told(lambda contents: contents.pop(5)).startswith(
        "line 6, game cup.6: number: expected 5, the next of the schedule, found 6"
    )
    assert told(lambda contents: contents.pop(-2)) == (
        "line 13: type: expected game 12 of 12, found the board"
    )


def test_in_a_running_tournament_numbers_ascend() -> None:
    cup = header(games_per_pairing=4, state=TournamentState.RUNNING, seed=None)
    lines = lines_of(cup, play_games(cup)[:6])
    assert told(swap(3, 4), lines).startswith(
        "line 5, game cup.3: number: expected more than 4, that of the game before, found 3"
    )
    assert told(lambda contents: contents[2].update(number=99), lines).startswith(
        "line 3, game cup.2: number: expected at most 12, found 99"
    )


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("round", 2, "round: expected 1, found 2"),
        ("game_index", 1, "game_index: expected 2, found 1"),
        ("entrants", ["ada", "bob"], 'entrants: expected ["bob", "house:random"], found ["ada"'),
        ("game_id", "cup.4", 'game_id: expected "cup.3", found "cup.4"'),
    ],
)
def test_a_game_elsewhere_in_the_schedule_is_found(key: str, value: Any, expected: str) -> None:
    found = found_after(lambda contents: contents[3].update({key: value}))
    assert found.line == 4
    assert expected in str(found)


HEADER_CHANGES: dict[str, tuple[Change, str]] = {
    "name": (lambda c: c[0].update(name=" Cup"), 'name: expected "Cup", found " Cup"'),
    "no name": (lambda c: c[0].update(name=""), "the tournament: expected one that is possible"),
    "slug": (lambda c: c[0].update(slug="Cup"), "slug cannot be 'Cup'"),
    "odd pairing": (lambda c: c[0].update(games_per_pairing=3), "expected an even number"),
    "clock": (lambda c: c[0]["clock"].update(per_move_ms=1), "clock.per_move_ms cannot be 1"),
    "order": (lambda c: c[0]["entrants"].reverse(), "entrants: expected ids in ascending order"),
    "twice": (lambda c: c[0]["entrants"].append({"id": "bob", "version": ""}), "entered twice"),
    "shuffle": (lambda c: c[0].update(shuffle="v2"), 'shuffle: expected "sixtysix-shuffle-v1"'),
    "one more": (
        lambda c: c[0]["entrants"].append({"id": "zoe", "version": ""}),
        "round 1: expected",
    ),
    "rounds": (lambda c: c[0]["rounds"].pop(), "rounds: expected 3 rounds, found 2"),
    "pairing": (
        lambda c: c[0]["rounds"][1].append([0, 1]),
        'round 2: expected [["ada", "house:random"]], found [["ada", "house:random"], ["',
    ),
    "seed": (lambda c: c[0].update(seed="00" * 32), "commitment: expected "),
    "commitment": (lambda c: c[0].update(commitment="00" * 32), "that of the seed, found 0000"),
    "no seed": (lambda c: c[0].update(seed=None), "seed: expected the seed, for the tournament is"),
}


@pytest.mark.parametrize("what", HEADER_CHANGES)
def test_a_header_that_cannot_be_is_found(what: str) -> None:
    change, expected = HEADER_CHANGES[what]
    found = found_after(change)
    assert found.place == "line 1"
    assert expected in str(found)


def test_a_seed_before_the_end_is_found() -> None:
    def change(contents: Contents) -> None:
        contents[0]["state"] = "running"

    assert told(change) == (
        f"line 1: seed: expected null, for the tournament is running, found {CUP.seed}"
    )


def test_a_reason_without_a_forfeit_is_found() -> None:
    place = next(number for number, game in enumerate(GAMES, start=1) if game.outcome.reason == "")

    def change(contents: Contents) -> None:
        contents[place]["reason"] = "because"

    assert told(change).endswith('reason: expected "", found "because"')


def test_another_seed_with_its_commitment_is_found_by_the_first_pack() -> None:
    def change(contents: Contents) -> None:
        seed = bytes(31) + b"\1"
        contents[0].update(seed=seed.hex(), commitment=shuffle.commitment(seed).hex())

    assert found_after(change).place == "line 2, game cup.1, deal 0"


def test_other_rules_are_found() -> None:
    found = found_after(lambda c: c[0]["rules"].update(name="last-trick"))
    assert found.place == "line 2, game cup.1, deal 0"
    assert found.what.startswith("pack[")


# How it tells


def test_a_verdict_counts_what_was_right() -> None:
    verdict = verify([*LINES[:4], LINES[4].replace("9", "8", 1), *LINES[5:]])
    assert (verdict.game_count, verdict.round_count) == (3, 0)
    assert verdict.deal_count == sum(len(game.deals) for game in GAMES[:3])
    assert verdict.digest == json.loads(LINES[3])["sha256"]
    assert not verdict.ok
    assert verify([]).tournament is None


def test_a_difference_is_a_sentence() -> None:
    whole = Difference("move", "QH, AH", "KS", 5, "cup.4", 2, 7)
    assert str(whole) == "line 5, game cup.4, deal 2, ply 7: move: expected QH, AH, found KS"
    assert str(Difference("seed", "a", "b", 1)) == "line 1: seed: expected a, found b"


def test_lines_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    def slowly() -> Any:
        nonlocal read
        for line in sealed(map(json.loads, LINES)):
            read += 1
            yield line if read != 4 else line.replace("o", "0")

    assert difference(slowly()).line == 4
    assert read == 4, "nothing is read beyond the first difference"


def test_the_seed_of_these_tests_is_drawn_by_nobody() -> None:
    assert CUP.seed == SEED.hex()
