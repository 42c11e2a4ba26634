"""Every line of play from a position, counted by both referees."""

from __future__ import annotations

from collections import Counter

import pytest
from rules.diagrams import EVEN, before_the_sixth_trick, play, table
from rules.naive import NaiveDeal

from sixtysix.rules import CARDS, Deal

MARRIAGES = ("KH QH KS QS AC TD", "9H AH 9D JD TC 9S", "AS", "AD KD JC QC KC TH 9C")
"""Forehand holds two marriages, the dealer the trump nine."""

Ends = Counter[tuple[int | None, int, str]]
"""How often each winner, payment and end was met."""


def before_the_naive_referee(deal: Deal) -> NaiveDeal:
    """The same position, reached by the same moves."""
    pack = [str(CARDS[card]) for card in deal.pack]
    naive = NaiveDeal(deal.ruleset.name, pack, deal.dealer)
    replay = Deal(deal.ruleset, deal.pack, deal.dealer)
    for move in deal.moves:
        legal = {int(code): str(code) for code in replay.legal_moves()}
        replay.play(move)
        naive.play(legal[move])
    return naive


def leaves(deal: Deal, depth: int) -> int:
    """Lines of `depth` moves, and shorter ones that end the deal."""
    if depth == 0 or deal.turn is None:
        return 1
    if depth == 1:
        return len(deal.legal_moves())
    total = 0
    for move in deal.legal_moves():
        after = deal.copy()
        after.play(move)
        total += leaves(after, depth - 1)
    return total


def naive_leaves(naive: NaiveDeal, depth: int) -> int:
    if depth == 0 or naive.turn is None:
        return 1
    total = 0
    for move in naive.legal():
        after = naive.copy()
        after.play(move)
        total += naive_leaves(after, depth - 1)
    return total


def ends(deal: Deal) -> Ends:
    """All ends that can be reached, with the number of lines that lead there."""
    if deal.result is not None:
        result = deal.result
        return Counter([(result.winner, result.game_points, str(result.end))])
    total: Ends = Counter()
    for move in deal.legal_moves():
        after = deal.copy()
        after.play(move)
        total += ends(after)
    return total


def naive_ends(naive: NaiveDeal) -> Ends:
    if naive.outcome is not None:
        outcome = naive.outcome
        return Counter([(outcome.winner, outcome.pays, outcome.end)])
    total: Ends = Counter()
    for move in naive.legal():
        after = naive.copy()
        after.play(move)
        total += naive_ends(after)
    return total


# Lines from the first decision on, by their length. Two packs for each rule set.

LINES = {
    ("classic", "even"): (3, 20, 92, 304, 1292, 5144, 14782),
    ("classic", "marriages"): (3, 24, 109, 347, 1630, 6676, 20094),
    ("doubling", "even"): (10, 66, 486, 3222, 21532),
    ("doubling", "marriages"): (12, 82, 641, 4424, 30564),
    ("played-out", "even"): (8, 48, 380, 2324, 15524),
    ("played-out", "marriages"): (10, 60, 540, 3360, 23984),
    ("last-trick", "even"): (9, 57, 413, 2573, 17295),
    ("last-trick", "marriages"): (11, 71, 555, 3379, 23521),
}


@pytest.mark.parametrize(("rules", "name"), LINES)
def test_lines_from_the_first_decision(rules: str, name: str) -> None:
    deal = table(rules, *{"even": EVEN, "marriages": MARRIAGES}[name])
    naive = before_the_naive_referee(deal)
    for depth, lines in enumerate(LINES[rules, name], start=1):
        assert leaves(deal, depth) == lines
        if lines < 6000:
            assert naive_leaves(naive, depth) == lines


# All lines to the end, from positions with five cards each.

TALON_USED_UP = "TC AH | QC AC"
CLOSED = "9C 9D | close KS AS"
CLOSED_AFTER_MARRIAGE = "9C 9D | close KS+ AS"
CLOSERS = ("9C KS QS KH QH JH", "9D AS TS AH TH AC", "JS", "JC TC KC QC")

ENDGAMES = {
    ("classic", TALON_USED_UP): 5227,
    ("classic", CLOSED): 3083,
    ("classic", CLOSED_AFTER_MARRIAGE): 3103,
    ("doubling", TALON_USED_UP): 5227,
    ("doubling", CLOSED): 3083,
    ("doubling", CLOSED_AFTER_MARRIAGE): 3103,
    ("played-out", TALON_USED_UP): 1152,
    ("played-out", CLOSED): 696,
    ("played-out", CLOSED_AFTER_MARRIAGE): 696,
    ("last-trick", TALON_USED_UP): 5227,
}


@pytest.mark.parametrize(("rules", "moves"), ENDGAMES)
def test_all_lines_to_the_end(rules: str, moves: str) -> None:
    used_up = moves == TALON_USED_UP
    deal = play(before_the_sixth_trick(rules) if used_up else table(rules, *CLOSERS), moves)
    found = ends(deal)
    assert found.total() == ENDGAMES[rules, moves]
    assert found == naive_ends(before_the_naive_referee(deal))


@pytest.mark.parametrize(
    ("rules", "lines"),
    [("classic", 84383), ("doubling", 84383), ("played-out", 17984), ("last-trick", 84383)],
)
def test_all_lines_to_the_end_from_six_cards_each(rules: str, lines: int) -> None:
    assert ends(play(before_the_sixth_trick(rules), "TC AH")).total() == lines
