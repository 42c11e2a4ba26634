"""What can be read of an arena, out of its store: the same with and without a running arena."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TypeVar

from sixtysix import wire
from sixtysix.api import GameReport
from sixtysix.names import SLUG
from sixtysix.record import DealRecord, GameRecord, record_lines
from sixtysix.reports import (
    Board,
    BotInfo,
    EntrantInfo,
    FaultReport,
    GameInfo,
    Statistics,
    TournamentInfo,
    TournamentState,
    ValidationInfo,
)
from sixtysix_arena.boards import Boards, Course
from sixtysix_arena.errors import Invalid, NotFound, NotYours, WrongState
from sixtysix_arena.exports import game_record, tournament_record
from sixtysix_arena.rerating import board_record
from sixtysix_arena.store import (
    FaultEvidence,
    Game,
    GameFilter,
    GamesSoFar,
    StoreReader,
    Tournament,
)
from sixtysix_arena.voids import VoidCounts

__all__ = ["PAGE_SIZE", "Course", "StoredArena", "game_place"]

PAGE_SIZE = 500
"""How many bots, tournaments or games are read at once."""
EXPORT_PAGE_SIZE = 50
"""How many games with their deals are read at once: half a megabyte of a record."""
WATCH_S = 0.5
"""A watched tournament is looked at this often."""

_T = TypeVar("_T")

_GAME_ID = re.compile(rf"(?P<slug>{SLUG})\.(?P<number>[1-9][0-9]{{0,8}})")


class StoredArena:
    """The reading half of an arena's calls (`sixtysix.api.ArenaReader`), over its store.

    May be used from any thread. Raises the errors of `sixtysix_arena.errors`.
    """

    def __init__(
        self,
        reader: StoreReader,
        present: Callable[[EntrantInfo], EntrantInfo] = lambda entrant: entrant,
        *,
        is_patient: bool = True,
    ) -> None:
        """`present` adds to what is stored of an entrant what is known of it now.

        Whoever is not patient is shown the last board while a newer one is made.
        """
        self._reader = reader
        self._present = present
        self._boards = Boards(reader, is_patient=is_patient)
        self._voids = VoidCounts(reader)

    # Bots

    def bot(self, name: str) -> BotInfo:
        """One bot, with its validations."""
        verdicts = self._reader.validations(name)
        found = self._reader.bot(name)
        return replace(
            found,
            disabled_reason=self._reader.disabled_reason(name) if found.disabled_at else "",
            validations=tuple(
                ValidationInfo(each.ruleset, each.version, each.at, each.failure)
                for each in verdicts
            ),
        )

    def bots(self) -> Iterator[BotInfo]:
        """All bots, by name."""
        return _all(lambda last: self.bots_page(last.name if last else "", PAGE_SIZE))

    def bots_page(self, after: str, limit: int) -> tuple[BotInfo, ...]:
        """At most `limit` bots by name, from behind the name `after`."""
        return self._reader.bots(after, limit)

    # Tournaments

    def tournament(self, slug: str, *, waiting_for: str = "") -> TournamentInfo:
        """How a tournament stands; `waiting_for` is told along."""
        with self._reader.snapshot() as reader:
            info = self._info(reader, reader.tournament(slug), waiting_for)
            return replace(info, actions=reader.actions(slug))

    def with_mishaps(self, info: TournamentInfo) -> TournamentInfo:
        """How a tournament stands, with its void games and the faults of its entrants.

        Nobody asks for them twice a second: all its games are looked at.
        """
        void_count, faults = self._reader.mishaps(info.slug)
        return replace(
            info,
            games_void_count=void_count,
            entrants=tuple(replace(each, faults=faults.get(each.id, {})) for each in info.entrants),
        )

    def with_void_count(self, info: TournamentInfo) -> TournamentInfo:
        """How a tournament stands, with its void games alone: that costs little, however often."""
        return replace(info, games_void_count=min(self._voids.of(info), info.games_over_count))

    def tournaments(self) -> Iterator[TournamentInfo]:
        """All tournaments, the latest first."""
        return _all(lambda last: self.tournaments_page(last.slug if last else "", PAGE_SIZE))

    def tournaments_page(self, after: str, limit: int) -> tuple[TournamentInfo, ...]:
        """At most `limit` tournaments, the latest first, from behind the slug `after`."""
        with self._reader.snapshot() as reader:
            return tuple(self._info(reader, each) for each in reader.tournaments(after, limit))

    def tournaments_of(self, entrant: str, limit: int) -> tuple[TournamentInfo, ...]:
        """At most `limit` tournaments of an entrant, the latest first."""
        with self._reader.snapshot() as reader:
            return tuple(self._info(reader, each) for each in reader.tournaments_of(entrant, limit))

    def watch_tournament(self, slug: str) -> Iterator[TournamentInfo]:
        """How a tournament stands, whenever that has changed, until it no longer runs."""
        before = None
        while True:
            info = self.tournament(slug)
            if info != before:
                yield info
            if info.state is not TournamentState.RUNNING:
                return
            before = info
            time.sleep(WATCH_S)

    def _info(
        self, reader: StoreReader, tournament: Tournament, waiting_for: str = ""
    ) -> TournamentInfo:
        info = tournament.info(reader.progress(tournament.slug), waiting_for=waiting_for)
        return replace(info, entrants=tuple(map(self._present, info.entrants)))

    def not_yet_joined(self, slug: str) -> tuple[str, ...]:
        """The entrants of a tournament who have not joined since it began."""
        tournament = self._reader.tournament(slug)
        return tuple(
            name for name in tournament.definition.entrants if name not in tournament.versions
        )

    def games_so_far(self, slug: str) -> tuple[GamesSoFar, ...]:
        """What became of an unfinished tournament's games that are over, by entrant.

        In the order of the entrants' ids: nobody is ranked by games of rounds that are not whole.
        """
        return self._reader.games_so_far(slug)

    # Boards

    def board(self, slug: str) -> Board:
        """The board of a tournament."""
        return self._boards.board(slug)

    def statistics(self, slug: str) -> Statistics:
        """What stands beside the board of a tournament."""
        return self._boards.statistics(slug)

    def course(self, slug: str) -> Course:
        """How a tournament went, by pairing and by round: from the games that its board counts."""
        return self._boards.course(slug)

    def standing_board(self, ruleset: str) -> Board:
        """The standing board of a rule set, over all ranked tournaments.

        Raises UnknownRuleset if there is no such rule set.
        """
        return self._boards.standing_board(ruleset)

    # Games

    def games(self, slug: str, entrant: str | None = None) -> Iterator[GameInfo]:
        """The games of a tournament in the order of the schedule, or one entrant's."""
        return _all(
            lambda last: self.games_page(slug, entrant, last.number if last else 0, PAGE_SIZE)
        )

    def games_page(
        self, slug: str, entrant: str | None, after: int, limit: int
    ) -> tuple[GameInfo, ...]:
        """At most `limit` games, from behind the number `after`."""
        with self._reader.snapshot() as reader:
            if entrant:
                _check_entrant(entrant, reader.tournament(slug))
            stored = reader.games(slug, entrant=entrant or "", after=after, limit=limit)
        return tuple(game.info() for game in stored)

    def filtered_games(
        self, slug: str, wanted: GameFilter, after: int, limit: int
    ) -> tuple[GameInfo, ...]:
        """At most `limit` of the games that are wanted, from behind the number `after`.

        Raises NotFound for a strange entrant, and Invalid for a result without one.
        """
        with self._reader.snapshot() as reader:
            tournament = reader.tournament(slug)
            for name in filter(None, (wanted.entrant, wanted.opponent)):
                _check_entrant(name, tournament)
            if wanted.result in ("won", "lost") and not wanted.entrant:
                raise Invalid(f"{wanted.result} by whom? Expected a bot too")
            stored = reader.filtered_games(slug, wanted, after=after, limit=limit)
        return tuple(game.info() for game in stored)

    def game(self, game_id: str) -> GameReport:
        """One game with the deals of it that are over.

        Comments are the authors' own until the tournament is over, and left out till then.
        """
        slug, number = game_place(game_id)
        with self._reader.snapshot() as reader:
            tournament = reader.tournament(slug)
            game = reader.game(slug, number)
            deals = _deals(reader, game, tournament.state is TournamentState.FINISHED)
        definition = tournament.definition
        return GameReport(game.info(), definition.rules, deals, definition.clock)

    def game_record(self, game_id: str) -> GameRecord:
        """A game that is over, as the record has it. Raises WrongState for one that is not."""
        slug, number = game_place(game_id)
        with self._reader.snapshot() as reader:
            tournament = reader.tournament(slug)
            game = reader.game(slug, number)
            if game.outcome is None:
                raise WrongState(f"the game {game.public_id} is not over: the record has it then")
            is_finished = tournament.state is TournamentState.FINISHED
            return game_record(game, _deals(reader, game, is_finished))

    def faults(self, game_id: str) -> tuple[FaultReport, ...]:
        """What went wrong in a game, with its evidence, by seat.

        For the organiser, which is whoever can read the data folder.
        """
        return tuple(
            wire.fault_of(
                wire.fault_message(
                    game_id, entrant, fault.fault, fault.text, fault.at, fault.evidence
                )
            )
            for entrant, fault in self.evidence(game_id)
        )

    def evidence(
        self, game_id: str, of: str | None = None
    ) -> tuple[tuple[str, FaultEvidence], ...]:
        """The faults in a game, by seat, each with the entrant who committed it.

        With `of` only those of this entrant. Raises NotYours if it does not
        play the game: whether there is one is public, its evidence is not.
        """
        slug, number = game_place(game_id)
        with self._reader.snapshot() as reader:
            reader.tournament(slug)
            game = reader.game(slug, number)
            faults = reader.faults(game.id)
        if of is not None and of not in game.entrants:
            raise NotYours(
                f"{of} does not play in {game_id}: the evidence of a fault is for its author and"
                " the organiser"
            )
        told = ((game.entrants[fault.seat], fault) for fault in faults)
        return tuple(each for each in told if of is None or each[0] == of)

    def export(self, slug: str) -> Iterator[str]:
        """The public record of a tournament as it stands now: the games that are over.

        What is over changes by the organiser's hand alone. So the lines tell of
        this moment however slowly they are read, and no snapshot is held
        meanwhile; reading raises WrongState if a game is made void before the end.
        """
        with self._reader.snapshot() as reader:
            tournament = reader.tournament(slug)
            board = self._boards.board_in(reader, tournament)
            over = frozenset(reader.outcomes(slug))
            actions = reader.actions(slug)
        games = self._games_over(tournament, over, len(actions))
        return record_lines(tournament_record(tournament, actions), games, board_record(board))

    def _games_over(
        self, tournament: Tournament, over: frozenset[int], action_count: int
    ) -> Iterator[GameRecord]:
        """The games with these numbers, in order, read page by page."""
        with_comments = tournament.state is TournamentState.FINISHED
        last, end = 0, max(over, default=0)
        while last < end:
            with self._reader.snapshot() as reader:
                if len(reader.actions(tournament.slug)) != action_count:
                    raise WrongState(
                        f"the organiser changed something in {tournament.slug!r} while it was"
                        " exported: export it again"
                    )
                page = reader.games(tournament.slug, after=last, limit=EXPORT_PAGE_SIZE)
                records = [
                    game_record(game, _deals(reader, game, with_comments))
                    for game in page
                    if game.number in over
                ]
            last = page[-1].number
            yield from records


def game_place(game_id: str) -> tuple[str, int]:
    """The tournament and the number of a game, from its public id. Raises Invalid."""
    found = _GAME_ID.fullmatch(game_id)
    if found is None:
        raise Invalid(
            f"{game_id[:60]!r} is no game: expected a tournament, a dot and a number in its"
            " schedule, like spring-cup.17"
        )
    return found["slug"], int(found["number"])


def _all(page: Callable[[_T | None], Sequence[_T]]) -> Iterator[_T]:
    """Everything, page by page; `page` gives what is behind an item, or the first of all.

    The first page is read at once, so that an error comes where the call is.
    """
    return _from(page, page(None))


def _from(page: Callable[[_T | None], Sequence[_T]], items: Sequence[_T]) -> Iterator[_T]:
    while items:
        yield from items
        items = page(items[-1]) if len(items) == PAGE_SIZE else ()


def _check_entrant(entrant: str, tournament: Tournament) -> None:
    entrants = tournament.definition.entrants
    if entrant not in entrants:
        close = get_close_matches(entrant, entrants, n=1)
        hint = f": did you mean {close[0]!r}?" if close else ""
        raise NotFound(
            f"{entrant[:60]!r} is no entrant of the tournament {tournament.slug!r}{hint}"
        )


def _deals(reader: StoreReader, game: Game, with_comments: bool) -> tuple[DealRecord, ...]:
    deals = (wire.unpack_deal(record) for _, record in reader.deals(game.id))
    if with_comments:
        return tuple(deals)
    return tuple(replace(deal, comments={}) if deal.comments else deal for deal in deals)
