"""Rows of the fault table in worlds whose time, network, disk and crashes are in a test's hands.

What a world has to come to in any case is checked for each (`simulation.checker`):
above all, that nobody pays who is not to blame, and that every game goes as it
would have gone undisturbed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from simulation.bots import Upset
from simulation.checker import check
from simulation.scenario import Happening, Scenario, plain
from simulation.storage import Outage, disk_in_use
from simulation.world import World

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import ActionKind
from sixtysix_arena.store import DataFolder

# Worlds take what a machine has to give; each bounds itself in its own time.
pytestmark = pytest.mark.timeout(900)

AWAY = frozenset((Fault.DISCONNECT, Fault.TIMEOUT))
NEVER = -1.0


class Told:
    """What came of a world."""

    def __init__(self, scenario: Scenario) -> None:
        world = World(scenario)
        try:
            with disk_in_use(world.disk):
                world.run()
                check(world)
                with DataFolder.open(world.data, create=False).open_reader() as reader:
                    stored = reader.outcomes("cup")
                    games = reader.games("cup")
                    self.ended = any(
                        action.kind is ActionKind.ENDED for action in reader.actions("cup")
                    )
        finally:
            world.close()
        self.outcomes: dict[tuple[str, str], list[GameOutcome]] = {}
        for game in games:
            self.outcomes.setdefault(game.entrants, []).append(stored[game.number])
        self.wrongs = world.witness.wrongs
        self.board = world.board
        self.lives = world.lives
        self.virtual_s = world.loop.time()
        self.counts = world.counts

    def ends(self, *pair: str) -> list[tuple[GameEnd, Fault | None]]:
        """How the games of a pairing ended."""
        return [(outcome.end, outcome.fault) for outcome in self.outcomes[pair[0], pair[1]]]


@cache
def undisturbed(*names: str) -> Told:
    """The world in which nothing goes wrong."""
    told = Told(plain(names=names))
    assert not told.wrongs
    return told


def right(scenario: Scenario) -> Told:
    """A world that ends right."""
    told = Told(scenario)
    assert not told.wrongs, "\n".join(told.wrongs)
    return told


def test_fault_row_25_a_game_whose_bots_are_both_away_is_void_and_the_others_are_lost() -> None:
    gone = [Upset("cut", 3, NEVER)]
    told = right(
        plain(
            names=("ada", "bob", "cid"),
            upsets={"ada": gone, "bob": gone},
            may_commit={"ada": AWAY, "bob": AWAY},
        )
    )
    assert [end for end, _ in told.ends("ada", "bob")] == [GameEnd.VOID] * 2
    for pair, absent in ((("ada", "cid"), 0), (("bob", "cid"), 0)):
        assert told.ends(*pair) == [(GameEnd.FORFEIT, Fault.DISCONNECT)] * 2
        assert all(outcome.winner == 1 - absent for outcome in told.outcomes[pair])


def test_fault_row_33_a_partition_of_a_minute_costs_nobody_anything() -> None:
    names = ("ada", "bob", "cid")
    calm = undisturbed(*names)
    frames = calm.counts["frames"]
    for at in (frames // 4, frames // 2):
        told = right(plain(names=names, happenings=[Happening("frames", at, "partition", 60.0)]))
        assert told.virtual_s > 60
        assert told.board == calm.board


def test_fault_row_33_who_is_not_back_a_grace_after_the_first_is_charged() -> None:
    names = ("ada", "bob", "cid")
    late = Upset("cut", 4, 60.5)
    gone = Upset("cut", 4, 65.0)
    told = right(
        plain(
            names=names,
            happenings=[Happening("frames", 24, "partition", 60.0)],
            upsets={"bob": [late], "cid": [gone]},
            may_commit={"bob": AWAY, "cid": AWAY},
        )
    )
    faults = {
        name: [
            outcome.fault
            for pair, outcomes in told.outcomes.items()
            for outcome in outcomes
            if name in pair and outcome.winner is not None and pair[1 - outcome.winner] == name
        ]
        for name in names
    }
    assert Fault.DISCONNECT in faults["cid"]
    assert not set(faults["ada"]) - {None}


def test_fault_row_33_all_bots_gone_for_good_are_waited_for_until_the_organiser_ends() -> None:
    gone = [Upset("cut", 3, NEVER)]
    told = right(plain(upsets={"ada": gone, "bob": gone}, may_commit={"ada": AWAY, "bob": AWAY}))
    assert told.ended
    assert [end for end, _ in told.ends("ada", "bob")] == [GameEnd.VOID] * 2


OUTAGES = (
    Outage("busy", "begin", calls=1),
    Outage("busy", "begin", calls=3, delay_s=10.0),
    Outage("full", "statement", calls=1, statement=0),
    Outage("ioerr", "statement", calls=2, statement=1),
    Outage("full", "commit", calls=1),
    Outage("ioerr", "after", calls=1),
    Outage("ioerr", "after", calls=3, delay_s=1.0),
)


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda outage: f"{outage.error}-{outage.at}")
def test_fault_row_74_any_single_call_of_the_store_fails(outage: Outage) -> None:
    calm = undisturbed("ada", "bob")
    wrong = _swept(
        calm, [Happening("calls", at, "outage", outage=outage) for at in _some(calm, "calls")]
    )
    assert not wrong, "\n".join(wrong)


def test_fault_row_74_any_single_write_to_a_stream_fails() -> None:
    calm = undisturbed("ada", "bob")
    wrong = _swept(calm, [Happening("frames", at, "reset") for at in _some(calm, "frames")])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("counter", ["calls", "called"])
def test_fault_rows_38_to_42_killed_before_or_after_each_commit(counter: str) -> None:
    calm = undisturbed("ada", "bob")
    wrong = _swept(calm, [Happening(counter, at, "crash") for at in _some(calm, counter)])
    assert not wrong, "\n".join(wrong)


def test_fault_row_43_stopped_at_any_moment_and_started_again() -> None:
    calm = undisturbed("ada", "bob")
    wrong = _swept(calm, [Happening("calls", at, "restart", 0.01) for at in _some(calm, "calls")])
    assert not wrong, "\n".join(wrong)


def _some(calm: Told, counter: str) -> list[int]:
    """All from the start of a small world until it plays, and every third from then on."""
    count = calm.counts[counter]
    assert count > 20
    return [*range(1, 15), *range(15, count + 1, 3)]


def _swept(calm: Told, happenings: Sequence[Happening]) -> list[str]:
    """What is wrong with the worlds in which one of these happens, in each another one."""
    wrong = []
    for happening in happenings:
        told = Told(plain(happenings=[happening]))
        wrong += [f"{happening}: {text}" for text in told.wrongs]
        if told.board != calm.board:
            wrong.append(f"{happening}: the board differs")
    return wrong
