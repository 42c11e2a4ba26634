"""The program's log: its lines, and what becomes of lines that cannot be written."""

from __future__ import annotations

import errno
import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from support.commands import wait_for

from sixtysix_arena import logs
from sixtysix_arena.errors import Invalid
from sixtysix_arena.logs import logging_to, lost_line_count

log = logging.getLogger("sixtysix_arena.test")


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The objects in a log; fails unless each line is one."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def test_a_line_has_time_level_logger_message_and_fields(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=False):
        log.info("a bot %s", "joined", extra={"bot": "ada", "stream": 2})
        try:
            raise ValueError("on\npurpose")
        except ValueError:
            log.exception("internal error", extra={"error_id": "0a1b"})
    joined, failed = lines_of(path)
    assert list(joined) == ["time", "level", "logger", "message", "bot", "stream"]
    made = time.strptime(joined.pop("time"), "%Y-%m-%dT%H:%M:%S.%fZ")
    assert abs(time.time() - (time.mktime(made) - time.timezone)) < 60
    assert joined == {
        "level": "INFO",
        "logger": "sixtysix_arena.test",
        "message": "a bot joined",
        "bot": "ada",
        "stream": 2,
    }
    assert (failed["level"], failed["error_id"]) == ("ERROR", "0a1b")
    assert failed["error"].startswith("Traceback")
    assert failed["error"].endswith("ValueError: on\npurpose")
    assert path.stat().st_mode & 0o777 == 0o600


FORGERIES = (
    'x\n{"event": "forged"}',
    'x\r\n{"event": "forged"}\x0b\x0c\x1c\x85\u2028\u2029',
    '", "event": "forged", "y": "',
    "\x1b[2J\x1b]0;title\x07 \u202e\u2066 \u200b \x00",
)


@pytest.mark.parametrize("text", FORGERIES)
def test_threat_26_a_text_cannot_forge_a_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True):
        log.info("said: %s", text, extra={"comment": text})
    data = path.read_bytes()
    assert data.count(b"\n") == 1
    assert all(0x20 <= byte < 0x7F for byte in data.rstrip(b"\n"))
    (line,) = lines_of(path)
    assert (line["message"], line["comment"]) == (f"said: {text}", text)
    assert "event" not in line


@pytest.mark.parametrize("text", FORGERIES)
def test_threat_26_nor_a_line_on_a_terminal(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with logging_to(None, is_service=True):
        log.info("said", extra={"comment": text})
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.endswith(")\n")
    assert told.rstrip("\n").isprintable()


def test_people_get_words_and_a_command_only_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to(None, is_service=False):
        log.info("a bot joined")
        log.warning("a commit was slow", extra={"seconds": 1.5})
    told = capsys.readouterr().err
    assert "joined" not in told
    assert told.endswith("Z WARNING a commit was slow (seconds=1.5)\n")


def test_a_service_logs_json_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    with logging_to(None, is_service=True):
        log.info("a bot joined")
    assert json.loads(capfd.readouterr().err)["message"] == "a bot joined"


def test_what_libraries_warn_of_is_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True), warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.getLogger("grpc._server").info("chatter")
        logging.getLogger("grpc._server").error("trouble")
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    assert [line["logger"] for line in lines_of(path)] == ["grpc._server", "py.warnings"]


def test_the_end_leaves_logging_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = (*root.handlers,), root.level, logging.getLogger("sixtysix_arena").level
    with logging_to(tmp_path / "arena.log", is_service=True):
        assert len(root.handlers) == len(before[0]) + 1
    assert ((*root.handlers,), root.level, logging.getLogger("sixtysix_arena").level) == before


def test_a_long_text_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True):
        log.info("said", extra={"comment": "x" * 1_000_000})
    assert len(lines_of(path)[0]["comment"]) == logs.MAX_TEXT_LENGTH


def test_a_file_that_is_moved_away_is_opened_anew(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True):
        log.info("one")
        wait_for(lambda: path.read_bytes(), "the first line")
        path.rename(tmp_path / "arena.log.1")
        log.info("two")
        wait_for(path.exists, "the new file")
    assert [line["message"] for line in lines_of(tmp_path / "arena.log.1")] == ["one"]
    assert [line["message"] for line in lines_of(path)] == ["two"]


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(Invalid, match="cannot be written: Is a directory"),
        logging_to(tmp_path, is_service=True),
    ):
        pass


def full_disk(room: int) -> Callable[[int, bytes], int]:
    """An os.write onto a disk with so many bytes of room."""
    left = [room]

    def write(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(descriptor, data[: left[0]])
        left[0] -= written
        return written

    real = os.write
    return write


def test_fault_row_47_lost_lines_are_counted_and_said_when_there_is_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "RETRY_S", 0.05)
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True), ExitStack() as full:
        log.info("before")
        wait_for(lambda: path.read_bytes(), "the first line")
        patch = full.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(os, "write", full_disk(40))
        for number in range(3):
            log.info("lost", extra={"number": number})
        wait_for(lambda: lost_line_count() == 3, "the loss")
        assert [line["message"] for line in lines_of(path)] == ["before"]  # Not half a line more.
        full.close()
        wait_for(lambda: len(lines_of(path)) == 2, "the news of the loss")
        log.info("after")
    before, news, after = lines_of(path)
    assert (before["message"], after["message"]) == ("before", "after")
    assert (news["level"], news["message"], news["lines"]) == (
        "WARNING",
        "lines of the log were lost",
        3,
    )


def test_fault_row_47_whoever_logs_does_not_wait_for_a_reader_that_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logs, "QUEUE_LIMIT", 100)
    monkeypatch.setattr(logs, "FAREWELL_S", 0.05)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", pipe)
        with logging_to(None, is_service=True):
            for _ in range(900):
                log.info("much", extra={"text": "x" * 1_000})
            # A pipe holds 64 KiB, the queue a hundred lines.
            assert lost_line_count() > 600
        os.close(reading)  # Lets the thread go, with an error that it survives.


def test_threat_26_many_lines_alike_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "MAX_ALIKE", 5)
    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True):
        for number in range(100):
            log.info("a bot was refused", extra={"number": number})
            if number % 50 == 0:
                log.info("something else")
    lines = lines_of(path)
    assert [line["message"] for line in lines].count("a bot was refused") == 5
    assert [line["message"] for line in lines].count("something else") == 2
    assert (lines[-1]["message"], lines[-1]["like"], lines[-1]["lines"]) == (
        "lines of the log were left out",
        "a bot was refused",
        95,
    )
    assert lost_line_count() == 0


def test_a_field_that_cannot_be_written_costs_its_line_alone(tmp_path: Path) -> None:
    class Odd:
        def __str__(self) -> str:
            raise RuntimeError

        __repr__ = __str__

    path = tmp_path / "arena.log"
    with logging_to(path, is_service=True):
        # Past pytest's own handlers, which would raise.
        record = logging.makeLogRecord({"msg": "odd: %s", "args": (Odd(),)})
        assert logging.getLogger().handlers[-1].handle(record)
        log.info("even")
    assert [line["message"] for line in lines_of(path)] == ["lines of the log were lost", "even"]
