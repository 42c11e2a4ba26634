"""Errors as callers hear of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import grpc
import pytest

from sixtysix import api
from sixtysix.rules import SixtySixError
from sixtysix.tournament_file import TournamentFileError
from sixtysix_arena import errors
from sixtysix_arena.server.errors import status_of

Code = grpc.StatusCode


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.NotFound("no bot 'x'"), Code.NOT_FOUND),
        (errors.Exists("taken"), Code.ALREADY_EXISTS),
        (errors.WrongState("finished"), Code.FAILED_PRECONDITION),
        (errors.Invalid("no slug"), Code.INVALID_ARGUMENT),
        (errors.NotAllowed("no token"), Code.UNAUTHENTICATED),
        (errors.NotYours("another's"), Code.PERMISSION_DENIED),
        (errors.Unavailable("disk full"), Code.UNAVAILABLE),
        (errors.FolderInUse("in use"), Code.UNAVAILABLE),
        (TournamentFileError("odd"), Code.INVALID_ARGUMENT),
    ],
)
def test_what_a_caller_hears(error: Exception, code: Code) -> None:
    assert status_of(error) == (code, str(error))


def _subclasses(error_class: type[Exception]) -> Iterator[type[Exception]]:
    for each in error_class.__subclasses__():
        yield each
        yield from _subclasses(each)


def test_every_error_of_the_arena_has_a_code() -> None:
    for error_class in _subclasses(errors.ArenaError):
        code, _ = status_of(error_class("text"))
        assert code is not Code.INTERNAL, error_class


def test_every_error_of_the_arena_is_one_of_the_interface() -> None:
    classes: list[type[Exception]] = [errors.ArenaError, *_subclasses(errors.ArenaError)]
    for error_class in classes:
        assert issubclass(error_class, api.ApiError), error_class


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("secret"), SixtySixError("secret"), errors.ArenaError("secret")]
)
def test_threat_13_anything_else_is_told_by_an_id_alone(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        code, text = status_of(error)
        _, other_text = status_of(error)
    assert code is Code.INTERNAL
    assert text.startswith("internal error (the arena's log has it as ")
    assert text != other_text
    assert "secret" not in text
    error_id = text.split()[-1].rstrip(")")
    assert vars(caplog.records[0])["error_id"] == error_id
    assert caplog.records[0].exc_info is not None
    assert caplog.records[0].exc_info[1] is error
