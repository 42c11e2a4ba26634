"""What holds in any play of any deal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules.diagrams import everything
from rules.players import ALL_RULES, name_of

from sixtysix.rules import CLAIM, Deal, IllegalMove, Ruleset, cards_of

LONGEST_DEAL = 24 + 4 + 4 + 1 + 1
"""Cards, answers before a lead, answers after a marriage, an exchange and a closing."""

every_ruleset = pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
packs = st.permutations(range(24))
seats = st.sampled_from([0, 1])
choices = st.lists(st.integers(0, 1000), min_size=LONGEST_DEAL, max_size=LONGEST_DEAL)
in_moderation = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def positions(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int], *, claims: bool = False
) -> Iterator[Deal]:
    """The deal before each move of a random play, and at its end: always the same object."""
    deal = Deal(rules, pack, dealer)
    for number in numbers:
        yield deal
        if deal.turn is None:
            return
        legal = [move for move in deal.legal_moves() if claims or move != CLAIM]
        deal.play(legal[number % len(legal)])
    yield deal


@every_ruleset
@in_moderation
@given(pack=packs, dealer=seats, numbers=choices)
def test_value_10_each_card_is_in_one_place_and_there_are_120_points(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int]
) -> None:
    for deal in positions(rules, pack, dealer, numbers):
        table = [] if (led := deal.view(0).led_card) is None else [led]
        in_tricks = [card for trick in deal.tricks for card in (trick.lead_card, trick.reply)]
        places = [*deal.hand(0), *deal.hand(1), *deal.talon(), *table, *in_tricks]
        assert sorted(places) == list(range(24))
        assert len(deal.talon()) == deal.talon_count
        assert sum(card.points for card in places) == 120
        taken = [0, 0]
        for trick in deal.tricks:
            taken[trick.winner] += trick.points
        announced = sum(deal.points) + sum(deal.pending) - sum(taken)
        bonus = rules.last_trick_bonus if not deal.hand(0) and not deal.hand(1) else 0
        assert (announced - bonus) % 20 == 0
        assert 0 <= announced - bonus <= 100
        assert all(credited >= cards for credited, cards in zip(deal.points, taken, strict=True))


@every_ruleset
@in_moderation
@given(pack=packs, dealer=seats, numbers=choices, claims=st.booleans())
def test_a_deal_goes_on_until_it_ends(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int], claims: bool
) -> None:
    for deal in positions(rules, pack, dealer, numbers, claims=claims):
        legal = deal.legal_moves()
        assert list(legal) == sorted(set(legal))
        assert (deal.turn is None) == (deal.result is not None) == (not legal)
        last = deal
    assert last.result is not None
    assert last.ply <= LONGEST_DEAL
    assert last.result.card_points == tuple(last.points)
    assert (last.result.winner is None) == (last.result.game_points == 0)


@every_ruleset
@in_moderation
@given(pack=packs, dealer=seats, numbers=choices)
def test_a_view_offers_what_is_legal_without_a_false_claim(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int]
) -> None:
    for deal in positions(rules, pack, dealer, numbers):
        for seat in (0, 1):
            if seat != deal.turn:
                assert deal.view(seat).legal == ()
                continue
            claim_is_false = deal.points[seat] < 66
            offered = tuple(
                move for move in deal.legal_moves() if not (move == CLAIM and claim_is_false)
            )
            assert deal.view(seat).legal == offered
            assert offered


@every_ruleset
@in_moderation
@given(pack=packs, dealer=seats, numbers=choices)
def test_a_view_divides_the_pack_into_seen_and_unseen(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int]
) -> None:
    for deal in positions(rules, pack, dealer, numbers):
        for seat in (0, 1):
            view = deal.view(seat)
            assert view.hand == deal.hand(seat)
            assert set(view.known) <= set(deal.hand(1 - seat))
            hidden = set(deal.hand(1 - seat)) - set(view.known)
            hidden |= set(deal.talon()) - {view.trump_card}
            assert set(view.unseen) == hidden
            assert list(view.unseen) == sorted(hidden)
            assert view.trick_counts == tuple(deal.trick_counts)
            assert view.strict == deal.strict


@every_ruleset
@in_moderation
@given(pack=packs, dealer=seats, numbers=choices, stop=st.integers(0, LONGEST_DEAL))
def test_illegal_moves_change_nothing(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int], stop: int
) -> None:
    for deal in positions(rules, pack, dealer, numbers[:stop]):
        last = deal
    before = everything(last)
    for code in range(-2, 40):
        if code not in last.legal_moves():
            with pytest.raises(IllegalMove):
                last.play(code)
            assert everything(last) == before


@every_ruleset
@in_moderation
@given(pack=packs, dealer=seats, numbers=choices, stop=st.integers(0, LONGEST_DEAL))
def test_a_copy_is_equal_and_independent(
    rules: Ruleset, pack: list[int], dealer: int, numbers: list[int], stop: int
) -> None:
    for deal in positions(rules, pack, dealer, numbers[:stop]):
        last = deal
    before = everything(last)
    copy = last.copy()
    assert everything(copy) == before
    for number in numbers:
        if copy.turn is None:
            break
        legal = copy.legal_moves()
        copy.play(legal[number % len(legal)])
    assert everything(last) == before
    assert copy.moves[: last.ply] == last.moves
    if last.turn is not None:
        after = everything(copy)
        last.play(last.legal_moves()[0])
        assert everything(copy) == after


@settings(deadline=None)
@given(bits=st.integers(0, (1 << 24) - 1))
def test_cards_of_a_set(bits: int) -> None:
    cards = cards_of(bits)
    assert list(cards) == sorted(set(cards))
    assert sum(1 << card for card in cards) == bits
