"""The calls of an arena over the network, as `sixtysix.api` describes them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from sixtysix import wire
from sixtysix.api import ApiError, GameReport, InvalidRequest, TournamentDefinition
from sixtysix.client.channels import CallFailure, bearer, find_target
from sixtysix.record.chain import MAX_LINE_BYTES
from sixtysix.reports import Board, BotInfo, FaultReport, GameInfo, Statistics, TournamentInfo
from sixtysix.rules import RULESETS
from sixtysix.tokens import checked_token
from sixtysix.v1 import arena_pb2, arena_pb2_grpc

__all__ = ["RemoteArena"]

TIMEOUT_S = 30.0
"""An arena that has not answered a call by then is as good as gone."""

_CURE = "start one with 'sixtysix serve', or name a data folder with --data DIR"

Report = TypeVar("Report")
Request = TypeVar("Request", bound=Message)


class RemoteArena:
    """An arena at an address; an `ArenaApi`.

    Calls that change something need the organiser's token, `admin_token`.
    For `faults` a bot's is enough, `bot_token`. Every call raises an ApiError
    if it cannot be carried out.
    """

    def __init__(
        self,
        address: str | None = None,
        admin_token: str | None = None,
        *,
        bot_token: str | None = None,
        ca: Path | str | None = None,
        insecure: bool = False,
    ) -> None:
        """`address`, `ca` and `insecure` are as for `join`.

        Nothing is connected before the first call. Raises InvalidRequest for
        what is no address or no certificate or if both tokens are given,
        NotAllowed for what is no token.
        """
        self._target = find_target(address, ca=ca, insecure=insecure)
        self.address = self._target.address
        self._metadata: tuple[tuple[str, str], ...] = ()
        if admin_token is not None and bot_token is not None:
            raise InvalidRequest("give either the admin token or a bot's: a call carries one")
        if admin_token is not None:
            self._metadata = (bearer(checked_token(admin_token, "the admin token")),)
        elif bot_token is not None:
            self._metadata = (bearer(checked_token(bot_token, "the bot's token")),)
        self._channel = self._target.open()
        self._stub: Any = arena_pb2_grpc.ArenaServiceStub(self._channel)  # type: ignore[no-untyped-call]

    def __enter__(self) -> RemoteArena:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; calls that are still running end."""
        self._channel.close()

    # Bots.

    def submit_bot(self, name: str, owner: str = "") -> tuple[BotInfo, str]:
        """Registers a bot. The text is its token, which is told this once."""
        request = _asking(
            arena_pb2.SubmitBotRequest, name=name, owner=owner, request_id=_request_id()
        )
        response = self._call(self._stub.SubmitBot, request)
        return wire.from_message(response.bot, BotInfo), response.token

    def rotate_token(self, name: str) -> str:
        """Replaces a bot's token, and returns the new one; the old one ends at once."""
        request = _asking(arena_pb2.RotateTokenRequest, name=name, request_id=_request_id())
        token: str = self._call(self._stub.RotateToken, request).token
        return token

    def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is; nobody's if `owner` is empty."""
        request = _asking(arena_pb2.SetOwnerRequest, name=name, owner=owner)
        return wire.from_message(self._call(self._stub.SetOwner, request).bot, BotInfo)

    def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play; what it played stands, the rest it forfeits."""
        request = _asking(arena_pb2.DisableBotRequest, name=name, reason=reason)
        response = self._call(self._stub.DisableBot, request)
        return wire.from_message(response.bot, BotInfo)

    def bot(self, name: str) -> BotInfo:
        """One bot."""
        response = self._call(self._stub.GetBot, _asking(arena_pb2.GetBotRequest, name=name))
        return wire.from_message(response.bot, BotInfo)

    def bots(self) -> Iterator[BotInfo]:
        """All bots, by name."""
        return self._pages(self._stub.ListBots, arena_pb2.ListBotsRequest(), "bots", BotInfo)

    # Tournaments.

    def create_tournament(self, definition: TournamentDefinition) -> TournamentInfo:
        """Stores a tournament, draws its seed and publishes the commitment."""
        try:
            request = wire.to_message(
                definition, arena_pb2.CreateTournamentRequest, request_id=_request_id()
            )
        except ValueError as error:
            raise InvalidRequest(f"this cannot be asked: {error}") from error
        return self._tournament(self._stub.CreateTournament, request)

    def start_tournament(self, slug: str, *, unvalidated: bool = False) -> TournamentInfo:
        """Starts a tournament, or continues one that was stopped."""
        request = _asking(arena_pb2.StartTournamentRequest, slug=slug, unvalidated=unvalidated)
        return self._tournament(self._stub.StartTournament, request)

    def stop_tournament(self, slug: str) -> TournamentInfo:
        """Suspends a tournament."""
        request = _asking(arena_pb2.StopTournamentRequest, slug=slug)
        return self._tournament(self._stub.StopTournament, request)

    def end_tournament(self, slug: str, reason: str) -> TournamentInfo:
        """Ends a tournament early: what is not over is void, and the seed is revealed."""
        request = _asking(arena_pb2.EndTournamentRequest, slug=slug, reason=reason)
        return self._tournament(self._stub.EndTournament, request)

    def remove_tournament(self, slug: str) -> TournamentInfo:
        """Removes a tournament that was never started, and returns how it stood."""
        request = _asking(arena_pb2.RemoveTournamentRequest, slug=slug)
        return self._tournament(self._stub.RemoveTournament, request)

    def extend_joining(self, slug: str, by_ms: int, reason: str = "") -> TournamentInfo:
        """Gives the bots of a tournament more time to join."""
        request = _asking(arena_pb2.ExtendJoiningRequest, slug=slug, by_ms=by_ms, reason=reason)
        return self._tournament(self._stub.ExtendJoining, request)

    def void_game(self, game_id: str, reason: str) -> GameInfo:
        """Makes a game void and has it played anew, with fresh deals."""
        request = _asking(arena_pb2.VoidGameRequest, game_id=game_id, reason=reason)
        return wire.from_message(self._call(self._stub.VoidGame, request).game, GameInfo)

    def tournament(self, slug: str) -> TournamentInfo:
        """How a tournament stands."""
        request = _asking(arena_pb2.GetTournamentRequest, slug=slug)
        return self._tournament(self._stub.GetTournament, request)

    def tournaments(self) -> Iterator[TournamentInfo]:
        """All tournaments, the latest first."""
        request = arena_pb2.ListTournamentsRequest()
        return self._pages(self._stub.ListTournaments, request, "tournaments", TournamentInfo)

    def watch_tournament(self, slug: str) -> Iterator[TournamentInfo]:
        """How a tournament stands, again and again until it no longer runs.

        Closing the iterator ends the call.
        """
        request = _asking(arena_pb2.WatchTournamentRequest, slug=slug)
        with closing(self._stream(self._stub.WatchTournament, request)) as responses:
            for response in responses:
                yield wire.from_message(response.tournament, TournamentInfo)

    # Results.

    def board(self, slug: str) -> Board:
        """The board of a tournament."""
        return self._board(_asking(arena_pb2.GetBoardRequest, slug=slug))

    def statistics(self, slug: str) -> Statistics:
        """What stands beside the board of a tournament."""
        request = _asking(arena_pb2.GetBoardRequest, slug=slug, with_statistics=True)
        response = self._call(self._stub.GetBoard, request)
        if not response.HasField("statistics"):
            raise ApiError(f"the arena at {self.address} has no statistics: it is older than this")
        return wire.from_message(response.statistics, Statistics)

    def standing_board(self, ruleset: str) -> Board:
        """The standing board of a rule set, over all ranked tournaments.

        Raises UnknownRuleset if there is no such rule set.
        """
        number = wire.RULESETS.number(RULESETS[ruleset].name)
        return self._board(_asking(arena_pb2.GetBoardRequest, ruleset=number))

    def games(self, slug: str, entrant: str | None = None) -> Iterator[GameInfo]:
        """The games of a tournament in the order of the schedule, or one entrant's."""
        request = _asking(arena_pb2.ListGamesRequest, slug=slug, entrant=entrant or "")
        return self._pages(self._stub.ListGames, request, "games", GameInfo)

    def game(self, game_id: str) -> GameReport:
        """One game with the deals of it that are over."""
        response = self._call(
            self._stub.GetGame, _asking(arena_pb2.GetGameRequest, game_id=game_id)
        )
        return wire.from_message(response, GameReport)

    def faults(self, game_id: str) -> tuple[FaultReport, ...]:
        """What went wrong in a game, with its evidence, by seat; empty if nothing did.

        The organiser sees both sides, a bot only its own faults. Raises
        NotAllowed without a token, and for a bot that does not play this game.
        """
        request = _asking(arena_pb2.GetFaultsRequest, game_id=game_id)
        return tuple(map(wire.fault_of, self._call(self._stub.GetFaults, request).faults))

    def export(self, slug: str) -> Iterator[str]:
        """The public record of a tournament as it stands: lines, each with its line feed.

        Closing the iterator ends the call.
        """
        request = _asking(arena_pb2.ExportTournamentRequest, slug=slug)
        with closing(self._stream(self._stub.ExportTournament, request)) as responses:
            try:
                yield from _lines(response.chunk for response in responses)
            except (UnicodeDecodeError, _Endless) as error:
                raise ApiError(f"the arena at {self.address} sent what is no record") from error

    def _tournament(self, method: Callable[..., Any], request: object) -> TournamentInfo:
        return wire.from_message(self._call(method, request).tournament, TournamentInfo)

    def _board(self, request: arena_pb2.GetBoardRequest) -> Board:
        return wire.from_message(self._call(self._stub.GetBoard, request).board, Board)

    def _pages(
        self, method: Callable[..., Any], request: Any, items: str, report_class: type[Report]
    ) -> Iterator[Report]:
        while True:
            response = self._call(method, request)
            for message in getattr(response, items):
                yield wire.from_message(message, report_class)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    def _stream(self, method: Callable[..., Any], request: object) -> Generator[Any, None, None]:
        """What a call answers, one response after another. Closing it ends the call."""
        call = method(request, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise self._target.error_of(CallFailure(error), _CURE) from None
        finally:
            call.cancel()

    def _call(self, method: Callable[..., Any], request: object) -> Any:
        try:
            return method(request, timeout=TIMEOUT_S, metadata=self._metadata)
        except grpc.RpcError as error:
            raise self._target.error_of(error, _CURE) from error


def _asking(request_class: type[Request], **fields: object) -> Request:
    """A request. Raises InvalidRequest for a text or a number that no message can carry."""
    try:
        return request_class(**fields)
    except ValueError as error:
        raise InvalidRequest(f"this cannot be asked: {error}") from error


class _Endless(Exception):
    """A line that is longer than any line of a record."""


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines out of parts that end anywhere; each with its line feed, if it has one."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode() + "\n"
        if len(rest) > MAX_LINE_BYTES:
            raise _Endless
    if rest:
        yield rest.decode()


def _request_id() -> str:
    """Marks a call, so that the arena can tell a repetition from a second call."""
    return secrets.token_hex(16)
