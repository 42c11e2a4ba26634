"""A second referee, naive and slow, written from the rules alone to check the first.

Cards and moves are text ("TH", "QH+", "close"), sets are sets, nothing is
precomputed. It shares no code and no data with `sixtysix.rules`.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

STRENGTH = ["9", "J", "Q", "K", "T", "A"]
WORTH = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
SUITS = ["C", "D", "H", "S"]

SMALLEST_TALON_TO_CLOSE = {"classic": 5, "doubling": 2, "played-out": 3}
HAS_CLAIMS = {"classic", "doubling", "last-trick"}
HAS_BONUS = {"classic", "doubling"}


class NotAllowed(Exception):
    """The move is not among the legal ones."""


@dataclass
class Outcome:
    """Who won, what he is paid, and the word for how it ended."""

    winner: int | None
    pays: int
    end: str


@dataclass
class NaiveTrick:
    """A complete trick."""

    leader: int
    led: str
    announced: bool
    reply: str
    winner: int


def suit_of(card: str) -> str:
    return card[1]


def worth(card: str) -> int:
    return WORTH[card[0]]


def in_order(moves: set[str]) -> list[str]:
    """Moves in the order of their published codes."""
    codes = [rank + suit for suit in SUITS for rank in STRENGTH]
    codes += [rank + suit + "+" for suit in SUITS for rank in ("Q", "K")]
    codes += ["exchange", "close", "claim", "pass"]
    assert moves <= set(codes)
    return [move for move in codes if move in moves]


@dataclass
class NaiveDeal:
    """One deal, decision by decision.

    `asked` is what is to be decided: "question" (close before the opponent's
    lead), "lead", "claim" (after an announced marriage) or "follow".
    """

    rules: str
    pack: list[str]
    dealer: int
    agreed_six: bool = False

    hands: list[set[str]] = field(default_factory=lambda: [set(), set()])
    talon: list[str] = field(default_factory=list)
    trump: str = ""
    closer: int | None = None
    leader: int = 0
    led: str | None = None
    announced: bool = False
    asked: str | None = None
    turn: int | None = None
    points: list[int] = field(default_factory=lambda: [0, 0])
    pending: list[int] = field(default_factory=lambda: [0, 0])
    tricks: list[NaiveTrick] = field(default_factory=list)
    in_order_of_66: list[int] = field(default_factory=list)
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        forehand = 1 - self.dealer
        pack = list(self.pack)
        for _ in range(6):
            self.hands[forehand].add(pack.pop(0))
            self.hands[self.dealer].add(pack.pop(0))
        trump_card = pack.pop(0)
        self.talon = [*pack, trump_card]
        self.trump = suit_of(trump_card)
        self._new_trick(forehand)

    # What may be done

    def legal(self) -> list[str]:
        """Every legal move, claims included, by code."""
        if self.turn is None:
            return []
        if self.asked == "question":
            moves = {"close", "pass"}
        elif self.asked == "claim":
            moves = {"pass"}
        elif self.asked == "lead":
            moves = self._leads()
        else:
            moves = self._replies()
        if self.rules in HAS_CLAIMS:
            moves.add("claim")
        if self.asked in ("lead", "follow") and self._may_exchange(self.turn):
            moves.add("exchange")
        return in_order(moves)

    def strict(self) -> bool:
        return self.closer is not None or not self.talon

    def tricks_of(self, seat: int) -> int:
        return len([trick for trick in self.tricks if trick.winner == seat])

    def _leads(self) -> set[str]:
        assert self.turn is not None
        hand = self.hands[self.turn]
        moves = set(hand)
        for suit in SUITS:
            if {"K" + suit, "Q" + suit} <= hand:
                moves |= {"K" + suit + "+", "Q" + suit + "+"}
        if self._may_close():
            moves.add("close")
        return moves

    def _replies(self) -> set[str]:
        assert self.turn is not None
        assert self.led is not None
        hand = self.hands[self.turn]
        if not self.strict():
            return set(hand)
        same_suit = {card for card in hand if suit_of(card) == suit_of(self.led)}
        trumps = {card for card in hand if suit_of(card) == self.trump}
        return same_suit or trumps or set(hand)

    def _may_close(self) -> bool:
        if self.strict() or self.rules == "last-trick":
            return False
        if self.rules == "played-out" and not self.tricks:
            return False
        return len(self.talon) >= SMALLEST_TALON_TO_CLOSE[self.rules]

    def _may_exchange(self, seat: int) -> bool:
        if self.strict() or "9" + self.trump not in self.hands[seat]:
            return False
        if self.rules == "doubling":
            return len(self.tricks) >= 1
        if self.rules == "last-trick":
            return self.tricks_of(seat) >= 1
        return False

    # Doing it

    def play(self, move: str) -> None:
        if move not in self.legal():
            raise NotAllowed(move)
        assert self.turn is not None
        if move == "exchange":
            nine, trump_card = "9" + self.trump, self.talon[-1]
            self.hands[self.turn].remove(nine)
            self.hands[self.turn].add(trump_card)
            self.talon[-1] = nine
        elif move == "claim":
            self.judge_claim(self.turn)
        elif self.asked == "question":
            if move == "close":
                self.closer = self.turn
            self.turn, self.asked = self.leader, "lead"
        elif move == "close":
            self.closer = self.turn
        elif self.asked == "claim":
            self.turn, self.asked = 1 - self.leader, "follow"
        elif self.asked == "lead":
            self._lead(move)
        else:
            self._follow(move)

    def _new_trick(self, leader: int) -> None:
        self.leader, self.led, self.announced = leader, None, False
        self.turn, self.asked = leader, "lead"
        if self.rules == "classic" and self._may_close():
            self.turn, self.asked = 1 - leader, "question"

    def _lead(self, move: str) -> None:
        leader = self.leader
        self.led, self.announced = move.removesuffix("+"), move.endswith("+")
        self.hands[leader].remove(self.led)
        self.turn, self.asked = 1 - leader, "follow"
        if self.announced:
            gain = 40 if suit_of(self.led) == self.trump else 20
            if self.rules == "last-trick" and self.tricks_of(leader) == 0:
                self.pending[leader] += gain
            else:
                self._credit(leader, gain)
            if self.outcome is None and self.rules in HAS_CLAIMS and self.points[leader] >= 66:
                self.turn, self.asked = leader, "claim"

    def _follow(self, reply: str) -> None:
        assert self.led is not None
        follower = 1 - self.leader
        self.hands[follower].remove(reply)
        winner = follower if self._takes(reply, self.led) else self.leader
        self.tricks.append(NaiveTrick(self.leader, self.led, self.announced, reply, winner))
        gain = worth(self.led) + worth(reply)
        self.led = None
        if not self.hands[follower] and self.rules in HAS_BONUS:
            gain += 10
        self._credit(winner, gain)
        if self.pending[winner]:
            gain, self.pending[winner] = self.pending[winner], 0
            self._credit(winner, gain)
        if self.outcome is not None:
            return
        if not self.hands[follower]:
            self.count(winner)
            return
        if not self.strict():
            self.hands[winner].add(self.talon.pop(0))
            self.hands[1 - winner].add(self.talon.pop(0))
        self._new_trick(winner)

    def _takes(self, reply: str, led: str) -> bool:
        if suit_of(reply) == suit_of(led):
            return STRENGTH.index(reply[0]) > STRENGTH.index(led[0])
        return suit_of(reply) == self.trump

    def _credit(self, seat: int, gain: int) -> None:
        self.points[seat] += gain
        if self.points[seat] >= 66 and seat not in self.in_order_of_66:
            self.in_order_of_66.append(seat)
        if self.rules == "classic" and len(self.in_order_of_66) == 2:
            self._end(None, 0, "drawn-both-66")

    # What it pays

    def _end(self, winner: int | None, pays: int, end: str) -> None:
        self.outcome = Outcome(winner, pays, end)
        self.turn = self.asked = None

    def judge_claim(self, claimer: int) -> None:
        other = 1 - claimer
        if self.points[claimer] < 66:
            pays = 3
            if self.closer == claimer:
                pays = max(3, self._price_of_failed_close())
            self._end(other, pays, "false-claim")
        elif self.points[other] >= 66 and self.rules == "doubling":
            self._end(self.in_order_of_66[0], 1, "first-to-66")
        elif self.closer == other and self.points[other] < 66:
            self._end(claimer, self._price_of_failed_close(), "failed-close")
        else:
            self._end(claimer, self._ordinary_count(claimer), "claim")

    def count(self, winner_of_last_trick: int) -> None:
        """The hands are empty; what ended at once in classic never comes here."""
        winners = [seat for seat in (0, 1) if self.points[seat] >= 66]
        if self.closer is not None and self.closer not in winners:
            self._end(1 - self.closer, self._price_of_failed_close(), "failed-close")
        elif len(winners) == 1:
            self._end(winners[0], self._ordinary_count(winners[0]), "counted")
        elif self.rules == "last-trick":
            self._end(winner_of_last_trick, 1, "last-trick")
        elif not winners:
            self._end(None, 0, "drawn-neither-66")
        elif self.rules == "doubling":
            self._end(self.in_order_of_66[0], 1, "first-to-66")
        else:
            self._end(None, 0, "drawn-both-66")

    def _ordinary_count(self, winner: int) -> int:
        loser = 1 - winner
        if self.rules in ("played-out", "last-trick"):
            none = self.tricks_of(loser) == 0
        else:
            none = self.points[loser] == 0
        if none:
            return 3
        return 1 if self.points[loser] >= 33 else 2

    def _price_of_failed_close(self) -> int:
        assert self.closer is not None
        closer, other = self.closer, 1 - self.closer
        points = self.points[closer]
        if self.rules == "classic":
            return 4 if points == 0 else 3 if points < 33 else 2
        if self.rules == "doubling":
            if self.tricks_of(closer) == 0 or points == 0:
                return 6
            if self.agreed_six and self.tricks_of(other) == 0:
                return 6
            return 4 if points < 33 else 2
        if self.tricks_of(other) == 0:
            price = 3
        elif self.points[other] < 33:
            price = 2
        else:
            price = 1
        if self.points[other] >= 66:
            price = max(price, self._ordinary_count(other))
        return price

    def copy(self) -> NaiveDeal:
        """An independent deal in the same state."""
        twin = copy.copy(self)
        twin.hands = [set(hand) for hand in self.hands]
        twin.talon = list(self.talon)
        twin.points, twin.pending = list(self.points), list(self.pending)
        twin.tricks, twin.in_order_of_66 = list(self.tricks), list(self.in_order_of_66)
        return twin
