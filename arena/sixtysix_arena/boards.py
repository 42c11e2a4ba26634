"""Boards and what stands beside them: made once, and kept until something new counts.

A board changes when a round is complete. Then only the games of that round are read and
rated: ratings go on from where they were. What takes much room (games, histories, think
times) is kept of a limited number of games; a board alone is small, and kept longer.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from sixtysix import wire
from sixtysix.outcome import GameOutcome
from sixtysix.reports import Board, Statistics
from sixtysix.rules import RULESETS
from sixtysix_arena import standings, statistics
from sixtysix_arena.crosstable import Cell, cross_table
from sixtysix_arena.errors import NotReady
from sixtysix_arena.ratings import Rating, RunningRatings
from sixtysix_arena.schedule import ScheduledGame
from sixtysix_arena.standings import PlayedGame, PlayedTournament
from sixtysix_arena.statistics import ThinkTimes
from sixtysix_arena.store import StoreReader, Tournament

__all__ = ["BOARDS_KEPT", "GAMES_KEPT", "Boards", "Course", "versions_of"]

BOARDS_KEPT = 64
"""Tournaments whose boards are kept."""
GAMES_KEPT = 150_000
"""Games that boards were made of and that are kept: about half a kilobyte each."""
MAX_WAITING = 3
"""Where nobody is to wait long, so many wait for a board that is made for the first time."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Course:
    """How a tournament went, from the games that its board counts."""

    board: Board
    cells: Mapping[tuple[str, str], Cell]
    """Who won against whom, by row and column."""
    history: Sequence[Mapping[str, Rating]]
    """Ratings before the first round, and after each."""


class _Turn:
    """One at a time makes something; the others wait, or do with what there was."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = 0

    @contextmanager
    def taken(self, limit: int | None) -> Iterator[None]:
        """Raises NotReady where already `limit` others wait."""
        if not self._lock.acquire(blocking=False):
            if limit is not None and self._waiting >= limit:
                raise NotReady("this is counted for the first time: come again in a moment")
            self._waiting += 1  # A count that is off by one for a moment does no harm.
            try:
                self._lock.acquire()
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            self._lock.release()

    @property
    def is_taken(self) -> bool:
        """Whether somebody makes it just now."""
        return self._lock.locked()


class _Games:
    """The games of whole rounds, and what came of them so far."""

    def __init__(self, entrants: Sequence[str]) -> None:
        self.games: list[PlayedGame] = []
        self.ratings = RunningRatings(entrants)
        self.history = [self.ratings.current()]
        self.times: dict[int, ThinkTimes] = {}

    @property
    def round_count(self) -> int:
        return len(self.history) - 1

    def add(self, played: Sequence[tuple[ScheduledGame, GameOutcome]], round_count: int) -> None:
        """The games of the rounds up to `round_count`, those that are here already left out."""
        by_round: list[list[PlayedGame]] = [[] for _ in range(self.round_count, round_count)]
        first = self.round_count + 1
        for game, outcome in played:
            by_round[game.round - first].append(PlayedGame(game, outcome))
        for games in by_round:
            self.ratings.add((each.game.entrants, each.outcome) for each in games)
            self.history.append(self.ratings.current())
            self.games += games


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """Statistics with what they were made from."""

    board: Board
    owners: Mapping[str, str]
    statistics: Statistics

    def are_of(self, board: Board, owners: Mapping[str, str]) -> bool:
        return self.board is board and self.owners == owners


@dataclass(eq=False)
class _Standing:
    """What is kept of a tournament."""

    basis: Hashable = None
    """As long as this and the number of whole rounds are the same, nothing new counts."""
    board: Board | None = None
    games: _Games | None = None
    course: Course | None = None
    statistics: _Kept | None = None
    board_turn: _Turn = field(default_factory=_Turn)
    rest_turn: _Turn = field(default_factory=_Turn)
    """A turn of their own: boards do not wait while deals are looked through."""


class Boards:
    """The boards of an arena, out of its store. May be used from any thread."""

    def __init__(self, reader: StoreReader, *, is_patient: bool = True) -> None:
        """Whoever is not patient is shown the last board while a newer one is made."""
        self._reader = reader
        self._is_patient = is_patient
        self._limit = None if is_patient else MAX_WAITING
        self._standings: dict[str, _Standing] = {}
        self._keeping = threading.Lock()
        self._standing_boards: dict[str, tuple[Hashable, Board]] = {}
        self._standing_turns = {name: _Turn() for name in RULESETS}

    def board(self, slug: str) -> Board:
        """The board of a tournament."""
        self._reader.last_number(slug)  # Nothing is kept of what there is not.
        standing = self._standing(slug)
        if standing.board is not None and self._is_shown(standing.board_turn):
            return standing.board
        with standing.board_turn.taken(self._limit), self._reader.snapshot() as reader:
            return self._board(reader, reader.tournament(slug), standing)

    def board_in(self, reader: StoreReader, tournament: Tournament) -> Board:
        """The same as a snapshot has it, however long it takes."""
        standing = self._standing(tournament.slug)
        with standing.board_turn.taken(None):
            return self._board(reader, tournament, standing)

    def course(self, slug: str) -> Course:
        """How a tournament went, by pairing and by round: from the games that its board counts."""
        board = self.board(slug)
        standing = self._standing(slug)
        if standing.course is not None and self._is_shown(standing.rest_turn):
            return standing.course
        with standing.rest_turn.taken(self._limit):
            course = standing.course
            if course is None or course.board is not board:
                with standing.board_turn.taken(self._limit), self._reader.snapshot() as reader:
                    games = self._games(reader, reader.tournament(slug), standing)
                    board, played = standing.board or board, tuple(games.games)
                    history = tuple(games.history)
                course = standing.course = Course(board, cross_table(played), history)
            return course

    def statistics(self, slug: str) -> Statistics:
        """What stands beside the board of a tournament."""
        board = self.board(slug)
        owners = self._reader.owners(slug)
        standing = self._standing(slug)
        kept = standing.statistics
        if kept is not None and (kept.are_of(board, owners) or self._is_shown(standing.rest_turn)):
            return kept.statistics
        with standing.rest_turn.taken(self._limit):
            kept = standing.statistics
            if kept is None or not kept.are_of(board, owners):
                with standing.board_turn.taken(self._limit), self._reader.snapshot() as reader:
                    games = self._games(reader, reader.tournament(slug), standing)
                    board, played = standing.board or board, tuple(games.games)
                with self._reader.snapshot() as reader:
                    _time(reader, board.slug, played, games.times)
                made = statistics.statistics(board, played, games.times, owners)
                kept = standing.statistics = _Kept(board, owners, made)
            return kept.statistics

    def standing_board(self, ruleset: str) -> Board:
        """The standing board of a rule set, over all ranked tournaments.

        Raises UnknownRuleset if there is no such rule set.
        """
        ruleset = RULESETS[ruleset].name
        turn = self._standing_turns[ruleset]
        kept = self._standing_boards.get(ruleset)
        if kept is not None and self._is_shown(turn):
            return kept[1]
        with turn.taken(self._limit), self._reader.snapshot() as reader:
            ranked = reader.ranked_tournaments(ruleset)
            seen = tuple(tournament.slug for tournament in ranked)
            kept = self._standing_boards.get(ruleset)
            if kept is None or kept[0] != seen:
                played = (_played(reader, tournament) for tournament in ranked)
                kept = seen, standings.standing_board(ruleset, played)
                self._standing_boards[ruleset] = kept
            return kept[1]

    def _is_shown(self, turn: _Turn) -> bool:
        """Whether what there is, is shown while something newer is made."""
        return not self._is_patient and turn.is_taken

    def _standing(self, slug: str) -> _Standing:
        """What is kept of a tournament that there is; of the others the oldest go."""
        with self._keeping:
            standing = self._standings.pop(slug, None) or _Standing()
            self._standings[slug] = standing
            while len(self._standings) > BOARDS_KEPT:
                del self._standings[next(iter(self._standings))]
            game_count = 0
            for other in reversed(self._standings.values()):
                if other.games is not None:
                    game_count += len(other.games.games)
                    if game_count > GAMES_KEPT and other is not standing:
                        # What is small stays: the board, and what is said beside it.
                        other.games = other.course = None
            return standing

    def _board(self, reader: StoreReader, tournament: Tournament, standing: _Standing) -> Board:
        """For whoever has the turn to make the board."""
        basis, total = self._basis(reader, tournament)
        rounds = reader.rounds(tournament.slug)
        board = standing.board
        if board is not None and (standing.basis, board.round_count) == (basis, rounds.whole):
            return board
        games = self._games(reader, tournament, standing)
        board = standings.board_of(
            games.games,
            slug=tournament.slug,
            ruleset=tournament.definition.rules.name,
            versions=versions_of(tournament),
            final=bool(total) and len(games.games) == total,
            practice=tournament.practice,
            round_count=rounds.whole,
            rounds_total=rounds.total,
            ratings=games.ratings.current(),
        )
        standing.board = board
        return board

    def _games(self, reader: StoreReader, tournament: Tournament, standing: _Standing) -> _Games:
        """The games that count now; for whoever has the turn to make the board."""
        basis, _ = self._basis(reader, tournament)
        whole = reader.rounds(tournament.slug).whole
        games = standing.games
        if games is None or standing.basis != basis or games.round_count > whole:
            games = _Games(tournament.definition.entrants)
        if games.round_count < whole:
            played = reader.played_games(tournament.slug, games.round_count, whole)
            games.add(played, whole)
        standing.basis, standing.games = basis, games
        return games

    def _basis(self, reader: StoreReader, tournament: Tournament) -> tuple[Hashable, int]:
        """What a board depends on besides the number of whole rounds, and how many games exist.

        A game that is over changes by the organiser's hand alone: it was made void, and
        may have been played anew and ended otherwise.
        """
        total = reader.last_number(tournament.slug)
        versions = tuple(versions_of(tournament).items())
        actions = len(reader.actions(tournament.slug))
        # Another tournament may have the slug of one that was removed.
        return (tournament.definition, versions, total, actions), total


def versions_of(tournament: Tournament) -> dict[str, str]:
    """The version of each entrant, empty where it is not known yet."""
    return {name: tournament.versions.get(name, "") for name in tournament.definition.entrants}


def _time(
    reader: StoreReader, slug: str, games: Sequence[PlayedGame], times: dict[int, ThinkTimes]
) -> None:
    """Adds the think times of the games that are timed and have none yet."""
    rules = reader.tournament(slug).definition.rules
    numbers = [timed.game.number for timed in statistics.timed_games(games)]
    for number in numbers:
        if number not in times:
            records = reader.deals(reader.game(slug, number).id)
            deals = [wire.unpack_deal(record) for _, record in records]
            times[number] = statistics.think_times(rules, deals)
    for number in times.keys() - set(numbers):
        del times[number]


def _played(reader: StoreReader, tournament: Tournament) -> PlayedTournament:
    whole = reader.rounds(tournament.slug).whole
    return PlayedTournament(
        versions=versions_of(tournament),
        games=[PlayedGame(*each) for each in reader.played_games(tournament.slug, 0, whole)],
        practice=tournament.practice,
    )
