"""The public surface of `sixtysix.rules`: rule sets and options, names, text, errors."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import sixtysix.rules
from sixtysix.rules import (
    CARDS,
    MOVES,
    RULESETS,
    Card,
    Deal,
    IllegalMove,
    InvalidOption,
    Move,
    NotationError,
    Ruleset,
    SixtySixError,
    UnknownRuleset,
    parse_card,
    parse_cards,
    parse_move,
    ruleset,
)

NAMES = ["classic", "doubling", "played-out", "last-trick"]


def test_public_names() -> None:
    assert sixtysix.rules.__all__ == [
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


# Rule sets.


def test_there_are_four_rulesets() -> None:
    assert list(RULESETS) == NAMES
    assert all(RULESETS[name].name == name for name in NAMES)
    assert all(RULESETS[name].summary.endswith(".") for name in NAMES)


@pytest.mark.parametrize("name", ["Classic", "", "66", "played_out", None])
@pytest.mark.parametrize("look_up", [RULESETS.__getitem__, ruleset])
def test_an_unknown_ruleset_names_the_known_ones(
    look_up: Callable[[str], Ruleset], name: Any
) -> None:
    with pytest.raises(UnknownRuleset) as caught:
        look_up(name)
    assert repr(name) in str(caught.value)
    assert all(known in str(caught.value) for known in NAMES)
    assert isinstance(caught.value, LookupError)
    assert isinstance(caught.value, SixtySixError)


def test_rulesets_are_frozen() -> None:
    with pytest.raises(TypeError):
        RULESETS["mine"] = RULESETS["classic"]  # type: ignore[index]
    with pytest.raises(TypeError):
        del RULESETS["classic"]  # type: ignore[attr-defined]
    for rules in RULESETS.values():
        for field in dataclasses.fields(rules):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(rules, field.name, None)


def test_rulesets_can_be_keys_and_compare_by_what_they_play() -> None:
    assert len({*RULESETS.values(), ruleset("doubling", target=8)}) == 5
    assert ruleset("doubling", target=7) == RULESETS["doubling"]
    assert ruleset("doubling", target=8) != RULESETS["doubling"]


@pytest.mark.parametrize(
    ("name", "target"), [("classic", 8), ("doubling", 7), ("played-out", 8), ("last-trick", 8)]
)
def test_targets(name: str, target: int) -> None:
    assert RULESETS[name].target == target
    assert not RULESETS[name].agreed_six


def test_options_are_those_of_the_texts() -> None:
    assert {name: RULESETS[name].options for name in NAMES} == {
        "classic": (),
        "doubling": ("target", "agreed_six"),
        "played-out": (),
        "last-trick": (),
    }


@pytest.mark.parametrize("target", [7, 8])
@pytest.mark.parametrize("agreed_six", [False, True])
def test_options_of_doubling(target: int, agreed_six: bool) -> None:
    rules = ruleset("doubling", target=target, agreed_six=agreed_six)
    assert (rules.target, rules.agreed_six) == (target, agreed_six)
    assert dataclasses.replace(rules, target=7, agreed_six=False) == RULESETS["doubling"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("doubling", {"target": 6}, "option target of doubling cannot be 6: expected 7 or 8"),
        ("doubling", {"target": "7"}, "option target of doubling cannot be '7': expected 7 or 8"),
        ("doubling", {"target": 7.0}, "expected 7 or 8"),
        ("doubling", {"target": True}, "expected 7 or 8"),
        ("doubling", {"target": None}, "expected 7 or 8"),
        ("doubling", {"target": [7]}, "expected 7 or 8"),
        ("doubling", {"agreed_six": 1}, "cannot be 1: expected false or true"),
        ("doubling", {"agreed_six": "true"}, "expected false or true"),
        ("doubling", {"bonus": 10}, "doubling has no option 'bonus': its options are: target, agr"),
        ("doubling", {"name": "mine"}, "no option 'name'"),
        ("doubling", {"self": 1}, "no option 'self'"),
        ("classic", {"target": 8}, "classic has no option 'target': its options are: none"),
        ("played-out", {"agreed_six": False}, "played-out has no option 'agreed_six'"),
        ("last-trick", {"target": 8}, "last-trick has no option 'target'"),
    ],
)
def test_an_option_that_is_not_the_texts(name: str, options: Any, message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        ruleset(name, **options)
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, SixtySixError)


# Text.


@pytest.mark.parametrize("card", CARDS)
def test_cards_have_text(card: Card) -> None:
    assert str(card) == "9JQKTA"[card % 6] + "CDHS"[card // 6]
    assert repr(card) == f"<{card}>"
    assert parse_card(str(card)) is card
    assert (card.suit, card.rank) == divmod(int(card), 6)


@pytest.mark.parametrize("move", MOVES)
def test_moves_have_text(move: Move) -> None:
    assert parse_move(str(move)) is move
    assert repr(move) == f"<{move}>"


def test_move_codes_never_change() -> None:
    cards = [rank + suit for suit in "CDHS" for rank in "9JQKTA"]
    marriages = [rank + suit + "+" for suit in "CDHS" for rank in "QK"]
    assert [str(move) for move in MOVES] == [
        *cards,
        *marriages,
        "exchange",
        "close",
        "claim",
        "pass",
    ]
    assert [int(move) for move in MOVES] == list(range(36))
    assert [move.is_marriage for move in MOVES] == [False] * 24 + [True] * 8 + [False] * 4
    assert [str(move.card) for move in MOVES] == [
        *cards,
        *(marriage[:2] for marriage in marriages),
        *["None"] * 4,
    ]


def test_several_cards_are_parsed_in_order() -> None:
    assert [str(card) for card in parse_cards(" TH\t9S\nAC ")] == ["TH", "9S", "AC"]
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    "text", ["", "H", "HT", "th", "10H", "TX", "1H", " TH", "TH ", "TH+", "THH", "close"]
)
def test_text_that_is_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="is no card: expected a rank of 9JQKTA") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("text", ["", "TH+", "9S+", "QH++", "Close", "claim ", "marriage", "32"])
def test_text_that_is_no_move(text: str) -> None:
    with pytest.raises(NotationError, match="is no move: expected") as caught:
        parse_move(text)
    assert repr(text) in str(caught.value)


# What travels between processes.


@pytest.mark.parametrize("name", NAMES)
def test_deals_views_and_rulesets_can_be_pickled(name: str) -> None:
    deal = Deal(RULESETS[name], range(24), dealer=0)
    deal.play(deal.legal_moves()[0])
    twin = pickle.loads(pickle.dumps(deal))  # noqa: S301 - our own bytes
    assert twin.view(0) == deal.view(0)
    assert twin.legal_moves() == deal.legal_moves()
    view = pickle.loads(pickle.dumps(deal.view(1)))  # noqa: S301 - our own bytes
    assert view == deal.view(1)
    assert type(view.hand[0]) is Card
    rules: Ruleset = pickle.loads(pickle.dumps(RULESETS[name]))  # noqa: S301 - our own bytes
    assert rules == RULESETS[name]


def test_errors_can_be_pickled() -> None:
    deal = Deal(RULESETS["classic"], range(24), dealer=0)
    with pytest.raises(IllegalMove) as caught:
        deal.play(0)
    twin = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (twin.move, twin.reason, twin.legal) == (0, caught.value.reason, caught.value.legal)
    assert str(twin) == str(caught.value)
