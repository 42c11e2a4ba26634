"""A folder to work in, the command, and a data folder with a tournament that is over."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.played import events, play_game
from support.serving import ADMIN_TOKEN, FakeHost, serving
from support.stored import LATER, NOW, create, start

from sixtysix.cli import main
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no settings from outside."""
    monkeypatch.chdir(tmp_path)
    for name in tuple(os.environ):
        if name.startswith("SIXTYSIX_"):
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def run(capsys: Capture) -> Callable[..., tuple[str, str]]:
    """Runs a command; what it printed on both outputs."""

    def run(*argv: str, code: int = 0) -> tuple[str, str]:
        found = main(argv)
        captured = capsys.readouterr()
        assert found == code, captured
        return captured.out, captured.err

    return run


@pytest.fixture
def filled(place: Path) -> DataFolder:
    """A data folder in its usual place, with a tournament that is over."""
    folder = DataFolder.open(place / "sixtysix-data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)
        create(store, rules=RULESETS["last-trick"])
        store.freeze_version(["cup"], "ada", "1.0")
        for seed, game in enumerate(start(store)):
            store.commit(events(game, play_game(RULESETS["last-trick"], seed, seed % 2)))
        store.set_state("cup", TournamentState.FINISHED, LATER)
    return folder


@pytest.fixture
def served(filled: DataFolder) -> Iterator[FakeHost]:
    """The same folder, held by an arena that serves it."""
    with filled.lock(), filled.open_reader() as reader:
        host = FakeHost(StoredArena(reader))
        with serving(host) as address:
            filled.write_address(address)
            filled.write_admin_token(ADMIN_TOKEN)
            yield host
