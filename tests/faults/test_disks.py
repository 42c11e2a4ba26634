"""Disks that fail, and databases that others lock or remove, under a running arena.

The arena plays on where it was, nobody pays for the time in which nothing could
be stored, and no move has an effect that is not stored.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from support.outages import Locker, SmallDisk, no_growth
from support.rigs import Process, Result, Rig

MakeRig = Callable[..., Rig]

# Processes take what a machine has to give; each wait bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MOVE_MS = 3_000
PONDERED_S = 4.0
"""More than a move has: in time only because the clocks stand still."""
PAUSES = "play pauses, since nothing can be stored"

Outage = Callable[[Process], AbstractContextManager[None]]


def play_through(
    rig: Rig, calm: Result, outage: Outage, lasts_s: float = 4.5, told: str = ""
) -> str:
    """Plays with an outage in the middle, over which one bot ponders; what the arena said of it.

    The outage lasts until the arena has told of it, and so long at least.
    """
    rig.guests_think(0.2, "ada")  # There is always an answer of hers on its way to be stored.
    with rig.guests(), rig.arena() as arena:
        rig.until_played(5)
        rig.guests_think(PONDERED_S, "bob")
        rig.until_asked(1, "bob")
        with outage(arena):
            rig.guests_think(0, "bob")
            time.sleep(0.3)  # A commit may have been on its way.
            stored = rig.stored()
            assert len(stored.over) < len(stored.games), "too late to show anything"
            time.sleep(lasts_s - 0.3)
            rig.wait_for(lambda: told in rig.said("arena"), told)
            assert rig.stored() == stored, "something was stored"
            waiting = [game for game, *_ in set(rig.asked()) - stored.durable]
            assert len(waiting) == len(set(waiting)), "a move had an effect that is not stored"
            said = rig.said("arena")
        rig.until_played()
        rig.guests_think(0)
        assert rig.ended(arena) == calm
    rig.stored().check_kept(stored)
    return said


def test_fault_row_46_a_full_disk_is_waited_for(
    tmp_path: Path, make_rig: MakeRig, calm: Result
) -> None:
    with SmallDisk.mounted(tmp_path / "disk", "4m") as disk:
        rig = make_rig(data=disk.path / "data", per_move_ms=MOVE_MS)
        said = play_through(rig, calm, lambda _arena: disk.full(), told=PAUSES)
        assert PAUSES in said
        assert "the disk is full" in said
        assert "play goes on" in rig.said("arena")


def test_fault_row_46_a_limit_to_the_size_of_files_is_waited_for(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(per_move_ms=MOVE_MS)
    log = rig.data / "arena.db-wal"
    said = play_through(rig, calm, lambda arena: no_growth(arena.pid, log), told=PAUSES)
    assert PAUSES in said
    assert "the disk failed" in said
    assert "play goes on" in rig.said("arena")


@pytest.mark.parametrize("what", ["database", "folder"])
def test_a_database_that_is_gone_ends_the_arena(make_rig: MakeRig, what: str) -> None:
    rig = make_rig()
    rig.guests_think(0.05)
    with rig.guests(), rig.arena() as arena:
        rig.until_played(5)
        if what == "database":
            rig.database.unlink()
        else:
            shutil.rmtree(rig.data)
        assert arena.wait(60) == 1
    *_, last = rig.said("arena").splitlines()
    assert last.startswith(f"sixtysix: the database {rig.database} was removed")
    assert "Traceback" not in rig.said("arena")
    assert (rig.folder / "arena.out").read_text() == ""


def test_a_database_in_anothers_place_ends_the_arena(make_rig: MakeRig, tmp_path: Path) -> None:
    rig = make_rig()
    copy = tmp_path / "copy"
    shutil.copy(rig.database, copy)
    rig.guests_think(0.05)
    with rig.guests(), rig.arena() as arena:
        rig.until_played(5)
        copy.replace(rig.database)
        assert arena.wait(60) == 1
    assert "was removed or replaced" in rig.said("arena").splitlines()[-1]


def test_fault_row_48_a_locked_database_is_waited_for(make_rig: MakeRig, calm: Result) -> None:
    rig = make_rig(per_move_ms=MOVE_MS)
    with Locker.of(rig.database) as locker:
        said = play_through(rig, calm, lambda _arena: locker.locked())
    assert "play pauses" not in said, "so short a wait is not worth a word"


def test_fault_row_48_a_database_that_stays_locked_is_told_of_and_waited_for(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(per_move_ms=MOVE_MS)
    with Locker.of(rig.database) as locker:
        said = play_through(rig, calm, lambda _arena: locker.locked(), told=PAUSES)
    assert PAUSES in said
    assert "another process holds its lock" in said
    assert "play goes on" in rig.said("arena")
