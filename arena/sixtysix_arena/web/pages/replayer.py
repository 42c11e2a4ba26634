"""The replayer: a deal card by card, every moment of it at an address of its own."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from sixtysix.api import GameReport
from sixtysix.record import DealRecord
from sixtysix.rules import IllegalMove
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.charts import race
from sixtysix_arena.web.refusing import Refused
from sixtysix_arena.web.rendering import Page
from sixtysix_arena.web.replaying import Replay, replay_of

__all__ = ["replayer"]

BOTH = "both"
SEATS = {"0": (0,), "1": (1,), BOTH: (0, 1)}


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody looks at a deal: at which moment, at whose hands, from which side."""

    path: str
    ply: int
    seat: str
    bottom: int

    def url(
        self, ply: int | None = None, seat: str | None = None, bottom: int | None = None
    ) -> str:
        """The address of another look at the same deal."""
        ply = self.ply if ply is None else ply
        seat = self.seat if seat is None else seat
        bottom = self.bottom if bottom is None else bottom
        address = f"{self.path}?ply={ply}"
        if seat != BOTH:
            address += f"&seat={seat}"
        return address if bottom == 0 else f"{address}&bottom={bottom}"


def replayer(request: Request) -> Page:
    """A deal at the moment that the address names; at its end if it names none."""
    stored: StoredArena = request.app.state.stored
    report = stored.game(request.path_params["game"])
    number = request.path_params["deal"]
    place = next((place for place, each in enumerate(report.deals) if each.deal == number), None)
    if place is None:
        raise Refused(
            404,
            "There is no deal %(deal)s in the game %(game)s that is over.",
            deal=number,
            game=report.game.game_id,
        )
    record = report.deals[place]
    replay = _replayed(report, record)
    look = _look(request, replay)
    info = stored.tournament(report.game.game_id.rpartition(".")[0])
    return Page(
        "replayer.html.j2",
        {
            "report": report,
            "game": report.game,
            "tournament": info,
            "record": record,
            "replay": replay,
            "frame": replay.frames[look.ply],
            "look": look,
            "open_seats": SEATS[look.seat],
            "race": race(replay.race),
            "score": _score_before(report, place),
            "score_after": _score_before(report, place + 1),
            "has_stars": replay.has_stars,
            "previous": report.deals[place - 1].deal if place else None,
            "next": report.deals[place + 1].deal if place + 1 < len(report.deals) else None,
        },
        data={"game": report.game, "rules": report.rules, "deal": record},
        ruleset=report.rules.name,
    )


def _replayed(report: GameReport, record: DealRecord) -> Replay:
    try:
        return replay_of(report.rules, record)
    except IllegalMove as error:
        raise Refused(
            400, "The record of this deal does not follow the rules: %(error)s", error=error
        ) from error


def _look(request: Request, replay: Replay) -> Look:
    said = request.query_params
    ply = said.get("ply", "")
    seat = said.get("seat", BOTH)
    bottom = said.get("bottom", "0")
    last = replay.last_ply
    is_ply = ply.isascii() and ply.isdigit() and len(ply) < 4 and int(ply) <= last
    if ply and not is_ply:
        raise Refused(400, "Expected ply to be 0 to %(last)s.", last=last)
    if seat not in SEATS:
        raise Refused(400, "Expected seat to be 0, 1 or both.")
    if bottom not in ("0", "1"):
        raise Refused(400, "Expected bottom to be 0 or 1.")
    return Look(request.url.path, int(ply) if ply else last, seat, int(bottom))


def _score_before(report: GameReport, place: int) -> tuple[int, int]:
    score = [0, 0]
    for record in report.deals[:place]:
        if record.result is not None and record.result.winner is not None:
            score[record.result.winner] += record.result.game_points
    return score[0], score[1]
