"""What stands beside a board: who won against whom, strengths, think times."""

from __future__ import annotations

from collections.abc import Sequence

from sixtysix.cli.text.table import table
from sixtysix.reports import Board, Estimate, HeadToHead, OwnerPairing, Statistics

__all__ = ["cross_text"]


def cross_text(board: Board, statistics: Statistics) -> str:
    """The cross table, then each pairing and each entrant in full, and what to know of them."""
    if not statistics.games:
        return "No games are rated yet: there is nothing to compare."
    parts = []
    if statistics.head_to_head:
        pairings = _by_rank(board, statistics)
        parts += [_cross_table(board, pairings), _pairings(pairings)]
    else:
        parts.append("Too many entrants for a cross table: their games are in `sixtysix games`.")
    parts += [_entrants(statistics), _notes(statistics)]
    if statistics.owner_pairings:
        parts += [_owners(statistics.owner_pairings), OWNERS_NOTE]
    return "\n\n".join(parts)


Pairings = dict[tuple[str, str], HeadToHead]
"""Each pairing from the side of the entrant that is higher on the board, in its order."""


def _by_rank(board: Board, statistics: Statistics) -> Pairings:
    rank = {row.entrant: row.rank for row in board.rows}
    turned = [
        pairing if rank[pairing.entrants[0]] < rank[pairing.entrants[1]] else _turned(pairing)
        for pairing in statistics.head_to_head
    ]
    turned.sort(key=lambda pairing: [rank[entrant] for entrant in pairing.entrants])
    return {pairing.entrants: pairing for pairing in turned}


def _turned(pairing: HeadToHead) -> HeadToHead:
    """The same from the other side."""
    share, points = pairing.win_share, pairing.points_per_deal
    return HeadToHead(
        entrants=(pairing.entrants[1], pairing.entrants[0]),
        won=pairing.lost,
        drawn=pairing.drawn,
        lost=pairing.won,
        deals=pairing.deals,
        game_points_for=pairing.game_points_against,
        game_points_against=pairing.game_points_for,
        win_share=share and Estimate(1 - share.value, 1 - share.high, 1 - share.low),
        points_per_deal=points and Estimate(-points.value, -points.high, -points.low),
        superiority=1 - pairing.superiority,
    )


def _cross_table(board: Board, pairings: Pairings) -> str:
    draws = any(pairing.drawn for pairing in pairings.values())

    def cell(row: str, column: str) -> str:
        if (row, column) in pairings:
            pairing = pairings[row, column]
        elif (column, row) in pairings:
            pairing = _turned(pairings[column, row])
        else:
            return "." if row == column else "-"
        counts = (pairing.won, pairing.drawn, pairing.lost)
        return "-".join(map(str, counts if draws else counts[::2]))

    told = "won, drawn and lost" if draws else "won and lost"
    entrants = [row.entrant for row in board.rows]
    cross = table(
        [">rank", "entrant", *(f">{row.rank}" for row in board.rows)],
        (
            [row.rank, row.entrant, *(cell(row.entrant, column) for column in entrants)]
            for row in board.rows
        ),
    )
    return f"Games {told}, the row against the column of that rank:\n\n{cross}"


def _pairings(pairings: Pairings) -> str:
    return table(
        [
            "pairing",
            ">games",
            ">won",
            ">(95 %)",
            ">points/deal",
            ">(95 %)",
            ">stronger",
        ],
        (
            [
                " - ".join(pairing.entrants),
                pairing.won + pairing.drawn + pairing.lost,
                _percent(pairing.win_share.value) if pairing.win_share else "-",
                _percent_bounds(pairing.win_share),
                _points_a_deal(pairing),
                _points_bounds(pairing.points_per_deal),
                _likelihood(pairing.superiority),
            ]
            for pairing in pairings.values()
        ),
    )


def _entrants(statistics: Statistics) -> str:
    return table(
        [
            "entrant",
            ">strength",
            ">sigma",
            ">place",
            ">above the next",
            ">think ms p50",
            ">p95",
            ">of moves",
        ],
        (
            [
                row.entrant,
                f"{row.strength:.3f}",
                f"{row.sigma:.3f}",
                row.place,
                "-" if row.above_next is None else _likelihood(row.above_next),
                "-" if row.think_p50_ms is None else row.think_p50_ms,
                "-" if row.think_p95_ms is None else row.think_p95_ms,
                row.timed_move_count,
            ]
            for row in statistics.entrants
        ),
    )


def _notes(statistics: Statistics) -> str:
    lines = [
        "won: the share of games, a draw counting half. points/deal: game points minus those of",
        "the opponent. stronger: the likelihood that the first one is, by all games at once;",
        "strength and place are by the same. In brackets: 95 % intervals.",
    ]
    if statistics.rank_agreement is not None:
        lines.append(
            f"Kendall's tau between the board's ranking and that by strength:"
            f" {statistics.rank_agreement:.3f}."
        )
    dealer = statistics.first_dealer
    if dealer.win_share:
        told = (
            f"Games without a fault: {dealer.games}. Whoever dealt first won"
            f" {_percent(dealer.win_share.value)} {_percent_bounds(dealer.win_share)} of them"
        )
        if dealer.points_per_deal:
            told += (
                f",\nand made {_signed(dealer.points_per_deal.value)}"
                f" {_points_bounds(dealer.points_per_deal)} game points a deal"
            )
        lines.append(f"{told}.")
    return "\n".join(lines)


OWNERS_NOTE = """\
played: games without a fault. expected: the share of them that the first should win, judging
from what both did against bots of others. thrown: games that either lost by an illegal move,
gave up, or lost with its bank used up. by chance: how often chance alone would be at least as
far off, or put as many thrown games here. odd: chance would do that in hardly one of a hundred
tournaments. It is a reason to look at the games, no proof."""


def _owners(pairings: Sequence[OwnerPairing]) -> str:
    told = table(
        [
            "owner",
            "pairing",
            ">played",
            ">won",
            ">expected",
            ">by chance",
            ">thrown",
            ">by chance",
            "",
        ],
        (
            [
                each.owner,
                " - ".join(each.entrants),
                each.games,
                "-" if each.share is None else _percent(each.share),
                _percent(each.expected_share),
                _by_chance(each.chance),
                each.thrown,
                _by_chance(each.thrown_chance),
                "odd" if each.is_odd else "",
            ]
            for each in pairings
        ),
    )
    return f"Bots of one owner, against each other:\n\n{told}"


def _by_chance(likelihood: float) -> str:
    """As exactly as it takes to see why one is odd and another is not."""
    if likelihood < 0.00001:
        return "< 0.001 %"
    return f"{100 * likelihood:.{3 if likelihood < 0.01 else 1}f} %"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _percent_bounds(share: Estimate | None) -> str:
    return "" if share is None else f"({100 * share.low:.1f} to {100 * share.high:.1f})"


def _likelihood(share: float) -> str:
    """Never 100 %: nothing is certain."""
    if share > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if share < 0.0005 else _percent(share)


def _points_a_deal(pairing: HeadToHead) -> str:
    if not pairing.deals:
        return "-"
    return _signed((pairing.game_points_for - pairing.game_points_against) / pairing.deals)


def _points_bounds(points: Estimate | None) -> str:
    return "" if points is None else f"({_signed(points.low)} to {_signed(points.high)})"


def _signed(value: float) -> str:
    text = f"{value:+.3f}"
    return "0.000" if text in ("+0.000", "-0.000") else text
