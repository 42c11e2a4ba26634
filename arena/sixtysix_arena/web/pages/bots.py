"""A bot: where it played, whom it beats, what it did wrong, how long it thinks."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from sixtysix.names import HOUSE
from sixtysix.outcome import Fault
from sixtysix.reports import BoardRow, BotInfo, TournamentInfo
from sixtysix_arena.crosstable import Cell
from sixtysix_arena.errors import NotFound
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.charts import history
from sixtysix_arena.web.refusing import Refused
from sixtysix_arena.web.rendering import Page, Table

__all__ = ["bot"]

TOURNAMENT_COUNT = 20
"""The latest tournaments, which the figures of the page are of."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """A bot in one tournament."""

    info: TournamentInfo
    row: BoardRow
    entrant_count: int
    think_p95_ms: int | None


def bot(request: Request) -> Page:
    """One bot, with its latest tournaments."""
    stored: StoredArena = request.app.state.stored
    name = request.path_params["name"]
    about = _about(stored, name)
    infos = stored.tournaments_of(name, TOURNAMENT_COUNT)
    if about is None and not infos:
        raise Refused(404, "There is no bot %(name)s here.", name=name[:60])
    appearances: list[Appearance] = []
    against: dict[str, Cell] = {}
    met: dict[str, TournamentInfo] = {}
    faults: dict[Fault, list[tuple[TournamentInfo, int]]] = {}
    latest = None
    for info in infos:
        course = stored.course(info.slug)
        row = next((row for row in course.board.rows if row.entrant == name), None)
        if row is None or not row.games + row.void:
            continue
        latest = latest or course
        told = {each.entrant: each for each in stored.statistics(info.slug).entrants}
        p95 = told[name].think_p95_ms if name in told else None
        appearances.append(Appearance(info, row, len(course.board.rows), p95))
        for fault, count in row.faults.items():
            faults.setdefault(fault, []).append((info, count))
        for other in (row.entrant for row in course.board.rows):
            if (cell := course.cells.get((name, other))) is not None:
                met.setdefault(other, info)
                against[other] = _sum(against.get(other, Cell()), cell)
    ordered = sorted(against.items(), key=lambda each: (-(each[1].share or 0), each[0]))
    return Page(
        "bot.html.j2",
        {
            "name": name,
            "about": about,
            "appearances": appearances,
            "against": ordered,
            "met": met,
            "faults": sorted(faults.items(), key=lambda each: -sum(n for _, n in each[1])),
            "entered": infos,
            "history": history(latest.history, [name]) if latest is not None else None,
            "latest": appearances[0] if appearances else None,
            "is_house": name.startswith(HOUSE),
        },
        data={
            "name": name,
            "bot": about,
            "tournaments": [{"slug": each.info.slug, "row": each.row} for each in appearances],
            "against": dict(ordered),
        },
        table=Table(
            ["opponent", "won", "drawn", "lost", "game_points_for", "game_points_against"],
            [
                [
                    other,
                    cell.won,
                    cell.drawn,
                    cell.lost,
                    cell.game_points_for,
                    cell.game_points_against,
                ]
                for other, cell in ordered
            ],
        ),
    )


def _about(stored: StoredArena, name: str) -> BotInfo | None:
    """What was registered of a bot; nothing of a house bot."""
    if name.startswith(HOUSE):
        return None
    try:
        return stored.bot(name)
    except NotFound:
        return None


def _sum(one: Cell, other: Cell) -> Cell:
    return Cell(
        one.won + other.won,
        one.drawn + other.drawn,
        one.lost + other.lost,
        one.game_points_for + other.game_points_for,
        one.game_points_against + other.game_points_against,
    )
