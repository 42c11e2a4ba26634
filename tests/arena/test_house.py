"""House bots are processes that live no longer than their arena."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("said", [b"", b"half-a-tok"], ids=["nothing", "half a token"])
def test_a_house_bot_ends_if_its_arena_dies_before_it_said_the_token(said: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, said)
    os.close(writing)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "sixtysix_arena.house", "random", "127.0.0.1:1", str(reading)],
            pass_fds=(reading,),
            timeout=20,
            check=False,
        )
    finally:
        os.close(reading)
    assert done.returncode == 0
