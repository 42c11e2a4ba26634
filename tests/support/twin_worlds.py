"""Twin worlds by the thousand: scenes drawn from a seed, and what one seat sees in each world."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import takewhile, zip_longest
from random import Random

from rules.players import RandomPlayer, random_pack
from rules.twins import twins
from support.twin_tables import (
    CLOCK,
    GAME,
    Probe,
    Scene,
    Seen,
    differing_bytes,
    seen_in,
)

from sixtysix.forced import forced_move
from sixtysix.record import DealRecord
from sixtysix.rules import RULESETS, Deal, Game, Move, Ruleset, ruleset
from sixtysix.v1 import play_pb2
from sixtysix_arena.sessions import MAX_FRAME_BYTES, MAX_FRAME_PARTS

__all__ = ["PHASES", "TWINS", "Difference", "Tally", "compare", "phase_of", "scene_of"]

TWINS = 4
"""Worlds that are compared with the one that a scene was played in."""
WORK_EVERY = 4
"""Lines are counted in one of so many scenes, since that takes its time."""
PHASES = ("open", "closed", "used up")
"""Of the talon. Once it is used up only the order in which the opponent drew is hidden."""
NO_MOVES = (36, 255, 2**32 - 1)
DIFFERENCES_KEPT = 5
PARTS_SHOWN = 4
BYTES_SHOWN_BEFORE = 80
BYTES_SHOWN = 160
"""Before and behind the first that differs."""


def rules_of(name: str, rng: Random) -> Ruleset:
    """A rule set, with any of its options."""
    if name != "doubling":
        return RULESETS[name]
    return ruleset(name, target=rng.choice((7, 8)), agreed_six=rng.choice((False, True)))


def phase_of(deal: Deal) -> str:
    """Where a deal is."""
    if deal.closed_by is not None:
        return "closed"
    return "open" if deal.talon_count else "used up"


def scene_of(rules_name: str, seed: str, number: int) -> tuple[Scene, Random]:
    """The scene with this number, and the generator for its worlds."""
    rng = Random(f"twin worlds {rules_name} {seed} {number}")
    while True:
        scene = _scene(rules_of(rules_name, rng), rng)
        if scene is not None:
            return scene, rng


def _scene(rules: Ruleset, rng: Random) -> Scene | None:
    """A scene of a deal, or None if nobody is asked anything in it."""
    wants = rng.random() < 0.5, rng.random() < 0.5
    game = Game(rules, rng.randrange(2))
    before: list[DealRecord] = []
    while rng.random() < 0.4 and not game.over:
        finished, _ = _played_out(game, wants, rng)
        before.append(_record(len(before), finished))
        assert finished.result is not None
        game.add(finished.result)
    if game.over:
        return None
    deal, asked = _played_out(game, wants, rng)
    if not asked:
        return None
    phase = rng.choice(sorted({phase for _, phase in asked}))
    ply = rng.choice([ply for ply, at in asked if at == phase])
    so_far = Deal(rules, deal.pack, deal.dealer)
    for move in deal.moves[:ply]:
        so_far.play(move)
    assert so_far.turn is not None
    on_turn = rng.random() < 0.75
    seat = so_far.turn if on_turn else 1 - so_far.turn
    think_ms = [rng.randrange(40) for _ in range(ply + 1)]
    # What it does is drawn from what it knows, so that it is the same in all worlds.
    probe = rng.choice(_probes(so_far, seat, len(before), rng))
    return Scene(so_far, seat, wants, think_ms, before, probe, restarts=rng.random() < 0.2)


def _played_out(
    game: Game, wants: tuple[bool, bool], rng: Random
) -> tuple[Deal, list[tuple[int, str]]]:
    """A whole deal, and the plies at which a bot was asked, each with its phase."""
    deal = game.deal(random_pack(rng))
    players = [RandomPlayer(rng), RandomPlayer(rng)]
    asked = []
    while deal.turn is not None:
        move: Move | None = forced_move(deal, wants[deal.turn])
        if move is None:
            asked.append((deal.ply, phase_of(deal)))
            move = players[deal.turn].choose(deal)
        deal.play(move)
    return deal, asked


def _record(number: int, deal: Deal) -> DealRecord:
    moves = tuple(deal.moves)
    return DealRecord(
        number, deal.dealer, deal.pack, moves, tuple(0 for _ in moves), result=deal.result
    )


def _probes(deal: Deal, seat: int, number: int, rng: Random) -> list[Probe]:
    def answer(move: int | None, deal_number: int = number, ply: int = deal.ply) -> bytes:
        sent = play_pb2.Answer(game=GAME, deal=deal_number, ply=ply, move=move, comment="why not")
        return play_pb2.BotFrame(answers=[sent]).SerializeToString()

    def leave(game: int, reason: play_pb2.LeaveReason) -> bytes:
        gone = play_pb2.Leave(game=game, reason=reason)
        return play_pb2.BotFrame(leaves=[gone]).SerializeToString()

    stale = [
        answer(0, ply=deal.ply + 1),
        answer(0, deal_number=number + 1),
        play_pb2.BotFrame(answers=[play_pb2.Answer(game=GAME + 1, move=1)]).SerializeToString(),
    ]
    many = play_pb2.BotFrame(answers=[play_pb2.Answer(game=1)] * (MAX_FRAME_PARTS + 1))
    slow = CLOCK.per_move_ms + 1.0
    probes = [
        Probe("stale", stale),
        Probe("garbage", [b"\xff\xff\xff"]),
        Probe("oversize", [bytes(MAX_FRAME_BYTES + 1)]),
        Probe("too many answers", [many.SerializeToString()]),
        Probe("raised", [leave(GAME, play_pb2.LEAVE_REASON_BOT_RAISED)]),
        Probe("resigned", [leave(GAME, play_pb2.LEAVE_REASON_RESIGNED)]),
        Probe("leaves another's game", [leave(GAME + 1, play_pb2.LEAVE_REASON_RESIGNED)]),
        Probe("goodbye", [play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString()]),
        Probe("rejoins", [None, 5.0, None]),
    ]
    if deal.turn != seat:
        return [*probes, Probe("out of turn", [answer(0), None, answer(35)])]
    legal = deal.legal_moves()
    illegal = [code for code in (*range(36), *NO_MOVES) if code not in legal]
    probes += [
        Probe("no move", [answer(None)]),
        Probe("silent", [slow]),
        Probe("silent and away", [None, 5.0, slow, None]),
        Probe("garbage after a rejoin", [None, b"\xff\xff\xff", None]),
    ]
    # Every other time a move of each kind that is not legal now.
    return probes + [Probe("illegal", [answer(code)]) for code in rng.sample(illegal, len(probes))]


@dataclass(frozen=True)
class Difference:
    """A world in which the seat saw something else."""

    rules: str
    seed: str
    number: int
    probe: str
    byte_count: int
    where: frozenset[str]
    """In which of the fields of `Seen`."""
    parts: Sequence[tuple[bytes, bytes]]

    def __str__(self) -> str:
        lines = [
            f"{self.rules}, seed {self.seed}, scene {self.number} ({self.probe}):"
            f" {self.byte_count} bytes of {', '.join(sorted(self.where))} differ"
        ]
        for one, other in self.parts[:PARTS_SHOWN]:
            alike = (a == b for a, b in zip(one, other, strict=False))
            same = sum(takewhile(bool, alike))
            part = slice(max(0, same - BYTES_SHOWN_BEFORE), same + BYTES_SHOWN)
            lines += [f"  one world  {one[part]!r}", f"  another    {other[part]!r}"]
        again = f"{self.rules} --seed {self.seed} --scene {self.number}"
        return "\n".join([*lines, f"  again: make twins ARGS='{again}'"])


@dataclass
class Tally:
    """What was compared, counted by phase; `add` puts two of them together."""

    worlds: Counter[str] = field(default_factory=Counter)
    """Worlds other than the one that a scene was played in."""
    other_hand: Counter[str] = field(default_factory=Counter)
    """Those in which the opponent holds other cards."""
    other_talon: Counter[str] = field(default_factory=Counter)
    """Those in which other cards are drawn next, or in another order."""
    comparable_work: Counter[str] = field(default_factory=Counter)
    """Those in which lines were counted, and the opponent was asked at the same plies."""
    same_work: Counter[str] = field(default_factory=Counter)
    """Those of them in which just as many lines ran for each decision of the seat."""
    probes: Counter[str] = field(default_factory=Counter)
    """Worlds by what the seat did at last, not by phase."""
    forced_apart: int = 0
    """Worlds left out, since the referee goes on in them where it asks in the other."""
    differing: int = 0
    """Worlds in which the seat saw something else."""
    differing_bytes: int = 0
    differences: list[Difference] = field(default_factory=list)
    """The first of them."""

    def add(self, other: Tally) -> None:
        """Takes in what somebody else compared."""
        for each in fields(Tally):
            mine, more = getattr(self, each.name), getattr(other, each.name)
            setattr(self, each.name, mine + more)
        del self.differences[DIFFERENCES_KEPT:]

    def note(self, scene: Scene, twin: Deal, expected: Seen, seen: Seen) -> None:
        """Counts one world."""
        phase, opponent = phase_of(scene.deal), 1 - scene.seat
        self.worlds[phase] += 1
        self.probes[scene.probe.name] += 1
        self.other_hand[phase] += twin.hand(opponent) != scene.deal.hand(opponent)
        self.other_talon[phase] += twin.talon() != scene.deal.talon()
        if expected.lines and seen.asked == expected.asked:
            self.comparable_work[phase] += 1
            self.same_work[phase] += seen.lines == expected.lines

    def note_difference(self, difference: Difference) -> None:
        """Counts a world in which the seat saw something else."""
        self.differing += 1
        self.differing_bytes += difference.byte_count
        if len(self.differences) < DIFFERENCES_KEPT:
            self.differences.append(difference)


def compare(rules_name: str, seed: str, numbers: Iterable[int]) -> Tally:
    """Compares the worlds of the scenes with these numbers."""
    return asyncio.run(_compare(rules_name, seed, numbers))


async def _compare(rules_name: str, seed: str, numbers: Iterable[int]) -> Tally:
    tally = Tally()
    for number in numbers:
        scene, rng = scene_of(rules_name, seed, number)
        expected: Seen | None = None
        for twin in twins(scene.deal, scene.seat, rng, TWINS):
            if twin.pack == scene.deal.pack:
                continue
            if _goes_on(scene, twin):
                tally.forced_apart += 1
                continue
            counts_lines = number % WORK_EVERY == 0
            if expected is None:
                expected = await seen_in(scene, scene.deal, counts_lines=counts_lines)
            seen = await seen_in(scene, twin, counts_lines=counts_lines)
            tally.note(scene, twin, expected, seen)
            if seen.parts != expected.parts:
                tally.note_difference(
                    Difference(
                        rules_name,
                        seed,
                        number,
                        scene.probe.name,
                        differing_bytes(expected, seen),
                        frozenset(
                            name
                            for name in ("frames", "stored", "shown")
                            if getattr(seen, name) != getattr(expected, name)
                        ),
                        _apart(expected, seen),
                    )
                )
    return tally


def _goes_on(scene: Scene, twin: Deal) -> bool:
    """Whether the opponent, who is asked in the scene, has no choice in this world."""
    turn = twin.turn
    if turn is None or turn == scene.seat:
        return False
    return forced_move(twin, scene.wants_question[turn]) is not None


def _apart(one: Seen, other: Seen) -> list[tuple[bytes, bytes]]:
    pairs = zip_longest(one.parts, other.parts, fillvalue=b"")
    return [(a, b) for a, b in pairs if a != b]
