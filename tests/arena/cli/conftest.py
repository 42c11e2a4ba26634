"""A folder to work in, the command, and a data folder with a tournament that is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import Run, enter, runner
from support.played import events, play_game
from support.serving import ADMIN_TOKEN, FakeHost, serving
from support.stored import LATER, NOW, create, start

from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no settings from outside."""
    return enter(tmp_path, monkeypatch)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; what it printed on both outputs."""
    return runner(capsys)


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
