"""Arenas that are killed, told to stop, or run out of memory: nothing is lost."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil
import pytest
from support.outages import Locker, slow_update
from support.rigs import Result, Rig, Stored

from sixtysix.api import ApiError
from sixtysix.cli.failures import INTERRUPTED

KILLS = Path(__file__).parents[2] / "bench" / "kills.py"

MakeRig = Callable[..., Rig]

# Processes take what a machine has to give; each wait bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


# The arena is killed


def test_fault_row_42_kills_at_random_instants_change_nothing() -> None:
    """A few of the kills that bench/kills.py does by the hundred."""
    command = [sys.executable, str(KILLS), "--kills", "6", "--games", "30", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(done.stdout)  # noqa: T201 - pytest shows it if what follows fails
    assert found["same_board"]
    assert found["same_deals"]
    assert found["outside_bots_ended_well"]
    for name in (
        *("games_lost", "games_forfeited", "deals_void", "deals_without_result"),
        *("deals_dealt_and_not_recorded", "deals_recorded_and_not_dealt", "deals_beside_the_count"),
        *("results_changed_by_a_kill", "moves_lost", "tracebacks"),
    ):
        assert found[name] == 0, name
    assert found["kills"] == 6
    assert found["kills_with_deals_in_progress"] >= 3, "killed too early to show anything"
    assert found["moves_in_the_journal_at_kills"] > 0


def test_fault_row_38_what_was_answered_and_stored_is_not_asked_again(
    make_rig: MakeRig, calm: Result
) -> None:
    """Killed as soon as a move is seen in the journal: some bot has not been sent the next one."""
    rig = make_rig()
    rig.guests_think(0.01)
    with rig.guests():
        for _ in range(2):
            with rig.arena() as arena:
                rig.until_asked(10)
                rig.until_played()
                arena.kill()
            stored, asked_before = rig.stored(), len(rig.asked())
            assert stored.moves, "killed too early to show anything"
            with rig.arena() as arena:
                rig.until_asked(5)
                arena.kill()
            asked_again = set(rig.asked()[asked_before:])
            assert not asked_again & stored.durable
        assert rig.played_on() == calm
    rig.stored().check_kept(stored)


def test_fault_row_39_what_was_answered_and_not_stored_is_asked_again_as_the_same_decision(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(games_at_once=2)
    rig.guests_think(0.05)
    with rig.guests(), Locker.of(rig.database) as locker:
        with rig.arena() as arena:
            rig.until_asked(5)
            with locker.locked():
                # What comes now is received, and cannot be committed.
                stuck_at = rig.ticks()
                rig.wait_for(lambda: set(rig.asked()) - rig.stored().durable, "decisions")
                time.sleep(0.5)
                stored, answered = rig.stored(), rig.asked()
                assert stored.ticks == stuck_at
                arena.kill()
        assert rig.stored().moves == stored.moves, "something was committed by the kill"
        lost = set(answered) - stored.durable
        assert lost, "nothing was on its way"
        with rig.arena() as arena:
            rig.wait_for(lambda: set(rig.asked()[len(answered) :]) >= lost, "the same decisions")
            arena.kill()
        assert rig.played_on() == calm
    rig.stored().check_kept(stored)


def test_fault_row_40_killed_while_it_stores_a_result_it_has_that_later_and_once(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(games_at_once=2)
    before = kill_in_update(rig, "game", "NEW.state = 'over'")
    assert before.moves
    assert not before.over, "half of a result was stored"
    with rig.guests():
        assert rig.played_on() == calm
    rig.stored().check_kept(before)


def test_fault_row_40_killed_as_soon_as_a_result_is_seen_it_keeps_that(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig(games_at_once=2)
    rig.guests_think(0.002)
    with rig.guests():
        with rig.arena() as arena:
            rig.wait_for(lambda: rig.count("game", "state = 'over'"), "a result")
            arena.kill()
        stored = rig.stored()
        assert len(stored.over) < len(stored.games), "killed too late to show anything"
        assert rig.played_on() == calm
    rig.stored().check_kept(stored)


def test_fault_row_41_killed_before_it_has_rated_it_comes_to_the_same_board(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig()
    before = kill_in_update(rig, "tournament", "NEW.state = 'finished'")
    assert before.over == set(before.games), "it was not over"
    assert rig.count("tournament", "state = 'running'")
    with rig.guests():
        assert rig.played_on() == calm
    assert rig.played_on() == calm, "asked again, it says the same"


def kill_in_update(rig: Rig, of: str, when: str) -> Stored:
    """Kills the arena in the middle of the transaction with an update; what is stored then."""
    with slow_update(rig.database, of, when):
        with rig.guests(), Locker.of(rig.database) as locker, rig.arena() as arena:
            rig.wait_for(locker.is_locked_out, "the update")
            arena.kill()
        assert (rig.folder / "arena.out").read_text() == ""
        return rig.stored()


# The arena is told to stop


def test_fault_row_43_sigterm_ends_an_arena_that_goes_on_later(
    make_rig: MakeRig, calm: Result
) -> None:
    """It does not wait for what bots are thinking about, and takes back what they were asked."""
    rig = make_rig()
    rig.guests_think(0.01)
    with rig.guests():
        with rig.arena() as arena:
            rig.until_played(5)
            rig.guests_think(300)
            rig.until_thinking()
            arena.terminate()
            assert arena.wait(60) == INTERRUPTED
        told = rig.said("arena")
        assert "All that was played is kept. To go on:" in told
        assert "Traceback" not in told
        stored = rig.stored()
        assert stored.moves
        assert len(stored.over) < len(stored.games), "stopped too late to show anything"
    with rig.guests():  # Those before are thinking still.
        assert rig.played_on() == calm
    rig.stored().check_kept(stored)


def test_fault_row_73_ctrl_c_twice_at_any_moment_corrupts_nothing(
    make_rig: MakeRig, calm: Result
) -> None:
    seed = 73
    random = Random(seed)
    rig = make_rig()
    rig.guests_think(0.02)
    earlier = []
    with rig.guests():
        for moment in ("start", "play", "play"):
            with rig.starting_arena() as arena:
                if moment == "play":
                    rig.until_serving(arena)
                    rig.until_asked()
                time.sleep(random.uniform(0, 1))
                arena.send_signal(signal.SIGINT)
                time.sleep(random.uniform(0, 0.1))
                arena.send_signal(signal.SIGINT)
                code = arena.wait(60)
            # In its first moments, and its last, it is nothing but a Python that is interrupted.
            told = (seed, moment, code, rig.said("arena"))
            assert code != 0, told
            if moment == "play":
                assert code in (INTERRUPTED, -signal.SIGINT), told
                assert "Traceback" not in rig.said("arena"), told
                earlier.append(rig.stored())
        assert earlier[-1].moves
        assert rig.played_on() == calm
    for stored in earlier:
        rig.stored().check_kept(stored)


# The arena runs out of memory


def test_fault_row_45_out_of_memory_an_arena_ends_or_plays_on_and_nothing_is_lost(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig()
    rig.guests_think(0.01)
    with rig.guests():
        with rig.arena() as arena:
            rig.until_played(5)
            in_use = psutil.Process(arena.pid).memory_info().vms
            resource.prlimit(arena.pid, resource.RLIMIT_AS, (in_use, in_use))
            # A reader's thread needs a stack, which it does not get.
            with suppress(ApiError), rig.remote() as remote:
                remote.tournament("cup")
            with suppress(subprocess.TimeoutExpired):
                arena.wait(2)
            arena.kill()
        stored = rig.stored()
        assert rig.played_on() == calm
    rig.stored().check_kept(stored)


def test_fault_row_45_an_arena_that_does_not_get_the_memory_to_start_leaves_all_as_it_was(
    make_rig: MakeRig, calm: Result
) -> None:
    rig = make_rig()
    rig.prefix = ("prlimit", f"--as={200 << 20}")
    with rig.starting_arena() as arena:
        with suppress(subprocess.TimeoutExpired):
            arena.wait(5)  # What gRPC does without memory may be nothing at all.
        arena.kill()
        assert arena.wait() != 0
    rig.prefix = ()
    with rig.guests():
        assert rig.played_on() == calm
