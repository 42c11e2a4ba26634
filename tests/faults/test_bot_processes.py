"""Processes of bots that are killed or frozen: they are missed, and pay when their time is over."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from support.commands import wait_for
from support.rigs import Process, Result, Rig

from sixtysix.client.calls import RemoteArena
from sixtysix.outcome import Fault

MakeRig = Callable[..., Rig]

# Processes take what a machine has to give; each wait bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

GRACE_MS = 1_500
MOVE_MS = 2_500
FREED_S = 25
"""A peer that does not answer is pinged after 10 s, and given up 10 s later."""


@contextmanager
def playing(rig: Rig) -> Iterator[tuple[Process, Process]]:
    """A tournament in the middle: the process of the bot `ada`, and that of the arena."""
    rig.guests_think(0.01)
    with rig.guests("bob"), rig.guests("ada") as ada, rig.arena() as arena:
        rig.until_asked(20)
        yield ada, arena


@pytest.mark.alone
def test_fault_row_17_a_killed_bot_is_missed_at_once_and_charged_after_its_grace(
    make_rig: MakeRig,
) -> None:
    rig = make_rig(grace_ms=GRACE_MS)
    with playing(rig) as (ada, arena), rig.remote() as remote:
        ada.kill()
        killed_s = time.monotonic()
        wait_for(lambda: not is_here(remote, "ada"), "the arena to miss its bot")
        assert time.monotonic() - killed_s < 1
        assert remote.tournament("cup").games_open_count > 0, "charged before its grace"
        wait_for(lambda: not remote.tournament("cup").games_open_count, "the forfeits")
        assert time.monotonic() - killed_s > GRACE_MS / 1_000
        rig.ended(arena, nobody_paid=False)
    assert set(faults_of(rig)) == {(Fault.DISCONNECT, "bob")}


def test_fault_row_18_a_bot_that_is_frozen_for_less_than_its_time_plays_on(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(per_move_ms=20_000, grace_ms=GRACE_MS)
    with playing(rig) as (ada, arena):
        ada.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        asked = len(rig.asked("ada"))
        time.sleep(4.5)
        assert len(rig.asked("ada")) == asked, "it was not frozen"
        ada.send_signal(signal.SIGCONT)
        rig.guests_think(0)
        assert rig.ended(arena) == calm


@pytest.mark.alone
def test_fault_row_19_a_bot_that_is_frozen_for_good_times_out_and_is_given_up(
    make_rig: MakeRig,
) -> None:
    # One game after another, so that they are not all lost before the connection is given up.
    rig = make_rig(per_move_ms=MOVE_MS, grace_ms=GRACE_MS, games_at_once=1)
    with playing(rig) as (ada, arena), rig.remote() as remote:
        ada.send_signal(signal.SIGSTOP)
        frozen_s = time.monotonic()
        wait_for(lambda: faults_of(rig), "the first time-out")
        assert time.monotonic() - frozen_s < 2 * MOVE_MS / 1_000
        assert is_here(remote, "ada"), "missed before anything could show it"
        wait_for(lambda: not is_here(remote, "ada"), "the end of the connection")
        assert time.monotonic() - frozen_s < FREED_S
        rig.ended(arena, nobody_paid=False)
    faults = faults_of(rig)
    assert faults[Fault.TIMEOUT, "bob"] >= 5
    assert set(faults) == {(Fault.TIMEOUT, "bob"), (Fault.DISCONNECT, "bob")}


def is_here(remote: RemoteArena, name: str) -> bool:
    """Whether the arena says that a bot is connected."""
    return any(bot.id == name and bot.connected for bot in remote.tournament("cup").entrants)


def faults_of(rig: Rig) -> Counter[tuple[str, str]]:
    """The faults of games that are over, and who won them."""
    names = ("ada", "bob")
    return Counter(
        (row["fault"], names[row["winner"]])
        for row in rig.stored().games.values()
        if row["fault"] is not None
    )
