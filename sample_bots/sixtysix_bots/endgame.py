"""Exact search of the strict phase, both hands known, in every rule set.

Nobody draws in the strict phase, so whoever knows the opponent's hand knows
everything; once the talon is used up both sides do. The search is alpha-beta
over tricks, with a table of the positions that it has seen. A value is the
game points that the deal pays one side, minus those that it pays the other,
if both play as well as can be.

Three things are left out since they never pay: a false claim, putting a good
one off, and (but see `leads`) leading from a marriage without announcing it.
"""

from __future__ import annotations

from functools import lru_cache

from sixtysix.rules import (
    CARDS,
    MOVES,
    WINNING_POINTS,
    Card,
    FailedClose,
    Ruleset,
    Tally,
    beats,
    cards_of,
    played_out,
)

__all__ = ["BEATEN_BY", "CARD_OF", "POINTS", "SUIT", "Endgame", "Side", "bits_of", "pairs_of"]

Side = tuple[int, int, int, int]
"""One side between two tricks: seat, hand as bits, credited card points, tricks or whether any."""

CARD_OF = tuple(-1 if move.card is None else int(move.card) for move in MOVES)
"""The card that each move lays on the table."""
POINTS = tuple(card.points for card in CARDS)
SUIT = tuple(0b111111 << card.suit * 6 for card in CARDS)
"""All cards of each card's suit, as bits."""
BEATEN_BY = tuple(
    tuple(sum(1 << reply for reply in CARDS if beats(reply, lead, trump)) for lead in CARDS)
    for trump in range(4)
)
"""The cards that take a trick, as bits, by trump suit and card led."""

_QUEENS = sum(1 << card for card in CARDS if str(card)[0] == "Q")
_LOW_POINTS, _HIGH_POINTS = (
    tuple(sum(card.points for card in cards_of(bits << shift)) for bits in range(1 << 12))
    for shift in (0, 12)
)
_LEAST, _MOST = -6, 6
"""No deal pays more than six."""


def bits_of(cards: tuple[Card, ...]) -> int:
    """A set of cards as bits."""
    return sum(1 << card for card in cards)


def pairs_of(hand: int) -> int:
    """The queens in a hand that lie with their kings, as bits."""
    return hand & hand >> 1 & _QUEENS


class Endgame:
    """The values of all strict positions of one deal.

    `closed_by` is the seat that closed the talon, `pending` by seat the
    marriage points that wait for a first trick. A position may not have 66 on
    both sides.
    """

    def __init__(
        self,
        rules: Ruleset,
        trump_suit: int,
        closed_by: int | None,
        pending: tuple[int, int] = (0, 0),
    ) -> None:
        self.rules = rules
        self.trumps = 0b111111 << trump_suit * 6
        self.closed_by = closed_by
        self.pending = pending
        self._beaten_by = BEATEN_BY[trump_suit]
        self._bounds: dict[tuple[Side, Side], tuple[int, int]] = {}
        self._payments: dict[tuple[int, int, int, int, int], int] = {}

    def value(self, me: Side, they: Side, alpha: int = _LEAST, beta: int = _MOST) -> int:
        """The value for `me`, who leads next; outside of alpha to beta only a bound on it."""
        if not me[1] or (me[2] >= WINNING_POINTS and self.rules.claims):
            return self.payment(me, they)
        low, high = self._bounds.get((me, they)) or (-self._most(they, me), self._most(me, they))
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best = _LEAST
        for move in self.leads(me):
            best = max(best, self.value_of_lead(me, they, move, max(alpha, best), beta))
            if best >= beta:
                break
        if best > alpha:
            low = best
        if best < beta:
            high = best
        self._bounds[me, they] = low, high
        return best

    def value_of_lead(
        self, me: Side, they: Side, move: int, alpha: int = _LEAST, beta: int = _MOST
    ) -> int:
        """The value for `me` of leading with `move`, a card or a marriage."""
        seat, hand, points, tricks = me
        card = CARD_OF[move]
        if move != card:
            points += 40 if self.trumps >> card & 1 else 20
        me = seat, hand ^ 1 << card, points, tricks
        if move != card and self.ends(points, they[2]):
            return self.payment(me, they)
        if they[2] >= WINNING_POINTS and self.rules.claims:
            return -self.payment(they, me)
        best = _MOST
        for reply in self.replies(they[1], card):
            value = self.value_of_reply(they, me, card, reply, -min(beta, best), -alpha)
            best = min(best, -value)
            if best <= alpha:
                break
        return best

    def value_of_reply(
        self, me: Side, they: Side, led: int, reply: int, alpha: int = _LEAST, beta: int = _MOST
    ) -> int:
        """The value for `me` of following with `reply` to `led`, which `they` have laid."""
        seat, hand, points, tricks = me
        hand ^= 1 << reply
        won = POINTS[led] + POINTS[reply]
        if not hand:
            won += self.rules.last_trick_bonus
        if self._beaten_by[led] >> reply & 1:
            points += won if tricks else won + self.pending[seat]
            me = seat, hand, points, 1
            if self.ends(points, they[2]):
                return self.payment(me, they)
            return self.value(me, they, alpha, beta)
        # Where points can be pending nobody closes, so a leader has a trick, and nothing pending.
        other, their_hand, their_points, _ = they
        their_points += won
        me, they = (seat, hand, points, tricks), (other, their_hand, their_points, 1)
        if self.ends(their_points, points):
            return -self.payment(they, me)
        return -self.value(they, me, -beta, -alpha)

    def leads(self, me: Side) -> tuple[int, ...]:
        """The moves that are worth leading.

        In played-out a side with fewer points is paid more when the other
        failed to close: then it may be right to keep a marriage to oneself.
        """
        seat, hand, _, _ = me
        modest = self.rules.failed_close is FailedClose.BY_OPPONENT and self.closed_by == 1 - seat
        return _leads(hand, self.trumps, modest)

    def replies(self, hand: int, led: int) -> tuple[int, ...]:
        """The cards that may follow to `led`."""
        return cards_of(hand & SUIT[led] or hand & self.trumps or hand)

    def ends(self, points: int, other_points: int) -> bool:
        """Whether a side that has just come to `points` ends the deal: it would claim at once."""
        return points >= WINNING_POINTS and (self.rules.claims or other_points >= WINNING_POINTS)

    def payment(self, last: Side, other: Side) -> int:
        """What the deal pays `last`, the side that was credited last, if it ends now."""
        seat, _, points, tricks = last
        _, _, other_points, other_tricks = other
        key = seat, points, tricks, other_points, other_tricks
        if key not in self._payments:
            first_to_66 = seat if other_points < WINNING_POINTS else 1 - seat
            tally = Tally(
                (points, other_points) if seat == 0 else (other_points, points),
                (tricks, other_tricks) if seat == 0 else (other_tricks, tricks),
                self.closed_by,
                first_to_66,
            )
            result = played_out(self.rules, tally, last_trick=seat)
            paid = result.game_points
            self._payments[key] = paid if result.winner == seat else -paid
        return self._payments[key]

    def _most(self, me: Side, they: Side) -> int:
        """A bound on what the deal can still pay `me`."""
        seat, hand, points, tricks = me
        if self.closed_by == they[0]:
            if self.rules.failed_close is FailedClose.BY_OPPONENT:
                return 3
        elif not self.rules.last_trick_decides:
            cards = hand | they[1]
            points += _LOW_POINTS[cards & 0xFFF] + _HIGH_POINTS[cards >> 12]
            points += self.rules.last_trick_bonus
            if pairs := pairs_of(hand):
                points += 20 * pairs.bit_count() + (20 if pairs & self.trumps else 0)
            if points < WINNING_POINTS:
                return 0
        return self.payment((seat, 0, WINNING_POINTS, tricks), they)


@lru_cache(1 << 14)
def _leads(hand: int, trumps: int, modest: bool) -> tuple[int, ...]:
    """Moves to lead, the most promising first: marriages, then trumps, then high cards."""
    marriages, paired = [], 0
    for queen in cards_of(pairs_of(hand)):
        paired |= 0b11 << queen
        marriages += [24 + 2 * queen.suit, 25 + 2 * queen.suit]
    cards = cards_of(hand if modest else hand & ~paired)
    return (*marriages, *sorted(cards, key=lambda card: (trumps >> card & 1, card.rank))[::-1])
