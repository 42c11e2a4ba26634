"""Large tournaments that nobody played: games of a small pool, with results from strengths.

A pool of games is played by chance; each is there for either first dealer, with the seats
swapped, so that for every result there are games that end in it. The deals do not follow from
a seed, so such a tournament cannot be verified.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sixtysix.api import TournamentDefinition
from sixtysix.forced import forced_move
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.reports import TournamentState
from sixtysix.rules import CLAIM, RULESETS, Deal, Game, Ruleset
from sixtysix.wire import pack_deal
from sixtysix_arena.schedule import ScheduledGame, round_robin
from sixtysix_arena.store import (
    DataFolder,
    DealOver,
    DealStarted,
    Event,
    FaultEvidence,
    GameOpened,
    GameOver,
    Store,
)

__all__ = ["fill"]

SEED = "generated"
RULES = RULESETS["classic"]
POOL = 150
"""Games that are played; with either first dealer there are twice as many."""
GAMES_IN_BATCH = 2_000
BEGAN = "2026-01-31T12:00:00Z"
ENDED = "2026-02-01T12:00:00Z"
FAULTY_SHARE = 0.01
WIN = 66
SPREAD = 2.0
"""How far strengths scatter: one more makes winning 2.7 times as likely."""

_Result = tuple[int, int]
"""First dealer and winner."""


@dataclass(frozen=True, slots=True)
class _Played:
    """A game of the pool: its deals as they are stored, and the scores after them."""

    deals: tuple[tuple[bytes, tuple[int, int]], ...]

    def events(self, game_id: int, deal_count: int) -> Iterator[Event]:
        """The first deals of it."""
        yield GameOpened(game_id)
        for number, (record, score) in enumerate(self.deals[:deal_count]):
            yield DealStarted(game_id, number)
            yield DealOver(game_id, number, record, score)


def fill(
    data: Path,
    *,
    bots: int,
    games_per_pairing: int,
    finished: str = "big",
    running: str = "live",
    unfinished_rounds: int = 5,
    open_games: int = 64,
) -> None:
    """A data folder with a finished tournament, and a like one that is still running.

    Of the running one the last rounds are not whole, and some games are open.
    """
    chance = Random(SEED)
    names = tuple(f"bot-{number:03}" for number in range(bots))
    strengths = {name: chance.gauss(0, SPREAD) for name in names}
    pool = _pool(RULES, chance)
    folder = DataFolder.open(data, create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        for number, name in enumerate(names):
            store.add_bot(name, number.to_bytes(32), BEGAN, owner=f"Owner {number // 2}")
        for slug in filter(None, (finished, running)):
            ids = _start(store, slug, names, games_per_pairing)
            schedule = round_robin(names, games_per_pairing)
            rounds = max(game.round for game in schedule)
            whole = rounds - unfinished_rounds if slug == running else rounds
            batch: list[Event] = []
            left = open_games
            for game in schedule:
                if game.round <= whole or chance.random() < 0.4:
                    batch += _over(ids[game.number], game, strengths, pool, chance)
                elif left:
                    left -= 1
                    played = chance.choice(pool[game.first_dealer, 0])
                    batch += played.events(ids[game.number], 2)
                if game.number % GAMES_IN_BATCH == 0:
                    store.commit(batch)
                    batch.clear()
            store.commit(batch)
            if slug == finished:
                store.set_state(slug, TournamentState.FINISHED, ENDED)


def _start(
    store: Store, slug: str, names: tuple[str, ...], games_per_pairing: int
) -> Mapping[int, int]:
    """Starts a tournament; the ids of its games by number."""
    definition = TournamentDefinition(
        name=f"The {slug} one",
        slug=slug,
        rules=RULES,
        games_per_pairing=games_per_pairing,
        games_at_once=100,
        entrants=names,
    )
    store.create_tournament(definition, seed=SEED.encode(), commitment=bytes(32), at=BEGAN)
    for name in names:
        store.freeze_version([slug], name, "1.0")
    store.start_tournament(slug, round_robin(names, games_per_pairing), BEGAN)
    return {game.number: game.id for game in store.games(slug)}


def _over(
    game_id: int,
    game: ScheduledGame,
    strengths: Mapping[str, float],
    pool: Mapping[_Result, Sequence[_Played]],
    chance: Random,
) -> Iterator[Event]:
    """A whole game; now and then it ends with a fault."""
    one, other = (strengths[name] for name in game.entrants)
    winner = 0 if chance.random() < 1 / (1 + math.exp(other - one)) else 1
    played = chance.choice(pool[game.first_dealer, winner])
    deals = len(played.deals)
    if chance.random() >= FAULTY_SHARE:
        yield from played.events(game_id, deals)
        score = played.deals[-1][1]
        yield GameOver(game_id, GameOutcome(GameEnd.TARGET, winner, score, deals))
        return
    deals -= 1
    fault, reason = Fault.TIMEOUT, "no answer within 10000 ms"
    yield from played.events(game_id, deals)
    yield FaultEvidence(game_id, 1 - winner, fault, reason, BEGAN, deals, 0)
    score = played.deals[deals - 1][1] if deals else (0, 0)
    yield GameOver(game_id, GameOutcome(GameEnd.FORFEIT, winner, score, deals, fault, reason))


def _pool(rules: Ruleset, chance: Random) -> Mapping[_Result, Sequence[_Played]]:
    """Games by first dealer and winner."""
    pool: defaultdict[_Result, list[_Played]] = defaultdict(list)
    for number in range(POOL):
        for first_dealer in (0, 1):
            # The same cards and moves with the seats swapped.
            own = Random(f"{SEED} {number}")
            game = Game(rules, first_dealer)
            deals: list[tuple[bytes, tuple[int, int]]] = []
            while not game.over:
                record = _deal(rules, own, len(deals), game.dealer)
                assert record.result is not None
                game.add(record.result)
                deals.append((pack_deal(record), game.score))
            assert game.winner is not None
            pool[first_dealer, game.winner].append(_Played(tuple(deals)))
    return pool


def _deal(rules: Ruleset, chance: Random, number: int, dealer: int) -> DealRecord:
    """A deal by chance; whoever sees that it has won claims."""
    pack = list(range(24))
    chance.shuffle(pack)
    deal = Deal(rules, pack, dealer)
    charged_ms: list[int] = []
    referee_plies: list[int] = []
    while deal.turn is not None:
        move = forced_move(deal, wants_question=False)
        if move is not None:
            referee_plies.append(deal.ply)
            charged_ms.append(0)
        else:
            view = deal.view(deal.turn)
            others = [each for each in view.legal if each != CLAIM]
            has_won = CLAIM in view.legal and view.points[view.seat] >= WIN
            move = CLAIM if has_won or not others else chance.choice(others)
            charged_ms.append(int(chance.lognormvariate(2, 1)))
        deal.play(move)
    return DealRecord(
        deal=number,
        dealer=dealer,
        pack=tuple(pack),
        moves=tuple(deal.moves),
        charged_ms=tuple(charged_ms),
        referee_plies=frozenset(referee_plies),
        result=deal.result,
    )
