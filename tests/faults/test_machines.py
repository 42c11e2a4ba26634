"""Machines that are busy, stand still, or have a clock that jumps: no bot pays for any of it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.arenas import definition, outcomes, running_arena, until_finished
from support.misbehaving import run
from support.rigs import Result, Rig

from sixtysix.clock import Clock

MakeRig = Callable[..., Rig]

# Processes take what a machine has to give; each wait bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MOVE_MS = 1_000
BOT_S = 0.01
STANDSTILL_S = 1.5
"""Longer than a move has."""
FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
CACHE_S = 1
"""How often libfaketime looks where it should be; to look each time would take most of the time."""
LOOKED_S = CACHE_S + 1.5
"""When it has looked for certain: it counts whole seconds, and looks after more of them."""
STARVING_S = 3


# The wall clock


@pytest.mark.skipif(not FAKETIME, reason="libfaketime is not installed")
def test_fault_row_62_a_wall_clock_that_jumps_times_nobody_out(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(per_move_ms=20_000)
    step = rig.folder / "step"

    def set_clock(hours: int) -> timedelta:
        draft = step.with_suffix(".new")
        draft.write_text(f"{hours * 3600:+d}")
        draft.replace(step)
        return timedelta(hours=hours)

    set_clock(0)
    rig.guests_think(BOT_S)
    wall_clock = {
        "LD_PRELOAD": str(FAKETIME[0]),
        "FAKETIME_TIMESTAMP_FILE": str(step),
        "FAKETIME_CACHE_DURATION": str(CACHE_S),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # With it, waiting for a condition is spinning.
        "TZ": "America/New_York",
    }
    with rig.guests(), rig.arena(**wall_clock) as arena:
        for hours in (1, -1):
            rig.until_asked(10)
            jumped = set_clock(hours)
            time.sleep(LOOKED_S)
        rig.until_asked(10)
        rig.guests_think(0)
        assert rig.ended(arena) == calm
    with rig.reading() as connection:
        times = connection.execute("SELECT created_at, started_at, finished_at FROM tournament")
        created_at, started_at, finished_at = map(utc, times.fetchone())
    about_now = datetime.now(UTC)
    assert abs(created_at - about_now) < timedelta(minutes=5), "times are UTC"
    assert abs(started_at - about_now) < timedelta(minutes=5)
    assert abs(finished_at - about_now - jumped) < timedelta(minutes=5), "the clock was not changed"


def utc(told: str) -> datetime:
    return datetime.strptime(told, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


# An arena that stands still, or gets no processor


def test_fault_row_63_a_blocked_event_loop_costs_no_bot_anything(tmp_path: Path) -> None:
    async def main() -> None:
        clock = Clock(per_move_ms=3_000, per_game_ms=60_000, grace_ms=3_000, join_ms=30_000)
        async with running_arena(tmp_path / "data") as arena:
            entrants = ("house:greedy", "house:random")
            await arena.create_tournament(
                definition(entrants, games_per_pairing=40, games_at_once=16, clock=clock)
            )
            await arena.start_tournament("cup")
            while arena.decision_count <= 20:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            before = arena.decision_count
            time.sleep(5)  # noqa: ASYNC251 - that is the fault.
            await until_finished(arena)
            assert arena.decision_count > before, "too late to show anything"
            faults = [outcome for outcome in outcomes(arena) if outcome.fault is not None]
            assert not faults, faults

    run(main())


def test_fault_rows_63_and_64_an_arena_that_stands_still_charges_nobody(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(per_move_ms=MOVE_MS, grace_ms=MOVE_MS)
    rig.guests_think(BOT_S)
    with rig.guests(), rig.arena() as arena:
        for _ in range(3):
            rig.until_asked(20)
            arena.send_signal(signal.SIGSTOP)
            time.sleep(STANDSTILL_S)
            stood_at = rig.ticks()
            arena.send_signal(signal.SIGCONT)
        rig.until_played()
        assert rig.ended(arena) == calm
    assert rig.ticks() > stood_at


@pytest.mark.alone
def test_fault_row_64_an_arena_on_a_busy_machine_charges_nobody_who_is_quick(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(per_move_ms=MOVE_MS, grace_ms=MOVE_MS)
    rig.guests_think(BOT_S)
    with ExitStack() as stack:
        stack.enter_context(rig.guests())
        arena = stack.enter_context(rig.arena())
        rig.until_asked(20)
        os.setpriority(os.PRIO_PROCESS, arena.pid, 19)
        stack.enter_context(busy(processes=4, seconds=STARVING_S))
        time.sleep(STARVING_S)
        assert arena.poll() is None, "over too early to show anything"
        assert rig.ended(arena) == calm


@contextmanager
def busy(processes: int, seconds: float) -> Iterator[None]:
    """Keeps the processors busy for a while."""
    code = "import sys, time\nend_s = time.monotonic() + float(sys.argv[1])\n"
    code += "while time.monotonic() < end_s: pass"
    with ExitStack() as stack:
        for _ in range(processes):
            process = subprocess.Popen([sys.executable, "-c", code, str(seconds)])
            stack.enter_context(process)
            stack.callback(process.kill)
        yield
