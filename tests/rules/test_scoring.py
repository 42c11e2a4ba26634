"""What a deal pays, as a table of its end; two scorers, written apart, agree on all of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from rules.naive import NaiveDeal, NaiveTrick
from rules.players import ALL_RULES, name_of

from sixtysix.rules import CARDS, RULESETS, DealEnd, DealResult, Ruleset, ruleset
from sixtysix.rules.scoring import Tally, claimed, drawn_at_once, played_out

A, B = 0, 1
"""In this file seat A wins or claims, and seat B loses, unless the name says otherwise."""

AGREED = ruleset("doubling", agreed_six=True)


def pays(result: DealResult) -> tuple[int | None, int, DealEnd]:
    return result.winner, result.game_points, result.end


@pytest.mark.parametrize(
    ("rules", "points", "tricks", "expected"),
    [
        ("classic", 33, 2, 1),
        ("classic", 32, 2, 2),
        ("classic", 1, 1, 2),
        ("classic", 0, 1, 3),
        ("classic", 20, 0, 2),
        ("classic", 40, 0, 1),
        ("doubling", 33, 2, 1),
        ("doubling", 32, 2, 2),
        ("doubling", 0, 2, 3),
        ("doubling", 20, 0, 2),
        ("doubling", 40, 0, 1),
        ("last-trick", 33, 2, 1),
        ("last-trick", 32, 2, 2),
        ("last-trick", 0, 1, 2),
        ("last-trick", 0, 0, 3),
    ],
)
def test_ordinary_count_of_a_good_claim(
    rules: str, points: int, tricks: int, expected: int
) -> None:
    tally = Tally((66, points), (4, tricks), first_to_66=A)
    assert pays(claimed(RULESETS[rules], tally, A)) == (A, expected, "claim")
    assert pays(played_out(RULESETS[rules], tally, last_trick=B)) == (A, expected, "counted")


@pytest.mark.parametrize(
    ("points", "tricks", "expected"), [(33, 2, 1), (32, 2, 2), (0, 1, 2), (0, 0, 3), (40, 0, 3)]
)
def test_ordinary_count_of_played_out(points: int, tricks: int, expected: int) -> None:
    tally = Tally((66, points), (4, tricks), first_to_66=A)
    assert pays(played_out(RULESETS["played-out"], tally, last_trick=B)) == (
        A,
        expected,
        "counted",
    )


@pytest.mark.parametrize(
    ("rules", "closer", "closers_tricks", "expected"),
    [
        (RULESETS["classic"], 65, 3, 2),
        (RULESETS["classic"], 33, 3, 2),
        (RULESETS["classic"], 32, 3, 3),
        (RULESETS["classic"], 1, 1, 3),
        (RULESETS["classic"], 0, 1, 4),
        (RULESETS["classic"], 0, 0, 4),
        (RULESETS["classic"], 40, 0, 2),
        (RULESETS["doubling"], 65, 3, 2),
        (RULESETS["doubling"], 33, 3, 2),
        (RULESETS["doubling"], 32, 3, 4),
        (RULESETS["doubling"], 1, 1, 4),
        (RULESETS["doubling"], 0, 2, 6),
        (RULESETS["doubling"], 0, 0, 6),
        (RULESETS["doubling"], 40, 0, 6),
        (AGREED, 33, 3, 2),
        (AGREED, 32, 3, 4),
    ],
)
@pytest.mark.parametrize("opponent", [0, 20, 70])
def test_failed_close_by_the_closer(
    rules: Ruleset, closer: int, closers_tricks: int, expected: int, opponent: int
) -> None:
    first = A if opponent >= 66 else None
    tally = Tally((opponent, closer), (3, closers_tricks), closed_by=B, first_to_66=first)
    assert pays(played_out(rules, tally, last_trick=B)) == (A, expected, "failed-close")
    if opponent >= 66:
        assert pays(claimed(rules, tally, A)) == (A, expected, "failed-close")


@pytest.mark.parametrize("closer", [0, 20, 40, 65])
def test_failed_close_with_agreed_six_against_a_trickless_opponent(closer: int) -> None:
    tally = Tally((0, closer), (0, 6), closed_by=B)
    assert pays(played_out(AGREED, tally, last_trick=B)) == (A, 6, "failed-close")


@pytest.mark.parametrize(
    ("opponent", "tricks", "closer", "closers_tricks", "expected"),
    [
        (40, 2, 30, 5, 1),
        (33, 2, 30, 5, 1),
        (32, 2, 30, 5, 2),
        (20, 2, 30, 5, 2),
        (0, 2, 30, 5, 2),
        (0, 0, 30, 7, 3),
        (40, 0, 30, 7, 3),
        (50, 3, 25, 4, 1),
        (70, 3, 33, 4, 1),
        (70, 3, 25, 4, 2),
        (70, 7, 40, 0, 3),
        (70, 7, 0, 0, 3),
    ],
)
def test_failed_close_of_played_out_by_the_opponents_state(
    opponent: int, tricks: int, closer: int, closers_tricks: int, expected: int
) -> None:
    first = A if opponent >= 66 else None
    tally = Tally((opponent, closer), (tricks, closers_tricks), closed_by=B, first_to_66=first)
    result = played_out(RULESETS["played-out"], tally, last_trick=B)
    assert pays(result) == (A, expected, "failed-close")


@pytest.mark.parametrize(
    ("rules", "closed_by", "points", "tricks", "expected"),
    [
        (RULESETS["classic"], None, 65, 3, 3),
        (RULESETS["classic"], A, 0, 0, 3),  # against a closer, who gets 3, no more
        (RULESETS["classic"], B, 0, 0, 4),
        (RULESETS["classic"], B, 20, 1, 3),
        (RULESETS["classic"], B, 40, 1, 3),
        (RULESETS["doubling"], None, 65, 3, 3),
        (RULESETS["doubling"], A, 0, 0, 3),
        (RULESETS["doubling"], B, 0, 1, 6),
        (RULESETS["doubling"], B, 40, 0, 6),
        (RULESETS["doubling"], B, 20, 1, 4),
        (RULESETS["doubling"], B, 40, 1, 3),
        (RULESETS["last-trick"], None, 65, 3, 3),
        (AGREED, B, 40, 1, 3),
    ],
)
def test_false_claim(
    rules: Ruleset, closed_by: int | None, points: int, tricks: int, expected: int
) -> None:
    tally = Tally((30, points), (3, tricks), closed_by)
    assert pays(claimed(rules, tally, claimer=B)) == (A, expected, "false-claim")


@pytest.mark.parametrize(
    ("rules", "claimer", "expected"),
    [
        ("doubling", A, (A, 1, "first-to-66")),
        ("doubling", B, (A, 1, "first-to-66")),
        ("last-trick", A, (A, 1, "claim")),
        ("last-trick", B, (B, 1, "claim")),
    ],
)
def test_both_66_and_a_claim(rules: str, claimer: int, expected: tuple[int, int, DealEnd]) -> None:
    tally = Tally((70, 66), (4, 3), first_to_66=A)
    assert pays(claimed(RULESETS[rules], tally, claimer)) == expected


@pytest.mark.parametrize(
    ("rules", "last_trick", "expected"),
    [
        ("doubling", A, (A, 1, "first-to-66")),
        ("doubling", B, (A, 1, "first-to-66")),
        ("played-out", A, (None, 0, "drawn-both-66")),
        ("played-out", B, (None, 0, "drawn-both-66")),
        ("last-trick", A, (A, 1, "last-trick")),
        ("last-trick", B, (B, 1, "last-trick")),
    ],
)
@pytest.mark.parametrize("closed_by", [None, A, B])
def test_both_66_with_empty_hands(
    rules: str,
    last_trick: int,
    closed_by: int | None,
    expected: tuple[int | None, int, DealEnd],
) -> None:
    if rules == "last-trick":
        closed_by = None
    tally = Tally((70, 66), (6, 6), closed_by, first_to_66=A)
    assert pays(played_out(RULESETS[rules], tally, last_trick)) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("classic", (None, 0, "drawn-neither-66")),
        ("doubling", (None, 0, "drawn-neither-66")),
        ("played-out", (None, 0, "drawn-neither-66")),
        ("last-trick", (B, 1, "last-trick")),
    ],
)
def test_neither_66_with_empty_hands(rules: str, expected: tuple[int | None, int, DealEnd]) -> None:
    tally = Tally((65, 55), (6, 6))
    assert pays(played_out(RULESETS[rules], tally, last_trick=B)) == expected


def test_drawn_at_once() -> None:
    result = drawn_at_once(Tally((66, 70), (4, 4), first_to_66=B))
    assert result == DealResult(None, 0, (66, 70), DealEnd.DRAWN_BOTH_66)


@pytest.mark.parametrize("end", list(DealEnd))
def test_every_end_says_when_it_is_met(end: DealEnd) -> None:
    assert str(end) == end.value == end.name.lower().replace("_", "-")


# Every tally, before both scorers.

POINTS = (0, 1, 20, 32, 33, 40, 65, 66, 67, 100)
TRICKS = (0, 1, 5)


def tallies(rules: Ruleset) -> Iterator[Tally]:
    """All tallies of these numbers in which the seat first to 66 has 66."""
    closers = (None,) if rules.name == "last-trick" else (None, A, B)
    pairs = product(product(POINTS, POINTS), product(TRICKS, TRICKS))
    for (points, tricks), closed_by in product(pairs, closers):
        firsts: list[int | None] = [seat for seat in (A, B) if points[seat] >= 66]
        if len(firsts) == 2 and rules.name == "classic":
            continue  # ended at once
        for first in firsts or [None]:
            yield Tally(points, tricks, closed_by, first)


def second_opinion(rules: Ruleset, tally: Tally) -> NaiveDeal:
    """The naive referee's deal with this tally."""
    naive = NaiveDeal(rules.name, [str(card) for card in CARDS], 0, rules.agreed_six)
    naive.points = list(tally.points)
    naive.tricks = [
        NaiveTrick(seat, "9C", False, "9D", seat)
        for seat in (A, B)
        for _ in range(tally.tricks[seat])
    ]
    naive.closer = tally.closed_by
    if tally.first_to_66 is not None:
        naive.in_order_of_66 = [tally.first_to_66, 1 - tally.first_to_66]
    return naive


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
@pytest.mark.parametrize("seat", [A, B])
def test_both_scorers_agree_on_every_tally(rules: Ruleset, seat: int) -> None:
    for tally in tallies(rules):
        if rules.claims:
            naive = second_opinion(rules, tally)
            naive.judge_claim(seat)
            assert agrees(claimed(rules, tally, seat), naive), tally
        both_have_120 = min(tally.points) >= 54 and min(tally.tricks) > 0
        if rules.last_trick_decides and max(tally.points) < 66 and not both_have_120:
            continue  # no such deal
        naive = second_opinion(rules, tally)
        naive.count(seat)
        assert agrees(played_out(rules, tally, seat), naive), tally


def agrees(result: DealResult, naive: NaiveDeal) -> bool:
    outcome = naive.outcome
    assert outcome is not None
    return pays(result) == (outcome.winner, outcome.pays, outcome.end)
