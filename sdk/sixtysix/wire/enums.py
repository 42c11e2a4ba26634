"""Enums of the protocol and ours, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from sixtysix.outcome import Fault, GameEnd
from sixtysix.reports import ActionKind, GameState, StreamEventKind, TournamentState
from sixtysix.rules import RULESETS as RULES
from sixtysix.rules import DealEnd, SixtySixError
from sixtysix.v1 import arena_pb2, common_pb2, record_pb2

__all__ = [
    "ACTION_KINDS",
    "DEAL_ENDS",
    "FAULTS",
    "GAME_ENDS",
    "GAME_STATES",
    "RULESETS",
    "STREAM_EVENT_KINDS",
    "TOURNAMENT_STATES",
    "EnumMap",
    "WireError",
]

Member = TypeVar("Member", bound=str)


class WireError(SixtySixError, ValueError):
    """A message says something that this version does not know."""


class EnumMap(Generic[Member]):
    """One enum of the protocol and ours: `numbers` by member, `members` by number.

    The number 0, which says nothing, is None on our side. Numbers are typed as
    Any, since the generated code wants a type of its own for each enum.
    """

    def __init__(self, prefix: str, members: Iterable[Member], enum: Any) -> None:
        """Pairs each member with the value of `enum` that is named after it."""
        numbers = {
            member: enum.Value(prefix + member.upper().replace("-", "_")) for member in members
        }
        self.numbers: Mapping[Member, Any] = MappingProxyType(numbers)
        self.members: Mapping[int, Member] = MappingProxyType(
            {number: member for member, number in numbers.items()}
        )
        self.descriptor = enum.DESCRIPTOR

    def number(self, member: Member | None) -> Any:
        """The number on the wire; 0 for None."""
        return 0 if member is None else self.numbers[member]

    def member(self, number: int) -> Member | None:
        """Our member; None for 0. Raises WireError for a number that we do not know."""
        if number == 0:
            return None
        try:
            return self.members[number]
        except KeyError:
            raise WireError(f"{self.descriptor.name} has no number {number} here") from None


def _enum_map(prefix: str, members: type[AnyEnum], enum: Any) -> EnumMap[AnyEnum]:
    return EnumMap(prefix, members, enum)


AnyEnum = TypeVar("AnyEnum", bound=StrEnum)

RULESETS: EnumMap[str] = EnumMap("RULESET_", RULES, common_pb2.Ruleset)
"""By the name of the rule set, without its options."""
FAULTS = _enum_map("FAULT_", Fault, common_pb2.Fault)
GAME_ENDS = _enum_map("GAME_END_", GameEnd, common_pb2.GameEnd)
GAME_STATES = _enum_map("GAME_STATE_", GameState, arena_pb2.GameState)
TOURNAMENT_STATES = _enum_map("TOURNAMENT_STATE_", TournamentState, arena_pb2.TournamentState)
ACTION_KINDS = _enum_map("ACTION_KIND_", ActionKind, arena_pb2.ActionKind)
DEAL_ENDS = _enum_map("DEAL_END_", DealEnd, record_pb2.DealEnd)
"""Ends that have a result. Broken off and void are said by `DealRecord` itself."""
STREAM_EVENT_KINDS = _enum_map("STREAM_EVENT_KIND_", StreamEventKind, record_pb2.StreamEventKind)
