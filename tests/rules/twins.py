"""Twin worlds: deals that differ only in what one seat cannot know.

Whatever is shown to that seat, as a view or as bytes, has to be the same in
all of them. What it knows: its own cards and when it drew them, the trump card,
and every move. What follows from the moves: which cards the opponent has held,
and since when at the latest; and, where suit must be followed, which suits it
had none of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, factorial, prod
from random import Random

from sixtysix.rules import CARDS, EXCHANGE, MOVES, Deal, Move
from sixtysix.rules.view import lead_card

TRIES = 12
"""Worlds drawn for each deal."""

FIRST_DRAW = 13
PACK_SIZE = 24


@dataclass(frozen=True)
class Hidden:
    """What one seat cannot know of a deal, and what it can conclude about that."""

    deal: Deal
    taken: Sequence[tuple[int, int]]
    """Places whose card the opponent took, each after the trick from which it had that card."""
    talon: Sequence[int]
    """Places of the talon that nobody drew."""
    shown: Mapping[int, int]
    """Cards that the opponent has held, each with the trick by which it must have had it."""
    barred_suits: frozenset[int]
    """Suits of which the opponent, since it had to follow, can hold no card but shown ones."""

    @classmethod
    def of(cls, deal: Deal, seat: int) -> Hidden:
        """What `seat` cannot know of `deal` now."""
        opponent = 1 - seat
        first = 0 if deal.dealer == seat else 1  # The opponent's first place: forehand's is 0.
        taken = [(0, place) for place in range(first, 12, 2)]
        shown: dict[int, int] = {}
        barred: set[int] = set()
        replay = Deal(deal.ruleset, deal.pack, deal.dealer)
        for code in deal.moves:
            move = MOVES[code]
            if replay.turn == opponent:
                for card in _shown_by(move, replay.trump_suit):
                    shown.setdefault(card, len(replay.tricks))
                barred |= _denied_by(move, replay)
            place = FIRST_DRAW + 12 - replay.talon_count
            replay.play(code)
            if replay.talon_count < FIRST_DRAW + 12 - place:  # Both have drawn.
                place += replay.leader != opponent
                if place < PACK_SIZE:  # Else it was the trump card, which everybody knows.
                    taken.append((len(replay.tricks), place))
        talon = range(FIRST_DRAW + 12 - deal.talon_count, PACK_SIZE)
        unknown = {deal.pack[place] for _, place in taken} | {deal.pack[place] for place in talon}
        shown = {card: trick for card, trick in shown.items() if card in unknown}
        return cls(deal, taken, talon, shown, frozenset(barred))

    @property
    def anywhere(self) -> list[int]:
        """Cards of which nothing was seen: in the opponent's hand or in the talon."""
        places = [*(place for _, place in self.taken), *self.talon]
        return sorted({self.deal.pack[place] for place in places}.difference(self.shown))

    @property
    def count(self) -> int:
        """In how many worlds the seat would have seen the same."""
        unshown = len(self.taken) - len(self.shown)
        possible = [card for card in self.anywhere if card // 6 not in self.barred_suits]
        return (
            prod(
                sum(since <= trick for since, _ in self.taken) - earlier
                for earlier, (_, trick) in enumerate(self._by_trick())
            )
            * comb(len(possible), unshown)
            * factorial(unshown)
            * factorial(len(self.talon))
        )

    def pack(self, rng: Random) -> list[int]:
        """The pack of one of these worlds, each as likely as any other."""
        pack = list(self.deal.pack)
        left = list(self.taken)
        for card, trick in self._by_trick():
            # As many choices whatever was chosen before: so all worlds are equally likely.
            place = rng.choice([place for place in left if place[0] <= trick])
            left.remove(place)
            pack[place[1]] = card
        possible = [card for card in self.anywhere if card // 6 not in self.barred_suits]
        held = rng.sample(possible, len(left))
        for (_, at), card in zip(left, held, strict=True):
            pack[at] = card
        rest = [card for card in self.anywhere if card not in held]
        for at, card in zip(self.talon, rng.sample(rest, len(rest)), strict=True):
            pack[at] = card
        return pack

    def world(self, rng: Random) -> Deal:
        """One of these worlds, with the same moves made. Raises IllegalMove never."""
        return replayed(self.deal, self.pack(rng))

    def _by_trick(self) -> list[tuple[int, int]]:
        return sorted(self.shown.items(), key=lambda item: item[1])


def twins(deal: Deal, seat: int, rng: Random, tries: int = TRIES) -> Iterator[Deal]:
    """Deals in which `seat` has seen exactly the same as in `deal`; that one may be among them."""
    hidden = Hidden.of(deal, seat)
    for _ in range(tries):
        yield hidden.world(rng)


def replayed(deal: Deal, pack: Sequence[int]) -> Deal:
    """The moves of `deal` with another pack. Raises IllegalMove if that cannot be."""
    twin = Deal(deal.ruleset, pack, deal.dealer)
    for move in deal.moves:
        twin.play(move)
    return twin


def _shown_by(move: Move, trump_suit: int) -> tuple[int, ...]:
    """The cards that whoever makes a move shows to hold."""
    if move == EXCHANGE:
        return (trump_suit * 6,)
    if move.card is None:
        return ()
    return (move.card, move.card ^ 1) if move.is_marriage else (move.card,)


def _denied_by(move: Move, deal: Deal) -> set[int]:
    """The suits of which whoever follows with a card has none."""
    if not deal.strict or deal.led is None or move.card is None:
        return set()
    suit = CARDS[lead_card(deal.led)].suit
    if move.card.suit == suit:
        return set()
    return {suit} if move.card.suit == deal.trump_suit else {suit, deal.trump_suit}
