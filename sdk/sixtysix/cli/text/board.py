"""The leaderboard as a table."""

from __future__ import annotations

from collections.abc import Mapping

from sixtysix.cli.text.table import table
from sixtysix.outcome import Fault
from sixtysix.reports import Board, BoardRow, Statistics

__all__ = ["board_text"]


NOT_SEPARATED = "~"
"""Marks a row whose entrant the games cannot tell from the one above."""


ODD_SHOWN = 5
"""Pairings that are named under the board; all are in the cross table."""


def board_text(board: Board, statistics: Statistics | None = None) -> str:
    """The board: a line that says what it is, the table, and what to know about it.

    With its statistics it marks who is not separated from whom.
    """
    parts = [_title(board)]
    if _nothing_counts(board):
        return "\n\n".join([*parts, _entrants(board), *_notes(board, marked=False)])
    marks = _marks(board, statistics)
    if board.rows:
        parts.append(_rows(board, marks))
    parts += _notes(board, marked=any(marks))
    if statistics is not None:
        parts += _odd(statistics)
    return "\n\n".join(parts)


def _odd(statistics: Statistics) -> list[str]:
    """What bots of one owner did, where that is hardly chance."""
    pairings = [" - ".join(each.entrants) for each in statistics.owner_pairings if each.is_odd]
    if not pairings:
        return []
    shown = ", ".join(pairings[:ODD_SHOWN])
    if len(pairings) > ODD_SHOWN:
        shown += f" and {len(pairings) - ODD_SHOWN} more"
    return [
        f"Odd results between bots of one owner, to be looked at and no proof: {shown}."
        " --cross tells them all."
    ]


def _nothing_counts(board: Board) -> bool:
    """Whether a tournament is being played and none of its rounds is complete."""
    return bool(board.slug and board.rounds_total and not board.final and not board.round_count)


def _marks(board: Board, statistics: Statistics | None) -> list[str]:
    """A mark for each row, or an empty text."""
    unmarked = [""] * len(board.rows)
    if statistics is None or not statistics.games:
        return unmarked
    # Asked for one after the other, they may be of different rounds.
    if [row.entrant for row in board.rows] != [row.entrant for row in statistics.entrants]:
        return unmarked
    above = [True, *(row.separated for row in statistics.entrants[:-1])]
    return ["" if separated else NOT_SEPARATED for separated in above]


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


def _rows(board: Board, marks: list[str]) -> str:
    marked = any(marks)
    has_void = any(row.void for row in board.rows)
    header = [
        ">rank",
        *([""] if marked else []),
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
                *([mark] if marked else []),
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
            for row, mark in zip(board.rows, marks, strict=True)
        ),
    )


def _entrants(board: Board) -> str:
    return table(["entrant", "version"], ([row.entrant, row.version or "-"] for row in board.rows))


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


def _notes(board: Board, *, marked: bool) -> list[str]:
    if not board.slug:
        if not board.rows:
            return ["No ranked tournament of this rule set is over yet."]
        return [
            "All ranked tournaments that are over, rated as one; a row for each name and version.",
        ]
    notes = []
    if marked:
        notes.append(
            f"{NOT_SEPARATED} Not separated from the one above: these games cannot tell which of"
            " the two is stronger."
        )
    if _nothing_counts(board):
        notes.append(
            "No round is complete yet, so nobody is ranked: only whole rounds count, so that all"
            " have played as much."
        )
    elif not board.final and board.rounds_total:
        notes.append(
            "Not over: only whole rounds count; with an odd number of entrants one rests in each."
        )
    if board.practice:
        notes.append("Practice: the deals were predictable, and none of this counts elsewhere.")
    return ["\n".join(notes)] if notes else []
