"""Tournaments: the list of them, and each with its board, cross table and history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from sixtysix.plain import plain
from sixtysix.reports import Board, BoardRow, EntrantStatistics, TournamentInfo, TournamentState
from sixtysix_arena.crosstable import Cell
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.charts import Bar, bars, history
from sixtysix_arena.web.live import shown
from sixtysix_arena.web.refusing import Refused
from sixtysix_arena.web.rendering import Page, Table
from sixtysix_arena.web.sofar import games_so_far

__all__ = ["BoardLine", "board_lines", "board_table", "cross", "told", "tournament", "tournaments"]

LIST_COUNT = 100
LIST_COLUMNS = (
    *("slug", "name", "rules", "state", "entrants"),
    *("games", "games_over", "games_void", "created_at"),
)
CROSS_COUNT = 30
"""Entrants in the cross table of the page; the whole one is in its CSV."""
HISTORY_COUNT = 6
"""Lines that can be told apart."""
OWNERS_COUNT = 10
"""Pairings of bots of one owner: what is odd comes first."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A row of the board with what is drawn beside it."""

    row: BoardRow
    bar: Bar
    statistics: EntrantStatistics | None
    above: EntrantStatistics | None = None
    """What is known of the entrant one place above."""

    @property
    def points_per_deal(self) -> float | None:
        """Game points of a deal minus the opponent's."""
        row = self.row
        if not row.deals:
            return None
        return (row.game_points_for - row.game_points_against) / row.deals

    @property
    def is_joined(self) -> bool:
        """Whether the games cannot tell this entrant from the one above."""
        return self.above is not None and self.above.separated is False


def tournaments(request: Request) -> Page:
    """All tournaments, the latest first, a page at a time."""
    stored: StoredArena = request.app.state.stored
    after = request.query_params.get("after", "")
    if after:
        stored.tournament(after)
    infos = [stored.with_void_count(each) for each in stored.tournaments_page(after, LIST_COUNT)]
    return Page(
        "tournaments.html.j2",
        {
            "tournaments": infos,
            "next": infos[-1].slug if len(infos) == LIST_COUNT else None,
        },
        data=[told(each, is_listed=True) for each in infos],
        table=Table(
            LIST_COLUMNS,
            [
                [
                    each.slug,
                    each.name,
                    each.rules.name,
                    each.state,
                    len(each.entrants),
                    each.game_count,
                    each.games_over_count,
                    each.games_void_count,
                    each.created_at,
                ]
                for each in infos
            ],
        ),
    )


def tournament(request: Request) -> Page:
    """How a tournament stands: its board, who beats whom, how it went."""
    stored: StoredArena = request.app.state.stored
    slug = request.path_params["slug"]
    info = stored.with_void_count(stored.tournament(slug))
    lines = board_lines(stored, info)
    course = stored.course(slug)
    names = [line.row.entrant for line in lines]
    chosen = request.query_params.get("bot", "")
    drawn = names[:HISTORY_COUNT]
    so_far = games_so_far(stored, info, course.board.round_count)
    statistics = stored.statistics(slug) if course.board.round_count else None
    if chosen in names and chosen not in drawn:
        drawn[-1] = chosen
    return Page(
        "tournament.html.j2",
        {
            "info": info,
            "is_live": info.state is not TournamentState.FINISHED,
            "shown": shown(info, course.board.round_count),
            "board": course.board,
            "so_far": so_far,
            "lines": lines,
            "course": course,
            "cross_names": names[:CROSS_COUNT],
            "is_cut": len(names) > CROSS_COUNT,
            "history": history(course.history, drawn) if course.board.round_count else None,
            "chosen": chosen if chosen in names else None,
            "statistics": statistics,
            "owners_count": OWNERS_COUNT,
            "absent": stored.not_yet_joined(slug),
            "is_all_void": _is_all_void(course.board),
        },
        data={
            "tournament": told(info),
            "board": course.board,
            "so_far": so_far,
            "owner_pairings": statistics.owner_pairings if statistics else [],
        },
        table=board_table(course.board, is_ranked=course.board.round_count > 0),
        ruleset=info.rules.name,
    )


def _is_all_void(board: Board) -> bool:
    """Whether games count, and all of them are void."""
    return any(row.void for row in board.rows) and not any(row.games for row in board.rows)


def told(info: TournamentInfo, *, is_listed: bool = False) -> dict[str, Any]:
    """A tournament as data, with what pages know of it; where there is no seed yet, there is none.

    Who is connected, and whom an arena waits for, the arena alone knows. Faults stand in the
    board, and in lists nothing is read of what the organiser did by hand.
    """
    data = {**plain(info), "seed": info.seed or None}
    data["entrants"] = [{"id": each.id, "version": each.version} for each in info.entrants]
    if not info.waiting_for:
        del data["waiting_for"]
    if is_listed:
        del data["actions"]
    return data


def board_lines(stored: StoredArena, info: TournamentInfo) -> list[BoardLine]:
    """The board of a tournament, row by row, with bars and statistics."""
    board = stored.board(info.slug)
    told = stored.statistics(info.slug).entrants if board.round_count else ()
    by_entrant = {each.entrant: each for each in told}
    drawn = bars([(row.mu, row.sigma) for row in board.rows])
    return [
        BoardLine(row, bar, by_entrant.get(row.entrant), by_entrant.get(above))
        for row, bar, above in zip(
            board.rows, drawn, ("", *(row.entrant for row in board.rows[:-1])), strict=True
        )
    ]


def cross(request: Request) -> Page:
    """Who won against whom, for all entrants: as data alone."""
    stored: StoredArena = request.app.state.stored
    course = stored.course(request.path_params["slug"])
    names = [row.entrant for row in course.board.rows]
    if not request.scope.get("form"):
        raise Refused(404, "The cross table is on the page of its tournament.")
    rows = [[row, *(_share(course.cells.get((row, column))) for column in names)] for row in names]
    return Page(
        "error.html.j2",
        data={"entrants": names, "shares": [row[1:] for row in rows]},
        table=Table(["entrant", *names], rows),
    )


def _share(cell: Cell | None) -> float | None:
    return None if cell is None or cell.share is None else round(cell.share, 4)


def board_table(board: Board, *, is_ranked: bool = True) -> Table:
    """A board for spreadsheets; the ranks are empty where there are none yet."""
    columns = ["rank", "entrant", "version", "rating", "mu", "sigma", "games", "won", "drawn"]
    columns += ["lost", "void", "deals", "game_points_for", "game_points_against", "faults"]
    return Table(
        columns,
        [
            [
                row.rank if is_ranked else None,
                *(getattr(row, name) for name in columns[1:-1]),
                sum(row.faults.values()),
            ]
            for row in board.rows
        ],
    )
