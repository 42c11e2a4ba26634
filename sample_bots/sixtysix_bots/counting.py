"""A bot that counts cards, imagines what it cannot see, and searches the end exactly.

While the talon is open it deals the unseen cards at random into a few dozen
worlds. In each it tries every move and plays the deal out by rules of thumb
for both sides; the move that pays best on average is made. Closing is one of
those moves, but before the talon is closed it must pay against the best play
too, in some of the same worlds.

Once suit must be followed it searches exactly: the one world that is left
when the talon is used up, or some of them when it was closed.

The worlds follow from a hash of the decision, so that the same view gets the
same move everywhere.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from sixtysix.rules import CLAIM, CLOSE, EXCHANGE, PASS, Card, Exchange, Move, View, cards_of
from sixtysix_bots.endgame import (
    BEATEN_BY,
    CARD_OF,
    POINTS,
    SUIT,
    Endgame,
    Side,
    bits_of,
    pairs_of,
)

version = "1"

WORLDS = 24
"""Worlds that are imagined while the talon is open: more play better, and take longer."""
CLOSED_WORLDS = 12
"""Worlds that are searched exactly when the talon is closed, which takes longer still."""


class World(NamedTuple):
    """One way in which the cards that are not seen may lie."""

    their_hand: int
    """The opponent's hand, as bits."""
    talon: tuple[Card, ...]
    """The talon in drawing order."""


def choose(view: View) -> Move:
    """Picks a move for this view."""
    for move in (CLAIM, EXCHANGE, PASS):
        if move in view.legal:
            return move
    moves = _worth_trying(view)
    if len(moves) == 1:
        return moves[0]
    if view.strict:
        return _search(view, moves)
    return _imagine(view, moves)


def _worth_trying(view: View) -> list[Move]:
    """The legal moves, but while it is not exact, none that keeps a marriage to itself."""
    if view.strict:
        return list(view.legal)
    announced = [move.card for move in view.legal if move.is_marriage]
    return [move for move in view.legal if move.is_marriage or move.card not in announced]


def _search(view: View, moves: list[Move]) -> Move:
    """The best move of the strict phase, exactly if the opponent's hand is known."""
    endgame = Endgame(view.ruleset, view.trump_suit, view.closed_by, view.pending)
    worlds = _worlds(view, CLOSED_WORLDS)
    values = dict.fromkeys(moves, 0)
    for world in worlds:
        me, they = _sides(view, world)
        for move in moves:
            if view.led_card is None:
                values[move] += endgame.value_of_lead(me, they, move)
            else:
                values[move] += endgame.value_of_reply(me, they, view.led_card, move)
    return _best(view, worlds[0], values)


def _imagine(view: View, moves: list[Move]) -> Move:
    """The best move while the talon is open: the best on average over imagined worlds."""
    worlds = _worlds(view, WORLDS)
    values = dict.fromkeys(moves, 0)
    table = _Table(view)
    for world in worlds:
        for move in moves:
            values[move] += table.value(world, move)
    best = _best(view, worlds[0], values)
    if best == CLOSE:
        del values[CLOSE]
        second = _best(view, worlds[0], values)
        if _value_of_closing(view, worlds) <= values[second] / len(worlds):
            return second
    return best


def _value_of_closing(view: View, worlds: list[World]) -> float:
    endgame = Endgame(view.ruleset, view.trump_suit, closed_by=view.seat)
    searched = worlds[:CLOSED_WORLDS]
    return sum(endgame.value(*_sides(view, world)) for world in searched) / len(searched)


def _best(view: View, world: World, values: dict[Move, int]) -> Move:
    """The move of the highest value; among equals the one that goes by the rules of thumb."""
    table = _Table(view)
    table.set_up(world)
    usual = table.usual_move()
    return max(values, key=lambda move: (values[move], move == usual))


# What cannot be seen.


def _worlds(view: View, count: int) -> list[World]:
    """Ways in which the unseen cards may lie; only one if the opponent's hand is known."""
    held = len(view.hand) - (view.led is not None)
    unknown = held - len(view.known)
    if unknown == len(view.unseen):
        return [World(bits_of(view.known + view.unseen), ())]
    last = () if view.trump_card is None else (view.trump_card,)
    worlds = []
    for number in range(count):
        cards = _shuffled(view, number)
        hand = bits_of((*view.known, *cards[:unknown]))
        worlds.append(World(hand, (*cards[unknown:], *last)))
    return worlds


def _shuffled(view: View, number: int) -> list[Card]:
    """The unseen cards in an order that is drawn from a hash of the decision and a number."""
    decision = f"{view.game} {view.deal} {view.ply} {view.seat} {number}"
    digest = blake2b(decision.encode()).digest()
    keys = (digest[place : place + 3] for place in range(0, len(digest), 3))
    return [card for _, card in sorted(zip(keys, view.unseen, strict=False))]


def _sides(view: View, world: World) -> tuple[Side, Side]:
    me, they = view.seat, view.opponent
    tricks = view.trick_counts
    return (
        (me, bits_of(view.hand), view.points[me], tricks[me]),
        (they, world.their_hand, view.points[they], tricks[they]),
    )


# Playing a world out.

_CHEAP_FIRST = tuple(
    (
        *(sum(1 << suit * 6 + rank for suit in range(4) if suit != trump) for rank in range(6)),
        *(1 << trump * 6 + rank for rank in range(6)),
    )
    for trump in range(4)
)
"""By trump suit: sets of cards, as bits, in the order in which one parts with them."""

_WORTH_A_TRUMP = 10
"""Card points led for which a trump is spent while the talon is open."""


class _Table:
    """The deal of a view, to be played on by rules of thumb in one world after the other."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules = view.ruleset
        self.trumps = 0b111111 << view.trump_suit * 6
        self.beaten_by = BEATEN_BY[view.trump_suit]
        self.cheap_first = _CHEAP_FIRST[view.trump_suit]
        self.as_it_is = Endgame(view.ruleset, view.trump_suit, view.closed_by)
        self.if_closed = Endgame(view.ruleset, view.trump_suit, view.seat)

    def value(self, world: World, move: int) -> int:
        """What the deal pays the seat of the view if it goes on with `move`."""
        self.set_up(world)
        if move == CLOSE:
            self.talon.clear()
            self.ending = self.if_closed
        else:
            self.play(move)
        while not self.over:
            self.play(self.usual_move())
        last = self.leader
        paid = self.ending.payment(self._side(last), self._side(1 - last))
        return paid if last == self.view.seat else -paid

    def set_up(self, world: World) -> None:
        """Goes back to the moment of the view, with the unseen cards as in `world`."""
        view = self.view
        self.hands = [world.their_hand, world.their_hand]
        self.hands[view.seat] = bits_of(view.hand)
        self.talon: list[int] = [] if view.strict else list(world.talon)
        self.points = list(view.points)
        self.pending = list(view.pending)
        self.tricks = list(view.trick_counts)
        self.leader = view.leader
        self.led: int | None = view.led_card
        self.ending = self.as_it_is
        self.over = False

    def usual_move(self) -> int:
        """What the seat on turn does by rules of thumb."""
        if self.led is None:
            return self._usual_lead(self.leader)
        return self._usual_reply(1 - self.leader, self.led)

    def play(self, move: int) -> None:
        """Leads with or follows with a card."""
        if self.led is None:
            self._lead(move)
        else:
            self._reply(self.led, move)

    def _lead(self, move: int) -> None:
        seat, card = self.leader, CARD_OF[move]
        self.hands[seat] ^= 1 << card
        self.led = card
        if move != card:
            points = 40 if self.trumps >> card & 1 else 20
            if self.rules.marriage_needs_trick and not self.tricks[seat]:
                self.pending[seat] += points
            else:
                self._credit(seat, points)

    def _reply(self, led: int, card: int) -> None:
        seat = 1 - self.leader
        self.hands[seat] ^= 1 << card
        self.led = None
        if self.beaten_by[led] >> card & 1:
            self.leader = seat
        winner = self.leader
        self.tricks[winner] += 1
        points = POINTS[led] + POINTS[card] + self.pending[winner]
        self.pending[winner] = 0
        if not self.hands[0]:
            points += self.rules.last_trick_bonus
            self.over = True
        self._credit(winner, points)
        if self.talon:
            first, second, *self.talon = self.talon
            self.hands[winner] |= 1 << first
            self.hands[1 - winner] |= 1 << second

    def _credit(self, seat: int, points: int) -> None:
        self.points[seat] += points
        if self.ending.ends(self.points[seat], self.points[1 - seat]):
            self.over = True

    def _side(self, seat: int) -> Side:
        return seat, self.hands[seat], self.points[seat], self.tricks[seat]

    def _usual_lead(self, seat: int) -> int:
        """Announces if it can. Then cheap cards first, or good ones in the strict phase."""
        self._exchange(seat)
        hand = self.hands[seat]
        if pairs := pairs_of(hand):
            queen = (pairs & self.trumps or pairs).bit_length() - 1
            return 24 + 2 * (queen // 6)
        if not self.talon:
            card = self._unbeatable(hand, self.hands[1 - seat])
            if card is not None:
                return card
        return self._cheapest(hand, hand)

    def _usual_reply(self, seat: int, led: int) -> int:
        """Takes the trick if that costs no trump or is worth one; else plays the cheapest card."""
        self._exchange(seat)
        hand = self.hands[seat]
        cards = hand
        if not self.talon:
            cards = hand & SUIT[led] or hand & self.trumps or hand
        takers = cards & self.beaten_by[led]
        plain = takers & ~self.trumps
        if plain:
            return plain.bit_length() - 1
        if takers and (not self.talon or POINTS[led] >= _WORTH_A_TRUMP):
            return (takers & -takers).bit_length() - 1
        return self._cheapest(cards, hand)

    def _exchange(self, seat: int) -> None:
        """Exchanges the trump nine if that is possible; nobody would not."""
        when = self.rules.exchange
        if when is Exchange.NEVER or not self.talon:
            return
        nine = self.trumps & -self.trumps
        tricks = sum(self.tricks) if when is Exchange.AFTER_FIRST_TRICK else self.tricks[seat]
        if tricks and self.hands[seat] & nine:
            self.hands[seat] ^= nine | 1 << self.talon[-1]
            self.talon[-1] = nine.bit_length() - 1

    def _cheapest(self, cards: int, hand: int) -> int:
        """The card of `cards` that one parts with most easily, marriages last."""
        pairs = pairs_of(hand)
        cards = cards & ~(pairs | pairs << 1) or cards
        for same in self.cheap_first:
            if found := cards & same:
                return found.bit_length() - 1
        raise AssertionError("there is a card to play")

    def _unbeatable(self, hand: int, other: int) -> int | None:
        """The dearest card of a hand that the other hand cannot take, if there is one."""
        for same in reversed(self.cheap_first):
            for card in cards_of(hand & same):
                replies = other & SUIT[card] or other & self.trumps or other
                if not replies & self.beaten_by[card]:
                    return card
        return None
