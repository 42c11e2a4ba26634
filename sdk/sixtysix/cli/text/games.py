"""Games as text: a schedule, and one game with a line for each deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sixtysix.api import GameReport
from sixtysix.cli.text.table import named, table
from sixtysix.cli.text.tournament import rules_text
from sixtysix.game_times import timed_moves, times
from sixtysix.outcome import GameEnd
from sixtysix.record import DealRecord
from sixtysix.reports import GameInfo, GameState
from sixtysix.rules import Ruleset

__all__ = ["game_text", "games_text", "outcome_text", "scores"]


def games_text(games: Sequence[GameInfo]) -> str:
    """A table of games."""
    if not games:
        return "No games yet: they are scheduled when the tournament starts."
    return table(
        ["game", ">round", "entrants", ">score", ">deals", "result"],
        (
            [
                game.game_id,
                game.round,
                " - ".join(game.entrants),
                "-" if game.state is GameState.SCHEDULED else _score(game.score),
                game.deal_count,
                outcome_text(game, with_reason=False),
            ]
            for game in games
        ),
    )


def outcome_text(game: GameInfo, *, with_reason: bool = True) -> str:
    """How a game stands, or ended, in a few words; of a forfeit perhaps the fault alone."""
    if game.state is not GameState.OVER:
        return str(game.state)
    if game.end is GameEnd.VOID:
        return f"void: {game.reason}" if game.reason else "void"
    if game.winner is None:
        return "drawn after the last of all deals"
    won = f"{game.entrants[game.winner]} won"
    if game.end is GameEnd.FORFEIT:
        forfeit = f"{won} by forfeit, {game.fault}"
        return f"{forfeit}: {game.reason}" if with_reason else forfeit
    if game.end is GameEnd.DEAL_LIMIT:
        return f"{won} after the last of all deals"
    return won


def game_text(report: GameReport, see_a_deal: str, see_faults: str = "") -> str:
    """A game with a line for each deal, and the time that it took.

    `see_a_deal` and `see_faults` are the commands that show one, and what went wrong.
    """
    game = report.game
    facts = named(
        [
            ("game", game.game_id),
            ("entrants", f"{game.entrants[0]} (seat 0) - {game.entrants[1]} (seat 1)"),
            ("rules", rules_text(report.rules)),
            ("round", f"{game.round}, game {game.game_index + 1} of the pairing"),
            ("score", _score(game.score)),
            ("result", outcome_text(game)),
        ]
    )
    if report.deals:
        parts = [facts, _deals(report), _times(report)]
        hints = [f"To see a deal: {see_a_deal}"]
    else:
        none = "No deal was played." if game.state is GameState.OVER else "No deal is over yet."
        parts, hints = [facts, none], []
    if game.fault is not None and see_faults:
        hints.append(f"To see what went wrong: {see_faults}")
    return "\n\n".join([*parts, "\n".join(hints)]) if hints else "\n\n".join(parts)


def _deals(report: GameReport) -> str:
    names = report.game.entrants
    return table(
        [
            ">deal",
            "dealer",
            "ended by",
            "won by",
            ">pays",
            ">card points",
            ">score",
            ">moves",
            f">ms {names[0]}",
            f">ms {names[1]}",
        ],
        (
            [
                record.deal,
                names[record.dealer],
                *_result(record, names),
                _score(score),
                len(record.moves),
                *_think_ms(report.rules, record),
            ]
            for record, (_, score) in zip(report.deals, scores(report.deals), strict=True)
        ),
    )


def _result(record: DealRecord, names: tuple[str, str]) -> tuple[str, str, str, str]:
    result = record.result
    if result is None:
        return "void" if record.void else "forfeit", "-", "-", "-"
    points = _score(result.card_points)
    if result.winner is None:
        return str(result.end), "nobody", "0", points
    return str(result.end), names[result.winner], str(result.game_points), points


def _think_ms(rules: Ruleset, record: DealRecord) -> tuple[int, int]:
    """The milliseconds that each seat was charged for its moves."""
    spent = [0, 0]
    for move in timed_moves(rules, record):
        spent[move.seat] += move.ms
    return spent[0], spent[1]


def _times(report: GameReport) -> str:
    """What each entrant used of its bank, and on what most."""
    shown = table(
        ["entrant", ">ms used", ">of bank", ">moves", ">slowest ms", "at"],
        (
            [
                used.entrant,
                used.used_ms,
                used.bank_ms,
                used.moves,
                "-" if used.slowest_ms is None else used.slowest_ms,
                f"deal {used.slowest_deal} ply {used.slowest_ply}" if used.moves else "-",
            ]
            for used in times(report)
        ),
    )
    if report.game.fault is None:
        return shown
    return f"{shown}\nThe decision that the game was forfeited at is not in these."


def scores(deals: Sequence[DealRecord]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The game's score before and after each deal."""
    before = (0, 0)
    for record in deals:
        after = before
        if record.result is not None and record.result.winner is not None:
            seat, pays = record.result.winner, record.result.game_points
            after = before[0] + pays * (seat == 0), before[1] + pays * (seat == 1)
        yield before, after
        before = after


def _score(pair: tuple[int, int]) -> str:
    return f"{pair[0]}:{pair[1]}"
