"""All bots that an arena has met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sixtysix.reports import EntrantInfo
from sixtysix.v1 import play_pb2
from sixtysix_arena.sessions.connection import Connection, Presence
from sixtysix_arena.sessions.findings import Event
from sixtysix_arena.sessions.session import Session

__all__ = ["Sessions"]

VANISH_WINDOW_MS = 2_000.0
"""All bots that go away within this have not done so by themselves."""


class Sessions:
    """All bots that this arena has met, by name."""

    def __init__(self, now_ms: Callable[[], float], deliver: Callable[[Event], None]) -> None:
        self._now_ms = now_ms
        self._deliver = deliver
        self._sessions: dict[str, Session] = {}
        self._stirred: dict[Session, None] = {}  # Those that have to be swept, in this order.

    def of(self, name: str) -> Session:
        """The session of a bot, joined or not."""
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = Session(name, self._now_ms, self._deliver, self._stir)
        return session

    def is_connected(self, name: str) -> bool:
        """Whether a bot is here now; may be asked from any thread."""
        session = self._sessions.get(name)
        return session is not None and session.connected

    @property
    def connected_count(self) -> int:
        """The bots that are here now; may be asked from any thread."""
        return sum(session.connected for session in tuple(self._sessions.values()))

    def present(self, entrant: EntrantInfo) -> EntrantInfo:
        """An entrant with what is known of it now; may be asked from any thread."""
        session = self._sessions.get(entrant.id)
        if session is None or not session.connection_count:
            return entrant
        here = session.connected
        away_ms = None if here else round(self._now_ms() - session.away_since_ms)
        return replace(
            entrant,
            connected=here,
            connection_count=session.connection_count,
            away_ms=away_ms,
        )

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
        if any(session.connected for session in self._sessions.values()):
            return []
        joined = [  # Who said goodbye did not vanish, nor does that tell of the others.
            session
            for session in self._sessions.values()
            if session.presence is not None and not session.said_bye
        ]
        if not joined:
            return []
        last_ms = max(session.away_since_ms for session in joined)
        return [
            session for session in joined if last_ms - session.away_since_ms <= VANISH_WINDOW_MS
        ]

    def forgive(self) -> None:
        """Begins the time of all bots for a move anew, after an outage of the arena's."""
        for session in self._sessions.values():
            session.forgive(self._now_ms())

    def sweep(self, now_ms: float) -> None:
        """Times out whatever is over its limits."""
        for session in tuple(self._stirred):
            session.sweep(now_ms)
            if session.is_quiet:
                del self._stirred[session]

    def _stir(self, session: Session) -> None:
        self._stirred[session] = None

    def end_all(self, reason: play_pb2.ByeReason, text: str) -> None:
        """Says goodbye on every stream."""
        for session in self._sessions.values():
            if session.connection is not None:
                session.connection.end(reason, text)
