"""The leaderboard as a table."""

from __future__ import annotations

from collections.abc import Mapping

from sixtysix.cli.text.table import table
from sixtysix.outcome import Fault
from sixtysix.reports import Board, BoardRow

__all__ = ["board_text"]


def board_text(board: Board) -> str:
    """The board: a line that says what it is, the table, and what to know about it."""
    parts = [_title(board)]
    if board.rows:
        parts.append(_rows(board))
    parts += _notes(board)
    return "\n\n".join(parts)


def _title(board: Board) -> str:
    if not board.slug:
        return f"Standing board of {board.ruleset}"
    practice = ", practice" if board.practice else ""
    return f"{board.slug} ({board.ruleset}{practice}): {_how_far(board)}"


def _how_far(board: Board) -> str:
    if board.final:
        return "final"
    if not board.rounds_total:
        return "not started"
    return f"{board.round_count} of {board.rounds_total} rounds"


def _rows(board: Board) -> str:
    has_void = any(row.void for row in board.rows)
    header = [
        ">rank",
        "entrant",
        "version",
        ">rating",
        ">mu",
        ">sigma",
        ">games",
        ">W",
        ">D",
        ">L",
        ">points/deal",
        *([">void"] if has_void else []),
        "faults",
    ]
    return table(
        header,
        (
            [
                row.rank,
                row.entrant,
                row.version or "-",
                _rating(row.rating),
                _rating(row.mu),
                _rating(row.sigma),
                row.games,
                row.won,
                row.drawn,
                row.lost,
                _points_a_deal(row),
                *([row.void] if has_void else []),
                _faults(row.faults),
            ]
            for row in board.rows
        ),
    )


def _rating(value: float) -> str:
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def _points_a_deal(row: BoardRow) -> str:
    """Game points made minus those of the opponents, for each deal of the rated games."""
    if not row.deals:
        return "-"
    text = f"{(row.game_points_for - row.game_points_against) / row.deals:+.3f}"
    return "0.000" if text in ("+0.000", "-0.000") else text


def _faults(faults: Mapping[Fault, int]) -> str:
    return ", ".join(f"{count} {fault}" for fault, count in faults.items()) or "-"


def _notes(board: Board) -> list[str]:
    if not board.slug:
        if not board.rows:
            return ["No ranked tournament of this rule set is over yet."]
        return [
            "All ranked tournaments that are over, rated as one; a row for each name and version.",
        ]
    notes = []
    if not board.final and board.rounds_total:
        notes.append("Not over: only whole rounds count, so that all have played as much.")
    if board.practice:
        notes.append("Practice: the deals were predictable, and none of this counts elsewhere.")
    return ["\n".join(notes)] if notes else []
