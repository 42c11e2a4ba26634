"""Views as decisions, and back: the hot path."""

from __future__ import annotations

from sixtysix.clock import Clock
from sixtysix.rules import CARDS, MOVES, RULESETS, InvalidOption, Ruleset, View
from sixtysix.rules.view import trick
from sixtysix.v1 import common_pb2, play_pb2
from sixtysix.wire.enums import RULESETS as RULESET_ENUM
from sixtysix.wire.enums import WireError

__all__ = ["clock_message", "clock_of", "decision", "rules_message", "rules_of", "view"]

_RULESET_NUMBERS = dict(RULESET_ENUM.numbers)


def decision(view: View, game: int, charged_ms: int) -> play_pb2.Decision:
    """What is sent to the bot that owes the move of `view`, in the game numbered `game`.

    `charged_ms` is what its previous answer in this game was charged. Of the
    public game id nothing is sent: a bot knows it from the start of the game.
    """
    rules = view.ruleset
    return play_pb2.Decision(
        game=game,
        deal=view.deal,
        ply=view.ply,
        legal=view.legal,
        seat=view.seat,
        ruleset=_RULESET_NUMBERS[rules.name],
        target=rules.target,
        agreed_six=rules.agreed_six,
        score=view.score,
        dealer=view.dealer,
        hand=view.hand,
        trump_suit=view.trump_suit,
        trump_card=view.trump_card,
        talon_count=view.talon_count,
        closed_by=view.closed_by,
        leader=view.leader,
        led=view.led,
        points=view.points,
        pending=view.pending,
        tricks=[
            number for leader, lead, reply, _ in view.tricks for number in (leader, lead, reply)
        ],
        known=view.known or None,
        exchanged_by=view.exchanged_by,
        exchanged_card=view.exchanged_card,
        move_ms=view.move_ms,
        game_ms=view.game_ms,
        charged_ms=charged_ms,
    )


def view(decision: play_pb2.Decision, game_id: str) -> View:
    """What a bot is shown: the view that the decision was made from.

    `game_id` is the public id of the decision's game. Raises WireError for a
    decision that no arena of this protocol sends.
    """
    # Whether an optional field is there need be asked only if its value is 0. A trump card that
    # was exchanged is never 0, the nine of clubs, for it was taken for a nine.
    try:
        trump_suit = decision.trump_suit
        trump_card = decision.trump_card
        closed_by = decision.closed_by
        led = decision.led
        taken = decision.exchanged_card
        known = decision.known[:]
        tricks = iter(decision.tricks[:])
        score_0, score_1 = decision.score[:]
        points_0, points_1 = decision.points[:]
        pending_0, pending_1 = decision.pending[:]
        return View(
            _ruleset(decision.ruleset, decision.target, decision.agreed_six),
            decision.seat,
            decision.dealer,
            decision.ply,
            tuple([CARDS[card] for card in decision.hand[:]]),
            trump_suit,
            CARDS[trump_card] if trump_card or decision.HasField("trump_card") else None,
            decision.talon_count,
            closed_by if closed_by or decision.HasField("closed_by") else None,
            decision.leader,
            MOVES[led] if led or decision.HasField("led") else None,
            (points_0, points_1),
            (pending_0, pending_1),
            tuple(
                [
                    trick(leader, lead, reply, trump_suit)
                    for leader, lead, reply in zip(tricks, tricks, tricks, strict=True)
                ]
            ),
            tuple([CARDS[card] for card in known]) if known else (),
            decision.exchanged_by if taken else None,
            CARDS[taken] if taken else None,
            tuple([MOVES[move] for move in decision.legal[:]]),
            game_id,
            decision.deal,
            (score_0, score_1),
            decision.move_ms,
            decision.game_ms,
        )
    except (IndexError, TypeError, ValueError) as error:
        raise WireError(f"a decision that is not understood ({error}): {decision}") from error


def rules_message(rules: Ruleset) -> common_pb2.Rules:
    """A rule set with its options as a message."""
    return common_pb2.Rules(
        ruleset=_RULESET_NUMBERS[rules.name], target=rules.target, agreed_six=rules.agreed_six
    )


def rules_of(message: common_pb2.Rules) -> Ruleset:
    """The rule set with its options; target 0 leaves the target as the rule set has it.

    Raises WireError if there is no such rule set or it has no such option.
    """
    return _ruleset(message.ruleset, message.target, message.agreed_six)


def clock_message(clock: Clock) -> common_pb2.Clock:
    """The time limits as a message."""
    return common_pb2.Clock(
        per_move_ms=clock.per_move_ms,
        per_game_ms=clock.per_game_ms,
        grace_ms=clock.grace_ms,
        join_ms=clock.join_ms,
    )


def clock_of(message: common_pb2.Clock) -> Clock:
    """The time limits."""
    return Clock(message.per_move_ms, message.per_game_ms, message.grace_ms, message.join_ms)


_known_rulesets: dict[tuple[int, int, bool], Ruleset] = {}
"""Made once: there are only as many as the rule sets have options."""


def _ruleset(number: int, target: int, agreed_six: bool) -> Ruleset:
    key = number, target, agreed_six
    try:
        return _known_rulesets[key]
    except KeyError:
        pass
    name = RULESET_ENUM.member(number)
    if name is None:
        raise WireError("a message that should name a rule set names none")
    rules = RULESETS[name]
    options: dict[str, object] = {}
    if target not in (0, rules.target):
        options["target"] = target
    if agreed_six:
        options["agreed_six"] = True
    try:
        rules = rules.with_options(**options)
    except InvalidOption as error:
        raise WireError(str(error)) from error
    return _known_rulesets.setdefault(key, rules)
