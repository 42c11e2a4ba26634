"""The moves that the referee makes itself: exactly those where a bot had nothing to decide."""

from __future__ import annotations

from random import Random

import pytest

from sixtysix.forced import forced_move
from sixtysix.rules import CLAIM, PASS, RULESETS, Deal, Stage, parse_cards, parse_move

SEED = 66
DEALS = 150


def random_deal(name: str, rng: Random) -> Deal:
    return Deal(RULESETS[name], rng.sample(range(24), 24), rng.randrange(2))


@pytest.mark.parametrize("name", RULESETS)
def test_a_move_is_forced_where_the_view_offers_no_other(name: str) -> None:
    rng = Random(SEED)
    forced_count = 0
    for _ in range(DEALS):
        deal = random_deal(name, rng)
        while deal.turn is not None:
            offered = deal.view(deal.turn).legal
            forced = forced_move(deal, wants_question=True)
            assert forced == (offered[0] if len(offered) == 1 else None), (SEED, deal.moves)
            forced_count += forced is not None
            deal.play(rng.choice(offered))
        assert forced_move(deal, wants_question=True) is None
    assert forced_count > DEALS


@pytest.mark.parametrize("name", RULESETS)
def test_the_question_alone_depends_on_who_asked_for_it(name: str) -> None:
    rng = Random(SEED)
    question_count = 0
    for _ in range(DEALS):
        deal = random_deal(name, rng)
        while deal.turn is not None:
            expected = forced_move(deal, wants_question=True)
            if deal.stage is Stage.QUESTION:
                assert expected is None
                expected = PASS
                question_count += 1
            assert forced_move(deal, wants_question=False) == expected, (SEED, deal.moves)
            deal.play(rng.choice(deal.view(deal.turn).legal))
    assert bool(question_count) == (name == "classic")


def test_the_question_is_passed_even_with_a_good_claim() -> None:
    hands = parse_cards("QS KS QH KH 9D AS"), parse_cards("9C 9H AD JC QC KC")
    dealt = [card for pair in zip(*hands, strict=True) for card in pair]
    trump, *talon = parse_cards("9S TC AC JD QD KD TD JH TH AH JS TS")
    deal = Deal(RULESETS["classic"], [*dealt, trump, *talon], dealer=1)
    for move in ("pass", "QS+", "9C", "pass", "QH+", "9H", "pass", "9D", "AD"):
        deal.play(parse_move(move))
    assert (deal.turn, deal.stage, deal.points[0]) == (0, Stage.QUESTION, 66)
    assert CLAIM in deal.legal_moves()
    assert forced_move(deal, wants_question=True) is None
    assert forced_move(deal, wants_question=False) == PASS
