"""House bots are processes that have nothing of their arena's, and end with it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from support.commands import Workplace, wait_for

# Processes take what a machine has to give; each wait bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

BOTS = ("house:random", "house:greedy")
SECRETS = {
    "SIXTYSIX_ADMIN_TOKEN": "the-organisers-secret",
    "SIXTYSIX_TOKEN": "an-authors-secret",
    "SIXTYSIX_DATA": "sixtysix-data",
}
GIB = 1024**3


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    """A folder with a tournament of house bots that lasts."""
    place = Workplace(tmp_path)
    entrants = ", ".join(f'"{name}"' for name in BOTS)
    place.write(
        "cup.toml",
        'name = "Cup"\nslug = "cup"\nrules = "classic"\ngames_per_pairing = 4000\n'
        f"games_at_once = 16\nentrants = [{entrants}]\n",
    )
    return place


@pytest.fixture
def arena(place: Workplace) -> Iterator[psutil.Process]:
    """An arena that plays it, with secrets in its environment."""
    command = place.command("run", "cup.toml", "--grpc", "127.0.0.1:0")
    with place.running(*command, **SECRETS) as running:
        process = psutil.Process(running.pid)
        wait_for(lambda: len(playing(process)) == len(BOTS), "house bots that play")
        bots = playing(process)
        yield process
    for bot in bots:
        with suppress(psutil.NoSuchProcess):
            bot.kill()


def playing(arena: psutil.Process) -> list[psutil.Process]:
    """The house bots that are connected."""
    found = []
    for child in arena.children():
        try:
            if child.net_connections("tcp"):
                found.append(child)
        except psutil.Error:
            continue
    return found


def test_threat_36_a_house_bot_has_nothing_of_its_arena(
    arena: psutil.Process, tmp_path: Path
) -> None:
    admin_token = (tmp_path / "sixtysix-data" / "admin-token").read_text().strip()
    for bot in playing(arena):
        # A group and a session of its own: no terminal, and no signal that is for the arena.
        assert os.getpgid(bot.pid) == os.getsid(bot.pid) == bot.pid
        assert bot.pid != os.getpgid(arena.pid)
        told = f"{bot.cmdline()} {bot.environ()}"
        assert not [name for name in bot.environ() if name.startswith("SIXTYSIX_")]
        for secret in (admin_token, *(SECRETS[name] for name in SECRETS if "TOKEN" in name)):
            assert secret not in told
        assert "-token" not in told
        links = [str(link.readlink()) for link in Path(f"/proc/{bot.pid}/fd").iterdir()]
        assert not [link for link in links if "sixtysix-data" in link]
        pipes = [link for link in links if link.startswith("pipe:")]
        assert len(set(pipes)) <= 2, "its leash, and perhaps the standard error of the test"
        assert bot.rlimit(psutil.RLIMIT_CORE) == (0, 0)
        assert bot.rlimit(psutil.RLIMIT_DATA)[1] <= 2 * GIB
        assert bot.rlimit(psutil.RLIMIT_NOFILE)[1] <= 256


def test_threat_36_house_bots_end_with_their_arena(arena: psutil.Process) -> None:
    bots = playing(arena)
    assert len(bots) == len(BOTS)
    arena.kill()
    gone, alive = psutil.wait_procs(bots, 60)
    assert not alive
    assert len(gone) == len(BOTS)


TAKES_TOO_MUCH = """\
import sys
from sixtysix_arena.house import limit_itself
limit_itself()
try:
    bytearray(3 * 1024**3)
except MemoryError:
    sys.exit(7)
"""


def test_threat_36_what_takes_too_much_gets_no_more() -> None:
    done = subprocess.run([sys.executable, "-c", TAKES_TOO_MUCH], check=False, timeout=60)
    assert done.returncode == 7
