"""Texts that would be commands to a database are texts to this one."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.misbehaving import PATIENT, answer, deals, run

from sixtysix.v1 import arena_pb2
from sixtysix_arena.arena import Arena

INJECTIONS = (
    "' OR '1'='1",
    "'; DROP TABLE game; --",
    '" OR 1=1 --',
    "x') UNION SELECT sql FROM sqlite_master--",
    "\\'; UPDATE bot SET name = 'x'; --",
    "cup' AND 1=randomblob(1e9)--",
    "%",
    "_",
    ":name ?1 $x @y",
    "%s %(slug)s {0}",
)
REFUSALS = {
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
}
SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]


def contents(arena: Arena) -> list[str]:
    """The whole database as text."""
    path = arena.settings.data / "arena.db"
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def texts(kind: Descriptor) -> Iterator[FieldDescriptor]:
    return (field for field in kind.fields if field.type == FieldDescriptor.TYPE_STRING)


def fill(message: Any, text: str) -> Message:
    """Puts a text into all fields that take one, however deep."""
    kind = message.DESCRIPTOR
    for field in texts(kind):
        if field.is_repeated:
            getattr(message, field.name).extend((text, "house:greedy"))
        else:
            setattr(message, field.name, text)
    for field in kind.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE and not field.is_repeated:
            fill(getattr(message, field.name), text)
    filled: Message = message
    return filled


async def call(
    channel: grpc.aio.Channel, method: MethodDescriptor, request: Message, token: str
) -> tuple[grpc.StatusCode, Any]:
    """The status of a call of any kind, and what it answered."""
    kind = GetMessageClass(method.output_type)
    how = channel.unary_stream if method.server_streaming else channel.unary_unary
    start: Any = how(
        f"/{SERVICE.full_name}/{method.name}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=kind.FromString,
    )
    metadata = (("authorization", f"Bearer {token}"),)
    answers = []
    try:
        if method.server_streaming:
            async for each in start(request, metadata=metadata, timeout=60):
                answers.append(each)
        else:
            answers.append(await start(request, metadata=metadata, timeout=60))
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details()
    return grpc.StatusCode.OK, answers


@pytest.mark.parametrize("text", INJECTIONS)
def test_threat_29_no_call_takes_a_text_for_a_command(tmp_path: Path, text: str) -> None:
    """Every call there is, with the text in all of its fields: refused, or nothing found."""

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", RawBot.play),
            grpc.aio.insecure_channel(arena.address) as channel,
        ):
            await arena.create_tournament(definition(("bad", "good"), clock=PATIENT))
            await arena.start_tournament("cup")
            await until_finished(arena)
            before = contents(arena)
            token = (arena.settings.data / "admin-token").read_text().strip()
            for method in SERVICE.methods:
                request = fill(GetMessageClass(method.input_type)(), text)
                code, said = await call(channel, method, request, token)
                if method.name == "ListBots":  # Its pages go on after a name, whatever that is.
                    listed = [each.name for each in said[0].bots]
                    assert listed == [name for name in ("bad", "good") if name > text]
                elif code is grpc.StatusCode.OK:
                    assert not any(each.ListFields() for each in said), method.name
                else:
                    assert code in REFUSALS, (method.name, code, said)
            of_nobody = arena_pb2.ListGamesRequest(slug="cup", entrant=text)
            code, said = await call(channel, SERVICE.methods_by_name["ListGames"], of_nobody, token)
            assert code in REFUSALS or not said[0].games
            assert contents(arena) == before

    run(main())


def test_threat_29_texts_are_stored_as_they_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.conduct.JOIN_PACE_MS", 0.0)
    said: dict[tuple[int, int, int], str] = {}

    async def comment(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                place = (decision.game, decision.deal, decision.ply)
                said[place] = INJECTIONS[len(said) % len(INJECTIONS)]
                commented = answer(decision)
                commented.comment = said[place]
                await raw.answer(commented)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            for text in INJECTIONS:
                raw = RawBot(arena.address, token)
                await raw.hello(bot_version=text)
                assert arena.stored.bot("bad").version == text[:40]
                await raw.vanish()
            for number, text in enumerate(INJECTIONS):
                made = replace(definition(("bad", "good")), name=text, slug=f"cup-{number}")
                assert (await arena.create_tournament(made, request_id=text)).name == text
                # The same call again is known by its id, whatever that is.
                assert (await arena.create_tournament(made, request_id=text)).name == text
            await arena.create_tournament(definition(("bad", "good"), clock=PATIENT))
            await arena.start_tournament("cup")
            raw = RawBot(arena.address, token)
            await raw.hello()
            playing = asyncio.create_task(comment(raw))
            await until_finished(arena)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await raw.vanish()
            games = {game.game_id: game.number for game in arena.stored.games("cup")}
            assert len(games) == 2
            stored = {
                (game, deal.deal, ply): text
                for game in games.values()
                for deal in deals(arena, game)
                for ply, text in deal.comments.items()
            }
            assert stored == said

    run(main())
    assert set(said.values()) == set(INJECTIONS)
