"""A game: deals until one side has the target of game points."""

from __future__ import annotations

from collections.abc import Sequence

from sixtysix.rules.deal import Deal
from sixtysix.rules.ruleset import DEAL_LIMIT, Ruleset
from sixtysix.rules.scoring import DealResult

__all__ = ["Game"]


class Game:
    """Keeps the score and says who deals next. It is handed each pack, it never makes one."""

    __slots__ = ("deal_count", "deal_limit", "dealer", "ruleset", "score")

    def __init__(self, ruleset: Ruleset, first_dealer: int, deal_limit: int = DEAL_LIMIT) -> None:
        """Starts a game in which `first_dealer`, seat 0 or 1, deals first.

        After `deal_limit` deals it is scored as it stands.
        """
        if first_dealer not in (0, 1):
            raise ValueError(f"the first dealer is seat 0 or 1, not {first_dealer}")
        self.ruleset = ruleset
        self.deal_limit = deal_limit
        self.dealer = first_dealer
        """The seat that deals next. A deal that is void changes nothing: it deals again."""
        self.score = (0, 0)
        """Game points by seat."""
        self.deal_count = 0
        """Deals that were finished, drawn ones included."""

    def deal(self, pack: Sequence[int]) -> Deal:
        """The next deal, from `pack`. Raises ValueError when the game is over."""
        if self.over:
            raise ValueError("the game is over")
        return Deal(self.ruleset, pack, self.dealer)

    def add(self, result: DealResult) -> None:
        """Scores a finished deal. Raises ValueError when the game is over."""
        if self.over:
            raise ValueError("the game is over")
        self.deal_count += 1
        winner = result.winner
        if winner is not None:
            own = (1 - winner) * result.game_points, winner * result.game_points
            self.score = self.score[0] + own[0], self.score[1] + own[1]
        if self.ruleset.dealers_alternate:
            self.dealer = 1 - self.dealer
        elif winner is not None:
            self.dealer = winner

    @property
    def target_reached(self) -> bool:
        """Whether a side has the target of game points."""
        return max(self.score) >= self.ruleset.target

    @property
    def over(self) -> bool:
        """Whether the target or the limit of deals is reached."""
        return self.target_reached or self.deal_count >= self.deal_limit

    @property
    def winner(self) -> int | None:
        """The seat with more game points once the game is over; None if level or not over."""
        if not self.over or self.score[0] == self.score[1]:
            return None
        return 0 if self.score[0] > self.score[1] else 1
