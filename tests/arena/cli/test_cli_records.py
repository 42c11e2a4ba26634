"""`sixtysix tournament export` and `sixtysix verify`: what is printed, and the exit codes."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.command_line import Run, enter
from support.forgeries import CUP, GAMES, LINES
from support.records import header, lines_of, play_games, tampered
from support.serving import FakeHost, serving
from support.stored import create, start

from sixtysix.cli.text import verdict_text
from sixtysix.client.channels import ADDRESS_VARIABLE
from sixtysix.clock import Clock
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix.verify import verify
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder

Capture = pytest.CaptureFixture[str]

RIGHT = "cup is right: 12 of 12 games, "


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record in it, plain and packed, and no settings from outside."""
    enter(tmp_path, monkeypatch)
    data = "".join(LINES).encode()
    Path("cup.jsonl").write_bytes(data)
    Path("cup.jsonl.gz").write_bytes(gzip.compress(data))
    return tmp_path


@pytest.fixture
def stored(place: Path) -> Iterator[StoredArena]:
    """A data folder `data` with a tournament that has begun."""
    folder = DataFolder.open(place / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        create(store, rules=RULESETS["classic"], clock=Clock())
        start(store)
    with folder.open_reader() as reader:
        yield StoredArena(reader)


# What is right


@pytest.mark.parametrize("name", ["cup.jsonl", "cup.jsonl.gz", "./cup.jsonl"])
def test_a_record_that_is_right(run: Run, name: str) -> None:
    out, err = run("verify", name)
    first, digest = out.splitlines()
    deals = sum(len(game.deals) for game in GAMES)
    moves = sum(len(deal.moves) for game in GAMES for deal in game.deals)
    assert first == f"{RIGHT}{deals} deals, {moves} moves, and the board of 3 of 3 rounds"
    assert digest == f"digest {json.loads(LINES[-1])['sha256']}"
    assert err == ""


@pytest.mark.parametrize("packed", [False, True])
def test_a_record_on_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    data = "".join(LINES).encode()
    raw = io.BytesIO(gzip.compress(data) if packed else data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(raw)))
    assert run("verify", "-")[0].startswith(RIGHT)


def test_what_is_unchecked_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixtysix.verify.rating.ENTRY_POINTS", "sixtysix.nobody")
    cup = header(games_per_pairing=4, state=TournamentState.RUNNING, seed=None)
    Path("running.jsonl").write_text("".join(lines_of(cup, play_games(cup)[:5])), "utf-8")
    out, _ = run("verify", "running.jsonl")
    first, packs, ratings, _digest = out.splitlines()
    assert first.startswith("cup is right: 5 of 12 games, ")
    assert first.endswith("and the board of 1 of 3 rounds")
    assert packs == "packs unchecked, seed still secret"
    assert ratings == "ratings unchecked, the arena is not installed"


def test_as_json(run: Run) -> None:
    told = json.loads(run("verify", "cup.jsonl", "--json")[0])
    assert told == {
        "ok": True,
        "slug": "cup",
        "state": "finished",
        "practice": False,
        "games_total": 12,
        "games": 12,
        "deals": sum(len(game.deals) for game in GAMES),
        "moves": sum(len(deal.moves) for game in GAMES for deal in game.deals),
        "rounds": 3,
        "digest": json.loads(LINES[-1])["sha256"],
        "unchecked": [],
        "difference": None,
    }


# What is not


def test_a_difference_is_told_with_its_place_and_exit_code_1(run: Run) -> None:
    Path("cup.jsonl").write_text("".join(LINES).replace('"AS","', '"AS", "', 1), "utf-8")
    out, err = run("verify", "cup.jsonl", code=1)
    first, second = out.splitlines()
    assert first.startswith("cup is not right: line 2: digest: expected ")
    assert second == "right up to there: 0 of 12 games, 0 deals, 0 moves"
    assert err == ""


def test_a_difference_as_json(run: Run) -> None:
    lines = tampered(LINES, lambda contents: contents[1]["deals"][1].update(dealer=5))
    Path("cup.jsonl").write_text("".join(lines), "utf-8")
    told = json.loads(run("verify", "cup.jsonl", "--json", code=1)[0])
    assert not told["ok"]
    assert told["difference"] == {
        "what": "deals[1].dealer",
        "expected": "a whole number from 0 to 1",
        "found": "5",
        "line": 2,
        "game": None,
        "deal": None,
        "ply": None,
        "text": "line 2: deals[1].dealer: expected a whole number from 0 to 1, found 5",
    }
    Path("cup.jsonl").write_text("nothing of the kind\n", "utf-8")
    told = json.loads(run("verify", "cup.jsonl", "--json", code=1)[0])
    assert (told["slug"], told["difference"]["line"]) == (None, 1)


def test_a_text_of_a_stranger_does_no_harm() -> None:
    lines = tampered(LINES, lambda contents: contents[1].update(round="\x1b[31m\u2028"))
    text = verdict_text(verify(lines))
    assert text.isprintable() or "\x1b" not in text
    assert len(text.splitlines()) == 2


def test_a_file_that_cannot_be_unpacked(run: Run) -> None:
    path = Path("cup.jsonl.gz")
    path.write_bytes(path.read_bytes()[:-20])
    _, err = run("verify", "cup.jsonl.gz", code=1)
    assert err.startswith("sixtysix: cup.jsonl.gz is damaged: it cannot be unpacked: ")


# What is not found, and what makes no sense


@pytest.mark.parametrize("name", ["nix.jsonl", "no/where", "Cup", "x" * 5_000])
def test_no_such_file(run: Run, name: str) -> None:
    out, err = run("verify", name, code=2)
    assert out == ""
    assert err.startswith("sixtysix: there is no file ")


def test_a_folder_where_a_record_was_expected(
    run: Run, stored: StoredArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("./data", "Data"):
        Path(folder).mkdir(exist_ok=True)
    _, err = run("verify", "Data", code=2)
    assert err == (
        "sixtysix: Data is a folder, where the file of a record was expected (a tournament in a"
        " data folder is verified with 'sixtysix verify SLUG --data Data')\n"
    )
    run("verify", "./data", code=2)
    monkeypatch.setenv("SIXTYSIX_DATA", "data")
    _, err = run("verify", "data", code=3)
    assert err.startswith(
        "sixtysix: data is a folder, where the file of a record was expected (a tournament in a"
        " data folder is verified with 'sixtysix verify SLUG --data data'), and there is no"
        " tournament 'data'"
    )
    Path("cup").mkdir()  # A tournament may be called like a folder.
    run("verify", "cup")


def test_no_such_file_and_no_arena_to_ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ADDRESS_VARIABLE, "127.0.0.1:1")
    _, err = run("verify", "nix", code=6)
    assert err.startswith(
        "sixtysix: there is no file nix here, and no arena answers at 127.0.0.1:1: "
    )


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "it is empty"),
        (b"nothing of the kind\n", r"line 1 is nothing of the kind\n"),
        (b"{}\n", r"line 1 is {}\n"),
        (b"\x7fELF\x02\0", "line 1 is no text"),
    ],
)
def test_a_file_that_is_no_record(run: Run, content: bytes, found: str) -> None:
    Path("other").write_bytes(content)
    out, err = run("verify", "other", code=1)
    assert out == (
        "this is no record: expected what 'sixtysix tournament export' writes, lines of JSON that"
        f" end with a digest each; {found}\n"
    )
    assert err == ""


def test_no_such_tournament(run: Run, stored: StoredArena, monkeypatch: pytest.MonkeyPatch) -> None:
    _, err = run("verify", "nix", "--data", "data", code=3)
    assert err.startswith("sixtysix: there is no tournament 'nix'")
    monkeypatch.setenv("SIXTYSIX_DATA", "data")
    _, err = run("verify", "nix", code=3)
    assert err.startswith("sixtysix: there is no file nix here, and there is no tournament 'nix'")
    _, err = run("tournament", "export", "nix", "--data", "data", "-o", "new.jsonl", code=3)
    assert err.startswith("sixtysix: there is no tournament 'nix'")
    assert not Path("new.jsonl").exists()


def test_usage(run: Run) -> None:
    _, err = run("verify", code=2)
    assert "FILE|SLUG" in err
    _, err = run("verify", "-", "--data", "data", code=2)
    assert "standard input is in no arena" in err


# From an arena


def test_an_export_is_verified(run: Run, stored: StoredArena) -> None:
    out, err = run("tournament", "export", "cup", "--data", "data")
    assert out == "".join(stored.export("cup"))
    assert err == ""
    for name in ("new.jsonl", "new.jsonl.gz"):
        out, err = run("tournament", "export", "cup", "--data", "data", "-o", name)
        assert out == ""
        assert err == f"To check it: sixtysix verify {name}\n"
        assert run("verify", name)[0].startswith("cup is right: 0 of 6 games, ")
    packed = Path("new.jsonl.gz").read_bytes()
    assert gzip.decompress(packed) == Path("new.jsonl").read_bytes()


def test_a_tournament_is_verified_where_it_is(run: Run, stored: StoredArena) -> None:
    expected, _ = run("verify", "cup", "--data", "data")
    assert expected.startswith("cup is right: 0 of 6 games, 0 deals, 0 moves")
    with serving(FakeHost(stored)) as address:
        assert run("verify", "cup", "--arena", address) == (expected, "")
        exported, _ = run("tournament", "export", "cup", "--arena", address)
    assert exported == "".join(stored.export("cup"))


def test_bytes_that_are_no_text_are_not_shown(run: Run) -> None:
    for content in (b"\0" * 300, b"\xff\xfe" * 100 + b"\n", b"\x7fELF\x02\0"):
        Path("other").write_bytes(content)
        assert run("verify", "other", code=1)[0].endswith("; line 1 is no text\n")
    Path("other").write_bytes(b"name = 'cup'")
    assert run("verify", "other", code=1)[0].endswith("; line 1 is name = 'cup'\n")


def test_a_backup_is_no_record(run: Run, stored: StoredArena) -> None:
    run("backup", "cup.db", "--data", "data")
    assert run("verify", "cup.db", code=2) == (
        "",
        "sixtysix: cup.db is a database, such as a backup, and no record: 'sixtysix restore cup.db"
        " --data DIR' verifies what is in it\n",
    )


def test_a_folder_of_the_same_name_is_no_record(run: Run, stored: StoredArena) -> None:
    Path("cup").mkdir()
    assert run("verify", "cup", "--data", "data")[0].startswith("cup is right")


def test_a_file_of_the_name_of_a_tournament_comes_first(run: Run, stored: StoredArena) -> None:
    Path("cup").write_text("".join(LINES), "utf-8")
    assert run("verify", "cup")[0].startswith("cup is right: 12 of 12 games")
    assert run("verify", "cup", "--data", "data")[0].startswith("cup is right: 0 of 6 games")


def test_verdict_with_one_of_each() -> None:
    verdict = verify(LINES)
    one = replace(verdict, game_count=1, deal_count=1, move_count=1, round_count=1)
    assert verdict_text(one).startswith("cup is right: 1 of 12 games, 1 deal, 1 move, and the")
    assert verdict.tournament == CUP


def test_an_export_takes_the_place_of_nothing(run: Run, stored: StoredArena, place: Path) -> None:
    os.mkfifo(place / "pipe")
    (place / "key.pem").write_text("secret")
    (place / "link").symlink_to("nowhere")
    for name in ("pipe", "key.pem", "link"):
        _, err = run("tournament", "export", "cup", "--data", "data", "-o", name, code=2)
        assert err == (
            f"sixtysix: there is a {name} already, and nothing is overwritten: move it away, or"
            " name another file\n"
        )
    assert (place / "pipe").is_fifo()
    assert (place / "key.pem").read_text() == "secret"
    assert (place / "link").is_symlink()


def test_an_export_to_a_dash_is_printed(run: Run, stored: StoredArena, place: Path) -> None:
    out, _ = run("tournament", "export", "cup", "--data", "data", "-o", "-")
    assert out == "".join(stored.export("cup"))
    assert not (place / "-").exists()
