"""The replayer: a deal card by card, every moment of it at an address of its own."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from sixtysix.api import GameReport
from sixtysix.record import DealRecord
from sixtysix.rules import IllegalMove
from sixtysix_arena.errors import Invalid, NotFound
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.charts import race
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
        raise NotFound(f"there is no deal {number} in {report.game.game_id} that is over")
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
    )


def _replayed(report: GameReport, record: DealRecord) -> Replay:
    try:
        return replay_of(report.rules, record)
    except IllegalMove as error:
        raise Invalid(f"the record of this deal does not follow the rules: {error}") from error


def _look(request: Request, replay: Replay) -> Look:
    said = request.query_params
    ply = said.get("ply", "")
    seat = said.get("seat", BOTH)
    bottom = said.get("bottom", "0")
    if (ply and not (ply.isascii() and ply.isdigit() and len(ply) < 4)) or seat not in SEATS:
        raise Invalid("expected ply to be a number, and seat to be 0, 1 or both")
    last = replay.last_ply
    return Look(request.url.path, min(int(ply), last) if ply else last, seat, int(bottom == "1"))


def _score_before(report: GameReport, place: int) -> tuple[int, int]:
    score = [0, 0]
    for record in report.deals[:place]:
        if record.result is not None and record.result.winner is not None:
            score[record.result.winner] += record.result.game_points
    return score[0], score[1]
