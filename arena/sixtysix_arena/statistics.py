"""What stands beside the board of a tournament, from the same games, in whatever order.

Results are enough for all of it but the think times; those are in the deals,
which are played again to see who made which move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.reports import Board, EntrantStatistics, FirstDealer, HeadToHead, Statistics
from sixtysix.rules import Deal, Ruleset
from sixtysix_arena.intervals import percentile, ratio, wilson
from sixtysix_arena.owners import owner_pairings
from sixtysix_arena.standings import PlayedGame
from sixtysix_arena.strengths import Strengths, fit

__all__ = [
    "HEAD_TO_HEAD_ENTRANTS",
    "SEPARATED",
    "TIMED_GAMES",
    "ThinkTimes",
    "statistics",
    "think_times",
    "timed_games",
]

SEPARATED = 0.975
"""How likely one entrant has to be the stronger, for the games to tell: 95 % from both sides."""

HEAD_TO_HEAD_ENTRANTS = 100
"""With more of them there are too many pairings for one message, and for any reader."""

TIMED_GAMES = 2_000
"""Think times come from so many games at most: playing deals again takes about a
millisecond a game, and a hundred thousand moves have the percentiles of a million."""


@dataclass(frozen=True, slots=True)
class ThinkTimes:
    """Milliseconds that each move of a game was charged, by seat, if its bot made it."""

    by_seat: tuple[tuple[int, ...], tuple[int, ...]]


def think_times(rules: Ruleset, deals: Iterable[DealRecord]) -> ThinkTimes:
    """Return the think times of a game, from its deals: void and broken off ones too."""
    by_seat: tuple[list[int], list[int]] = ([], [])
    for record in deals:
        deal = Deal(rules, record.pack, record.dealer)
        for ply, (move, charged_ms) in enumerate(zip(record.moves, record.charged_ms, strict=True)):
            seat = deal.turn
            deal.play(move)
            assert seat is not None, "the rules let nobody move after the end"
            if ply not in record.referee_plies:
                by_seat[seat].append(charged_ms)
    return ThinkTimes((tuple(by_seat[0]), tuple(by_seat[1])))


def timed_games(games: Iterable[PlayedGame]) -> tuple[PlayedGame, ...]:
    """Return the games whose think times count: all of them, or as many of each entrant.

    That is the first game of every pairing, then the second, and so on, round by
    round, until there are TIMED_GAMES.
    """
    ordered = sorted(games, key=lambda played: (played.game.game_index, played.game.number))
    return tuple(ordered[:TIMED_GAMES])


def statistics(
    board: Board,
    games: Iterable[PlayedGame],
    times: Mapping[int, ThinkTimes],
    owners: Mapping[str, str] | None = None,
) -> Statistics:
    """Return the statistics beside `board`, which is that of the same `games`.

    `times` has the think times of the `timed_games`, by the numbers of games,
    and `owners` the owners of those entrants that have one.
    """
    games = tuple(games)
    rated = [played for played in games if played.outcome.end is not GameEnd.VOID]
    ranked = [row.entrant for row in board.rows]
    strengths = fit(ranked, [(played.game.entrants, played.outcome) for played in rated])
    by_strength = _by_strength(strengths)
    return Statistics(
        slug=board.slug,
        round_count=board.round_count,
        games=len(rated),
        rank_agreement=_kendall(ranked, by_strength),
        first_dealer=_first_dealer(rated),
        entrants=_entrants(ranked, by_strength, strengths, rated, _moves_timed(games, times)),
        head_to_head=_head_to_head(rated, strengths),
        owner_pairings=owner_pairings(rated, owners or {}),
    )


def _by_strength(strengths: Strengths[str]) -> list[str]:
    """The entrants, strongest first; as on the board, what is shown equal is equal."""
    pairs = zip(strengths.mu.tolist(), strengths.entrants, strict=True)
    return [entrant for _, entrant in sorted((-round(mu, 3), entrant) for mu, entrant in pairs)]


def _kendall(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Kendall's tau of two rankings: by how much the pairs that they agree on outnumber the rest.

    None for fewer than two entrants.
    """
    size = len(one)
    if size < 2:
        return None
    place = {entrant: place for place, entrant in enumerate(other)}
    places = [place[entrant] for entrant in one]
    turned = sum(places[i] > places[j] for i in range(size) for j in range(i + 1, size))
    return 1 - 4 * turned / (size * (size - 1))


def _entrants(
    ranked: Sequence[str],
    by_strength: Sequence[str],
    strengths: Strengths[str],
    rated: Iterable[PlayedGame],
    moves: Mapping[str, Sequence[int]],
) -> tuple[EntrantStatistics, ...]:
    faults = _faults(rated)
    places = {entrant: place for place, entrant in enumerate(by_strength, start=1)}
    rows = []
    for entrant, following in zip(ranked, [*ranked[1:], None], strict=True):
        strength, sigma = strengths.of(entrant)
        above = None if following is None else strengths.superiority(entrant, following)
        timed = moves.get(entrant, ())
        rows.append(
            EntrantStatistics(
                entrant=entrant,
                strength=strength,
                sigma=sigma,
                place=places[entrant],
                above_next=above,
                separated=None if above is None else above >= SEPARATED,
                timed_move_count=len(timed),
                think_p50_ms=percentile(timed, 50),
                think_p95_ms=percentile(timed, 95),
                faults={fault: faults[entrant, fault] for fault in Fault if faults[entrant, fault]},
            )
        )
    return tuple(rows)


def _faults(rated: Iterable[PlayedGame]) -> Counter[tuple[str, Fault]]:
    faults: Counter[tuple[str, Fault]] = Counter()
    for played in rated:
        outcome = played.outcome
        if outcome.fault is not None and outcome.winner is not None:
            faults[played.game.entrants[1 - outcome.winner], outcome.fault] += 1
    return faults


def _moves_timed(
    games: Iterable[PlayedGame], times: Mapping[int, ThinkTimes]
) -> Mapping[str, Sequence[int]]:
    """The think times of each entrant, ascending."""
    moves: defaultdict[str, list[int]] = defaultdict(list)
    for played in games:
        if played.game.number in times:
            for entrant, charged in zip(
                played.game.entrants, times[played.game.number].by_seat, strict=True
            ):
                moves[entrant] += charged
    return {entrant: sorted(charged) for entrant, charged in moves.items()}


def _head_to_head(rated: Iterable[PlayedGame], strengths: Strengths[str]) -> tuple[HeadToHead, ...]:
    if len(strengths.entrants) > HEAD_TO_HEAD_ENTRANTS:
        return ()
    pairings: defaultdict[tuple[str, str], list[GameOutcome]] = defaultdict(list)
    for played in rated:
        pairings[played.game.entrants].append(played.outcome)
    return tuple(
        _pairing(entrants, outcomes, strengths.superiority(*entrants))
        for entrants, outcomes in sorted(pairings.items())
    )


def _pairing(
    entrants: tuple[str, str], outcomes: Sequence[GameOutcome], superiority: float
) -> HeadToHead:
    won, drawn, lost = (sum(outcome.winner == end for outcome in outcomes) for end in (0, None, 1))
    return HeadToHead(
        entrants=entrants,
        won=won,
        drawn=drawn,
        lost=lost,
        deals=sum(outcome.deal_count for outcome in outcomes),
        game_points_for=sum(outcome.score[0] for outcome in outcomes),
        game_points_against=sum(outcome.score[1] for outcome in outcomes),
        win_share=wilson(won, drawn, len(outcomes)),
        points_per_deal=ratio(_points_and_deals(outcome, 0) for outcome in outcomes),
        superiority=superiority,
    )


def _first_dealer(rated: Iterable[PlayedGame]) -> FirstDealer:
    """A forfeit says nothing of the cards, so only games without one count."""
    games = [
        (played.outcome, played.game.first_dealer)
        for played in rated
        if played.outcome.fault is None
    ]
    won = sum(outcome.winner == seat for outcome, seat in games)
    drawn = sum(outcome.winner is None for outcome, _ in games)
    return FirstDealer(
        games=len(games),
        win_share=wilson(won, drawn, len(games)),
        points_per_deal=ratio(_points_and_deals(outcome, seat) for outcome, seat in games),
    )


def _points_and_deals(outcome: GameOutcome, seat: int) -> tuple[int, int]:
    return outcome.score[seat] - outcome.score[1 - seat], outcome.deal_count
