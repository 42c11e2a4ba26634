"""How simulated bots choose: pure functions of what they see, so that any run repeats any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sixtysix.bot import load_bot
from sixtysix.forced import forced_move
from sixtysix.rules import CLAIM, CLOSE, Deal, DealResult, Game, Ruleset, View

__all__ = ["IdealDeal", "Player", "ideal_game"]

_GREEDY = load_bot("greedy")


@dataclass(frozen=True, slots=True)
class Player:
    """A way to choose. Rash ones end their deals early, which keeps simulated games short."""

    style: str
    """`rash` claims falsely now and then, `hasty` closes whenever it may, `random`, `greedy`."""
    salt: int

    def choose(
        self,
        legal: Sequence[int],
        deal: int,
        ply: int,
        seat: int,
        claims: bool,
        view: Callable[[], View],
    ) -> int:
        """A move for the seat on turn; `claims` says whether the rule set has them."""
        if CLAIM in legal:
            return CLAIM
        if self.style == "greedy":
            return _GREEDY.choose(view())  # type: ignore[return-value]
        number = (deal * 73 + ply * 37 + seat * 101 + self.salt) * 2_654_435_761 + sum(legal)
        number = (number ^ number >> 15) & 0xFFFFFF
        if claims and self.style == "rash" and number % 4 == 0:
            return CLAIM  # A false one, which loses the deal by the rules.
        if self.style == "hasty" and CLOSE in legal:
            return CLOSE
        return legal[number % len(legal)]


@dataclass(frozen=True, slots=True)
class IdealDeal:
    """A deal as it goes if nothing disturbs it."""

    number: int
    moves: tuple[int, ...]
    result: DealResult


def ideal_game(
    rules: Ruleset,
    players: tuple[Player, Player],
    asks: tuple[bool, bool],
    first_dealer: int,
    pack: Callable[[int], tuple[int, ...]],
    void: frozenset[int],
) -> Iterator[IdealDeal]:
    """The deals of a game, by the core alone; the numbers in `void` are skipped."""
    game = Game(rules, first_dealer)
    number = 0
    while not game.over:
        if number not in void:
            deal = game.deal(pack(number))
            result = _play(deal, number, players, asks)
            game.add(result)
            yield IdealDeal(number, tuple(deal.moves), result)
        number += 1


def _play(
    deal: Deal, number: int, players: tuple[Player, Player], asks: tuple[bool, bool]
) -> DealResult:
    claims = deal.ruleset.claims
    while (seat := deal.turn) is not None:
        move: int | None = forced_move(deal, asks[seat])
        if move is None:
            view = deal.view(seat, deal=number)
            move = players[seat].choose(
                view.legal,
                number,
                deal.ply,
                seat,
                claims,
                lambda view=view: view,  # type: ignore[misc]
            )
        deal.play(move)
    assert deal.result is not None
    return deal.result
