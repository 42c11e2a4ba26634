"""The commands over a data folder, and over the arena that holds it."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.serving import ADMIN_TOKEN, FakeHost
from support.stored import create, start

from sixtysix.cli.places import DataFolders
from sixtysix_arena.cli.data import FOLDERS
from sixtysix_arena.store import DataFolder

Capture = pytest.CaptureFixture[str]

FILE = """\
name = "Spring cup"
slug = "spring-cup"
rules = "classic"
games_per_pairing = 2
entrants = ["ada", "bob"]
"""


Run = Callable[..., tuple[str, str]]


def test_the_entry_point_is_what_the_command_line_wants() -> None:
    folders: DataFolders = FOLDERS
    assert folders is FOLDERS


# Bots, without an arena


def test_bots_are_submitted_before_there_is_an_arena(run: Run, place: Path) -> None:
    token, told = run("bot", "submit", "my-bot")
    assert len(token.strip()) == 43
    assert "The data folder sixtysix-data is new." in told
    assert "sixtysix join BOT.py --name my-bot" in told
    assert token.strip() not in told
    assert stat.S_IMODE((place / "sixtysix-data").stat().st_mode) == 0o700
    listed, _ = run("bot", "list", "--json")
    assert [bot["name"] for bot in json.loads(listed)] == ["my-bot"]
    shown, _ = run("bot", "show", "my-bot")
    assert shown.startswith("bot        my-bot\n")


def test_threat_2_a_token_is_stored_as_a_digest_alone(run: Run, place: Path) -> None:
    token, _ = run("bot", "submit", "my-bot")
    for path in (place / "sixtysix-data").iterdir():
        assert token.strip().encode() not in path.read_bytes()


def test_a_token_is_written_to_a_private_file(run: Run, place: Path) -> None:
    out, told = run("bot", "submit", "my-bot", "--token-file", "my-bot.token")
    assert out == ""
    assert "--token-file" not in told, "join finds NAME.token by itself"
    path = place / "my-bot.token"
    first = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert first.strip() not in told
    _, told = run("bot", "token", "my-bot", "--token-file", "other file")
    assert "--token-file 'other file'" in told
    assert (place / "other file").read_text() != first
    assert {each.name for each in place.iterdir()} == {
        "sixtysix-data",
        "my-bot.token",
        "other file",
    }


PRECIOUS = {
    "a key": "-----BEGIN PRIVATE KEY-----\n",
    "an empty file": "",
    "another token": "b" * 43 + "\n",
}


@pytest.mark.parametrize("content", PRECIOUS.values(), ids=PRECIOUS)
def test_a_token_takes_no_other_files_place(run: Run, place: Path, content: str) -> None:
    run("bot", "submit", "my-bot")
    for name in ("new.token", "other-file"):
        path = place / name
        path.write_text(content)
        for argv in (("bot", "submit", "new"), ("bot", "token", "my-bot")):
            _, told = run(*argv, "--token-file", name, code=2)
            assert told == (
                f"sixtysix: there is a {name} already, and nothing is overwritten: move it away, or"
                " name another file\n"
            )
        assert path.read_text() == content
    assert "new" not in run("bot", "list")[0], "the arena was not even asked"


def test_a_token_takes_the_place_of_what_was_this_bots_alone(run: Run, place: Path) -> None:
    path = place / "my-bot.token"
    run("bot", "submit", "my-bot", "--token-file", "my-bot.token")
    first = path.read_text()
    run("bot", "token", "my-bot", "--token-file", "my-bot.token")
    second = path.read_text()
    assert first != second
    for content in ("", f"{second}{second}", "name = 'cup'\n"):
        path.write_text(content)
        run("bot", "token", "my-bot", "--token-file", "my-bot.token", code=2)
        assert path.read_text() == content
    path.unlink()
    (place / "elsewhere").write_text(second)
    path.symlink_to("elsewhere")
    run("bot", "token", "my-bot", "--token-file", "my-bot.token", code=2)
    assert path.is_symlink()
    assert (place / "elsewhere").read_text() == second


def test_a_token_that_cannot_be_written_down_is_not_issued(run: Run, place: Path) -> None:
    _, told = run("bot", "submit", "my-bot", "--token-file", "nowhere/token", code=1)
    assert told == (
        "sixtysix: the token file nowhere/token cannot be written: No such file or directory\n"
    )
    run("bot", "submit", "my-bot")


def test_nothing_is_written_if_the_bot_is_refused(run: Run, place: Path) -> None:
    run("bot", "submit", "My-Bot", "--token-file", "token", code=2)
    assert not (place / "token").exists()


def test_the_life_of_a_bot(run: Run) -> None:
    first, _ = run("bot", "submit", "ada", "--json")
    second, _ = run("bot", "token", "ada", "--json")
    assert json.loads(first)["name"] == json.loads(second)["name"] == "ada"
    assert json.loads(first)["token"] != json.loads(second)["token"]
    _, told = run("bot", "submit", "ada", code=2)
    assert "replace its token with 'sixtysix bot token ada'" in told
    out, told = run("bot", "disable", "ada", "--yes")
    assert "disabled" in out
    assert told == ""
    again, told = run("bot", "disable", "ada", "--reason", "it cheats")
    assert again == out
    since = out.split()[-1]
    assert told == f"ada is disabled already, since {since}: nothing was changed.\n"
    run("bot", "token", "ada", code=1)
    _, told = run("bot", "submit", "ada", code=2)
    assert told == (
        "sixtysix: there was a bot 'ada', which is disabled for good: choose another name\n"
    )
    _, told = run("bot", "show", "bob", code=3)
    assert "see which there are with 'sixtysix bot list'" in told
    run("bot", "token", "bob", code=3)


@pytest.mark.parametrize(
    "words", [["show"], ["disable", "--yes"], ["token"], ["owner", "Ann"]], ids=lambda each: each[0]
)
def test_a_house_bot_is_not_called_missing(run: Run, words: list[str]) -> None:
    run("bot", "submit", "ada")
    command, *more = words
    _, told = run("bot", command, "house:greedy", *more, code=3)
    assert told == (
        "sixtysix: 'house:greedy' is the name of a house bot: every arena has those, and there is"
        " nothing to show of them or to change\n"
    )


def test_a_bot_has_an_owner_if_somebody_says_so(run: Run) -> None:
    run("bot", "submit", "ada", "--owner", " Ann\u00a0 A. ")
    assert "owner      Ann A.\n" in run("bot", "show", "ada")[0]
    out, _ = run("bot", "owner", "ada", "Bob")
    assert "owner      Bob\n" in out
    assert json.loads(run("bot", "list", "--json")[0])[0]["owner"] == "Bob"
    assert "owner" not in run("bot", "owner", "ada", "")[0]
    for command in (("submit", "bob", "--owner", "ü" * 31), ("owner", "ada", "ü" * 31)):
        _, told = run("bot", *command, code=2)
        assert "the owner has 62 bytes: expected at most 60" in told
    run("bot", "owner", "nobody", "Ann", code=3)
    run("bot", "owner", "house:greedy", "Ann", code=3)
    assert "bob" not in run("bot", "list")[0]


def test_only_submitting_makes_a_folder(run: Run, place: Path) -> None:
    for argv in (
        ("bot", "token", "ada"),
        ("bot", "disable", "ada"),
        ("bot", "list"),
        ("leaderboard", "cup"),
        ("tournament", "start", "cup"),
    ):
        _, told = run(*argv, "--data", "nowhere", code=3)
        assert "there is no arena's data in" in told
    assert list(place.iterdir()) == []


# Reading, the same with and without an arena

READING = [
    ("leaderboard", "cup"),
    ("leaderboard", "cup", "--cross"),
    ("leaderboard", "--rules", "last-trick"),
    ("games", "cup"),
    ("games", "cup", "--bot", "ada"),
    ("log", "cup.1"),
    ("log", "cup.1", "--deal", "0"),
    ("bot", "list"),
    ("bot", "show", "ada"),
    ("tournament", "list"),
]


@pytest.mark.parametrize("argv", READING, ids=" ".join)
def test_a_folder_and_its_arena_tell_the_same(
    argv: tuple[str, ...], run: Run, served: FakeHost, filled: DataFolder
) -> None:
    for more in ((), ("--json",)):
        (here, _), (there, _) = run(*argv, *more), run(*argv, *more, "--arena", filled.address())
        assert here == there.replace(f" --arena {filled.address()}", "")
        assert here.endswith("\n")
        if more:
            json.loads(here)


def test_json_names_cards_and_moves(run: Run, filled: DataFolder) -> None:
    report = json.loads(run("log", "cup.1", "--deal", "0", "--json")[0])
    (deal,) = report["deals"]
    assert len(deal["pack"]) == 24
    assert {"9C", "AS"} <= set(deal["pack"])
    move = deal["moves"][0]
    assert set(move) >= {"seat", "move", "code", "ms", "by"}
    assert {each["by"] for each in deal["moves"]} == {"bot", "referee"}
    assert report["rules"] == {"name": "last-trick", "target": 8, "agreed_six": False}


def test_a_board_as_json(run: Run, filled: DataFolder) -> None:
    board = json.loads(run("leaderboard", "cup", "--json")[0])
    assert board["final"] is True
    assert [row["rank"] for row in board["rows"]] == [1, 2, 3]
    assert json.loads(board["canonical"])["rows"][0]["entrant"] == board["rows"][0]["entrant"]


def test_statistics_are_beside_the_board(run: Run, filled: DataFolder) -> None:
    board = json.loads(run("leaderboard", "cup", "--json")[0])
    entrants = [row["entrant"] for row in board["rows"]]
    statistics = board["statistics"]
    assert [row["entrant"] for row in statistics["entrants"]] == entrants
    assert statistics["games"] == 6
    assert len(statistics["head_to_head"]) == 3
    assert "statistics" not in json.loads(board["canonical"])
    assert "statistics" not in json.loads(run("leaderboard", "--rules", "last-trick", "--json")[0])


def test_a_cross_table_is_asked_for(run: Run, filled: DataFolder) -> None:
    board = run("leaderboard", "cup")[0]
    # Four games each, played by chance: nobody is told from anybody.
    assert "~ Not separated" in board
    more = run("leaderboard", "cup", "--cross")[0]
    assert more.startswith(board + "\nGames won")
    assert "needs a SLUG" in run("leaderboard", "--cross", code=2)[1]


def test_the_command_for_a_deal_names_the_place_as_it_was_named(
    run: Run, filled: DataFolder
) -> None:
    assert run("log", "cup.1")[0].endswith("To see a deal: sixtysix log cup.1 --deal N\n")
    told = run("log", "cup.1", "--data", "sixtysix-data")[0]
    assert told.endswith("sixtysix log cup.1 --deal N --data sixtysix-data\n")


def test_what_is_not_there(run: Run, filled: DataFolder) -> None:
    for argv, told in (
        (("leaderboard", "nix"), "no tournament 'nix'"),
        (("games", "nix"), "no tournament 'nix'"),
        (("games", "cup", "--bot", "nix"), "no entrant"),
        (("log", "cup.99"), "no game cup.99"),
        (("log", "cup.1", "--deal", "99"), "has no deal 99 that is over: there are 0, 1, 2"),
        (("tournament", "status", "nix"), "no tournament 'nix'"),
    ):
        out, err = run(*argv, code=3)
        assert out == ""
        assert told in err
    assert "is no game" in run("log", "cup", code=2)[1]


def test_a_rule_set_is_no_tournament(run: Run, filled: DataFolder) -> None:
    _, told = run("leaderboard", "classic", code=3)
    assert "no tournament 'classic'" in told
    assert told.endswith(
        "; the standing board of classic is 'sixtysix leaderboard --rules classic'\n"
    )


def test_a_finished_tournament_is_watched_in_a_line(run: Run, filled: DataFolder) -> None:
    out, _ = run("tournament", "watch", "cup")
    assert out == "cup finished: 6 of 6 games over\n"
    out, _ = run("tournament", "watch", "cup", "--json")
    assert json.loads(out)["state"] == "finished"


def test_a_damaged_folder_is_told_in_a_line(run: Run, filled: DataFolder) -> None:
    filled.database.write_bytes(b"")
    out, err = run("leaderboard", "cup", code=1)
    assert (out, err.count("\n")) == ("", 1)
    assert "is empty where a database was expected" in err


# Changing, through the arena that holds the folder


def test_bots_are_changed_by_the_arena_that_holds_the_folder(run: Run, served: FakeHost) -> None:
    assert run("bot", "submit", "dee")[0] == "token-of-dee\n"
    assert run("bot", "token", "dee")[0] == "new-token-of-dee\n"
    run("bot", "disable", "ada", "--yes")
    assert [call[0] for call in served.asked] == ["submit_bot", "rotate_token", "disable_bot"]


def test_tournaments_are_changed_by_the_arena(run: Run, served: FakeHost, place: Path) -> None:
    (place / "cup.toml").write_text(FILE)
    out, told = run("tournament", "create", "cup.toml")
    assert out.startswith("tournament  cup\n")
    assert "sixtysix tournament start cup" in told
    out, _ = run("tournament", "start", "cup")
    assert out == "cup finished: 6 of 6 games over, waiting for ada\n"
    _, told = run("tournament", "stop", "cup", code=1)
    assert told == "sixtysix: the tournament 'cup' is created: it cannot be stopped\n"


def test_threat_2_a_folders_admin_token_is_for_its_own_arena_alone(
    run: Run, served: FakeHost, filled: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = filled.address()
    start_there = ("tournament", "start", "cup", "--arena", address)
    run(*start_there)
    filled.write_address("127.0.0.1:1")
    _, told = run(*start_there, code=1)
    assert told.startswith("sixtysix: this call needs the admin token")
    monkeypatch.setenv("SIXTYSIX_ADMIN_TOKEN", ADMIN_TOKEN)
    run(*start_there)
    monkeypatch.setenv("SIXTYSIX_ADMIN_TOKEN", "another")
    _, told = run(*start_there, code=1)
    assert "the admin token is wrong" in told


def test_a_file_that_is_wrong_is_never_sent(run: Run, served: FakeHost, place: Path) -> None:
    (place / "cup.toml").write_text(FILE.replace("classic", "clasic"))
    _, told = run("tournament", "create", "cup.toml", code=2)
    assert told == (
        "sixtysix: cup.toml:3: there are no rules 'clasic': expected classic, doubling,"
        " played-out, last-trick; did you mean 'classic'?\n"
    )
    _, told = run("tournament", "create", "none.toml", code=2)
    assert "none.toml cannot be read: No such file or directory" in told
    (place / "cup.toml").write_text(FILE.replace("bob", "house:gredy"))
    _, told = run("tournament", "create", "cup.toml", code=2)
    assert told.startswith("sixtysix: cup.toml:5: there is no house bot 'house:gredy': expected")
    assert served.asked == []


def test_an_arena_that_was_killed_leaves_its_address_behind(run: Run, filled: DataFolder) -> None:
    filled.write_address("127.0.0.1:1")
    filled.write_admin_token("x")
    with subprocess.Popen(["true"]) as process:
        process.wait()
    (filled.path / "lock").write_text(f"{process.pid} {socket.gethostname()}\n")
    _, told = run("tournament", "start", "cup", code=6)
    assert "has ended without saying so: start one with 'sixtysix serve --data" in told
    assert run("tournament", "status", "cup")[0].startswith("tournament  cup\n")


def test_a_tournament_that_no_arena_plays_is_not_watched_for_ever(
    run: Run, filled: DataFolder
) -> None:
    with filled.lock() as lock, filled.open_store(lock) as store:
        create(store, slug="open")
        create(store, slug="next")
        start(store, "open")
    out, told = run("tournament", "watch", "open", code=6)
    assert out == "open running: 0 of 6 games over\n"
    assert told == (
        "sixtysix: no arena runs on sixtysix-data, so open stands still: go on with 'sixtysix serve"
        " --data sixtysix-data', or 'sixtysix run FILE --data sixtysix-data'\n"
    )
    assert json.loads(run("tournament", "watch", "open", "--json", code=6)[0])["slug"] == "open"
    out, told = run("tournament", "watch", "next")
    assert out == "next created: it was not started yet\n"
    assert told == "To start it: sixtysix tournament start next\n"
    idle = "arena       none runs on sixtysix-data"
    for slug in ("open", "next"):
        assert idle in run("tournament", "status", slug)[0].splitlines()
    assert idle not in run("tournament", "status", "cup")[0].splitlines()


def test_status_of_a_running_arena_says_nothing_of_it(run: Run, served: FakeHost) -> None:
    assert "none runs" not in run("tournament", "status", "cup")[0]


def test_no_arena_answers(run: Run, filled: DataFolder, place: Path) -> None:
    _, told = run("tournament", "start", "cup", code=6)
    assert "no arena runs on" in told
    filled.write_address("127.0.0.1:1")
    filled.write_admin_token("x")
    for argv in (
        ("tournament", "start", "cup"),
        ("leaderboard", "cup", "--arena", "127.0.0.1:1"),
        ("bot", "submit", "ada", "--arena", "127.0.0.1:1"),
    ):
        _, told = run(*argv, code=6)
        assert told == (
            "sixtysix: no arena answers at 127.0.0.1:1: start one with 'sixtysix serve', or name a"
            " data folder with --data DIR\n"
        )


@pytest.fixture
def mute(filled: DataFolder) -> Iterator[DataFolder]:
    """The same folder, held by an arena that does not answer."""
    with socket.socket() as unused, filled.lock() as lock, filled.open_store(lock) as store:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        create(store, slug="open")
        start(store, "open")
        filled.write_address(f"127.0.0.1:{port}")
        filled.write_admin_token("x")
        yield filled


def test_an_arena_that_does_not_answer_is_told_with_its_process(run: Run, mute: DataFolder) -> None:
    told = (
        f"sixtysix: process {os.getpid()} on {socket.gethostname()} has sixtysix-data and does not"
        " answer: if it does not end just now, see 'sixtysix doctor --data sixtysix-data'\n"
    )
    for argv in (
        ("tournament", "status", "open"),
        ("tournament", "watch", "open"),
        ("tournament", "stop", "open"),
        ("bot", "submit", "eve"),
    ):
        assert run(*argv, code=6)[1] == told


def test_an_arena_whose_address_was_removed_is_told_with_its_process(
    run: Run, mute: DataFolder
) -> None:
    mute.remove_address()
    holder = f"process {os.getpid()} on {socket.gethostname()} has"
    doctor = "see 'sixtysix doctor --data sixtysix-data'"
    for argv in (("tournament", "stop", "open"), ("tournament", "watch", "open")):
        told = run(*argv, code=6)[1]
        assert told.startswith(f"sixtysix: {holder}")
        assert doctor in told
    shown = run("tournament", "status", "open")[0]
    assert f"arena       {holder} sixtysix-data and does not answer: " in shown


def test_the_command_for_joining_names_where_the_arena_is(
    run: Run, served: FakeHost, filled: DataFolder, place: Path
) -> None:
    assert " --arena" not in run("bot", "submit", "dee")[1], "join looks into that folder itself"
    filled.path.rename(place / "cup")
    told = run("bot", "submit", "dee", "--data", "cup")[1]
    address = DataFolder(place / "cup").address()
    assert f"sixtysix join BOT.py --name dee --arena {address}\n" in told
    assert told.endswith("name the arena's address there: --arena HOST:PORT\n")
    assert "--arena" not in run("bot", "submit", "dee", "--data", "night")[1], "none runs there"
