"""Worlds in which something was found, each family with what it was.

They are small and go through every moment of one kind, so they find the same
again whatever becomes of the scenarios that follow from seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from simulation.bots import Upset
from simulation.scenario import Happening, Scenario, plain
from simulation.storage import Outage

from sixtysix.outcome import Fault

__all__ = ["FAMILIES"]


def joining_while_the_tournament_is_started() -> Iterator[Scenario]:
    """A bot was admitted before its tournament was there and seated after: without a version."""
    for number in range(50, 90):
        scenario = plain(join_at_s=(number * 0.0025, 0.3))
        yield replace(scenario, seed=number, store_s=(0.001, 0.03))


def an_outage_while_bots_join() -> Iterator[Scenario]:
    """Bots that could not join for want of a store were no-shows, or had joined too often.

    And a start that failed halfway left a tournament that nobody ever began.
    """
    for at in range(1, 12):
        for calls in (1, 3, 60):
            outage = Outage("busy", "begin", calls=calls)
            yield plain(happenings=[Happening("calls", at, "outage", outage=outage)])


def stopping_the_program_while_it_starts() -> Iterator[Scenario]:
    """A tournament that was started while its arena stopped charged bots that could not join."""
    for at in range(1, 15):
        yield plain(happenings=[Happening("calls", at, "restart", 0.02)])


def stopping_a_tournament() -> Iterator[Scenario]:
    """Nothing was found, but would be if a stop did not wait for the tick that is under way."""
    for at in range(4, 70):
        yield plain(happenings=[Happening("calls", at, "stop", 0.0)])


def a_void_game_after_a_restart() -> Iterator[Scenario]:
    """A game could not be made void if all games of its two bots were over at the last start."""
    names = ("ada", "bob", "cid")
    for which in range(6):
        for at in (90, 110, 130):
            yield plain(
                names=names,
                happenings=[
                    Happening("calls", at - 30, "restart", 0.01),
                    Happening("calls", at, "void", which=which),
                ],
            )


def a_goodbye_before_a_partition() -> Iterator[Scenario]:
    """When one bot had just said goodbye, those that were cut off after it were charged."""
    for at in range(15, 60, 5):
        yield plain(
            names=("ada", "bob", "cid"),
            upsets={"ada": [Upset("bye", 2, 100.0)]},
            may_commit={"ada": frozenset((Fault.LEFT,))},
            happenings=[Happening("frames", at, "partition", 5.0)],
        )


def a_write_that_fails() -> Iterator[Scenario]:
    """The end of a stream under a frame was logged as a mistake of the arena's own."""
    for at in range(1, 30, 3):
        yield plain(happenings=[Happening("frames", at, "reset")])


def a_store_that_works_before_it_is_tried_again() -> Iterator[Scenario]:
    """Clocks ran while a write waited to be tried again, if another was stored meanwhile."""
    outage = Outage("busy", "begin", calls=1)
    for at in range(12, 20):
        scenario = plain(
            upsets={"ada": [Upset("hang", 3)]},
            may_commit={"ada": frozenset((Fault.TIMEOUT,))},
            happenings=[Happening("calls", at, "outage", outage=outage)],
        )
        bots = (replace(bot, think_s=(0.1, 0.1), most_faults=1) for bot in scenario.bots)
        yield replace(scenario, bots=tuple(bots))


def a_crash_while_the_network_is_cut() -> Iterator[Scenario]:
    """Bots of which none could come back after a restart were charged with it, all at once."""
    for at in range(10, 40, 6):
        cut = Happening("frames", at, "partition", 8.0)
        yield plain(happenings=[cut, Happening("frames", at + 1, "crash", 0.02)])


def a_power_cut_while_the_network_is_cut() -> Iterator[Scenario]:
    """That there was a tournament at all was lost with the power."""
    for at in (15, 20, 25):
        cut = Happening("frames", at, "partition", 8.0)
        yield plain(happenings=[cut, Happening("frames", at + 1, "power-cut", 0.02)])


def an_end_that_is_stored_by_a_disk_that_fails() -> Iterator[Scenario]:
    """Play went on, since the call had failed, in games that were void already."""
    outage = Outage("full", "after", calls=1)
    for at in range(6, 30, 5):
        yield plain(
            names=("ada", "bob", "cid"),
            happenings=[
                Happening("calls", at, "end"),
                Happening("calls", at + 1, "outage", outage=outage),
            ],
        )


FAMILIES = (
    joining_while_the_tournament_is_started,
    an_outage_while_bots_join,
    stopping_the_program_while_it_starts,
    stopping_a_tournament,
    a_void_game_after_a_restart,
    a_goodbye_before_a_partition,
    a_write_that_fails,
    a_store_that_works_before_it_is_tried_again,
    a_crash_while_the_network_is_cut,
    a_power_cut_while_the_network_is_cut,
    an_end_that_is_stored_by_a_disk_that_fails,
)
