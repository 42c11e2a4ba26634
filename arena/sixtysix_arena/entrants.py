"""The bots of a tournament: which may play now, and why another may not, or not any more.

A bot that is absent is waited for: one that never joined for `join_ms`, one
that went away for `grace_ms`, or for `join_ms` after the arena itself was
restarted. Then it is charged with it, and the fault says how. All that are
away at once, or stay away at once, are waited for without end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sixtysix.names import HOUSE
from sixtysix.outcome import Fault
from sixtysix_arena.sessions import Session, Sessions
from sixtysix_arena.store import rows

__all__ = ["Absence", "Entrants", "Verdicts"]

HOUSE_START_MS = 30_000
"""What a house bot is given beyond the time for joining: on a busy machine it starts slowly."""

Absence = tuple[Fault, str]
"""Why the due games of a bot are forfeited, as a fault and in words."""


class Verdicts(Protocol):
    """Who was validated: what `Validator` knows."""

    def may_play(self, name: str, ruleset: str) -> bool:
        """Whether a bot has passed its trial of a rule set."""
        ...

    def failure(self, name: str, ruleset: str) -> str:
        """Why it did not, in one sentence; empty if it did, or its trial goes on."""
        ...


class Entrants:
    """The bots of one tournament, as they stand to it."""

    def __init__(
        self,
        tournament: rows.Tournament,
        sessions: Sessions,
        now_ms: Callable[[], float],
        verdicts: Verdicts | None,
        after_restart: bool,
    ) -> None:
        """Without `verdicts` everybody may play, validated or not."""
        self.sessions = {name: sessions.of(name) for name in tournament.definition.entrants}
        self.frozen = set(tournament.versions)
        """The bots whose version is kept."""
        self.frozen_as = dict(tournament.versions)
        """The versions that are known to be kept."""
        self.unfrozen: set[str] = set()
        """The bots that are here, and wait until it is."""
        self.disabled: dict[str, str] = {}
        """Why each bot that may not play any more may not."""
        self._versions = tournament.versions
        self._was_left = after_restart or bool(tournament.versions)
        self._rules = tournament.definition.rules.name
        self._clock = tournament.definition.clock
        self._now_ms = now_ms
        self._verdicts = verdicts
        self.join_until_ms = now_ms() + self._clock.join_ms + tournament.join_extra_ms
        """Until then bots may join, or come back after a restart."""
        self._forgiven_ms = 0.0
        """Nobody is charged with having been away before."""
        self._joined = {name for name, session in self.sessions.items() if session.connected}
        """The bots that have been here since the tournament was opened."""

    def __contains__(self, name: object) -> bool:
        return name in self.sessions

    @property
    def nobody_came_back(self) -> bool:
        """Whether the tournament was left, by a restart or a stop, and nobody is here since.

        That is not by their own doing: then nobody is charged until one is back, and the
        others have their time from then on.
        """
        return self._was_left and not self._joined

    def joined(self, name: str) -> None:
        """A bot is here, again or for the first time."""
        if self.nobody_came_back:
            self.forgive()
        self._joined.add(name)

    def forgive(self) -> None:
        """Has every grace begin anew; the time for joining lasts as long, at least."""
        self._forgiven_ms = self._now_ms()
        until_ms = self._forgiven_ms + self._clock.grace_ms
        self.join_until_ms = max(self.join_until_ms, until_ms)

    def extend(self, by_ms: int) -> None:
        """Gives the bots more time to join."""
        self.join_until_ms += by_ms

    def ready(self, name: str) -> bool:
        """Whether a bot is there, plays this rule set, and was validated in it."""
        if name in self.unfrozen:
            return False
        session = self.sessions[name]
        if name in self.disabled or session.said_bye:
            return False
        if not session.connected or not self._plays_rules(name):
            return False
        return self._verdicts is None or self._verdicts.may_play(name, self._rules)

    def wants_question(self, name: str) -> bool:
        """Whether a bot asked to be asked before its opponent's leads."""
        presence = self.sessions[name].presence
        return presence is not None and presence.close_on_opponents_lead

    def missing(self) -> list[str]:
        """Those that play waits for, each with what an organiser should know of it."""
        return [
            name + self._remark(name)
            for name in self.sessions
            if name not in self.disabled and not self.ready(name)
        ]

    def gone(self, now_ms: float) -> set[str]:
        """Those that have been away for longer than they may be in a live game."""
        return {
            name
            for name, session in self.sessions.items()
            if not session.connected
            and now_ms - self._away_since_ms(session) > self._clock.grace_ms
        }

    def absence(self, name: str, now_ms: float, stuck_since_ms: float) -> Absence | None:
        """Why the due games of a bot are forfeited now, or None.

        Since `stuck_since_ms` nothing else can be played.
        """
        session = self.sessions[name]
        if self.ready(name):
            return None
        if name in self.disabled:
            return Fault.LEFT, self.disabled[name]
        join_until_ms = self.join_until_ms
        if name.startswith(HOUSE):
            # The arena starts it, and has to find the time for that.
            join_until_ms += HOUSE_START_MS
        if session.connected:
            if name in self.unfrozen:
                return None
            if now_ms <= join_until_ms or self._in_trial(name):
                return None
            if not self._plays_rules(name):
                return Fault.NO_SHOW, self._why_not(name)
            return Fault.NO_SHOW, f"{name} failed its validation: {self._trial_failure(name)}"
        if session.said_bye and name in self._joined:
            return Fault.LEFT, f"{name} said goodbye"
        back_until_ms = self._away_since_ms(session) + self._clock.grace_ms
        if name not in self._joined:
            if now_ms <= join_until_ms:
                return None
            if name not in self._versions:
                return Fault.NO_SHOW, f"{name} did not join within {self._clock.join_ms} ms"
            back_until_ms = join_until_ms
        if now_ms <= max(stuck_since_ms, back_until_ms) + self._clock.grace_ms:
            return None
        return Fault.DISCONNECT, f"{name} was away when only its games were left"

    def _away_since_ms(self, session: Session) -> float:
        return max(session.away_since_ms, self._forgiven_ms)

    def _plays_rules(self, name: str) -> bool:
        """Whether a bot says that it plays this rule set, and is the version that joined."""
        presence = self.sessions[name].presence
        if presence is None or self._rules not in presence.rulesets:
            return False
        return self._versions.get(name, presence.version) == presence.version

    def _why_not(self, name: str) -> str:
        """Why a bot that is here cannot play in this tournament."""
        presence = self.sessions[name].presence
        if presence is None or self._rules not in presence.rulesets:
            return f"{name} does not play {self._rules}"
        return f"{name} joined as version {self._versions[name]!r} and is another now"

    def _remark(self, name: str) -> str:
        """What an organiser should know of a bot that play waits for."""
        if self._in_trial(name):
            return " (being validated)"
        if self.sessions[name].connected and self._trial_failure(name):
            return " (failed its validation, and may join again)"
        return ""

    def _in_trial(self, name: str) -> bool:
        """Whether a bot that is here still has to show that it plays this rule set."""
        return (
            self.sessions[name].connected
            and self._plays_rules(name)
            and not self.ready(name)
            and not self._trial_failure(name)
        )

    def _trial_failure(self, name: str) -> str:
        if self._verdicts is None:
            return ""
        return self._verdicts.failure(name, self._rules)
