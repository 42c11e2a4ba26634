"""Readers of the pages: whether bots notice them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support.source_tree import ROOT

COMMAND = ("--bots", "20", "--readers", "50", "--seconds", "3", "--repeat", "2", "--json")


@pytest.mark.alone
@pytest.mark.slow
def test_fault_row_69_people_read_and_no_bot_pays() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "readers.py", *COMMAND],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    figures = json.loads(done.stdout)
    assert figures["pages"] >= 50
    assert figures["events"] >= 50
    assert (figures["pages_failed"], figures["honest_faults"]) == (0, 0)
    # How much slower bots are answered meanwhile is the bench's figure: no test is timed.
