"""All that somebody can ask of a running arena: every call, every command, every file.

Whoever adds a call or a command adds it here too: what is missing fails a test.
"""

from __future__ import annotations

import http.client
import io
import re
import stat
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import click
import grpc
import grpc.aio
from google.protobuf.message import Message
from starlette.routing import Route

from sixtysix.cli import main, sixtysix
from sixtysix.v1 import arena_pb2, common_pb2
from sixtysix_arena.web.app import make_app

__all__ = [
    "OTHER_COMMANDS",
    "answers",
    "command_names",
    "environments",
    "files",
    "page",
    "page_paths",
    "printed",
    "reading_commands",
    "scraped",
]

PATIENCE_S = 60.0
SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]


def requests(slug: str, games: Sequence[str], names: Sequence[str]) -> dict[str, list[Message]]:
    """What can be asked, by call, about a tournament, its games and some bots."""
    pb = arena_pb2
    rules = common_pb2.RULESET_DOUBLING
    asked: dict[str, list[Message]] = {
        "GetBot": [pb.GetBotRequest(name=name) for name in names],
        "ListBots": [pb.ListBotsRequest(), pb.ListBotsRequest(page_size=1)],
        "GetTournament": [pb.GetTournamentRequest(slug=slug)],
        "ListTournaments": [pb.ListTournamentsRequest()],
        "WatchTournament": [pb.WatchTournamentRequest(slug=slug)],
        "GetBoard": [
            pb.GetBoardRequest(slug=slug, with_statistics=True),
            pb.GetBoardRequest(ruleset=rules),
        ],
        "ListGames": [
            pb.ListGamesRequest(slug=slug, page_size=2),
            *(pb.ListGamesRequest(slug=slug, entrant=name) for name in names),
        ],
        "GetGame": [pb.GetGameRequest(game_id=game) for game in games],
        "GetFaults": [pb.GetFaultsRequest(game_id=game) for game in games],
        "ExportTournament": [pb.ExportTournamentRequest(slug=slug)],
    }
    return asked


def changing_requests(slug: str, game: str, name: str) -> dict[str, list[Message]]:
    """What nobody but the organiser may ask."""
    pb = arena_pb2
    return {
        "SubmitBot": [pb.SubmitBotRequest(name="newcomer")],
        "RotateToken": [pb.RotateTokenRequest(name=name)],
        "SetOwner": [pb.SetOwnerRequest(name=name, owner="Ann")],
        "DisableBot": [pb.DisableBotRequest(name=name)],
        "CreateTournament": [pb.CreateTournamentRequest(slug="another", name="Another")],
        "StartTournament": [pb.StartTournamentRequest(slug=slug)],
        "StopTournament": [pb.StopTournamentRequest(slug=slug)],
        "EndTournament": [pb.EndTournamentRequest(slug=slug, reason="why not")],
        "RemoveTournament": [pb.RemoveTournamentRequest(slug=slug)],
        "ExtendJoining": [pb.ExtendJoiningRequest(slug=slug, by_ms=1)],
        "VoidGame": [pb.VoidGameRequest(game_id=game, reason="why not")],
    }


async def answers(
    address: str,
    token: str | None,
    *,
    slug: str,
    games: Sequence[str],
    names: Sequence[str],
    is_organiser: bool = False,
) -> dict[str, bytes]:
    """What the arena answers a caller, by the call and what is asked; errors too."""
    asked = requests(slug, games, names)
    changes = changing_requests(slug, games[0], names[0])
    known = {*asked, *changes}
    assert known == set(SERVICE.methods_by_name), "a call is missing here"
    if not is_organiser:
        asked |= changes
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    told = {}
    async with grpc.aio.insecure_channel(address) as channel:
        for method, each in asked.items():
            for request in each:
                what = f"{method} {' '.join(str(request).split())}"
                told[what] = await _answer(channel, method, request, metadata)
        for path in ("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "/nobody/Knows"):
            told[path] = await _raw(channel.unary_unary(path), b"", metadata)
    return told


async def _answer(channel: Any, method: str, request: Message, metadata: Any) -> bytes:
    path = f"/sixtysix.v1.ArenaService/{method}"
    data = request.SerializeToString()
    if not SERVICE.methods_by_name[method].server_streaming:
        return await _raw(channel.unary_unary(path), data, metadata)
    call = channel.unary_stream(path)(data, metadata=metadata)
    parts = []
    try:
        async for part in call:
            parts.append(part)
            if method == "WatchTournament":
                call.cancel()  # It goes on until the tournament is over.
                break
    except grpc.aio.AioRpcError as error:
        parts.append(_error(error))
    return b"".join(parts)


async def _raw(call: Any, data: bytes, metadata: Any) -> bytes:
    try:
        answer: bytes = await call(data, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        return _error(error)
    return answer


def _error(error: grpc.aio.AioRpcError) -> bytes:
    trailing = sorted(map(repr, error.trailing_metadata() or ()))
    return f"{error.code()} {error.details()} {trailing}".encode()


def reading_commands(slug: str, games: Sequence[str], name: str) -> dict[str, list[list[str]]]:
    """The commands that look at something, with and without JSON where they have both."""
    looks: dict[str, list[list[str]]] = {
        "bot list": [[]],
        "bot show": [[name]],
        "tournament list": [[]],
        "tournament status": [[slug]],
        "leaderboard": [[slug], [slug, "--cross"], ["--rules", "doubling"]],
        "games": [[slug], [slug, "--bot", name]],
        "log": [[game] for game in games] + [[games[0], "--deal", "1"]],
        "verify": [[slug]],
    }
    for each in looks.values():
        each += [[*arguments, "--json"] for arguments in each]
    looks["tournament export"] = [[slug]]
    return looks


OTHER_COMMANDS = {
    "backup": "a copy of the database: among the files",
    "bot disable": "changes something",
    "bot owner": "changes something",
    "bot submit": "changes something",
    "bot token": "changes something",
    "demo": "an arena of its own",
    "doctor": "looks at the folder and the machine, not at tournaments",
    "join": "a bot",
    "pages": "serves what the pages of the arena are, which are all asked for",
    "play": "no arena",
    "prune": "changes something",
    "restore": "changes something",
    "run": "an arena of its own",
    "serve": "an arena of its own",
    "tournament create": "changes something",
    "tournament end": "changes something",
    "tournament extend": "changes something",
    "tournament remove": "changes something",
    "tournament start": "changes something",
    "tournament stop": "changes something",
    "tournament void": "changes something",
    "tournament watch": "does not end; the same call is among those of the arena",
}
"""Commands that are not asked here, and why."""


def command_names(command: click.Command = sixtysix, path: tuple[str, ...] = ()) -> Iterator[str]:
    """All commands there are."""
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from command_names(found, (*path, name))


class Printed(NamedTuple):
    """What a command printed, and its exit code."""

    out: str
    err: str
    code: int


def printed(*arguments: str) -> Printed:
    """Runs a command in this process."""
    buffers = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in buffers)
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return Printed(buffers[0].getvalue().decode(), buffers[1].getvalue().decode(), code)


def page_paths(slug: str, games: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Every page about a tournament, its games and its entrants, in all its forms."""
    values = {
        "slug": [slug],
        "game": games,
        "deal": ["0", "1"],
        "name": [*names, "doubling"],
        "one": names[:1],
        "other": names[1:2],
        "card": ["AS"],
    }
    nothing: Any = None  # Only its routes are looked at.
    for route in make_app(nothing, nothing, ()).routes:
        if not isinstance(route, Route):
            continue  # What is in the repository.
        path = re.sub(r":\w+\}", "}", route.path)
        wanted = re.findall(r"\{(\w+)\}", path)
        for chosen in product(*(values[name] for name in wanted)):
            plain = path.format(**dict(zip(wanted, chosen, strict=True)))
            yield plain
            if "." not in path and not plain.endswith("/events"):
                form = plain if plain != "/" else "/index"
                yield from (f"{form}.json", f"{form}.csv")


def page(address: str, path: str) -> bytes:
    """What a browser gets; of what does not end, the beginning."""
    connection = http.client.HTTPConnection(address, timeout=PATIENCE_S)
    with closing(connection):
        connection.request("GET", path, headers={"Accept-Language": "en"})
        answer = connection.getresponse()
        body = answer.read1() if path.endswith("/events") else answer.read()
        headers = sorted(f"{name}: {text}" for name, text in answer.getheaders() if name != "date")
        return f"{answer.status} {headers} ".encode() + body.replace(address.encode(), b"ADDRESS")


def files(*folders: Path) -> Iterator[tuple[Path, bytes]]:
    """All files in some folders; none of them is for others to read."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                assert not stat.S_IMODE(path.stat().st_mode) & 0o077, f"others may read {path}"
                yield path, path.read_bytes()


def environments(pids: Sequence[int]) -> Iterator[tuple[str, bytes]]:
    """The command lines and the environments of processes, as their owner can read them."""
    for pid in pids:
        for name in ("cmdline", "environ"):
            yield f"/proc/{pid}/{name}", Path(f"/proc/{pid}/{name}").read_bytes()


def scraped(address: str) -> str:
    """The metrics of an arena."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=PATIENCE_S) as response:
        text: str = response.read().decode()
    return text
