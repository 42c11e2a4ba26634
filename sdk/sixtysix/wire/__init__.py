"""The only translation between protobuf messages and what the rest of the code works with."""

from __future__ import annotations

from sixtysix.wire.enums import (
    ACTION_KINDS,
    DEAL_ENDS,
    FAULTS,
    GAME_ENDS,
    GAME_STATES,
    RULESETS,
    STREAM_EVENT_KINDS,
    TOURNAMENT_STATES,
    EnumMap,
    WireError,
)
from sixtysix.wire.faults import FAULT_LAYOUT, fault_message, fault_of, pack_fault
from sixtysix.wire.journal import JOURNAL_LAYOUT, pack_moves, unpack_moves
from sixtysix.wire.play import (
    clock_message,
    clock_of,
    decision,
    rules_message,
    rules_of,
    view,
)
from sixtysix.wire.records import (
    LAYOUT,
    deal_message,
    deal_of,
    pack_deal,
    pack_deals,
    unpack_deal,
    unpack_deals,
)
from sixtysix.wire.reports import from_message, to_message

__all__ = [
    "ACTION_KINDS",
    "DEAL_ENDS",
    "FAULTS",
    "FAULT_LAYOUT",
    "GAME_ENDS",
    "GAME_STATES",
    "JOURNAL_LAYOUT",
    "LAYOUT",
    "PROTOCOL_MAJOR",
    "PROTOCOL_MINOR",
    "RULESETS",
    "STREAM_EVENT_KINDS",
    "TOURNAMENT_STATES",
    "EnumMap",
    "WireError",
    "clock_message",
    "clock_of",
    "deal_message",
    "deal_of",
    "decision",
    "fault_message",
    "fault_of",
    "from_message",
    "pack_deal",
    "pack_deals",
    "pack_fault",
    "pack_moves",
    "rules_message",
    "rules_of",
    "to_message",
    "unpack_deal",
    "unpack_deals",
    "unpack_moves",
    "view",
]

PROTOCOL_MAJOR = 1
"""The protocol that this code speaks; another major version is refused by the arena."""
PROTOCOL_MINOR = 0
