"""The log of the program: one JSON object a line, or lines for people.

Whoever logs never waits: lines go through a bounded queue to a thread of their
own. So a full disk, or a reader that sleeps, costs lines and nothing else.
What is lost is counted, and said as soon as there is room again.
"""

from __future__ import annotations

import logging
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from sixtysix.text import harmless
from sixtysix_arena.errors import Invalid
from sixtysix_arena.times import utc_text

__all__ = ["Log", "logging_to", "lost_line_count"]

QUEUE_LIMIT = 10_000
"""Lines that wait to be written: more than all that bots can provoke in a minute."""
MAX_ALIKE = 1_000
ALIKE_WINDOW_S = 60.0
"""So many lines with one message are written within this; the others are counted. All bots of a
large tournament may join at once, and nobody can fill a disk in a night."""
RETRY_S = 1.0
"""How often a log that could not be written is tried again."""
FAREWELL_S = 2.0
"""How long the end of the program waits for the last lines."""
MAX_TEXT_LENGTH = 4_000
"""Characters of a message or a field; a traceback may have more."""

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""What every record has; anything else is a field."""


class _JsonFormatter(JsonFormatter):
    """Time, level, logger, message, then the fields; a traceback is `error`.

    It is one line whatever is in it, since JSON escapes what is no plain character.
    """

    def __init__(self) -> None:
        super().__init__(
            ["asctime", "levelname", "name", "message"],
            rename_fields={
                "asctime": "time",
                "levelname": "level",
                "name": "logger",
                "exc_info": "error",
            },
            json_ensure_ascii=True,
        )

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return utc_text(record.created)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {
            key: value[:MAX_TEXT_LENGTH] if isinstance(value, str) and key != "error" else value
            for key, value in log_data.items()
        }


class _TextFormatter(logging.Formatter):
    """The same for people: fields in brackets, a traceback on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(
            f"{key}={value}" for key, value in vars(record).items() if key not in _PLAIN
        )
        text = f"{utc_text(record.created)} {record.levelname} {record.getMessage()}"
        lines = [(f"{text} ({fields})" if fields else text)[:MAX_TEXT_LENGTH]]
        if record.exc_info:
            lines += self.formatException(record.exc_info).splitlines()
        return "\n".join(map(harmless, lines))


class _StandardError:
    """Whatever standard error is at the moment."""

    def write(self, data: bytes) -> None:
        """Writes all of it. Raises OSError or ValueError."""
        stream = sys.stderr
        try:
            descriptor = stream.fileno()
        except (AttributeError, OSError, ValueError):
            stream.write(data.decode())
            stream.flush()
            return
        # Past Python's buffer, which would try again later what could not be written.
        _write_all(descriptor, data)

    def close(self) -> None:
        """It is not ours to close."""


class _File:
    """A file that lines are appended to; opened anew when somebody has moved it away."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._descriptor = self._open()
        except OSError as error:
            raise Invalid(f"the log {path} cannot be written: {error.strerror}") from error

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, data: bytes) -> None:
        """Writes all of it or nothing. Raises OSError."""
        opened = os.fstat(self._descriptor)
        try:
            moved = not os.path.samestat(opened, self._path.stat())
        except FileNotFoundError:
            moved = True
        if moved:
            anew = self._open()
            os.close(self._descriptor)
            self._descriptor = anew
            opened = os.fstat(anew)
        try:
            _write_all(self._descriptor, data)
        except OSError:
            with suppress(OSError):  # Half a line would spoil the next one too.
                os.ftruncate(self._descriptor, opened.st_size)
            raise

    def close(self) -> None:
        """Closes the file."""
        os.close(self._descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


class Log(logging.Handler):
    """Writes what is logged in a thread of its own, until it is closed."""

    def __init__(self, formatter: logging.Formatter, path: Path | None = None) -> None:
        """Writes to `path`, or to standard error. Raises Invalid if the file cannot be opened."""
        super().__init__()
        self.setFormatter(formatter)
        self.lost_count = 0
        """Lines that could not be written."""
        self._target = _StandardError() if path is None else _File(path)
        self._queue: queue.Queue[str | None] = queue.Queue(QUEUE_LIMIT)
        self._locked = threading.Lock()
        """What is counted is counted by two threads."""
        self._window: dict[tuple[str, str], int] = {}
        self._window_end_s = 0.0
        self._untold_count = 0
        self._given_up = False
        self._thread = threading.Thread(target=self._write_lines, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Puts a line in the queue, unless there were many like it just now."""
        self._end_window(time.monotonic())
        alike = record.name, str(record.msg)
        with self._locked:
            count = self._window[alike] = self._window.get(alike, 0) + 1
        if count <= MAX_ALIKE:
            self._put(record)

    def close(self) -> None:
        """Writes what waits, for a moment, and ends the thread."""
        self._end_window(math.inf)
        with suppress(queue.Full):
            self._queue.put(None, timeout=FAREWELL_S)
        self._thread.join(FAREWELL_S)
        self._given_up = True  # Should it come back after all, it has nothing more to write to.
        if not self._thread.is_alive():
            self._target.close()
        super().close()

    def _end_window(self, now_s: float) -> None:
        """Once the window is over, says how many lines were left out in it."""
        with self._locked:
            if now_s < self._window_end_s:
                return
            self._window_end_s = now_s + ALIKE_WINDOW_S
            window, self._window = self._window, {}
        for (name, message), count in window.items():
            if count > MAX_ALIKE:
                left_out = {"like": message, "lines": count - MAX_ALIKE}
                self._put(_record(name, "lines of the log were left out", left_out))

    def _put(self, record: logging.LogRecord) -> None:
        try:
            self._queue.put_nowait(self.format(record))
        except queue.Full:
            self._lose()
        except Exception:  # A mistake of ours in a format or a field must not stop a game.
            self._lose()

    def _lose(self) -> None:
        with self._locked:
            self.lost_count += 1
            self._untold_count += 1

    def _write_lines(self) -> None:
        while True:
            try:
                line = self._queue.get(timeout=RETRY_S)
            except queue.Empty:
                self._tell_lost()
                self._end_window(time.monotonic())
                continue
            if line is None or self._given_up:
                return
            self._tell_lost()
            if not self._write(line):
                self._lose()

    def _tell_lost(self) -> None:
        if count := self._untold_count:
            record = _record(__name__, "lines of the log were lost", {"lines": count})
            if self._write(self.format(record)):
                with self._locked:
                    self._untold_count -= count

    def _write(self, line: str) -> bool:
        try:
            self._target.write(f"{line}\n".encode())
        except (OSError, ValueError):
            return False
        return True


def _record(name: str, message: str, fields: dict[str, Any]) -> logging.LogRecord:
    return logging.makeLogRecord(
        {"name": name, "levelno": logging.WARNING, "levelname": "WARNING", "msg": message} | fields
    )


_logs: list[Log] = []


def lost_line_count() -> int:
    """Lines that the logs of this program have lost."""
    return sum(log.lost_count for log in _logs)


@contextmanager
def logging_to(path: Path | None, *, is_service: bool) -> Iterator[None]:
    """Has everything logged while it lasts. Raises Invalid if `path` cannot be written.

    A file gets JSON. So does the standard error of a service, unless that is a
    terminal; of a command it gets warnings alone, in words.
    """
    in_words = path is None and (not is_service or sys.stderr.isatty())
    log = Log(_TextFormatter() if in_words else _JsonFormatter(), path)
    root, ours = logging.getLogger(), logging.getLogger("sixtysix_arena")
    levels = root.level, ours.level
    root.addHandler(log)
    root.setLevel(logging.WARNING)  # Other people's libraries, gRPC among them.
    ours.setLevel(logging.INFO if is_service or path is not None else logging.WARNING)
    logging.captureWarnings(capture=True)
    _logs.append(log)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(log)
        root.setLevel(levels[0])
        ours.setLevel(levels[1])
        log.close()
        _logs.remove(log)
