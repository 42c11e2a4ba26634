"""`run`, `serve` and `demo`: what they refuse, how they are stopped, what they print."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.authorities import Authority
from support.command_line import enter
from support.commands import Workplace, wait_for

from sixtysix.cli import main
from sixtysix_arena import house
from sixtysix_arena.store import DataFolder

Capture = pytest.CaptureFixture[str]

FILE = """\
name = "Spring cup"
slug = "cup"
rules = "classic"
games_per_pairing = 2
entrants = ["ada", "house:random"]
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    enter(tmp_path, monkeypatch)
    (tmp_path / "cup.toml").write_text(FILE)
    return tmp_path


def error(capsys: Capture, *argv: str, code: int) -> str:
    """Runs what has to fail; its one line."""
    assert main(argv) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("sixtysix: ")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize("command", [("serve",), ("run", "cup.toml")])
def test_threat_38_other_machines_are_not_served_without_tls(
    command: tuple[str, ...], capsys: Capture, place: Path
) -> None:
    told = error(capsys, *command, "--grpc", "0.0.0.0:6650", code=2)
    assert "cannot be '0.0.0.0:6650' without TLS" in told
    files = Authority(place).sign()
    chain = ("--tls-cert", str(files["tls_cert"]))
    assert "--tls-key (SIXTYSIX_TLS_KEY) is missing" in error(capsys, *command, *chain, code=2)
    told = error(capsys, *command, *chain, "--tls-key", "none.key", code=2)
    assert told == "sixtysix: the key none.key cannot be read: No such file or directory\n"
    both = (*chain, "--tls-key", str(files["tls_key"]))
    assert "not both" in error(capsys, *command, *both, "--insecure", code=2)
    assert not (place / "sixtysix-data").exists()


def test_a_log_that_cannot_be_written(capsys: Capture, place: Path) -> None:
    told = error(capsys, "serve", "--grpc", "127.0.0.1:0", "--log", "none/arena.log", code=2)
    assert told == (
        "sixtysix: the log none/arena.log cannot be written: No such file or directory\n"
    )


@pytest.mark.parametrize("name", ["arena.db", "arena.db-wal", "lock", "address", "admin-token"])
def test_a_log_is_no_file_of_the_arenas_own(capsys: Capture, place: Path, name: str) -> None:
    folder = DataFolder.open(place / "sixtysix-data", create=True)
    with folder.lock() as lock:
        folder.open_store(lock).close()
    before = folder.database.read_bytes()
    (place / "link").symlink_to("sixtysix-data")
    log = f"link/{name}"
    for argv in (("serve",), ("run", "cup.toml")):
        told = error(capsys, *argv, "--grpc", "127.0.0.1:0", "--log", log, code=2)
        assert told == (
            f"sixtysix: {log} is a file of the arena's own: name another one for the log\n"
        )
    assert folder.database.read_bytes() == before


def test_metrics_for_other_machines_and_on_a_busy_port(capsys: Capture) -> None:
    told = error(capsys, "serve", "--metrics", "0.0.0.0:0", code=2)
    assert "--metrics (SIXTYSIX_METRICS) cannot be '0.0.0.0:0'" in told
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        told = error(capsys, "serve", "--grpc", "127.0.0.1:0", "--metrics", address, code=1)
        assert f"the address {address} cannot be used for metrics: process {os.getpid()} (" in told


def test_a_file_that_is_wrong_makes_no_folder(capsys: Capture, place: Path) -> None:
    (place / "cup.toml").write_text(FILE.replace("house:random", "house:randon"))
    told = error(capsys, "run", "cup.toml", code=2)
    assert "cup.toml:5: there is no house bot 'house:randon'" in told
    assert "did you mean 'house:random'?" in told
    assert "cannot be read" in error(capsys, "run", "none.toml", code=2)
    assert not (place / "sixtysix-data").exists()


def test_an_entrant_that_was_never_submitted(capsys: Capture) -> None:
    told = error(capsys, "run", "cup.toml", "--data", "d", "--grpc", "127.0.0.1:0", code=3)
    assert told == (
        "sixtysix: the entrant 'ada' was never submitted here: do that with 'sixtysix bot submit'"
        " and the same --data or --arena, or take it out of the entrants\n"
    )


def test_grpc_adds_nothing_to_what_is_told(work: Workplace) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        assert f":{port} cannot be used" in work.error(
            "serve", "--grpc", f"127.0.0.1:{port}", code=1
        )


@pytest.mark.parametrize("flag", ["--grpc", "--metrics", "--web"])
def test_a_port_that_is_taken_makes_no_folder(capsys: Capture, place: Path, flag: str) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        free = () if flag == "--grpc" else ("--grpc", "127.0.0.1:0")
        error(capsys, "serve", *free, flag, address, code=1)
        assert not (place / "sixtysix-data").exists()
        (place / "sixtysix-data").mkdir()  # What was there stays.
        error(capsys, "serve", *free, flag, address, code=1)
        assert (place / "sixtysix-data" / "arena.db").exists()


def test_house_bots_have_no_log_of_grpc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRPC_VERBOSITY", raising=False)
    monkeypatch.setenv("SIXTYSIX_TOKEN", "secret")
    environment = house._environment()
    assert environment["GRPC_VERBOSITY"] == "NONE"
    assert "SIXTYSIX_TOKEN" not in environment


def test_a_folder_that_another_arena_holds(capsys: Capture, place: Path) -> None:
    folder = DataFolder.open(place / "sixtysix-data", create=True)
    with folder.lock():
        for argv in (("serve",), ("run", "cup.toml")):
            told = error(capsys, *argv, "--grpc", "127.0.0.1:0", code=1)
            assert f"is in use by process {os.getpid()}" in told


def test_a_demo_takes_nothing_away_that_is_no_demo(capsys: Capture, place: Path) -> None:
    kept = place / "sixtysix-demo" / "thesis.tex"
    kept.parent.mkdir()
    kept.write_text("years of work")
    assert "holds something else than a demo" in error(capsys, "demo", code=1)
    assert kept.read_text() == "years of work"


def test_a_demo_does_not_disturb_another(capsys: Capture, place: Path) -> None:
    folder = DataFolder.open(place / "sixtysix-demo", create=True)
    with folder.lock() as lock:
        folder.open_store(lock).close()
        assert "is in use by process" in error(capsys, "demo", code=1)
    assert folder.database.exists()


def test_a_demo_has_an_even_number_of_games(capsys: Capture) -> None:
    assert "expected an even number" in error(capsys, "demo", "--games", "3", code=2)


# With processes


@pytest.fixture
def work(place: Path) -> Workplace:
    return Workplace(place)


@pytest.fixture
def serving(work: Workplace) -> Iterator[subprocess.Popen[str]]:
    with work.running(*work.command("serve", "--grpc", "127.0.0.1:0")) as process:
        wait_for(lambda: (work.folder / "sixtysix-data" / "address").exists(), "the arena")
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_fault_row_43_serve_ends_when_it_is_asked_to(
    serving: subprocess.Popen[str], number: signal.Signals
) -> None:
    serving.send_signal(number)
    out, told = serving.communicate(timeout=30)
    assert (serving.returncode, out) == (0, "")
    lines = [json.loads(line) for line in told.splitlines()]
    assert [line["message"] for line in lines] == [
        "the arena serves",
        "the data folder is new",
        "the arena has stopped",
    ]
    assert lines[0]["address"].startswith("127.0.0.1:")
    assert lines[1]["data"] == "sixtysix-data"


@pytest.mark.slow
def test_with_a_log_of_its_own_serve_tells_people_where_it_is(work: Workplace) -> None:
    command = work.command("serve", "--grpc", "127.0.0.1:0", "--log", "arena.log")
    with work.running(*command) as process:
        wait_for(lambda: (work.folder / "sixtysix-data" / "address").exists(), "the arena")
        process.send_signal(signal.SIGTERM)
        out, told = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert told.startswith("The data folder sixtysix-data is new.\nThe arena serves at 127.0.0.1:")
    assert told.endswith("what was running goes on when it is started again.\n")
    log = (work.folder / "arena.log").read_text().splitlines()
    assert json.loads(log[-1])["message"] == "the arena has stopped"


@pytest.mark.slow
def test_one_session_with_an_arena_that_stays(
    serving: subprocess.Popen[str], work: Workplace
) -> None:
    assert len(work.run("bot", "submit", "ada").strip()) == 43
    assert "there is no tournament" in work.error("tournament", "start", "cup", code=3)
    info = work.json("tournament", "create", "cup.toml")
    assert (info["slug"], info["state"], len(info["commitment"])) == ("cup", "created", 64)
    assert "already" in work.error("tournament", "create", "cup.toml", code=2)
    assert work.json("tournament", "start", "cup")["state"] == "running"
    wait_for(lambda: "ada" in work.json("tournament", "status", "cup")["waiting_for"], "waiting")
    assert work.json("tournament", "stop", "cup")["state"] == "stopped"
    assert work.json("tournament", "start", "cup")["state"] == "running"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_watching_ends_with_the_arena(
    serving: subprocess.Popen[str], work: Workplace, number: signal.Signals
) -> None:
    work.run("bot", "submit", "ada")
    work.run("tournament", "create", "cup.toml")
    work.run("tournament", "start", "cup")
    address = (work.folder / "sixtysix-data" / "address").read_text().strip()
    watch = work.command("tournament", "watch", "cup", "--json")
    with work.running(*watch) as by_folder, work.running(*watch, "--arena", address) as by_address:
        for watching in (by_folder, by_address):
            assert watching.stdout is not None
            assert '"running"' in watching.stdout.readline()
        serving.send_signal(number)
        for watching in (by_folder, by_address):
            _, told = watching.communicate(timeout=30)
            assert watching.returncode == 6
            # Until it has ended it has the folder.
            assert "and does not answer: if it does not end just now" in told or told.startswith(
                f"sixtysix: no arena answers at {address}: start one with"
            )
            assert told.count("\n") == 1


@pytest.mark.slow
def test_run_that_is_interrupted_says_how_to_go_on(work: Workplace, place: Path) -> None:
    work.run("bot", "submit", "ada", "--data", "my data")
    command = work.command("run", "cup.toml", "--data", "my data", "--grpc", "127.0.0.1:0")
    with work.running(*command) as process:
        wait_for(
            lambda: (
                (place / "my data" / "address").exists()
                and [each["state"] for each in work.json("tournament", "list", "--data", "my data")]
                == ["running"]
            ),
            "the tournament",
        )
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert told.splitlines()[-2:] == [
        "All that was played is kept. To go on:",
        "  sixtysix run cup.toml --data 'my data' --grpc 127.0.0.1:0",
    ]
    info = work.json("tournament", "status", "cup", "--data", "my data")
    assert info["state"] == "running"


def test_the_second_signal_does_not_wait() -> None:
    code = """
import asyncio, os, signal
from sixtysix_arena.cli.running import run

async def work(stop):
    os.kill(os.getpid(), signal.SIGINT)
    await stop.wait()
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(60)

run(work)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=30, check=False).returncode == 130


def test_an_arena_may_have_as_many_files_as_its_user() -> None:
    code = """
import resource
from sixtysix_arena.cli.running import run

_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard // 2, hard))

async def work(stop):
    return resource.getrlimit(resource.RLIMIT_NOFILE)

assert run(work) == (hard, hard)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=30, check=False).returncode == 0


@pytest.mark.slow
def test_demo(work: Workplace) -> None:
    for _ in range(2):
        board = work.run("demo", "--games", "2", "--rules", "last-trick")
        assert board.startswith("demo (last-trick): final\n")
        assert "house:greedy" in board
    log = work.run("log", "demo.1", "--deal", "0", "--data", "sixtysix-demo")
    assert log.startswith("Game demo.1, deal 0: ")
