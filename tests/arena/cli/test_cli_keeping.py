"""`sixtysix backup`, `restore`, `prune` and `doctor`: outputs, questions and exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Run, enter
from support.commands import Workplace, wait_for
from support.forgeries import LINES
from support.records import header, lines_of, play_games
from support.stored import NOW, create, start

from sixtysix.clock import Clock
from sixtysix.record import open_record, save_record
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.cli.keeping import listed, size_text
from sixtysix_arena.store import REVISION, DataFolder

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record in it, and no settings from outside."""
    enter(tmp_path, monkeypatch)
    save_record(LINES, Path("cup.jsonl.gz"))
    return tmp_path


def running_cup(path: Path) -> None:
    """A folder with a bot and a tournament that is not over."""
    folder = DataFolder.open(path, create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)
        create(store, rules=RULESETS["classic"], clock=Clock())
        start(store)


def record_of(slug: str, **changes: Any) -> Path:
    cup = header(slug=slug, **changes)
    path = Path(f"{slug}.jsonl.gz")
    if cup.seed:
        games = play_games(cup)
    else:
        games = play_games(cup, dict.fromkeys(range(1, 7), "no-show"))[:2]
    save_record(lines_of(cup, games), path)
    return path


# backup


def test_a_backup_says_what_is_in_it_what_is_secret_and_how_to_restore_it(run: Run) -> None:
    running_cup(Path("data"))
    out, err = run("backup", "cup.db", "--data", "data")
    assert re.sub(r"size +[\d.]+ kB", "size    N kB", out) == (
        "backup  cup.db\n"
        "size    N kB\n"
        f"schema  {REVISION}\n"
        "bots    1\n"
        "\n"
        "tournament  state    games over  games  deals\n"
        "cup         running           0      6      0\n"
    )
    first, second = err.splitlines()
    assert first == (
        "It holds the digests of tokens and the secret seeds of cup: keep it as safe as data."
        " To restore it:"
    )
    assert second.endswith("sixtysix restore cup.db --data DIR")


def test_a_backup_gets_a_name_with_the_time_in_it(run: Run, place: Path) -> None:
    running_cup(Path("sixtysix-data"))
    run("backup")
    (here,) = place.glob("*.db")
    assert re.fullmatch(r"sixtysix-data-\d{8}T\d{6}Z\.db", here.name)
    Path("backups").mkdir()
    told = json.loads(run("backup", "backups", "--json")[0])
    assert [str(path) for path in Path("backups").iterdir()] == [told["file"]]
    assert told["tournaments"] == [
        {
            "slug": "cup",
            "state": "running",
            "games": 6,
            "games_over": 0,
            "deals": 0,
            "seed_lost": False,
        }
    ]


def test_a_backup_of_what_the_environment_names(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    running_cup(Path("elsewhere"))
    monkeypatch.setenv("SIXTYSIX_DATA", "elsewhere")
    run("backup", "cup.db")
    assert Path("cup.db").exists()


def test_no_backup(run: Run) -> None:
    assert "no arena's data" in run("backup", "cup.db", "--data", "nowhere", code=3)[1]
    running_cup(Path("data"))
    Path("cup.db").write_text("mine")
    assert "backups overwrite nothing" in run("backup", "cup.db", "--data", "data", code=2)[1]


# restore


def test_a_restored_backup_says_what_to_look_out_for(run: Run) -> None:
    running_cup(Path("data"))
    run("backup", "cup.db", "--data", "data")
    out, err = run("restore", "cup.db", "--data", "back")
    assert out.startswith("data folder  back\n")
    assert "cup         running           0      6      0\n" in out
    assert err.splitlines()[:3] == [
        "Bots have the tokens of the backup: replace those that were replaced since.",
        "Not over: cup. What was played after the backup is dealt again, the same cards.",
        "The arena that the backup is of must not go on with it too. To go on here:",
    ]
    assert err.splitlines()[3].endswith("sixtysix serve --data back")


def test_restored_records_say_what_to_look_out_for(run: Run) -> None:
    running = record_of("running", state=TournamentState.RUNNING, seed=None)
    out, err = run("restore", "cup.jsonl.gz", str(running), "--data", "back")
    assert re.search(r"^cup +finished +12 +12 +\d+$", out, re.MULTILINE)
    assert re.search(r"^running +stopped, cut off +2 +6 +\d+$", out, re.MULTILINE)
    first, second, third = err.splitlines()
    assert first == (
        "Cut off: running. The seed of a tournament that is not over is in no record: what was"
        " played is back, and it cannot go on."
    )
    assert second == "Tokens and owners are in no record. To give a bot a new token:"
    assert third.endswith("sixtysix bot token NAME --data back")
    assert (
        "running stopped: 2 of 6 games over"
        in run("tournament", "watch", "running", "--data", "back")[0]
    )
    assert len(run("bot", "token", "ada", "--data", "back")[0].strip()) > 40


def test_a_record_goes_round_in_a_circle(run: Run) -> None:
    run("restore", "cup.jsonl.gz", "--data", "back")
    run("tournament", "export", "cup", "-o", "again.jsonl.gz", "--data", "back")
    assert Path("again.jsonl.gz").read_bytes() == Path("cup.jsonl.gz").read_bytes()
    board = run("leaderboard", "cup", "--json", "--data", "back")[0]
    assert [row["entrant"] for row in json.loads(board)["rows"]] == [
        row["entrant"] for row in json.loads(LINES[-1])["rows"]
    ]


def test_what_restore_does_not_take(run: Run) -> None:
    running_cup(Path("data"))
    run("backup", "cup.db", "--data", "data")
    told = run("restore", "cup.jsonl.gz", "cup.db", "--data", "back", code=2)[1]
    assert "cup.db is a backup: expected it alone" in told
    told = run("restore", "cup.jsonl.gz", "--unverified", "--data", "back", code=2)[1]
    assert "a record is always verified" in told
    assert "there is no file nowhere" in run("restore", "nowhere", "--data", "back", code=2)[1]
    assert "is not empty" in run("restore", "cup.db", "--data", "data", code=2)[1]
    Path("cup.jsonl").write_text("".join(LINES)[:-100], "utf-8")
    told = run("restore", "cup.jsonl", "--data", "back", code=1)[1]
    assert told.startswith(
        "sixtysix: cup.jsonl is not right, so that nothing was restored: line 14"
    )
    Path("bot.py").write_bytes(b"\0")
    told = run("restore", "bot.py", "--data", "back", code=1)[1]
    assert told == (
        "sixtysix: bot.py is no record, so that nothing was restored: expected what 'sixtysix"
        " tournament export' writes, lines of JSON that end with a digest each; line 1 is no text\n"
    )
    Path("bot.py").write_text("")
    told = run("restore", "bot.py", "--data", "back", code=1)[1]
    assert told.endswith("; it is empty\n")
    assert not Path("back").exists()


# prune


@pytest.fixture
def kept(run: Run) -> Path:
    """A folder with two finished tournaments."""
    files = [str(record_of(slug)) for slug in ("spring", "summer")]
    run("restore", *files, "--data", "data")
    for file in files:
        Path(file).unlink()
    return Path("data")


def ask(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    """A terminal, and somebody who answers."""
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: answer)


def slugs(run: Run) -> list[str]:
    listed = json.loads(run("tournament", "list", "--json", "--data", "data")[0])
    return [each["slug"] for each in listed]


def test_a_tournament_is_moved_into_its_record(run: Run, kept: Path) -> None:
    out, err = run("prune", "spring", "--yes", "--data", "data")
    assert out == (
        "tournament  state     rules    over since\nspring      finished  classic  unknown\n"
    )
    assert "spring is in sixtysix-records/spring.jsonl.gz, and no longer here." in err
    assert err.splitlines()[-1].endswith(
        "sixtysix restore sixtysix-records/spring.jsonl.gz --data DIR"
    )
    with open_record(Path("sixtysix-records/spring.jsonl.gz")) as lines:
        assert len(list(lines)) == 8
    assert slugs(run) == ["summer"]


def test_nothing_is_moved_unasked(run: Run, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in ("n", ""):
        ask(monkeypatch, answer)
        told = run("prune", "spring", "--data", "data", code=1)[1]
        assert told.endswith("sixtysix: nothing was changed\n")
    run("prune", "spring", "--dry-run", "--data", "data")
    monkeypatch.setattr("sys.stdin", io.StringIO())  # A script has no terminal.
    told = run("prune", "spring", "--data", "data", code=2)[1]
    assert "this cannot be undone, and no terminal is here to be asked: give --yes" in told
    assert slugs(run) == ["summer", "spring"]
    assert not Path("sixtysix-records").exists()
    ask(monkeypatch, "y")
    run("prune", "spring", "--data", "data", "--records", "kept")
    assert slugs(run) == ["summer"]
    assert Path("kept/spring.jsonl.gz").exists()


def test_prune_as_json(run: Run, kept: Path) -> None:
    told = json.loads(run("prune", "spring", "--dry-run", "--json", "--data", "data")[0])
    assert told == {"found": ["spring"], "pruned": []}
    told = json.loads(run("prune", "spring", "summer", "--yes", "--json", "--data", "data")[0])
    assert [each["slug"] for each in told["pruned"]] == ["spring", "summer"]
    assert told["pruned"][0]["file"] == "sixtysix-records/spring.jsonl.gz"
    assert told["pruned"][0]["games"] == 6
    assert slugs(run) == []


def test_prune_by_age(run: Run, kept: Path) -> None:
    assert (
        "no tournament has been over for so long"
        in (run("prune", "--older-than", "0", "--yes", "--data", "data")[1])
    ), "of what came back from a record nobody knows when it was over"
    running_cup(Path("other"))
    run("prune", "--older-than", "0", "--yes", "--data", "other")
    assert "only one that is over" in run("prune", "cup", "--yes", "--data", "other", code=1)[1]


def test_prune_needs_to_know_what(run: Run, kept: Path) -> None:
    assert "name tournaments, or give" in run("prune", "--data", "data", code=2)[1]
    assert "no tournament 'autumn'" in run("prune", "autumn", "--yes", "--data", "data", code=3)[1]


def test_prune_waits_until_no_arena_runs(run: Run, kept: Path) -> None:
    with DataFolder.open(kept, create=False).lock():
        told = run("prune", "spring", "--yes", "--data", "data", code=1)[1]
    assert f"in use by process {os.getpid()}" in told


# doctor


def test_doctor_says_a_line_for_each_thing(run: Run) -> None:
    running_cup(Path("data"))
    out, err = run("doctor", "--data", "data")
    lines = [re.split(r"  +", line, maxsplit=2) for line in out.splitlines()]
    assert [(state, what) for state, what, _ in lines if state != "ok"] == [
        ("warning", "tournaments")
    ]
    assert lines[-2][2] == (
        "1 running; cup stands still, since no arena runs: sixtysix serve --data data"
    )
    assert err == "Problems: 0. Warnings: 1.\n"


def test_doctor_fails_where_something_does_not_work(run: Run) -> None:
    running_cup(Path("data"))
    Path("data/arena.db").write_bytes(b"")
    out, err = run("doctor", "--data", "data", code=1)
    assert re.search(
        r"^problem  database +.* is empty where a database was expected", out, re.MULTILINE
    )
    assert err == "Problems: 1. Warnings: 0.\n"
    told = json.loads(run("doctor", "--data", "data", "--json", code=1)[0])
    assert told["ok"] is False
    (finding,) = (each for each in told["findings"] if each["what"] == "database")
    assert finding["state"] == "problem"


def test_doctor_looks_at_a_certificate(run: Run) -> None:
    import trustme

    Path("data").mkdir(mode=0o700)
    authority = trustme.CA()
    chain, key = Path("chain.pem"), Path("key.pem")
    leaf = authority.issue_cert("localhost")
    chain.write_bytes(b"".join(blob.bytes() for blob in leaf.cert_chain_pems))
    key.write_bytes(leaf.private_key_pem.bytes())
    out, _ = run("doctor", "--data", "data", "--tls-cert", "chain.pem", "--tls-key", "key.pem")
    assert re.search(
        r"^ok       certificate  chain.pem is valid for \d+ more days$", out, re.MULTILINE
    )
    key.write_text("none")
    out, _ = run(
        "doctor", "--data", "data", "--tls-cert", "chain.pem", "--tls-key", "key.pem", code=1
    )
    assert re.search(r"^problem  settings +there is no private key in key.pem", out, re.MULTILINE)


# Beside an arena


def test_backup_and_doctor_beside_a_running_arena(place: Path) -> None:
    work = Workplace(place)
    serve = work.command("serve", "--data", "data", "--grpc", "127.0.0.1:0")
    with work.running(*serve):
        wait_for(lambda: (place / "data" / "address").exists(), "the arena")
        work.run("bot", "submit", "ada", "--data", "data", "--token-file", "ada.token")
        assert work.json("backup", "arena.db", "--data", "data")["bots"] == 1
        told = work.json("doctor", "--data", "data")
        assert told["ok"], told
        (address,) = (each for each in told["findings"] if each["what"] == "address")
        assert "is serving" in address["text"]
    work.run("restore", "arena.db", "--data", "back")
    assert [bot["name"] for bot in work.json("bot", "list", "--data", "back")] == ["ada"]


# Texts


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (2_500_000, "2.5 MB"),
        (3 * 10**12, "3000.0 GB"),
    ],
)
def test_sizes(count: int, text: str) -> None:
    assert size_text(count) == text


def test_names_in_a_sentence() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"


def test_a_progress_line_is_for_terminals(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = run("restore", "cup.jsonl.gz", "--data", "back")[1]
    assert told.startswith("Verifying cup.jsonl.gz.\nRestoring cup.jsonl.gz.\n")
