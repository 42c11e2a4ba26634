"""The referees of a tournament's games, each where its game was left, and the packs they deal."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sixtysix import shuffle
from sixtysix.record import DealRecord, MadeMove, RecordError
from sixtysix.reports import GameState
from sixtysix.wire import unpack_deal
from sixtysix_arena.referee import GameSpec, Progress, Referee
from sixtysix_arena.store import rows

__all__ = ["Dealer", "StoredGame"]

log = logging.getLogger(__name__)


class StoredGame:
    """A game that is not over, as the store has it: where to go on with it."""

    def __init__(
        self,
        unfinished: rows.UnfinishedGame,
        records: Iterable[bytes] = (),
        moves: Sequence[MadeMove] = (),
    ) -> None:
        """`records` are its stored deals, `moves` those of its deal in progress."""
        self.game = unfinished.game
        self.broken_deals = unfinished.broken_deals
        """Deals that were interrupted before there was a journal; they are void."""
        deals = (unpack_deal(record) for record in records)
        self.progress = Progress(
            tuple(deal for deal in deals if deal.result is not None),
            self.game.deals_started,
            unfinished.deal_in_progress is not None,
            moves,
        )

    def give_deal_up(self) -> None:
        """Says that the deal in progress cannot be gone on with."""
        self.broken_deals += (self.game.deals_started - 1,)
        self.progress = replace(self.progress, in_progress=False, moves=())

    @property
    def was_begun(self) -> bool:
        """Whether it goes on, and does not begin."""
        return self.game.state is not GameState.SCHEDULED

    @property
    def place(self) -> tuple[bool, int]:
        """Where it stands among the games to be played: those that were begun come first."""
        return not self.was_begun, self.game.number


class Dealer:
    """Makes the referees of one tournament's games."""

    def __init__(self, tournament: rows.Tournament, wants_question: Callable[[str], bool]) -> None:
        """`wants_question` says by name who asks to be asked before its opponent's leads."""
        self._slug = tournament.slug
        self._definition = tournament.definition
        self._key = shuffle.tournament_key(tournament.seed, {})
        self._wants_question = wants_question

    def referee(self, stored: StoredGame) -> Referee:
        """The referee of a game, where it was left; of a void game if that is lost."""
        try:
            return self._at_its_place(stored)
        except RecordError as error:
            about = {"game": stored.game.public_id, "reason": str(error)}
            log.error("a game is void", extra=about)
            stored.give_deal_up()
            referee = self._at_its_place(stored)
            referee.void("the arena cannot read what was played in its last deal")
            return referee

    def deals_to_keep(
        self, stored: StoredGame, referee: Referee, broken_off: DealRecord | None
    ) -> list[DealRecord]:
        """Deals of a game that have no record yet and are not gone on with."""
        deals = [
            DealRecord(number, referee.next_dealer, self._pack(stored.game, number), void=True)
            for number in stored.broken_deals
        ]
        return deals if broken_off is None else [*deals, broken_off]

    def void_deals(self, stored: StoredGame) -> list[DealRecord]:
        """What was dealt in a game and has no record yet: for a game that is made void."""
        referee = self.referee(stored)
        broken_off = referee.void("") if referee.outcome is None else None
        return self.deals_to_keep(stored, referee, broken_off)

    def _at_its_place(self, stored: StoredGame) -> Referee:
        game = stored.game
        spec = GameSpec(
            game=game.id,
            game_id=game.public_id,
            entrants=game.entrants,
            first_dealer=game.scheduled.first_dealer,
            rules=self._definition.rules,
            clock=self._definition.clock,
        )
        first, second = map(self._wants_question, game.entrants)
        return Referee(
            spec,
            lambda number: self._pack(game, number),
            game.wants_question if stored.was_begun else (first, second),
            stored.progress,
        )

    def _pack(self, game: rows.Game, deal: int) -> tuple[int, ...]:
        return shuffle.pack(
            self._key,
            ruleset=self._definition.rules.name,
            tournament=self._slug,
            entrants=game.entrants,
            game=game.scheduled.game_index,
            deal=deal,
        )
