"""The edge: the bots as the arena sees them, one session a bot.

A session outlives its connections. It holds the decisions that its bot owes,
writes them into frames, checks what comes back, measures and charges time.
What it finds it delivers to the tables as `Answered` or `Faulted`; nothing
here waits, and nothing knows the rules.

The life of a decision: `ask` puts it in line, `next_frame` hands it to the
writer and starts its clock, `receive` or the sweep closes it. At most 32 KiB
of decisions are out at a time, since a stream whose peer stopped reading can
not be ended from this side; the rest waits unsent and uncharged.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf.message import DecodeError

from sixtysix import wire
from sixtysix.limits import MAX_COMMENT_BYTES
from sixtysix.outcome import Fault, GameOutcome
from sixtysix.reports import StreamEventKind
from sixtysix.rules import View
from sixtysix.v1 import play_pb2
from sixtysix_arena.clocks import BotClock
from sixtysix_arena.referee import GameSpec
from sixtysix_arena.streams import (
    MAX_EVIDENCE_BYTES,
    Happened,
    StreamHistory,
    carried,
    counted,
    evident,
)
from sixtysix_arena.text import clean

__all__ = [
    "Answered",
    "Bye",
    "Connection",
    "Event",
    "Evidence",
    "Faulted",
    "Presence",
    "Session",
    "Sessions",
]

MAX_FRAME_BYTES = 64 * 1024
"""The largest frame of a bot; the channel admits more, so that we can say so."""
MAX_OPEN_BYTES = 32 * 1024
"""Decisions out on a stream: below the 64 KiB window that a peer grants by default."""
MAX_FRAME_PARTS = 1_024
"""Answers and leaves of one frame: more than decisions can be out at a time."""
MAX_STALE_NOTICES = 256
"""Stale notices kept for one frame; a bot that sends more junk hears of no more."""
VANISH_WINDOW_MS = 2_000.0
"""All bots that go away within this have not done so by themselves."""
WRITE_TIMEOUT_MS = 20_000.0
"""After this a blocked write means that the peer stopped reading: it is away."""

Bye = play_pb2.ByeReason
"""Why the arena ends a stream."""

_JOINED, _ENDED = StreamEventKind.JOINED, StreamEventKind.ENDED
_SENT, _RECEIVED = StreamEventKind.SENT, StreamEventKind.RECEIVED
_REFUSED = StreamEventKind.REFUSED


@dataclass(slots=True)
class _Asked:
    """A decision that the bot owes."""

    decision: play_pb2.Decision
    size: int
    bank_ms: float
    per_move_ms: float
    out: bool = False
    """Whether it is on the present connection."""
    sent_ms: float | None = None
    """When it was sent first, and its clock started; None while it is in line."""


class Evidence(NamedTuple):
    """What is known of a fault at its moment.

    It comes with every answer, since each may turn out to be illegal: so it
    only refers to what is there anyway.
    """

    asked: _Asked | None
    answer: play_pb2.Answer | None
    charged_ms: float
    at_ms: float
    events: tuple[Happened, ...]

    @property
    def place(self) -> tuple[int, int] | None:
        """Deal and ply of the decision that was open."""
        return None if self.asked is None else (self.asked.decision.deal, self.asked.decision.ply)

    @property
    def legal(self) -> tuple[int, ...]:
        """The moves that the decision offered."""
        return () if self.asked is None else tuple(self.asked.decision.legal)

    def packed(self, bank_ms: float, max_bytes: int = MAX_EVIDENCE_BYTES) -> bytes:
        """All of it for the store, with at most `max_bytes` of frames.

        `bank_ms` is what is left of the bank if no decision was open.
        """
        asked, answer = self.asked, self.answer
        sent_ms = None if asked is None else asked.sent_ms
        left_ms = bank_ms if asked is None else asked.bank_ms - self.charged_ms
        return wire.pack_fault(
            decision=None if asked is None else asked.decision,
            answer=None if answer is None else _kept(answer),
            waited_ms=None if sent_ms is None else round(self.at_ms - sent_ms),
            charged_ms=None if sent_ms is None else round(self.charged_ms),
            bank_ms=round(max(0.0, left_ms)),
            stream=evident(self.events, self.at_ms, max_bytes),
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot answered an open decision in time."""

    game: int
    move: int
    charged_ms: float
    comment: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot committed a fault in a game."""

    game: int
    name: str
    fault: Fault
    text: str
    evidence: Evidence | None = None


Event = Answered | Faulted


@dataclass(frozen=True, slots=True)
class Presence:
    """What a bot said of itself when it joined."""

    version: str
    games_at_once: int
    rulesets: frozenset[str]
    close_on_opponents_lead: bool


class Connection:
    """One stream of a bot. The newest is the session's; older ones are told to go."""

    def __init__(self, number: int, wake: Callable[[], None]) -> None:
        self.number = number
        self.wake = wake
        """Tells the stream's writer that there is something to write, or that all is over."""
        self.dismissed: tuple[play_pb2.ByeReason, str] | None = None
        """Why this stream is to end, as soon as what led to it is durable."""
        self.bye: play_pb2.ArenaBye | None = None
        """Set once the arena ends this stream; the last thing that is written."""
        self.ending = asyncio.Event()
        """Set with the goodbye."""
        self.write_began_ms: float | None = None
        """Since when the writer has been at its present frame."""

    def end(self, reason: play_pb2.ByeReason, text: str) -> None:
        """Asks the writer to say goodbye and to end the stream."""
        if self.bye is None:
            self.bye = play_pb2.ArenaBye(reason=reason, text=text)
            self.ending.set()
            self.wake()


class Session:
    """One bot: its connection, its open decisions and its clock."""

    def __init__(self, name: str, now_ms: Callable[[], float], deliver: Callable[[Event], None]):
        self.name = name
        self.presence: Presence | None = None
        """What the bot said when it joined last; None until it first does."""
        self.connection: Connection | None = None
        self.away_since_ms = now_ms()
        """When the connection was lost; the arena's start if the bot never joined."""
        self.connection_count = 0
        self.said_bye = False
        """Whether the bot went away on purpose."""
        self.game_count = 0
        """Live games of the bot; kept by the tournaments that seat it."""
        self._now_ms = now_ms
        self._deliver = deliver
        self._clock = BotClock()
        self._starts: dict[int, play_pb2.GameStart] = {}
        self._asked: dict[int, _Asked] = {}
        self._charged: set[int] = set()  # Games that a fault of this bot ends, with the next tick.
        self._line: deque[int] = deque()
        self._out_bytes = 0
        self._notices = play_pb2.ArenaFrame()
        self._history = StreamHistory()

    @property
    def connected(self) -> bool:
        """Whether the bot has a stream to us now."""
        return self.connection is not None

    # From the tables to the bot.

    def start(self, spec: GameSpec, seat: int) -> None:
        """Announces a game, now and after every reconnect while it lasts."""
        start = play_pb2.GameStart(
            game=spec.game,
            game_id=spec.game_id,
            rules=wire.rules_message(spec.rules),
            clock=wire.clock_message(spec.clock),
            seat=seat,
            opponent=spec.entrants[1 - seat],
        )
        self._starts[spec.game] = start
        if self.connected:
            self._notices.starts.append(start)

    def ask(
        self, game: int, view: View, *, charged_ms: float, bank_ms: float, per_move_ms: float
    ) -> None:
        """Puts a decision in line; its clock starts when it is handed to the writer.

        `charged_ms` is what the bot's previous answer in this game was charged.
        """
        decision = wire.decision(view, game, round(charged_ms))
        self._asked[game] = _Asked(decision, decision.ByteSize(), bank_ms, per_move_ms)
        self._line.append(game)

    def over(self, game: int, outcome: GameOutcome) -> None:
        """Ends a game; a decision still open in it is closed."""
        started = game in self._starts
        self.park(game)
        if not started or not self.connected:
            return
        self._notices.games_over.add(
            game=game,
            end=wire.GAME_ENDS.number(outcome.end),
            winner=outcome.winner,
            score=outcome.score,
            fault=wire.FAULTS.number(outcome.fault),
            text=outcome.reason,
        )

    def park(self, game: int) -> None:
        """Forgets a game, which may go on later."""
        self._withdraw(game)
        self._starts.pop(game, None)
        self._charged.discard(game)

    def tell_fault(self, game: int, fault: Fault, text: str, evidence: Evidence) -> None:
        """Tells the bot exactly what it did wrong, once that is durable."""
        if not self.connected:
            return
        notice = self._notices.faults.add(game=game, fault=wire.FAULTS.number(fault), text=text)
        if evidence.place is not None:
            notice.deal, notice.ply = evidence.place
            notice.legal.extend(evidence.legal)

    def evidence(self, game: int, answer: play_pb2.Answer | None = None) -> Evidence:
        """What is known now of the bot's part in a game, as it is charged with a fault."""
        now_ms = self._now_ms()
        asked = self._asked.get(game)
        runs = asked is not None and asked.sent_ms is not None
        charged_ms = self._clock.charged(game, now_ms) if runs else 0.0
        return Evidence(asked, answer, charged_ms, now_ms, self._history.events)

    def flush(self) -> None:
        """Wakes the writer if there is something to write."""
        if self.connection is not None and (self._line or self._has_notices()):
            self.connection.wake()

    def release(self) -> None:
        """Lets the bot see what a tick brought; ends a stream that was to end after it."""
        self.flush()
        connection = self.connection
        if connection is not None and connection.dismissed is not None and not self._charged:
            connection.end(*connection.dismissed)

    # To and from the stream.

    def attach(self, presence: Presence, wake: Callable[[], None]) -> Connection:
        """Makes a new stream the bot's; the older one, if any, is fenced."""
        if self.connection is not None:
            self.connection.end(Bye.BYE_REASON_FENCED, f"{self.name} has joined from elsewhere")
        self.connection_count += 1
        self.presence = presence
        self.said_bye = False
        self.connection = Connection(self.connection_count, wake)
        now_ms = self._now_ms()
        self._clock.came_back(now_ms)
        self._history.note(now_ms, _JOINED, f"stream {self.connection_count} of this bot")
        self._out_bytes = 0
        self._line = deque(self._asked)
        for asked in self._asked.values():
            asked.out = False
        self._notices = play_pb2.ArenaFrame(starts=self._starts.values())
        return self.connection

    def detach(self, connection: Connection) -> None:
        """The stream has ended. That is never a reason by itself."""
        if connection is not self.connection:
            return
        self.connection = None
        self.away_since_ms = self._now_ms()
        self._clock.went_away()
        bye = connection.bye
        ended = "without a goodbye" if bye is None else f"by the arena: {bye.text}"
        self._history.note(self.away_since_ms, _ENDED, ended)
        self._notices = play_pb2.ArenaFrame()

    def next_frame(self) -> bytes | None:
        """The next frame for the writer; None if there is nothing to write.

        The clocks of the decisions in it start here, even if the write blocks.
        """
        frame, self._notices = self._notices, play_pb2.ArenaFrame()
        has_notices = bool(frame.ListFields())
        line, decisions = self._line, []
        now_ms = self._now_ms()
        while line:
            asked = self._asked.get(line[0])
            if asked is None or asked.out:
                line.popleft()
                continue
            if self._out_bytes and self._out_bytes + asked.size > MAX_OPEN_BYTES:
                break
            game = line.popleft()
            asked.out = True
            self._out_bytes += asked.size
            if asked.sent_ms is None:
                asked.sent_ms = now_ms
                self._clock.open(
                    game, bank_ms=asked.bank_ms, per_move_ms=asked.per_move_ms, now_ms=now_ms
                )
            decisions.append(asked.decision)
        if not decisions and not has_notices:
            return None
        frame.decisions.extend(decisions)
        data = frame.SerializeToString()
        told = _told(frame) if has_notices else counted(len(decisions), "decision")
        self._history.note(now_ms, _SENT, told, data)
        return data

    def receive(self, connection: Connection, data: bytes) -> None:
        """Takes in a frame of the bot."""
        if connection is not self.connection or connection.dismissed is not None:
            return  # What still comes from there has no effect.
        if len(data) > MAX_FRAME_BYTES:
            self._garbage(
                connection,
                f"a frame of {len(data)} bytes is too large: at most {MAX_FRAME_BYTES} are read",
                data,
            )
            return
        try:
            frame = play_pb2.BotFrame.FromString(data)
        except DecodeError:
            text = f"{len(data)} bytes that are no frame: expected a BotFrame of sixtysix.v1"
            self._garbage(connection, text, data)
            return
        parts = len(frame.answers) + len(frame.leaves)
        if parts > MAX_FRAME_PARTS:
            text = f"a frame with {parts} answers is too much: at most {MAX_FRAME_PARTS} are read"
            self._garbage(connection, text, data)
            return
        now_ms = self._now_ms()
        says_bye = frame.HasField("bye")
        only_answers = len(frame.answers) == parts > 0 and not says_bye
        told = counted(parts, "answer") if only_answers else _said(frame)
        self._history.note(now_ms, _RECEIVED, told, data)
        for answer in frame.answers:
            self._receive_answer(answer, now_ms)
        for leave in frame.leaves:
            if leave.game in self._starts and leave.game not in self._charged:
                failed = leave.reason == play_pb2.LEAVE_REASON_BOT_RAISED
                why = "its code failed" if failed else "it resigned"
                self._fault(leave.game, Fault.LEFT, f"{self.name} gave the game up: {why}")
        if says_bye:
            self.said_bye = True
            connection.dismissed = (Bye.BYE_REASON_LEFT, "the bot said goodbye")
            self._charge_all(self._starts, Fault.LEFT, f"{self.name} said goodbye")
        else:
            self.flush()

    def sweep(self, now_ms: float) -> None:
        """Times out what is over its limits."""
        for game in self._clock.all_overdue(now_ms):
            self._time_out(game)
        connection = self.connection
        if (
            connection is not None
            and connection.write_began_ms is not None
            and now_ms - connection.write_began_ms > WRITE_TIMEOUT_MS
        ):
            connection.end(Bye.BYE_REASON_STUCK, "the bot stopped reading")
            self.detach(connection)
        self.release()

    def _receive_answer(self, answer: play_pb2.Answer, now_ms: float) -> None:
        asked = self._asked.get(answer.game)
        if (
            asked is None
            or asked.sent_ms is None
            or asked.decision.ply != answer.ply
            or asked.decision.deal != answer.deal
        ):
            stales = self._notices.stales
            if len(stales) < MAX_STALE_NOTICES:
                stales.add(game=answer.game, deal=answer.deal, ply=answer.ply)
            return
        game = answer.game
        if self._clock.overdue(game, now_ms):
            # The sweep would have found this a moment later: the same limit decides.
            self._time_out(game, answer)
            return
        if not answer.HasField("move"):
            text = f"the answer in {self._where(asked)} has no move: expected a number of 0 to 35"
            self._fault(game, Fault.MALFORMED, text, answer)
            return
        charged_ms = self._withdraw(game)
        self._clock.answered(now_ms)
        comment = clean(answer.comment, MAX_COMMENT_BYTES) if answer.comment else ""
        evidence = Evidence(asked, answer, charged_ms, now_ms, self._history.events)
        self._deliver(Answered(game, answer.move, charged_ms, comment, evidence))

    def _time_out(self, game: int, late: play_pb2.Answer | None = None) -> None:
        asked = self._asked[game]
        text = (
            f"no answer to {self._where(asked)} in time: a move has {asked.per_move_ms:.0f} ms,"
            f" and the bank of the game held {asked.bank_ms:.0f} ms"
        )
        self._fault(game, Fault.TIMEOUT, text, late)

    def _garbage(self, connection: Connection, text: str, data: bytes) -> None:
        """What belongs to no game costs every game in which the bot owes a decision."""
        connection.dismissed = (Bye.BYE_REASON_MALFORMED, text)
        self._history.note(self._now_ms(), _REFUSED, "not read", data)
        self._charge_all(self._asked, Fault.MALFORMED, text)

    def _charge_all(self, games: Iterable[int], fault: Fault, text: str) -> None:
        """Charges games of a stream that is to end: with the tick that has stored that."""
        games = [game for game in games if game not in self._charged]
        for game in games:
            self._fault(game, fault, text)
        self.release()

    def _fault(
        self, game: int, fault: Fault, text: str, answer: play_pb2.Answer | None = None
    ) -> None:
        evidence = self.evidence(game, answer)
        self._withdraw(game)
        self._charged.add(game)
        self._deliver(Faulted(game, self.name, fault, text, evidence))

    def _withdraw(self, game: int) -> float:
        """Closes the decision in `game`, if one is open; returns what it is charged."""
        asked = self._asked.pop(game, None)
        if asked is None:
            return 0.0
        if asked.out:
            self._out_bytes -= asked.size
        return 0.0 if asked.sent_ms is None else self._clock.close(game, self._now_ms())

    def _where(self, asked: _Asked) -> str:
        decision = asked.decision
        start = self._starts.get(decision.game)
        name = start.game_id if start is not None else str(decision.game)
        return f"game {name} deal {decision.deal} ply {decision.ply}"

    def _has_notices(self) -> bool:
        return bool(self._notices.ListFields())


def _told(frame: play_pb2.ArenaFrame) -> str:
    """What is in a frame of ours, in words."""
    return carried(
        (len(frame.starts), "start"),
        (len(frame.decisions), "decision"),
        (len(frame.stales), "stale notice"),
        (len(frame.faults), "fault notice"),
        (len(frame.games_over), "result"),
    )


def _said(frame: play_pb2.BotFrame) -> str:
    """What is in a frame of the bot, in words."""
    goodbyes = int(frame.HasField("bye"))
    parts = (len(frame.answers), "answer"), (len(frame.leaves), "leave"), (goodbyes, "goodbye")
    return carried(*parts) or "nothing to read"


def _kept(answer: play_pb2.Answer) -> play_pb2.Answer:
    """An answer with what we know of it and no more: a comment has no limit before it is cut."""
    comment = clean(answer.comment, MAX_COMMENT_BYTES)
    kept = play_pb2.Answer(game=answer.game, deal=answer.deal, ply=answer.ply, comment=comment)
    if answer.HasField("move"):
        kept.move = answer.move
    return kept


class Sessions:
    """All bots that this arena has met, by name."""

    def __init__(self, now_ms: Callable[[], float], deliver: Callable[[Event], None]) -> None:
        self._now_ms = now_ms
        self._deliver = deliver
        self._sessions: dict[str, Session] = {}

    def of(self, name: str) -> Session:
        """The session of a bot, joined or not."""
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = Session(name, self._now_ms, self._deliver)
        return session

    def is_connected(self, name: str) -> bool:
        """Whether a bot is here now; may be asked from any thread."""
        session = self._sessions.get(name)
        return session is not None and session.connected

    @property
    def vanished_together(self) -> bool:
        """Whether all bots that had joined went away within a moment: our fault, not theirs.

        Then nobody is charged until one is back; the others have their grace from then on.
        """
        return len(self._vanished()) > 1

    def attach(self, name: str, presence: Presence, wake: Callable[[], None]) -> Connection:
        """Makes a new stream the bot's; the older one, if any, is fenced."""
        if self.vanished_together:
            for session in self._vanished():
                session.away_since_ms = self._now_ms()
        return self.of(name).attach(presence, wake)

    def _vanished(self) -> list[Session]:
        """The bots that went away last, and together, if nobody is here."""
        joined = [session for session in self._sessions.values() if session.presence is not None]
        if not joined or any(session.connected for session in joined):
            return []
        last_ms = max(session.away_since_ms for session in joined)
        gone = [
            session for session in joined if last_ms - session.away_since_ms <= VANISH_WINDOW_MS
        ]
        return [] if any(session.said_bye for session in gone) else gone

    def sweep(self, now_ms: float) -> None:
        """Times out whatever is over its limits."""
        for session in self._sessions.values():
            session.sweep(now_ms)

    def end_all(self, reason: play_pb2.ByeReason, text: str) -> None:
        """Says goodbye on every stream."""
        for session in self._sessions.values():
            if session.connection is not None:
                session.connection.end(reason, text)
