"""Networks that fail for a while, or are slow: the tournament comes to the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from support.networks import Namespace, slow_line
from support.rigs import Result, Rig

MakeRig = Callable[..., Rig]

# Processes take what a machine has to give; each wait bounds itself.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LATENCY_S = 0.2
"""One way."""
SHORT = {"games": 2, "seed": "100"}
"""A tournament in which a bot has about ten decisions, one after another."""


def test_fault_row_32_a_partition_within_the_grace_costs_nobody_anything(
    make_rig: MakeRig, calm: Result
) -> None:
    with ExitStack() as stack:
        network = stack.enter_context(Namespace.made())
        rig = make_rig(grace_ms=20_000, per_move_ms=20_000)
        rig.prefix = network.prefix
        rig.guests_think(0.02)
        stack.enter_context(rig.guests())
        arena = stack.enter_context(rig.arena())
        rig.until_played(5)
        with network.partition():
            time.sleep(1)
            stored, asked = rig.stored(), rig.asked()
            assert len(stored.over) < len(stored.games), "too late to show anything"
            time.sleep(2)
            assert rig.stored().moves == stored.moves, "the network was not cut"
            assert len(rig.asked()) - len(asked) < 100
        rig.guests_think(0)
        assert rig.ended(arena) == calm
        answered = rig.asked()
        assert len(answered) == len(set(answered)), "the same connections go on: nothing is resent"
    rig.stored().check_kept(stored)


def test_fault_row_34_a_slow_line_that_crumbles_what_it_carries_changes_no_result(
    make_rig: MakeRig,
) -> None:
    seed = 34
    undisturbed = make_rig("undisturbed", **SHORT)
    with undisturbed.guests():
        expected = undisturbed.played_on()
    rig = make_rig(**SHORT, per_move_ms=30_000)
    with ExitStack() as stack:
        arena = stack.enter_context(rig.arena())
        line = stack.enter_context(
            slow_line(rig.port, latency_s=LATENCY_S, jitter_s=0.08, seed=seed)
        )
        stack.enter_context(rig.guests("ada", port=line.port))
        stack.enter_context(rig.guests("bob"))
        began_s = time.monotonic()
        assert rig.ended(arena) == expected, f"seed {seed}"
        assert time.monotonic() - began_s > 8 * 2 * LATENCY_S, "the line was not slow"
        assert line.byte_count > 1_000, "the line was not used"
