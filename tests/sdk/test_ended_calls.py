"""No call of gRPC outlives its use: one that is collected when the interpreter ends may hang it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress

import grpc
import pytest
from support.fake_arena import FakeArena, Script, bye, welcome

import sixtysix
from sixtysix.api import ApiError
from sixtysix.client.calls import RemoteArena
from sixtysix.v1 import arena_pb2, play_pb2

Frames = Iterator[play_pb2.BotFrame]


@pytest.fixture(autouse=True)
def _nothing_is_collected() -> Iterator[None]:
    """What is in a cycle stays, as it does in a program that soon ends."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def living_calls() -> list[object]:
    return [each for each in gc.get_objects() if issubclass(type(each), grpc.Call)]


def ends(hellos: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
    next(hellos)
    yield welcome()
    yield bye(play_pb2.BYE_REASON_FINISHED, "the cup is over")


def waits_to_be_cut_off(
    hellos: Frames, context: grpc.ServicerContext
) -> Iterator[play_pb2.ArenaFrame]:
    """Says goodbye, and does not end the call."""
    yield from ends(hellos, context)
    over = threading.Event()
    context.add_callback(over.set)
    over.wait()


def refuses(hellos: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
    next(hellos)
    context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong token")
    yield from ()


@pytest.mark.parametrize("script", [ends, waits_to_be_cut_off, refuses])
def test_none_is_left_of_joining(script: Script) -> None:
    with FakeArena(script) as arena:
        with suppress(sixtysix.JoinRefused):
            sixtysix.join(lambda view: 0, arena=arena.address, token="secret", tell=lambda _: None)
        assert living_calls() == []


class Record:
    """Answers a call that has many answers, and may break it off."""

    def __init__(self, breaks: bool) -> None:
        self._breaks = breaks

    def ExportTournament(  # noqa: N802 - the protocol's name
        self, request: object, context: grpc.ServicerContext
    ) -> Iterator[arena_pb2.ExportTournamentResponse]:
        yield arena_pb2.ExportTournamentResponse(chunk=b"a line\n")
        if self._breaks:
            context.abort(grpc.StatusCode.INTERNAL, "broken")

    def __getattr__(self, name: str) -> object:
        if not name[0].isupper():
            raise AttributeError(name)
        return None


@pytest.mark.parametrize("ending", ["to the end", "broken", "no further than wanted"])
def test_none_is_left_of_a_call_with_many_answers(ending: str) -> None:
    with (
        FakeArena(service=Record(breaks=ending == "broken")) as fake,
        RemoteArena(fake.address) as remote,
    ):
        answers = remote.export("cup")
        next(answers)
        if ending == "no further than wanted":
            assert isinstance(answers, Generator)
            answers.close()
        else:
            with suppress(ApiError):
                list(answers)
        del answers
        assert living_calls() == []
