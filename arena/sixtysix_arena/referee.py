"""One game, refereed: packs and answers in; decisions, records and a result out.

Sans-IO: no sockets, no wall clock, no sleeping. Time arrives as milliseconds
that the edge has charged already. Bot faults become results in here; an
exception that escapes is a mistake of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sixtysix.clock import Clock
from sixtysix.forced import forced_move
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord, MadeMove, RecordError
from sixtysix.rules import DEAL_LIMIT, Deal, Game, IllegalMove, Ruleset, View

__all__ = ["GameSpec", "Progress", "Referee"]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a game is played by; pairs are by seat."""

    game: int
    """The arena-wide number that streams carry."""
    game_id: str
    """The public id: slug, dot, number in the schedule."""
    entrants: tuple[str, str]
    first_dealer: int
    rules: Ruleset
    clock: Clock


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a game was left: what a referee needs to go on with it.

    Void deals changed nothing, but their numbers are gone: `deals_started`
    counts every number ever dealt.
    """

    records: Sequence[DealRecord] = ()
    """The deals that are over, void ones left out."""
    deals_started: int = 0
    in_progress: bool = False
    """Whether the deal that was started last is not over."""
    moves: Sequence[MadeMove] = ()
    """The moves that the bots made in it."""


class Referee:
    """Plays one game deal by deal; at most one decision is open at a time."""

    def __init__(
        self,
        spec: GameSpec,
        pack: Callable[[int], tuple[int, ...]],
        wants_question: tuple[bool, bool],
        progress: Progress | None = None,
        deal_limit: int = DEAL_LIMIT,
    ) -> None:
        """`pack` deals by number; `wants_question` says by seat who is asked classic's question.

        Raises RecordError if the moves of the deal in progress do not fit.
        """
        progress = progress or Progress()
        self.spec = spec
        self.outcome: GameOutcome | None = None
        """The result, once the game is over."""
        self.bank_ms = [spec.clock.per_game_ms] * 2
        """What is left of each seat's time for this game, in whole milliseconds as recorded."""
        self.charged_ms = [0, 0]
        """What each seat's previous answer was charged."""
        self.wants_question = wants_question
        self._pack = pack
        self._game = Game(spec.rules, spec.first_dealer, deal_limit)
        self._next_number = progress.deals_started
        self._deal: Deal | None = None
        self._log = _Log(0)
        for record in progress.records:
            self._replay(record)
        if progress.in_progress:
            self._resume(progress.moves)

    @property
    def score(self) -> tuple[int, int]:
        """Game points by seat."""
        return self._game.score

    @property
    def next_dealer(self) -> int:
        """The seat that deals next, and that dealt a deal which is void."""
        return self._game.dealer

    @property
    def deal_count(self) -> int:
        """Deals that were finished."""
        return self._game.deal_count

    @property
    def deal_number(self) -> int:
        """The number of the deal in progress, or of the last one."""
        return self._log.number

    @property
    def ply(self) -> int:
        """The ply of the open decision."""
        return self._in_progress().ply

    @property
    def seat_on_turn(self) -> int | None:
        """The seat that owes a decision; None between deals and when the game is over."""
        return None if self._deal is None else self._deal.turn

    def begin_deal(self) -> None:
        """Deals the next pack and plays up to the first decision."""
        assert self.outcome is None
        assert self._deal is None
        self._log = _Log(self._next_number)
        self._next_number += 1
        self._deal = self._game.deal(self._pack(self._log.number))
        self._play_forced(self._deal)

    def view(self) -> View:
        """What the seat on turn may know, with its clocks."""
        deal = self._in_progress()
        assert deal.turn is not None
        return deal.view(
            deal.turn,
            game=self.spec.game_id,
            deal=self._log.number,
            score=self._game.score,
            move_ms=self.spec.clock.per_move_ms,
            game_ms=max(0, self.bank_ms[deal.turn]),
        )

    def answer(self, move: int, charged_ms: int, comment: str = "") -> DealRecord | None:
        """Makes the move of the seat on turn, and the forced moves after it.

        Returns the record of the deal if that ended it: counted, or broken off
        because the move was illegal and the game is forfeited.
        """
        deal = self._in_progress()
        seat = deal.turn
        assert seat is not None
        self._charge(seat, charged_ms)
        ply = deal.ply
        try:
            deal.play(move)
        except IllegalMove as error:
            where = f"in game {self.spec.game_id} deal {self._log.number} ply {ply}"
            return self.forfeit(seat, Fault.ILLEGAL, f"{error} {where}")
        self._log.charged_ms.append(charged_ms)
        if comment:
            self._log.comments[ply] = comment
        self._play_forced(deal)
        if deal.result is None:
            return None
        return self._end_deal(deal)

    def forfeit(self, seat: int, fault: Fault, reason: str) -> DealRecord | None:
        """Gives the game to the opponent of `seat`; returns the deal that breaks off."""
        return self._stop(GameEnd.FORFEIT, 1 - seat, fault, reason)

    def void(self, reason: str) -> DealRecord | None:
        """Ends the game with nobody charged; returns the deal that breaks off."""
        return self._stop(GameEnd.VOID, None, None, reason)

    def _stop(
        self, end: GameEnd, winner: int | None, fault: Fault | None, reason: str
    ) -> DealRecord | None:
        assert self.outcome is None
        deal, self._deal = self._deal, None
        self.outcome = GameOutcome(end, winner, self.score, self.deal_count, fault, reason)
        return None if deal is None else self._log.record(deal)

    def _end_deal(self, deal: Deal) -> DealRecord:
        assert deal.result is not None
        self._deal = None
        game = self._game
        game.add(deal.result)
        if game.over:
            end = GameEnd.TARGET if game.target_reached else GameEnd.DEAL_LIMIT
            self.outcome = GameOutcome(end, game.winner, game.score, game.deal_count)
        return self._log.record(deal)

    def _play_forced(self, deal: Deal) -> None:
        while deal.turn is not None:
            move = forced_move(deal, self.wants_question[deal.turn])
            if move is None:
                return
            self._log.referee_plies.append(deal.ply)
            self._log.charged_ms.append(0)
            deal.play(move)

    def _charge(self, seat: int, charged_ms: int) -> None:
        self.bank_ms[seat] -= charged_ms
        self.charged_ms[seat] = charged_ms

    def _replay(self, record: DealRecord) -> None:
        """Takes over a deal that was finished before the arena was restarted."""
        assert record.result is not None
        deal = Deal(self.spec.rules, record.pack, record.dealer)
        for ply, (move, charged_ms) in enumerate(zip(record.moves, record.charged_ms, strict=True)):
            assert deal.turn is not None
            if ply not in record.referee_plies:
                self._charge(deal.turn, charged_ms)
            deal.play(move)
        self._game.add(record.result)

    def _resume(self, moves: Sequence[MadeMove]) -> None:
        """Goes on inside the deal that was started last: to its open decision."""
        self._next_number -= 1
        self.begin_deal()
        for made in moves:
            deal = self._deal
            if deal is None or (made.deal, made.ply) != (self._log.number, deal.ply):
                raise RecordError(
                    f"the journal does not fit game {self.spec.game_id}: it has a move of deal"
                    f" {made.deal} ply {made.ply}, which is not to be made"
                )
            self.answer(made.move, made.charged_ms, made.comment)
        if self._deal is None:
            raise RecordError(
                f"the journal does not fit game {self.spec.game_id}: it ends deal"
                f" {self._log.number}, whose record is missing"
            )

    def _in_progress(self) -> Deal:
        assert self._deal is not None, "there is no deal in progress"
        return self._deal


class _Log:
    """What is noted of the deal in progress beside the moves themselves."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.charged_ms: list[int] = []
        self.referee_plies: list[int] = []
        self.comments: dict[int, str] = {}

    def record(self, deal: Deal) -> DealRecord:
        return DealRecord(
            deal=self.number,
            dealer=deal.dealer,
            pack=deal.pack,
            moves=tuple(deal.moves),
            charged_ms=tuple(self.charged_ms),
            referee_plies=frozenset(self.referee_plies),
            result=deal.result,
            comments=self.comments,
        )
