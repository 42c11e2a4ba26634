"""How many games of a tournament are void: those of whole rounds are counted once, and kept.

Pages say it of every tournament that they show, and of one that is watched twice a second.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from sixtysix.reports import TournamentInfo, TournamentState
from sixtysix_arena.store import StoreReader

__all__ = ["COUNTS_KEPT", "VoidCounts"]

COUNTS_KEPT = 1_000
"""Tournaments whose counts are kept."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was counted of a tournament: the void games of its first `rounds` rounds."""

    basis: Hashable
    rounds: int = 0
    count: int = 0


class VoidCounts:
    """The counts of an arena, out of its store. May be used from any thread."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        self._kept: dict[str, _Kept] = {}

    def of(self, info: TournamentInfo) -> int:
        """How many games of a tournament are over and void. Raises NotFound."""
        if not info.games_over_count:
            return 0
        is_finished = info.state is TournamentState.FINISHED
        # Another tournament may have the slug of one that was removed.
        basis: tuple[Hashable, ...] = (info.created_at, info.commitment, is_finished)
        kept = self._kept.get(info.slug)
        if is_finished and kept is not None and kept.basis == basis:
            return kept.count
        with self._reader.snapshot() as reader:
            if not is_finished:
                # What is over changes by the organiser's hand alone, and after the end not at all.
                basis = (*basis, len(reader.actions(info.slug)))
            whole = reader.rounds(info.slug).whole
            if kept is None or kept.basis != basis or kept.rounds > whole:
                kept = _Kept(basis)
            if kept.rounds < whole:
                more = reader.void_count(info.slug, kept.rounds, whole)
                kept = _Kept(basis, whole, kept.count + more)
            self._keep(info.slug, kept)
            return kept.count + reader.void_count(info.slug, whole)

    def _keep(self, slug: str, kept: _Kept) -> None:
        self._kept[slug] = kept
        while len(self._kept) > COUNTS_KEPT:
            self._kept.pop(next(iter(self._kept)), None)
