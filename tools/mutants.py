"""Breaks the core one small change at a time, and says which changes no test notices.

    make mutants        (some minutes)

Each change is made in a copy of the sources; the tests of the core must fail.
Exit code 1 and a list if one did not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = "sdk/sixtysix/rules/"
RULE_TESTS = ("tests/rules", "tests/golden")
SHUFFLE_TESTS = ("tests/sdk/test_shuffle.py",)
RATING_TESTS = ("tests/arena/test_ratings.py", "tests/arena/test_standings.py")
SCHEDULE_TESTS = ("tests/arena/test_schedule.py",)
WORKERS = 2
TIMEOUT_S = 300


@dataclass(frozen=True)
class Mutant:
    """One change: `old`, which stands in the file, becomes `new` at its first place."""

    path: str
    old: str
    new: str
    tests: tuple[str, ...] = RULE_TESTS


MUTANTS = (
    # What a card is worth and what takes a trick.
    Mutant(
        RULES + "cards.py",
        "RANK_POINTS = (0, 2, 3, 4, 10, 11)",
        "RANK_POINTS = (0, 2, 3, 4, 11, 10)",
    ),
    Mutant(RULES + "cards.py", "return reply > lead", "return reply >= lead - 1"),
    Mutant(RULES + "cards.py", "return reply // 6 == trump_suit", "return False"),
    # The rule sets.
    Mutant(RULES + "ruleset.py", "close_min_talon=5", "close_min_talon=7"),
    Mutant(RULES + "ruleset.py", "close_min_talon=2", "close_min_talon=3"),
    Mutant(RULES + "ruleset.py", "close_min_talon=3", "close_min_talon=2"),
    Mutant(
        RULES + "ruleset.py",
        "close_before_opponents_lead=True",
        "close_before_opponents_lead=False",
    ),
    Mutant(RULES + "ruleset.py", "close_after_first_trick=True", "close_after_first_trick=False"),
    Mutant(
        RULES + "ruleset.py",
        "exchange=Exchange.AFTER_FIRST_TRICK",
        "exchange=Exchange.AFTER_OWN_TRICK",
    ),
    Mutant(
        RULES + "ruleset.py",
        "exchange=Exchange.AFTER_OWN_TRICK",
        "exchange=Exchange.AFTER_FIRST_TRICK",
    ),
    Mutant(RULES + "ruleset.py", "marriage_needs_trick=True", "marriage_needs_trick=False"),
    Mutant(RULES + "ruleset.py", "last_trick_bonus=10", "last_trick_bonus=0"),
    Mutant(RULES + "ruleset.py", "nothing=Nothing.NO_POINTS", "nothing=Nothing.NO_TRICK"),
    Mutant(RULES + "ruleset.py", "nothing=Nothing.NO_TRICK", "nothing=Nothing.NO_POINTS"),
    Mutant(RULES + "ruleset.py", "both_66=Both66.DRAWN_AT_ONCE", "both_66=Both66.DRAWN_AT_END"),
    Mutant(RULES + "ruleset.py", "both_66=Both66.FIRST_WINS", "both_66=Both66.DRAWN_AT_END"),
    Mutant(RULES + "ruleset.py", "both_66=Both66.LAST_TRICK_WINS", "both_66=Both66.DRAWN_AT_END"),
    Mutant(RULES + "ruleset.py", "last_trick_decides=True", "last_trick_decides=False"),
    Mutant(RULES + "ruleset.py", "dealers_alternate=True", "dealers_alternate=False"),
    Mutant(RULES + "ruleset.py", "target=7", "target=8"),
    Mutant(RULES + "ruleset.py", "FALSE_CLAIM_POINTS = 3", "FALSE_CLAIM_POINTS = 2"),
    Mutant(RULES + "ruleset.py", "HALF = 33", "HALF = 34"),
    Mutant(RULES + "ruleset.py", "WINNING_POINTS = 66", "WINNING_POINTS = 65"),
    Mutant(RULES + "ruleset.py", "DEAL_LIMIT = 200", "DEAL_LIMIT = 201"),
    # What a deal pays.
    Mutant(RULES + "scoring.py", "pays = max(pays, _failed_close(rules, tally))", "pays = pays"),
    Mutant(
        RULES + "scoring.py", "if tally.closed_by == claimer:", "if tally.closed_by is not None:"
    ),
    Mutant(
        RULES + "scoring.py",
        "return 1 + _ordinary(rules, tally, loser=closer)",
        "return 1 + _ordinary(rules, tally, loser=other)",
    ),
    Mutant(
        RULES + "scoring.py", "if tally.tricks[closer] == 0 or", "if tally.points[closer] == 0 or"
    ),
    Mutant(
        RULES + "scoring.py",
        "rules.agreed_six and tally.tricks[other] == 0",
        "rules.agreed_six and tally.tricks[other] == 9",
    ),
    Mutant(RULES + "scoring.py", "return 2 * _ordinary", "return 1 * _ordinary"),
    Mutant(RULES + "scoring.py", "return max(own_state, ", "return min(own_state, "),
    Mutant(
        RULES + "scoring.py",
        "return 1 if tally.points[loser] >= HALF else 2",
        "return 1 if tally.points[loser] > HALF else 2",
    ),
    Mutant(
        RULES + "scoring.py",
        "return _won(tally, last_trick, 1, DealEnd.LAST_TRICK)",
        "return _won(tally, 1 - last_trick, 1, DealEnd.LAST_TRICK)",
    ),
    # The way of a deal.
    Mutant(RULES + "deal.py", "points = 40 if card // 6 == self.trump_suit else 20", "points = 20"),
    Mutant(RULES + "deal.py", "self.pending[winner] = 0", "pass"),
    Mutant(
        RULES + "deal.py",
        "if not self.strict:\n            self._draw(winner)",
        "if self.talon_count:\n            self._draw(winner)",
    ),
    Mutant(
        RULES + "deal.py",
        "self._hands[winner] |= 1 << first",
        "self._hands[1 - winner] |= 1 << first",
    ),
    Mutant(
        RULES + "deal.py",
        "return same_suit or hand & SUIT_CARDS[self.trump_suit] or hand",
        "return same_suit or hand",
    ),
    Mutant(RULES + "deal.py", "self._shown[1 - winner] |= 1 << second", "pass"),
    Mutant(RULES + "deal.py", "self._shown[seat] |= 1 << taken", "pass"),
    Mutant(RULES + "deal.py", "self._shown[seat] |= 1 << partner & self._hands[seat]", "pass"),
    Mutant(RULES + "deal.py", "self.closed_by = self.turn", "self.closed_by = self.leader"),
    Mutant(RULES + "deal.py", "if self._first_to_66 is None:", "if True:"),
    Mutant(RULES + "deal.py", "cards_of(self._shown[1 - seat])", "cards_of(self._shown[seat])"),
    Mutant(RULES + "deal.py", "else self._legal & ~CLAIM_BIT", "else self._legal"),
    Mutant(
        RULES + "deal.py",
        "forehand if place % 2 == 0 else dealer",
        "dealer if place % 2 == 0 else forehand",
    ),
    Mutant(RULES + "game.py", "self.dealer = winner", "self.dealer = 1 - winner"),
    Mutant(
        RULES + "game.py",
        "max(self.score) >= self.ruleset.target",
        "max(self.score) > self.ruleset.target",
    ),
    Mutant(RULES + "view.py", "seen |= 1 << lead_card(self.led)", "pass"),
    Mutant(RULES + "view.py", "seen |= 1 << self.trump_card", "pass"),
    # Deals that anyone can check.
    Mutant("sdk/sixtysix/shuffle.py", "sixtysix/commit/v1", "sixtysix/commit/v2", SHUFFLE_TESTS),
    Mutant("sdk/sixtysix/shuffle.py", "sixtysix/seed/v1", "sixtysix/seed/v2", SHUFFLE_TESTS),
    Mutant("sdk/sixtysix/shuffle.py", "sixtysix/shuffle/v1", "sixtysix/shuffle/v2", SHUFFLE_TESTS),
    # The schedule and the ratings.
    Mutant("arena/sixtysix_arena/schedule.py", "self.game_index % 2", "0", SCHEDULE_TESTS),
    Mutant("arena/sixtysix_arena/ratings.py", "TAU = 0.0", "TAU = 25 / 300", RATING_TESTS),
    Mutant(
        "arena/sixtysix_arena/ratings.py",
        "DRAW_PROBABILITY = 0.001",
        "DRAW_PROBABILITY = 0.1",
        RATING_TESTS,
    ),
    Mutant("arena/sixtysix_arena/ratings.py", "BETA = 25 / 6", "BETA = 25 / 3", RATING_TESTS),
    Mutant(
        "arena/sixtysix_arena/ratings.py",
        "self.mu - 3 * self.sigma",
        "self.mu - 2 * self.sigma",
        RATING_TESTS,
    ),
)


def survives(mutant: Mutant) -> bool:
    """Whether the tests pass with this change."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for source in ("sdk", "arena", "sample_bots/sixtysix_bots"):
            shutil.copytree(
                ROOT / source, copy / source, ignore=shutil.ignore_patterns("__pycache__")
            )
        path = copy / mutant.path
        text = path.read_text(encoding="utf-8")
        if mutant.old not in text:
            raise SystemExit(f"{mutant.path} does not hold {mutant.old!r}: update tools/mutants.py")
        path.write_text(text.replace(mutant.old, mutant.new, 1), encoding="utf-8")
        sources = [str(copy / name) for name in ("sdk", "arena", "sample_bots")]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sources),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    return done.returncode == 0


def main() -> int:
    """Tries them all."""
    with ThreadPoolExecutor(WORKERS) as pool:
        alive = [
            mutant
            for mutant, survived in zip(MUTANTS, pool.map(survives, MUTANTS), strict=True)
            if survived
        ]
    for mutant in alive:
        print(f"not noticed: {mutant.path}: {mutant.old!r} as {mutant.new!r}")
    print(f"{len(MUTANTS) - len(alive)} of {len(MUTANTS)} changes were noticed")
    return 1 if alive else 0


if __name__ == "__main__":
    raise SystemExit(main())
