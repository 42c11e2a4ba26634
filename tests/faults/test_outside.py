"""What an arena never does, whatever it is told: dial somebody, or run what it is sent."""

from __future__ import annotations

import ast
import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from google.protobuf.descriptor import FieldDescriptor
from support.arenas import RawBot, definition, running_arena, until_finished
from support.source_tree import is_in, modules

from sixtysix.api import ApiError
from sixtysix.tournament_file import parse_tournament
from sixtysix.v1 import arena_pb2, play_pb2
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import ArenaError
from sixtysix_arena.store import models

TEXTS = {
    "bot_name": "compared with the name that the token stands for",
    "bot_version": "shown",
    "comment": "shown",
    "entrant": "looked up",
    "entrants": "looked up",
    "game_id": "looked up",
    "name": "looked up, or shown",
    "owner": "shown, and compared",
    "page_token": "a place in a list",
    "practice_seed": "hashed",
    "reason": "shown",
    "request_id": "compared",
    "slug": "looked up",
}
"""All texts that an arena is sent, and what it does with them. None is an address to dial."""

ADDRESSES = {
    "grpc": "listens there",
    "metrics": "listens there",
    "web": "listens there",
    "web_host": "compares it with what a browser asks for",
}
"""The settings that may be addresses."""

LOOKS_LIKE_AN_ADDRESS = re.compile(
    r"ur[il]|host|port|addr|endpoint|webhook|callback|proxy|dial|peer"
)


def sent_to_an_arena() -> Iterator[FieldDescriptor]:
    """Every field of every message that an arena reads."""
    service = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
    waiting: list[Any] = [method.input_type for method in service.methods]
    waiting.append(play_pb2.BotFrame.DESCRIPTOR)
    seen = set()
    while waiting:
        message = waiting.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        for found in message.fields:
            yield found
            if found.message_type is not None:
                waiting.append(found.message_type)


def test_threat_25_no_message_has_an_address_in_it() -> None:
    found = list(sent_to_an_arena())
    texts = {each.name for each in found if each.type in (each.TYPE_STRING, each.TYPE_BYTES)}
    assert texts == set(TEXTS), "say here what an arena does with this text"
    assert not [each.full_name for each in found if LOOKS_LIKE_AN_ADDRESS.search(each.name)]


def test_threat_25_no_setting_is_an_address_to_dial() -> None:
    names = {each.name for each in fields(ArenaSettings) if "str" in str(each.type)}
    assert names <= set(ADDRESSES), "say here what an arena does with this text"


@pytest.mark.parametrize("key", ["url", "endpoint", "callback", "bots"])
def test_threat_25_a_tournament_file_has_no_place_for_one(key: str) -> None:
    text = (
        'name = "Cup"\nslug = "cup"\nrules = "classic"\ngames_per_pairing = 2\n'
        f'entrants = ["ada", "bob"]\n{key} = "http://127.0.0.1:1"\n'
    )
    with pytest.raises(ApiError, match=key):
        parse_tournament(text)


def test_threat_25_only_house_bots_and_the_examination_dial() -> None:
    """And they dial what the arena itself has written down: its own address."""
    dialling = {
        module.name
        for module in modules()
        if module.is_in("sixtysix_arena")
        for node in ast.walk(module.tree)
        if _dials(node)
    }
    assert dialling == {"sixtysix_arena.house", "sixtysix_arena.server.probe"}


DIALLING_MODULES = (
    *("aiohttp", "ftplib", "http.client", "httpx", "requests", "smtplib", "telnetlib"),
    *("urllib.request", "urllib3", "websockets", "xmlrpc.client", "sixtysix.client"),
)
DIALLING_CALLS = (
    *("connect_ex", "create_connection", "create_unix_connection", "insecure_channel"),
    *("open_connection", "open_unix_connection", "secure_channel", "sock_connect", "urlopen"),
)


def _dials(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(is_in(alias.name, each) for alias in names for each in DIALLING_MODULES)
        case ast.ImportFrom(module=str(module)):
            return any(is_in(module, each) for each in DIALLING_MODULES)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in DIALLING_CALLS
    return False


def test_threat_25_an_address_in_any_text_is_not_dialled(tmp_path: Path) -> None:
    """A tournament with the address of a socket of ours wherever a text can be given."""
    with closing(socket.create_server(("127.0.0.1", 0))) as trap:
        trap.setblocking(False)
        place = f"127.0.0.1:{trap.getsockname()[1]}"
        asyncio.run(asyncio.wait_for(_play_about(tmp_path, place), 100))
        with pytest.raises(BlockingIOError):
            trap.accept()


async def _play_about(tmp_path: Path, place: str) -> None:
    url = f"http://{place}/"

    async def play(raw: RawBot) -> None:
        while True:
            for d in (await raw.receive()).decisions:
                await raw.answer(
                    play_pb2.Answer(
                        game=d.game, deal=d.deal, ply=d.ply, move=d.legal[0], comment=url
                    )
                )

    before = set(psutil.Process().net_connections("inet"))
    async with running_arena(tmp_path / "data") as arena:
        for name in (place, url, f"house:{place}", f"//{place}/x"):
            with pytest.raises(ArenaError):
                await arena.submit_bot(name, url, url)
        tasks = []
        bots = []
        for name in ("ada", "bob"):
            _, token = await arena.submit_bot(name, url, f"{url}{name}")
            bots.append(RawBot(arena.address, token))
            await bots[-1].hello(bot_version=url)
            tasks.append(asyncio.create_task(play(bots[-1])))
        cup = replace(definition(("ada", "bob")), name=url, practice_seed=url)
        for wrong in ({"slug": place}, {"entrants": ("ada", url)}):
            with pytest.raises((ArenaError, ApiError)):
                await arena.create_tournament(replace(cup, **wrong))
        await arena.create_tournament(cup, url)
        await arena.start_tournament("cup")
        await until_finished(arena)
        own = arena.address.rpartition(":")[2]
        for connection in set(psutil.Process().net_connections("inet")) - before:
            assert not connection.raddr or own in (
                str(connection.laddr.port),
                str(connection.raddr.port),
            ), connection
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for raw in bots:
            await raw.vanish()


# What is sent is read as data, never as objects.

CODE_IN_DATA = (
    *("_pickle", "cPickle", "cloudpickle", "dill", "joblib", "jsonpickle", "marshal"),
    *("multiprocessing", "pickle", "shelve", "yaml"),
)


def test_threat_37_nothing_is_unpickled() -> None:
    strays = [
        module.at(node)
        for module in modules()
        for node in ast.walk(module.tree)
        if _reads_code(node)
    ]
    assert not strays, "\n  ".join(["data that is code is not read here:", *strays])


def test_threat_37_the_database_holds_plain_values_alone() -> None:
    """Bytes are digests, seeds and protobuf; the types of a column make nothing else of them."""
    types = {
        type(column.type).__name__
        for table in models.metadata.tables.values()
        for column in table.columns
    }
    assert types <= {"BigInteger", "Boolean", "Integer", "LargeBinary", "String"}


def _reads_code(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(is_in(alias.name, each) for alias in names for each in CODE_IN_DATA)
        case ast.ImportFrom(module=str(module), names=names):
            imported = [module, *(f"{module}.{alias.name}" for alias in names)]
            return any(is_in(name, each) for name in imported for each in CODE_IN_DATA)
        case ast.Call(func=ast.Name(id="eval" | "exec")):
            return True
        case ast.Attribute(attr="PickleType"):
            return True
    return False
