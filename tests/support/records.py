"""Whole tournaments played by chance from a seed, with everything in them that can happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from json import loads
from random import Random
from typing import Any

from sixtysix import shuffle
from sixtysix.circle import circle
from sixtysix.clock import Clock
from sixtysix.forced import forced_move
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import (
    FIRST_DIGEST,
    DealRecord,
    EntrantRecord,
    GameRecord,
    Scheduled,
    TournamentRecord,
    canonical,
    record_lines,
)
from sixtysix.reports import TournamentState
from sixtysix.rules import CLAIM, RULESETS, Deal, Game, Ruleset, ruleset
from sixtysix.wire import pack_deal
from sixtysix_arena.rerating import PARAMETERS, RATER
from sixtysix_arena.store import DealOver, DealStarted, Event, GameOpened, GameOver

__all__ = [
    "KINDS",
    "RULES",
    "SEED",
    "events_of",
    "header",
    "lines_of",
    "play_games",
    "play_record",
    "sealed",
    "tampered",
]

SEED = bytes(range(32))
ENTRANTS = ("ada", "bob", "house:random")
RULES = {**RULESETS, "agreed-six": ruleset("doubling", target=8, agreed_six=True)}
"""Every rule set, and one with all its options."""

KINDS = ("target", "void-deal", "illegal", "left", "no-show", "void")
"""What can become of a game; `play_record` knows them."""


def header(
    rules: Ruleset = RULESETS["classic"],
    *,
    entrants: Sequence[str] = ENTRANTS,
    games_per_pairing: int = 2,
    **changes: Any,
) -> TournamentRecord:
    """The header of a finished tournament that is called `cup`."""
    ids = sorted(entrants, key=str.encode)
    return replace(
        TournamentRecord(
            name="Кубок",
            slug="cup",
            rules=rules,
            games_per_pairing=games_per_pairing,
            clock=Clock(),
            entrants=tuple(EntrantRecord(name, f"{name[0]}-1.0 ü") for name in ids),
            rounds=tuple(circle(ids)),
            rating=PARAMETERS,
            shuffle=shuffle.ALGORITHM,
            commitment=shuffle.commitment(SEED).hex(),
            practice=False,
            state=TournamentState.FINISHED,
            seed=SEED.hex(),
        ),
        **changes,
    )


def play_games(
    tournament: TournamentRecord, kinds: Mapping[int, str] | None = None
) -> list[GameRecord]:
    """All games of a tournament; `kinds` says by number what becomes of some."""
    kinds = kinds or {}
    return [
        play_record(tournament, scheduled, kinds.get(scheduled.number, "target"))
        for scheduled in tournament.schedule()
    ]


def play_record(tournament: TournamentRecord, scheduled: Scheduled, kind: str) -> GameRecord:
    """Plays one game by chance: the same for the same tournament and number."""
    assert kind in KINDS
    chance = Random(f"{tournament.slug}.{scheduled.number}")
    key = shuffle.tournament_key(SEED, {})

    def pack(number: int) -> tuple[int, ...]:
        return shuffle.pack(
            key,
            ruleset=tournament.rules.name,
            tournament=tournament.slug,
            entrants=scheduled.entrants,
            game=scheduled.game_index,
            deal=number,
        )

    game = Game(tournament.rules, scheduled.game_index % 2)
    asked = (chance.random() < 0.5, chance.random() < 0.5)
    deals: list[DealRecord] = []
    while not game.over and kind != "no-show":
        number = len(deals)
        if kind == "void-deal" and number == 1:
            deals.append(DealRecord(number, game.dealer, pack(number), void=True))
            continue
        stops_at = 7 if kind in ("illegal", "void") and number == 1 else None
        deal, record = _play_deal(game, number, pack(number), chance, asked, stops_at)
        if deal.result is not None:
            game.add(deal.result)
        deals.append(record)
        if stops_at is not None or (kind == "left" and number == 0):
            break
    return GameRecord(
        game_id=f"{tournament.slug}.{scheduled.number}",
        number=scheduled.number,
        round=scheduled.round,
        entrants=scheduled.entrants,
        game_index=scheduled.game_index,
        deals=tuple(deals),
        outcome=_outcome(kind, game, deals[-1] if deals else None),
    )


def _outcome(kind: str, game: Game, last: DealRecord | None) -> GameOutcome:
    end, winner, fault, reason = GameEnd.TARGET, game.winner, None, ""
    if kind == "illegal":
        assert last is not None
        deal = Deal(game.ruleset, last.pack, last.dealer)
        for move in last.moves:
            deal.play(move)
        assert deal.turn is not None
        end, winner, fault = GameEnd.FORFEIT, 1 - deal.turn, Fault.ILLEGAL
        reason = "illegal move AS: the card is not in hand"
    elif kind in ("left", "no-show"):
        end, winner, fault = GameEnd.FORFEIT, 1, Fault(kind)
        reason = "ada said „goodbye“"
    elif kind == "void":
        end, winner, reason = GameEnd.VOID, None, "both bots were away"
    elif not game.target_reached:
        end = GameEnd.DEAL_LIMIT
    return GameOutcome(end, winner, game.score, game.deal_count, fault, reason)


def _play_deal(
    game: Game,
    number: int,
    pack: tuple[int, ...],
    chance: Random,
    asked: tuple[bool, bool],
    stops_at: int | None,
) -> tuple[Deal, DealRecord]:
    deal = game.deal(pack)
    charged_ms: list[int] = []
    referee_plies: list[int] = []
    comments: dict[int, str] = {}
    while deal.turn is not None:
        move = forced_move(deal, asked[deal.turn])
        if move is not None:
            referee_plies.append(deal.ply)
            charged_ms.append(0)
        elif stops_at is not None and deal.ply >= stops_at:
            break
        else:
            good = deal.view(deal.turn).legal
            legal = deal.legal_moves() if chance.random() < 0.05 else good  # False claims too.
            if stops_at is not None:
                legal = tuple(move for move in good if move != CLAIM)
            move = CLAIM if CLAIM in legal and CLAIM in good else chance.choice(legal)
            charged_ms.append(chance.randrange(1_000))
            if chance.random() < 0.02:
                comments[deal.ply] = f'"{move}" – \\ \u2028 was it?'
        deal.play(move)
    record = DealRecord(
        deal=number,
        dealer=game.dealer,
        pack=deal.pack,
        moves=tuple(deal.moves),
        charged_ms=tuple(charged_ms),
        referee_plies=frozenset(referee_plies),
        result=deal.result,
        comments=comments,
    )
    return deal, record


def lines_of(tournament: TournamentRecord, games: Iterable[GameRecord]) -> list[str]:
    """The record of these games, with the board that they give."""
    games = list(games)
    board = RATER.board(tournament, {game.number: game.outcome for game in games})
    return list(record_lines(tournament, games, board))


def events_of(game_id: int, game: GameRecord, rules: Ruleset) -> list[Event]:
    """All that a store is told of a game."""
    told: list[Event] = [GameOpened(game_id)]
    played = Game(rules, game.game_index % 2)
    for record in game.deals:
        if record.result is not None:
            played.add(record.result)
        told += [
            DealStarted(game_id, record.deal),
            DealOver(
                game_id,
                record.deal,
                pack_deal(record),
                played.score,
                counted=record.result is not None,
            ),
        ]
    return [*told, GameOver(game_id, game.outcome)]


def sealed(contents: Iterable[Mapping[str, Any]]) -> list[str]:
    """Lines with digests that fit, written apart from the code under test."""
    digest, lines = FIRST_DIGEST, []
    for content in contents:
        body = canonical({key: value for key, value in content.items() if key != "sha256"})[:-1]
        digest = sha256((digest + body).encode()).hexdigest()
        lines.append(f'{body},"sha256":"{digest}"}}\n')
    return lines


def tampered(lines: Sequence[str], change: Callable[[list[dict[str, Any]]], object]) -> list[str]:
    """The lines after `change` was done to what they hold, with all digests made anew."""
    contents = [loads(line) for line in lines]
    change(contents)
    return sealed(contents)
