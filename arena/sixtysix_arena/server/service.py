"""ArenaService: translate, call, translate back."""

# ruff: noqa: N802 - the methods have the names of the calls in the protocol.
from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from sixtysix import wire
from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.reports import BotInfo, GameInfo, TournamentInfo
from sixtysix.tournament_file import checked
from sixtysix.v1 import arena_pb2 as pb
from sixtysix.v1 import arena_pb2_grpc
from sixtysix_arena.errors import Invalid, NotAllowed
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.server.guard import CALLER, ORGANISER

__all__ = ["ArenaHost", "ArenaServicer"]

PAGE_SIZE = 100
"""Items of a page, if the caller leaves it to us."""
MAX_PAGE_SIZE = 500
"""Whatever a caller asks for: a page is one message."""
MAX_PAGE_BYTES = 256 * 1024
"""A tournament with a thousand entrants has 50 KiB: fewer of them go into a page."""
MAX_REQUEST_ID_LENGTH = 100
CHUNK_BYTES = 64 * 1024
"""What of a record goes into one message."""

AnyMessage = TypeVar("AnyMessage", bound=Message)


class ArenaHost(Protocol):
    """The arena as ArenaService sees it. Its methods raise an ArenaError if they cannot."""

    @property
    def stored(self) -> StoredArena:
        """What is stored, for reading."""
        ...

    async def submit_bot(
        self, name: str, owner: str = "", request_id: str = ""
    ) -> tuple[BotInfo, str]:
        """Registers a bot; returns it and its token."""
        ...

    async def rotate_token(self, name: str, request_id: str = "") -> str:
        """Replaces a bot's token."""
        ...

    async def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is."""
        ...

    async def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play."""
        ...

    async def create_tournament(
        self, definition: TournamentDefinition, request_id: str = ""
    ) -> TournamentInfo:
        """Stores a tournament, which is possible."""
        ...

    async def start_tournament(self, slug: str, *, unvalidated: bool = False) -> TournamentInfo:
        """Starts a tournament, or continues one that was stopped."""
        ...

    async def stop_tournament(self, slug: str) -> TournamentInfo:
        """Suspends a tournament."""
        ...

    async def end_tournament(self, slug: str, reason: str) -> TournamentInfo:
        """Ends a tournament early."""
        ...

    async def remove_tournament(self, slug: str) -> TournamentInfo:
        """Removes a tournament that was never started; how it stood."""
        ...

    async def extend_joining(self, slug: str, by_ms: int, reason: str = "") -> TournamentInfo:
        """Gives the bots of a tournament more time to join."""
        ...

    async def void_game(self, game_id: str, reason: str) -> GameInfo:
        """Makes a game void and has it played anew."""
        ...

    async def tournament(self, slug: str) -> TournamentInfo:
        """How a tournament stands, live."""
        ...

    def watch_tournament(self, slug: str) -> AsyncIterator[TournamentInfo]:
        """How a tournament stands, again and again."""
        ...


class ArenaServicer(arena_pb2_grpc.ArenaServiceServicer):
    """ArenaService for grpc.aio. What it raises becomes a status further out, in the guard.

    Whatever reads the store does so in a thread, so that no game waits for it.
    """

    def __init__(self, host: ArenaHost) -> None:
        self._host = host
        self._exporting = asyncio.Lock()

    # Bots

    async def SubmitBot(self, request: pb.SubmitBotRequest, context: Any) -> pb.SubmitBotResponse:
        if request.owner and CALLER.get(None) != ORGANISER:
            raise NotAllowed(
                "only the organiser, with the admin token, says whose a bot is: submit it without"
                " an owner"
            )
        bot, token = await self._host.submit_bot(request.name, request.owner, _request_id(request))
        return pb.SubmitBotResponse(bot=_bot(bot), token=token)

    async def RotateToken(
        self, request: pb.RotateTokenRequest, context: Any
    ) -> pb.RotateTokenResponse:
        token = await self._host.rotate_token(request.name, _request_id(request))
        return pb.RotateTokenResponse(token=token)

    async def DisableBot(
        self, request: pb.DisableBotRequest, context: Any
    ) -> pb.DisableBotResponse:
        bot = await self._host.disable_bot(request.name, request.reason)
        return pb.DisableBotResponse(bot=_bot(bot))

    async def SetOwner(self, request: pb.SetOwnerRequest, context: Any) -> pb.SetOwnerResponse:
        bot = await self._host.set_owner(request.name, request.owner)
        return pb.SetOwnerResponse(bot=_bot(bot))

    async def GetBot(self, request: pb.GetBotRequest, context: Any) -> pb.GetBotResponse:
        bot = await asyncio.to_thread(self._host.stored.bot, request.name)
        return pb.GetBotResponse(bot=_bot(bot))

    async def ListBots(self, request: pb.ListBotsRequest, context: Any) -> pb.ListBotsResponse:
        size = _page_size(request.page_size)
        bots = await asyncio.to_thread(self._host.stored.bots_page, request.page_token, size)
        messages, more = _page([_bot(bot) for bot in bots], size)
        return pb.ListBotsResponse(bots=messages, next_page_token=messages[-1].name if more else "")

    # Tournaments

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Any
    ) -> pb.CreateTournamentResponse:
        definition = checked(_definition(request))
        info = await self._host.create_tournament(definition, _request_id(request))
        return pb.CreateTournamentResponse(tournament=_tournament(info))

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Any
    ) -> pb.StartTournamentResponse:
        info = await self._host.start_tournament(request.slug, unvalidated=request.unvalidated)
        return pb.StartTournamentResponse(tournament=_tournament(info))

    async def StopTournament(
        self, request: pb.StopTournamentRequest, context: Any
    ) -> pb.StopTournamentResponse:
        info = await self._host.stop_tournament(request.slug)
        return pb.StopTournamentResponse(tournament=_tournament(info))

    async def EndTournament(
        self, request: pb.EndTournamentRequest, context: Any
    ) -> pb.EndTournamentResponse:
        info = await self._with_mishaps(
            await self._host.end_tournament(request.slug, request.reason)
        )
        return pb.EndTournamentResponse(tournament=_tournament(info))

    async def RemoveTournament(
        self, request: pb.RemoveTournamentRequest, context: Any
    ) -> pb.RemoveTournamentResponse:
        info = await self._host.remove_tournament(request.slug)
        return pb.RemoveTournamentResponse(tournament=_tournament(info))

    async def ExtendJoining(
        self, request: pb.ExtendJoiningRequest, context: Any
    ) -> pb.ExtendJoiningResponse:
        info = await self._host.extend_joining(request.slug, request.by_ms, request.reason)
        return pb.ExtendJoiningResponse(tournament=_tournament(info))

    async def VoidGame(self, request: pb.VoidGameRequest, context: Any) -> pb.VoidGameResponse:
        game = await self._host.void_game(request.game_id, request.reason)
        return pb.VoidGameResponse(game=wire.to_message(game, pb.GameInfo))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Any
    ) -> pb.GetTournamentResponse:
        info = await self._with_mishaps(await self._host.tournament(request.slug))
        return pb.GetTournamentResponse(tournament=_tournament(info))

    async def _with_mishaps(self, info: TournamentInfo) -> TournamentInfo:
        return await asyncio.to_thread(self._host.stored.with_mishaps, info)

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Any
    ) -> pb.ListTournamentsResponse:
        size = _page_size(request.page_size)
        infos = await asyncio.to_thread(
            self._host.stored.tournaments_page, request.page_token, size
        )
        messages, more = _page([_tournament(info) for info in infos], size)
        return pb.ListTournamentsResponse(
            tournaments=messages, next_page_token=messages[-1].slug if more else ""
        )

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Any
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        async for info in self._host.watch_tournament(request.slug):
            yield pb.WatchTournamentResponse(tournament=_tournament(info))

    # Results

    async def GetBoard(self, request: pb.GetBoardRequest, context: Any) -> pb.GetBoardResponse:
        stored = self._host.stored
        statistics = None
        if request.slug:
            board = await asyncio.to_thread(stored.board, request.slug)
            if request.with_statistics:
                told = await asyncio.to_thread(stored.statistics, request.slug)
                statistics = wire.to_message(told, pb.Statistics)
        else:
            ruleset = wire.RULESETS.members.get(request.ruleset)
            if ruleset is None:
                raise Invalid(
                    "which board? Expected a slug, or one of the rule sets of this version"
                )
            board = await asyncio.to_thread(stored.standing_board, ruleset)
        return pb.GetBoardResponse(board=wire.to_message(board, pb.Board), statistics=statistics)

    async def ListGames(self, request: pb.ListGamesRequest, context: Any) -> pb.ListGamesResponse:
        size = _page_size(request.page_size)
        games = await asyncio.to_thread(
            self._host.stored.games_page,
            request.slug,
            request.entrant,
            _number(request.page_token),
            size,
        )
        messages, more = _page([wire.to_message(game, pb.GameInfo) for game in games], size)
        return pb.ListGamesResponse(
            games=messages, next_page_token=str(messages[-1].number) if more else ""
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Any) -> pb.GetGameResponse:
        report = await asyncio.to_thread(self._host.stored.game, request.game_id)
        return wire.to_message(report, pb.GetGameResponse)

    async def GetFaults(self, request: pb.GetFaultsRequest, context: Any) -> pb.GetFaultsResponse:
        caller = CALLER.get()
        of = None if caller == ORGANISER else caller
        told = await asyncio.to_thread(self._host.stored.evidence, request.game_id, of)
        return pb.GetFaultsResponse(
            faults=[
                wire.fault_message(
                    request.game_id, entrant, each.fault, each.text, each.at, each.evidence
                )
                for entrant, each in told
            ]
        )

    async def ExportTournament(
        self, request: pb.ExportTournamentRequest, context: Any
    ) -> AsyncIterator[pb.ExportTournamentResponse]:
        lines = await asyncio.to_thread(self._host.stored.export, request.slug)
        chunks = _chunks(lines)
        while True:
            # One at a time, and not while the caller is to read: games and others come first.
            async with self._exporting:
                chunk = await asyncio.to_thread(next, chunks, None)
            if chunk is None:
                return
            yield pb.ExportTournamentResponse(chunk=chunk)


def _chunks(lines: Iterator[str]) -> Iterator[bytes]:
    """The same text in parts of 64 KiB; the last may be shorter."""
    waiting = bytearray()
    for line in lines:
        waiting += line.encode()
        while len(waiting) >= CHUNK_BYTES:
            yield bytes(waiting[:CHUNK_BYTES])
            del waiting[:CHUNK_BYTES]
    if waiting:
        yield bytes(waiting)


def _bot(bot: BotInfo) -> pb.BotInfo:
    return wire.to_message(bot, pb.BotInfo)


def _tournament(info: TournamentInfo) -> pb.TournamentInfo:
    return wire.to_message(info, pb.TournamentInfo)


def _definition(request: pb.CreateTournamentRequest) -> TournamentDefinition:
    try:
        definition = wire.from_message(request, TournamentDefinition)
    except wire.WireError as error:
        raise Invalid(str(error)) from error
    return definition if request.HasField("clock") else replace(definition, clock=Clock())


def _request_id(request: Any) -> str:
    request_id: str = request.request_id
    if len(request_id) > MAX_REQUEST_ID_LENGTH:
        raise Invalid(
            f"request_id is too long: expected at most {MAX_REQUEST_ID_LENGTH} characters"
        )
    return request_id


def _page_size(asked: int) -> int:
    return min(asked or PAGE_SIZE, MAX_PAGE_SIZE)


def _page(messages: list[AnyMessage], size: int) -> tuple[list[AnyMessage], bool]:
    """As many of a page's messages as may go into one answer, and whether there may be more."""
    byte_count = 0
    for place, message in enumerate(messages):
        byte_count += message.ByteSize()
        if place and byte_count > MAX_PAGE_BYTES:
            return messages[:place], True
    return messages, len(messages) == size


def _number(page_token: str) -> int:
    """Games are paged by their numbers."""
    if not page_token:
        return 0
    if not re.fullmatch("[0-9]{1,9}", page_token):
        raise Invalid(f"{page_token[:20]!r} is no page token: expected one that was given out")
    return int(page_token)
