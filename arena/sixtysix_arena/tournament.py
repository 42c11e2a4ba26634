"""A tournament being played: which game starts when, and what becomes of absent bots.

Everything here follows from the stored schedule and from who is connected, so
a tournament that is stopped, by hand or by a crash, is continued by making
this object anew from the store.

Games start in schedule order as bots have room. The due games of an absent
bot wait behind all that can be played; when only such games remain they are
forfeited: at once if the bot never joined within `join_ms`, else after another
`grace_ms`. Live games are forfeited when a bot is away for `grace_ms`, or for
`join_ms` after the arena itself was restarted. A game in which both are away
that long is void.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heapreplace
from typing import Protocol

from sixtysix import shuffle
from sixtysix.names import HOUSE
from sixtysix.outcome import Fault, GameOutcome
from sixtysix.record import DealRecord, MadeMove, RecordError
from sixtysix.reports import GameState
from sixtysix.wire import unpack_deal
from sixtysix_arena.referee import GameSpec, Progress, Referee
from sixtysix_arena.sessions import Session, Sessions
from sixtysix_arena.store import rows
from sixtysix_arena.tables import Table, Tables

__all__ = ["LiveTournament", "StoredGame", "Verdicts"]

log = logging.getLogger(__name__)

HOUSE_START_MS = 30_000
"""What a house bot is given beyond the time for joining: on a busy machine it starts slowly."""

Absence = tuple[Fault, str]
"""Why the due games of a bot are forfeited, as a fault and in words."""


class StoredGame:
    """A game that is not over, as the store has it: where to go on with it."""

    def __init__(
        self,
        unfinished: rows.UnfinishedGame,
        records: Iterable[bytes] = (),
        moves: Sequence[MadeMove] = (),
    ) -> None:
        """`records` are its stored deals, `moves` those of its deal in progress."""
        self.game = unfinished.game
        self.broken_deals = unfinished.broken_deals
        """Deals that were interrupted before there was a journal; they are void."""
        deals = (unpack_deal(record) for record in records)
        self.progress = Progress(
            tuple(deal for deal in deals if deal.result is not None),
            self.game.deals_started,
            unfinished.deal_in_progress is not None,
            moves,
        )

    def give_deal_up(self) -> None:
        """Says that the deal in progress cannot be gone on with."""
        self.broken_deals += (self.game.deals_started - 1,)
        self.progress = replace(self.progress, in_progress=False, moves=())

    @property
    def place(self) -> tuple[bool, int]:
        """Where it stands among the games to be played: those that were begun come first."""
        return self.game.state is GameState.SCHEDULED, self.game.number


class Verdicts(Protocol):
    """Who was validated: what `Validator` knows."""

    def may_play(self, name: str, ruleset: str) -> bool:
        """Whether a bot has passed its trial of a rule set."""
        ...

    def failure(self, name: str, ruleset: str) -> str:
        """Why it did not, in one sentence; empty if it did, or its trial goes on."""
        ...


class LiveTournament:
    """Starts the games of one tournament and watches over its bots."""

    def __init__(
        self,
        tournament: rows.Tournament,
        games: Iterable[StoredGame],
        *,
        sessions: Sessions,
        tables: Tables,
        now_ms: Callable[[], float],
        on_finished: Callable[[], None],
        verdicts: Verdicts | None = None,
    ) -> None:
        """Without `verdicts` everybody may play, validated or not."""
        self.tournament = tournament
        self.frozen = set(tournament.versions)
        """The bots whose version is kept."""
        self.frozen_as = dict(tournament.versions)
        """The versions that are known to be kept."""
        self.unfrozen: set[str] = set()
        """The bots that are here, and wait until it is."""
        self._definition = tournament.definition
        self._key = shuffle.tournament_key(tournament.seed, {})
        self._sessions = {name: sessions.of(name) for name in self._definition.entrants}
        self._everybody = sessions
        self._tables = tables
        self._now_ms = now_ms
        self._on_finished = on_finished
        self._verdicts = verdicts
        self._join_until_ms = now_ms() + self._definition.clock.join_ms + tournament.join_extra_ms
        self._forgiven_ms = 0.0
        """Nobody is charged with having been away before."""
        self._disabled: dict[str, str] = {}
        """Why each bot that may not play any more may not."""
        self._live: dict[int, rows.Game] = {}
        self._live_count = dict.fromkeys(self._definition.entrants, 0)
        self._due: dict[tuple[str, str], deque[StoredGame]] = {}
        self._pairs: dict[str, list[tuple[str, str]]] = {name: [] for name in self._sessions}
        self._due_count = 0
        self._stuck_since_ms: float | None = None
        self._held = False
        self._joined = {name for name in self._sessions if self._sessions[name].connected}
        """The bots that have been here since the tournament was opened."""
        for stored in sorted(games, key=lambda stored: stored.place):
            pair = stored.game.entrants
            if pair not in self._due:
                self._add_pair(pair)
            self._due[pair].append(stored)
            self._due_count += 1
        self._missing_count = self._due_count

    @property
    def slug(self) -> str:
        """The tournament's short name."""
        return self.tournament.slug

    @property
    def live_games(self) -> tuple[int, ...]:
        """The numbers, on streams, of the games that are being played."""
        return tuple(self._live)

    @property
    def is_over(self) -> bool:
        """Whether no game is left to be played."""
        return self._missing_count == 0

    @property
    def due_count(self) -> int:
        """The games that wait to be begun."""
        return self._due_count

    @property
    def waiting_for(self) -> str:
        """Whom play waits for, in one sentence; empty while it goes on."""
        missing = [name + self._remark(name) for name in self._sessions if not self._ready(name)]
        if self._tables.stalled:
            return "play pauses, since nothing can be stored"
        if not self._due_count or not missing:
            return ""
        return f"waiting for {', '.join(missing)}"

    def joined(self, name: str) -> None:
        """A bot is here, again or for the first time."""
        if name in self._sessions:
            self._joined.add(name)
            self.fill(name)
            self._forfeit_disabled()

    def fill(self, *names: str) -> None:
        """Starts every game that can start, in schedule order.

        With names, only games of these bots are looked at: those whose room changed.
        """
        if self._held:
            return
        pairs = {pair for name in names for pair in self._pairs[name]} if names else self._due
        ready = [
            (due[0].place, pair)
            for pair in pairs
            if (due := self._due[pair]) and all(map(self._has_room, pair))
        ]
        heapify(ready)
        while ready:
            pair = ready[0][1]
            due = self._due[pair]
            if all(map(self._has_room, pair)):
                self._open(due[0], self._referee(due[0]))
                if due:
                    heapreplace(ready, (due[0].place, pair))
                    continue
            heappop(ready)  # Room only shrinks in here: this pair is done with.

    def sweep(self, now_ms: float) -> None:
        """Looks after absent bots; to be called a few times a second."""
        if self._held or self._everybody.vanished_together:
            self._stuck_since_ms = None
            return
        self._forfeit_live(now_ms)
        self._forfeit_due(now_ms)

    def begin(self) -> None:
        """Starts what can start, after a hold."""
        self._held = False
        self.fill()
        self._forfeit_disabled()

    def hold(self) -> None:
        """Starts nothing more, and charges nobody with being away."""
        self._held = True

    def close(self) -> None:
        """Gives the places of its live games back, once they are off the tables."""
        for game in tuple(self._live.values()):
            self._leave(game)

    def end(self, reason: str) -> None:
        """Makes all games void that were begun and are not over, and forgets the others."""
        self._held = True
        for game in self._live:
            self._tables.void(game, reason)
        for due in self._due.values():
            for stored in tuple(due):
                if stored.game.state is GameState.SCHEDULED:
                    self._missing_count -= 1
                    self._due_count -= 1
                    due.remove(stored)
                else:
                    self._open_void(stored, reason)
        if self.is_over:
            self._on_finished()

    def disable(self, name: str, reason: str) -> None:
        """Takes a bot out of play: it forfeits what is live at once, and what is due."""
        self._disabled[name] = reason
        for game in self._live.values():
            if name in game.entrants:
                self._tables.forfeit(game.id, name, Fault.LEFT, reason)
        self._forfeit_disabled()

    def forgive(self) -> None:
        """Has every grace begin anew; the time for joining lasts as long, at least."""
        self._forgiven_ms = self._now_ms()
        until_ms = self._forgiven_ms + self._definition.clock.grace_ms
        self._join_until_ms = max(self._join_until_ms, until_ms)

    def extend(self, by_ms: int) -> None:
        """Gives the bots more time to join."""
        self._join_until_ms += by_ms

    def set_down(self, game: rows.Game) -> None:
        """Forgets a game that is off the tables, whether it was live or due."""
        if game.id in self._live:
            self._leave(self._live[game.id])
            self._missing_count -= 1
            return
        due = self._due.get(game.entrants, deque())  # None if all of theirs are over.
        for stored in tuple(due):
            if stored.game.id == game.id:
                due.remove(stored)
                self._due_count -= 1
                self._missing_count -= 1

    def put_back(self, stored: StoredGame) -> None:
        """Takes in a game that is to be played after all."""
        pair = stored.game.entrants
        if pair not in self._due:
            self._add_pair(pair)
        self._due[pair] = deque(sorted((*self._due[pair], stored), key=lambda due: due.place))
        self._due_count += 1
        self._missing_count += 1
        self.fill(*pair)
        self._forfeit_disabled()

    def void_deals(self, stored: StoredGame) -> list[DealRecord]:
        """What was dealt in a game and has no record yet: for a game that is made void."""
        referee = self._referee(stored)
        broken_off = referee.void("") if referee.outcome is None else None
        return self._deals_to_keep(stored, referee, broken_off)

    def _add_pair(self, pair: tuple[str, str]) -> None:
        self._due[pair] = deque()
        for name in pair:
            self._pairs[name].append(pair)

    def _leave(self, game: rows.Game) -> None:
        del self._live[game.id]
        for name in game.entrants:
            self._sessions[name].game_count -= 1
            self._live_count[name] -= 1

    def _ready(self, name: str) -> bool:
        """Whether a bot is there, plays this rule set, and was validated in it."""
        if name in self.unfrozen:
            return False
        session = self._sessions[name]
        if name in self._disabled or session.said_bye:
            return False
        if not session.connected or not self._plays_rules(name):
            return False
        return self._verdicts is None or self._verdicts.may_play(name, self._definition.rules.name)

    def _plays_rules(self, name: str) -> bool:
        """Whether a bot says that it plays this rule set, and is the version that joined."""
        presence = self._sessions[name].presence
        if presence is None or self._definition.rules.name not in presence.rulesets:
            return False
        return self.tournament.versions.get(name, presence.version) == presence.version

    def _why_not(self, name: str) -> str:
        """Why a bot that is here cannot play in this tournament."""
        presence, rules = self._sessions[name].presence, self._definition.rules.name
        if presence is None or rules not in presence.rulesets:
            return f"{name} does not play {rules}"
        return f"{name} joined as version {self.tournament.versions[name]!r} and is another now"

    def _remark(self, name: str) -> str:
        """What an organiser should know of a bot that play waits for."""
        if self._in_trial(name):
            return " (being validated)"
        if self._sessions[name].connected and self._trial_failure(name):
            return " (failed its validation, and may join again)"
        return ""

    def _in_trial(self, name: str) -> bool:
        """Whether a bot that is here still has to show that it plays this rule set."""
        return (
            self._sessions[name].connected
            and self._plays_rules(name)
            and not self._ready(name)
            and not self._trial_failure(name)
        )

    def _trial_failure(self, name: str) -> str:
        if self._verdicts is None:
            return ""
        return self._verdicts.failure(name, self._definition.rules.name)

    def _has_room(self, name: str) -> bool:
        """Whether a bot is there and can take one more game."""
        presence = self._sessions[name].presence
        if presence is None or not self._ready(name):
            return False
        offered = presence.games_at_once - self._sessions[name].game_count
        mine = self._definition.games_at_once - self._live_count[name]
        return min(offered, mine) > 0

    def _open(
        self, stored: StoredGame, referee: Referee, broken_off: DealRecord | None = None
    ) -> None:
        game = stored.game
        self._due[game.entrants].remove(stored)
        self._due_count -= 1
        self._live[game.id] = game
        first, second = (self._sessions[name] for name in game.entrants)
        for session in (first, second):
            session.game_count += 1
            self._live_count[session.name] += 1
        deals = self._deals_to_keep(stored, referee, broken_off)
        self._tables.open(Table(referee, (first, second), self._game_over, deals))

    def _deals_to_keep(
        self, stored: StoredGame, referee: Referee, broken_off: DealRecord | None
    ) -> list[DealRecord]:
        """Deals of a game that have no record yet and are not gone on with."""
        deals = [
            DealRecord(number, referee.next_dealer, self._pack(stored.game, number), void=True)
            for number in stored.broken_deals
        ]
        return deals if broken_off is None else [*deals, broken_off]

    def _referee(self, stored: StoredGame) -> Referee:
        """The referee of a game, where it was left; of a void game if that is lost."""
        try:
            return self._at_its_place(stored)
        except RecordError as error:
            about = {"game": stored.game.public_id, "reason": str(error)}
            log.error("a game is void", extra=about)
            stored.give_deal_up()
            referee = self._at_its_place(stored)
            referee.void("the arena cannot read what was played in its last deal")
            return referee

    def _at_its_place(self, stored: StoredGame) -> Referee:
        game = stored.game
        definition = self._definition
        spec = GameSpec(
            game=game.id,
            game_id=game.public_id,
            entrants=game.entrants,
            first_dealer=game.scheduled.first_dealer,
            rules=definition.rules,
            clock=definition.clock,
        )
        first, second = map(self._wants_question, game.entrants)
        was_begun = game.state is not GameState.SCHEDULED
        return Referee(
            spec,
            lambda number: self._pack(game, number),
            game.wants_question if was_begun else (first, second),
            stored.progress,
        )

    def _wants_question(self, name: str) -> bool:
        """Whether a bot asked to be asked before its opponent's leads."""
        presence = self._sessions[name].presence
        return presence is not None and presence.close_on_opponents_lead

    def _pack(self, game: rows.Game, deal: int) -> tuple[int, ...]:
        return shuffle.pack(
            self._key,
            ruleset=self._definition.rules.name,
            tournament=self.slug,
            entrants=game.entrants,
            game=game.scheduled.game_index,
            deal=deal,
        )

    def _game_over(self, table: Table, outcome: GameOutcome) -> None:
        self._leave(self._live[table.game])
        self._missing_count -= 1
        if self.is_over:
            self._on_finished()
        else:
            self.fill(*table.referee.spec.entrants)

    # Absent bots.

    def _forfeit_live(self, now_ms: float) -> None:
        grace_ms = self._definition.clock.grace_ms
        gone = {
            name
            for name, session in self._sessions.items()
            if not session.connected and now_ms - self._away_since_ms(session) > grace_ms
        }
        if not gone:
            return
        for game in list(self._live.values()):
            first, second = game.entrants
            if gone.issuperset(game.entrants):
                self._tables.void(game.id, f"both bots were away for more than {grace_ms} ms")
            elif first in gone and self._sessions[second].connected:
                self._forfeit_away(game, first)
            elif second in gone and self._sessions[first].connected:
                self._forfeit_away(game, second)

    def _away_since_ms(self, session: Session) -> float:
        return max(session.away_since_ms, self._forgiven_ms)

    def _forfeit_away(self, game: rows.Game, name: str) -> None:
        text = f"{name} was away for more than {self._definition.clock.grace_ms} ms"
        self._tables.forfeit(game.id, name, Fault.DISCONNECT, text)

    def _forfeit_due(self, now_ms: float) -> None:
        if self._live or not self._due_count:
            self._stuck_since_ms = None
            return
        if self._stuck_since_ms is None:
            self._stuck_since_ms = now_ms
        absent = {name: self._absence(name, now_ms) for name in self._sessions}
        for pair in self._due:
            first, second = (absent[name] for name in pair)
            self._charge(pair, first, second)

    def _forfeit_disabled(self) -> None:
        """Charges bots that were disabled, whatever else is played."""
        if self._held:
            return
        for name in self._disabled:
            for pair in self._pairs[name]:
                first, second = (
                    (Fault.LEFT, self._disabled[each]) if each in self._disabled else None
                    for each in pair
                )
                self._charge(pair, first, second)

    def _charge(self, pair: tuple[str, str], first: Absence | None, second: Absence | None) -> None:
        """Ends the due games of a pair if both are absent, or one is and the other is there."""
        due = tuple(self._due[pair])
        if not due:
            return
        if first and second:
            self._tell_due(pair, len(due), None)
            for stored in due:
                self._open_void(stored, f"{first[1]}; {second[1]}")
        elif (first and self._ready(pair[1])) or (second and self._ready(pair[0])):
            seat, charge = (0, first) if first else (1, second)
            assert charge is not None
            self._tell_due((pair[seat],), len(due), charge[0])
            for stored in due:
                referee = self._referee(stored)
                broken_off = None
                if referee.outcome is None:
                    broken_off = referee.forfeit(seat, *charge)
                self._open(stored, referee, broken_off)

    def _open_void(self, stored: StoredGame, reason: str) -> None:
        referee = self._referee(stored)
        broken_off = referee.void(reason) if referee.outcome is None else None
        self._open(stored, referee, broken_off)

    def _tell_due(self, names: Sequence[str], games: int, fault: Fault | None) -> None:
        """Logs that games end that never began; without a fault they are void."""
        message = "due games are void" if fault is None else "due games are forfeited"
        about = {"tournament": self.slug, "bots": list(names), "games": games}
        log.info(message, extra=about if fault is None else about | {"fault": str(fault)})

    def _absence(self, name: str, now_ms: float) -> Absence | None:
        """Why the due games of a bot are forfeited now, or None."""
        session = self._sessions[name]
        clock = self._definition.clock
        if self._ready(name):
            return None
        if name in self._disabled:
            return Fault.LEFT, self._disabled[name]
        join_until_ms = self._join_until_ms
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
        back_until_ms = self._away_since_ms(session) + clock.grace_ms
        if name not in self._joined:
            if now_ms <= join_until_ms:
                return None
            if name not in self.tournament.versions:
                return Fault.NO_SHOW, f"{name} did not join within {clock.join_ms} ms"
            back_until_ms = join_until_ms
        assert self._stuck_since_ms is not None
        if now_ms <= max(self._stuck_since_ms, back_until_ms) + clock.grace_ms:
            return None
        return Fault.DISCONNECT, f"{name} was away when only its games were left"
