"""How fast the core plays: decisions a second of random play, one process, nothing else.

A decision is asking for the legal moves and making one of them. Seconds are
those of the processor, so that other programs disturb less.

    python bench/rules.py [--seconds 2] [--repeat 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from importlib.metadata import version
from random import Random
from statistics import median
from typing import Any

from sixtysix.rules import CLAIM, RULESETS, Deal, Ruleset

SEED = "rules"
PACKS = 1_000
GOOD_CLAIM = 66


def decisions_per_cpu_s(rules: Ruleset, seconds: float) -> tuple[float, float]:
    """Decisions and deals a second of CPU, in random play without false claims."""
    rng = Random(f"{SEED} {rules.name}")
    packs = [rng.sample(range(24), 24) for _ in range(PACKS)]
    draw = rng.random
    decisions = deals = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        deal = Deal(rules, packs[deals % PACKS], deals % 2)
        while deal.turn is not None:
            legal = deal.legal_moves()
            move = legal[int(draw() * len(legal))]
            if move == CLAIM and deal.points[deal.turn] < GOOD_CLAIM:
                move = legal[0]
            deal.play(move)
        decisions += deal.ply
        deals += 1
    return decisions / spent, deals / spent


def measure(seconds: float, repeat: int) -> dict[str, Any]:
    """All figures, the rule sets interleaved, medians of the runs."""
    runs = [
        {name: decisions_per_cpu_s(rules, seconds) for name, rules in RULESETS.items()}
        for _ in range(repeat)
    ]
    return {
        "seed": SEED,
        "repeat": repeat,
        "seconds_per_run": seconds,
        "rules": {
            name: {
                "decisions_per_cpu_s": round(median(run[name][0] for run in runs)),
                "deals_per_cpu_s": round(median(run[name][1] for run in runs)),
            }
            for name in RULESETS
        },
        "versions": {"sixtysix": version("sixtysix"), "python": platform.python_version()},
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures = measure(options.seconds, options.repeat)
    if options.json:
        print(json.dumps(figures))
        return
    print(f"medians of {options.repeat} runs, by CPU second")
    for name, found in figures["rules"].items():
        print(
            f"  {name:<11}{found['decisions_per_cpu_s']:>9,} decisions"
            f"{found['deals_per_cpu_s']:>8,} deals"
        )


if __name__ == "__main__":
    main()
