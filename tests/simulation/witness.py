"""What was seen from outside of the arena while a world ran, and what was wrong with it at once.

The write-ahead rule is checked here: whatever an arena writes on a stream has to
be in the store already. At each crash the store is read as the next arena will
find it, and each decision, result and fault notice that was ever written has to
follow from it.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.bots import TRIALS_FROM
from simulation.network import Frame, Link

from sixtysix import shuffle, wire
from sixtysix.forced import forced_move
from sixtysix.outcome import GameOutcome
from sixtysix.reports import TournamentInfo, TournamentState
from sixtysix.rules import Deal
from sixtysix.v1 import play_pb2
from sixtysix_arena.errors import NotFound
from sixtysix_arena.store import DataFolder, Game, StoreReader

if TYPE_CHECKING:
    from simulation.scenario import Scenario

__all__ = ["Witness"]

Place = tuple[int, int]
"""A deal of a game and a ply in it."""


class Witness:
    """Remembers what bots were shown and what they answered."""

    def __init__(self, scenario: Scenario) -> None:
        self.wrongs: list[str] = []
        """What must not be, in the order of its discovery."""
        self.decision_count = 0
        """Decisions that were written, repetitions left out."""
        self.moves: dict[tuple[str, int, int, int], set[int]] = {}
        """What each bot answered, by its name, game, deal and ply."""
        self.errors: list[str] = []
        """What was logged as an error."""
        self.refusals: dict[str, str] = {}
        """Why bots were not let in, for good."""
        self._scenario = scenario
        self._slug = scenario.definition.slug
        self._entrants = {bot.name for bot in scenario.bots}
        self._shown: dict[tuple[int, int, int], tuple[bytes, tuple[int, int]]] = {}
        self._last: dict[int, Place] = {}
        self._ids: dict[int, str] = {}
        self._over: dict[int, GameOutcome] = {}
        self._charged: set[tuple[int, str, int]] = set()
        self._voided: set[int] = set()
        self._power_was_cut = False

    def wrong(self, text: str) -> None:
        """Notes something that must not be."""
        if text not in self.wrongs:
            self.wrongs.append(text)

    # What an arena writes.

    def sent(self, link: Link, frame: Frame) -> None:
        """A frame is about to be written."""
        for start in frame.starts:
            if start.game < TRIALS_FROM and self._ids.setdefault(start.game, start.game_id) != (
                start.game_id
            ):
                self.wrong(f"game {start.game} is {start.game_id} and was {self._ids[start.game]}")
        for decision in frame.decisions:
            if decision.game < TRIALS_FROM:
                self._decision(link, decision)
        for over in frame.games_over:
            if over.game < TRIALS_FROM:
                self._game_over(over)
        for fault in frame.faults:
            if fault.game < TRIALS_FROM and fault.game not in self._voided:
                self._charged.add((fault.game, link.name, fault.fault))

    def _decision(self, link: Link, decision: play_pb2.Decision) -> None:
        game, place = decision.game, (decision.deal, decision.ply)
        times = (decision.game_ms, decision.charged_ms)
        kept = play_pb2.Decision()
        kept.CopyFrom(decision)
        kept.game_ms = kept.charged_ms = 0
        content = link.name.encode() + kept.SerializeToString(deterministic=True)
        before = self._shown.get((game, *place))
        told = f"{self._ids.get(game, game)} deal {place[0]} ply {place[1]}"
        if game in self._over:
            self.wrong(f"a decision of {told} is asked though the game is over")
        last = self._last.get(game, (-1, -1))
        if before is None:
            self._shown[game, *place] = content, times
            self.decision_count += 1
        elif before[0] != content:
            self.wrong(f"the decision of {told} is asked once more and differs")
        elif before[1] != times and not self._power_was_cut:
            self.wrong(f"the times of {told} were {before[1]} and are {times} ms")
        if last > place:
            self.wrong(f"a decision of {told} is asked behind one of {last}")
        elif before is not None and last != place and not self._power_was_cut:
            self.wrong(f"the decision of {told} is asked once more behind {last}")
        self._last[game] = max(last, place)

    def _game_over(self, over: play_pb2.GameOver) -> None:
        end = wire.GAME_ENDS.member(over.end)
        assert end is not None
        score_0, score_1 = over.score
        outcome = GameOutcome(
            end,
            over.winner if over.HasField("winner") else None,
            (score_0, score_1),
            0,
            wire.FAULTS.member(over.fault),
            over.text,
        )
        if over.game in self._voided:
            return
        if self._over.setdefault(over.game, outcome) != outcome:
            self.wrong(f"the result of game {over.game} is told twice, and differs")

    def forget(self) -> None:
        """The power was cut: what was shown may be shown again, and differently."""
        self._power_was_cut = True
        self._forget_shown(*self._voided)
        self._last.clear()
        self._over.clear()
        self._charged.clear()

    def voiding(self, game: int) -> None:
        """From now on a game may be void: what it came to before is forgotten."""
        self._voided.add(game)
        if self._power_was_cut:
            self._forget_shown(game)
        self._over.pop(game, None)
        self._charged = {each for each in self._charged if each[0] != game}

    def _forget_shown(self, *games: int) -> None:
        """Deals of a game that was void, or not after all, may get another number."""
        self._shown = {place: each for place, each in self._shown.items() if place[0] not in games}

    # What bots do and hear.

    def answers(self, name: str, decision: play_pb2.Decision, move: int) -> None:
        """A bot sends an answer."""
        key = name, decision.game, decision.deal, decision.ply
        self.moves.setdefault(key, set()).add(move)

    def welcomed(self, name: str, welcome: play_pb2.Welcome) -> None:
        """A bot was let in."""
        if welcome.bot_name != name:
            self.wrong(f"{name} was welcomed as {welcome.bot_name}")

    def refused(self, name: str, text: str) -> None:
        """A bot was not let in, and does not come back."""
        self.refusals[name] = text

    def bye(self, name: str, bye: play_pb2.ArenaBye) -> None:
        """A bot was told to go for good."""
        if bye.reason != play_pb2.BYE_REASON_FINISHED:
            self.refusals[name] = bye.text

    def told(self, info: TournamentInfo) -> None:
        """The organiser was told how it stands."""
        if info.seed and info.state is not TournamentState.FINISHED:
            self.wrong(f"the seed was told while the tournament was {info.state}")

    def logged(self, record: logging.LogRecord) -> None:
        """The arena logged something that is not just for information."""
        if record.levelno >= logging.ERROR:
            text = record.getMessage()
            if record.exc_info and record.exc_info[1] is not None:
                text = f"{text}: {record.exc_info[1]!r}"
            self.errors.append(text)

    # What is stored.

    def check_durable(self, data: Path) -> None:
        """All that was ever written follows from what is stored."""
        with DataFolder.open(data, create=False).open_reader() as reader:
            try:
                tournament = reader.tournament(self._slug)
            except NotFound:
                if self._last:
                    self.wrong("decisions were asked in a tournament that is not stored")
                return
            games = {game.id: game for game in reader.games(self._slug)}
            stored = _Stored(reader, tournament.seed, self._scenario)
            for game, place in self._last.items():
                reached = stored.reached(games[game])
                if reached < place:
                    self.wrong(
                        f"{self._ids.get(game)} was asked up to deal {place[0]} ply {place[1]},"
                        f" but is stored only up to deal {reached[0]} ply {reached[1]}"
                    )
            for game, outcome in self._over.items():
                kept = games[game].outcome
                if kept is None:
                    self.wrong(f"the result of {self._ids.get(game)} was told and is not stored")
                elif (kept.end, kept.winner, kept.score, kept.fault, kept.reason) != (
                    outcome.end,
                    outcome.winner,
                    outcome.score,
                    outcome.fault,
                    outcome.reason,
                ):
                    self.wrong(f"the result of {self._ids.get(game)} is stored otherwise: {kept}")
            for game, name, fault in self._charged:
                seat = games[game].entrants.index(name)
                known = {each.seat: each.fault for each in reader.faults(game)}
                if known.get(seat) != wire.FAULTS.member(fault):
                    self.wrong(f"{name} was told of a fault in {self._ids.get(game)}: not stored")


class _Stored:
    """How far the games are in a store."""

    def __init__(self, reader: StoreReader, seed: bytes, scenario: Scenario) -> None:
        self._reader = reader
        self._rules = scenario.definition.rules
        self._key = shuffle.tournament_key(seed, {})
        self._journal: dict[tuple[int, int], dict[int, int]] = {}
        for _, data in reader.journal():
            for made in wire.unpack_moves(data):
                self._journal.setdefault((made.game, made.deal), {})[made.ply] = made.move

    def reached(self, game: Game) -> Place:
        """The last decision that can follow from what is stored."""
        if not game.deals_started:
            return (-1, -1)
        records = [wire.unpack_deal(data) for _, data in self._reader.deals(game.id)]
        last = game.deals_started - 1
        for record in records:
            if record.deal == last:
                return last, len(record.moves)
        dealer = game.scheduled.first_dealer
        for record in records:
            if record.result is None:
                continue
            if self._rules.dealers_alternate:
                dealer = 1 - dealer
            elif record.result.winner is not None:
                dealer = record.result.winner
        deal = Deal(self._rules, self._pack(game, last), dealer)
        moves = self._journal.get((game.id, last), {})
        while deal.turn is not None:
            move: int | None = forced_move(deal, game.wants_question[deal.turn])
            if move is None:
                move = moves.get(deal.ply)
            if move is None:
                break
            deal.play(move)
        return last, deal.ply

    def _pack(self, game: Game, number: int) -> tuple[int, ...]:
        return shuffle.pack(
            self._key,
            ruleset=self._rules.name,
            tournament=game.slug,
            entrants=game.entrants,
            game=game.scheduled.game_index,
            deal=number,
        )
