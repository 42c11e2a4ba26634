from sixtysix.v1 import common_pb2 as _common_pb2
from sixtysix.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_CREATED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_STOPPED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]

class GameState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_STATE_UNSPECIFIED: _ClassVar[GameState]
    GAME_STATE_SCHEDULED: _ClassVar[GameState]
    GAME_STATE_OPEN: _ClassVar[GameState]
    GAME_STATE_OVER: _ClassVar[GameState]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_ENDED: _ClassVar[ActionKind]
    ACTION_KIND_VOIDED: _ClassVar[ActionKind]
    ACTION_KIND_DISABLED: _ClassVar[ActionKind]
    ACTION_KIND_EXTENDED: _ClassVar[ActionKind]
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_CREATED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_STOPPED: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
GAME_STATE_UNSPECIFIED: GameState
GAME_STATE_SCHEDULED: GameState
GAME_STATE_OPEN: GameState
GAME_STATE_OVER: GameState
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_ENDED: ActionKind
ACTION_KIND_VOIDED: ActionKind
ACTION_KIND_DISABLED: ActionKind
ACTION_KIND_EXTENDED: ActionKind

class SubmitBotRequest(_message.Message):
    __slots__ = ("name", "request_id", "owner")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    owner: str
    def __init__(self, name: _Optional[str] = ..., request_id: _Optional[str] = ..., owner: _Optional[str] = ...) -> None: ...

class SubmitBotResponse(_message.Message):
    __slots__ = ("bot", "token")
    BOT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    token: str
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class RotateTokenRequest(_message.Message):
    __slots__ = ("name", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RotateTokenResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class SetOwnerRequest(_message.Message):
    __slots__ = ("name", "owner")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    name: str
    owner: str
    def __init__(self, name: _Optional[str] = ..., owner: _Optional[str] = ...) -> None: ...

class SetOwnerResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ...) -> None: ...

class DisableBotRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class DisableBotResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots", "next_page_token")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[BotInfo]
    next_page_token: str
    def __init__(self, bots: _Optional[_Iterable[_Union[BotInfo, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateTournamentRequest(_message.Message):
    __slots__ = ("name", "slug", "rules", "games_per_pairing", "games_at_once", "entrants", "practice_seed", "clock", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SLUG_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    GAMES_PER_PAIRING_FIELD_NUMBER: _ClassVar[int]
    GAMES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    PRACTICE_SEED_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    slug: str
    rules: _common_pb2.Rules
    games_per_pairing: int
    games_at_once: int
    entrants: _containers.RepeatedScalarFieldContainer[str]
    practice_seed: str
    clock: _common_pb2.Clock
    request_id: str
    def __init__(self, name: _Optional[str] = ..., slug: _Optional[str] = ..., rules: _Optional[_Union[_common_pb2.Rules, _Mapping]] = ..., games_per_pairing: _Optional[int] = ..., games_at_once: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ..., practice_seed: _Optional[str] = ..., clock: _Optional[_Union[_common_pb2.Clock, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class StartTournamentRequest(_message.Message):
    __slots__ = ("slug", "unvalidated")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    UNVALIDATED_FIELD_NUMBER: _ClassVar[int]
    slug: str
    unvalidated: bool
    def __init__(self, slug: _Optional[str] = ..., unvalidated: bool = ...) -> None: ...

class StartTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class StopTournamentRequest(_message.Message):
    __slots__ = ("slug",)
    SLUG_FIELD_NUMBER: _ClassVar[int]
    slug: str
    def __init__(self, slug: _Optional[str] = ...) -> None: ...

class StopTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class EndTournamentRequest(_message.Message):
    __slots__ = ("slug", "reason")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    slug: str
    reason: str
    def __init__(self, slug: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EndTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class RemoveTournamentRequest(_message.Message):
    __slots__ = ("slug",)
    SLUG_FIELD_NUMBER: _ClassVar[int]
    slug: str
    def __init__(self, slug: _Optional[str] = ...) -> None: ...

class RemoveTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class ExtendJoiningRequest(_message.Message):
    __slots__ = ("slug", "by_ms", "reason")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    BY_MS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    slug: str
    by_ms: int
    reason: str
    def __init__(self, slug: _Optional[str] = ..., by_ms: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class ExtendJoiningResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class VoidGameRequest(_message.Message):
    __slots__ = ("game_id", "reason")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: str
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class VoidGameResponse(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: GameInfo
    def __init__(self, game: _Optional[_Union[GameInfo, _Mapping]] = ...) -> None: ...

class GetTournamentRequest(_message.Message):
    __slots__ = ("slug",)
    SLUG_FIELD_NUMBER: _ClassVar[int]
    slug: str
    def __init__(self, slug: _Optional[str] = ...) -> None: ...

class GetTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class ListTournamentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments", "next_page_token")
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[TournamentInfo]
    next_page_token: str
    def __init__(self, tournaments: _Optional[_Iterable[_Union[TournamentInfo, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchTournamentRequest(_message.Message):
    __slots__ = ("slug",)
    SLUG_FIELD_NUMBER: _ClassVar[int]
    slug: str
    def __init__(self, slug: _Optional[str] = ...) -> None: ...

class WatchTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: TournamentInfo
    def __init__(self, tournament: _Optional[_Union[TournamentInfo, _Mapping]] = ...) -> None: ...

class GetBoardRequest(_message.Message):
    __slots__ = ("slug", "ruleset", "with_statistics")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    WITH_STATISTICS_FIELD_NUMBER: _ClassVar[int]
    slug: str
    ruleset: _common_pb2.Ruleset
    with_statistics: bool
    def __init__(self, slug: _Optional[str] = ..., ruleset: _Optional[_Union[_common_pb2.Ruleset, str]] = ..., with_statistics: bool = ...) -> None: ...

class GetBoardResponse(_message.Message):
    __slots__ = ("board", "statistics")
    BOARD_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    board: Board
    statistics: Statistics
    def __init__(self, board: _Optional[_Union[Board, _Mapping]] = ..., statistics: _Optional[_Union[Statistics, _Mapping]] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("slug", "entrant", "page_size", "page_token")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    slug: str
    entrant: str
    page_size: int
    page_token: str
    def __init__(self, slug: _Optional[str] = ..., entrant: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameInfo]
    next_page_token: str
    def __init__(self, games: _Optional[_Iterable[_Union[GameInfo, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetGameRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class GetGameResponse(_message.Message):
    __slots__ = ("game", "rules", "deals", "clock")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    game: GameInfo
    rules: _common_pb2.Rules
    deals: _containers.RepeatedCompositeFieldContainer[_record_pb2.DealRecord]
    clock: _common_pb2.Clock
    def __init__(self, game: _Optional[_Union[GameInfo, _Mapping]] = ..., rules: _Optional[_Union[_common_pb2.Rules, _Mapping]] = ..., deals: _Optional[_Iterable[_Union[_record_pb2.DealRecord, _Mapping]]] = ..., clock: _Optional[_Union[_common_pb2.Clock, _Mapping]] = ...) -> None: ...

class GetFaultsRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class GetFaultsResponse(_message.Message):
    __slots__ = ("faults",)
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    faults: _containers.RepeatedCompositeFieldContainer[FaultReport]
    def __init__(self, faults: _Optional[_Iterable[_Union[FaultReport, _Mapping]]] = ...) -> None: ...

class ExportTournamentRequest(_message.Message):
    __slots__ = ("slug",)
    SLUG_FIELD_NUMBER: _ClassVar[int]
    slug: str
    def __init__(self, slug: _Optional[str] = ...) -> None: ...

class ExportTournamentResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class BotInfo(_message.Message):
    __slots__ = ("name", "submitted_at", "disabled_at", "version", "game_count", "validations", "disabled_reason", "owner")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SUBMITTED_AT_FIELD_NUMBER: _ClassVar[int]
    DISABLED_AT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    VALIDATIONS_FIELD_NUMBER: _ClassVar[int]
    DISABLED_REASON_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    name: str
    submitted_at: str
    disabled_at: str
    version: str
    game_count: int
    validations: _containers.RepeatedCompositeFieldContainer[ValidationInfo]
    disabled_reason: str
    owner: str
    def __init__(self, name: _Optional[str] = ..., submitted_at: _Optional[str] = ..., disabled_at: _Optional[str] = ..., version: _Optional[str] = ..., game_count: _Optional[int] = ..., validations: _Optional[_Iterable[_Union[ValidationInfo, _Mapping]]] = ..., disabled_reason: _Optional[str] = ..., owner: _Optional[str] = ...) -> None: ...

class ValidationInfo(_message.Message):
    __slots__ = ("ruleset", "version", "at", "failure")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    version: str
    at: str
    failure: str
    def __init__(self, ruleset: _Optional[str] = ..., version: _Optional[str] = ..., at: _Optional[str] = ..., failure: _Optional[str] = ...) -> None: ...

class TournamentInfo(_message.Message):
    __slots__ = ("name", "slug", "rules", "games_per_pairing", "games_at_once", "clock", "practice", "commitment", "seed", "state", "entrants", "game_count", "games_over_count", "games_open_count", "waiting_for", "created_at", "started_at", "finished_at", "actions", "join_extra_ms", "games_void_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SLUG_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    GAMES_PER_PAIRING_FIELD_NUMBER: _ClassVar[int]
    GAMES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    PRACTICE_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAMES_OVER_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAMES_OPEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    WAITING_FOR_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    JOIN_EXTRA_MS_FIELD_NUMBER: _ClassVar[int]
    GAMES_VOID_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    slug: str
    rules: _common_pb2.Rules
    games_per_pairing: int
    games_at_once: int
    clock: _common_pb2.Clock
    practice: bool
    commitment: str
    seed: str
    state: TournamentState
    entrants: _containers.RepeatedCompositeFieldContainer[EntrantInfo]
    game_count: int
    games_over_count: int
    games_open_count: int
    waiting_for: str
    created_at: str
    started_at: str
    finished_at: str
    actions: _containers.RepeatedCompositeFieldContainer[ActionInfo]
    join_extra_ms: int
    games_void_count: int
    def __init__(self, name: _Optional[str] = ..., slug: _Optional[str] = ..., rules: _Optional[_Union[_common_pb2.Rules, _Mapping]] = ..., games_per_pairing: _Optional[int] = ..., games_at_once: _Optional[int] = ..., clock: _Optional[_Union[_common_pb2.Clock, _Mapping]] = ..., practice: bool = ..., commitment: _Optional[str] = ..., seed: _Optional[str] = ..., state: _Optional[_Union[TournamentState, str]] = ..., entrants: _Optional[_Iterable[_Union[EntrantInfo, _Mapping]]] = ..., game_count: _Optional[int] = ..., games_over_count: _Optional[int] = ..., games_open_count: _Optional[int] = ..., waiting_for: _Optional[str] = ..., created_at: _Optional[str] = ..., started_at: _Optional[str] = ..., finished_at: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[ActionInfo, _Mapping]]] = ..., join_extra_ms: _Optional[int] = ..., games_void_count: _Optional[int] = ...) -> None: ...

class ActionInfo(_message.Message):
    __slots__ = ("at", "kind", "subject", "reason")
    AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    at: str
    kind: ActionKind
    subject: str
    reason: str
    def __init__(self, at: _Optional[str] = ..., kind: _Optional[_Union[ActionKind, str]] = ..., subject: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EntrantInfo(_message.Message):
    __slots__ = ("id", "version", "connected", "connection_count", "away_ms", "faults")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    CONNECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    AWAY_MS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: str
    connected: bool
    connection_count: int
    away_ms: int
    faults: _containers.RepeatedCompositeFieldContainer[FaultCount]
    def __init__(self, id: _Optional[str] = ..., version: _Optional[str] = ..., connected: bool = ..., connection_count: _Optional[int] = ..., away_ms: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[FaultCount, _Mapping]]] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("slug", "ruleset", "final", "practice", "round_count", "rounds_total", "rows", "canonical")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    PRACTICE_FIELD_NUMBER: _ClassVar[int]
    ROUND_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_TOTAL_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_FIELD_NUMBER: _ClassVar[int]
    slug: str
    ruleset: _common_pb2.Ruleset
    final: bool
    practice: bool
    round_count: int
    rounds_total: int
    rows: _containers.RepeatedCompositeFieldContainer[BoardRow]
    canonical: str
    def __init__(self, slug: _Optional[str] = ..., ruleset: _Optional[_Union[_common_pb2.Ruleset, str]] = ..., final: bool = ..., practice: bool = ..., round_count: _Optional[int] = ..., rounds_total: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[BoardRow, _Mapping]]] = ..., canonical: _Optional[str] = ...) -> None: ...

class BoardRow(_message.Message):
    __slots__ = ("rank", "entrant", "version", "mu", "sigma", "rating", "games", "won", "drawn", "lost", "deals", "game_points_for", "game_points_against", "void", "faults")
    RANK_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_FOR_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_AGAINST_FIELD_NUMBER: _ClassVar[int]
    VOID_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    rank: int
    entrant: str
    version: str
    mu: float
    sigma: float
    rating: float
    games: int
    won: int
    drawn: int
    lost: int
    deals: int
    game_points_for: int
    game_points_against: int
    void: int
    faults: _containers.RepeatedCompositeFieldContainer[FaultCount]
    def __init__(self, rank: _Optional[int] = ..., entrant: _Optional[str] = ..., version: _Optional[str] = ..., mu: _Optional[float] = ..., sigma: _Optional[float] = ..., rating: _Optional[float] = ..., games: _Optional[int] = ..., won: _Optional[int] = ..., drawn: _Optional[int] = ..., lost: _Optional[int] = ..., deals: _Optional[int] = ..., game_points_for: _Optional[int] = ..., game_points_against: _Optional[int] = ..., void: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[FaultCount, _Mapping]]] = ...) -> None: ...

class FaultCount(_message.Message):
    __slots__ = ("fault", "count")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    fault: _common_pb2.Fault
    count: int
    def __init__(self, fault: _Optional[_Union[_common_pb2.Fault, str]] = ..., count: _Optional[int] = ...) -> None: ...

class Statistics(_message.Message):
    __slots__ = ("slug", "round_count", "games", "rank_agreement", "first_dealer", "entrants", "head_to_head", "owner_pairings")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    ROUND_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    RANK_AGREEMENT_FIELD_NUMBER: _ClassVar[int]
    FIRST_DEALER_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    HEAD_TO_HEAD_FIELD_NUMBER: _ClassVar[int]
    OWNER_PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    slug: str
    round_count: int
    games: int
    rank_agreement: float
    first_dealer: FirstDealer
    entrants: _containers.RepeatedCompositeFieldContainer[EntrantStatistics]
    head_to_head: _containers.RepeatedCompositeFieldContainer[HeadToHead]
    owner_pairings: _containers.RepeatedCompositeFieldContainer[OwnerPairing]
    def __init__(self, slug: _Optional[str] = ..., round_count: _Optional[int] = ..., games: _Optional[int] = ..., rank_agreement: _Optional[float] = ..., first_dealer: _Optional[_Union[FirstDealer, _Mapping]] = ..., entrants: _Optional[_Iterable[_Union[EntrantStatistics, _Mapping]]] = ..., head_to_head: _Optional[_Iterable[_Union[HeadToHead, _Mapping]]] = ..., owner_pairings: _Optional[_Iterable[_Union[OwnerPairing, _Mapping]]] = ...) -> None: ...

class EntrantStatistics(_message.Message):
    __slots__ = ("entrant", "strength", "sigma", "place", "above_next", "separated", "timed_move_count", "think_p50_ms", "think_p95_ms", "faults")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ABOVE_NEXT_FIELD_NUMBER: _ClassVar[int]
    SEPARATED_FIELD_NUMBER: _ClassVar[int]
    TIMED_MOVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    THINK_P50_MS_FIELD_NUMBER: _ClassVar[int]
    THINK_P95_MS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    strength: float
    sigma: float
    place: int
    above_next: float
    separated: bool
    timed_move_count: int
    think_p50_ms: int
    think_p95_ms: int
    faults: _containers.RepeatedCompositeFieldContainer[FaultCount]
    def __init__(self, entrant: _Optional[str] = ..., strength: _Optional[float] = ..., sigma: _Optional[float] = ..., place: _Optional[int] = ..., above_next: _Optional[float] = ..., separated: bool = ..., timed_move_count: _Optional[int] = ..., think_p50_ms: _Optional[int] = ..., think_p95_ms: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[FaultCount, _Mapping]]] = ...) -> None: ...

class HeadToHead(_message.Message):
    __slots__ = ("entrants", "won", "drawn", "lost", "deals", "game_points_for", "game_points_against", "win_share", "points_per_deal", "superiority")
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_FOR_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_AGAINST_FIELD_NUMBER: _ClassVar[int]
    WIN_SHARE_FIELD_NUMBER: _ClassVar[int]
    POINTS_PER_DEAL_FIELD_NUMBER: _ClassVar[int]
    SUPERIORITY_FIELD_NUMBER: _ClassVar[int]
    entrants: _containers.RepeatedScalarFieldContainer[str]
    won: int
    drawn: int
    lost: int
    deals: int
    game_points_for: int
    game_points_against: int
    win_share: Estimate
    points_per_deal: Estimate
    superiority: float
    def __init__(self, entrants: _Optional[_Iterable[str]] = ..., won: _Optional[int] = ..., drawn: _Optional[int] = ..., lost: _Optional[int] = ..., deals: _Optional[int] = ..., game_points_for: _Optional[int] = ..., game_points_against: _Optional[int] = ..., win_share: _Optional[_Union[Estimate, _Mapping]] = ..., points_per_deal: _Optional[_Union[Estimate, _Mapping]] = ..., superiority: _Optional[float] = ...) -> None: ...

class OwnerPairing(_message.Message):
    __slots__ = ("owner", "entrants", "won", "drawn", "lost", "expected_share", "chance", "thrown", "thrown_chance", "is_odd")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SHARE_FIELD_NUMBER: _ClassVar[int]
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    THROWN_FIELD_NUMBER: _ClassVar[int]
    THROWN_CHANCE_FIELD_NUMBER: _ClassVar[int]
    IS_ODD_FIELD_NUMBER: _ClassVar[int]
    owner: str
    entrants: _containers.RepeatedScalarFieldContainer[str]
    won: int
    drawn: int
    lost: int
    expected_share: float
    chance: float
    thrown: int
    thrown_chance: float
    is_odd: bool
    def __init__(self, owner: _Optional[str] = ..., entrants: _Optional[_Iterable[str]] = ..., won: _Optional[int] = ..., drawn: _Optional[int] = ..., lost: _Optional[int] = ..., expected_share: _Optional[float] = ..., chance: _Optional[float] = ..., thrown: _Optional[int] = ..., thrown_chance: _Optional[float] = ..., is_odd: bool = ...) -> None: ...

class FirstDealer(_message.Message):
    __slots__ = ("games", "win_share", "points_per_deal")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    WIN_SHARE_FIELD_NUMBER: _ClassVar[int]
    POINTS_PER_DEAL_FIELD_NUMBER: _ClassVar[int]
    games: int
    win_share: Estimate
    points_per_deal: Estimate
    def __init__(self, games: _Optional[int] = ..., win_share: _Optional[_Union[Estimate, _Mapping]] = ..., points_per_deal: _Optional[_Union[Estimate, _Mapping]] = ...) -> None: ...

class Estimate(_message.Message):
    __slots__ = ("value", "low", "high")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    value: float
    low: float
    high: float
    def __init__(self, value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ...) -> None: ...

class GameInfo(_message.Message):
    __slots__ = ("game_id", "number", "round", "entrants", "game_index", "state", "score", "deal_count", "end", "winner", "fault", "reason")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    GAME_INDEX_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    number: int
    round: int
    entrants: _containers.RepeatedScalarFieldContainer[str]
    game_index: int
    state: GameState
    score: _containers.RepeatedScalarFieldContainer[int]
    deal_count: int
    end: _common_pb2.GameEnd
    winner: int
    fault: _common_pb2.Fault
    reason: str
    def __init__(self, game_id: _Optional[str] = ..., number: _Optional[int] = ..., round: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ..., game_index: _Optional[int] = ..., state: _Optional[_Union[GameState, str]] = ..., score: _Optional[_Iterable[int]] = ..., deal_count: _Optional[int] = ..., end: _Optional[_Union[_common_pb2.GameEnd, str]] = ..., winner: _Optional[int] = ..., fault: _Optional[_Union[_common_pb2.Fault, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class FaultReport(_message.Message):
    __slots__ = ("game_id", "entrant", "fault", "text", "at", "evidence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    entrant: str
    fault: _common_pb2.Fault
    text: str
    at: str
    evidence: _record_pb2.FaultRecord
    def __init__(self, game_id: _Optional[str] = ..., entrant: _Optional[str] = ..., fault: _Optional[_Union[_common_pb2.Fault, str]] = ..., text: _Optional[str] = ..., at: _Optional[str] = ..., evidence: _Optional[_Union[_record_pb2.FaultRecord, _Mapping]] = ...) -> None: ...
