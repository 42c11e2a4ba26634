"""The pages' own process, its live streams, and pages without an arena."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import pty
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import Workplace, wait_for
from support.stored import NOW

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import TournamentInfo, TournamentState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder, GameOver
from sixtysix_arena.web import live
from sixtysix_arena.web import process as module
from sixtysix_arena.web.process import WebProcess

STREAMS = 50


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "data"))


@pytest.fixture
def process(data: Path, tmp_path: Path) -> Iterator[WebProcess]:
    pages = WebProcess(data, "127.0.0.1:0", log_file=tmp_path / "log")
    pages.start()
    yield pages
    pages.stop()


def status(pages: WebProcess, path: str) -> int:
    host, _, port = pages.address.partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_process_ends_at_once_whoever_looks(
    process: WebProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, port = process.address.partition(":")
    streams = [socket.create_connection((host, int(port)), 30) for _ in range(STREAMS)]
    for stream in streams:
        stream.sendall(f"GET /t/live/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    for stream in streams:
        assert stream.recv(100).startswith(b"HTTP/1.1 200 OK")
    monkeypatch.setattr(module, "STOP_TIMEOUT_S", 60.0)
    ended = process._process
    assert ended is not None
    process.stop()
    assert ended.returncode == 0, "it had to be killed"
    for stream in streams:
        stream.close()


def test_a_database_that_was_replaced_is_noticed(
    process: WebProcess, data: Path, tmp_path: Path
) -> None:
    assert status(process, "/t/spring") == 200
    (data / "arena.db").rename(tmp_path / "moved.db")
    shutil.copyfile(tmp_path / "moved.db", data / "arena.db")
    assert process._process is not None
    assert process._process.wait(30) is not None
    told = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["message"] for line in told] == [
        "the pages end: their database was removed or replaced"
    ]
    process.restart_if_dead()
    assert status(process, "/t/spring") == 200


def test_whoever_looks_sees_the_end_of_what_the_arena_played(
    data: Path, process: WebProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the arena ends at once with its tournament."""
    monkeypatch.setattr(module, "STOP_TIMEOUT_S", 60.0)
    assert status(process, "/t/live") == 200, "the first page takes longer than all others"
    host, _, port = process.address.partition(":")
    with socket.create_connection((host, int(port)), 30) as stream:
        stream.sendall(f"GET /t/live/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        said = b""
        while b"event: progress" not in said:
            said += stream.recv(65_536)
        folder = DataFolder.open(data, create=False)
        with folder.lock() as lock, folder.open_store(lock) as store:
            store.end_tournament("live", "the organiser ended it", "enough", NOW)
            being_played = [game.id for game in store.games("live") if game.outcome is None]
            void = GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="the organiser ended it")
            store.commit([GameOver(each, void) for each in being_played])
            store.set_state("live", TournamentState.FINISHED, NOW)
        ending = threading.Thread(target=process.stop)
        ending.start()
        while b"event: board" not in said:
            read = stream.recv(65_536)
            assert read, said
            said += read
        assert status(process, "/t/live") == 200
        ending.join(60)


class Counting(StoredArena):
    looks = 0

    def tournament(self, slug: str, *, waiting_for: str = "") -> TournamentInfo:
        self.looks += 1
        return super().tournament(slug, waiting_for=waiting_for)


def test_there_is_one_look_whatever_the_number_of_readers(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "POLL_S", 0.1)

    async def read(feeds: live.Feeds) -> None:
        async for _ in feeds.of("live").listen("", "en"):
            pass

    async def main(stored: StoredArena) -> None:
        feeds = live.Feeds(stored)
        tasks = [asyncio.create_task(read(feeds)) for _ in range(STREAMS)]
        await asyncio.sleep(1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert not feeds._feeds

    with DataFolder.open(filled, create=False).open_reader() as reader:
        stored = Counting(reader)
        asyncio.run(main(stored))
        assert 1 <= stored.looks <= 11


def test_a_reader_that_does_not_read_is_sent_away(filled: Path) -> None:
    async def main(stored: StoredArena) -> None:
        feed = live.Feeds(stored).of("live")
        stream = feed.listen("", "en")
        assert (await anext(stream)).startswith(b"retry:")
        for _ in range(live.QUEUE_LIMIT + 5):
            feed._send("board", "empty.html.j2")
        assert not feed._listeners
        assert len([each async for each in stream]) <= live.QUEUE_LIMIT

    with DataFolder.open(filled, create=False).open_reader() as reader:
        asyncio.run(main(StoredArena(reader)))


@pytest.mark.slow
def test_pages_without_an_arena(data: Path) -> None:
    work = Workplace(data.parent)
    command = work.command("pages", "--data", "data", "--web", "127.0.0.1:0")
    with work.running(*command) as running:
        assert running.stderr is not None
        told = running.stderr.readline()
        address = told.partition("http://")[2].partition("/")[0]
        assert told == f"The pages of data are at http://{address}/ until Ctrl-C.\n"
        pages = WebProcess(data, address)
        assert status(pages, "/t/spring") == 200
        running.send_signal(signal.SIGINT)
        out, told = running.communicate(timeout=30)
        assert (running.returncode, out, told) == (0, "", "")
    assert "no arena's data" in work.error("pages", "--data", "nix", "--web", "127.0.0.1:0", code=3)
    assert "nothing to show" in work.error("pages", "--data", "data", "--web", "off", code=2)


@pytest.mark.slow
def test_a_demo_on_a_terminal_keeps_its_pages(tmp_path: Path) -> None:
    work = Workplace(tmp_path)
    ours, theirs = pty.openpty()
    said = b""

    def told(text: bytes) -> Any:
        nonlocal said
        try:
            said += os.read(ours, 4_096)
        except OSError:  # Nobody is left at the other end.
            pytest.fail(f"it ended before it said {text!r}: {said.decode()}")
        return text in said

    with subprocess.Popen(
        work.command("demo", "--games", "2"),
        cwd=tmp_path,
        env=work.env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as running:
        os.close(theirs)
        try:
            wait_for(lambda: told(b"The pages stay until Ctrl-C."), "the end of the demo")
            address = said.partition(b"http://")[2].partition(b"/")[0].decode()
            assert status(WebProcess(tmp_path, address), "/t/demo") == 200
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 0
        finally:
            running.kill()
            os.close(ours)
