"""The journal: moves of deals in progress, made durable tick by tick and read back after a crash.

What a tick brought is one row, committed together with whatever else the tick
changed, before anybody sees a consequence. A deal that is over has a record of
its own, and its moves are needed no more; so now and then a checkpoint, a row
with all moves of the deals in progress, replaces the rows before it, and the
journal stays small however long an arena runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sixtysix import wire
from sixtysix.record import MadeMove
from sixtysix_arena.store import rows

__all__ = ["CHECKPOINT_TICKS", "Journal"]

CHECKPOINT_TICKS = 1_000
"""Rows between two checkpoints: some seconds of play, which a start reads in a moment."""


class Journal:
    """The moves of all deals in progress, those of stopped tournaments included."""

    def __init__(
        self,
        stored: Iterable[tuple[int, bytes]] = (),
        in_progress: Mapping[int, int] | None = None,
    ) -> None:
        """Reads back what is stored: rows by tick, ascending.

        `in_progress` has the numbers of the deals in progress by game: moves of
        other deals are of the past. Raises RecordError for what is no journal.
        """
        self._moves: dict[int, list[MadeMove]] = {}
        self._news: list[MadeMove] = []
        self._tick = 0
        self._rows_since_checkpoint = 0
        wanted = in_progress or {}
        for tick, data in stored:
            self._tick = tick
            self._rows_since_checkpoint += 1
            for made in wire.unpack_moves(data):
                if wanted.get(made.game) == made.deal:
                    self._moves.setdefault(made.game, []).append(made)

    def note(self, made: MadeMove) -> None:
        """Takes a move into the row of this tick."""
        self._moves.setdefault(made.game, []).append(made)
        self._news.append(made)

    def forget(self, game: int) -> None:
        """A deal is over: its moves are in its record."""
        self._moves.pop(game, None)

    def moves(self, game: int) -> Sequence[MadeMove]:
        """The moves that bots made in the deal in progress of a game, in their order."""
        return tuple(self._moves.get(game, ()))

    def take(self) -> rows.MovesMade | None:
        """What is to be committed with this tick; None if no move was made in it."""
        if not self._news:
            return None
        news, self._news = self._news, []
        self._tick += 1
        self._rows_since_checkpoint += 1
        is_checkpoint = self._rows_since_checkpoint > CHECKPOINT_TICKS
        if is_checkpoint:
            self._rows_since_checkpoint = 1
            news = [made for moves in self._moves.values() for made in moves] or news
        return rows.MovesMade(self._tick, wire.pack_moves(news), is_checkpoint)
