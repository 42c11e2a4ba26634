"""Hundreds of bots at once, some of them hostile: what `bench/hostile.py` measures, smaller."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from support.source_tree import ROOT

BOTS, IDLE, HOSTILE = 100, 300, 50
JOIN_LIMIT_S = 5.0
"""Ten times what it takes, and what five times as many bots may take."""
MEMORY_LIMIT_MIB = 200.0
"""An arena of its own has 90, and so many bots some 50 more; 1,500 bots may make it 300."""
LEAST_SHARE = 0.8
"""Of the decisions that the honest bots get through without hostile ones."""
USUAL_LIMIT_MS = 20.0
LONGEST_LIMIT_MS = 200.0
"""Several times what is measured where nothing else runs; a move has a second, usually."""

pytestmark = [pytest.mark.alone, pytest.mark.slow]


@cache
def figures() -> dict[str, Any]:
    """Measured once for all tests."""
    sizes = ["--bots", str(BOTS), "--idle", str(IDLE), "--hostile", str(HOSTILE)]
    done = subprocess.run(
        [sys.executable, "bench/hostile.py", *sizes, "--seconds", "1.5", "--repeat", "3", "--json"],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")},
        stdout=subprocess.PIPE,
        check=True,
        timeout=100,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_fault_row_66_many_bots_join_at_once_and_are_in_within_seconds() -> None:
    assert figures()["join_s"] < JOIN_LIMIT_S
    assert figures()["join_idle_s"] < JOIN_LIMIT_S


def test_many_bots_take_little_memory() -> None:
    assert figures()["hostile_rss_mib"] < MEMORY_LIMIT_MIB


def test_threat_20_hostile_bots_cost_honest_ones_nothing_but_a_little_time() -> None:
    assert figures()["honest_faults"] == 0
    assert figures()["honest_streams_ended"] == 0
    calm, hostile = (figures()[f"{name}_decisions_per_s"] for name in ("calm", "hostile"))
    assert calm > BOTS
    assert hostile > LEAST_SHARE * calm
    assert figures()["hostile_p50_ms"] < USUAL_LIMIT_MS
    assert min(figures()["hostile_p99_ms_all"]) < LONGEST_LIMIT_MS
