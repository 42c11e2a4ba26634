"""The house bots: processes that the arena starts, and that join like anybody's.

A house bot gets a fresh token through an inherited pipe at each start. The
arena keeps its end of the pipe open; when that closes, however the arena
died, the bot ends too.
"""

from __future__ import annotations

import logging
import os
import resource
import secrets
import subprocess
import sys
import threading
from dataclasses import dataclass
from importlib.metadata import entry_points

from sixtysix.limits import MAX_GAMES_AT_ONCE
from sixtysix.names import HOUSE, HOUSE_BOTS
from sixtysix_arena.tokens import digest, new_token

__all__ = ["HouseBots", "house_names", "limit_itself"]

MAX_RESTARTS = 5
"""Starts after the first; a house bot that dies more often is broken, and stays away."""
STOP_TIMEOUT_S = 3.0
MAX_DATA_BYTES = 2 * 1024**3
"""Some twenty times what a house bot takes with all the games that it plays at once."""
MAX_FILES = 256

log = logging.getLogger(__name__)


def house_names() -> tuple[str, ...]:
    """The ids of the house bots that are installed, ascending."""
    return tuple(sorted(HOUSE + point.name for point in entry_points(group=HOUSE_BOTS)))


@dataclass(slots=True)
class _Running:
    process: subprocess.Popen[bytes]
    leash: int
    token_sha256: bytes
    restarts: int = 0


class HouseBots:
    """The house bots of one arena, started when a tournament first needs them."""

    def __init__(self) -> None:
        self._running: dict[str, _Running] = {}
        self._broken: set[str] = set()

    def start(self, entrant: str, address: str) -> None:
        """Starts a house bot, by its entrant id, unless it runs."""
        if entrant not in self._running and entrant not in self._broken:
            self._running[entrant] = _spawn(entrant, address)

    def name_of(self, token_sha256: bytes) -> str | None:
        """The entrant id that a token's digest belongs to."""
        for entrant, running in self._running.items():
            if secrets.compare_digest(running.token_sha256, token_sha256):
                return entrant
        return None

    def restart_dead(self, address: str) -> None:
        """Starts again what has died; to be called now and then."""
        for entrant, running in list(self._running.items()):
            if running.process.poll() is None:
                continue
            about = {"bot": entrant, "code": running.process.returncode}
            if running.restarts >= MAX_RESTARTS:
                log.error("a house bot ended once more and stays away", extra=about)
                self._broken.add(entrant)
                del self._running[entrant]
                os.close(running.leash)
                continue
            try:
                again = _spawn(entrant, address)
            except OSError as error:  # Out of memory or files: the next round may do better.
                log.error(
                    "a house bot cannot be started again", extra=about | {"reason": str(error)}
                )
                continue
            log.warning("a house bot ended and was started again", extra=about)
            again.restarts = running.restarts + 1
            self._running[entrant] = again
            os.close(running.leash)

    def stop(self) -> None:
        """Ends all of them."""
        for running in self._running.values():
            os.close(running.leash)
            running.process.terminate()
        for running in self._running.values():
            try:
                running.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                running.process.kill()
                running.process.wait()
        self._running.clear()


def _spawn(entrant: str, address: str) -> _Running:
    token = new_token()
    reading, writing = os.pipe()
    os.write(writing, token.encode() + b"\n")  # It waits in the pipe.
    name = entrant.removeprefix(HOUSE)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "sixtysix_arena.house", name, address, str(reading)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(reading,),
            env=_environment(),
            start_new_session=True,  # Ctrl-C is for the arena, which then stops its bots.
        )
    except OSError:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    return _Running(process, writing, digest(token))


def _environment() -> dict[str, str]:
    """That of the arena, without its settings, and without gRPC's own log."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SIXTYSIX_")}
    return {"GRPC_VERBOSITY": "NONE"} | kept


def limit_itself() -> None:
    """Takes no more of the machine than a bot may need, whatever its code does.

    A core is never left, since the token would be in it.
    """
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_DATA: MAX_DATA_BYTES,
        resource.RLIMIT_NOFILE: MAX_FILES,
    }
    for what, most in limits.items():
        _, hard = resource.getrlimit(what)
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (limit, limit))


def _end_with_arena(leash: int) -> None:
    """Waits for the arena's end of the pipe to close, then ends this process."""
    while os.read(leash, 1024):
        pass
    os._exit(0)


def _main(name: str, address: str, leash: int) -> None:
    """Runs one house bot; what `python -m sixtysix_arena.house` does."""
    limit_itself()
    from sixtysix.api import ApiError
    from sixtysix.bot import load_bot
    from sixtysix.client import join

    token = b""
    while not token.endswith(b"\n"):
        read = os.read(leash, 1)
        if not read:
            return  # The arena died before it could say the token.
        token += read
    threading.Thread(target=_end_with_arena, args=(leash,), daemon=True).start()
    try:
        join(
            load_bot(HOUSE + name),
            arena=address,
            token=token.decode().strip(),
            games_at_once=MAX_GAMES_AT_ONCE,
            tell=lambda _text: None,  # The arena's terminal is not the place for it.
        )
    except ApiError as error:
        sys.exit(f"{HOUSE}{name}: {error}")


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
