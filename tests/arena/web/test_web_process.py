"""The pages' own process: it serves, it ends with its arena, and it comes back."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.commands import wait_for
from support.source_tree import ROOT

from sixtysix_arena.arena import Arena
from sixtysix_arena.cli.options import settings_of
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import Invalid, Unavailable
from sixtysix_arena.web.process import WebProcess


@pytest.fixture
def web(filled: Path) -> Iterator[WebProcess]:
    process = WebProcess(filled, "127.0.0.1:0", ("arena.example",))
    process.start()
    yield process
    process.stop()


def get(address: str, path: str = "/healthz", **headers: str) -> int:
    with closing(http.client.HTTPConnection(address, timeout=60)) as connection:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status


def pid(web: WebProcess) -> int:
    assert web._process is not None
    return web._process.pid


def is_silent(address: str) -> bool:
    try:
        get(address)
    except OSError:
        return True
    return False


def test_it_serves_at_a_free_port_and_stops(web: WebProcess) -> None:
    assert not web.address.endswith(":0")
    assert get(web.address) == 200
    assert get(web.address, "/t/spring") == 200
    assert get(web.address, Host="arena.example") == 200
    assert get(web.address, Host="evil.example") == 421
    number = pid(web)
    web.stop()
    assert is_silent(web.address)
    assert not psutil.pid_exists(number)
    web.stop()


def test_it_waits_for_those_who_play_and_cannot_be_interrupted(web: WebProcess) -> None:
    process = psutil.Process(pid(web))
    assert process.nice() == min(19, psutil.Process().nice() + 10)
    session = Path(f"/proc/{process.pid}/autogroup")
    if session.exists():
        assert session.read_text().endswith(" nice 10\n")
    assert os.getsid(process.pid) == process.pid, "Ctrl-C would reach it"


def test_its_database_cannot_be_written(web: WebProcess, filled: Path) -> None:
    get(web.address, "/t/spring")
    opened = [each for each in psutil.Process(pid(web)).open_files() if "arena.db" in each.path]
    assert opened
    assert {each.mode for each in opened if each.path.endswith("arena.db")} == {"r"}


def test_a_port_that_is_taken_is_told(filled: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        web = WebProcess(filled, address)
        told = rf"{address} cannot be used for the pages: process {os.getpid()} \(.*--web HOST:PORT"
        with pytest.raises(Unavailable, match=told):
            web.start()
        web.restart_if_dead()
        assert web.address == address


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        WebProcess(tmp_path / "nothing", "127.0.0.1:0").start()


def test_it_is_started_again_at_the_same_place(web: WebProcess) -> None:
    before, address = pid(web), web.address
    web.restart_if_dead()
    assert pid(web) == before
    os.kill(before, signal.SIGKILL)
    assert web._process is not None
    web._process.wait(60)
    web.restart_if_dead()
    assert pid(web) != before
    assert web.address == address
    assert get(address) == 200


def test_it_ends_with_its_arena_however_that_died(filled: Path) -> None:
    program = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from sixtysix_arena.web.process import WebProcess\n"
        "web = WebProcess(Path(sys.argv[1]), '127.0.0.1:0')\n"
        "web.start()\n"
        "os.write(1, f'{web._process.pid} {web.address}\\n'.encode())\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(filled)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as arena:
        assert arena.stdout is not None
        number, address = arena.stdout.readline().split()
        assert get(address) == 200
        arena.kill()
    wait_for(lambda: not psutil.pid_exists(int(number)), "the end of the pages")
    assert is_silent(address)


async def started(data: Path, **settings: Any) -> tuple[str, int]:
    """The address of an arena's pages, and what they answer; empty and 0 without pages."""
    arena = Arena(ArenaSettings(data=data, grpc="127.0.0.1:0", **settings))
    await arena.start()
    try:
        address = arena.web_address
        return address, await asyncio.to_thread(get, address) if address else 0
    finally:
        await arena.stop()


def test_an_arena_starts_its_pages_and_stops_them(tmp_path: Path) -> None:
    address, status = asyncio.run(started(tmp_path / "data", web="127.0.0.1:0"))
    assert status == 200
    assert is_silent(address)


def test_an_arena_goes_on_without_pages_unless_they_were_asked_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        web = f"127.0.0.1:{taken.getsockname()[1]}"
        told = asyncio.run(started(tmp_path / "data", web=web, web_is_wished=False))
        assert told == ("", 0)
        with pytest.raises(Unavailable, match="cannot be used for the pages"):
            asyncio.run(started(tmp_path / "data", web=web))


# What is said of them on the command line and in the environment.


def settings(monkeypatch: pytest.MonkeyPatch, **said: Any) -> ArenaSettings:
    for name in ("WEB", "WEB_HOST"):
        monkeypatch.delenv(f"SIXTYSIX_{name}", raising=False)
    for name in [each for each in said if each.isupper()]:
        monkeypatch.setenv(f"SIXTYSIX_{name}", said.pop(name))
    place = said.pop("default", "127.0.0.1:6680")
    return settings_of({"web": None, "web_host": (), **said}, web=place)


def test_where_pages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = settings(monkeypatch)
    assert (quiet.web, quiet.web_is_wished) == ("127.0.0.1:6680", False)
    assert settings(monkeypatch, default=None).web is None
    said = settings(monkeypatch, web="0.0.0.0:80")
    assert (said.web, said.web_is_wished) == ("0.0.0.0:80", True)
    assert settings(monkeypatch, web="off").web is None
    assert settings(monkeypatch, WEB="off").web is None
    assert settings(monkeypatch, WEB="").web is None
    assert settings(monkeypatch, WEB="127.0.0.1:1").web == "127.0.0.1:1"
    assert settings(monkeypatch, WEB="127.0.0.1:1", web="127.0.0.1:2").web == "127.0.0.1:2"
    assert settings(monkeypatch, WEB="127.0.0.1:1", web="off").web is None


def test_names_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings(monkeypatch).web_host == ()
    assert settings(monkeypatch, web_host=("Cup.Example", "b")).web_host == ("cup.example", "b")
    assert settings(monkeypatch, WEB_HOST="A.example  b").web_host == ("a.example", "b")


@pytest.mark.parametrize("web", ["6680", "localhost", ":6680", "127.0.0.1:", "x:y"])
def test_a_place_that_is_none(monkeypatch: pytest.MonkeyPatch, web: str) -> None:
    with pytest.raises(Invalid, match=r"--web \(SIXTYSIX_WEB\) cannot be"):
        settings(monkeypatch, web=web)


@pytest.mark.parametrize("name", ["http://x", "x:80", "a b", "*", "-x", "x.", "\u0436", ""])
def test_a_name_that_is_none(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(Invalid, match=r"--web-host \(SIXTYSIX_WEB_HOST\) cannot be"):
        settings(monkeypatch, web_host=(name,))
