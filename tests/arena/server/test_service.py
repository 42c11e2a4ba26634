"""ArenaService over a real connection: every call, its pages, its refusals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from support.played import events, play_game
from support.serving import ADMIN_TOKEN, FakeHost, serving
from support.stored import LATER, NOW, create, start

from sixtysix import api
from sixtysix.api import TournamentDefinition
from sixtysix.client import RemoteArena
from sixtysix.clock import Clock
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS, ruleset
from sixtysix.v1 import arena_pb2, arena_pb2_grpc, common_pb2
from sixtysix_arena import errors
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.server import service
from sixtysix_arena.server.service import MAX_PAGE_SIZE
from sixtysix_arena.store import DataFolder

RULES = RULESETS["last-trick"]
CUP = TournamentDefinition(
    name="Spring cup",
    slug="spring-cup",
    rules=ruleset("doubling", target=8, agreed_six=True),
    games_per_pairing=4,
    games_at_once=16,
    entrants=("ada", "house:random"),
    practice_seed="42",
    clock=Clock(per_move_ms=500),
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeHost]:
    """An arena with three bots and two tournaments, one of them over."""
    folder = DataFolder.open(tmp_path_factory.mktemp("data"), create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        for name in ("ada", "bob", "cy"):
            store.add_bot(name, name.encode() * 8, NOW)
        create(store, rules=RULES)
        store.freeze_version(["cup"], "ada", "1.0")
        for seed, game in enumerate(start(store)):
            store.commit(events(game, play_game(RULES, seed, seed % 2)))
        store.set_state("cup", TournamentState.FINISHED, LATER)
        create(store, slug="later")
    with folder.open_reader() as reader:
        yield FakeHost(StoredArena(reader))


@pytest.fixture(scope="module")
def address(host: FakeHost) -> Iterator[str]:
    with serving(host) as address:
        yield address


@pytest.fixture
def remote(host: FakeHost, address: str) -> Iterator[RemoteArena]:
    """The client, with the organiser's token."""
    host.asked.clear()
    with RemoteArena(address, ADMIN_TOKEN) as remote:
        yield remote
    host.fails = None


@pytest.fixture
def stub(address: str) -> Iterator[Any]:
    """The bare protocol."""
    with grpc.insecure_channel(address) as channel:
        yield arena_pb2_grpc.ArenaServiceStub(channel)  # type: ignore[no-untyped-call]


def code_of(caught: pytest.ExceptionInfo[grpc.RpcError]) -> grpc.StatusCode:
    code: grpc.StatusCode = caught.value.code()
    return code


def details_of(caught: pytest.ExceptionInfo[grpc.RpcError]) -> str:
    return str(caught.value.details())


# Reading is the same from afar


def test_reading_gives_what_is_stored(remote: RemoteArena, host: FakeHost) -> None:
    stored = host.stored
    assert list(remote.bots()) == list(stored.bots())
    assert remote.bot("ada") == stored.bot("ada")
    assert list(remote.tournaments()) == list(stored.tournaments())
    assert remote.board("cup") == stored.board("cup")
    assert remote.statistics("cup") == stored.statistics("cup")
    assert remote.standing_board("last-trick") == stored.standing_board("last-trick")
    assert list(remote.games("cup")) == list(stored.games("cup"))
    assert list(remote.games("cup", "ada")) == list(stored.games("cup", "ada"))
    for game in stored.games("cup"):
        assert remote.game(game.game_id) == stored.game(game.game_id)


def test_a_tournament_is_told_live(remote: RemoteArena) -> None:
    assert remote.tournament("cup").waiting_for == "waiting for ada"


def test_a_tournament_is_watched(remote: RemoteArena) -> None:
    states = [info.state for info in remote.watch_tournament("later")]
    assert states == [TournamentState.CREATED, TournamentState.FINISHED]
    with pytest.raises(api.NotFound):
        next(remote.watch_tournament("nix"))


def test_reading_needs_no_token(address: str, host: FakeHost) -> None:
    with RemoteArena(address) as anybody:
        assert anybody.board("cup") == host.stored.board("cup")
        with pytest.raises(api.NotAllowed):
            anybody.disable_bot("ada")


# Changing


def test_bots(remote: RemoteArena, host: FakeHost) -> None:
    bot, token = remote.submit_bot("dee", "Dee")
    assert (bot.name, bot.owner, token) == ("dee", "Dee", "token-of-dee")
    assert remote.rotate_token("dee") == "new-token-of-dee"
    assert remote.set_owner("dee", "Don").owner == "Don"
    assert remote.disable_bot("dee", "it cheats").disabled_at == LATER
    assert [call[:2] for call in host.asked] == [
        ("submit_bot", "dee"),
        ("rotate_token", "dee"),
        ("set_owner", "dee"),
        ("disable_bot", "dee"),
    ]
    assert host.asked[2][2] == "Don"
    assert host.asked[3][2] == "it cheats"
    assert host.asked[0][3] != host.asked[1][2], "each call has a request id of its own"


def test_tournaments(remote: RemoteArena, host: FakeHost) -> None:
    remote.create_tournament(CUP)
    assert remote.start_tournament("cup").slug == "cup"
    with pytest.raises(api.WrongState, match="cannot be stopped"):
        remote.stop_tournament("cup")
    assert [call[:2] for call in host.asked] == [
        ("create_tournament", CUP),
        ("start_tournament", "cup"),
        ("stop_tournament", "cup"),
    ]


def test_what_an_organiser_does_by_hand(remote: RemoteArena, host: FakeHost) -> None:
    assert remote.end_tournament("cup", "the hall closes").slug == "cup"
    assert remote.extend_joining("cup", 90_000, "it snows").slug == "cup"
    assert remote.void_game("cup.1", "a cut line") == host.stored.game("cup.1").game
    assert remote.remove_tournament("cup").slug == "cup"
    assert host.asked == [
        ("end_tournament", "cup", "the hall closes"),
        ("extend_joining", "cup", 90_000, "it snows"),
        ("void_game", "cup.1", "a cut line"),
        ("remove_tournament", "cup"),
    ]


def test_a_definition_is_checked_before_it_is_carried_out(
    remote: RemoteArena, host: FakeHost
) -> None:
    wrong = TournamentDefinition("Cup", "cup", RULES, 3, 1, ("ada", "bob"))
    with pytest.raises(api.InvalidRequest, match="games_per_pairing cannot be 3"):
        remote.create_tournament(wrong)
    assert host.asked == []


def _asked(**changes: Any) -> arena_pb2.CreateTournamentRequest:
    fields: dict[str, Any] = {
        "name": "Cup",
        "slug": "cup",
        "rules": common_pb2.Rules(ruleset=common_pb2.RULESET_CLASSIC),
        "games_per_pairing": 2,
        "games_at_once": 1,
        "entrants": ["ada", "bob"],
    }
    return arena_pb2.CreateTournamentRequest(**fields | changes)


ADMIN = (("authorization", f"Bearer {ADMIN_TOKEN}"),)


def test_a_tournament_without_a_clock_gets_the_usual_one(stub: Any, host: FakeHost) -> None:
    host.asked.clear()
    stub.CreateTournament(_asked(), metadata=ADMIN)
    definition = host.asked[0][1]
    assert isinstance(definition, TournamentDefinition)
    assert definition.clock == Clock()
    assert definition.rules == RULESETS["classic"]
    assert definition.practice_seed is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rules": None}, "names none"),
        ({"rules": common_pb2.Rules.FromString(b"\x08\x63")}, "has no number 99 here"),
        (
            {"rules": common_pb2.Rules(ruleset=common_pb2.RULESET_CLASSIC, target=9)},
            "no option 'target'",
        ),
        ({"clock": common_pb2.Clock(per_move_ms=500)}, "clock.per_game_ms cannot be 0"),
        ({"entrants": ["ada", "ada"]}, "entered twice"),
        ({"name": "\x1b"}, "name has to have 1 to 80 characters"),
        ({"request_id": "x" * 101}, "request_id is too long"),
    ],
)
def test_what_cannot_be_a_tournament(stub: Any, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.CreateTournament(_asked(**changes), metadata=ADMIN)
    assert code_of(caught) is grpc.StatusCode.INVALID_ARGUMENT
    assert told in details_of(caught)


# Pages


def test_bots_are_paged(stub: Any) -> None:
    first = stub.ListBots(arena_pb2.ListBotsRequest(page_size=2))
    assert [bot.name for bot in first.bots] == ["ada", "bob"]
    rest = stub.ListBots(arena_pb2.ListBotsRequest(page_size=2, page_token=first.next_page_token))
    assert [bot.name for bot in rest.bots] == ["cy"]
    assert rest.next_page_token == ""


def test_tournaments_are_paged(stub: Any) -> None:
    first = stub.ListTournaments(arena_pb2.ListTournamentsRequest(page_size=1))
    assert [each.slug for each in first.tournaments] == ["later"]
    token = first.next_page_token
    rest = stub.ListTournaments(arena_pb2.ListTournamentsRequest(page_size=9, page_token=token))
    assert [each.slug for each in rest.tournaments] == ["cup"]
    assert rest.next_page_token == ""


def test_games_are_paged(stub: Any) -> None:
    numbers: list[int] = []
    token = ""
    while True:
        page = stub.ListGames(arena_pb2.ListGamesRequest(slug="cup", page_size=4, page_token=token))
        numbers += [game.number for game in page.games]
        token = page.next_page_token
        if not token:
            break
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_a_page_has_an_end_whatever_is_asked_for(
    stub: Any, host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def page(slug: str, entrant: str | None, after: int, limit: int) -> tuple[()]:
        sizes.append(limit)
        return ()

    monkeypatch.setattr(host.stored, "games_page", page)
    for size in (0, 7, 4_000_000_000):
        stub.ListGames(arena_pb2.ListGamesRequest(slug="cup", page_size=size))
    assert sizes == [100, 7, MAX_PAGE_SIZE]


def test_a_page_has_no_more_bytes_than_go_into_a_message(
    stub: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_PAGE_BYTES", 150)
    numbers: list[int] = []
    token = ""
    for _ in range(6):
        request = arena_pb2.ListGamesRequest(slug="cup", page_token=token)
        page = stub.ListGames(request)
        assert page.ByteSize() < 200
        numbers += [game.number for game in page.games]
        token = page.next_page_token
        if not token:
            break
    assert numbers == [1, 2, 3, 4, 5, 6]
    monkeypatch.setattr(service, "MAX_PAGE_BYTES", 1)
    one = stub.ListBots(arena_pb2.ListBotsRequest())
    assert (len(one.bots), one.next_page_token) == (1, "ada")


@pytest.mark.parametrize("token", ["x", "-1", "1e3", "9" * 10, "1; DROP TABLE game"])
def test_what_is_no_page_token(stub: Any, token: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.ListGames(arena_pb2.ListGamesRequest(slug="cup", page_token=token))
    assert code_of(caught) is grpc.StatusCode.INVALID_ARGUMENT


def test_statistics_come_only_if_asked_for(stub: Any) -> None:
    plain = stub.GetBoard(arena_pb2.GetBoardRequest(slug="cup"))
    more = stub.GetBoard(arena_pb2.GetBoardRequest(slug="cup", with_statistics=True))
    assert plain.board == more.board
    assert (plain.HasField("statistics"), more.HasField("statistics")) == (False, True)
    assert len(more.statistics.head_to_head) == 3
    number = common_pb2.RULESET_LAST_TRICK
    standing = arena_pb2.GetBoardRequest(ruleset=number, with_statistics=True)
    assert not stub.GetBoard(standing).HasField("statistics")


# Refusals


@pytest.mark.parametrize("ruleset_number", [0, 99])
def test_a_board_of_nothing(stub: Any, ruleset_number: int) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.GetBoard(arena_pb2.GetBoardRequest(ruleset=ruleset_number))  # type: ignore[arg-type]
    assert code_of(caught) is grpc.StatusCode.INVALID_ARGUMENT
    assert "which board?" in details_of(caught)


def test_what_is_not_there(remote: RemoteArena) -> None:
    for call in (
        lambda: remote.bot("nix"),
        lambda: remote.tournament("nix"),
        lambda: remote.board("nix"),
        lambda: remote.statistics("nix"),
        lambda: list(remote.games("nix")),
        lambda: list(remote.games("cup", "nix")),
        lambda: remote.game("cup.7"),
    ):
        with pytest.raises(api.NotFound, match=r"there is no|is no entrant"):
            call()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (errors.Exists("taken"), api.AlreadyExists),
        (errors.Unavailable("the disk is full"), api.ArenaUnreachable),
        (errors.Invalid("nonsense"), api.InvalidRequest),
    ],
)
def test_errors_keep_their_kind_and_their_text(
    remote: RemoteArena, host: FakeHost, error: Exception, told: type[Exception]
) -> None:
    host.fails = error
    with pytest.raises(told, match=str(error)):
        remote.submit_bot("dee")


def test_threat_13_a_mistake_of_ours_is_told_by_an_id_alone(
    remote: RemoteArena, host: FakeHost
) -> None:
    host.fails = ZeroDivisionError("a secret")
    with pytest.raises(api.ApiError, match="internal error") as caught:
        remote.submit_bot("dee")
    assert "secret" not in str(caught.value)
