"""Simulated bots: what they do with their streams, by plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import grpc
from simulation.network import Frame, Link, Wire
from simulation.players import Player
from simulation.storage import token_of

from sixtysix import wire
from sixtysix.outcome import Fault
from sixtysix.rules import RULESETS
from sixtysix.v1 import play_pb2

if TYPE_CHECKING:
    from simulation.world import World

__all__ = ["TRIALS_FROM", "VERSION", "BotPlan", "SimulatedBot", "Upset"]

VERSION = "1"
"""What every bot says of itself."""
TRIALS_FROM = 2**62
"""Numbers of trials on streams; they begin anew with each start of an arena."""

REFUSALS = frozenset(
    (
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNIMPLEMENTED,
    )
)
_COMES_BACK = frozenset(
    (
        play_pb2.BYE_REASON_STOPPING,
        play_pb2.BYE_REASON_MALFORMED,
        play_pb2.BYE_REASON_STUCK,
    )
)


@dataclass(frozen=True, slots=True)
class Upset:
    """Something that a bot does, or that befalls it, at one of its decisions."""

    kind: str
    at_decision: int
    """Counted from 1 over the whole run, trials left out."""
    seconds: float = 0.0
    """How long it takes, or after how long the bot is back; negative: never."""
    count: int = 0


@dataclass(frozen=True, slots=True)
class BotPlan:
    """One bot of a scenario."""

    name: str
    player: Player
    asks: bool
    games_at_once: int
    think_s: tuple[float, float]
    one_by_one: bool
    wire: Wire
    join_at_s: float
    """Negative: it never joins."""
    pause_s: float
    """Between two tries to join."""
    plays_rules: bool = True
    upsets: tuple[Upset, ...] = ()
    may_commit: frozenset[Fault] = field(default_factory=frozenset)
    """The faults that it may be charged with; empty if it is not to blame for anything."""
    most_faults: int | None = None
    """How many games these may cost it at most."""

    @property
    def is_blameless(self) -> bool:
        return not self.may_commit

    @property
    def hangs(self) -> bool:
        return any(upset.kind == "hang" for upset in self.upsets)


class SimulatedBot:
    """A bot on the simulated network: no task of its own, only callbacks."""

    def __init__(self, world: World, plan: BotPlan, number: int) -> None:
        self.plan = plan
        self._world = world
        self._loop = world.loop
        self._number = number
        self._rng = Random(f"{world.scenario.seed} {plan.name}")
        self._link: Link | None = None
        self._link_count = 0
        self._games: dict[int, str] = {}
        self._met: set[tuple[int, int, int]] = set()
        self._hung: set[int] = set()
        self._hangs = False
        self._refused = False
        self._returns_at_s = 0.0
        self._finished = False
        self._upsets = {upset.at_decision: upset for upset in plan.upsets}
        self.is_welcome = False
        """Whether it plays on a stream now, as far as it knows."""
        self.gone = False
        """Whether it does not come back."""
        if plan.join_at_s >= 0:
            self._loop.call_later(plan.join_at_s, self._dial)

    def _dial(self) -> None:
        if self.gone or self._link is not None:
            return
        now_s = self._loop.time()
        if now_s < self._returns_at_s:
            self._loop.call_at(self._returns_at_s, self._dial)
            return
        self._call()

    def _call(self) -> None:
        plan = self.plan
        self._link_count += 1
        rng = Random(f"{self._world.scenario.seed} {plan.name} {self._link_count}")
        link = self._world.network.dial(
            self, plan.name, token_of(plan.name), self._number, plan.wire, rng
        )
        self._link = link
        rules = self._world.scenario.definition.rules.name
        plays = [rules] if plan.plays_rules else [name for name in RULESETS if name != rules]
        hello = play_pb2.Hello(
            protocol_major=wire.PROTOCOL_MAJOR,
            bot_version=VERSION,
            games_at_once=plan.games_at_once,
            rulesets=[wire.RULESETS.number(name) for name in plays],
            close_on_opponents_lead=plan.asks,
        )
        self._send(play_pb2.BotFrame(hello=hello))

    def _again(self, after_s: float | None = None) -> None:
        pause_s = self.plan.pause_s * (0.2 + 0.8 * self._rng.random())
        self._loop.call_later(pause_s if after_s is None else after_s, self._dial)

    # What comes from the arena.

    def received(self, link: Link, frame: Frame) -> None:
        """Reads a frame; what comes on an older stream is of no interest."""
        if link is not self._link:
            return
        self._world.note("reads", self.plan.name, frame)
        if frame.HasField("welcome"):
            self.is_welcome = True
            self._games = {}
            self._world.witness.welcomed(self.plan.name, frame.welcome)
        for start in frame.starts:
            self._games[start.game] = start.game_id
        decisions = [each for each in frame.decisions if self._meet(each)]
        if self._link is link and decisions:
            think_s = self._rng.uniform(*self.plan.think_s)
            self._loop.call_later(think_s, self._answer, link, decisions)
        if frame.HasField("bye"):
            self._bye(link, frame.bye)

    def ended(self, link: Link, code: grpc.StatusCode | None, text: str) -> None:
        """The stream is over."""
        self._world.note("ended", self.plan.name, code, text)
        if code is grpc.StatusCode.INTERNAL:
            self._world.witness.wrong(f"{self.plan.name} was told of an internal error: {text}")
        if link is not self._link:
            return
        self._lose()
        if code in REFUSALS:
            self._world.witness.refused(self.plan.name, text)
            self.gone = True
            return
        self._again()

    def _bye(self, link: Link, bye: play_pb2.ArenaBye) -> None:
        self._lose()
        if bye.reason in _COMES_BACK:
            self._again()
        elif bye.reason in (play_pb2.BYE_REASON_LEFT, play_pb2.BYE_REASON_FLOODED):
            self._again(0.5)
        else:
            self.gone = True
            self._finished = bye.reason == play_pb2.BYE_REASON_FINISHED
            self._world.witness.bye(self.plan.name, bye)

    def hears_of_power_cut(self) -> None:
        """Its author starts it again: what was over may not be over after all."""
        if self._finished:
            self.gone = self._finished = False
            self._again()

    # Decisions.

    def _meet(self, decision: play_pb2.Decision) -> bool:
        """Takes note of a decision, and does what the plan has for it; False: no answer."""
        key = decision.game, decision.deal, decision.ply
        if decision.game >= TRIALS_FROM:
            return True
        if key not in self._met:
            self._met.add(key)
            upset = self._upsets.get(len(self._met))
            if upset is not None and self._link is not None:
                self._world.note("upset", self.plan.name, upset)
                return self._suffer(upset, decision, self._link)
        return not self._hangs and decision.game not in self._hung

    def _answer(self, link: Link, decisions: list[play_pb2.Decision]) -> None:
        if link is not self._link:
            return
        answers = [self._answer_to(each) for each in decisions]
        groups = [[each] for each in answers] if self.plan.one_by_one else [answers]
        for group in groups:
            self._send(play_pb2.BotFrame(answers=group))

    def _answer_to(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        name, game = self.plan.name, decision.game
        rules = self._world.scenario.definition.rules
        move = self.plan.player.choose(
            decision.legal,
            decision.deal,
            decision.ply,
            decision.seat,
            rules.claims and game < TRIALS_FROM,
            lambda: wire.view(decision, ""),
        )
        self._world.witness.answers(name, decision, move)
        answer = play_pb2.Answer(game=game, deal=decision.deal, ply=decision.ply, move=move)
        if decision.ply % 7 == 0:
            answer.comment = f"{name} at {decision.deal}/{decision.ply}"
        return answer

    def _send(self, frame: play_pb2.BotFrame) -> None:
        if self._link is not None:
            self._world.note("sends", self.plan.name, frame)
            self._link.send(frame.SerializeToString())

    # Upsets.

    def _suffer(self, upset: Upset, decision: play_pb2.Decision, link: Link) -> bool:
        answer = play_pb2.Answer(game=decision.game, deal=decision.deal, ply=decision.ply)
        match upset.kind:
            case "hang":
                self._hung.add(decision.game)
            case "hang-always":
                self._hangs = True
            case "illegal":
                wrong = 36 if upset.count % 2 else _illegal(decision)
                answer.move = wrong
                self._send(play_pb2.BotFrame(answers=[answer]))
            case "no-move":
                self._send(play_pb2.BotFrame(answers=[answer]))
            case "garbage":
                link.send(b"\xff" * 12 + self._rng.randbytes(20))  # No number is so long.
            case "oversize":
                link.send(bytes(64 * 1024 + 1 + upset.count))
            case "leave":
                reason = play_pb2.LEAVE_REASON_BOT_RAISED
                leave = play_pb2.Leave(game=decision.game, reason=reason)
                self._send(play_pb2.BotFrame(leaves=[leave]))
            case "bye":
                self._send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
                self._stay_away(upset.seconds)
            case "cut":
                link.cut()
                self._lose()
                self._return_after(upset.seconds)
            case "half-open":
                link.abandon(2.0)
                self._lose()
                self._return_after(upset.seconds)
            case "deaf":
                link.reading = False
            case "twice":
                self.is_welcome = False
                self._call()
            case "lag":
                link.hold(upset.seconds)
                return True
            case "stale":
                for number in range(upset.count):
                    answer.ply = decision.ply + 1 + number % 3
                    answer.move = decision.legal[0]
                    self._send(play_pb2.BotFrame(answers=[answer]))
                return True
            case "flood":
                self._flood(link, decision, 40)
                return True
            case "storm":
                self._storm(60)
            case "repeat":
                again = self._answer_to(decision)
                self._send(play_pb2.BotFrame(answers=[again] * max(1, upset.count)))
            case _:
                raise AssertionError(f"there is no upset {upset.kind!r}")
        return False

    def _flood(self, link: Link, decision: play_pb2.Decision, rounds: int) -> None:
        """Sends what has no effect, again and again."""
        if link is not self._link or not rounds:
            return
        answer = play_pb2.Answer(game=decision.game, deal=decision.deal + 1_000, move=0)
        link.send(play_pb2.BotFrame(answers=[answer] * 1_000).SerializeToString())
        self._loop.call_later(0.2, self._flood, link, decision, rounds - 1)

    def _storm(self, rounds: int) -> None:
        """Breaks its streams and joins anew, without end."""
        if self._link is not None:
            self._link.cut()
            self._lose()
        self._dial()
        if rounds and not self.gone:
            self._loop.call_later(0.02, self._storm, rounds - 1)

    def _lose(self) -> None:
        self._link = None
        self.is_welcome = False

    def _return_after(self, seconds: float) -> None:
        self._stay_away(seconds)
        if seconds >= 0:
            self._again(seconds)

    def _stay_away(self, seconds: float) -> None:
        if seconds < 0:
            self.gone = True
        self._returns_at_s = self._loop.time() + seconds


def _illegal(decision: play_pb2.Decision) -> int:
    """A card that the bot does not hold."""
    return next(card for card in range(24) if card not in decision.hand)
