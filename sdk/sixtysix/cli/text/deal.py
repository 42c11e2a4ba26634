"""A deal the way a person reads it: hands, tricks, everything else that happened, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sixtysix.api import GameReport
from sixtysix.cli.text.games import outcome_text, scores
from sixtysix.cli.text.table import named
from sixtysix.cli.text.tournament import rules_text
from sixtysix.cli.text.why import why
from sixtysix.record import DealRecord
from sixtysix.reports import GameState
from sixtysix.rules import CARDS, CLAIM, CLOSE, EXCHANGE, MOVES, Card, Deal, Move, Stage
from sixtysix.text import harmless

__all__ = ["deal_text"]

_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_BY_REFEREE = "*"


def deal_text(report: GameReport, number: int) -> str:
    """The deal `number` of a game. Raises LookupError if the report has no such deal.

    Raises IllegalMove if the record does not follow the rules.
    """
    place = next(place for place, each in enumerate(report.deals) if each.deal == number)
    record = report.deals[place]
    names = (harmless(report.game.entrants[0]), harmless(report.game.entrants[1]))
    before, after = list(scores(report.deals))[place]
    told = _Told(Deal(report.rules, record.pack, record.dealer), record, names)
    head = _head(report, record, names, before)
    told.tell()
    account = told.text()
    parts = [head] if record.void and not record.moves else [head, account]
    if record.referee_plies and _BY_REFEREE in account:
        parts.append(f"{_BY_REFEREE} made by the referee: there was nothing to decide")
    reason = harmless(report.game.reason).rstrip(".")
    end = [why(told.deal, record, names, reason)]
    if record.result is not None:
        end.append(f"Score {after[0]}:{after[1]}.")
    if place == len(report.deals) - 1 and report.game.state is GameState.OVER:
        # Why a deal was broken off has been said.
        outcome = outcome_text(report.game, with_reason=record.result is not None or record.void)
        end.append(f"The game is over: {harmless(outcome).rstrip('.')}.")
    return "\n\n".join([*parts, " ".join(end)])


def _head(
    report: GameReport, record: DealRecord, names: tuple[str, str], score: tuple[int, int]
) -> str:
    deal = Deal(report.rules, record.pack, record.dealer)
    title = (
        f"Game {report.game.game_id}, deal {record.deal}: {names[0]} - {names[1]},"
        f" {rules_text(report.rules)}, score {score[0]}:{score[1]}\n"
        f"{names[record.dealer]} deals, {names[1 - record.dealer]} leads."
    )
    cards = named(
        [
            ("trump", CARDS[record.pack[12]]),
            *((names[seat], _cards(deal.hand(seat))) for seat in (0, 1)),
            ("talon", _cards(deal.talon())),
        ]
    )
    return f"{title}\n\n{cards}"


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the account: a trick has a number, everything else has not."""

    number: str
    text: str
    points: tuple[int, int] | None = None


class _Told:
    """Plays a record again and notes what happens."""

    def __init__(self, deal: Deal, record: DealRecord, names: tuple[str, str]) -> None:
        self.deal = deal
        self._record = record
        self._names = names
        self._rows: list[_Row] = []
        self._lead = ""
        """The leader's part of the present trick."""
        self._notes: list[_Row] = []
        """Comments on the present trick; they come after it."""
        self._name_width = max(map(len, names))
        self._ms_width = max((len(str(ms)) for ms in record.charged_ms), default=1) + 4

    def tell(self) -> None:
        """Goes through all moves."""
        for ply, code in enumerate(self._record.moves):
            deal = self.deal
            seat, stage, led = deal.turn, deal.stage, deal.led
            points = tuple(deal.points)
            trump = deal.trump_card
            deal.play(code)
            assert seat is not None, "the rules let nobody move after the end"
            move = MOVES[code]
            if stage is Stage.FOLLOW and move.card is not None:
                self._trick(ply, seat, move, points)
            elif move.card is not None:
                self._led(ply, seat, move)
            elif not (move not in (CLAIM, CLOSE, EXCHANGE) and self._by_referee(ply)):
                happened = self._happened(seat, move, stage, trump)
                self._event(seat, f"{happened} ({self._took(ply)})")
            self._comment(ply, seat, led)
        if self.deal.led is not None and not MOVES[self.deal.led].is_marriage:
            self._rows.append(_Row("", self._lead))
        self._rows += self._notes

    def text(self) -> str:
        """The account as a table."""
        if not self._rows:
            return "Nothing was played."
        width = max(len(row.text) for row in self._rows)
        first, second = self._names
        lines = [f"trick  {'':{width}}  {first}  {second}"]
        for row in self._rows:
            points = ""
            if row.points is not None:
                points = f"  {row.points[0]:>{len(first)}}  {row.points[1]:>{len(second)}}"
            lines.append(f"{row.number:>5}  {row.text:{width}}{points}".rstrip())
        return "\n".join(lines)

    # Kinds of lines.

    def _led(self, ply: int, seat: int, move: Move) -> None:
        self._lead = self._moved(ply, seat, move)
        if move.is_marriage:
            assert move.card is not None
            suit = move.card.suit
            points = 40 if suit == self.deal.trump_suit else 20
            waits = "" if not self.deal.pending[seat] else ", as soon as there is a trick"
            marriage = f"the marriage in {_SUIT_NAMES[suit]} with {move.card}"
            self._event(seat, f"announces {marriage}: {points}{waits}")

    def _trick(self, ply: int, seat: int, move: Move, before: tuple[int, ...]) -> None:
        deal = self.deal
        done = deal.tricks[-1]
        gained = deal.points[done.winner] - before[done.winner]
        text = (
            f"{self._lead}   {self._moved(ply, seat, move)}"
            f"   {self._names[done.winner]:{self._name_width}} +{gained}"
        )
        self._rows.append(_Row(str(len(deal.tricks)), text, (deal.points[0], deal.points[1])))
        self._rows += self._notes
        self._notes = []

    def _event(self, seat: int, happened: str) -> None:
        points = (self.deal.points[0], self.deal.points[1])
        shown = next((row.points for row in reversed(self._rows) if row.points), (0, 0))
        changed = points if points != shown else None
        self._rows.append(_Row("", f"{self._names[seat]} {happened}", changed))

    def _happened(self, seat: int, move: Move, stage: Stage, trump_card: int | None) -> str:
        if move == EXCHANGE:
            assert trump_card is not None
            nine = CARDS[self.deal.trump_suit * 6]
            return f"exchanges {nine} for the trump card {CARDS[trump_card]}"
        if move == CLOSE:
            return f"closes the talon of {self.deal.talon_count}"
        if move == CLAIM:
            return f"claims 66 with {self.deal.points[seat]}"
        return "does not close" if stage is Stage.QUESTION else "does not claim"

    def _comment(self, ply: int, seat: int, led: int | None) -> None:
        comment = self._record.comments.get(ply)
        if comment is None:
            return
        row = _Row("", f'  {self._names[seat]}: "{harmless(comment)}"')
        if self.deal.led is not None and led is None:
            self._notes.append(row)
        else:
            self._rows.append(row)

    def _moved(self, ply: int, seat: int, move: Move) -> str:
        took = self._took(ply)
        return f"{self._names[seat]:{self._name_width}} {move!s:3} {took:>{self._ms_width}}"

    def _took(self, ply: int) -> str:
        if self._by_referee(ply):
            return _BY_REFEREE
        return f"{self._record.charged_ms[ply]} ms"

    def _by_referee(self, ply: int) -> bool:
        return ply in self._record.referee_plies
