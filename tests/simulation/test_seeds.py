"""A thousand worlds in which things go wrong, each from a seed: all have to end right.

A failure names its seeds and the command that runs one again, with everything
that happens in it. `make simulate` runs more of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from simulation.found import FAMILIES
from simulation.running import reproduce, run_scenario, run_seed
from simulation.scenario import Scenario

# Worlds take what a machine has to give; each bounds itself in its own time.
pytestmark = pytest.mark.timeout(900)

WORLDS = 1_000
CHUNK = 25


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_what_was_found_is_not_there_any_more(family: Callable[[], Iterator[Scenario]]) -> None:
    wrong = []
    for scenario in family():
        wrong += [f"{scenario.happenings}: {text}" for text in run_scenario(scenario).wrongs]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("first", range(0, WORLDS, CHUNK))
def test_worlds_end_right(first: int) -> None:
    wrong = []
    for seed in range(first, first + CHUNK):
        run = run_seed(seed)
        if run.wrongs:
            wrong += [f"seed {seed}: {text}" for text in run.wrongs]
            wrong.append(f"    {reproduce(seed)}")
    assert not wrong, "\n".join(wrong)


def test_a_seed_is_always_the_same_world() -> None:
    seeds = range(30, 40)
    here = [_digest(seed) for seed in seeds]
    # Another process has other hashes, and other addresses of its objects.
    program = (
        "from simulation.test_seeds import _digest\n"
        f"print(*map(_digest, {seeds!r}), sep='\\n', end='')"
    )
    tests = str(Path(__file__).parent.parent)
    environment = os.environ | {"PYTHONPATH": tests, "PYTHONHASHSEED": "17"}
    elsewhere = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    )
    assert elsewhere.stdout.split("\n") == here


def _digest(seed: int) -> str:
    digest = sha256()
    run_seed(seed, lambda line: digest.update(line.encode()))
    return digest.hexdigest()
