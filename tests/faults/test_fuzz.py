"""A little of what `bench/fuzz.py` does: conversations that were tampered with."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.source_tree import ROOT


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", ["1", "8"])
def test_threat_18_conversations_that_were_tampered_with_do_an_arena_no_harm(seed: str) -> None:
    """With the seed 8 the path of a call is no text before a thousand conversations are over."""
    done = subprocess.run(
        [sys.executable, "bench/fuzz.py", "--seconds", "5", "--seed", seed],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")},
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
