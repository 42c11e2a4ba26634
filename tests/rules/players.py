"""Players and packs for tests: random, but bent so that rare things happen often.

Everything follows from the generator that is handed in, so a failure is
repeated by its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sixtysix.rules import CLAIM, CLOSE, EXCHANGE, PASS, RULESETS, Deal, Move, Ruleset, ruleset

ALL_RULES: tuple[Ruleset, ...] = (
    *RULESETS.values(),
    ruleset("doubling", agreed_six=True, target=8),
)
"""The four rule sets, and the one with other options."""


def name_of(rules: Ruleset) -> str:
    """What a parametrized test is called."""
    return f"{rules.name}-agreed-six" if rules.agreed_six else rules.name


def random_pack(rng: Random) -> list[int]:
    """A pack; in two of three one side is dealt strong cards, so that talons get closed."""
    pack = list(range(24))
    rng.shuffle(pack)
    kind = rng.randrange(3)
    if kind < 2:
        trump_suit = pack[12] // 6
        best = sorted(
            (card for card in pack if card != pack[12]),
            key=lambda card: (card // 6 == trump_suit) * 3 + card % 6 + rng.random() * 4,
        )
        places = [place for place in range(12) if place % 2 == kind]
        for place in places:
            other = pack.index(best.pop())
            pack[place], pack[other] = pack[other], pack[place]
    return pack


class RandomPlayer:
    """Chooses among the legal moves with weights drawn once, so that players differ."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.false_claim = rng.choice([0.0, 0.0, 0.0, 0.01, 0.05])
        self.good_claim = rng.choice([0.0, 0.3, 1.0])
        self.close = rng.choice([0.0, 0.1, 1.0])
        self.exchange = rng.choice([0.2, 1.0])
        self.marriage = rng.choice([0.2, 1.0, 5.0])
        self.high_card = rng.choice([0.0, 1.0])
        """How much the player likes high cards; low ones if 0."""

    def choose(self, deal: Deal) -> Move:
        """One of the legal moves."""
        legal = deal.legal_moves()
        for chance, move in ((self._claim(deal), CLAIM), (self.close, CLOSE)):
            if move in legal and self.rng.random() < chance:
                return move
        if EXCHANGE in legal and self.rng.random() < self.exchange:
            return EXCHANGE
        if PASS in legal:
            return PASS
        cards = [move for move in legal if move < EXCHANGE]
        return self.rng.choices(cards, [self._weight(move) for move in cards])[0]

    def _claim(self, deal: Deal) -> float:
        assert deal.turn is not None
        return self.good_claim if deal.points[deal.turn] >= 66 else self.false_claim

    def _weight(self, move: Move) -> float:
        assert move.card is not None
        weight = 1.0 + self.high_card * move.card.rank
        return weight * 4 * self.marriage if move.is_marriage else weight


def play_on(deal: Deal, players: Sequence[RandomPlayer], plies: int = 1000) -> None:
    """Plays until the deal is over, or for so many plies."""
    for _ in range(plies):
        if deal.turn is None:
            return
        deal.play(players[deal.turn].choose(deal))


def random_deal(rules: Ruleset, rng: Random) -> tuple[Deal, list[RandomPlayer]]:
    """A fresh deal and two players for it."""
    return Deal(rules, random_pack(rng), rng.randrange(2)), [RandomPlayer(rng), RandomPlayer(rng)]
