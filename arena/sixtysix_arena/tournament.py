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
from heapq import heapify, heappop, heapreplace

from sixtysix.outcome import Fault, GameOutcome
from sixtysix.record import DealRecord
from sixtysix_arena.dealing import Dealer, StoredGame
from sixtysix_arena.entrants import Absence, Entrants, Verdicts
from sixtysix_arena.referee import Referee
from sixtysix_arena.sessions import Sessions
from sixtysix_arena.store import rows
from sixtysix_arena.tables import Table, Tables

__all__ = ["LiveTournament"]

log = logging.getLogger(__name__)


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
        after_restart: bool = False,
    ) -> None:
        """Without `verdicts` everybody may play, validated or not.

        `after_restart` says that the arena itself was started again meanwhile.
        """
        self.tournament = tournament
        self.entrants = Entrants(tournament, sessions, now_ms, verdicts, after_restart)
        self.dealer = Dealer(tournament, self.entrants.wants_question)
        self._definition = tournament.definition
        self._everybody = sessions
        self._tables = tables
        self._on_finished = on_finished
        self._live: dict[int, rows.Game] = {}
        self._live_count = dict.fromkeys(self._definition.entrants, 0)
        self._due: dict[tuple[str, str], deque[StoredGame]] = {}
        self._pairs: dict[str, list[tuple[str, str]]] = {
            name: [] for name in self._definition.entrants
        }
        self._due_count = 0
        self._begun_count = dict.fromkeys(self._definition.entrants, 0)
        """Of the due games those that were begun, and go on when both bots are back."""
        self._stuck_since_ms: float | None = None
        self._held = False
        for stored in sorted(games, key=lambda stored: stored.place):
            pair = stored.game.entrants
            if pair not in self._due:
                self._add_pair(pair)
            self._due[pair].append(stored)
            self._count_due(stored, 1)
        self._missing_count = self._due_count
        self._keeping = any(self._begun_count.values())

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
        if self._tables.stalled:
            return "play pauses, since nothing can be stored"
        missing = self.entrants.missing() if self._due_count else ()
        return f"waiting for {', '.join(missing)}" if missing else ""

    def joined(self, name: str) -> None:
        """A bot is here, again or for the first time."""
        if name in self.entrants:
            self.entrants.joined(name)
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
            if (due := self._due[pair]) and self._has_room(due[0])
        ]
        heapify(ready)
        while ready:
            pair = ready[0][1]
            due = self._due[pair]
            if self._has_room(due[0]):
                self._open(due[0], self.dealer.referee(due[0]))
                if due:
                    heapreplace(ready, (due[0].place, pair))
                    continue
            heappop(ready)  # Room only shrinks in here: this pair is done with.

    def sweep(self, now_ms: float) -> None:
        """Looks after absent bots; to be called a few times a second."""
        away_together = self._everybody.vanished_together or self.entrants.nobody_came_back
        if self._held or away_together:
            self._stuck_since_ms = None
            return
        if self._keeping and now_ms > self.entrants.join_until_ms:
            self._keeping = False
            self.fill()
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
                if not stored.was_begun:
                    self._missing_count -= 1
                    self._count_due(stored, -1)
                    due.remove(stored)
                else:
                    self._open_void(stored, reason)
        if self.is_over:
            self._on_finished()

    def disable(self, name: str, reason: str) -> None:
        """Takes a bot out of play: it forfeits what is live at once, and what is due."""
        self.entrants.disabled[name] = reason
        for game in self._live.values():
            if name in game.entrants:
                self._tables.forfeit(game.id, name, Fault.LEFT, reason)
        self._forfeit_disabled()

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
                self._count_due(stored, -1)
                self._missing_count -= 1

    def put_back(self, stored: StoredGame) -> None:
        """Takes in a game that is to be played after all."""
        pair = stored.game.entrants
        if pair not in self._due:
            self._add_pair(pair)
        self._due[pair] = deque(sorted((*self._due[pair], stored), key=lambda due: due.place))
        self._count_due(stored, 1)
        self._missing_count += 1
        self.fill(*pair)
        self._forfeit_disabled()

    def _add_pair(self, pair: tuple[str, str]) -> None:
        self._due[pair] = deque()
        for name in pair:
            self._pairs[name].append(pair)

    def _leave(self, game: rows.Game) -> None:
        del self._live[game.id]
        for name in game.entrants:
            self.entrants.sessions[name].game_count -= 1
            self._live_count[name] -= 1

    def _count_due(self, stored: StoredGame, more: int) -> None:
        self._due_count += more
        if stored.was_begun:
            for name in stored.game.entrants:
                self._begun_count[name] += more

    def _has_room(self, stored: StoredGame) -> bool:
        """Whether both bots of a game are there and can take one more.

        After a restart they keep room for what they had begun, until the time is over
        in which their opponents may come back.
        """
        keeping = self._keeping and not stored.was_begun
        return all(
            self._room(name) > (self._begun_count[name] if keeping else 0)
            for name in stored.game.entrants
        )

    def _room(self, name: str) -> int:
        """How many more games a bot can take now."""
        presence = self.entrants.sessions[name].presence
        if presence is None or not self.entrants.ready(name):
            return 0
        offered = presence.games_at_once - self.entrants.sessions[name].game_count
        mine = self._definition.games_at_once - self._live_count[name]
        return min(offered, mine)

    def _open(
        self, stored: StoredGame, referee: Referee, broken_off: DealRecord | None = None
    ) -> None:
        game = stored.game
        self._due[game.entrants].remove(stored)
        self._count_due(stored, -1)
        self._live[game.id] = game
        first, second = (self.entrants.sessions[name] for name in game.entrants)
        for session in (first, second):
            session.game_count += 1
            self._live_count[session.name] += 1
        deals = self.dealer.deals_to_keep(stored, referee, broken_off)
        self._tables.open(Table(referee, (first, second), self._game_over, deals))

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
        gone = self.entrants.gone(now_ms)
        if not gone:
            return
        for game in list(self._live.values()):
            first, second = game.entrants
            if gone.issuperset(game.entrants):
                self._tables.void(game.id, f"both bots were away for more than {grace_ms} ms")
            elif first in gone and self.entrants.sessions[second].connected:
                self._forfeit_away(game, first)
            elif second in gone and self.entrants.sessions[first].connected:
                self._forfeit_away(game, second)

    def _forfeit_away(self, game: rows.Game, name: str) -> None:
        text = f"{name} was away for more than {self._definition.clock.grace_ms} ms"
        self._tables.forfeit(game.id, name, Fault.DISCONNECT, text)

    def _forfeit_due(self, now_ms: float) -> None:
        if self._live or not self._due_count:
            self._stuck_since_ms = None
            return
        if self._stuck_since_ms is None:
            self._stuck_since_ms = now_ms
        stuck_since_ms = self._stuck_since_ms
        absent = {
            name: self.entrants.absence(name, now_ms, stuck_since_ms)
            for name in self.entrants.sessions
        }
        for pair in self._due:
            first, second = (absent[name] for name in pair)
            self._charge(pair, first, second)

    def _forfeit_disabled(self) -> None:
        """Charges bots that were disabled, whatever else is played."""
        if self._held:
            return
        charges = {name: (Fault.LEFT, why) for name, why in self.entrants.disabled.items()}
        for name in charges:
            for pair in self._pairs[name]:
                self._charge(pair, *map(charges.get, pair))

    def _charge(self, pair: tuple[str, str], first: Absence | None, second: Absence | None) -> None:
        """Ends the due games of a pair if both are absent, or one is and the other is there."""
        due = tuple(self._due[pair])
        if not due:
            return
        if first and second:
            self._tell_due(pair, len(due), None)
            for stored in due:
                self._open_void(stored, f"{first[1]}; {second[1]}")
        elif (first and self.entrants.ready(pair[1])) or (second and self.entrants.ready(pair[0])):
            seat, charge = (0, first) if first else (1, second)
            assert charge is not None
            self._tell_due((pair[seat],), len(due), charge[0])
            for stored in due:
                referee = self.dealer.referee(stored)
                broken_off = None
                if referee.outcome is None:
                    broken_off = referee.forfeit(seat, *charge)
                self._open(stored, referee, broken_off)

    def _open_void(self, stored: StoredGame, reason: str) -> None:
        referee = self.dealer.referee(stored)
        broken_off = referee.void(reason) if referee.outcome is None else None
        self._open(stored, referee, broken_off)

    def _tell_due(self, names: Sequence[str], games: int, fault: Fault | None) -> None:
        """Logs that games end that never began; without a fault they are void."""
        message = "due games are void" if fault is None else "due games are forfeited"
        about = {"tournament": self.slug, "bots": list(names), "games": games}
        log.info(message, extra=about if fault is None else about | {"fault": str(fault)})
