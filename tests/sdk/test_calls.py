"""The calls of an arena over the network, against a service that answers from a table."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import grpc
import pytest
from support.fake_arena import FakeArena

from sixtysix import api, record, reports, wire
from sixtysix.client import RemoteArena
from sixtysix.client.channels import find_address
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import RULESETS, UnknownRuleset, ruleset
from sixtysix.v1 import arena_pb2

BOT = reports.BotInfo("my-bot", "2026-01-31T12:00:00Z", version="2", game_count=3)
TOURNAMENT = reports.TournamentInfo(
    name="Spring cup",
    slug="spring-cup",
    rules=RULESETS["classic"],
    games_per_pairing=10,
    games_at_once=32,
    clock=Clock(),
    practice=False,
    commitment="ab" * 32,
    seed="",
    state=reports.TournamentState.CREATED,
    entrants=(reports.EntrantInfo("my-bot"),),
    game_count=10,
    games_over_count=0,
    games_open_count=0,
    waiting_for="",
    created_at="2026-01-31T12:00:00Z",
    started_at="",
    finished_at="",
)
BOARD = reports.Board("spring-cup", "classic", True, False, 1, 1, (), "{}")
GAME = reports.GameInfo(
    game_id="spring-cup.1",
    number=1,
    round=1,
    entrants=("house:greedy", "my-bot"),
    game_index=0,
    state=reports.GameState.OVER,
    score=(8, 3),
    deal_count=1,
    end=GameEnd.FORFEIT,
    winner=0,
    fault=Fault.LEFT,
    reason="it left",
)
DEAL = record.DealRecord(deal=0, dealer=1, pack=tuple(range(24)))
DEFINITION = api.TournamentDefinition(
    name="Spring cup",
    slug="spring-cup",
    rules=ruleset("doubling", target=8),
    games_per_pairing=4,
    games_at_once=16,
    entrants=("my-bot", "house:greedy"),
    clock=Clock(per_move_ms=50),
)


class Service:
    """Answers every call from `answers`, by its name, and keeps what was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.asked: list[Any] = []
        self.metadata: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if not name[0].isupper():
            raise AttributeError(name)

        def answer(request: Any, context: grpc.ServicerContext) -> Any:
            self.asked.append(request)
            self.metadata.append(dict(context.invocation_metadata()))
            result = self.answers[name]
            if isinstance(result, grpc.StatusCode):
                context.abort(result, "the arena's own words")
            return result(request) if callable(result) else result

        return answer


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def arena(service: Service) -> Iterator[RemoteArena]:
    with (
        FakeArena(service=service) as fake,
        RemoteArena(fake.address, admin_token=" admin\n") as remote,
    ):
        yield remote


def _bot() -> arena_pb2.BotInfo:
    return wire.to_message(BOT, arena_pb2.BotInfo)


def _tournament() -> arena_pb2.TournamentInfo:
    return wire.to_message(TOURNAMENT, arena_pb2.TournamentInfo)


def _game(number: int = 1) -> arena_pb2.GameInfo:
    return wire.to_message(replace(GAME, number=number), arena_pb2.GameInfo)


def test_everything_that_can_be_asked_of_an_arena_can_be_asked_remotely(
    arena: RemoteArena,
) -> None:
    remote: api.ArenaApi = arena  # What mypy checks by type is checked here by name.
    for name, method in inspect.getmembers(api.ArenaApi, inspect.isfunction):
        if not name.startswith("_"):
            assert inspect.signature(method) == inspect.signature(getattr(type(remote), name))


def test_bots(arena: RemoteArena, service: Service) -> None:
    service.answers = {
        "SubmitBot": arena_pb2.SubmitBotResponse(bot=_bot(), token="secret"),
        "RotateToken": arena_pb2.RotateTokenResponse(token="new"),
        "SetOwner": arena_pb2.SetOwnerResponse(bot=_bot()),
        "DisableBot": arena_pb2.DisableBotResponse(bot=_bot()),
        "GetBot": arena_pb2.GetBotResponse(bot=_bot()),
    }
    assert arena.submit_bot("my-bot", "Ann") == (BOT, "secret")
    assert service.asked[-1].owner == "Ann"
    assert arena.rotate_token("my-bot") == "new"
    assert arena.set_owner("my-bot", "Bob") == BOT
    assert service.asked[-1].owner == "Bob"
    assert arena.disable_bot("my-bot", "it cheats") == BOT
    assert service.asked[-1].reason == "it cheats"
    assert arena.bot("my-bot") == BOT
    assert [request.name for request in service.asked] == ["my-bot"] * 5
    assert all(each["authorization"] == "Bearer admin" for each in service.metadata)


def test_each_submission_has_an_id_of_its_own(arena: RemoteArena, service: Service) -> None:
    service.answers["SubmitBot"] = arena_pb2.SubmitBotResponse(bot=_bot())
    arena.submit_bot("a")
    arena.submit_bot("a")
    first, second = (request.request_id for request in service.asked)
    assert first
    assert first != second


def test_tournaments(arena: RemoteArena, service: Service) -> None:
    service.answers = {
        "CreateTournament": arena_pb2.CreateTournamentResponse(tournament=_tournament()),
        "StartTournament": arena_pb2.StartTournamentResponse(tournament=_tournament()),
        "StopTournament": arena_pb2.StopTournamentResponse(tournament=_tournament()),
        "GetTournament": arena_pb2.GetTournamentResponse(tournament=_tournament()),
        "WatchTournament": lambda _: iter(
            [arena_pb2.WatchTournamentResponse(tournament=_tournament())] * 3
        ),
    }
    assert arena.create_tournament(DEFINITION) == TOURNAMENT
    assert arena.start_tournament("spring-cup") == TOURNAMENT
    assert arena.stop_tournament("spring-cup") == TOURNAMENT
    assert arena.tournament("spring-cup") == TOURNAMENT
    assert list(arena.watch_tournament("spring-cup")) == [TOURNAMENT] * 3
    created = service.asked[0]
    assert wire.from_message(created, api.TournamentDefinition) == DEFINITION
    assert not created.HasField("practice_seed")
    assert created.request_id
    assert [request.slug for request in service.asked] == ["spring-cup"] * 5


def test_what_an_organiser_does_by_hand(arena: RemoteArena, service: Service) -> None:
    game = arena_pb2.GameInfo(
        game_id="spring-cup.1",
        entrants=["ada", "bob"],
        state=arena_pb2.GAME_STATE_SCHEDULED,
        score=[0, 0],
    )
    service.answers = {
        "EndTournament": arena_pb2.EndTournamentResponse(tournament=_tournament()),
        "RemoveTournament": arena_pb2.RemoveTournamentResponse(tournament=_tournament()),
        "ExtendJoining": arena_pb2.ExtendJoiningResponse(tournament=_tournament()),
        "VoidGame": arena_pb2.VoidGameResponse(game=game),
    }
    assert arena.end_tournament("spring-cup", "enough") == TOURNAMENT
    assert arena.extend_joining("spring-cup", 90_000, "snow") == TOURNAMENT
    assert arena.void_game("spring-cup.1", "a cut line").game_id == "spring-cup.1"
    assert arena.remove_tournament("spring-cup") == TOURNAMENT
    ended, extended, voided, removed = service.asked
    assert removed.slug == "spring-cup"
    assert (ended.slug, ended.reason) == ("spring-cup", "enough")
    assert (extended.slug, extended.by_ms, extended.reason) == ("spring-cup", 90_000, "snow")
    assert (voided.game_id, voided.reason) == ("spring-cup.1", "a cut line")


def test_a_practice_seed_is_sent(arena: RemoteArena, service: Service) -> None:
    service.answers["CreateTournament"] = arena_pb2.CreateTournamentResponse(
        tournament=_tournament()
    )
    arena.create_tournament(replace(DEFINITION, practice_seed="42"))
    assert service.asked[0].practice_seed == "42"


def test_boards(arena: RemoteArena, service: Service) -> None:
    board = wire.to_message(BOARD, arena_pb2.Board)
    service.answers["GetBoard"] = arena_pb2.GetBoardResponse(board=board)
    assert arena.board("spring-cup") == BOARD
    assert arena.standing_board("last-trick") == BOARD
    by_slug, by_rules = service.asked
    assert (by_slug.slug, by_slug.ruleset) == ("spring-cup", 0)
    assert (by_rules.slug, by_rules.ruleset) == ("", wire.RULESETS.number("last-trick"))
    with pytest.raises(UnknownRuleset):
        arena.standing_board("klassik")


def test_statistics_are_asked_for_with_the_board(arena: RemoteArena, service: Service) -> None:
    statistics = reports.Statistics(
        "spring-cup", 1, 0, None, reports.FirstDealer(0, None, None), (), ()
    )
    service.answers["GetBoard"] = arena_pb2.GetBoardResponse(
        board=wire.to_message(BOARD, arena_pb2.Board),
        statistics=wire.to_message(statistics, arena_pb2.Statistics),
    )
    assert arena.statistics("spring-cup") == statistics
    assert arena.board("spring-cup") == BOARD
    assert [request.with_statistics for request in service.asked] == [True, False]


def test_an_arena_that_has_no_statistics_is_older(arena: RemoteArena, service: Service) -> None:
    board = wire.to_message(BOARD, arena_pb2.Board)
    service.answers["GetBoard"] = arena_pb2.GetBoardResponse(board=board)
    with pytest.raises(api.ApiError, match="has no statistics: it is older"):
        arena.statistics("spring-cup")


def test_a_game_comes_with_its_rules_and_deals(arena: RemoteArena, service: Service) -> None:
    rules = ruleset("doubling", agreed_six=True)
    service.answers["GetGame"] = arena_pb2.GetGameResponse(
        game=_game(),
        rules=wire.rules_message(rules),
        deals=[wire.deal_message(DEAL)] * 2,
        clock=wire.clock_message(Clock(per_game_ms=7)),
    )
    clock = Clock(per_game_ms=7)
    assert arena.game("spring-cup.1") == api.GameReport(GAME, rules, (DEAL, DEAL), clock)
    assert service.asked[0].game_id == "spring-cup.1"


def _paged(response: Any, field: str, items: list[Any]) -> Callable[[Any], Any]:
    """Pages of two items; the token of a page is the index of its first."""

    def page(request: Any) -> Any:
        begin = int(request.page_token or 0)
        end = begin + 2
        more = str(end) if end < len(items) else ""
        return response(**{field: items[begin:end]}, next_page_token=more)

    return page


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_lists_are_read_to_their_end(arena: RemoteArena, service: Service, count: int) -> None:
    service.answers = {
        "ListBots": _paged(arena_pb2.ListBotsResponse, "bots", [_bot()] * count),
        "ListTournaments": _paged(
            arena_pb2.ListTournamentsResponse, "tournaments", [_tournament()] * count
        ),
        "ListGames": _paged(
            arena_pb2.ListGamesResponse, "games", [_game(number) for number in range(count)]
        ),
    }
    assert list(arena.bots()) == [BOT] * count
    assert list(arena.tournaments()) == [TOURNAMENT] * count
    games = list(arena.games("spring-cup", "my-bot"))
    assert [game.number for game in games] == list(range(count))
    assert (service.asked[-1].slug, service.asked[-1].entrant) == ("spring-cup", "my-bot")


def test_a_list_is_read_no_further_than_wanted(arena: RemoteArena, service: Service) -> None:
    service.answers["ListBots"] = _paged(arena_pb2.ListBotsResponse, "bots", [_bot()] * 100)
    assert next(arena.bots()) == BOT
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (grpc.StatusCode.NOT_FOUND, api.NotFound),
        (grpc.StatusCode.ALREADY_EXISTS, api.AlreadyExists),
        (grpc.StatusCode.FAILED_PRECONDITION, api.WrongState),
        (grpc.StatusCode.INVALID_ARGUMENT, api.InvalidRequest),
        (grpc.StatusCode.UNAVAILABLE, api.ArenaUnreachable),
        (grpc.StatusCode.UNAUTHENTICATED, api.NotAllowed),
        (grpc.StatusCode.PERMISSION_DENIED, api.NotAllowed),
        (grpc.StatusCode.INTERNAL, api.ApiError),
    ],
)
def test_errors_have_the_arenas_own_words(
    arena: RemoteArena, service: Service, code: grpc.StatusCode, error: type[api.ApiError]
) -> None:
    service.answers = dict.fromkeys(("GetBot", "ListBots", "WatchTournament"), code)
    calls: list[Callable[[], object]] = [
        lambda: arena.bot("x"),
        lambda: list(arena.bots()),
        lambda: list(arena.watch_tournament("x")),
    ]
    for call in calls:
        with pytest.raises(error, match=r"^the arena's own words$") as caught:
            call()
        assert type(caught.value) is error


def test_a_service_that_is_no_arena_is_called_that() -> None:
    with (
        FakeArena() as fake,
        RemoteArena(fake.address) as arena,
        pytest.raises(api.ApiError, match="is no arena, or of another version"),
    ):
        arena.bot("x")


def test_nobody_there_is_told_with_the_address() -> None:
    with FakeArena() as fake:
        address = fake.address
    with (
        RemoteArena(address) as arena,
        pytest.raises(
            api.ArenaUnreachable, match=f"^no arena answers at {address}: start one with"
        ),
    ):
        arena.bot("x")


def test_an_arena_that_is_silent_is_given_up(
    arena: RemoteArena, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix.client.calls.TIMEOUT_S", 0.05)
    released: Future[None] = Future()
    service.answers["GetBot"] = lambda _: released.result(5)
    try:
        with pytest.raises(api.ArenaUnreachable, match="does not answer in time"):
            arena.bot("x")
    finally:
        released.set_result(None)


def test_what_no_message_can_carry_is_an_invalid_request(arena: RemoteArena) -> None:
    with pytest.raises(api.InvalidRequest, match="cannot be asked"):
        arena.bot("\udcff")
    with pytest.raises(api.InvalidRequest, match="cannot be asked"):
        arena.create_tournament(replace(DEFINITION, games_per_pairing=-2))


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("arena.example:7000", "arena.example:7000"),
        ("arena.example", "arena.example:6650"),
        ("[::1]:7000", "[::1]:7000"),
        ("[::1]", "[::1]:6650"),
        (None, "127.0.0.1:6650"),
    ],
)
def test_an_address_is_a_host_and_a_port(
    monkeypatch: pytest.MonkeyPatch, given: str | None, address: str
) -> None:
    monkeypatch.delenv("SIXTYSIX_ARENA", raising=False)
    assert find_address(given) == address


def test_an_address_may_be_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIXTYSIX_ARENA", "elsewhere:1")
    assert find_address() == "elsewhere:1"
    assert find_address("here:2") == "here:2"


@pytest.mark.parametrize("given", ["http://x", "x:0", "x:65536", "x:y", ":1", "unix:/tmp/x"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(api.InvalidRequest, match="is no address: expected HOST:PORT"):
        find_address(given)
