"""What the organiser does by hand, each within the transaction of its caller.

Whatever is done leaves a row in `action`: when, what, to what, and why.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_update

from sixtysix.outcome import GameEnd
from sixtysix.reports import ActionInfo, ActionKind, GameState, TournamentState
from sixtysix_arena.errors import WrongState
from sixtysix_arena.extending import extension_text
from sixtysix_arena.store import models
from sixtysix_arena.store.rows import Game, Tournament

__all__ = [
    "check_seed",
    "end_tournament",
    "extend_joining",
    "note_actions",
    "note_disabled",
    "void_game",
]

_action, _deal, _entrant = models.action, models.deal, models.entrant
_fault, _game, _tournament = models.fault, models.game, models.tournament


def end_tournament(
    connection: Connection, tournament: Tournament, game_reason: str, reason: str, at: str
) -> None:
    """Makes the games void that were not begun; those that were are the caller's to end."""
    if tournament.state not in (TournamentState.RUNNING, TournamentState.STOPPED):
        never = tournament.state is TournamentState.CREATED
        raise WrongState(
            f"the tournament {tournament.slug!r} is {tournament.state}: only one that was started"
            " and is not over can be ended" + "; 'sixtysix tournament remove' removes it" * never
        )
    check_seed(tournament)
    connection.execute(
        update(_game)
        .where(_game.c.tournament_id == tournament.id, _game.c.state == GameState.SCHEDULED)
        .values(state=GameState.OVER, end=GameEnd.VOID, reason=game_reason)
    )
    _note(connection, tournament.id, ActionKind.ENDED, "", reason, at)


def extend_joining(
    connection: Connection, tournament: Tournament, by_ms: int, reason: str, at: str
) -> None:
    """Lengthens the time for joining."""
    _check_unfinished(tournament)
    connection.execute(
        update(_tournament)
        .where(_tournament.c.id == tournament.id)
        .values(join_extra_ms=_tournament.c.join_extra_ms + by_ms)
    )
    told = extension_text(by_ms, reason)
    _note(connection, tournament.id, ActionKind.EXTENDED, "", told, at)


def void_game(
    connection: Connection,
    tournament: Tournament,
    game: Game,
    deals: Sequence[tuple[int, bytes]],
    reason: str,
    at: str,
) -> None:
    """Sets a game back to its beginning; `deals` are the records of all that was dealt, void."""
    _check_unfinished(tournament)
    if game.state is GameState.SCHEDULED:
        raise WrongState(f"the game {game.public_id} has not begun: there is nothing to make void")
    record = insert_or_update(_deal)
    record = record.on_conflict_do_update(
        index_elements=["game_id", "number"], set_={"record": record.excluded.record}
    )
    if deals:
        connection.execute(
            record, [{"game_id": game.id, "number": n, "record": data} for n, data in deals]
        )
    # What a seat did wrong went with the game; the next play of it begins without.
    connection.execute(delete(_fault).where(_fault.c.game_id == game.id))
    connection.execute(
        update(_game)
        .where(_game.c.id == game.id)
        .values(
            state=GameState.SCHEDULED,
            deals_started=len(deals),
            score0=0,
            score1=0,
            deal_count=0,
            end=None,
            winner=None,
            fault=None,
            reason="",
        )
    )
    _note(connection, tournament.id, ActionKind.VOIDED, game.public_id, reason, at)


def note_disabled(connection: Connection, name: str, reason: str, at: str) -> None:
    """Notes that a bot was disabled, for itself and with each of its unfinished tournaments."""
    _note(connection, None, ActionKind.DISABLED, name, reason, at)
    mine = (
        select(
            bindparam("at", at),
            _tournament.c.id,
            bindparam("kind", str(ActionKind.DISABLED)),
            bindparam("subject", name),
            bindparam("reason", reason),
        )
        .join(_entrant, _entrant.c.tournament_id == _tournament.c.id)
        .where(_entrant.c.entrant_id == name, _tournament.c.state != TournamentState.FINISHED)
        .order_by(_tournament.c.id)
    )
    columns = ["at", "tournament_id", "kind", "subject", "reason"]
    connection.execute(insert(_action).from_select(columns, mine))


def note_actions(
    connection: Connection, tournament: Tournament, actions: Sequence[ActionInfo]
) -> None:
    """Notes what the organiser of a tournament did before it came here."""
    for each in actions:
        _note(connection, tournament.id, each.kind, each.subject, each.reason, each.at)


def _check_unfinished(tournament: Tournament) -> None:
    if tournament.state is TournamentState.FINISHED:
        raise WrongState(
            f"the tournament {tournament.slug!r} is finished and its seed is public: nothing of it"
            " can be changed any more"
        )
    check_seed(tournament)


def check_seed(tournament: Tournament) -> None:
    """Raises WrongState for a tournament without a seed: nothing of it is played any more."""
    if not tournament.seed:
        raise WrongState(
            f"the tournament {tournament.slug!r} cannot go on: it came back from a record of before"
            " its end, and its seed is in none; create another one"
        )


def _note(
    connection: Connection,
    tournament: int | None,
    kind: ActionKind,
    subject: str,
    reason: str,
    at: str,
) -> None:
    connection.execute(
        insert(_action).values(
            at=at, tournament_id=tournament, kind=str(kind), subject=subject, reason=reason
        )
    )
