"""The four rule sets: one type, four instances, every value with its clause.

`classic §14` is a numbered clause of that rule set's source text; the other
texts have no numbers, so their words are quoted. `R12` is a reading of ours,
numbered in docs/rulings.md with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from sixtysix.rules.errors import InvalidOption, UnknownRuleset

__all__ = ["RULESETS", "Both66", "Exchange", "FailedClose", "Nothing", "Ruleset", "ruleset"]

DEAL_LIMIT = 200
"""Deals of a game, drawn ones included; then it is scored as it stands (R34)."""
FALSE_CLAIM_POINTS = 3
"""What a false claim pays the opponent: last-trick, borrowed elsewhere (R19, R33)."""
WINNING_POINTS = 66
HALF = 33
"""A loser with fewer card points than this pays double."""


class Exchange(Enum):
    """When the trump nine may be exchanged for the trump card."""

    NEVER = "never"
    AFTER_FIRST_TRICK = "after the first trick of the deal"
    AFTER_OWN_TRICK = "after a trick of one's own"


class Nothing(Enum):
    """What "the loser has none", which pays three, means."""

    NO_POINTS = "no card points"
    NO_TRICK = "no trick"


class FailedClose(Enum):
    """How a failed close is paid."""

    BY_CLOSER = "by the closer's points: 2, 3 or 4"
    DOUBLED = "the ordinary count of the closer's points, doubled; 6 without a trick"
    BY_OPPONENT = "by the opponent's own state, at least his ordinary win"


class Both66(Enum):
    """What happens when both sides come to 66."""

    DRAWN_AT_ONCE = "the deal ends at that moment, drawn"
    FIRST_WINS = "whoever was credited with 66 first wins one"
    DRAWN_AT_END = "the deal, counted at its end, is drawn"
    LAST_TRICK_WINS = "a claim wins; without one the winner of the last trick gets one"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game. Two rule sets are equal if they play the same."""

    name: str
    summary: str
    """What is special about it, in one line."""
    close_min_talon: int | None
    """The fewest talon cards, the trump card included, with which it may be closed."""
    close_before_opponents_lead: bool
    """Whether the follower may close before the leader leads."""
    close_after_first_trick: bool
    """Whether the first trick must have been played."""
    exchange: Exchange
    marriage_needs_trick: bool
    """Whether marriage points wait until their owner has a trick."""
    claims: bool
    """Whether a player may stop a deal, announcing 66."""
    last_trick_bonus: int
    """Card points for the trick that empties the hands."""
    nothing: Nothing
    failed_close: FailedClose | None
    both_66: Both66
    last_trick_decides: bool
    """Whether the last trick wins a deal in which nobody has 66; else it is drawn."""
    dealers_alternate: bool
    """Whether the two deal in turn; else whoever was paid deals, after a draw the same."""
    target: int = 8
    """Game points that win the game."""
    agreed_six: bool = False
    """Whether a closer who fails against a trickless opponent pays six."""
    options: tuple[str, ...] = ()
    """Names of the fields that the text leaves to the players."""

    def with_options(self, /, **options: object) -> Ruleset:
        """This rule set with other values of its options.

        Raises InvalidOption for an option that it does not have, or a value
        that the text does not allow.
        """
        for name, value in options.items():
            if name not in self.options:
                has = ", ".join(self.options) or "none"
                raise InvalidOption(f"{self.name} has no option {name!r}: its options are: {has}")
            allowed: tuple[object, ...] = _OPTION_VALUES[name]
            if not any(
                value is choice or (value == choice and type(value) is type(choice))
                for choice in allowed
            ):
                expected = " or ".join(str(choice).lower() for choice in allowed)
                raise InvalidOption(
                    f"option {name} of {self.name} cannot be {value!r}: expected {expected}"
                )
        return replace(self, **options)  # type: ignore[arg-type]


_OPTION_VALUES: dict[str, tuple[object, ...]] = {"target": (7, 8), "agreed_six": (False, True)}

CLASSIC = Ruleset(
    name="classic",
    summary="Either player may close before any lead; a failed closer pays 2, 3 or 4.",
    close_min_talon=5,  # classic §14, R31
    close_before_opponents_lead=True,  # classic §13, "(своим или противника)", R30
    close_after_first_trick=False,  # classic §13, "или даже в начале розыгрыша"
    exchange=Exchange.NEVER,  # the text knows none
    marriage_needs_trick=False,  # classic §10
    claims=True,  # classic §12, "решил, досчитав до 66, прекратить игру", R32
    last_trick_bonus=10,  # classic §12; in a closed deal too, R15
    nothing=Nothing.NO_POINTS,  # classic §15, "если у противника вообще 0"
    failed_close=FailedClose.BY_CLOSER,  # classic §16
    both_66=Both66.DRAWN_AT_ONCE,  # classic §17
    last_trick_decides=False,  # classic §17
    dealers_alternate=False,  # classic §3; after a draw §17
    target=8,  # classic §1
)

DOUBLING = Ruleset(
    name="doubling",
    summary="The trump nine may be exchanged; a failed closer pays double: 2, 4 or 6.",
    close_min_talon=2,  # R12, R31
    close_before_opponents_lead=False,  # R13
    close_after_first_trick=False,  # "при начале игры или в ее середине"
    exchange=Exchange.AFTER_FIRST_TRICK,  # "лишь только после первой взятки", R10, R11, R29
    marriage_needs_trick=False,  # "присчитываются к его набранным очкам"
    claims=True,  # "Кто первый насчитает 66", R17, R32
    last_trick_bonus=10,  # "еще десять очков"; in a closed deal too, R16
    nothing=Nothing.NO_POINTS,  # "не возьмет ни одного очка, хотя и будет иметь" взятки
    failed_close=FailedClose.DOUBLED,  # "проигрывает вдвойне", R20
    both_66=Both66.FIRST_WINS,  # "Кто первый насчитает 66", R22
    last_trick_decides=False,  # R25
    dealers_alternate=False,  # "сдача принадлежит тому, кто сделает 66", R26
    target=7,  # "по семерке или восьмерке", R28
    options=("target", "agreed_six"),  # "лишь по предварительному взаимному оглашению"
)

PLAYED_OUT = Ruleset(
    name="played-out",
    summary="Every deal is played to the last card, then counted.",
    close_min_talon=3,  # "не менее трех карт", R31
    close_before_opponents_lead=False,  # R14
    close_after_first_trick=True,  # "в середине розыгрыша", R14
    exchange=Exchange.NEVER,  # the text knows none
    marriage_needs_trick=False,  # R9
    claims=False,  # "После окончания розыгрыша производится подсчет очков", R18
    last_trick_bonus=0,  # the text knows none
    nothing=Nothing.NO_TRICK,  # "не взял ни одной взятки"
    failed_close=FailedClose.BY_OPPONENT,  # the text's last sentence, R21
    both_66=Both66.DRAWN_AT_END,  # R23
    last_trick_decides=False,  # "игра считается розыгрышем"
    dealers_alternate=False,  # "Карты сдает участник, выигравший предыдущую игру", R26
    target=8,  # "Партию составляют восемь игр"
)

LAST_TRICK = Ruleset(
    name="last-trick",
    summary="No closing; if nobody has 66 the last trick decides; a false claim pays 3.",
    close_min_talon=None,  # the text knows no closing
    close_before_opponents_lead=False,  # the text knows no closing
    close_after_first_trick=False,  # the text knows no closing
    exchange=Exchange.AFTER_OWN_TRICK,  # "взявший хотя бы одну взятку", R11, R29
    marriage_needs_trick=True,  # "пока у игрока не будет хотя бы одной взятки"
    claims=True,  # "имеет право остановить раунд", R32
    last_trick_bonus=0,  # the text knows none
    nothing=Nothing.NO_TRICK,  # "не взял ни одной взятки"
    failed_close=None,  # the text knows no closing
    both_66=Both66.LAST_TRICK_WINS,  # "Дополнения", first
    last_trick_decides=True,  # "игрок, взявший последнюю взятку"
    dealers_alternate=True,  # "в порядке очереди"
    target=8,  # "первым набравший 8 очков"
)


class _Rulesets(dict[str, Ruleset]):
    def __missing__(self, name: object) -> Ruleset:
        raise UnknownRuleset(f"unknown rule set {name!r}: there are {', '.join(self)}")


RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    _Rulesets({rules.name: rules for rules in (CLASSIC, DOUBLING, PLAYED_OUT, LAST_TRICK)})
)
"""The four rule sets by name, with their options as the texts have them.

An unknown name raises UnknownRuleset.
"""


def ruleset(name: str, /, **options: object) -> Ruleset:
    """The rule set `name` with `options` set; the rest stays as the text has it.

    Raises UnknownRuleset or InvalidOption.
    """
    return RULESETS[name].with_options(**options)
