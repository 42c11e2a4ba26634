"""How strong the house bots are, how long they think, and whether they ever go wrong.

Strength is game points of a deal, minus the opponent's, in classic, with a
95 % interval. Faults are answers that the view did not offer: illegal moves
and false claims. Everything but the times follows from the seed.

    python bench/bots.py [--deals 4000] [--fault-deals 10000] [--jobs 2] [--json]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from itertools import chain
from typing import Any

from sixtysix.bot import load_bot
from sixtysix.local import PlayResult, play
from sixtysix.rules import RULESETS, View

SEED = "bots"
STRENGTH = (("greedy", "random"), ("counting", "greedy"))
FAULTS = (("random", "greedy"), ("counting", "greedy"))
"""Pairings in which every house bot plays, greedy in both."""
SLICE_DEALS = 1_000
"""Deals of one job, so that the cores are busy to the end."""


class Watched:
    """A house bot whose answers are checked against what the view offers."""

    def __init__(self, name: str) -> None:
        self._choose = load_bot(name).choose
        self.not_offered = 0

    def choose(self, view: View) -> object:
        """Asks the bot; the answer is passed on as it is."""
        move = self._choose(view)
        self.not_offered += move not in view.legal
        return move


def strength(pairing: tuple[str, str], deals: int) -> PlayResult:
    """One long run of a pairing in classic."""
    strong, weak = pairing
    return play(load_bot(strong), load_bot(weak), deals=deals, seed=SEED)


def faults(job: tuple[tuple[str, str], str, int, int]) -> tuple[str, tuple[int, int]]:
    """Answers of both bots that were not offered, and games forfeited, in some deals."""
    pairing, rules, deals, number = job
    bots = Watched(pairing[0]), Watched(pairing[1])
    result = play(*bots, rules=rules, deals=deals, seed=f"{SEED} {number}")
    assert result.deal_count == deals or result.failures
    first, second = (
        watched.not_offered + figures.games_forfeited
        for watched, figures in zip(bots, result.bots, strict=True)
    )
    return rules, (first, second)


def fault_jobs(deals: int) -> Iterator[tuple[tuple[str, str], str, int, int]]:
    """All pairings and rule sets, in slices."""
    for pairing in FAULTS:
        for rules in RULESETS:
            for number, done in enumerate(range(0, deals, SLICE_DEALS)):
                yield pairing, rules, min(SLICE_DEALS, deals - done), number


def measure(deals: int, fault_deals: int, jobs: int) -> dict[str, Any]:
    """All figures."""
    names = sorted({*chain.from_iterable(STRENGTH), *chain.from_iterable(FAULTS)})
    counted = {name: dict.fromkeys(RULESETS, 0) for name in names}
    with ProcessPoolExecutor(jobs) as pool:
        runs = [pool.submit(strength, pairing, deals) for pairing in STRENGTH]
        listed = list(fault_jobs(fault_deals))
        for done, ((pairing, *_), (rules, found)) in enumerate(
            zip(listed, pool.map(faults, listed), strict=True), start=1
        ):
            for name, count in zip(pairing, found, strict=True):
                counted[name][rules] += count
            if sys.stderr.isatty():
                print(f"\r{done} of {len(listed)} slices", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return {
        "seed": SEED,
        "strength": [_strength_figures(run.result()) for run in runs],
        "fault_deals_per_rule_set_and_pairing": fault_deals,
        "faults": counted,
        "versions": {"sixtysix": version("sixtysix"), "python": platform.python_version()}
        | {name: load_bot(name).version for name in names},
    }


def _strength_figures(result: PlayResult) -> dict[str, Any]:
    strong, weak = result.bots
    return {
        "bots": [strong.name.removeprefix("house:"), weak.name.removeprefix("house:")],
        "rules": result.rules.name,
        "deals": result.deal_count,
        "points_per_deal": result.points_per_deal and round(result.points_per_deal, 4),
        "interval_95": result.interval_95 and round(result.interval_95, 4),
        "games_won": strong.games_won,
        "games": result.game_count,
        "median_ms_per_decision": round(strong.median_ms, 4),
        "mean_ms_per_decision": round(strong.mean_ms, 4),
        "p95_ms_per_decision": round(strong.p95_ms, 4),
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=4_000, help="of each measure of strength")
    parser.add_argument("--fault-deals", type=int, default=10_000, help="of each rule set")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures = measure(options.deals, options.fault_deals, options.jobs)
    if options.json:
        print(json.dumps(figures))
        return
    for run in figures["strength"]:
        strong, weak = run["bots"]
        print(
            f"{strong} - {weak}, {run['rules']}, {run['deals']:,} deals:"
            f" {run['points_per_deal']:+.3f} ± {run['interval_95']:.3f} points a deal,"
            f" {run['games_won']} of {run['games']} games,"
            f" {run['median_ms_per_decision']:.3f} ms a decision (p95"
            f" {run['p95_ms_per_decision']:.3f})"
        )
    print(f"faults in {options.fault_deals:,} deals of each rule set:")
    for name, by_rules in figures["faults"].items():
        counts = ", ".join(f"{rules} {count}" for rules, count in by_rules.items())
        print(f"  {name:<10}{counts}")


if __name__ == "__main__":
    main()
