"""The sample bot in TypeScript: its own tests, and real tournaments against house bots."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.authorities import Authority
from support.commands import Workplace, wait_for
from support.node_package import BUILD_TIMEOUT_S, npm

GAMES_PER_PAIRING = 10

# The first test waits for packages and the compiler.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT_S + 120)]


@pytest.fixture(scope="session")
def program(node_package: Path) -> list[str]:
    """The command of the bot."""
    return ["node", str(node_package / "main.js")]


def test_its_own_tests_pass(program: list[str]) -> None:
    npm("test")


def test_its_types_are_those_of_the_protocol(program: list[str]) -> None:
    npm("run", "check")


class Cup:
    """A tournament of the bot against house bots, in a folder of its own."""

    def __init__(
        self, folder: Path, opponents: list[str], rules: str, games_per_pairing: int
    ) -> None:
        self.place = Workplace(folder)
        self.token = self.place.json("bot", "submit", "node-bot")["token"]
        self.place.write(
            "cup.toml",
            f'name = "Cup"\nslug = "cup"\nrules = "{rules}"\nseed = "66"\n'
            f"games_per_pairing = {games_per_pairing}\ngames_at_once = 8\n"
            f"entrants = {['node-bot', *opponents]!r}\n"
            "[clock]\nper_move_ms = 20000\nper_game_ms = 600000\ngrace_ms = 60000\n",
        )

    @contextmanager
    def arena(self) -> Iterator[subprocess.Popen[str]]:
        command = self.place.command("run", "cup.toml", "--grpc", "127.0.0.1:0")
        with self.place.running(*command) as arena:
            yield arena

    def address(self) -> str:
        path = self.place.folder / "sixtysix-data" / "address"
        address: str = wait_for(lambda: path.exists() and path.read_text().strip(), "the arena")
        return address

    @contextmanager
    def bot(self, program: list[str]) -> Iterator[subprocess.Popen[str]]:
        env = {"SIXTYSIX_TOKEN": self.token, "SIXTYSIX_ARENA": self.address()}
        with self.place.running(*program, **env) as bot:
            yield bot

    def games(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = self.place.json("games", "cup", "--bot", "node-bot")
        return games

    def over(self) -> list[dict[str, Any]]:
        return [game for game in self.games() if game["state"] == "over"]


def has_won(game: dict[str, Any]) -> bool:
    return bool(game["winner"] == game["entrants"].index("node-bot"))


@pytest.mark.parametrize("rules", ["doubling", "last-trick"])
def test_it_plays_a_tournament_without_a_fault_and_beats_chance(
    program: list[str], tmp_path: Path, rules: str
) -> None:
    cup = Cup(tmp_path, ["house:random", "house:greedy"], rules, GAMES_PER_PAIRING)
    with cup.arena() as arena, cup.bot(program) as bot:
        _, said = bot.communicate(timeout=90)
        assert bot.returncode == 0, said
        arena.communicate(timeout=60)
        assert arena.returncode == 0
    assert said.splitlines()[0] == "joined as node-bot"
    assert said.splitlines()[-1].startswith("the arena says goodbye")
    assert "no effect" not in said
    games = cup.games()
    assert len(games) == 2 * GAMES_PER_PAIRING
    assert {game["end"] for game in games} == {"target"}
    against_chance = [game for game in games if "house:random" in game["entrants"]]
    # An even bot would win eight of ten once in eighteen times; this one wins them all.
    assert sum(map(has_won, against_chance)) >= 0.8 * GAMES_PER_PAIRING
    shown = cup.place.run("log", against_chance[0]["game_id"], "--deal", "0")
    assert 'node-bot: "' in shown, "its reasons are in the record"


def test_it_plays_over_tls_with_the_authority_that_it_is_given(
    program: list[str], tmp_path: Path, free_port: int
) -> None:
    authority = Authority(tmp_path)
    files = authority.sign()
    cup = Cup(tmp_path, ["house:random"], "classic", 2)
    tls = ("--tls-cert", str(files["tls_cert"]), "--tls-key", str(files["tls_key"]))
    address = f"127.0.0.1:{free_port}"
    env = {"SIXTYSIX_TOKEN": cup.token, "SIXTYSIX_ARENA": address}
    command = cup.place.command("run", "cup.toml", "--grpc", address, *tls)
    with cup.place.running(*command) as arena:
        cup.address()
        with cup.place.running(*program, **env, SIXTYSIX_CA=str(authority.pem)) as bot:
            _, said = bot.communicate(timeout=60)
            assert bot.returncode == 0, said
        arena.communicate(timeout=60)
        assert arena.returncode == 0
    assert {game["end"] for game in cup.games()} == {"target"}


def test_ended_and_started_again_it_plays_on_and_ctrl_c_gives_its_games_up(
    program: list[str], tmp_path: Path
) -> None:
    cup = Cup(tmp_path, ["house:random"], "classic", 2000)
    with cup.arena() as arena:
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            count = len(cup.over()) if cup.address() else 0
            with cup.bot(program) as bot:
                wait_for(lambda: len(cup.over()) >= count + 20, "games")  # noqa: B023
                bot.send_signal(signal_number)
                _, said = bot.communicate(timeout=30)
                expected = 0 if signal_number == signal.SIGTERM else -signal_number
                assert bot.returncode == expected, said
        assert {game["end"] for game in cup.over()} == {"target"}
        with cup.bot(program) as bot:
            count = len(cup.over())
            wait_for(lambda: len(cup.over()) >= count + 20, "more games")
            assert {game["fault"] for game in cup.over()} == {None}
            bot.send_signal(signal.SIGINT)
            _, said = bot.communicate(timeout=30)
            assert bot.returncode == 0, said
        assert said.splitlines()[-1] == "the arena says goodbye: the bot said goodbye"
        forfeits = [game for game in cup.over() if game["end"] == "forfeit"]
        assert forfeits
        assert {game["fault"] for game in forfeits} == {"left"}
        arena.kill()
