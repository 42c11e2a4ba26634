"""Validation before it counts: a bot's trial of each rule set that it says it plays.

A bot that joins for the first time, or with a new version, plays a short
unrated game of each of its rule sets against a house bot, one after another.
What counts is only that it commits no fault. The deals follow from a seed of
their own, drawn for each trial and thrown away.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from sixtysix import shuffle
from sixtysix.bot import answer_code, load_bot
from sixtysix.clock import Clock
from sixtysix.names import HOUSE, TRIAL
from sixtysix.outcome import Fault, GameOutcome
from sixtysix.rules import RULESETS, View
from sixtysix.wire import pack_deals
from sixtysix_arena.referee import GameSpec, Referee
from sixtysix_arena.sessions import Answered, Event, Session, Sessions
from sixtysix_arena.store import Store, StoreReader, StoreThread, Validation
from sixtysix_arena.tables import Table, Tables
from sixtysix_arena.times import utc_now

__all__ = ["Validator"]

OPPONENT = "house:greedy"
"""It announces, exchanges and claims, so that a bot meets all kinds of views."""
TRIAL_DEALS = 2
"""Each side deals once, unless the winner deals."""
TRIAL_CLOCK = Clock(per_move_ms=10_000, per_game_ms=120_000, grace_ms=10_000, join_ms=0)
"""Generous: whether a bot is fast enough is for its tournament to say."""
MAX_FRESH = 32
"""Bots that begin their trials at a time: if hundreds join at once, joining comes first."""
FRESH_MS = 1_000.0
"""A bot that takes longer over its trials keeps nobody waiting for theirs."""
FIRST_NUMBER = 2**62
"""Trials have numbers on streams, but none in the store, which counts from below."""


log = logging.getLogger(__name__)


class _HouseSeat(Session):
    """A house bot in this process, which answers with the next tick."""

    def __init__(self, now_ms: Callable[[], float], deliver: Callable[[Event], None]) -> None:
        super().__init__(OPPONENT, now_ms, deliver)
        self._bot = load_bot(OPPONENT)

    def ask(
        self, game: int, view: View, *, charged_ms: int, bank_ms: int, per_move_ms: int
    ) -> None:
        """Chooses at once."""
        move = answer_code(self._bot.choose(view))
        self._deliver(Answered(game, move, 0.0, "", self.evidence(game)))


@dataclass(slots=True)
class _Candidate:
    """A bot on its way through its trials."""

    version: str
    due: deque[str]
    """Rule sets still to be tried, the present one first."""
    passed: set[str]
    failures: dict[str, str] = field(default_factory=dict)
    game: int | None = None
    """The number of the present trial, on streams."""


class Validator:
    """Puts bots through their trials and knows who may play what."""

    def __init__(
        self,
        *,
        sessions: Sessions,
        tables: Tables,
        store: StoreThread,
        reader: StoreReader,
        now_ms: Callable[[], float],
        keep: Callable[[Coroutine[Any, Any, None], str], None],
        on_verdict: Callable[[str], None],
    ) -> None:
        """`on_verdict` is called with a bot's name whenever it may play something more."""
        self._sessions = sessions
        self._tables = tables
        self._store = store
        self._reader = reader
        self._keep = keep
        self._on_verdict = on_verdict
        self._now_ms = now_ms
        self._candidates: dict[str, _Candidate] = {}
        self._waiting: deque[str] = deque()
        self._fresh: dict[str, float] = {}  # When each bot began that is counted as fresh.
        self._house: _HouseSeat | None = None
        self._trial_count = 0

    async def admit(self, name: str, version: str) -> None:
        """Recalls the verdicts on a bot that is about to join."""
        if name.startswith(HOUSE):
            return
        before = self._candidates.get(name)
        if before is not None and before.version == version and before.due:
            return  # It has come back in the middle of a trial.
        verdicts = await asyncio.to_thread(self._reader.validations, name)
        passed = {
            verdict.ruleset
            for verdict in verdicts
            if verdict.version == version and not verdict.failure
        }
        if before is not None and before.game is not None:
            text = f"{name} has joined with another version"
            self._tables.forfeit(before.game, name, Fault.LEFT, text)
        self._candidates[name] = _Candidate(version, deque(), passed)

    def joined(self, name: str) -> None:
        """A bot has a new stream: tries what it was not yet tried in."""
        candidate = self._candidates.get(name)
        presence = self._sessions.of(name).presence
        if candidate is None or presence is None or candidate.due:
            return
        candidate.due.extend(sorted(presence.rulesets - candidate.passed))
        if candidate.due:
            self._waiting.append(name)
            self._begin_trials()

    def may_play(self, name: str, ruleset: str) -> bool:
        """Whether a bot, in its present version, has passed its trial of a rule set."""
        candidate = self._candidates.get(name)
        return name.startswith(HOUSE) or (candidate is not None and ruleset in candidate.passed)

    def failure(self, name: str, ruleset: str) -> str:
        """Why a bot did not pass, in one sentence; empty if it did, or its trial goes on."""
        candidate = self._candidates.get(name)
        return "" if candidate is None else candidate.failures.get(ruleset, "")

    def sweep(self, now_ms: float) -> None:
        """Ends the trials of bots that went away, and begins those of bots that waited."""
        began = self._fresh.items()
        self._fresh = {name: at_ms for name, at_ms in began if now_ms - at_ms <= FRESH_MS}
        self._begin_trials()
        for name, candidate in self._candidates.items():
            if candidate.game is None:
                continue  # As for most, of perhaps thousands.
            session = self._sessions.of(name)
            if not session.connected and now_ms - session.away_since_ms > TRIAL_CLOCK.grace_ms:
                text = f"{name} was away for more than {TRIAL_CLOCK.grace_ms} ms"
                self._tables.forfeit(candidate.game, name, Fault.DISCONNECT, text)

    def _begin_trials(self) -> None:
        while self._waiting and len(self._fresh) < MAX_FRESH:
            name = self._waiting.popleft()
            candidate = self._candidates.get(name)
            if candidate is None or candidate.game is not None:
                continue
            if not self._sessions.of(name).connected:
                candidate.due.clear()  # Tried when it is back.
            elif candidate.due:
                self._fresh[name] = self._now_ms()
                self._next_trial(name, candidate)

    def _next_trial(self, name: str, candidate: _Candidate) -> None:
        if not candidate.due:
            candidate.game = None
            self._fresh.pop(name, None)
            self._begin_trials()
            return
        if self._house is None:
            self._house = _HouseSeat(self._now_ms, self._tables.deliver)
        rules = RULESETS[candidate.due[0]]
        session = self._sessions.of(name)
        self._trial_count += 1
        candidate.game = game = FIRST_NUMBER + self._trial_count
        key = shuffle.tournament_key(secrets.token_bytes(32), {})
        bot_seat = int(name.encode() > OPPONENT.encode())
        spec = GameSpec(
            game=game,
            game_id=f"{TRIAL}{rules.name}",
            entrants=(OPPONENT, name) if bot_seat else (name, OPPONENT),
            first_dealer=0,
            rules=rules,
            clock=TRIAL_CLOCK,
        )
        presence = session.presence
        wants_question = presence is not None and presence.close_on_opponents_lead
        referee = Referee(
            spec,
            lambda deal: shuffle.pack(
                key,
                ruleset=rules.name,
                tournament="validation",
                entrants=spec.entrants,
                game=0,
                deal=deal,
            ),
            (wants_question and bot_seat == 0, wants_question and bot_seat == 1),
            deal_limit=TRIAL_DEALS,
        )
        seats = (self._house, session) if bot_seat else (session, self._house)
        session.game_count += 1

        def over(table: Table, outcome: GameOutcome) -> None:
            self._trial_over(name, candidate, table, outcome)

        self._tables.open(Table(referee, seats, over, transcript=[]))

    def _trial_over(
        self, name: str, candidate: _Candidate, table: Table, outcome: GameOutcome
    ) -> None:
        self._sessions.of(name).game_count -= 1
        ruleset = candidate.due.popleft()
        failure = outcome.reason  # A house bot commits no faults.
        if failure:
            candidate.failures[ruleset] = failure
        else:
            candidate.passed.add(ruleset)
        about = {"bot": name, "version": candidate.version, "rules": ruleset}
        log.info("a bot was validated", extra=about | {"reason": failure or "passed"})
        verdict = Validation(
            name,
            candidate.version,
            ruleset,
            failure,
            utc_now(),
            pack_deals(table.transcript or ()),
        )
        self._keep(self._store_verdict(verdict), f"validation of {name}")
        if self._candidates.get(name) is not candidate:
            return  # It has joined with another version meanwhile.
        if self._sessions.of(name).connected:
            self._next_trial(name, candidate)
        else:
            candidate.due.clear()  # Tried again when it is back.
            self._next_trial(name, candidate)
        if not failure:
            self._on_verdict(name)

    async def _store_verdict(self, verdict: Validation) -> None:
        await self._tables.insist(lambda: self._store.run(Store.keep_validation, verdict))
