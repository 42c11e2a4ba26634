"""Whether a world came to the right end: judged by what is stored, and by who did what.

The checker knows the scenario, so it knows who may be blamed for what. It plays
every game again by the core alone, as it goes if nothing disturbs it: the
stored one has to be the same, move by move, up to the fault that ended it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from simulation.bots import VERSION, BotPlan
from simulation.players import IdealDeal, ideal_game

from sixtysix import shuffle
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.reports import TournamentState
from sixtysix.rules import Deal
from sixtysix.rules import Game as GameScore
from sixtysix.verify import verify
from sixtysix.wire import unpack_deal
from sixtysix_arena import standings
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.rerating import RATER
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import DataFolder, Game, StoreReader, Tournament

if TYPE_CHECKING:
    from simulation.scenario import Scenario
    from simulation.world import World

__all__ = ["Figures", "check"]

ABSENCE = frozenset((Fault.DISCONNECT, Fault.NO_SHOW, Fault.LEFT))
"""Faults of which two make a game void."""
NETWORK = frozenset(("silence", "partition", "reset"))
"""What happens to the time of bots that nothing else befalls."""
LAG_MS = 120.0
"""What the arena takes for its own lag only if it is longer; and what it rounds."""
PAUSES = "play pauses, since nothing can be stored"


@dataclass(slots=True)
class Figures:
    """What was stored in the end."""

    games: int = 0
    deals: int = 0
    forfeits: int = 0
    void: int = 0

    def plus(self, other: Figures) -> Figures:
        """Both together."""
        return Figures(
            self.games + other.games,
            self.deals + other.deals,
            self.forfeits + other.forfeits,
            self.void + other.void,
        )


def check(world: World) -> Figures:
    """Adds to what the witness found wrong, and counts."""
    witness = world.witness
    figures = Figures()
    with DataFolder.open(world.data, create=False).open_reader() as reader:
        for text in _found(world, reader, figures):
            witness.wrong(text)
    return figures


def _found(world: World, reader: StoreReader, figures: Figures) -> Iterator[str]:
    scenario = world.scenario
    tournament = reader.tournament(scenario.definition.slug)
    if tournament.state is not TournamentState.FINISHED:
        yield f"the tournament ended as {tournament.state}"
        return
    stored = StoredArena(reader)
    verdict = verify((line.encode() for line in stored.export(tournament.slug)), lambda: RATER)
    if not verdict.ok:
        yield f"the record is not right: {verdict.difference}"
    if verdict.unchecked:
        yield f"the record is not checked: {verdict.unchecked}"
    games = reader.games(tournament.slug)
    schedule = round_robin(scenario.definition.entrants, scenario.definition.games_per_pairing)
    if [game.scheduled for game in games] != list(schedule):
        yield "the schedule is not the one of these entrants"
    if reader.deals_in_progress():
        yield f"deals are in progress still: {reader.deals_in_progress()}"
    ideal_outcomes: dict[int, GameOutcome] = {}
    losers: list[str] = []
    for game in games:
        figures.games += 1
        checks = _GameChecks(world, reader, tournament, game)
        yield from checks.found()
        figures.deals += len(checks.deals)
        if game.outcome is not None:
            if game.outcome.end is GameEnd.FORFEIT and game.outcome.winner is not None:
                figures.forfeits += 1
                losers.append(game.entrants[1 - game.outcome.winner])
            figures.void += game.outcome.end is GameEnd.VOID
        ideal_outcomes[game.number] = checks.ideal_outcome
    yield from _board(world, stored, ideal_outcomes)
    for error in world.witness.errors:
        if not (world.disk.failures and error.startswith(PAUSES)):
            yield f"an error was logged: {error}"
    for bot in scenario.bots:
        if bot.name in world.acts.disabled:
            continue
        count = sum(loser == bot.name for loser in losers)
        if bot.most_faults is not None and count > bot.most_faults:
            yield f"{bot.name} lost {count} games by faults, and committed {bot.most_faults}"
        if bot.is_blameless and bot.name in world.witness.refusals:
            yield f"{bot.name} was sent away: {world.witness.refusals[bot.name]}"
        version = tournament.versions.get(bot.name)
        if bot.is_blameless and version != VERSION and not world.acts.ended:
            yield f"{bot.name} played, and its version is not kept"


def _board(world: World, reader: StoredArena, outcomes: dict[int, GameOutcome]) -> Iterator[str]:
    scenario = world.scenario
    definition = scenario.definition
    stored = reader.board(definition.slug).canonical
    if stored != world.board:
        yield "the board that the arena told at the end is not the one that is stored"
    # A board follows from its outcomes, which are compared one by one; rating takes long.
    if (
        scenario.seed % 10 == 0
        and all(bot.is_blameless for bot in scenario.bots)
        and not (world.acts.ended or world.acts.disabled)
    ):
        undisturbed = standings.board(
            slug=definition.slug,
            ruleset=definition.rules.name,
            versions=dict.fromkeys(definition.entrants, VERSION),
            schedule=round_robin(definition.entrants, definition.games_per_pairing),
            outcomes=outcomes,
            practice=True,
        ).canonical
        if stored != undisturbed:
            yield f"the board differs from the undisturbed one: {stored!r}, not {undisturbed!r}"


def _most_ms(plan: BotPlan) -> float:
    """The most that a move may cost a bot."""
    if plan.upsets:
        return inf
    wire = plan.wire
    return 1_000 * (plan.think_s[1] + 2 * (wire.delay_s + wire.jitter_s)) + LAG_MS


class _GameChecks:
    """One stored game against the one that the bots play if nothing disturbs them."""

    def __init__(
        self, world: World, reader: StoreReader, tournament: Tournament, game: Game
    ) -> None:
        self._world = world
        self._scenario: Scenario = world.scenario
        self._game = game
        plans = {bot.name: bot for bot in self._scenario.bots}
        first, second = game.entrants
        self._plans: tuple[BotPlan, BotPlan] = (plans[first], plans[second])
        self._faults = {fault.seat: fault for fault in reader.faults(game.id)}
        self.deals = [unpack_deal(data) for _, data in reader.deals(game.id)]
        key = shuffle.tournament_key(tournament.seed, {})
        rules = self._scenario.definition.rules
        self._ideal: list[IdealDeal] = list(
            ideal_game(
                rules,
                (self._plans[0].player, self._plans[1].player),
                (self._plans[0].asks, self._plans[1].asks),
                game.scheduled.first_dealer,
                lambda number: shuffle.pack(
                    key,
                    ruleset=rules.name,
                    tournament=tournament.slug,
                    entrants=game.entrants,
                    game=game.scheduled.game_index,
                    deal=number,
                ),
                frozenset(deal.deal for deal in self.deals if deal.void),
            )
        )
        score = GameScore(rules, game.scheduled.first_dealer)
        for deal in self._ideal:
            score.add(deal.result)
        end = GameEnd.TARGET if score.target_reached else GameEnd.DEAL_LIMIT
        self.ideal_outcome = GameOutcome(end, score.winner, score.score, score.deal_count)

    def found(self) -> Iterator[str]:
        """What is wrong with it."""
        name = self._game.public_id
        for text in (*self._outcome(), *self._deals(), *self._evidence()):
            yield f"{name}: {text}"

    def _outcome(self) -> Iterator[str]:
        outcome = self._game.outcome
        if outcome is None:
            yield "it is not over"
            return
        if outcome.end is GameEnd.FORFEIT:
            assert outcome.winner is not None
            loser = self._plans[1 - outcome.winner]
            # That it was disabled may be lost with the power, and it does not come back.
            disabled = loser.name in self._world.acts.disabled and outcome.fault in ABSENCE
            if outcome.fault not in loser.may_commit and not disabled:
                yield (
                    f"{loser.name} lost it by {outcome.fault}, which it cannot have committed:"
                    f" {outcome.reason}"
                )
        elif outcome.end is GameEnd.VOID:
            acts = self._world.acts
            away = [plan.may_commit & ABSENCE or plan.name in acts.disabled for plan in self._plans]
            if not all(away) and not acts.ended:
                yield f"it is void: {outcome.reason}"
        elif outcome != self.ideal_outcome:
            yield f"it ended as {outcome}, and undisturbed as {self.ideal_outcome}"

    def _deals(self) -> Iterator[str]:
        outcome = self._game.outcome
        if [deal.deal for deal in self.deals] != list(range(self._game.deals_started)):
            yield f"its deals are {[deal.deal for deal in self.deals]}"
        ideal = {deal.number: deal for deal in self._ideal}
        for deal in self.deals:
            yield from self._moves(deal)
            yield from self._times(deal)
            right = ideal.get(deal.deal)
            if deal.void:
                if self._game.public_id not in self._world.acts.voided:
                    yield f"deal {deal.deal} is void"
            elif right is None:
                yield f"deal {deal.deal} would not have been dealt"
            elif deal.moves != right.moves[: len(deal.moves)]:
                yield f"deal {deal.deal} went {deal.moves}, and undisturbed {right.moves}"
            elif deal.result is None and (
                outcome is None or outcome.end not in (GameEnd.FORFEIT, GameEnd.VOID)
            ):
                yield f"deal {deal.deal} broke off"

    def _moves(self, deal: DealRecord) -> Iterator[str]:
        """Every move of a bot was sent by that bot."""
        told = self._world.witness.moves
        names = [plan.name for plan in self._plans]
        for ply, move in enumerate(deal.moves):
            if ply in deal.referee_plies:
                continue
            if not any(
                move in told.get((name, self._game.id, deal.deal, ply), ()) for name in names
            ):
                yield f"nobody sent move {move} of deal {deal.deal} ply {ply}"

    def _times(self, deal: DealRecord) -> Iterator[str]:
        """A bot that nothing befalls is charged its own time, and nothing of the arena's."""
        if any(happening.kind in NETWORK for happening in self._scenario.happenings):
            return
        most_ms = [_most_ms(plan) for plan in self._plans]
        replayed = Deal(self._scenario.definition.rules, deal.pack, deal.dealer)
        for ply, (move, charged_ms) in enumerate(zip(deal.moves, deal.charged_ms, strict=True)):
            seat = replayed.turn
            assert seat is not None
            if charged_ms > most_ms[seat]:
                name = self._plans[seat].name
                yield f"{name} was charged {charged_ms} ms for deal {deal.deal} ply {ply}"
            replayed.play(move)

    def _evidence(self) -> Iterator[str]:
        outcome = self._game.outcome
        if outcome is None:
            return
        if outcome.fault is None or outcome.winner is None:
            if self._faults:
                yield f"there is evidence of a fault and no forfeit: {self._faults}"
            return
        seat = 1 - outcome.winner
        evidence = self._faults.pop(seat, None)
        if evidence is None or evidence.fault is not outcome.fault or not evidence.evidence:
            yield f"the evidence of its fault is not there: {evidence}"
        if self._faults:
            yield f"there is evidence of another fault: {self._faults}"
