"""What happens in a simulated world: everything drawn from one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from simulation.bots import BotPlan, Upset
from simulation.network import WINDOW_BYTES, Wire
from simulation.players import Player
from simulation.storage import NAMES, Outage

from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.outcome import Fault
from sixtysix.rules import RULESETS, Ruleset

__all__ = ["Happening", "Scenario", "plain", "scenario_of"]

SLUG = "cup"


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that befalls the arena when a counter of the world reaches a number."""

    counter: str
    """`calls` to the store that begin, `called` that are done, `frames` out, `steps` of the loop"""
    at: int
    kind: str
    """To the arena `crash`, `power-cut`, `restart`, `block` of its loop, `stall` of its store,
    `outage`, `jump` of the wall clock; to its network `silence`, `partition`, `reset` of a stream;
    by the organiser `stop`, `extend`, `void`, `end`, `disable`; by others `export`."""
    seconds: float = 0.0
    which: int = 0
    """Of the games or bots: any number."""
    outage: Outage | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A world before it begins."""

    seed: int
    definition: TournamentDefinition
    validation: bool
    bots: tuple[BotPlan, ...]
    happenings: tuple[Happening, ...]
    store_s: tuple[float, float]
    """How long a call to the store takes."""
    checkpoint_ticks: int
    """Rows of the journal between two checkpoints."""
    downtime_s: float
    """How long it takes at most until a crashed arena is started again."""
    watched: bool
    """Whether somebody watches, as the command line does: that costs more than playing."""


def scenario_of(seed: int) -> Scenario:
    """The scenario of a seed."""
    rng = Random(f"scenario {seed}")
    clock = Clock(
        per_move_ms=rng.choice((500, 800, 1_500)),
        per_game_ms=rng.choice((120_000, 600_000)),
        grace_ms=rng.choice((800, 1_200, 2_000)),
        join_ms=rng.choice((1_500, 2_500)),
    )
    rules = _rules(rng)
    entrants = NAMES[: rng.choices((2, 3, 4, 5, 6), (780, 180, 30, 5, 5))[0]]
    if not rules.claims:
        entrants = entrants[:3]  # Nobody can end a deal early.
    definition = TournamentDefinition(
        name="Cup",
        slug=SLUG,
        rules=rules,
        games_per_pairing=rng.choices((2, 4), (19, 1))[0] if len(entrants) == 2 else 2,
        games_at_once=rng.choice((1, 2, 4)),
        entrants=entrants,
        practice_seed=f"seed {seed}",
        clock=clock,
    )
    # Each kind of trouble is there in some worlds and not in others, so that each is met alone too.
    troubled = {
        kind
        for kind, chance in (("bots", 0.4), ("network", 0.5), ("arena", 0.55), ("disk", 0.35))
        if rng.random() < chance
    }
    bots = tuple(_bot(rng, name, definition, troubled) for name in entrants)
    if sum(bool(bot.upsets) for bot in bots) > 1:
        # What one bot leaves undone may be all that another was still asked for: a bot that
        # hangs in one game, and is asked for nothing in others, loses all that it owes by then.
        bots = tuple(replace(bot, most_faults=None) if bot.hangs else bot for bot in bots)
    happenings: list[Happening] = []
    if "arena" in troubled:
        happenings += _arena_trouble(rng)
    if "disk" in troubled:
        happenings += _disk_trouble(rng)
    if "network" in troubled and rng.random() < 0.35:
        patience_s = min(clock.per_move_ms, clock.grace_ms) / 1_000
        # While nobody has noticed, the time is the bots': less than theirs for a move. What is
        # longer breaks the streams.
        kind, seconds = rng.choice(
            (("silence", 0.2 * patience_s), ("partition", 0.5), ("partition", 5.0))
        )
        happenings.append(Happening("frames", _progress(rng), kind, seconds))
    if "network" in troubled:
        for _ in range(rng.choice((0, 0, 1, 3))):
            happenings.append(Happening("frames", _progress(rng), "reset"))
    if rng.random() < 0.15:
        kind = rng.choice(("void", "void", "extend", "end", "disable"))
        counter = rng.choice(("calls", "frames"))
        happenings.append(Happening(counter, _progress(rng), kind, which=rng.randrange(100)))
    if rng.random() < 0.1:
        happenings.append(Happening("frames", _progress(rng), "export"))
    return Scenario(
        seed=seed,
        definition=definition,
        validation=rng.random() < 0.06,
        bots=bots,
        happenings=tuple(happenings),
        store_s=rng.choice(((0.0001, 0.0005), (0.0005, 0.004), (0.002, 0.03))),
        checkpoint_ticks=rng.choice((1, 2, 5, 20, 1_000)),
        downtime_s=rng.choice((0.01, 0.3, 1.0)),
        watched=rng.random() < 0.1,
    )


def plain(
    *,
    names: Sequence[str] = NAMES[:2],
    happenings: Sequence[Happening] = (),
    upsets: Mapping[str, Sequence[Upset]] = MappingProxyType({}),
    may_commit: Mapping[str, frozenset[Fault]] = MappingProxyType({}),
    style: str = "rash",
    join_at_s: Sequence[float] = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05),
) -> Scenario:
    """A small world without chance, in which nothing goes wrong but what is asked for."""
    clock = Clock(per_move_ms=1_000, per_game_ms=600_000, grace_ms=1_000, join_ms=2_000)
    return Scenario(
        seed=0,
        definition=TournamentDefinition(
            name="Cup",
            slug=SLUG,
            rules=RULESETS["last-trick"],
            games_per_pairing=2,
            games_at_once=2,
            entrants=tuple(names),
            practice_seed="42",
            clock=clock,
        ),
        validation=False,
        bots=tuple(
            BotPlan(
                name=name,
                player=Player(style, number),
                asks=False,
                games_at_once=8,
                think_s=(0.001, 0.001),
                one_by_one=False,
                wire=Wire(delay_s=0.001, jitter_s=0.0),
                join_at_s=join_at_s[number],
                pause_s=0.1,
                upsets=tuple(upsets.get(name, ())),
                may_commit=may_commit.get(name, frozenset()),
            )
            for number, name in enumerate(names)
        ),
        happenings=tuple(happenings),
        store_s=(0.0005, 0.001),
        checkpoint_ticks=10,
        downtime_s=0.1,
        watched=False,
    )


def _rules(rng: Random) -> Ruleset:
    name = rng.choices(tuple(RULESETS), (3, 3, 1, 3))[0]
    rules = RULESETS[name]
    if name == "doubling":
        return rules.with_options(target=rng.choice((7, 8)), agreed_six=rng.random() < 0.5)
    return rules


def _bot(rng: Random, name: str, definition: TournamentDefinition, troubled: set[str]) -> BotPlan:
    clock = definition.clock
    styles = ("rash", "hasty", "random", "greedy")
    weights = (5, 2, 1, 1) if definition.rules.claims else (0, 6, 1, 1)
    slow = rng.random() < 0.05
    think_s = (0.0, 0.002)
    if slow:
        think_s = (0.0, 0.3 * clock.per_move_ms / 1_000)
    wire = Wire(
        delay_s=rng.choice((0.0002, 0.002, 0.02)),
        jitter_s=rng.choice((0.0, 0.002, 0.02)),
        window_bytes=WINDOW_BYTES,
    )
    join_at_s = rng.random() * rng.choice((0.03, 0.3))
    plays_rules = True
    upsets: list[Upset] = []
    faults: set[Fault] = set()
    most_faults = None
    if "network" in troubled:
        upsets += [_mishap(rng, clock) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    if "bots" in troubled and rng.random() < 0.6:
        kind = rng.choice(tuple(_VICES))
        if kind == "absent":
            join_at_s = -1.0
        elif kind == "late":
            join_at_s = clock.join_ms / 1_000 * rng.choice((0.3, 0.6, 1.5, 2.5))
        elif kind == "other-rules":
            plays_rules = False
        else:
            upsets.append(_vice(rng, kind, clock))
        faults |= _VICES[kind]
        most_faults = 1 if kind in _ONE_GAME else None
        if kind == "late" and join_at_s * 1_000 < 0.7 * clock.join_ms:
            faults = set()
    upsets = list({upset.at_decision: upset for upset in upsets}.values())
    if any(upset.kind == "deaf" for upset in upsets):
        wire.window_bytes = 512
    return BotPlan(
        name=name,
        player=Player(rng.choices(styles, weights)[0], rng.randrange(1_000)),
        asks=rng.random() < 0.4,
        games_at_once=rng.choice((1, 2, 8)),
        think_s=think_s,
        one_by_one=rng.random() < 0.3,
        wire=wire,
        join_at_s=join_at_s,
        pause_s=0.1,
        plays_rules=plays_rules,
        upsets=tuple(upsets),
        may_commit=frozenset(faults),
        most_faults=most_faults,
    )


_AWAY = frozenset((Fault.DISCONNECT, Fault.TIMEOUT, Fault.NO_SHOW))
_VICES: dict[str, frozenset[Fault]] = {
    "absent": frozenset((Fault.NO_SHOW,)),
    "late": frozenset((Fault.NO_SHOW,)),
    "other-rules": frozenset((Fault.NO_SHOW, Fault.DISCONNECT)),
    "hang": frozenset((Fault.TIMEOUT,)),
    "hang-always": frozenset((Fault.TIMEOUT,)),
    "illegal": frozenset((Fault.ILLEGAL,)),
    "no-move": frozenset((Fault.MALFORMED,)),
    "flood": frozenset((Fault.FLOOD, Fault.TIMEOUT, Fault.DISCONNECT)),
    "storm": frozenset((Fault.DISCONNECT, Fault.TIMEOUT, Fault.LEFT, Fault.NO_SHOW)),
    "garbage": frozenset((Fault.MALFORMED,)),
    "oversize": frozenset((Fault.MALFORMED,)),
    "leave": frozenset((Fault.LEFT,)),
    "bye": frozenset((Fault.LEFT, Fault.DISCONNECT, Fault.NO_SHOW)),
    "cut": _AWAY,
    "half-open": _AWAY,
    "deaf": _AWAY,
}
"""What a bot may be to blame for, and the faults that this may count as."""


_ONE_GAME = frozenset(("hang", "illegal", "no-move", "leave"))
"""Vices that cost the game in which they are committed, and no other."""


def _vice(rng: Random, kind: str, clock: Clock) -> Upset:
    at = rng.choice((1, 2, 3, 5, 10, 30))
    grace_s = clock.grace_ms / 1_000
    seconds = rng.choice((-1.0, 1.5 * grace_s, 3.0 * grace_s))
    return Upset(kind, at, seconds, rng.randrange(1_000))


def _mishap(rng: Random, clock: Clock) -> Upset:
    """Something that is nobody's fault: the bot is back in good time."""
    kind = rng.choice(("cut", "cut", "half-open", "twice", "lag", "repeat", "stale"))
    at = rng.choice((1, 2, 3, 5, 8, 13, 21, 34))
    seconds = 0.4 * rng.random() * min(clock.grace_ms, clock.per_move_ms) / 1_000
    return Upset(kind, at, seconds, rng.choice((1, 2, 4)))


def _progress(rng: Random) -> int:
    """A moment by some counter: more often early, when a tournament is set up, than late."""
    return int(rng.choice((10, 40, 120, 400)) * rng.random())


def _arena_trouble(rng: Random) -> list[Happening]:
    happenings = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        kinds = ("crash", "power-cut", "restart", "stop", "block", "jump", "stall")
        kind = rng.choices(kinds, (10, 2, 2, 5, 2, 1, 1))[0]
        counter = rng.choice(("calls", "called", "frames", "steps"))
        at = _progress(rng) * (25 if counter == "steps" else 1)
        seconds = rng.choice((0.3, 3.0)) if kind == "block" else rng.choice((0.0, 0.0, 0.02, 0.4))
        happenings.append(Happening(counter, at, kind, seconds))
    return happenings


def _disk_trouble(rng: Random) -> list[Happening]:
    happenings = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        # Whoever has begun has the lock: only the beginning of a transaction finds it taken.
        error = rng.choice(("full", "busy", "ioerr"))
        calls = rng.choice((1, 1, 1, 2, 2, 4, 4, 40))
        outage = Outage(
            error=error,
            at="begin" if error == "busy" else rng.choice(("statement", "commit", "after")),
            calls=calls,
            statement=rng.choice((0, 1, 2, 5)),
            delay_s=rng.choice((0.0, 0.0, 0.0, 0.3, 1.0)) if calls < 10 else 0.0,
        )
        happenings.append(Happening("calls", _progress(rng), "outage", outage=outage))
    return happenings
