"""Twin worlds: deals that differ only in what one seat cannot know.

Whatever is shown to that seat, as a view or as bytes, has to be the same in
all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sixtysix.rules import Deal, IllegalMove

TRIES = 12
"""Permutations tried for each deal; in many the moves made could not have been made."""


def twins(deal: Deal, seat: int, rng: Random, tries: int = TRIES) -> Iterator[Deal]:
    """Deals in which `seat` has seen exactly the same as in `deal`.

    The cards that it does not know are dealt anew among the places where it
    does not know them, and the same moves are played. Worlds in which one of
    them would have been illegal do not count.
    """
    unseen = [int(card) for card in deal.view(seat).unseen]
    for _ in range(tries):
        exchanged = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        pack = [exchanged.get(card, card) for card in deal.pack]
        twin = Deal(deal.ruleset, pack, deal.dealer)
        try:
            for move in deal.moves:
                twin.play(move)
        except IllegalMove:
            continue
        yield twin
