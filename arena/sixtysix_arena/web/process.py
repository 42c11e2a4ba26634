"""The pages' own process: started by an arena, reading its database, ended with it.

The arena keeps one end of a pipe; when that closes, however the arena died,
the pages end too. Through another one the pages say that they serve, or why
they cannot.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sixtysix.api import ApiError
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.logs import logging_to
from sixtysix_arena.ports import reason_of

if TYPE_CHECKING:
    from sixtysix_arena.store import DataFolder
    from sixtysix_arena.web.live import Feeds

__all__ = ["WebProcess", "serve_pages"]

START_TIMEOUT_S = 30.0
FAREWELL_S = 2.0
"""How long the pages may stay when their arena ends, for those who look at what it played."""
STOP_TIMEOUT_S = 3.0
NICENESS = 10
"""Whoever looks on waits for those who play."""
SESSION_NICENESS = Path("/proc/self/autogroup")
"""How nice the session of this process is, where there is such a thing."""
MAX_OPEN_REQUESTS = 1_000
"""Requests, and streams of a live page, at a time; more are told to come back later."""
KEEP_ALIVE_S = 20
LOOK_S = 2.0
"""How often it is looked whether the database is still the same file."""

log = logging.getLogger(__name__)


class WebProcess:
    """The process that serves the pages of one data folder."""

    def __init__(
        self, data: Path, wanted: str, hosts: Sequence[str] = (), *, log_file: Path | None = None
    ) -> None:
        """`wanted` is HOST:PORT; `hosts` are names that the pages are known by besides.

        They log to `log_file`, or to standard error.
        """
        self.address = wanted
        """HOST:PORT; with port 0 in the wish, the port that was free once it has started."""
        self._data = data
        self._hosts = tuple(hosts)
        self._log_file = log_file
        self._process: subprocess.Popen[bytes] | None = None
        self._leash = -1
        self._changing = threading.Lock()

    def start(self) -> None:
        """Starts it, and waits until it serves. Raises Unavailable if it does not."""
        with self._changing:
            self._start()

    def _start(self) -> None:
        leash, self._leash = os.pipe()
        telling, told = os.pipe()
        command = [sys.executable, "-m", __spec__.name, str(self._data), self.address]
        command += [str(leash), str(told), *self._hosts]
        if self._log_file is not None:
            command += ["--log", str(self._log_file.absolute())]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(leash, told),
                start_new_session=True,  # Ctrl-C is for the arena, which then stops its pages.
            )
        except OSError as error:
            os.close(telling)
            self._let_go()
            raise Unavailable(f"the pages cannot be started: {error.strerror}") from error
        finally:
            os.close(leash)
            os.close(told)
        try:
            said = _line_from(telling)
        finally:
            os.close(telling)
        verb, _, rest = said.partition(" ")
        if verb != "serving":
            self._stop()
            raise Unavailable(rest or "the pages did not start")
        self.address = rest

    def restart_if_dead(self) -> None:
        """Starts it again if it has died; to be called now and then."""
        with self._changing:
            if self._process is None or self._process.poll() is None:
                return
            log.warning("the pages ended and are started again")
            self._let_go()
            with suppress(Unavailable):
                self._start()

    def stop(self) -> None:
        """Ends it."""
        with self._changing:
            self._stop()

    def _stop(self) -> None:
        process, self._process = self._process, None
        self._let_go()
        if process is None:
            return
        # Without its leash it ends by itself.
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _let_go(self) -> None:
        if self._leash >= 0:
            os.close(self._leash)
            self._leash = -1


def _line_from(descriptor: int) -> str:
    """What a process says of itself, in one line; empty if it ends without a word."""
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while not said.endswith(b"\n") and selector.select(START_TIMEOUT_S):
            read = os.read(descriptor, 4_096)
            if not read:
                break
            said += read
    return said.decode(errors="replace").strip()


def _main(data: Path, address: str, leash: int, telling: int, hosts: Sequence[str]) -> None:
    """Serves until it is stopped or its arena is gone; what `python -m` of this module does."""

    def tell(text: str) -> None:
        os.write(telling, f"{text}\n".encode())
        os.close(telling)

    last_words = _LastWords()
    threading.Thread(target=_end_with_arena, args=(leash, last_words), daemon=True).start()
    _let_others_go_first()
    try:
        serve_pages(data, address, hosts, lambda served: tell(f"serving {served}"), last_words)
    except ApiError as error:
        tell(f"error {error}")


def _let_others_go_first() -> None:
    """Is nice to the processor, by itself and as a session.

    Where Linux shares the processor out among sessions before processes, which most systems
    have it do, being nice counts within a session alone, and this process has one of its own.
    """
    with suppress(OSError):
        os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            SESSION_NICENESS.write_text(str(NICENESS))


class _LastWords:
    """What is told to those who look on, when the arena has ended."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._feeds: Feeds | None = None

    def come_from(self, feeds: Feeds) -> None:
        """From now on these tell them; to be called where they live."""
        self._feeds, self._loop = feeds, asyncio.get_running_loop()

    def say(self) -> None:
        """Tells them, from another thread."""
        if self._loop is not None and self._feeds is not None:
            asyncio.run_coroutine_threadsafe(self._feeds.farewell(), self._loop).result(FAREWELL_S)


def serve_pages(
    data: Path,
    address: str,
    hosts: Sequence[str],
    serving: Callable[[str], object],
    last_words: _LastWords | None = None,
) -> None:
    """Serves the pages of a data folder until SIGINT or SIGTERM; `serving` hears where.

    Raises Unavailable if the address cannot be used, and what opening the folder does.
    """
    import uvicorn

    from sixtysix_arena.queries import StoredArena
    from sixtysix_arena.store import DataFolder
    from sixtysix_arena.web.app import make_app
    from sixtysix_arena.web.guarding import MAX_HEADER_BYTES

    host, _, port = address.rpartition(":")
    folder = DataFolder.open(data, create=False)
    reader = folder.open_reader()
    opened = folder.database.stat()
    try:
        listener = _listener(host, int(port))
    except OSError as error:
        reader.close()
        reason = reason_of(error, int(port))
        raise Unavailable(
            f"the address {address} cannot be used for the pages: {reason}; choose another one with"
            " --web HOST:PORT"
        ) from error
    # What strangers send that is no HTTP is nothing to write down.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    app = make_app(StoredArena(reader, is_patient=False), reader, (host.lower(), *hosts))
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=MAX_OPEN_REQUESTS,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,  # Live pages would keep it up for ever.
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )
    threading.Thread(target=_end_if_replaced, args=(folder, opened), daemon=True).start()
    serving(f"{host}:{listener.getsockname()[1]}")

    async def serve() -> None:
        if last_words is not None:
            last_words.come_from(app.state.feeds)
        await uvicorn.Server(config).serve([listener])

    with reader, listener, suppress(KeyboardInterrupt):
        asyncio.run(serve())


def _listener(host: str, port: int) -> socket.socket:
    name = host.removeprefix("[").removesuffix("]")
    family = socket.AF_INET6 if ":" in name else socket.AF_INET
    # Named, so that asyncio sees that it is TCP and lets small answers go at once.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((name, port))
    listener.listen(512)
    return listener


def _end_if_replaced(folder: DataFolder, opened: os.stat_result) -> None:
    """Ends this process if the database is another one than it reads; an arena starts it again."""
    while True:
        time.sleep(LOOK_S)
        try:
            folder.check_same(opened)
        except Unavailable:
            lost = {"database": str(folder.database)}
            log.error("the pages end: their database was removed or replaced", extra=lost)
            os.kill(os.getpid(), signal.SIGTERM)
            return


def _end_with_arena(leash: int, last_words: _LastWords) -> None:
    """Waits for the arena's end of the pipe to close, then ends this process."""
    while os.read(leash, 1_024):
        pass
    try:
        last_words.say()
    finally:
        os._exit(0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("address")
    parser.add_argument("leash", type=int)
    parser.add_argument("telling", type=int)
    parser.add_argument("hosts", nargs="*")
    parser.add_argument("--log", type=Path)
    given = parser.parse_args()
    with logging_to(given.log, is_service=True):
        _main(given.data, given.address, given.leash, given.telling, given.hosts)
