"""Simulate tournaments in which everything goes wrong: one seed, one world, each repeatable.

    tools/simulate.py --seeds 0-999 --processes 2
    tools/simulate.py --seed 17

The first runs many worlds and tells which ended wrong; the second runs one and
tells everything that happens in it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from simulation.running import Run, reproduce, run_seed

CHUNK = 10
TELL_EVERY_S = 10.0
ENDED = 128 + signal.SIGTERM
MOST_TOLD = 5
"""Things that are told of a world that ended wrong."""


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 1 if a world ended wrong, else 0."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=_seeds, default=range(2_000), help="from-to, 0-1999")
    parser.add_argument("--seed", type=int, help="run this one and tell all that happens")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args(argv)
    if arguments.seed is not None:
        run = run_seed(arguments.seed, print)
        _tell_wrongs(run)
        print(run.summary)
        return int(bool(run.wrongs))
    return _many(arguments.seeds, arguments.processes)


def _many(seeds: range, processes: int) -> int:
    began_s = told_s = time.monotonic()
    total = Run.nothing()
    wrong_count = 0
    for done, run in enumerate(_runs(seeds, processes), start=1):
        total = total.plus(run)
        if run.wrongs:
            wrong_count += 1
            _tell_wrongs(run)
        if time.monotonic() - told_s > TELL_EVERY_S:
            told_s = time.monotonic()
            rate = done / (told_s - began_s)
            print(f"{done} of {len(seeds)} worlds, {rate:.1f} a second", file=sys.stderr)
    took_s = time.monotonic() - began_s
    print(f"{len(seeds)} worlds in {took_s:.0f} s, {wrong_count} ended wrong: {total.summary}")
    return int(wrong_count > 0)


def _runs(seeds: range, processes: int) -> Iterator[Run]:
    if processes == 1:
        yield from map(run_seed, seeds)
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))  # The pool ends with it.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(run_seed, seeds, CHUNK)


def _tell_wrongs(run: Run) -> None:
    for wrong in run.wrongs[:MOST_TOLD]:
        print(f"seed {run.seed}: {wrong}")
    if len(run.wrongs) > MOST_TOLD:
        print(f"seed {run.seed}: and {len(run.wrongs) - MOST_TOLD} more")
    if run.wrongs:
        print(f"    {reproduce(run.seed)}", flush=True)


def _seeds(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    raise SystemExit(main())
