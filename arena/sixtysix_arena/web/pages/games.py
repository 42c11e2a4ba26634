"""Games: the list of a tournament's, those of a pairing, and one of them."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from sixtysix.game_times import times
from sixtysix.outcome import Fault
from sixtysix.reports import GameInfo, TournamentState
from sixtysix_arena.queries import StoredArena, game_place
from sixtysix_arena.store import GameFilter
from sixtysix_arena.web.refusing import Refused
from sixtysix_arena.web.rendering import Page, Table

__all__ = ["game", "games", "pairing"]

LIST_COUNT = 100
RESULTS = ("won", "lost", "drawn", "void", "over", "open", "scheduled")
COLUMNS = ("game", "round", "entrant_0", "entrant_1", "state", "score_0", "score_1", "deals")


def games(request: Request) -> Page:
    """The games of a tournament in the order of the schedule, filtered, a page at a time."""
    stored: StoredArena = request.app.state.stored
    info = stored.tournament(request.path_params["slug"])
    wanted = _filter(request)
    lacks_bot = wanted.result in ("won", "lost") and not wanted.entrant
    if lacks_bot and request.scope.get("form"):
        raise Refused(400, "Won or lost by whom? Expected a bot too.")
    after = _after(request)
    found = () if lacks_bot else stored.filtered_games(info.slug, wanted, after, LIST_COUNT)
    return Page(
        "games.html.j2",
        {
            "info": info,
            "games": found,
            "wanted": wanted,
            "lacks_bot": lacks_bot,
            "results": RESULTS,
            "faults": tuple(Fault),
            "next": found[-1].number if len(found) == LIST_COUNT else None,
        },
        data=found,
        table=_table(found),
        status=400 if lacks_bot else 200,
        ruleset=info.rules.name,
    )


def pairing(request: Request) -> Page:
    """All games of two entrants, seen from the first one's side."""
    stored: StoredArena = request.app.state.stored
    slug, one, other = (request.path_params[name] for name in ("slug", "one", "other"))
    if one == other:
        raise Refused(400, "Expected two different entrants.")
    info = stored.tournament(slug)
    found = stored.filtered_games(slug, GameFilter(one, other), _after(request), LIST_COUNT)
    course = stored.course(slug)
    told = stored.statistics(slug) if course.board.round_count else None
    head = next(
        (
            each
            for each in (told.head_to_head if told is not None else ())
            if set(each.entrants) == {one, other}
        ),
        None,
    )
    return Page(
        "pairing.html.j2",
        {
            "info": info,
            "one": one,
            "seat": int(one.encode() > other.encode()),
            "other": other,
            "games": found,
            "cell": course.cells.get((one, other)),
            "head": head,
            "next": found[-1].number if len(found) == LIST_COUNT else None,
        },
        data={"entrants": [one, other], "games": found, "head_to_head": head},
        table=_table(found),
        ruleset=info.rules.name,
    )


def game(request: Request) -> Page:
    """One game: its deals, its times, and what went wrong."""
    stored: StoredArena = request.app.state.stored
    report = stored.game(request.path_params["game"])
    slug, number = game_place(report.game.game_id)
    info = stored.tournament(slug)
    score = [0, 0]
    scores = []
    for record in report.deals:
        if record.result is not None and record.result.winner is not None:
            score[record.result.winner] += record.result.game_points
        scores.append((score[0], score[1]))
    return Page(
        "game.html.j2",
        {
            "info": info,
            "game": report.game,
            "report": report,
            "deals": list(zip(report.deals, scores, strict=True)),
            "times": times(report),
            "before": number - 1 if number > 1 else None,
            "after": number + 1 if number < info.game_count else None,
            "is_finished": info.state is TournamentState.FINISHED,
        },
        data=report,
        ruleset=info.rules.name,
    )


def _filter(request: Request) -> GameFilter:
    said = request.query_params
    result, fault = said.get("result", ""), said.get("fault", "")
    if result and result not in RESULTS:
        raise Refused(400, "Expected result to be one of %(known)s.", known=", ".join(RESULTS))
    if fault and fault != "any" and fault not in tuple(Fault):
        known = ", ".join(["any", *Fault])
        raise Refused(400, "Expected fault to be one of %(known)s.", known=known)
    return GameFilter(said.get("bot", ""), said.get("against", ""), result, fault)


def _after(request: Request) -> int:
    said = request.query_params.get("after", "0")
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Refused(404, "There is no such page of games.")
    return int(said)


def _table(found: tuple[GameInfo, ...]) -> Table:
    rows: list[list[Any]] = [
        [
            each.game_id,
            each.round,
            *each.entrants,
            each.state,
            *each.score,
            each.deal_count,
            each.end,
            "" if each.winner is None else each.entrants[each.winner],
            each.fault,
            each.reason,
        ]
        for each in found
    ]
    return Table([*COLUMNS, "end", "winner", "fault", "reason"], rows)
