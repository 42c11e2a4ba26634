"""The form of each line: what a record says as JSON, and back, with everything checked.

Every object has all its keys and no others. Numbers are whole; cards and moves
are their texts; what does not apply is null.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record.chain import FormError, shown
from sixtysix.record.deals import DealRecord
from sixtysix.record.reading import Fields, check_list, integers, known
from sixtysix.record.tournament import (
    BoardRecord,
    EntrantRecord,
    GameRecord,
    RatingParameters,
    TournamentRecord,
)
from sixtysix.reports import ActionInfo, ActionKind, TournamentState
from sixtysix.rules import CARDS, MOVES, RULESETS, DealEnd, DealResult, InvalidOption, Ruleset

__all__ = [
    "FORMAT",
    "board_form",
    "board_of",
    "game_form",
    "game_of",
    "result_form",
    "tournament_form",
    "tournament_of",
]

FORMAT = "sixtysix-record/1"
"""The name of the form that is written here, and the only one that is read."""

_CARD_TEXTS = tuple(map(str, CARDS))
_MOVE_TEXTS = tuple(map(str, MOVES))
_CARD_OF = {text: index for index, text in enumerate(_CARD_TEXTS)}
_MOVE_OF = {text: code for code, text in enumerate(_MOVE_TEXTS)}
_ENDS = {str(end): end for end in GameEnd}
_FAULTS = {str(fault): fault for fault in Fault}
_DEAL_ENDS = {str(end): end for end in DealEnd}
_ACTIONS = {str(kind): kind for kind in ActionKind}
_STATES = {str(state): state for state in TournamentState}
_CLOCK_KEYS = tuple(field.name for field in fields(Clock))
_RATING_KEYS = tuple(field.name for field in fields(RatingParameters))

_HEX_32 = re.compile("[0-9a-f]{64}")
_HEX = re.compile("(?:[0-9a-f]{2})+")
_NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_SHOWN_RATING = re.compile(r"-?[0-9]+\.[0-9]{3}")


# The tournament


def tournament_form(tournament: TournamentRecord) -> dict[str, object]:
    """The first line. In `rounds` entrants are named by their places in `entrants`, from 0."""
    place = {entrant.id: index for index, entrant in enumerate(tournament.entrants)}
    rules = tournament.rules
    return {
        "type": "tournament",
        "format": FORMAT,
        "name": tournament.name,
        "slug": tournament.slug,
        "state": str(tournament.state),
        "practice": tournament.practice,
        "rules": {"name": rules.name, "target": rules.target, "agreed_six": rules.agreed_six},
        "games_per_pairing": tournament.games_per_pairing,
        "clock": {key: getattr(tournament.clock, key) for key in _CLOCK_KEYS},
        "entrants": [{"id": each.id, "version": each.version} for each in tournament.entrants],
        "rounds": [
            [[place[low], place[high]] for low, high in pairings] for pairings in tournament.rounds
        ],
        "rating": {key: getattr(tournament.rating, key) for key in _RATING_KEYS},
        "shuffle": tournament.shuffle,
        "commitment": tournament.commitment,
        "seed": tournament.seed,
        "actions": [
            {"at": each.at, "kind": str(each.kind), "subject": each.subject, "reason": each.reason}
            for each in tournament.actions
        ],
    }


_TOURNAMENT_KEYS = frozenset(
    {
        *("type", "format", "name", "slug", "state", "practice", "rules", "games_per_pairing"),
        *("clock", "entrants", "rounds", "rating", "shuffle", "commitment", "seed", "actions"),
    }
)
_RULES_KEYS = frozenset({"name", "target", "agreed_six"})
_ENTRANT_KEYS = frozenset({"id", "version"})
_ACTION_KEYS = frozenset({"at", "kind", "subject", "reason"})


def tournament_of(form: object) -> TournamentRecord:
    """The header from its line. Raises FormError."""
    if isinstance(form, Mapping) and form.get("format") != FORMAT:
        raise FormError(
            "format", f"{FORMAT}, which is all that this reads", shown(form.get("format"))
        )
    header = Fields(form, "", _TOURNAMENT_KEYS)
    clock = header.object("clock", frozenset(_CLOCK_KEYS))
    rating = header.object("rating", frozenset(_RATING_KEYS))
    entrants = tuple(
        EntrantRecord(each.text("id"), each.text("version"))
        for each in header.objects("entrants", _ENTRANT_KEYS)
    )
    return TournamentRecord(
        name=header.text("name"),
        slug=header.text("slug"),
        rules=_rules(header.object("rules", _RULES_KEYS)),
        games_per_pairing=header.integer("games_per_pairing", least=1),
        clock=Clock(*(clock.integer(key) for key in _CLOCK_KEYS)),
        entrants=entrants,
        rounds=_rounds(header.items("rounds"), [entrant.id for entrant in entrants]),
        rating=RatingParameters(*(rating.matching(key, _NUMERAL) for key in _RATING_KEYS)),
        shuffle=header.text("shuffle"),
        commitment=header.matching("commitment", _HEX_32),
        practice=header.flag("practice"),
        state=header.one_of("state", _STATES),
        seed=None if header.value("seed") is None else header.matching("seed", _HEX),
        actions=tuple(
            ActionInfo(
                each.text("at"),
                each.one_of("kind", _ACTIONS),
                each.text("subject"),
                each.text("reason"),
            )
            for each in header.objects("actions", _ACTION_KEYS)
        ),
    )


def _rules(form: Fields) -> Ruleset:
    rules = form.one_of("name", RULESETS)
    # An option that the rule set does not have stands there with its only value.
    said = {"target": form.integer("target"), "agreed_six": form.flag("agreed_six")}
    changed = {key: value for key, value in said.items() if value != getattr(rules, key)}
    try:
        return rules.with_options(**changed)
    except InvalidOption as error:
        raise FormError("rules", "options of the rule set", str(error)) from None


def _rounds(form: list[Any], ids: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], ...]:
    rounds = []
    for number, pairings in enumerate(form):
        where = f"rounds[{number}]"
        check_list(pairings, where)
        made = []
        for place, pairing in enumerate(pairings):
            low, high = integers(pairing, f"{where}[{place}]", count=2, most=len(ids) - 1)
            made.append((ids[low], ids[high]))
        rounds.append(tuple(made))
    return tuple(rounds)


# A game


def game_form(game: GameRecord) -> dict[str, object]:
    """The line of a game."""
    outcome = game.outcome
    return {
        "type": "game",
        "game_id": game.game_id,
        "number": game.number,
        "round": game.round,
        "entrants": list(game.entrants),
        "game_index": game.game_index,
        "deals": list(map(_deal_form, game.deals)),
        "end": str(outcome.end),
        "winner": outcome.winner,
        "score": list(outcome.score),
        "fault": None if outcome.fault is None else str(outcome.fault),
        "faulting_seat": _faulting_seat(outcome),
        "reason": outcome.reason,
    }


_GAME_KEYS = frozenset(
    {
        *("type", "game_id", "number", "round", "entrants", "game_index", "deals"),
        *("end", "winner", "score", "fault", "faulting_seat", "reason"),
    }
)


def game_of(form: object) -> GameRecord:
    """A game from its line. Raises FormError."""
    game = Fields(form, "", _GAME_KEYS)
    low, high = game.texts("entrants", count=2)
    deals = tuple(_deal(deal) for deal in game.objects("deals", _DEAL_KEYS))
    outcome = _outcome(game, deals)
    return GameRecord(
        game_id=game.text("game_id"),
        number=game.integer("number", least=1),
        round=game.integer("round", least=1),
        entrants=(low, high),
        game_index=game.integer("game_index"),
        deals=deals,
        outcome=outcome,
    )


def _outcome(game: Fields, deals: Sequence[DealRecord]) -> GameOutcome:
    end = game.one_of("end", _ENDS)
    winner = game.seat("winner")
    fault = None if game.value("fault") is None else game.one_of("fault", _FAULTS)
    first, second = integers(game.value("score"), "score", count=2)
    deal_count = sum(deal.result is not None for deal in deals)
    reason = game.text("reason")
    try:
        outcome = GameOutcome(end, winner, (first, second), deal_count, fault, reason)
    except ValueError as error:
        found = {key: game.value(key) for key in ("end", "winner", "fault")}
        raise FormError("end", str(error), shown(found)) from None
    faulting_seat = _faulting_seat(outcome)
    if game.seat("faulting_seat") != faulting_seat:
        expected = "null without a fault" if fault is None else f"{faulting_seat}, who lost"
        raise FormError("faulting_seat", expected, shown(game.value("faulting_seat")))
    return outcome


def _faulting_seat(outcome: GameOutcome) -> int | None:
    if outcome.fault is None or outcome.winner is None:
        return None
    return 1 - outcome.winner


# A deal


def _deal_form(deal: DealRecord) -> dict[str, object]:
    result = deal.result
    return {
        "deal": deal.deal,
        "dealer": deal.dealer,
        "pack": [_CARD_TEXTS[card] for card in deal.pack],
        "moves": [_MOVE_TEXTS[move] for move in deal.moves],
        "ms": list(deal.charged_ms),
        "referee": sorted(deal.referee_plies),
        "result": None if result is None else result_form(result),
        "void": deal.void,
        "comments": [{"ply": ply, "text": text} for ply, text in sorted(deal.comments.items())],
    }


def result_form(result: DealResult) -> dict[str, object]:
    """What a deal came to."""
    return {
        "winner": result.winner,
        "game_points": result.game_points,
        "card_points": list(result.card_points),
        "end": str(result.end),
    }


_DEAL_KEYS = frozenset(
    {"deal", "dealer", "pack", "moves", "ms", "referee", "result", "void", "comments"}
)
_RESULT_KEYS = frozenset({"winner", "game_points", "card_points", "end"})
_COMMENT_KEYS = frozenset({"ply", "text"})


def _deal(form: Fields) -> DealRecord:
    where = form.where
    pack = known(form.value("pack"), f"{where}pack", _CARD_OF, "card")
    if sorted(pack) != _EVERY_CARD:
        raise FormError(f"{where}pack", "each of the 24 cards once", shown(form.value("pack")))
    moves = known(form.value("moves"), f"{where}moves", _MOVE_OF, "move")
    referee = integers(form.value("referee"), f"{where}referee", most=len(moves) - 1)
    comments = [
        (each.integer("ply", most=len(moves) - 1), each.text("text"))
        for each in form.objects("comments", _COMMENT_KEYS)
    ]
    _check_ascending(referee, f"{where}referee")
    _check_ascending([ply for ply, _ in comments], f"{where}comments")
    return DealRecord(
        deal=form.integer("deal"),
        dealer=form.integer("dealer", most=1),
        pack=pack,
        moves=moves,
        charged_ms=integers(form.value("ms"), f"{where}ms", count=len(moves)),
        referee_plies=frozenset(referee),
        result=_result(form),
        void=form.flag("void"),
        comments=dict(comments),
    )


_EVERY_CARD = list(range(24))


def _result(form: Fields) -> DealResult | None:
    if form.value("result") is None:
        return None
    if form.value("void") is True:
        raise FormError(f"{form.where}result", "null for a void deal", shown(form.value("result")))
    result = form.object("result", _RESULT_KEYS)
    one, other = integers(result.value("card_points"), f"{result.where}card_points", count=2)
    return DealResult(
        result.seat("winner"),
        result.integer("game_points"),
        (one, other),
        result.one_of("end", _DEAL_ENDS),
    )


def _check_ascending(plies: Sequence[int], where: str) -> None:
    if any(one >= other for one, other in pairwise(plies)):
        raise FormError(where, "plies in ascending order, each once", shown(list(plies)))


# The board


def board_form(board: BoardRecord) -> dict[str, object]:
    """The last line."""
    return {"type": "board", "round_count": board.round_count, "rows": list(board.rows)}


_ROW_TEXTS = ("entrant", "version")
_ROW_RATINGS = ("mu", "sigma", "rating")
_ROW_COUNTS = (
    *("rank", "games", "won", "drawn", "lost", "deals"),
    *("game_points_for", "game_points_against", "void"),
)
_ROW_KEYS = frozenset({*_ROW_TEXTS, *_ROW_RATINGS, *_ROW_COUNTS, "faults"})


def board_of(form: object) -> BoardRecord:
    """The board from its line. Raises FormError."""
    board = Fields(form, "", frozenset(("type", "round_count", "rows")))
    for row in board.objects("rows", _ROW_KEYS):
        for key in _ROW_TEXTS:
            row.text(key)
        for key in _ROW_RATINGS:
            row.matching(key, _SHOWN_RATING)
        for key in _ROW_COUNTS:
            row.integer(key)
        faults = row.value("faults")
        if not isinstance(faults, dict) or not faults.keys() <= _FAULTS.keys():
            raise FormError(f"{row.where}faults", "counts by fault", shown(faults))
        integers(list(faults.values()), f"{row.where}faults", least=1)
    return BoardRecord(board.integer("round_count"), tuple(board.items("rows")))
