"""What tests of whole programs share."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.commands import Workplace
from support.node_package import build


@pytest.fixture(scope="session")
def node_package(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """What was built of the package in TypeScript, however many processes run the tests."""
    folder = tmp_path_factory.getbasetemp()
    return build(folder if worker_id == "master" else folder.parent)


@pytest.fixture
def late_cup() -> Callable[..., list[str]]:
    """Submits the bot `late`, and writes the file of a cup that it plays in with house bots.

    Gives the command that has it join, when a test wants that: until then the cup is not
    over, however fast everybody else is.
    """

    def submit(
        place: Workplace, *others: str, rules: str = "classic", games_per_pairing: int
    ) -> list[str]:
        place.write("late.py", "def choose(view):\n    return view.legal[0]\n")
        place.run("bot", "submit", "late", "--token-file", "late.token")
        place.write(
            "cup.toml",
            f'name = "Cup"\nslug = "cup"\nrules = "{rules}"\nseed = "42"\n'
            f"games_per_pairing = {games_per_pairing}\ngames_at_once = 16\n"
            f"entrants = {[*others, 'late']!r}\n"
            "[clock]\nper_move_ms = 20000\nper_game_ms = 600000\njoin_ms = 600000\n",
        )
        return place.command("join", "late.py")

    return submit


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port of this machine for a server to come; until then nobody else is given it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
