"""The exact search against plain minimax over the rules, which knows no shortcuts."""

from __future__ import annotations

from random import Random

import pytest
from rules.players import ALL_RULES, name_of, random_pack

from sixtysix.rules import (
    CLAIM,
    MOVES,
    RULESETS,
    Deal,
    Move,
    Ruleset,
    Stage,
    parse_cards,
    parse_move,
)
from sixtysix_bots import counting
from sixtysix_bots.endgame import Endgame, Side, bits_of

SEED = 66
WON = 66


def minimax(deal: Deal, seat: int) -> int:
    """What the deal pays `seat`, both playing as well as can be; every legal move is tried."""
    if deal.result is not None:
        winner, points = deal.result.winner, deal.result.game_points
        return 0 if winner is None else points if winner == seat else -points
    values = []
    for move in deal.legal_moves():
        after = deal.copy()
        after.play(move)
        values.append(minimax(after, seat))
    return max(values) if deal.turn == seat else min(values)


def strict_deals(rules: Ruleset, rng: Random, hand_size: int, count: int) -> list[Deal]:
    """Deals in the strict phase in which the seat on turn, about to lay a card, holds so many."""
    found: list[Deal] = []
    while len(found) < count:
        deal = Deal(rules, random_pack(rng), rng.randrange(2))
        styles = rng.choices(STYLES, k=2)
        while deal.turn is not None and not _is_endgame(deal, hand_size):
            moves = [move for move in deal.legal_moves() if move != CLAIM]
            deal.play(styles[deal.turn](moves, rng))
        if deal.turn is not None and min(deal.points) < WON:
            found.append(deal)
    return found


def at_random(moves: list[Move], rng: Random) -> Move:
    return rng.choice(moves)


def announcing(moves: list[Move], rng: Random) -> Move:
    """Announces at once, and loses tricks."""
    return max(moves, key=lambda move: (move.is_marriage, -_rank(move)))


def saving(moves: list[Move], rng: Random) -> Move:
    """Keeps kings and queens for the end."""
    return min(moves, key=lambda move: (_rank(move) in (2, 3), rng.random()))


def _rank(move: Move) -> int:
    return -1 if move.card is None else move.card.rank


STYLES = (at_random, announcing, saving)
"""Ways to come to an endgame, so that marriages are still held or still wait for a trick."""


def _is_endgame(deal: Deal, hand_size: int) -> bool:
    assert deal.turn is not None
    return (
        deal.strict
        and deal.stage in (Stage.LEAD, Stage.FOLLOW)
        and len(deal.hand(deal.turn)) == hand_size
    )


def side(deal: Deal, seat: int) -> Side:
    return seat, bits_of(deal.hand(seat)), deal.points[seat], deal.trick_counts[seat]


def searched(deal: Deal) -> int:
    """The value for the seat on turn."""
    assert deal.turn is not None
    me, they = side(deal, deal.turn), side(deal, 1 - deal.turn)
    pending = deal.pending[0], deal.pending[1]
    endgame = Endgame(deal.ruleset, deal.trump_suit, deal.closed_by, pending)
    if deal.stage is Stage.LEAD:
        return endgame.value(me, they)
    if CLAIM in deal.legal_moves() and deal.points[deal.turn] >= WON:
        return endgame.payment(me, they)
    assert deal.led is not None
    led = MOVES[deal.led].card
    assert led is not None
    replies = [move for move in deal.legal_moves() if move != CLAIM]
    return max(endgame.value_of_reply(me, they, led, reply) for reply in replies)


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
@pytest.mark.parametrize(("hand_size", "count"), [(1, 60), (2, 300), (3, 250), (4, 12)])
def test_the_search_finds_the_value_of_the_game(rules: Ruleset, hand_size: int, count: int) -> None:
    rng = Random(f"{SEED} {rules.name} {hand_size}")
    values = set()
    for deal in strict_deals(rules, rng, hand_size, count):
        assert deal.turn is not None
        value = minimax(deal, deal.turn)
        assert searched(deal) == value, (SEED, deal.pack, deal.dealer, deal.moves)
        values.add(value)
    assert len(values) > 2


def test_pending_points_come_with_the_first_trick() -> None:
    # Spades are trumps. The nine of clubs must go to the ace, so that the last trick is won; the
    # loser then has the ace and what was pending, which makes half of 66 or not.
    me = 1, bits_of(parse_cards("AS 9C")), 50, 3
    they = 0, bits_of(parse_cards("AC 9D")), 0, 0
    for pending, value in ((40, 1), (20, 2), (0, 2)):
        endgame = Endgame(RULESETS["last-trick"], 3, None, pending=(pending, 0))
        assert endgame.value(me, they) == value
        assert endgame.value_of_lead(me, they, parse_move("AS")) == -1
        assert endgame.value_of_lead(me, they, parse_move("9C")) == value


def test_both_have_66() -> None:
    last, other = (0, 0, 70, 3), (1, 0, 68, 3)
    paid = {name: Endgame(rules, 3, None).payment(last, other) for name, rules in RULESETS.items()}
    assert paid == {"classic": 0, "doubling": -1, "played-out": 0, "last-trick": 1}


def test_a_trump_marriage_can_still_come() -> None:
    me = 0, bits_of(parse_cards("QS KS")), 20, 1
    they = 1, bits_of(parse_cards("9C 9D")), 50, 1
    assert Endgame(RULESETS["classic"], 3, None).value(me, they) == 1
    assert Endgame(RULESETS["classic"], 2, None).value(me, they) == 0


def test_a_marriage_is_kept_back_if_fewer_points_are_paid_more() -> None:
    # In played-out the opponent of a failed closer is paid 2 below 33 points, and 1 above.
    rules = ALL_RULES[2]
    assert rules.name == "played-out"
    rng = Random(SEED)
    kept = 0
    for deal in strict_deals(rules, rng, 3, 400):
        seat = deal.turn
        if deal.stage is not Stage.LEAD or seat is None or deal.closed_by != 1 - seat:
            continue
        me, they = side(deal, seat), side(deal, 1 - seat)
        endgame = Endgame(rules, deal.trump_suit, deal.closed_by)
        values = {move: endgame.value_of_lead(me, they, move) for move in deal.legal_moves()}
        marriages = [value for move, value in values.items() if move.is_marriage]
        kept += bool(marriages) and max(marriages) < max(values.values())
        assert max(values.values()) == minimax(deal, seat)
    assert kept


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_counting_plays_the_end_without_a_mistake(rules: Ruleset) -> None:
    rng = Random(f"{SEED} {rules.name}")
    for deal in strict_deals(rules, rng, 3, 60):
        seat = deal.turn
        assert seat is not None
        view = deal.view(seat)
        if view.closed_by is not None or len(view.legal) == 1:
            continue
        after = deal.copy()
        after.play(counting.choose(view))
        assert minimax(after, seat) == minimax(deal, seat), (SEED, deal.pack, deal.moves)
