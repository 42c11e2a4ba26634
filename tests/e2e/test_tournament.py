"""Whole tournaments with the command, as an organiser runs them."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.commands import Workplace, wait_for

HOUSE = ("house:random", "house:greedy", "house:counting")
PLAIN_BOT = Path(__file__).with_name("plain_bot.py")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def tournament_file(
    entrants: Sequence[str] = HOUSE,
    *,
    games_per_pairing: int = 4,
    games_at_once: int = 8,
    rules: str = "classic",
) -> str:
    return f"""\
name = "Spring cup"
slug = "cup"
rules = "{rules}"
games_per_pairing = {games_per_pairing}
games_at_once = {games_at_once}
entrants = {list(entrants)!r}
seed = "42"
[clock]
per_move_ms = 20000
per_game_ms = 600000
"""


def canonical_board(tmp_path: Path, games_at_once: int) -> str:
    tmp_path.mkdir()
    place = Workplace(tmp_path)
    place.write("cup.toml", tournament_file(games_at_once=games_at_once))
    board = place.json("run", "cup.toml", "--grpc", "127.0.0.1:0")
    assert board["final"]
    assert [row["games"] for row in board["rows"]] == [8, 8, 8]
    canonical: str = board["canonical"]
    return canonical


def test_the_board_is_the_same_byte_for_byte_with_any_number_of_games_at_once(
    tmp_path: Path,
) -> None:
    boards = {canonical_board(tmp_path / str(count), count) for count in (1, 8, 64)}
    assert len(boards) == 1


class Stored:
    """What is in the database, looked at from outside."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "sixtysix-data" / "arena.db"

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        connection = sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError:  # Not there yet.
            return []
        finally:
            connection.close()

    def games_over(self) -> dict[int, tuple[Any, ...]]:
        found = self.rows(
            "SELECT number, score0, score1, winner, deal_count, deals_started FROM game"
            " WHERE state = 'over'"
        )
        return {row[0]: row for row in found}

    def deals(self) -> dict[tuple[int, int], bytes]:
        found = self.rows("SELECT game_id, number, record FROM deal")
        return {(game, number): record for game, number, record in found}


def test_after_kill_9_run_goes_on_and_nothing_is_lost_or_played_twice(tmp_path: Path) -> None:
    place, stored = Workplace(tmp_path), Stored(tmp_path)
    entrants = ("house:random", "house:greedy")
    place.write("cup.toml", tournament_file(entrants, games_per_pairing=600, games_at_once=16))
    command = place.command("run", "cup.toml", "--grpc", "127.0.0.1:0")
    for kills in range(1, 4):
        with place.running(*command) as arena:
            wait_for(lambda: len(stored.games_over()) >= 80 * kills, "more games")  # noqa: B023
            arena.kill()
            arena.wait()
        games_before, deals_before = stored.games_over(), stored.deals()
        assert len(games_before) < 600, "killed too late to show anything"
    board = place.json("run", "cup.toml", "--grpc", "127.0.0.1:0")
    assert board["final"]
    games, deals = stored.games_over(), stored.deals()
    assert sorted(games) == list(range(1, 601))
    assert {number: games[number] for number in games_before} == games_before
    assert {key: deals[key] for key in deals_before} == deals_before
    # Every number that was ever dealt has exactly one record, and not one deal is void.
    assert len(deals) == sum(row[5] for row in games.values())
    assert len(deals) == sum(row[4] for row in games.values())
    report = place.run("log", "cup.1")
    assert "cup.1" in report


def test_house_bots_end_with_their_arena(tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    place.write("cup.toml", tournament_file(HOUSE[:2], games_per_pairing=2000))
    command = place.command("run", "cup.toml", "--grpc", "127.0.0.1:0")
    with place.running(*command) as arena:
        wait_for(lambda: len(children(arena.pid)) == 2, "two house bots")
        bots = children(arena.pid)
        arena.kill()
        arena.wait()
        wait_for(lambda: not any(is_running(pid) for pid in bots), "the end of the house bots")


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(child) for child in task.read_text().split()]
        except OSError:
            continue
    return found


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_bot_of_generated_stubs_alone_plays_a_whole_tournament(tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    token = place.json("bot", "submit", "plain")["token"]
    place.write("cup.toml", tournament_file(("plain", "house:random", "house:greedy")))
    command = place.command("run", "cup.toml", "--grpc", "127.0.0.1:0", "--json")
    with place.running(*command) as arena:
        address = wait_for(lambda: read(tmp_path / "sixtysix-data" / "address"), "the arena")
        bot = [sys.executable, str(PLAIN_BOT), address]
        with place.running(*bot, PLAIN_BOT_TOKEN=token) as plain:
            said, complaints = plain.communicate(timeout=60)
            assert said == "BYE_REASON_FINISHED\n", complaints
        arena.communicate(timeout=60)
        assert arena.returncode == 0
    board = place.json("leaderboard", "cup")
    rows = {row["entrant"]: row for row in board["rows"]}
    assert rows["plain"]["games"] == 8
    assert rows["plain"]["version"] == "plain 1"
    assert all(row["faults"] == {} for row in board["rows"])


def read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


@pytest.mark.parametrize("how", ["join", "python"])
def test_an_authors_bot_joins_before_the_arena_is_there(
    tmp_path: Path, how: str, free_port: int
) -> None:
    """A bot of a few lines, started first; it waits, plays, and ends with the tournament."""
    place = Workplace(tmp_path)
    bot = place.write(
        "my_bot.py",
        "import random\n\nimport sixtysix\n\n\ndef choose(view):\n    print('thinking')\n"
        "    return random.choice(view.legal)\n\n\nif __name__ == '__main__':\n"
        "    sixtysix.main(choose)\n",
    )
    token = place.json("bot", "submit", "my-bot")["token"]
    place.write("cup.toml", tournament_file(("my-bot", "house:random"), games_per_pairing=6))
    arguments = ("join", str(bot), "--name", "my-bot") if how == "join" else ()
    command = place.command(*arguments) if arguments else [sys.executable, str(bot)]
    with place.running(
        *command, SIXTYSIX_TOKEN=token, SIXTYSIX_ARENA=f"127.0.0.1:{free_port}"
    ) as author:
        place.run("run", "cup.toml", "--grpc", f"127.0.0.1:{free_port}")
        _, said = author.communicate(timeout=60)
        assert author.returncode == 0, said
    rows = {row["entrant"]: row for row in place.json("leaderboard", "cup")["rows"]}
    assert rows["my-bot"]["games"] == 6
    assert rows["my-bot"]["faults"] == {}


def test_the_seed_is_published_after_the_last_game_and_the_commitment_before(
    tmp_path: Path,
) -> None:
    place = Workplace(tmp_path)
    text = tournament_file(HOUSE[:2], games_per_pairing=2).replace('seed = "42"\n', "")
    place.write("cup.toml", text)
    place.run("run", "cup.toml", "--grpc", "127.0.0.1:0")
    info = place.json("tournament", "status", "cup")
    from sixtysix.shuffle import commitment

    seed = bytes.fromhex(info["seed"])
    assert len(seed) == 32
    assert commitment(seed).hex() == info["commitment"]
    assert not info["practice"]


def test_a_file_that_differs_from_what_is_stored_is_refused(tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    place.write("cup.toml", tournament_file(HOUSE[:2], games_per_pairing=2))
    place.run("run", "cup.toml", "--grpc", "127.0.0.1:0")
    place.write("cup.toml", tournament_file(HOUSE[:2], games_per_pairing=4))
    said = place.error("run", "cup.toml", "--grpc", "127.0.0.1:0", code=1)
    assert "'cup' is stored with another games_per_pairing" in said
