"""One deal: from the pack to its result, move by move.

A deal always waits for one kind of decision, its stage. Most decisions lay a
card; the others are the follower's question before a lead (classic §13) and
the leader's claim after a marriage. Sets of cards and moves are bits inside;
see `cards` and `moves`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sixtysix.rules.cards import (
    CARD_POINTS,
    CARDS,
    NINE,
    SUIT_CARDS,
    Card,
    cards_of,
)
from sixtysix.rules.errors import IllegalMove
from sixtysix.rules.illegal import why_illegal
from sixtysix.rules.moves import (
    CLAIM,
    CLAIM_BIT,
    CLOSE,
    CLOSE_BIT,
    EXCHANGE,
    EXCHANGE_BIT,
    MARRIAGE,
    MOVE_COUNT,
    MOVES,
    PASS_BIT,
    Move,
    marriage_leads,
    moves_of,
)
from sixtysix.rules.ruleset import WINNING_POINTS, Both66, Exchange, Ruleset
from sixtysix.rules.scoring import DealResult, Tally, claimed, drawn_at_once, played_out
from sixtysix.rules.stage import Stage
from sixtysix.rules.view import Trick, View, lead_card, trick

__all__ = ["Deal"]

PACK_SIZE = 24
_TRUMP_PLACE = 12
_FIRST_DRAW = 13


class Deal:
    """A deal in progress.

    `pack` is 24 card indices in dealing order: places 0, 2, ..., 10 go to
    forehand, 1, 3, ..., 11 to the dealer, 12 is the trump card, and 13 to 23
    are drawn in that order, the trump card last.
    """

    __slots__ = (
        "_draws",
        "_first_to_66",
        "_hands",
        "_legal",
        "_shown",
        "closed_by",
        "dealer",
        "exchanged_by",
        "exchanged_card",
        "leader",
        "led",
        "moves",
        "pack",
        "pending",
        "points",
        "result",
        "ruleset",
        "stage",
        "trick_counts",
        "tricks",
        "trump_card",
        "trump_suit",
        "turn",
    )

    def __init__(self, ruleset: Ruleset, pack: Sequence[int], dealer: int) -> None:
        """Deals `pack`. Raises ValueError unless it holds each card once and dealer is 0 or 1."""
        if sorted(pack) != list(range(PACK_SIZE)):
            raise ValueError(f"a pack holds each of the cards 0 to 23 once, not {list(pack)}")
        if dealer not in (0, 1):
            raise ValueError(f"the dealer is seat 0 or 1, not {dealer}")
        forehand = 1 - dealer
        self.ruleset = ruleset
        self.pack = tuple(pack)
        self.dealer = dealer
        self.turn: int | None = forehand
        self.stage = Stage.LEAD
        self.leader = forehand
        self.led: int | None = None
        """The leader's move of the present trick, as its code."""
        self.closed_by: int | None = None
        self.trump_card: int | None = self.pack[_TRUMP_PLACE]
        self.trump_suit = self.pack[_TRUMP_PLACE] // 6
        self.exchanged_by: int | None = None
        self.exchanged_card: int | None = None
        self.points = [0, 0]
        self.pending = [0, 0]
        self.trick_counts = [0, 0]
        self.tricks: list[Trick] = []
        self.moves: list[int] = []
        self.result: DealResult | None = None
        self._hands = [0, 0]
        for place in range(_TRUMP_PLACE):
            self._hands[forehand if place % 2 == 0 else dealer] |= 1 << self.pack[place]
        self._draws = 0
        self._shown = [0, 0]
        self._first_to_66: int | None = None
        self._legal = 0
        self._begin_trick()

    # What anybody who knows the whole deal may ask.

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    @property
    def talon_count(self) -> int:
        """Cards in the talon, the trump card included."""
        return 12 - self._draws

    @property
    def strict(self) -> bool:
        """Whether suit must be followed: the talon is closed or used up."""
        return self.closed_by is not None or self._draws == 12

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards that `seat` holds, ascending."""
        return cards_of(self._hands[seat])

    def talon(self) -> tuple[Card, ...]:
        """The cards of the talon in drawing order, the trump card last."""
        if self.trump_card is None:
            return ()
        rest = self.pack[_FIRST_DRAW + self._draws :]
        return (*(CARDS[card] for card in rest), CARDS[self.trump_card])

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move of the seat on turn, ascending; empty when the deal is over.

        A claim is listed wherever the rule set has claims, even one that would be false.
        """
        return moves_of(self._legal)

    def view(
        self,
        seat: int,
        *,
        game: str = "",
        deal: int = 0,
        score: tuple[int, int] = (0, 0),
        move_ms: int | None = None,
        game_ms: int | None = None,
    ) -> View:
        """All that `seat` may know now, and nothing else.

        The keyword arguments are passed through: what an arena knows of the
        game around this deal.
        """
        legal = 0
        if seat == self.turn:
            legal = self._legal if self._may_claim() else self._legal & ~CLAIM_BIT
        return View(
            self.ruleset,
            seat,
            self.dealer,
            len(self.moves),
            cards_of(self._hands[seat]),
            self.trump_suit,
            None if self.trump_card is None else CARDS[self.trump_card],
            12 - self._draws,
            self.closed_by,
            self.leader,
            None if self.led is None else MOVES[self.led],
            (self.points[0], self.points[1]),
            (self.pending[0], self.pending[1]),
            tuple(self.tricks),
            cards_of(self._shown[1 - seat]),
            self.exchanged_by,
            None if self.exchanged_card is None else CARDS[self.exchanged_card],
            moves_of(legal),
            game,
            deal,
            score,
            move_ms,
            game_ms,
        )

    def copy(self) -> Deal:
        """An independent deal in the same state."""
        twin = Deal.__new__(Deal)
        for name in Deal.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if type(value) is list else value)
        return twin

    # Making moves.

    def play(self, code: int) -> None:
        """Makes a move for the seat on turn.

        Raises IllegalMove, with the deal unchanged, if the rules do not allow it.
        """
        if not 0 <= code < MOVE_COUNT or not self._legal >> code & 1:
            raise self._illegal(code)
        self.moves.append(int(code))
        stage = self.stage
        if code < EXCHANGE:
            if stage is Stage.FOLLOW:
                self._follow(code)
            else:
                self._lead(code)
        elif code == EXCHANGE:
            self._exchange()
        elif code == CLOSE:
            self._close()
        elif code == CLAIM:
            assert self.turn is not None
            self._end(claimed(self.ruleset, self._tally(), self.turn))
        elif stage is Stage.QUESTION:
            self._wait_for(self.leader, Stage.LEAD)
        else:
            self._wait_for(1 - self.leader, Stage.FOLLOW)

    def _begin_trick(self) -> None:
        """Waits for the first decision of a trick, or counts the deal if the hands are empty."""
        if not self._hands[0]:
            self._end(played_out(self.ruleset, self._tally(), self.leader))
        elif self.ruleset.close_before_opponents_lead and self._may_close():
            self._wait_for(1 - self.leader, Stage.QUESTION)
        else:
            self._wait_for(self.leader, Stage.LEAD)

    def _exchange(self) -> None:
        seat = self.turn
        assert seat is not None
        assert self.trump_card is not None
        taken, nine = self.trump_card, self.trump_suit * 6 + NINE
        self._hands[seat] ^= 1 << nine | 1 << taken
        self._shown[seat] |= 1 << taken
        self.trump_card = nine
        self.exchanged_by = seat
        self.exchanged_card = taken
        self._wait_for(seat, self.stage)

    def _close(self) -> None:
        self.closed_by = self.turn
        self._wait_for(self.leader, Stage.LEAD)

    def _lead(self, code: int) -> None:
        seat = self.leader
        card = lead_card(code)
        self._lay(seat, card)
        self.led = code
        if code >= MARRIAGE:
            partner = card ^ 1  # queen and king of a suit differ in the lowest bit
            self._shown[seat] |= 1 << partner & self._hands[seat]
            points = 40 if card // 6 == self.trump_suit else 20
            if self.ruleset.marriage_needs_trick and not self.trick_counts[seat]:
                self.pending[seat] += points
            elif self._credit(seat, points):
                return
            if self.ruleset.claims and self.points[seat] >= WINNING_POINTS:
                self._wait_for(seat, Stage.ANNOUNCED)
                return
        self._wait_for(1 - seat, Stage.FOLLOW)

    def _follow(self, card: int) -> None:
        leader, led = self.leader, self.led
        assert led is not None
        self._lay(1 - leader, card)
        done = trick(leader, led, card, self.trump_suit)
        winner = done.winner
        self.tricks.append(done)
        self.trick_counts[winner] += 1
        self.led = None
        self.leader = winner
        points = CARD_POINTS[lead_card(led)] + CARD_POINTS[card] + self.pending[winner]
        self.pending[winner] = 0
        if not self._hands[0]:
            points += self.ruleset.last_trick_bonus
        if self._credit(winner, points):
            return
        if not self.strict:
            self._draw(winner)
        self._begin_trick()

    def _lay(self, seat: int, card: int) -> None:
        """Moves a card from a hand to the table."""
        self._hands[seat] ^= 1 << card
        self._shown[seat] &= ~(1 << card)

    def _credit(self, seat: int, points: int) -> bool:
        """Adds card points; true if that ends the deal."""
        self.points[seat] += points
        if self.points[seat] >= WINNING_POINTS:
            if self._first_to_66 is None:
                self._first_to_66 = seat
            elif self._first_to_66 != seat and self.ruleset.both_66 is Both66.DRAWN_AT_ONCE:
                self._end(drawn_at_once(self._tally()))
                return True
        return False

    def _draw(self, winner: int) -> None:
        """Both draw, the winner of the trick first; the last card is the trump card."""
        first = self.pack[_FIRST_DRAW + self._draws]
        self._hands[winner] |= 1 << first
        self._draws += 2
        if self._draws < 12:
            second = self.pack[_FIRST_DRAW + self._draws - 1]
        else:
            assert self.trump_card is not None
            second = self.trump_card
            self.trump_card = None
            self._shown[1 - winner] |= 1 << second
        self._hands[1 - winner] |= 1 << second

    def _end(self, result: DealResult) -> None:
        self.result = result
        self.turn = None
        self.stage = Stage.OVER
        self._legal = 0

    def _tally(self) -> Tally:
        return Tally(
            (self.points[0], self.points[1]),
            (self.trick_counts[0], self.trick_counts[1]),
            self.closed_by,
            self._first_to_66,
        )

    # What is legal.

    def _wait_for(self, seat: int, stage: Stage) -> None:
        self.turn = seat
        self.stage = stage
        if stage is Stage.LEAD:
            legal = self._leads(seat)
        elif stage is Stage.FOLLOW:
            legal = self._replies(seat)
        elif stage is Stage.QUESTION:
            legal = CLOSE_BIT | PASS_BIT
        else:
            legal = PASS_BIT
        self._legal = legal | CLAIM_BIT if self.ruleset.claims else legal

    def _leads(self, seat: int) -> int:
        hand = self._hands[seat]
        legal = hand | marriage_leads(hand)
        if self._may_close():
            legal |= CLOSE_BIT
        if self._may_exchange(seat):
            legal |= EXCHANGE_BIT
        return legal

    def _replies(self, seat: int) -> int:
        hand = self._hands[seat]
        if not self.strict:
            return hand | EXCHANGE_BIT if self._may_exchange(seat) else hand
        assert self.led is not None
        same_suit = hand & SUIT_CARDS[lead_card(self.led) // 6]
        return same_suit or hand & SUIT_CARDS[self.trump_suit] or hand

    def _may_close(self) -> bool:
        """Whether the talon may be closed before this lead, by whoever is allowed to."""
        least = self.ruleset.close_min_talon
        return (
            least is not None
            and self.closed_by is None
            and self.talon_count >= least
            and not (self.ruleset.close_after_first_trick and not self.tricks)
        )

    def _may_exchange(self, seat: int) -> bool:
        when = self.ruleset.exchange
        if when is Exchange.NEVER or self.strict:
            return False
        if not self._hands[seat] >> (self.trump_suit * 6 + NINE) & 1:
            return False
        if when is Exchange.AFTER_FIRST_TRICK:
            return bool(self.tricks)
        return self.trick_counts[seat] > 0

    def _may_claim(self) -> bool:
        """Whether a claim of the seat on turn would be good."""
        return self.turn is not None and self.points[self.turn] >= WINNING_POINTS

    def _illegal(self, code: int) -> IllegalMove:
        reason = why_illegal(self, code)
        legal = self.legal_moves()
        name = MOVES[code] if 0 <= code < MOVE_COUNT else f"{code}"
        table = []
        if self.led is not None:
            table.append(f"led {MOVES[self.led]}")
        if self.trump_card is not None:
            table.append(f"trump {CARDS[self.trump_card]}")
        table.append(f"talon {self.talon_count}{'' if self.closed_by is None else ' closed'}")
        offered = [move for move in legal if move != CLAIM or self._may_claim()]
        listed = ", ".join(map(str, offered)) or "none"
        text = f"illegal move {name}: {reason}; legal are {listed} ({', '.join(table)})"
        return IllegalMove(code, reason, legal, text)
