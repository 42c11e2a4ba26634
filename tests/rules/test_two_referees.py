"""Two referees, written apart from each other, agree on every ply."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from rules.naive import NaiveDeal
from rules.players import ALL_RULES, name_of, random_deal

from sixtysix.rules import CARDS, MOVES, Deal, DealEnd, Ruleset

DEALS = 2000
"""Deals for each rule set, of some 15 to 20 plies."""

ENDS = {
    "classic": {"claim", "false-claim", "failed-close", "counted", "drawn-both-66"},
    "doubling": {"claim", "false-claim", "failed-close", "counted", "first-to-66"},
    "played-out": {"failed-close", "counted", "drawn-both-66", "drawn-neither-66"},
    "last-trick": {"claim", "false-claim", "counted", "last-trick"},
}
"""How the deals of each rule set end: all of it must have been met often.

With the last-trick bonus neither side has 66 only at 65 to 65, which is too rare for chance.
"""

PAYMENTS = {
    "classic": {1, 2, 3, 4},
    "doubling": {1, 2, 3, 4, 6},
    "played-out": {1, 2, 3},
    "last-trick": {1, 2, 3},
}


def second_opinion(deal: Deal) -> NaiveDeal:
    """The same fresh deal before the other referee."""
    pack = [str(CARDS[card]) for card in deal.pack]
    return NaiveDeal(deal.ruleset.name, pack, deal.dealer, deal.ruleset.agreed_six)


def what_the_core_says(deal: Deal) -> dict[str, object]:
    result = deal.result
    return {
        "turn": deal.turn,
        "stage": deal.stage.name,
        "legal": [str(move) for move in deal.legal_moves()],
        "hands": [{str(card) for card in deal.hand(seat)} for seat in (0, 1)],
        "talon": [str(card) for card in deal.talon()],
        "closer": deal.closed_by,
        "strict": deal.strict,
        "led": None if deal.led is None else str(MOVES[deal.led]),
        "points": deal.points,
        "pending": deal.pending,
        "tricks": [
            (trick.leader, str(trick.lead), str(trick.reply), trick.winner) for trick in deal.tricks
        ],
        "result": result and (result.winner, result.game_points, result.end.value),
    }


def what_the_naive_referee_says(naive: NaiveDeal) -> dict[str, object]:
    plus = {True: "+", False: ""}
    stages = {"question": "QUESTION", "lead": "LEAD", "claim": "ANNOUNCED", "follow": "FOLLOW"}
    outcome = naive.outcome
    return {
        "turn": naive.turn,
        "stage": stages[naive.asked] if naive.asked else "OVER",
        "legal": naive.legal(),
        "hands": naive.hands,
        "talon": naive.talon,
        "closer": naive.closer,
        "strict": naive.strict(),
        "led": naive.led and naive.led + plus[naive.announced],
        "points": naive.points,
        "pending": naive.pending,
        "tricks": [
            (trick.leader, trick.led + plus[trick.announced], trick.reply, trick.winner)
            for trick in naive.tricks
        ],
        "result": outcome and (outcome.winner, outcome.pays, outcome.end),
    }


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_both_referees_agree_at_every_ply(rules: Ruleset) -> None:
    ends: Counter[DealEnd] = Counter()
    payments = set()
    plies = 0
    for seed in range(DEALS):
        rng = Random(f"{rules.name} {rules.agreed_six} {seed}")
        deal, players = random_deal(rules, rng)
        naive = second_opinion(deal)
        while deal.turn is not None:
            assert what_the_core_says(deal) == what_the_naive_referee_says(naive), f"seed {seed}"
            move = players[deal.turn].choose(deal)
            deal.play(move)
            naive.play(str(move))
        assert what_the_core_says(deal) == what_the_naive_referee_says(naive), f"seed {seed}"
        assert deal.result is not None
        assert deal.result.card_points == tuple(naive.points)
        plies += deal.ply
        ends[deal.result.end] += 1
        payments.add(deal.result.game_points)
    assert all(ends[DealEnd(end)] >= 10 for end in ENDS[rules.name]), ends
    assert payments - {0} == PAYMENTS[rules.name], "the players have not met every payment"
    assert plies >= 14 * DEALS
