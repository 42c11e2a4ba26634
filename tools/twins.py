"""Compares what a seat sees in twin worlds, by the hundred thousand.

    make twins ARGS="--worlds 100000 --seed 7"

Twin worlds differ only in what one seat cannot know: the opponent's cards and
the order of the talon. Everything that the arena sends to that seat, at a real
table, has to be the same in all of them, byte for byte. Exit code 1, with the
seed and how to see it again, if it is not.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

from sixtysix.rules import RULESETS

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.twin_worlds import PHASES, Tally, compare

SCENES_AT_ONCE = 100


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    options = _options(argv)
    if options.scene is not None:
        tally = compare(options.rules[0], options.seed, [options.scene])
        _tell(options.rules[0], tally)
        return _verdict(tally)
    total = Tally()
    began = time.perf_counter()
    for rules in options.rules:
        tally = Tally()
        for part in _parts(rules, options.seed, options.processes):
            tally.add(part)
            if tally.worlds.total() >= options.worlds:
                break
        _tell(rules, tally)
        total.add(tally)
    print(f"{time.perf_counter() - began:.0f} s with {options.processes} processes")
    return _verdict(total)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make twins", description=__doc__.partition("\n")[0])
    parser.add_argument("rules", nargs="*", help="rule sets; all of them by default")
    parser.add_argument("--worlds", type=int, default=10_000, help="for each rule set")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--scene", type=int, help="this scene alone, of the first rule set")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(argv)
    options.rules = options.rules or list(RULESETS)
    for name in options.rules:
        if name not in RULESETS:
            parser.error(f"unknown rule set {name!r}: there are {', '.join(RULESETS)}")
    return options


def _parts(rules: str, seed: str, processes: int) -> Iterator[Tally]:
    """The scenes in their order, so that the same worlds are compared with any number of them."""
    numbers = (range(first, first + SCENES_AT_ONCE) for first in count(0, SCENES_AT_ONCE))
    work = partial(compare, rules, seed)
    if processes == 1:
        yield from map(work, numbers)
        return
    with ProcessPoolExecutor(processes) as pool:
        waiting = [pool.submit(work, next(numbers)) for _ in range(2 * processes)]
        try:
            while True:
                done = waiting.pop(0)
                waiting.append(pool.submit(work, next(numbers)))
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _tell(rules: str, tally: Tally) -> None:
    print(
        f"{rules}: {tally.worlds.total():,} worlds, {tally.differing_bytes} bytes differ;"
        f" {tally.forced_apart:,} left out, since a reply is forced in one and not in the other"
    )
    for phase in PHASES:
        worlds = tally.worlds[phase]
        if worlds:
            print(
                f"  talon {phase:8}{worlds:9,} worlds"
                f"  other hand {tally.other_hand[phase] / worlds:7.2%}"
                f"  other talon {tally.other_talon[phase] / worlds:7.2%}"
                f"  same work in {tally.same_work[phase]:,} of {tally.comparable_work[phase]:,}"
            )


def _verdict(tally: Tally) -> int:
    for difference in tally.differences:
        print(difference)
    if tally.differing:
        print(f"{tally.differing:,} of {tally.worlds.total():,} worlds differ")
    return 1 if tally.differing or tally.same_work != tally.comparable_work else 0


if __name__ == "__main__":
    sys.exit(main())
