"""No path is made of a name: not of a game's, a tournament's or a bot's, wherever it comes from."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.arenas import running_arena
from support.command_line import enter
from support.forgeries import LINES

from sixtysix.api import ApiError
from sixtysix.cli import main, places
from sixtysix.client import RemoteArena
from sixtysix.record import RecordError, save_record
from sixtysix_arena.errors import Invalid
from sixtysix_arena.pruning import prune
from sixtysix_arena.restoring import restore_backup, restore_records
from sixtysix_arena.store import DataFolder

TREASURE = "Treasure"
"""A file that nobody has any business with; what is touched must not have this in its path."""
NAMES = (
    f"../{TREASURE}",
    f"../../../../../../../../tmp/{TREASURE}",
    f"..%2f{TREASURE}",
    f"%2e%2e/{TREASURE}",
    f"..\\{TREASURE}",
    f"/tmp/{TREASURE}",
    f"data/../{TREASURE}",
    f"cup/../../{TREASURE}",
    f"cup.1/../{TREASURE}",
    f"~/{TREASURE}",
    f"file:{TREASURE}?mode=rwc",
    TREASURE,
    f"link-to-{TREASURE}",
    f"cup\x00{TREASURE}",
    f"cup\n{TREASURE}",
)
FILE_EVENTS = {"open", "sqlite3.connect", "os.listdir", "os.scandir", "os.mkdir", "os.rename"} | {
    f"os.{event}" for event in ("remove", "rmdir", "link", "symlink", "truncate", "chmod", "utime")
}

_touched: list[str] | None = None


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _touched is not None and event in FILE_EVENTS:
        _touched.extend(str(argument) for argument in arguments)


@pytest.fixture(scope="module", autouse=True)
def audited() -> None:
    """An audit hook cannot be taken away again, so that it is added once."""
    sys.addaudithook(_audit)


@contextmanager
def touching_no_treasure() -> Iterator[None]:
    """Notes what files this process touches."""
    global _touched
    _touched = []
    try:
        yield
        touched = [path for path in _touched if TREASURE in path]
    finally:
        _touched = None
    assert touched == []


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `data` with a tournament in it, and a treasure beside it."""
    enter(tmp_path, monkeypatch)
    save_record(LINES, Path("cup.jsonl"))
    restore_records([Path("cup.jsonl")], Path("data"))
    for path in (TREASURE, f"{TREASURE}.token", f"data/{TREASURE}"):
        Path(path).write_text("gold")
    Path(f"link-to-{TREASURE}").symlink_to(TREASURE)
    return tmp_path


def test_the_audit_sees_what_is_touched() -> None:
    with pytest.raises(AssertionError, match="Treasure"), touching_no_treasure():
        Path(TREASURE).read_text()
    with pytest.raises(AssertionError), touching_no_treasure():
        sqlite3.connect(f"file:{TREASURE}?mode=ro", uri=True).close()


@pytest.mark.parametrize("name", NAMES)
def test_threat_30_what_is_called_over_the_network_leads_to_no_file(place: Path, name: str) -> None:
    async def serve() -> None:
        async with running_arena(place / "data") as arena:
            token = DataFolder(place / "data").admin_token()
            await asyncio.to_thread(call, arena.address, token)

    def call(address: str, token: str) -> None:
        with RemoteArena(address, token) as arena:
            calls: list[Callable[[], object]] = [
                lambda: arena.bot(name),
                lambda: arena.submit_bot(name),
                lambda: arena.rotate_token(name),
                lambda: arena.set_owner(name, "Ann"),
                lambda: arena.disable_bot(name),
                lambda: arena.tournament(name),
                lambda: arena.start_tournament(name),
                lambda: arena.stop_tournament(name),
                lambda: arena.board(name),
                lambda: arena.statistics(name),
                lambda: list(arena.games(name)),
                lambda: list(arena.games("cup", name)),
                lambda: list(arena.export(name)),
                lambda: arena.game(name),
                lambda: arena.game(f"{name}.1"),
                lambda: arena.faults(name),
                lambda: arena.faults(f"{name}.1"),
            ]
            with touching_no_treasure():
                for each in calls:
                    with pytest.raises(ApiError):
                        each()

    asyncio.run(serve())


@pytest.mark.parametrize("name", [name for name in NAMES if "\x00" not in name])
def test_threat_30_what_a_command_names_leads_to_no_file(name: str) -> None:
    commands = [
        *(["log", name], ["log", f"{name}.1"], ["log", f"{name}.1", "--faults"]),
        *(["leaderboard", name], ["games", name], ["games", "cup", "--bot", name]),
        *(["bot", "show", name], ["bot", "submit", name], ["bot", "token", name]),
        *(["bot", "disable", name, "--yes"], ["tournament", "status", name]),
        *(["tournament", "export", name, "-o", "out.jsonl"], ["prune", name, "--yes"]),
        ["verify", name],
    ]
    for command in commands:
        with touching_no_treasure():
            assert main([*command, "--data", "data"]) in (1, 2, 3), command
    assert not Path("out.jsonl").exists()
    assert Path(TREASURE).read_text() == "gold"


@pytest.mark.parametrize("slug", NAMES)
def test_threat_30_a_slug_in_a_forged_database_leads_to_no_file(slug: str) -> None:
    with closing(sqlite3.connect("data/arena.db")) as connection, connection:
        connection.execute("UPDATE tournament SET slug = ?", (slug,))
    folder = DataFolder.open("data", create=False)
    with folder.lock() as lock, folder.open_store(lock) as store, touching_no_treasure():
        with pytest.raises(Invalid, match="no tournament can be called"):
            list(prune(store, [slug], Path("records")))
        assert len(store.tournaments()) == 1


def test_a_backup_with_such_a_slug_is_not_restored() -> None:
    DataFolder.open("data", create=False).back_up(Path("cup.db"))
    with closing(sqlite3.connect("cup.db")) as connection, connection:
        connection.execute("UPDATE tournament SET slug = ?", (NAMES[0],))
    with pytest.raises(RecordError, match="slug"):
        restore_backup(Path("cup.db"), Path("back"))
    assert not Path("back").exists()


def test_threat_30_an_arena_is_sent_no_token_of_another_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever asks an arena for evidence sends it the tokens of the entrants that it names."""
    Path("ada.token").write_text("of-ada")
    sent: list[str | None] = []

    @contextmanager
    def remote(*_: object, bot_token: str | None = None, **__: object) -> Iterator[None]:
        sent.append(bot_token)
        yield

    monkeypatch.setattr(places, "_remote", remote)
    for name in (TREASURE, f"./{TREASURE}", f"data/../{TREASURE}"):
        with (
            touching_no_treasure(),
            places.witnesses(places.Place(arena="127.0.0.1:1"), (name, "ada"), None),
        ):
            assert sent == ["of-ada"]
        sent.clear()
