from sixtysix.v1 import play_pb2 as _play_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DealEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEAL_END_UNSPECIFIED: _ClassVar[DealEnd]
    DEAL_END_CLAIM: _ClassVar[DealEnd]
    DEAL_END_FALSE_CLAIM: _ClassVar[DealEnd]
    DEAL_END_FAILED_CLOSE: _ClassVar[DealEnd]
    DEAL_END_COUNTED: _ClassVar[DealEnd]
    DEAL_END_LAST_TRICK: _ClassVar[DealEnd]
    DEAL_END_FIRST_TO_66: _ClassVar[DealEnd]
    DEAL_END_DRAWN_BOTH_66: _ClassVar[DealEnd]
    DEAL_END_DRAWN_NEITHER_66: _ClassVar[DealEnd]
    DEAL_END_BROKEN_OFF: _ClassVar[DealEnd]
    DEAL_END_VOID: _ClassVar[DealEnd]

class StreamEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STREAM_EVENT_KIND_UNSPECIFIED: _ClassVar[StreamEventKind]
    STREAM_EVENT_KIND_JOINED: _ClassVar[StreamEventKind]
    STREAM_EVENT_KIND_ENDED: _ClassVar[StreamEventKind]
    STREAM_EVENT_KIND_SENT: _ClassVar[StreamEventKind]
    STREAM_EVENT_KIND_RECEIVED: _ClassVar[StreamEventKind]
    STREAM_EVENT_KIND_REFUSED: _ClassVar[StreamEventKind]
DEAL_END_UNSPECIFIED: DealEnd
DEAL_END_CLAIM: DealEnd
DEAL_END_FALSE_CLAIM: DealEnd
DEAL_END_FAILED_CLOSE: DealEnd
DEAL_END_COUNTED: DealEnd
DEAL_END_LAST_TRICK: DealEnd
DEAL_END_FIRST_TO_66: DealEnd
DEAL_END_DRAWN_BOTH_66: DealEnd
DEAL_END_DRAWN_NEITHER_66: DealEnd
DEAL_END_BROKEN_OFF: DealEnd
DEAL_END_VOID: DealEnd
STREAM_EVENT_KIND_UNSPECIFIED: StreamEventKind
STREAM_EVENT_KIND_JOINED: StreamEventKind
STREAM_EVENT_KIND_ENDED: StreamEventKind
STREAM_EVENT_KIND_SENT: StreamEventKind
STREAM_EVENT_KIND_RECEIVED: StreamEventKind
STREAM_EVENT_KIND_REFUSED: StreamEventKind

class DealRecord(_message.Message):
    __slots__ = ("layout", "deal", "dealer", "pack", "moves", "charged_ms", "referee_plies", "end", "winner", "game_points", "card_points", "comments")
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    PACK_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    REFEREE_PLIES_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_FIELD_NUMBER: _ClassVar[int]
    CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    layout: int
    deal: int
    dealer: int
    pack: bytes
    moves: bytes
    charged_ms: _containers.RepeatedScalarFieldContainer[int]
    referee_plies: _containers.RepeatedScalarFieldContainer[int]
    end: DealEnd
    winner: int
    game_points: int
    card_points: _containers.RepeatedScalarFieldContainer[int]
    comments: _containers.RepeatedCompositeFieldContainer[Comment]
    def __init__(self, layout: _Optional[int] = ..., deal: _Optional[int] = ..., dealer: _Optional[int] = ..., pack: _Optional[bytes] = ..., moves: _Optional[bytes] = ..., charged_ms: _Optional[_Iterable[int]] = ..., referee_plies: _Optional[_Iterable[int]] = ..., end: _Optional[_Union[DealEnd, str]] = ..., winner: _Optional[int] = ..., game_points: _Optional[int] = ..., card_points: _Optional[_Iterable[int]] = ..., comments: _Optional[_Iterable[_Union[Comment, _Mapping]]] = ...) -> None: ...

class DealRecords(_message.Message):
    __slots__ = ("deals",)
    DEALS_FIELD_NUMBER: _ClassVar[int]
    deals: _containers.RepeatedCompositeFieldContainer[DealRecord]
    def __init__(self, deals: _Optional[_Iterable[_Union[DealRecord, _Mapping]]] = ...) -> None: ...

class Journal(_message.Message):
    __slots__ = ("layout", "games", "deals", "plies", "moves", "charged_ms", "comments")
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    PLIES_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    layout: int
    games: _containers.RepeatedScalarFieldContainer[int]
    deals: _containers.RepeatedScalarFieldContainer[int]
    plies: _containers.RepeatedScalarFieldContainer[int]
    moves: bytes
    charged_ms: _containers.RepeatedScalarFieldContainer[int]
    comments: _containers.RepeatedCompositeFieldContainer[Comment]
    def __init__(self, layout: _Optional[int] = ..., games: _Optional[_Iterable[int]] = ..., deals: _Optional[_Iterable[int]] = ..., plies: _Optional[_Iterable[int]] = ..., moves: _Optional[bytes] = ..., charged_ms: _Optional[_Iterable[int]] = ..., comments: _Optional[_Iterable[_Union[Comment, _Mapping]]] = ...) -> None: ...

class Comment(_message.Message):
    __slots__ = ("ply", "text")
    PLY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ply: int
    text: str
    def __init__(self, ply: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class FaultRecord(_message.Message):
    __slots__ = ("layout", "decision", "answer", "waited_ms", "charged_ms", "bank_ms", "stream")
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    WAITED_MS_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    STREAM_FIELD_NUMBER: _ClassVar[int]
    layout: int
    decision: _play_pb2.Decision
    answer: _play_pb2.Answer
    waited_ms: int
    charged_ms: int
    bank_ms: int
    stream: _containers.RepeatedCompositeFieldContainer[StreamEvent]
    def __init__(self, layout: _Optional[int] = ..., decision: _Optional[_Union[_play_pb2.Decision, _Mapping]] = ..., answer: _Optional[_Union[_play_pb2.Answer, _Mapping]] = ..., waited_ms: _Optional[int] = ..., charged_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., stream: _Optional[_Iterable[_Union[StreamEvent, _Mapping]]] = ...) -> None: ...

class StreamEvent(_message.Message):
    __slots__ = ("kind", "before_ms", "byte_count", "data", "text")
    KIND_FIELD_NUMBER: _ClassVar[int]
    BEFORE_MS_FIELD_NUMBER: _ClassVar[int]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    kind: StreamEventKind
    before_ms: int
    byte_count: int
    data: bytes
    text: str
    def __init__(self, kind: _Optional[_Union[StreamEventKind, str]] = ..., before_ms: _Optional[int] = ..., byte_count: _Optional[int] = ..., data: _Optional[bytes] = ..., text: _Optional[str] = ...) -> None: ...
