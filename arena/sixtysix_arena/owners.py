"""Bots of one owner: whether they play against each other as they play against others.

Bots that help each other lose on purpose: by playing badly, or by giving a game away with
a fault. Both show in the games between them, once it is known how the two do elsewhere.
Nobody is accused: what is told is how often chance alone would do the same.

Not every forfeit tells something. A bot that is away, silent or gone for good loses all
that it plays just then, and a round is one pairing of each bot: such games are left out.
An illegal move, a game given up and a bank used up are of one game alone, and are counted.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from sixtysix.outcome import GameOutcome
from sixtysix.reports import OwnerPairing
from sixtysix_arena.ratings import BETA
from sixtysix_arena.reasons import is_of_one_game
from sixtysix_arena.standings import PlayedGame
from sixtysix_arena.strengths import Strengths, expected_share, fit

__all__ = ["LEAST_SCATTER", "ODD", "PAIRINGS_LOOKED_AT", "PAIRINGS_TOLD", "owner_pairings"]

ODD = 0.01
"""What chance alone does less often than this, in any pairing of a tournament, is odd."""

PAIRINGS_LOOKED_AT = 2_000
"""An owner of more than some sixty bots is no person; and each pairing takes some 0.2 ms."""
PAIRINGS_TOLD = 100
"""The least likely ones: nobody reads on."""

LEAST_SCATTER = BETA / 4
"""How much pairings differ at least from what the strengths of their bots say, in standard
deviations: a bot may suit one opponent better than another as strong. Of greedy bots with
one habit changed, each against each, it is about that."""

_REACH = 8
"""Standard deviations to both sides within which a difference of strengths may be."""
_PLACES = 161
"""Places there that are looked at: ten in each standard deviation."""
_ROOM = 1_000_000
"""Numbers that are held at once."""
_UNLIKELY = 1e-12
"""Nobody wins or loses more surely than that: logarithms are taken of it."""
_NEAR = 0.01
"""A difference of strengths so small that shares follow it in a straight line."""

_Pairing = tuple[str, str]
_Floats = NDArray[np.float64]


@dataclass(slots=True)
class _Games:
    """What counts of the rated games of a pairing."""

    played: list[GameOutcome] = field(default_factory=list)
    """Those without a fault."""
    thrown: Counter[int] = field(default_factory=Counter)
    """How many games each seat lost by a fault that is its own doing."""

    def add(self, outcome: GameOutcome) -> None:
        if outcome.fault is None:
            self.played.append(outcome)
        elif outcome.winner is not None and is_of_one_game(outcome):
            self.thrown[1 - outcome.winner] += 1

    @property
    def count(self) -> int:
        """How many games count."""
        return len(self.played) + self.thrown.total()

    @property
    def halves(self) -> int:
        """Half games that seat 0 won of those that were played."""
        return sum(1 if each.winner is None else 2 * (each.winner == 0) for each in self.played)


def owner_pairings(
    games: Iterable[PlayedGame], owners: Mapping[str, str]
) -> tuple[OwnerPairing, ...]:
    """Return the pairings of one owner's bots that played, the least likely results first.

    `games` are the rated games of a tournament, and `owners` has the owners of those
    entrants that have one. At most `PAIRINGS_TOLD` are returned; none if nobody played
    against bots of others, so that there is nothing to compare with, and none if there
    are more than `PAIRINGS_LOOKED_AT`.
    """
    keys = {entrant: _key(owner) for entrant, owner in owners.items()}
    between: defaultdict[_Pairing, _Games] = defaultdict(_Games)
    elsewhere: defaultdict[_Pairing, _Games] = defaultdict(_Games)
    for played in games:
        one, other = played.game.entrants
        is_own = one in keys and keys[one] == keys.get(other)
        (between if is_own else elsewhere)[one, other].add(played.outcome)
    if not elsewhere or not 0 < len(between) <= PAIRINGS_LOOKED_AT:
        return ()
    strengths = fit(
        {entrant for pairing in (*between, *elsewhere) for entrant in pairing},
        ((pairing, each) for pairing, found in elsewhere.items() for each in found.played),
    )
    scatter = max(LEAST_SCATTER, _scatter(elsewhere, strengths))
    thrown = _thrown(elsewhere)
    odd_below = ODD / (2 * len(between))  # Each is looked at twice.
    told = [
        _pairing(owners[pairing[0]], pairing, found, strengths, scatter, thrown, odd_below)
        for pairing, found in between.items()
    ]
    told.sort(key=lambda each: (min(each.chance, each.thrown_chance), each.entrants))
    return tuple(told[:PAIRINGS_TOLD])


def _key(owner: str) -> str:
    """The same for what people take for the same."""
    return normalize("NFKC", owner).casefold()


def _pairing(
    owner: str,
    pairing: _Pairing,
    found: _Games,
    strengths: Strengths[str],
    scatter: float,
    thrown: Mapping[str, Sequence[tuple[int, int]]],
    odd_below: float,
) -> OwnerPairing:
    mean, sigma = strengths.difference(*pairing)
    expected, chance = _share_and_chance(
        found.halves, len(found.played), mean, math.hypot(sigma, scatter)
    )
    thrown_chance = min(
        1.0,
        *(
            2 * _thrown_chance(found.thrown[seat], found.count, thrown[entrant])
            for seat, entrant in enumerate(pairing)
        ),
    )
    won, drawn, lost = (sum(each.winner == end for each in found.played) for end in (0, None, 1))
    return OwnerPairing(
        owner=owner,
        entrants=pairing,
        won=won,
        drawn=drawn,
        lost=lost,
        expected_share=expected,
        chance=chance,
        thrown=found.thrown.total(),
        thrown_chance=thrown_chance,
        is_odd=min(chance, thrown_chance) < odd_below,
    )


def _scatter(elsewhere: Mapping[_Pairing, _Games], strengths: Strengths[str]) -> float:
    """How much pairings differ from what strengths say, as a standard deviation of strength.

    From the squares of what pairings won beyond expectation: what games alone scatter is
    taken off, and what is left is put down to the pairings. Zero if nothing is left.
    """
    counted = [(pairing, found) for pairing, found in elsewhere.items() if found.played]
    freedom = len(counted) - len(strengths.entrants) + 1
    if freedom < 1:
        return 0.0
    games = np.array([len(found.played) for _, found in counted], np.float64)
    won = np.array([found.halves / 2 for _, found in counted])
    differences = np.array([strengths.difference(*pairing)[0] for pairing, _ in counted])
    shares = expected_share(differences)
    slopes = expected_share(differences + _NEAR) - expected_share(differences - _NEAR)
    squares = float(((won - games * shares) ** 2).sum()) * len(counted) / freedom
    by_games = float((games * shares * (1 - shares)).sum())
    by_pairings = float(((games * slopes / (2 * _NEAR)) ** 2).sum())
    return math.sqrt(max(0.0, squares - by_games) / by_pairings) if by_pairings else 0.0


def _share_and_chance(halves: int, games: int, mean: float, sigma: float) -> tuple[float, float]:
    """The share of `games` to be expected, and how often one is at least as far off as `halves`.

    The difference of strengths has this `mean`, give or take `sigma`. Twice the
    likelihood of the less likely side, where half a game counts as what is nearer.
    """
    steps = np.linspace(-_REACH, _REACH, _PLACES)
    weights = np.exp(-(steps**2) / 2)
    weights /= weights.sum()
    shares = expected_share(mean + sigma * steps)
    at_most = float(weights @ _at_most(-(-halves // 2), games, shares))
    at_least = float(weights @ _at_most(games - halves // 2, games, 1 - shares))
    return float(weights @ shares), min(1.0, 2 * at_most, 2 * at_least)


def _at_most(count: int, games: int, shares: _Floats) -> _Floats:
    """The likelihood that of `games` at most `count` are won, by the likelihood to win one."""
    shares = shares.clip(_UNLIKELY, 1 - _UNLIKELY)
    wins = np.arange(min(count, games) + 1)
    ways = np.array([_log_ways(games, each) for each in wins.tolist()])
    rows = max(1, _ROOM // len(wins))
    sums = [
        np.exp(ways + np.outer(np.log(part), wins) + np.outer(np.log1p(-part), games - wins)).sum(
            axis=1
        )
        for part in np.array_split(shares, -(-len(shares) // rows))
    ]
    return np.concatenate(sums)


def _thrown(elsewhere: Mapping[_Pairing, _Games]) -> defaultdict[str, list[tuple[int, int]]]:
    """Of each entrant, how many games it threw in each pairing, and of how many."""
    counts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for pairing, found in elsewhere.items():
        for seat, entrant in enumerate(pairing):
            counts[entrant].append((found.thrown[seat], found.count))
    return counts


def _thrown_chance(thrown: int, games: int, elsewhere: Sequence[tuple[int, int]]) -> float:
    """How often chance puts as many of all games that a bot threw, or more, into these.

    Compared with all others together, and with each opponent that it threw games to: it
    may do so by its nature, against some. What is least odd counts.
    """
    together = sum(other for other, _ in elsewhere), sum(count for _, count in elsewhere)
    each = [(other, count) for other, count in elsewhere if other]
    return max(_as_many(thrown, games, *others) for others in (together, *each))


def _as_many(thrown: int, games: int, thrown_elsewhere: int, games_elsewhere: int) -> float:
    """The upper tail of the hypergeometric distribution, which is Fisher's exact test."""
    everywhere = thrown + thrown_elsewhere
    whole = _log_ways(games + games_elsewhere, everywhere)
    likelihoods = (
        math.exp(_log_ways(games, here) + _log_ways(games_elsewhere, everywhere - here) - whole)
        for here in range(thrown, min(games, everywhere) + 1)
    )
    return min(1.0, math.fsum(likelihoods))


def _log_ways(all_: int, chosen: int) -> float:
    return math.lgamma(all_ + 1) - math.lgamma(chosen + 1) - math.lgamma(all_ - chosen + 1)
