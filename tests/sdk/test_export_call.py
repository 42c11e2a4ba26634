"""A record over the network, from an arena that sends what a test says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any

import grpc
import pytest
from support.fake_arena import FakeArena
from support.forgeries import LINES

from sixtysix import api
from sixtysix.client import RemoteArena, calls
from sixtysix.v1 import arena_pb2

Answer = Callable[[grpc.ServicerContext], Iterator[bytes]]


class Service:
    """Sends the chunks of `answer`, and notes what is asked."""

    def __init__(self) -> None:
        self.answer: Answer = lambda _context: iter(())
        self.asked: list[arena_pb2.ExportTournamentRequest] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if not name[0].isupper():
            raise AttributeError(name)

        def serve(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            assert name == "ExportTournament"
            self.asked.append(request)
            for chunk in self.answer(context):
                yield arena_pb2.ExportTournamentResponse(chunk=chunk)

        return serve


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def arena(service: Service) -> Iterator[RemoteArena]:
    with FakeArena(service=service) as fake, RemoteArena(fake.address) as remote:
        yield remote


@pytest.mark.parametrize("size", [1, 3, 100, 65_536])
def test_lines_out_of_parts_that_end_anywhere(
    arena: RemoteArena, service: Service, size: int
) -> None:
    lines = LINES[:2] if size < 100 else LINES
    data = "".join(lines).encode()
    service.answer = lambda _: (data[at : at + size] for at in range(0, len(data), size))
    assert list(arena.export("cup")) == lines
    assert [request.slug for request in service.asked] == ["cup"]


def test_a_record_that_breaks_off_is_given_as_it_came(arena: RemoteArena, service: Service) -> None:
    service.answer = lambda _: iter([b"one\ntwo\nth", b"r", b""])
    assert list(arena.export("cup")) == ["one\n", "two\n", "thr"]


def test_errors_come_with_the_first_line(arena: RemoteArena, service: Service) -> None:
    def refuse(context: grpc.ServicerContext) -> Iterator[bytes]:
        context.abort(grpc.StatusCode.NOT_FOUND, "there is no tournament 'nix'")
        yield b""

    service.answer = refuse
    with pytest.raises(api.NotFound, match="no tournament 'nix'"):
        next(arena.export("nix"))
    with pytest.raises(api.InvalidRequest, match="cannot be asked"):
        next(arena.export("\ud800"))


def test_an_arena_that_goes_away_is_an_error(arena: RemoteArena, service: Service) -> None:
    def vanish(context: grpc.ServicerContext) -> Iterator[bytes]:
        yield b"one\n"
        context.abort(grpc.StatusCode.UNAVAILABLE, "the arena stops")

    service.answer = vanish
    lines = arena.export("cup")
    assert next(lines) == "one\n"
    with pytest.raises(api.ArenaUnreachable):
        next(lines)


@pytest.mark.parametrize("data", [b"\xff\n", b"\xc3", b"x" * 40 + b"\n"])
def test_what_is_no_text_or_has_no_end_is_no_record(
    arena: RemoteArena, service: Service, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "MAX_LINE_BYTES", 30)
    service.answer = lambda _: iter([data[:35], data[35:]])
    with pytest.raises(api.ApiError, match="sent what is no record"):
        list(arena.export("cup"))


def test_whoever_stops_reading_ends_the_call(arena: RemoteArena, service: Service) -> None:
    ended = threading.Event()

    def endless(context: grpc.ServicerContext) -> Iterator[bytes]:
        context.add_callback(ended.set)
        while not ended.is_set():
            yield b"x" * 1_000 + b"\n"

    service.answer = endless
    lines = arena.export("cup")
    next(lines)
    assert isinstance(lines, Generator)
    lines.close()
    assert ended.wait(10)
