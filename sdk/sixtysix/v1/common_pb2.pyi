from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Ruleset(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RULESET_UNSPECIFIED: _ClassVar[Ruleset]
    RULESET_CLASSIC: _ClassVar[Ruleset]
    RULESET_DOUBLING: _ClassVar[Ruleset]
    RULESET_PLAYED_OUT: _ClassVar[Ruleset]
    RULESET_LAST_TRICK: _ClassVar[Ruleset]

class Fault(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_UNSPECIFIED: _ClassVar[Fault]
    FAULT_ILLEGAL: _ClassVar[Fault]
    FAULT_MALFORMED: _ClassVar[Fault]
    FAULT_TIMEOUT: _ClassVar[Fault]
    FAULT_DISCONNECT: _ClassVar[Fault]
    FAULT_LEFT: _ClassVar[Fault]
    FAULT_NO_SHOW: _ClassVar[Fault]
    FAULT_FLOOD: _ClassVar[Fault]

class GameEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_END_UNSPECIFIED: _ClassVar[GameEnd]
    GAME_END_TARGET: _ClassVar[GameEnd]
    GAME_END_DEAL_LIMIT: _ClassVar[GameEnd]
    GAME_END_FORFEIT: _ClassVar[GameEnd]
    GAME_END_VOID: _ClassVar[GameEnd]
RULESET_UNSPECIFIED: Ruleset
RULESET_CLASSIC: Ruleset
RULESET_DOUBLING: Ruleset
RULESET_PLAYED_OUT: Ruleset
RULESET_LAST_TRICK: Ruleset
FAULT_UNSPECIFIED: Fault
FAULT_ILLEGAL: Fault
FAULT_MALFORMED: Fault
FAULT_TIMEOUT: Fault
FAULT_DISCONNECT: Fault
FAULT_LEFT: Fault
FAULT_NO_SHOW: Fault
FAULT_FLOOD: Fault
GAME_END_UNSPECIFIED: GameEnd
GAME_END_TARGET: GameEnd
GAME_END_DEAL_LIMIT: GameEnd
GAME_END_FORFEIT: GameEnd
GAME_END_VOID: GameEnd

class Rules(_message.Message):
    __slots__ = ("ruleset", "target", "agreed_six")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    AGREED_SIX_FIELD_NUMBER: _ClassVar[int]
    ruleset: Ruleset
    target: int
    agreed_six: bool
    def __init__(self, ruleset: _Optional[_Union[Ruleset, str]] = ..., target: _Optional[int] = ..., agreed_six: bool = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("per_move_ms", "per_game_ms", "grace_ms", "join_ms")
    PER_MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    PER_GAME_MS_FIELD_NUMBER: _ClassVar[int]
    GRACE_MS_FIELD_NUMBER: _ClassVar[int]
    JOIN_MS_FIELD_NUMBER: _ClassVar[int]
    per_move_ms: int
    per_game_ms: int
    grace_ms: int
    join_ms: int
    def __init__(self, per_move_ms: _Optional[int] = ..., per_game_ms: _Optional[int] = ..., grace_ms: _Optional[int] = ..., join_ms: _Optional[int] = ...) -> None: ...
