"""Reports as messages, and back, field by field: both sides use the same names.

What a field is like is read off the dataclass, once for each type:

- text, numbers and truth values stay as they are; None is an absent field;
- enums, and the name of a rule set, are numbers, and None is 0;
- reports inside reports, rules, clocks and deals are messages;
- a tuple is a repeated field, and counts by fault are a repeated FaultCount.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from google.protobuf.message import Message

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord
from sixtysix.reports import ActionKind, GameState, TournamentState
from sixtysix.rules import Ruleset
from sixtysix.v1 import arena_pb2
from sixtysix.wire.enums import (
    ACTION_KINDS,
    FAULTS,
    GAME_ENDS,
    GAME_STATES,
    RULESETS,
    TOURNAMENT_STATES,
    EnumMap,
    WireError,
)
from sixtysix.wire.play import clock_message, clock_of, rules_message, rules_of
from sixtysix.wire.records import deal_message, deal_of

__all__ = ["from_message", "to_message"]

AnyMessage = TypeVar("AnyMessage", bound=Message)
Report = TypeVar("Report")

_PLAIN = (str, int, float, bool)
_ENUMS: dict[Any, EnumMap[Any]] = {
    ActionKind: ACTION_KINDS,
    Fault: FAULTS,
    GameEnd: GAME_ENDS,
    GameState: GAME_STATES,
    TournamentState: TOURNAMENT_STATES,
}


def to_message(report: object, message_class: type[AnyMessage], **more: object) -> AnyMessage:
    """The message of `message_class` that says what `report`, a dataclass, says.

    `more` are fields that the report does not have.
    """
    values = {
        name: field.to_wire(getattr(report, name))
        for name, field in _plan((type(report), message_class)).items()
    }
    return message_class(**values, **more)


def from_message(message: Message, report_class: type[Report]) -> Report:
    """The `report_class`, a dataclass, that says what `message` says.

    Fields of the message that the report does not have are left out. Raises
    WireError if it says something that this version does not know.
    """
    values = {
        name: field.from_wire(getattr(message, name))
        if not field.optional or message.HasField(name)
        else None
        for name, field in _plan((report_class, type(message))).items()
    }
    return report_class(**values)


class _Field(NamedTuple):
    to_wire: Callable[[Any], Any]
    from_wire: Callable[[Any], Any]
    optional: bool = False
    """Whether None means that the field is absent."""


@cache
def _plan(classes: tuple[Any, type[Message]]) -> Mapping[str, _Field]:
    """How the fields of a report become those of a message, for a pair of classes."""
    report_class, message_class = classes
    hints = get_type_hints(report_class)
    by_name = message_class.DESCRIPTOR.fields_by_name
    return {
        field.name: _field(hints[field.name], by_name[field.name]) for field in fields(report_class)
    }


def _field(hint: Any, descriptor: Any) -> _Field:
    """How a field of type `hint` becomes the field of a message, and back."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (part for part in get_args(hint) if part is not types.NoneType)
        if hint in _ENUMS:
            return _Field(_ENUMS[hint].number, _ENUMS[hint].member)
        said = _field(hint, descriptor)
        return said._replace(
            to_wire=lambda value: None if value is None else said.to_wire(value), optional=True
        )
    if hint in _ENUMS:
        return _Field(_ENUMS[hint].number, _always(_ENUMS[hint]))
    if hint is str and descriptor.enum_type is not None:
        return _Field(RULESETS.number, _always(RULESETS))
    if hint in _PLAIN:
        return _Field(hint, hint)
    if get_origin(hint) is tuple:
        item = _field(get_args(hint)[0], descriptor)
        return _Field(
            lambda values: [item.to_wire(value) for value in values],
            lambda values: tuple(item.from_wire(value) for value in values),
        )
    if get_origin(hint) is Mapping:
        return _Field(_fault_counts, _faults)
    return _message_field(hint, descriptor)


def _message_field(hint: Any, descriptor: Any) -> _Field:
    if hint is Ruleset:
        return _Field(rules_message, rules_of)
    if hint is Clock:
        return _Field(clock_message, clock_of)
    if hint is DealRecord:
        return _Field(deal_message, deal_of)
    assert is_dataclass(hint), f"{hint} has no form on the wire"
    assert isinstance(hint, type)
    message_class = getattr(arena_pb2, descriptor.message_type.name)
    return _Field(
        lambda report: to_message(report, message_class),
        lambda message: from_message(message, hint),
    )


def _always(enum: EnumMap[Any]) -> Callable[[int], Any]:
    """Reads an enum that must say something."""

    def member(number: int) -> Any:
        member = enum.member(number)
        if member is None:
            raise WireError(f"{enum.descriptor.name} is not said")
        return member

    return member


def _fault_counts(faults: Mapping[Fault, int]) -> list[arena_pb2.FaultCount]:
    """By the order of the enum, so that equal counts are equal bytes."""
    return [
        arena_pb2.FaultCount(fault=FAULTS.number(fault), count=faults[fault])
        for fault in Fault
        if fault in faults
    ]


def _faults(counts: Any) -> Mapping[Fault, int]:
    fault = _always(FAULTS)
    return {fault(each.fault): each.count for each in counts}
