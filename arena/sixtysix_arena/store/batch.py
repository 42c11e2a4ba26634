"""What a tick makes durable, in one transaction and few statements.

A batch may be committed again when it is not known whether it was: then it
changes nothing. What contradicts what is stored is a mistake of ours, raises,
and leaves nothing of its batch behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Executable,
    bindparam,
    case,
    delete,
    exists,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from sixtysix.reports import GameState
from sixtysix_arena.errors import Invalid
from sixtysix_arena.store import convert, models
from sixtysix_arena.store.rows import (
    DealOver,
    DealStarted,
    Event,
    FaultEvidence,
    GameOpened,
    GameOver,
    MovesMade,
)

__all__ = ["write"]

_game, _deal, _fault, _journal = models.game, models.deal, models.fault, models.journal
_SCHEDULED, _OPEN, _OVER = (str(state) for state in GameState)
_this_game = _game.c.id == bindparam("game")

_OPEN_GAME = (
    update(_game)
    .where(_this_game)
    .values(
        {
            column: case((_game.c.state == _SCHEDULED, new), else_=column)
            for column, new in (
                (_game.c.state, literal(_OPEN)),
                # Who is asked is settled once for the whole game.
                (_game.c.question0, bindparam("new_question0")),
                (_game.c.question1, bindparam("new_question1")),
            )
        }
    )
)
_START_DEAL = (
    update(_game)
    .where(_this_game)
    .values(
        deals_started=case(
            (_game.c.deals_started > bindparam("deal"), _game.c.deals_started),
            else_=bindparam("deal") + 1,
        )
    )
)
# Runs before the deal is inserted, so that a batch that is written again counts nothing twice.
_COUNT_DEAL = (
    update(_game)
    .where(
        _this_game,
        _game.c.state != _OVER,
        ~exists().where(_deal.c.game_id == bindparam("game"), _deal.c.number == bindparam("deal")),
    )
    .values(
        score0=bindparam("score_0"),
        score1=bindparam("score_1"),
        deal_count=_game.c.deal_count + bindparam("counted"),
    )
)
_INSERT_DEAL = insert(_deal).on_conflict_do_nothing(index_elements=["game_id", "number"])
_INSERT_MOVES = insert(_journal).on_conflict_do_nothing(index_elements=["tick"])
_INSERT_FAULT = insert(_fault).on_conflict_do_nothing(index_elements=["game_id", "seat"])
_END_GAME = (
    update(_game)
    .where(_this_game, _game.c.state != _OVER)
    .values(
        state=_OVER,
        **{
            column: bindparam(f"new_{column}")
            for column in ("end", "winner", "score0", "score1", "deal_count", "fault", "reason")
        },
    )
)


def write(connection: Connection, batch: Sequence[Event]) -> None:
    """Writes a batch within the transaction of `connection`.

    Raises Invalid for an unknown game, and for a deal, an outcome or a fault
    that is stored already and differs.
    """
    # One statement serves all events of a kind; what is there twice counts once.
    by_kind: dict[type[Event], list[Any]] = {}
    for event in dict.fromkeys(batch):
        by_kind.setdefault(type(event), []).append(event)
    for kind, writer in _WRITERS:
        if events := by_kind.get(kind):
            writer(connection, events)


def _open_games(connection: Connection, events: list[GameOpened]) -> None:
    rows = [
        {
            "game": event.game_id,
            "new_question0": event.wants_question[0],
            "new_question1": event.wants_question[1],
        }
        for event in events
    ]
    _known(_changed(connection, _OPEN_GAME, rows), rows)


def _start_deals(connection: Connection, events: list[DealStarted]) -> None:
    rows = [{"game": event.game_id, "deal": event.deal} for event in events]
    _known(_changed(connection, _START_DEAL, rows), rows)


def _keep_moves(connection: Connection, events: list[MovesMade]) -> None:
    rows = [{"tick": event.tick, "moves": event.moves} for event in events]
    if _changed(connection, _INSERT_MOVES, rows) < len(rows):
        for event in events:
            query = select(_journal.c.moves).where(_journal.c.tick == event.tick)
            if connection.execute(query).scalar_one() != event.moves:
                raise Invalid(
                    f"tick {event.tick} is in the journal already, with other moves: "
                    "two arenas write to it"
                )
    checkpoints = [event.tick for event in events if event.is_checkpoint]
    if checkpoints:
        connection.execute(delete(_journal).where(_journal.c.tick < max(checkpoints)))


def _end_deals(connection: Connection, events: list[DealOver]) -> None:
    _changed(
        connection,
        _COUNT_DEAL,
        [
            {
                "game": event.game_id,
                "deal": event.deal,
                "score_0": event.score[0],
                "score_1": event.score[1],
                "counted": int(event.counted),
            }
            for event in events
        ],
    )
    rows = [
        {"game_id": event.game_id, "number": event.deal, "record": event.record} for event in events
    ]
    if _changed(connection, _INSERT_DEAL, rows) < len(rows):
        for event in events:
            stored = connection.execute(
                select(_deal.c.record).where(
                    _deal.c.game_id == event.game_id, _deal.c.number == event.deal
                )
            ).scalar_one()
            if stored != event.record:
                raise Invalid(
                    f"deal {event.deal} of game {event.game_id} is stored already, with another "
                    "record: a deal is never played twice"
                )


def _keep_faults(connection: Connection, events: list[FaultEvidence]) -> None:
    rows = [
        {
            "game_id": event.game_id,
            "seat": event.seat,
            "fault": str(event.fault),
            "deal": event.deal,
            "ply": event.ply,
            "text": event.text,
            "evidence": event.evidence,
            "at": event.at,
        }
        for event in events
    ]
    if _changed(connection, _INSERT_FAULT, rows) < len(rows):
        for event in events:
            stored = connection.execute(
                select(_fault).where(_fault.c.game_id == event.game_id, _fault.c.seat == event.seat)
            )
            if convert.fault_evidence(stored.mappings().one()) != event:
                raise Invalid(
                    f"a fault of seat {event.seat} in game {event.game_id} is stored already, "
                    "and differs: a fault ends a game"
                )


def _end_games(connection: Connection, events: list[GameOver]) -> None:
    rows = [
        {"game": event.game_id}
        | {f"new_{name}": value for name, value in convert.outcome_columns(event.outcome).items()}
        for event in events
    ]
    if _changed(connection, _END_GAME, rows) < len(rows):
        for event in events:
            stored = connection.execute(select(_game).where(_game.c.id == event.game_id))
            row = stored.mappings().one_or_none()
            if row is None:
                raise _unknown_game([event.game_id])
            if convert.outcome(row) != event.outcome:
                raise Invalid(
                    f"game {event.game_id} is over already, with another outcome: "
                    "a result is written once"
                )


_WRITERS: tuple[tuple[type[Event], Any], ...] = (
    (GameOpened, _open_games),
    (DealStarted, _start_deals),
    (MovesMade, _keep_moves),
    (DealOver, _end_deals),
    (FaultEvidence, _keep_faults),
    (GameOver, _end_games),
)


def _changed(connection: Connection, statement: Executable, rows: list[dict[str, Any]]) -> int:
    """Runs a statement for each of `rows`; says how many rows it changed."""
    # SQLAlchemy promises the count of an insert only when it is asked to keep it.
    options = {"preserve_rowcount": True}
    return connection.execute(statement, rows, execution_options=options).rowcount


def _known(changed_count: int, rows: list[dict[str, Any]]) -> None:
    if changed_count < len(rows):
        raise _unknown_game([row["game"] for row in rows])


def _unknown_game(game_ids: list[int]) -> Invalid:
    return Invalid(f"one of the games {game_ids} is not stored: start its tournament first")
