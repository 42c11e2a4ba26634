"""From the outcomes of games to the board: who stands where, and why.

Everything follows from the schedule and from outcomes keyed by game number;
the order in which games finished cannot show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from sixtysix.outcome import Fault, GameOutcome
from sixtysix.reports import Board, BoardRow
from sixtysix.tally import EntrantTally
from sixtysix_arena.ratings import Rating, rate
from sixtysix_arena.schedule import ScheduledGame

__all__ = [
    "PlayedGame",
    "PlayedTournament",
    "board",
    "board_of",
    "canonical",
    "counted_games",
    "standing_board",
]

_Key = tuple[str, str]
"""Who a row is about: an entrant's id and version."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that is over."""

    game: ScheduledGame
    outcome: GameOutcome


@dataclass(frozen=True, slots=True)
class PlayedTournament:
    """What a tournament adds to the standing board: versions by entrant id, and games."""

    versions: Mapping[str, str]
    games: Sequence[PlayedGame]
    practice: bool = False


def counted_games(
    schedule: Iterable[ScheduledGame], outcomes: Mapping[int, GameOutcome]
) -> tuple[PlayedGame, ...]:
    """Return the games of the longest run of whole rounds from the first, in schedule order.

    `outcomes` maps the numbers of the games that are over, void ones included.
    Raises ValueError if a number is not in the schedule.
    """
    ordered = sorted(schedule, key=lambda game: game.number)
    strangers = outcomes.keys() - {game.number for game in ordered}
    if strangers:
        raise ValueError(f"outcome of game {min(strangers)}, which is not in the schedule")
    round_count = _whole_rounds(ordered, outcomes)
    return tuple(
        PlayedGame(game, outcomes[game.number]) for game in ordered if game.round <= round_count
    )


def board(
    *,
    slug: str,
    ruleset: str,
    versions: Mapping[str, str],
    schedule: Sequence[ScheduledGame],
    outcomes: Mapping[int, GameOutcome],
    practice: bool = False,
) -> Board:
    """Return the board of a tournament, of whole rounds only until every game is over.

    `versions` maps every entrant's id to its version, empty if it is not known.
    """
    games = counted_games(schedule, outcomes)
    return board_of(
        games,
        slug=slug,
        ruleset=ruleset,
        versions=versions,
        final=bool(schedule) and len(games) == len(schedule),
        practice=practice,
        round_count=_whole_rounds(schedule, outcomes),
        rounds_total=_rounds_total(schedule),
    )


def board_of(
    games: Sequence[PlayedGame],
    *,
    slug: str,
    ruleset: str,
    versions: Mapping[str, str],
    final: bool,
    practice: bool,
    round_count: int,
    rounds_total: int,
    ratings: Mapping[str, Rating] | None = None,
) -> Board:
    """Return the board of the games that count, in schedule order.

    `ratings` are theirs if somebody has rated them already.
    """
    rows = _rows(
        versions.items(),
        [(_keys(played, versions), played.outcome) for played in games],
        None
        if ratings is None
        else {(entrant, versions[entrant]): rating for entrant, rating in ratings.items()},
    )
    return Board(
        slug=slug,
        ruleset=ruleset,
        final=final,
        practice=practice,
        round_count=round_count,
        rounds_total=rounds_total,
        rows=rows,
        canonical=_canonical_text(rows),
    )


def standing_board(ruleset: str, tournaments: Iterable[PlayedTournament]) -> Board:
    """Return the board of a rule set: one row for each name and version that played.

    `tournaments` come in the order in which their games are to be rated;
    practice tournaments among them are left out. A standing board is never
    final and has no rounds.
    """
    results = [
        (_keys(played, tournament.versions), played.outcome)
        for tournament in tournaments
        if not tournament.practice
        for played in sorted(tournament.games, key=lambda played: played.game.number)
    ]
    rows = _rows({key for keys, _ in results for key in keys}, results)
    return Board(
        slug="",
        ruleset=ruleset,
        final=False,
        practice=False,
        round_count=0,
        rounds_total=0,
        rows=rows,
        canonical=_canonical_text(rows),
    )


def canonical(board: Board) -> bytes:
    """Return ranks, ratings, results and faults as canonical JSON, for comparing byte for byte."""
    return _canonical_text(board.rows).encode()


def _rounds_total(schedule: Iterable[ScheduledGame]) -> int:
    return max((game.round for game in schedule), default=0)


def _whole_rounds(schedule: Sequence[ScheduledGame], outcomes: Mapping[int, GameOutcome]) -> int:
    unfinished = (game.round for game in schedule if game.number not in outcomes)
    return min(unfinished, default=_rounds_total(schedule) + 1) - 1


def _keys(played: PlayedGame, versions: Mapping[str, str]) -> tuple[_Key, _Key]:
    low, high = played.game.entrants
    return (low, versions[low]), (high, versions[high])


def _rows(
    entrants: Iterable[_Key],
    results: Sequence[tuple[tuple[_Key, _Key], GameOutcome]],
    ratings: Mapping[_Key, Rating] | None = None,
) -> tuple[BoardRow, ...]:
    tallies = {key: EntrantTally() for key in entrants}
    for keys, outcome in results:
        for seat, key in enumerate(keys):
            tallies[key].add(seat, outcome)
    if ratings is None:
        ratings = rate(tallies, results)
    # What is shown equal is equal: digits that differ between machines must not decide.
    ranked = sorted(
        tallies,
        key=lambda key: (-float(_shown(ratings[key].conservative)), *map(str.encode, key)),
    )
    return tuple(
        _row(rank, key, ratings[key], tallies[key]) for rank, key in enumerate(ranked, start=1)
    )


def _row(rank: int, key: _Key, rating: Rating, tally: EntrantTally) -> BoardRow:
    entrant, version = key
    return BoardRow(
        rank=rank,
        entrant=entrant,
        version=version,
        mu=rating.mu,
        sigma=rating.sigma,
        rating=rating.conservative,
        games=tally.games,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        deals=tally.deals,
        game_points_for=tally.game_points_for,
        game_points_against=tally.game_points_against,
        void=tally.void,
        faults={fault: tally.faults[fault] for fault in Fault if tally.faults[fault]},
    )


def _shown(value: float) -> str:
    """Return a rating as boards show it, without a negative zero."""
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def _canonical_text(rows: Iterable[BoardRow]) -> str:
    content = [
        asdict(row)
        | {"mu": _shown(row.mu), "sigma": _shown(row.sigma), "rating": _shown(row.rating)}
        for row in rows
    ]
    return json.dumps({"rows": content}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
