"""One bot as the arena sees it: frames in, frames out, time charged.

A session outlives its connections. It holds the decisions that its bot owes,
writes them into frames, checks what comes back, measures and charges time.
What it finds it delivers to the tables as `Answered` or `Faulted`; nothing
here waits, and nothing knows the rules.

The life of a decision: `ask` puts it in line, `next_frame` hands it to the
writer and starts its clock, `receive` or the sweep closes it. At most 32 KiB
of decisions are out at a time, since a stream whose peer stopped reading can
not be ended from this side; the rest waits unsent, and uncharged unless it waits
for a bot that does not read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from math import ceil

from sixtysix import wire
from sixtysix.limits import MAX_COMMENT_BYTES
from sixtysix.outcome import Fault, GameOutcome
from sixtysix.reports import StreamEventKind
from sixtysix.rules import View
from sixtysix.v1 import play_pb2
from sixtysix_arena.clocks import BotClock
from sixtysix_arena.conduct import FLOOD_PAUSE_MS, JOIN_BURST, USELESS_BURST, USELESS_PER_S, Conduct
from sixtysix_arena.errors import TooOften
from sixtysix_arena.reasons import bank_text, giving_up_text
from sixtysix_arena.referee import GameSpec
from sixtysix_arena.sessions.connection import Bye, Connection, Presence
from sixtysix_arena.sessions.findings import Answered, Asked, Event, Evidence, Faulted
from sixtysix_arena.sessions.frames import NoFrame, read_frame, said, told
from sixtysix_arena.streams import StreamHistory, counted
from sixtysix_arena.text import clean

__all__ = ["Session"]

MAX_OPEN_BYTES = 32 * 1024
"""Decisions out on a stream: below the 64 KiB window that a peer grants by default."""
MAX_STALE_NOTICES = 256
"""Stale notices kept for one frame; a bot that sends more junk hears of no more."""
WRITE_SLACK_MS = 1_000.0
"""A write that takes longer waits for the bot to read, and so does all that is in line."""
WRITE_TIMEOUT_MS = 20_000.0
"""After this a blocked write means that the peer stopped reading: it is away."""

_JOINED, _ENDED = StreamEventKind.JOINED, StreamEventKind.ENDED
_SENT, _RECEIVED = StreamEventKind.SENT, StreamEventKind.RECEIVED
_REFUSED = StreamEventKind.REFUSED


class Session:
    """One bot: its connection, its open decisions and its clock."""

    def __init__(
        self,
        name: str,
        now_ms: Callable[[], float],
        deliver: Callable[[Event], None],
        stir: Callable[[Session], None] = lambda _session: None,
    ) -> None:
        """`stir` is told when the next sweeps have to look at the session."""
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
        self._stir = stir
        self._clock = BotClock()
        self._starts: dict[int, play_pb2.GameStart] = {}
        self._asked: dict[int, Asked] = {}
        self._charged: set[int] = set()  # Games that a fault of this bot ends, with the next tick.
        self._line: deque[int] = deque()
        self._out_bytes = 0
        self._notices = play_pb2.ArenaFrame()
        self._history = StreamHistory()
        self._conduct = Conduct()

    @property
    def connected(self) -> bool:
        """Whether the bot has a stream to us now."""
        return self.connection is not None

    @property
    def is_quiet(self) -> bool:
        """Whether sweeping is in vain until the session is stirred again."""
        connection = self.connection
        writes = connection is not None and connection.write_began_ms is not None
        ends = connection is not None and connection.dismissed is not None
        return not (writes or ends or self._asked or self._has_notices())

    def stir(self) -> None:
        """Has the next sweeps look at this session."""
        self._stir(self)

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
            self.stir()

    def ask(
        self, game: int, view: View, *, charged_ms: int, bank_ms: int, per_move_ms: int
    ) -> None:
        """Puts a decision in line; its clock starts when it is handed to the writer.

        `charged_ms` is what the bot's previous answer in this game was charged.
        """
        decision = wire.decision(view, game, charged_ms)
        self._asked[game] = Asked(decision, decision.ByteSize(), bank_ms, per_move_ms)
        self._line.append(game)
        self.stir()

    def over(self, game: int, outcome: GameOutcome) -> None:
        """Ends a game; a decision still open in it is closed."""
        started = game in self._starts
        self.park(game)
        if not started or not self.connected:
            return
        self.stir()
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
        self.stir()
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

    def knock(self) -> float:
        """Counts a stream that wants to be the bot's. Raises TooOften if it cannot be.

        Returns for how many ms it is to wait before it is let in: meanwhile the
        time for a move stands still, since its older stream may be dead. A bot that
        is away then, and comes again and again, is charged with that.
        """
        now_ms = self._now_ms()
        wait_ms = self._conduct.barred_ms(now_ms)
        if wait_ms:
            raise TooOften(f"{self.name} was sent away for flooding: {_wait(wait_ms)}", wait_ms)
        wait_ms = self._conduct.join(now_ms)
        if wait_ms:
            text = f"{self.name} joined more than {JOIN_BURST} times in a short while"
            if not self.connected:
                self._charge_all(self._asked, Fault.DISCONNECT, text)
            raise TooOften(f"{text}: {_wait(wait_ms)}", wait_ms)
        pace_ms = self._conduct.join_pace_ms(now_ms)
        if pace_ms:
            self._clock.went_away()
        return pace_ms

    def turned_away(self) -> None:
        """A stream that knocked is not the bot's after all: the older one goes on."""
        if self.connection is not None and self._clock.is_away:
            self._clock.came_back(self._now_ms())

    def pardon(self) -> None:
        """Takes back that a stream was counted, which could not be the bot's by our fault."""
        self._conduct.pardon()

    def attach(self, presence: Presence, wake: Callable[[], None]) -> Connection:
        """Makes a new stream the bot's; the older one, if any, is fenced."""
        if self.connection is not None:
            self.connection.end(Bye.BYE_REASON_FENCED, f"{self.name} has joined from elsewhere")
        self.connection_count += 1
        self.presence = presence
        self.said_bye = False
        self.connection = Connection(self.connection_count, wake)
        now_ms = self._now_ms()
        self._conduct.joined()
        self._clock.came_back(now_ms)
        self._history.note(now_ms, _JOINED, f"stream {self.connection_count} of this bot")
        self._out_bytes = 0
        self._line = deque(self._asked)
        for asked in self._asked.values():
            asked.out = False
        self._notices = play_pb2.ArenaFrame(starts=self._starts.values())
        self.stir()
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
            self._start_clock(game, asked, now_ms)
            decisions.append(asked.decision)
        if not decisions and not has_notices:
            return None
        if decisions:
            frame.decisions.extend(decisions)
            self._conduct.sent(len(decisions))
        data = frame.SerializeToString()
        text = told(frame) if has_notices else counted(len(decisions), "decision")
        self._history.note(now_ms, _SENT, text, data)
        return data

    def receive(self, connection: Connection, data: bytes) -> float:
        """Takes in a frame of the bot; returns for how many ms nothing more is to be read."""
        if connection is not self.connection or connection.is_over:
            return 0.0  # What still comes from there has no effect.
        self.stir()
        try:
            frame = read_frame(data)
        except NoFrame as error:
            self._garbage(connection, str(error), data)
            return 0.0
        now_ms = self._now_ms()
        answers, leaves, says_bye = frame.answers, frame.leaves, frame.HasField("bye")
        only_answers = answers and not leaves and not says_bye
        text = counted(len(answers), "answer") if only_answers else said(frame)
        self._history.note(now_ms, _RECEIVED, text, data)
        useless = 0
        for answer in answers:
            if not self._receive_answer(answer, now_ms):
                useless += 1
        for leave in leaves:
            if not self._receive_leave(leave):
                useless += 1
        if says_bye:
            self.said_bye = True
            connection.dismissed = (Bye.BYE_REASON_LEFT, "the bot said goodbye")
            self._charge_all(self._starts, Fault.LEFT, f"{self.name} said goodbye")
            return 0.0
        if self._line:
            connection.wake()  # There is room for more; notices wait for the sweep.
        parts = len(answers) + len(leaves)
        if useless or not parts:
            return self._wasted(connection, useless or 1, now_ms, whole_frame=useless == parts)
        return 0.0

    def excuse(self) -> None:
        """The stream ends by a mistake of ours: what the bot owes is asked and charged anew."""
        now_ms = self._now_ms()
        for game, asked in self._asked.items():
            if asked.sent_ms is not None:
                self._clock.close(game, now_ms)
                asked.sent_ms = None
        self._conduct.pardon()

    def forgive(self, now_ms: float) -> None:
        """Begins the time for a move anew: perhaps the bot could not come back in it."""
        self._clock.restart(now_ms)

    def sweep(self, now_ms: float) -> None:
        """Times out what is over its limits."""
        connection = self.connection
        writing_ms = 0.0
        if connection is not None and connection.write_began_ms is not None:
            writing_ms = now_ms - connection.write_began_ms
        if writing_ms > WRITE_SLACK_MS:
            for game in self._line:
                if game in self._asked:
                    self._start_clock(game, self._asked[game], now_ms)
        overdue = self._clock.all_overdue(now_ms)
        if overdue and connection is not None and self._conduct.is_slowed(now_ms):
            # Its answers may lie unread, and that they do is its own doing.
            self._flood(connection, now_ms)
        else:
            owed = len(self._clock)
            for game in overdue:
                self._time_out(game, owed)
        if connection is not None and writing_ms > WRITE_TIMEOUT_MS:
            connection.end(Bye.BYE_REASON_STUCK, "the bot stopped reading")
            self.detach(connection)
        self.release()

    def _start_clock(self, game: int, asked: Asked, now_ms: float) -> None:
        """Charges a decision from now on, unless it is being charged already."""
        if asked.sent_ms is None:
            asked.sent_ms = now_ms
            self._clock.open(
                game, bank_ms=asked.bank_ms, per_move_ms=asked.per_move_ms, now_ms=now_ms
            )

    def _receive_answer(self, answer: play_pb2.Answer, now_ms: float) -> bool:
        """Takes in an answer; says whether it had an effect."""
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
            return False
        game = answer.game
        if self._clock.overdue(game, now_ms):
            # The sweep would have found this a moment later: the same limit decides.
            self._time_out(game, len(self._clock), answer)
            return True
        if not answer.HasField("move"):
            text = f"the answer in {self._where(asked)} has no move: expected a number of 0 to 35"
            self._fault(game, Fault.MALFORMED, text, answer)
            return True
        comment = clean(answer.comment, MAX_COMMENT_BYTES) if answer.comment else ""
        charged_ms = self._withdraw(game)
        self._clock.restart(now_ms)
        evidence = Evidence(asked, answer, charged_ms, now_ms, self._history.events)
        self._deliver(Answered(game, answer.move, charged_ms, comment, evidence))
        return True

    def _receive_leave(self, leave: play_pb2.Leave) -> bool:
        """Takes in that the bot gives a game up; says whether it played it."""
        if leave.game not in self._starts or leave.game in self._charged:
            return False
        failed = leave.reason == play_pb2.LEAVE_REASON_BOT_RAISED
        why = "its code failed" if failed else "it resigned"
        self._fault(leave.game, Fault.LEFT, giving_up_text(self.name, why))
        return True

    def _wasted(
        self, connection: Connection, count: int, now_ms: float, *, whole_frame: bool
    ) -> float:
        """The bot sent so much without effect; returns for how many ms nothing more is read."""
        pause_ms = self._conduct.wasted(count, now_ms, whole_frame=whole_frame)
        if self._conduct.is_slowed(now_ms) and self._conduct.floods(now_ms):
            self._flood(connection, now_ms)
            return 0.0
        return pause_ms

    def _flood(self, connection: Connection, now_ms: float) -> None:
        """What belongs to no game costs every game in which the bot owes a decision."""
        text = (
            f"{self.name} floods: it went on sending what has no effect, beyond {USELESS_BURST}"
            f" such answers at once and {USELESS_PER_S:.0f} a second"
        )
        self._conduct.bar(now_ms)
        connection.dismissed = (Bye.BYE_REASON_FLOODED, f"{text}; {_wait(FLOOD_PAUSE_MS)}")
        self._charge_all(self._asked, Fault.FLOOD, text)

    def _time_out(self, game: int, owed: int, late: play_pb2.Answer | None = None) -> None:
        asked = self._asked[game]
        if self._clock.overdraws(game, self._now_ms()):
            why = bank_text(asked.bank_ms)
        else:
            why = f"a move has {asked.per_move_ms:.0f} ms"
            if owed > 1:  # Whichever of them: that is what restarts the time.
                why += f", in which none of {owed} decisions was answered"
        text = f"no answer to {self._where(asked)} in time: {why}"
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

    def _where(self, asked: Asked) -> str:
        decision = asked.decision
        start = self._starts.get(decision.game)
        name = start.game_id if start is not None else str(decision.game)
        return f"game {name} deal {decision.deal} ply {decision.ply}"

    def _has_notices(self) -> bool:
        return bool(self._notices.ListFields())


def _wait(wait_ms: float) -> str:
    return f"come back in {ceil(wait_ms / 1_000)} s"
