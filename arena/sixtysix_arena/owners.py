"""Bots of one owner: whether they play against each other as they play against others.

Bots that help each other lose on purpose: by playing badly, or by a fault. Both shows in
the games between them, once it is known how the two do elsewhere. Nobody is accused:
what is told is how likely chance alone would have done the same.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import SharedOwner
from sixtysix_arena.standings import PlayedGame
from sixtysix_arena.strengths import expected_share, fit

__all__ = ["ODD", "PAIRINGS_TOLD", "shared_owners"]

ODD = 0.01
"""In at most one of a hundred tournaments of honest bots something is called odd."""

PAIRINGS_TOLD = 100
"""The least likely ones: nobody reads on, and with one owner for all there are thousands."""

_REACH = 8
"""Standard deviations to both sides within which a difference of strengths may be."""
_PLACES = 161
"""Places there that are looked at: ten in each standard deviation."""
_ROOM = 1_000_000
"""Numbers that are held at once."""
_UNLIKELY = 1e-12
"""Nobody wins or loses more surely than that: logarithms are taken of it."""

_Pairing = tuple[str, str]
_Floats = NDArray[np.float64]


def shared_owners(
    games: Iterable[PlayedGame], owners: Mapping[str, str]
) -> tuple[SharedOwner, ...]:
    """Return the pairings of one owner's bots that played, the least likely results first.

    `games` are the rated games of a tournament, and `owners` has the owners of those
    entrants that have one. At most `PAIRINGS_TOLD` are returned, and none if nobody
    played against bots of others: there is nothing to compare with.
    """
    between: defaultdict[_Pairing, list[GameOutcome]] = defaultdict(list)
    elsewhere: list[tuple[_Pairing, GameOutcome]] = []
    for played in games:
        one, other = played.game.entrants
        if one in owners and owners[one] == owners.get(other):
            between[one, other].append(played.outcome)
        else:
            elsewhere.append(((one, other), played.outcome))
    if not between or not elsewhere:
        return ()
    strengths = fit({*chain(*between), *chain(*(pairing for pairing, _ in elsewhere))}, elsewhere)
    forfeits = _forfeits(elsewhere)
    told = [
        _pairing(
            owners[pairing[0]],
            pairing,
            outcomes,
            strengths.difference(*pairing),
            forfeits,
            odd_below=ODD / (2 * len(between)),  # Each is looked at twice.
        )
        for pairing, outcomes in between.items()
    ]
    told.sort(key=lambda each: (min(each.chance, each.forfeit_chance), each.entrants))
    return tuple(told[:PAIRINGS_TOLD])


def _forfeits(results: Iterable[tuple[_Pairing, GameOutcome]]) -> Counter[tuple[str, bool]]:
    """How many games each entrant forfeited, and how many it did not."""
    counts: Counter[tuple[str, bool]] = Counter()
    for pairing, outcome in results:
        for seat, entrant in enumerate(pairing):
            counts[entrant, outcome.end is GameEnd.FORFEIT and outcome.winner == 1 - seat] += 1
    return counts


def _pairing(
    owner: str,
    pairing: _Pairing,
    outcomes: Sequence[GameOutcome],
    difference: tuple[float, float],
    elsewhere: Counter[tuple[str, bool]],
    *,
    odd_below: float,
) -> SharedOwner:
    won, drawn, lost = (sum(outcome.winner == end for outcome in outcomes) for end in (0, None, 1))
    expected, chance = _share_and_chance(2 * won + drawn, len(outcomes), *difference)
    here = _forfeits((pairing, outcome) for outcome in outcomes)
    # Each is compared with itself: one that always fails does not make the other's odd.
    forfeit_chance = min(1.0, *(2 * _as_many(here, elsewhere, entrant) for entrant in pairing))
    return SharedOwner(
        owner=owner,
        entrants=pairing,
        won=won,
        drawn=drawn,
        lost=lost,
        expected_share=expected,
        chance=chance,
        forfeits=sum(here[entrant, True] for entrant in pairing),
        forfeit_chance=forfeit_chance,
        is_odd=min(chance, forfeit_chance) < odd_below,
    )


def _share_and_chance(halves: int, games: int, mean: float, sigma: float) -> tuple[float, float]:
    """The share of `games` to be expected, and how likely one as far off as `halves` is.

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


def _as_many(
    here: Counter[tuple[str, bool]], elsewhere: Counter[tuple[str, bool]], entrant: str
) -> float:
    """How likely as many of all that an entrant forfeited, or more, are here by chance.

    The upper tail of the hypergeometric distribution, which is Fisher's exact test.
    """
    least, rest = here[entrant, True], elsewhere[entrant, True]
    games, games_elsewhere = least + here[entrant, False], rest + elsewhere[entrant, False]
    whole = _log_ways(games + games_elsewhere, least + rest)
    likelihoods = (
        math.exp(_log_ways(games, count) + _log_ways(games_elsewhere, least + rest - count) - whole)
        for count in range(least, min(games, least + rest) + 1)
    )
    return min(1.0, math.fsum(likelihoods))


def _log_ways(all_: int, chosen: int) -> float:
    return math.lgamma(all_ + 1) - math.lgamma(chosen + 1) - math.lgamma(all_ - chosen + 1)
