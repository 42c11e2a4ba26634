"""What authors ask after a tournament, answered by the command from what was stored."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from support.commands import Workplace, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WRONG_BOT = """\
import sixtysix

PLAYED = []


def choose(view):
    # Plays properly for a while, and then a card that it does not hold.
    if not view.game.startswith("cup."):
        return view.legal[0]
    PLAYED.append(view)
    if len(PLAYED) < 10:
        return view.legal[0]
    return next(card for card in range(24) if card not in view.hand)
"""
SLOW_BOT = """\
import time


def choose(view):
    if view.game.startswith("cup."):
        time.sleep(0.4 if view.deal == 0 and view.ply < 4 else 6)
    return view.legal[0]
"""
FILE = """\
name = "Spring cup"
slug = "cup"
rules = "last-trick"
games_per_pairing = 2
games_at_once = 1
entrants = ["house:greedy", "slow", "wrong"]
seed = "42"
[clock]
per_move_ms = 4000
per_game_ms = 60000
grace_ms = 20000
join_ms = 60000
"""


@dataclass(frozen=True)
class Played:
    """A tournament that is over, on an arena that still runs."""

    organiser: Workplace
    author: Workplace
    address: str
    games: list[dict[str, Any]]

    def lost_by(self, name: str, fault: str) -> dict[str, Any]:
        """A game that a bot forfeited to the house bot."""
        return next(
            game
            for game in self.games
            if game["fault"] == fault and set(game["entrants"]) == {"house:greedy", name}
        )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    organiser = Workplace(tmp_path_factory.mktemp("organiser"))
    author = Workplace(tmp_path_factory.mktemp("author"))
    author.write("wrong.py", WRONG_BOT)
    author.write("slow.py", SLOW_BOT)
    organiser.write("cup.toml", FILE)
    for name in ("wrong", "slow"):
        organiser.run("bot", "submit", name, "--token-file", f"{name}.token")
        shutil.move(organiser.folder / f"{name}.token", author.folder / f"{name}.token")
    address_file = organiser.folder / "sixtysix-data" / "address"
    with organiser.running(*organiser.command("serve", "--grpc", "127.0.0.1:0")):
        wait_for(address_file.exists, "the arena")
        address = address_file.read_text().strip()
        organiser.run("tournament", "create", "cup.toml")
        organiser.run("tournament", "start", "cup")
        joins = [
            author.command("join", f"{name}.py", "--arena", address) for name in ("wrong", "slow")
        ]
        with author.running(*joins[0]), author.running(*joins[1]):
            wait_for(lambda: state(organiser) == "finished", "the end of the tournament")
        games = organiser.json("games", "cup")
        yield Played(organiser, author, address, games)


def state(place: Workplace) -> str:
    found: str = place.json("tournament", "status", "cup")["state"]
    return found


def line(text: str, name: str) -> str:
    """What stands behind a name at the beginning of a line."""
    found = re.search(rf"^{name} +(.*)$", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


def test_why_did_i_lose_game_x(played: Played) -> None:
    game = played.lost_by("wrong", "illegal")["game_id"]
    there = ("--arena", played.address)
    told = played.author.run("log", game, *there)
    result = line(told, "result")
    assert result.startswith("house:greedy won by forfeit, illegal: illegal move ")
    # It says itself how to see more, and that can be typed as it stands.
    hint = line(told, "To see what went wrong:")
    assert hint.endswith(f"log {game} --faults --arena {played.address}")
    more = played.author.run("log", game, "--faults", *there)
    assert line(more, "wrong: illegal,")
    assert result.split("illegal: ", 1)[1] in more


def test_which_move_was_illegal_and_what_was_legal(played: Played) -> None:
    game = played.lost_by("wrong", "illegal")["game_id"]
    told = played.author.run("log", game, "--faults", "--arena", played.address)
    answered, legal = line(told, "answered"), line(told, "legal").split()
    hand = line(told, "hand").split()
    assert answered not in legal
    assert answered not in hand
    assert set(legal) & set(hand)
    assert f"illegal move {answered}: {answered} is not in your hand; legal are" in told
    assert re.fullmatch(r"deal \d+ ply \d+, score \d+:\d+", line(told, "asked"))
    assert re.match(r"[9JQKTA][CDHS], talon of \d+|[CDHS], talon used up", line(told, "trump"))
    assert line(told, "table")
    # In whatever company: the bot plays several games.
    assert re.search("(1 answer: to|answers, one to) this decision", told.splitlines()[-1])
    (fault,) = json.loads(
        played.author.run("log", game, "--faults", "--json", "--arena", played.address)
    )
    assert fault["answer"] == answered
    assert fault["view"]["legal"] == legal
    assert fault["view"]["hand"] == hand


def test_how_much_time_did_i_use(played: Played) -> None:
    there = ("--arena", played.address)
    game = played.lost_by("slow", "timeout")["game_id"]
    told = played.author.run("log", game, *there)
    used, bank, moves, slowest, *place = line(told, "slow").split()
    assert (bank, place) == ("60000", ["deal", "0", "ply", place[-1]])
    assert int(moves) >= 1
    # It thought for 400 ms; if it owed another decision meanwhile, each was charged its part.
    assert 100 <= int(slowest) <= int(used)
    assert "The decision that the game was forfeited at is not in these." in told
    more = played.author.run("log", game, "--faults", *there)
    time = line(more, "time")
    numbers = re.match(r"the decision was out for (\d+) ms and charged (\d+) ms; a move has", time)
    assert numbers is not None
    waited, charged = map(int, numbers.groups())
    assert 4_000 <= waited < 6_000
    assert charged <= waited
    left = int(line(more, "bank").removesuffix(" of 60000 ms left"))
    assert left == pytest.approx(60_000 - int(used) - charged, abs=5), "but for rounding"
    assert line(more, "answered") == "nothing"
    # It is told of every game, and in the same words by the data folder.
    for each in played.games:
        here = played.organiser.run("log", each["game_id"])
        assert all(line(here, name).split()[1] == "60000" for name in each["entrants"])
    as_json = played.organiser.json("log", game)["times"]
    assert {each["entrant"]: each["used_ms"] for each in as_json}["slow"] == int(used)


def test_the_organiser_sees_the_same_in_the_folder(played: Played) -> None:
    game = played.lost_by("wrong", "illegal")["game_id"]
    here = played.organiser.run("log", game, "--faults")
    assert here == played.author.run("log", game, "--faults", "--arena", played.address)


def test_another_authors_token_shows_nothing_of_it(played: Played) -> None:
    game = played.lost_by("wrong", "illegal")["game_id"]
    arguments = ("log", game, "--faults", "--token-file", "slow.token", "--arena", played.address)
    said = played.author.error(*arguments, code=1)
    assert said == (
        f"sixtysix: slow does not play in {game}: the evidence of a fault is for its author and"
        " the organiser"
    )


def test_a_game_without_a_fault_says_so(played: Played) -> None:
    fair = [game for game in played.games if game["fault"] is None]
    for game in fair:
        assert "No fault: " in played.organiser.run("log", game["game_id"], "--faults")
    for game in played.games:
        assert ("To see what went wrong" in played.organiser.run("log", game["game_id"])) is (
            game["fault"] is not None
        )
