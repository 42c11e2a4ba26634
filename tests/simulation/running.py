"""Running seeds, and telling what came of them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from simulation.checker import Figures, check
from simulation.loop import Hang
from simulation.scenario import Scenario, scenario_of
from simulation.storage import disk_in_use
from simulation.world import Broken, World

__all__ = ["Run", "reproduce", "run_scenario", "run_seed"]

WORLDS_BETWEEN_COLLECTIONS = 20
_run_count = 0


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a world, or of many."""

    seed: int
    wrongs: tuple[str, ...]
    """Empty if all was right."""
    figures: Figures
    decisions: int
    """Decisions that were asked, repetitions left out."""
    lives: int
    """Arenas that were started."""
    virtual_s: float

    @classmethod
    def nothing(cls) -> Run:
        """To add others to."""
        return cls(-1, (), Figures(), 0, 0, 0.0)

    def plus(self, other: Run) -> Run:
        """Both together, whatever went wrong left out."""
        return Run(
            -1,
            (),
            self.figures.plus(other.figures),
            self.decisions + other.decisions,
            self.lives + other.lives,
            self.virtual_s + other.virtual_s,
        )

    @property
    def summary(self) -> str:
        """The figures in words."""
        figures = self.figures
        return (
            f"{figures.games:,} games, {figures.forfeits:,} forfeited, {figures.void:,} void;"
            f" {figures.deals:,} deals, {self.decisions:,} decisions; {self.lives:,} arenas;"
            f" {self.virtual_s:,.0f} virtual seconds"
        )


def reproduce(seed: int) -> str:
    """The command that runs a seed again and tells what happens in it."""
    return f"tools/simulate.py --seed {seed}"


def run_seed(seed: int, trace: Callable[[str], object] | None = None) -> Run:
    """Runs the world of a seed."""
    return run_scenario(scenario_of(seed), trace)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leaves rubbish for later: looking for it among all modules takes a tenth of the time."""
    global _run_count
    _run_count += 1
    if _run_count % WORLDS_BETWEEN_COLLECTIONS == 0:
        gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def run_scenario(scenario: Scenario, trace: Callable[[str], object] | None = None) -> Run:
    """Runs a world."""
    world = World(scenario, trace)
    figures = Figures()
    try:
        with disk_in_use(world.disk), _uncollected():
            try:
                world.run()
            except Hang as error:
                world.witness.wrong(f"it hangs: {error}")
                world.abandon()
            except Broken as error:
                world.witness.wrong(str(error))
                world.abandon()
            else:
                world.disk.outages.clear()
                figures = check(world)
        return Run(
            scenario.seed,
            tuple(world.witness.wrongs),
            figures,
            world.witness.decision_count,
            world.lives,
            world.loop.time(),
        )
    finally:
        world.close()
