"""The game itself: four rule sets of Sixty-Six, as pure functions of packs and moves.

Written after four Russian texts; docs/rulings.md lists every place where a
text is silent and what we read there. Nothing in here does input or output,
looks at a clock, or draws anything at random.

>>> from sixtysix.rules import RULESETS, Deal
>>> deal = Deal(RULESETS["doubling"], pack=range(24), dealer=0)
>>> deal.view(1).hand
(<9C>, <QC>, <TC>, <9D>, <QD>, <TD>)
>>> deal.play(deal.view(1).legal[0])
>>> deal.turn
0
"""

from sixtysix.rules.cards import CARDS, RANKS, SUITS, Card, beats, cards_of
from sixtysix.rules.deal import Deal
from sixtysix.rules.errors import (
    IllegalMove,
    InvalidOption,
    NotationError,
    SixtySixError,
    UnknownRuleset,
)
from sixtysix.rules.game import Game
from sixtysix.rules.moves import CLAIM, CLOSE, EXCHANGE, MOVES, PASS, Move, moves_of
from sixtysix.rules.notation import parse_card, parse_cards, parse_move
from sixtysix.rules.ruleset import (
    DEAL_LIMIT,
    RULESETS,
    WINNING_POINTS,
    Both66,
    Exchange,
    FailedClose,
    Nothing,
    Ruleset,
    ruleset,
)
from sixtysix.rules.scoring import DealEnd, DealResult, Tally, claimed, played_out
from sixtysix.rules.stage import Stage
from sixtysix.rules.view import Trick, View

__all__ = [
    "CARDS",
    "CLAIM",
    "CLOSE",
    "DEAL_LIMIT",
    "EXCHANGE",
    "MOVES",
    "PASS",
    "RANKS",
    "RULESETS",
    "SUITS",
    "WINNING_POINTS",
    "Both66",
    "Card",
    "Deal",
    "DealEnd",
    "DealResult",
    "Exchange",
    "FailedClose",
    "Game",
    "IllegalMove",
    "InvalidOption",
    "Move",
    "NotationError",
    "Nothing",
    "Ruleset",
    "SixtySixError",
    "Stage",
    "Tally",
    "Trick",
    "UnknownRuleset",
    "View",
    "beats",
    "cards_of",
    "claimed",
    "moves_of",
    "parse_card",
    "parse_cards",
    "parse_move",
    "played_out",
    "ruleset",
]
