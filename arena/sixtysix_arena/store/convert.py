"""Rows of the tables turned into the values that the store gives."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import RowMapping

from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import ActionInfo, ActionKind, BotInfo, GameState, TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.schedule import ScheduledGame
from sixtysix_arena.store.rows import (
    FaultEvidence,
    Game,
    Tournament,
    Validation,
)

__all__ = [
    "action",
    "bot_info",
    "definition_columns",
    "fault_evidence",
    "game",
    "outcome",
    "outcome_columns",
    "played_game",
    "tournament",
    "validation",
]


_ENDS = {str(end): end for end in GameEnd}


def bot_info(row: RowMapping) -> BotInfo:
    return BotInfo(
        name=row["name"],
        submitted_at=row["submitted_at"],
        disabled_at=row["disabled_at"] or "",
        version=row["version"],
        game_count=row["game_count"],
        owner=row["owner"],
    )


def validation(row: RowMapping) -> Validation:
    return Validation(
        bot=row["bot"],
        version=row["version"],
        ruleset=row["ruleset"],
        failure=row["failure"],
        at=row["at"],
        transcript=row["transcript"],
    )


def tournament(row: RowMapping, versions: Mapping[str, str | None]) -> Tournament:
    """A tournament from its row and its entrants with the versions that they froze."""
    return Tournament(
        id=row["id"],
        definition=TournamentDefinition(
            name=row["name"],
            slug=row["slug"],
            rules=replace(
                RULESETS[row["ruleset"]], target=row["target"], agreed_six=row["agreed_six"]
            ),
            games_per_pairing=row["games_per_pairing"],
            games_at_once=row["games_at_once"],
            clock=Clock(
                per_move_ms=row["per_move_ms"],
                per_game_ms=row["per_game_ms"],
                grace_ms=row["grace_ms"],
                join_ms=row["join_ms"],
            ),
            entrants=tuple(versions),
            practice_seed=row["seed"].decode(errors="replace") if row["practice"] else None,
        ),
        seed=row["seed"],
        commitment=row["commitment"],
        state=TournamentState(row["state"]),
        unvalidated=row["unvalidated"],
        versions={entrant: version for entrant, version in versions.items() if version is not None},
        created_at=row["created_at"],
        started_at=row["started_at"] or "",
        finished_at=row["finished_at"] or "",
        join_extra_ms=row["join_extra_ms"],
    )


def action(row: RowMapping) -> ActionInfo:
    return ActionInfo(row["at"], ActionKind(row["kind"]), row["subject"], row["reason"])


def game(row: RowMapping) -> Game:
    """A game from its row, joined with the slug of its tournament."""
    return Game(
        id=row["id"],
        slug=row["slug"],
        scheduled=ScheduledGame(
            number=row["number"],
            round=row["round"],
            entrants=(row["entrant0"], row["entrant1"]),
            game_index=row["game_index"],
        ),
        state=GameState(row["state"]),
        deals_started=row["deals_started"],
        score=(row["score0"], row["score1"]),
        deal_count=row["deal_count"],
        outcome=outcome(row) if row["state"] == GameState.OVER else None,
        wants_question=(row["question0"], row["question1"]),
    )


def outcome(row: RowMapping) -> GameOutcome:
    """The outcome of a game that is over."""
    return GameOutcome(
        end=GameEnd(row["end"]),
        winner=row["winner"],
        score=(row["score0"], row["score1"]),
        deal_count=row["deal_count"],
        fault=Fault(row["fault"]) if row["fault"] is not None else None,
        reason=row["reason"],
    )


def played_game(row: Sequence[Any]) -> tuple[ScheduledGame, GameOutcome]:
    """A game that is over, from its bare columns: tens of thousands are read at once, and kept."""
    number, round_, one, other, game_index, end, winner, score0, score1, deals, fault, reason = row
    return (
        ScheduledGame(number, round_, (sys.intern(one), sys.intern(other)), game_index),
        GameOutcome(
            _ENDS[end],
            winner,
            (score0, score1),
            deals,
            None if fault is None else Fault(fault),
            sys.intern(reason),
        ),
    )


def outcome_columns(outcome: GameOutcome) -> dict[str, Any]:
    """The columns of a game that hold its outcome."""
    return {
        "end": str(outcome.end),
        "winner": outcome.winner,
        "score0": outcome.score[0],
        "score1": outcome.score[1],
        "deal_count": outcome.deal_count,
        "fault": str(outcome.fault) if outcome.fault is not None else None,
        "reason": outcome.reason,
    }


def fault_evidence(row: RowMapping) -> FaultEvidence:
    return FaultEvidence(
        game_id=row["game_id"],
        seat=row["seat"],
        fault=Fault(row["fault"]),
        text=row["text"],
        at=row["at"],
        deal=row["deal"],
        ply=row["ply"],
        evidence=row["evidence"],
    )


def definition_columns(definition: TournamentDefinition) -> dict[str, Any]:
    """The columns of a tournament that hold its definition.

    Entrants are rows of their own, and of a practice seed only that there is one:
    it is the seed, which is a column anyway.
    """
    clock = definition.clock
    return {
        "slug": definition.slug,
        "name": definition.name,
        "practice": definition.practice_seed is not None,
        "ruleset": definition.rules.name,
        "target": definition.rules.target,
        "agreed_six": definition.rules.agreed_six,
        "games_per_pairing": definition.games_per_pairing,
        "games_at_once": definition.games_at_once,
        "per_move_ms": clock.per_move_ms,
        "per_game_ms": clock.per_game_ms,
        "grace_ms": clock.grace_ms,
        "join_ms": clock.join_ms,
    }
