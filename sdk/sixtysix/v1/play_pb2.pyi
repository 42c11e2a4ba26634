from sixtysix.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LeaveReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEAVE_REASON_UNSPECIFIED: _ClassVar[LeaveReason]
    LEAVE_REASON_BOT_RAISED: _ClassVar[LeaveReason]
    LEAVE_REASON_RESIGNED: _ClassVar[LeaveReason]

class ByeReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BYE_REASON_UNSPECIFIED: _ClassVar[ByeReason]
    BYE_REASON_FENCED: _ClassVar[ByeReason]
    BYE_REASON_FINISHED: _ClassVar[ByeReason]
    BYE_REASON_STOPPING: _ClassVar[ByeReason]
    BYE_REASON_MALFORMED: _ClassVar[ByeReason]
    BYE_REASON_REVOKED: _ClassVar[ByeReason]
    BYE_REASON_STUCK: _ClassVar[ByeReason]
    BYE_REASON_LEFT: _ClassVar[ByeReason]
    BYE_REASON_FLOODED: _ClassVar[ByeReason]
LEAVE_REASON_UNSPECIFIED: LeaveReason
LEAVE_REASON_BOT_RAISED: LeaveReason
LEAVE_REASON_RESIGNED: LeaveReason
BYE_REASON_UNSPECIFIED: ByeReason
BYE_REASON_FENCED: ByeReason
BYE_REASON_FINISHED: ByeReason
BYE_REASON_STOPPING: ByeReason
BYE_REASON_MALFORMED: ByeReason
BYE_REASON_REVOKED: ByeReason
BYE_REASON_STUCK: ByeReason
BYE_REASON_LEFT: ByeReason
BYE_REASON_FLOODED: ByeReason

class BotFrame(_message.Message):
    __slots__ = ("hello", "answers", "leaves", "bye")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    LEAVES_FIELD_NUMBER: _ClassVar[int]
    BYE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    leaves: _containers.RepeatedCompositeFieldContainer[Leave]
    bye: BotBye
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., leaves: _Optional[_Iterable[_Union[Leave, _Mapping]]] = ..., bye: _Optional[_Union[BotBye, _Mapping]] = ...) -> None: ...

class ArenaFrame(_message.Message):
    __slots__ = ("welcome", "starts", "decisions", "stales", "faults", "games_over", "bye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    STALES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    GAMES_OVER_FIELD_NUMBER: _ClassVar[int]
    BYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    starts: _containers.RepeatedCompositeFieldContainer[GameStart]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    stales: _containers.RepeatedCompositeFieldContainer[StaleNotice]
    faults: _containers.RepeatedCompositeFieldContainer[FaultNotice]
    games_over: _containers.RepeatedCompositeFieldContainer[GameOver]
    bye: ArenaBye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., starts: _Optional[_Iterable[_Union[GameStart, _Mapping]]] = ..., decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ..., stales: _Optional[_Iterable[_Union[StaleNotice, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[FaultNotice, _Mapping]]] = ..., games_over: _Optional[_Iterable[_Union[GameOver, _Mapping]]] = ..., bye: _Optional[_Union[ArenaBye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_major", "protocol_minor", "bot_version", "games_at_once", "rulesets", "close_on_opponents_lead", "bot_name")
    PROTOCOL_MAJOR_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAMES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    RULESETS_FIELD_NUMBER: _ClassVar[int]
    CLOSE_ON_OPPONENTS_LEAD_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    protocol_major: int
    protocol_minor: int
    bot_version: str
    games_at_once: int
    rulesets: _containers.RepeatedScalarFieldContainer[_common_pb2.Ruleset]
    close_on_opponents_lead: bool
    bot_name: str
    def __init__(self, protocol_major: _Optional[int] = ..., protocol_minor: _Optional[int] = ..., bot_version: _Optional[str] = ..., games_at_once: _Optional[int] = ..., rulesets: _Optional[_Iterable[_Union[_common_pb2.Ruleset, str]]] = ..., close_on_opponents_lead: bool = ..., bot_name: _Optional[str] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol_major", "protocol_minor", "bot_name", "max_frame_bytes", "connection_count")
    PROTOCOL_MAJOR_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    CONNECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    protocol_major: int
    protocol_minor: int
    bot_name: str
    max_frame_bytes: int
    connection_count: int
    def __init__(self, protocol_major: _Optional[int] = ..., protocol_minor: _Optional[int] = ..., bot_name: _Optional[str] = ..., max_frame_bytes: _Optional[int] = ..., connection_count: _Optional[int] = ...) -> None: ...

class GameStart(_message.Message):
    __slots__ = ("game", "game_id", "rules", "clock", "seat", "opponent")
    GAME_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_FIELD_NUMBER: _ClassVar[int]
    game: int
    game_id: str
    rules: _common_pb2.Rules
    clock: _common_pb2.Clock
    seat: int
    opponent: str
    def __init__(self, game: _Optional[int] = ..., game_id: _Optional[str] = ..., rules: _Optional[_Union[_common_pb2.Rules, _Mapping]] = ..., clock: _Optional[_Union[_common_pb2.Clock, _Mapping]] = ..., seat: _Optional[int] = ..., opponent: _Optional[str] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("game", "deal", "ply", "legal", "seat", "ruleset", "target", "agreed_six", "score", "dealer", "hand", "trump_suit", "trump_card", "talon_count", "closed_by", "leader", "led", "points", "pending", "tricks", "known", "exchanged_by", "exchanged_card", "move_ms", "game_ms", "charged_ms")
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    AGREED_SIX_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRUMP_SUIT_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARD_FIELD_NUMBER: _ClassVar[int]
    TALON_COUNT_FIELD_NUMBER: _ClassVar[int]
    CLOSED_BY_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    LED_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    EXCHANGED_BY_FIELD_NUMBER: _ClassVar[int]
    EXCHANGED_CARD_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    GAME_MS_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    game: int
    deal: int
    ply: int
    legal: _containers.RepeatedScalarFieldContainer[int]
    seat: int
    ruleset: _common_pb2.Ruleset
    target: int
    agreed_six: bool
    score: _containers.RepeatedScalarFieldContainer[int]
    dealer: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    trump_suit: int
    trump_card: int
    talon_count: int
    closed_by: int
    leader: int
    led: int
    points: _containers.RepeatedScalarFieldContainer[int]
    pending: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedScalarFieldContainer[int]
    known: _containers.RepeatedScalarFieldContainer[int]
    exchanged_by: int
    exchanged_card: int
    move_ms: int
    game_ms: int
    charged_ms: int
    def __init__(self, game: _Optional[int] = ..., deal: _Optional[int] = ..., ply: _Optional[int] = ..., legal: _Optional[_Iterable[int]] = ..., seat: _Optional[int] = ..., ruleset: _Optional[_Union[_common_pb2.Ruleset, str]] = ..., target: _Optional[int] = ..., agreed_six: bool = ..., score: _Optional[_Iterable[int]] = ..., dealer: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., trump_suit: _Optional[int] = ..., trump_card: _Optional[int] = ..., talon_count: _Optional[int] = ..., closed_by: _Optional[int] = ..., leader: _Optional[int] = ..., led: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., pending: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[int]] = ..., known: _Optional[_Iterable[int]] = ..., exchanged_by: _Optional[int] = ..., exchanged_card: _Optional[int] = ..., move_ms: _Optional[int] = ..., game_ms: _Optional[int] = ..., charged_ms: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("game", "deal", "ply", "move", "comment")
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    game: int
    deal: int
    ply: int
    move: int
    comment: str
    def __init__(self, game: _Optional[int] = ..., deal: _Optional[int] = ..., ply: _Optional[int] = ..., move: _Optional[int] = ..., comment: _Optional[str] = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ("game", "reason")
    GAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game: int
    reason: LeaveReason
    def __init__(self, game: _Optional[int] = ..., reason: _Optional[_Union[LeaveReason, str]] = ...) -> None: ...

class BotBye(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StaleNotice(_message.Message):
    __slots__ = ("game", "deal", "ply")
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    game: int
    deal: int
    ply: int
    def __init__(self, game: _Optional[int] = ..., deal: _Optional[int] = ..., ply: _Optional[int] = ...) -> None: ...

class FaultNotice(_message.Message):
    __slots__ = ("game", "deal", "ply", "fault", "text", "legal")
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    game: int
    deal: int
    ply: int
    fault: _common_pb2.Fault
    text: str
    legal: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game: _Optional[int] = ..., deal: _Optional[int] = ..., ply: _Optional[int] = ..., fault: _Optional[_Union[_common_pb2.Fault, str]] = ..., text: _Optional[str] = ..., legal: _Optional[_Iterable[int]] = ...) -> None: ...

class GameOver(_message.Message):
    __slots__ = ("game", "end", "winner", "score", "fault", "text")
    GAME_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    game: int
    end: _common_pb2.GameEnd
    winner: int
    score: _containers.RepeatedScalarFieldContainer[int]
    fault: _common_pb2.Fault
    text: str
    def __init__(self, game: _Optional[int] = ..., end: _Optional[_Union[_common_pb2.GameEnd, str]] = ..., winner: _Optional[int] = ..., score: _Optional[_Iterable[int]] = ..., fault: _Optional[_Union[_common_pb2.Fault, str]] = ..., text: _Optional[str] = ...) -> None: ...

class ArenaBye(_message.Message):
    __slots__ = ("reason", "text")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    reason: ByeReason
    text: str
    def __init__(self, reason: _Optional[_Union[ByeReason, str]] = ..., text: _Optional[str] = ...) -> None: ...
