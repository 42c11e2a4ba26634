"""Games that were played by chance, the same for the same seed: something to store and to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from sixtysix.api import GameReport
from sixtysix.clock import Clock
from sixtysix.forced import forced_move
from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.reports import GameInfo, GameState
from sixtysix.rules import CLAIM, Deal, Game, Move, Ruleset
from sixtysix.wire import pack_deal
from sixtysix_arena.store import DealOver, DealStarted, Event, GameOpened, GameOver

__all__ = ["Played", "deal_records", "events", "play_deal", "play_game", "report"]

SPECIAL = 24
"""Moves from this one on are marriages, exchanges, closings, claims: done often, to be seen."""


@dataclass(frozen=True)
class Played:
    """A game that is over."""

    records: tuple[DealRecord, ...]
    outcome: GameOutcome


def play_game(rules: Ruleset, seed: int, first_dealer: int = 0) -> Played:
    """Plays a game to its end."""
    chance = Random(seed)
    game = Game(rules, first_dealer)
    records: list[DealRecord] = []
    while not game.over:
        records.append(play_deal(rules, chance, len(records), game.dealer))
        result = records[-1].result
        assert result is not None
        game.add(result)
    return Played(
        tuple(records), GameOutcome(GameEnd.TARGET, game.winner, game.score, game.deal_count)
    )


def play_deal(rules: Ruleset, chance: Random, number: int, dealer: int) -> DealRecord:
    """Plays a deal; claims are false now and then."""
    pack = list(range(24))
    chance.shuffle(pack)
    deal = Deal(rules, pack, dealer)
    charged_ms: list[int] = []
    referee_plies: list[int] = []
    comments: dict[int, str] = {}
    while deal.turn is not None:
        move = forced_move(deal, True)
        if move is not None:
            referee_plies.append(deal.ply)
            charged_ms.append(0)
        else:
            if chance.random() < 0.03:
                comments[deal.ply] = "no \x1b[31mred\n here"
            move = _chosen(deal, chance)
            charged_ms.append(chance.randrange(1_000))
        deal.play(move)
    return DealRecord(
        deal=number,
        dealer=dealer,
        pack=tuple(pack),
        moves=tuple(deal.moves),
        charged_ms=tuple(charged_ms),
        referee_plies=frozenset(referee_plies),
        result=deal.result,
        comments=comments,
    )


def _chosen(deal: Deal, chance: Random) -> Move:
    assert deal.turn is not None
    legal = deal.legal_moves() if chance.random() < 0.02 else deal.view(deal.turn).legal
    special = [move for move in legal if move >= SPECIAL]
    if CLAIM in special and chance.random() < 0.3:
        return CLAIM
    return chance.choice(special if special and chance.random() < 0.4 else legal)


def deal_records(rules: Ruleset, count: int) -> Iterator[DealRecord]:
    """Many deals, all from one seed."""
    chance = Random(66)
    for number in range(count):
        yield play_deal(rules, chance, number, number % 2)


def report(
    rules: Ruleset, played: Played, entrants: tuple[str, str] = ("ada", "house:bob")
) -> GameReport:
    """A played game as an arena tells of it."""
    outcome = played.outcome
    game = GameInfo(
        game_id="cup.7",
        number=7,
        round=2,
        entrants=entrants,
        game_index=3,
        state=GameState.OVER,
        score=outcome.score,
        deal_count=outcome.deal_count,
        end=outcome.end,
        winner=outcome.winner,
        fault=outcome.fault,
        reason=outcome.reason,
    )
    return GameReport(game, rules, played.records, Clock())


def events(game_id: int, played: Played) -> list[Event]:
    """All that the store is told of a game."""
    told: list[Event] = [GameOpened(game_id)]
    score = (0, 0)
    for record in played.records:
        result = record.result
        if result is not None and result.winner is not None:
            won = (result.winner == 0) * result.game_points
            score = score[0] + won, score[1] + result.game_points - won
        told += [
            DealStarted(game_id, record.deal),
            DealOver(game_id, record.deal, pack_deal(record), score),
        ]
    return [*told, GameOver(game_id, played.outcome)]
