"""Reports as plain data, for JSON: the same on the command line and on the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from sixtysix.api import GameReport
from sixtysix.game_times import times
from sixtysix.record import DealRecord
from sixtysix.rules import CARDS, MOVES, Card, Deal, Move, Ruleset
from sixtysix.rules.view import Trick

__all__ = ["plain"]


def plain(value: object) -> Any:
    """Reports as JSON has them: the fields by their names, cards and moves as their texts."""
    if isinstance(value, Ruleset):
        return {"name": value.name, "target": value.target, "agreed_six": value.agreed_six}
    if isinstance(value, GameReport):
        return {
            "game": plain(value.game),
            "rules": plain(value.rules),
            "clock": plain(value.clock),
            "times": plain(times(value)),
            "deals": [_deal(value.rules, record) for record in value.deals],
        }
    if isinstance(value, Card | Move):
        return str(value)
    if isinstance(value, Trick):
        return plain(value._asdict())
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [plain(each) for each in value]
    return value


def _deal(rules: Ruleset, record: DealRecord) -> dict[str, Any]:
    return {
        "deal": record.deal,
        "dealer": record.dealer,
        "pack": [str(CARDS[card]) for card in record.pack],
        "moves": _moves(rules, record),
        "void": record.void,
        "result": plain(record.result),
    }


def _moves(rules: Ruleset, record: DealRecord) -> list[dict[str, Any]]:
    deal = Deal(rules, record.pack, record.dealer)
    moves = []
    for ply, (move, charged_ms) in enumerate(zip(record.moves, record.charged_ms, strict=True)):
        told = {
            "seat": deal.turn,
            "move": str(MOVES[move]),
            "code": move,
            "ms": charged_ms,
            "by": "referee" if ply in record.referee_plies else "bot",
        }
        if ply in record.comments:
            told["comment"] = record.comments[ply]
        deal.play(move)
        moves.append(told)
    return moves
