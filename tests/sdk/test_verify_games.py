"""Forged games are found by playing them again, though all digests fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.forgeries import (
    CUP,
    GAMES,
    LINES,
    Contents,
    found_after,
    line_of,
    told,
)
from support.records import header, lines_of, play_games, tampered

from sixtysix.record import DealRecord, GameRecord
from sixtysix.reports import TournamentState
from sixtysix.rules import CLOSE, Deal, Stage
from sixtysix.verify import verify

# Deals. Each change names the kind of game and the deal that it is about.


def deal(kind: str, number: int) -> Callable[[Contents], dict[str, Any]]:
    return lambda contents: contents[line_of(kind)]["deals"][number]


def test_an_exchanged_card_is_found_with_its_place_in_the_pack() -> None:
    def change(contents: Contents) -> None:
        pack = deal("target", 1)(contents)["pack"]
        pack[20], pack[22] = pack[22], pack[20]

    found = found_after(change)
    assert found.place == "line 2, game cup.1, deal 1"
    pack = json.loads(LINES[1])["deals"][1]["pack"]
    assert (found.what, found.expected, found.found) == ("pack[20]", pack[20], pack[22])


def test_without_the_seed_an_exchanged_card_is_found_once_it_matters() -> None:
    cup = header(state=TournamentState.RUNNING, seed=None)
    lines = lines_of(cup, play_games(cup))

    def change(contents: Contents) -> None:
        pack = contents[1]["deals"][0]["pack"]
        pack[0], pack[1] = pack[1], pack[0]

    found = found_after(change, lines)
    assert found.place.startswith("line 2, game cup.1, deal 0, ply ")


def plies(record: GameRecord, number: int, wanted: Callable[[int, int], bool]) -> list[int]:
    """Plies of a deal whose (ply, move) is wanted."""
    return [ply for ply, move in enumerate(record.deals[number].moves) if wanted(ply, move)]


def test_an_illegal_move_is_found_with_what_is_legal() -> None:
    (ply, *_) = plies(GAMES[0], 0, lambda ply, move: ply > 3 and move < 24)

    def change(contents: Contents) -> None:
        moves = contents[1]["deals"][0]["moves"]
        moves[ply] = moves[ply - 1] if moves[ply - 1] != "pass" else moves[ply - 2]

    found = found_after(change)
    assert found.place == f"line 2, game cup.1, deal 0, ply {ply}"
    assert found.what == "move"
    assert str(json.loads(LINES[1])["deals"][0]["moves"][ply]) in found.expected.split(", ")


def test_another_legal_move_is_found_by_what_follows() -> None:
    found_places = 0
    for game in range(1, 13):
        for number, record in enumerate(GAMES[game - 1].deals):
            if record.void or not record.moves:
                continue

            def change(contents: Contents, game: int = game, number: int = number) -> None:
                moves = contents[game]["deals"][number]["moves"]
                moves[1], moves[2] = moves[2], moves[1]

            found = verify(tampered(LINES, change)).difference
            if found is not None:
                assert (found.game, found.deal) == (f"cup.{game}", number)
                found_places += 1
    assert found_places > 20


def test_a_move_too_few_and_one_too_many_are_found() -> None:
    def fewer(contents: Contents) -> None:
        last = deal("target", 0)(contents)
        last["moves"].pop()
        last["ms"].pop()
        last["referee"] = [ply for ply in last["referee"] if ply < len(last["moves"])]
        last["comments"] = []

    found = found_after(fewer)
    assert (found.place, found.what) == ("line 2, game cup.1, deal 0", "result")
    assert found.expected == "null, for moves without an end"

    def more(contents: Contents) -> None:
        last = deal("target", 0)(contents)
        last["moves"].append("claim")
        last["ms"].append(1)

    found = found_after(more)
    count = len(json.loads(LINES[1])["deals"][0]["moves"])
    assert found.place == f"line 2, game cup.1, deal 0, ply {count}"
    assert (found.expected, found.found) == ("none, as the deal was over", "claim")


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("winner", lambda result: 1 - (result["winner"] or 0)),
        ("game_points", lambda result: result["game_points"] + 1),
        ("card_points", lambda result: [result["card_points"][0] + 1, result["card_points"][1]]),
        ("end", lambda result: "first-to-66"),
    ],
)
def test_another_result_is_found(key: str, change: Callable[[dict[str, Any]], Any]) -> None:
    def spoil(contents: Contents) -> None:
        result = deal("target", 2)(contents)["result"]
        result[key] = change(result)

    found = found_after(spoil)
    assert (found.place, found.what) == ("line 2, game cup.1, deal 2", "result")
    assert json.loads(found.expected) == json.loads(LINES[1])["deals"][2]["result"]


DEAL_CHANGES: dict[str, tuple[str, int, Callable[[dict[str, Any]], object], str]] = {
    "the dealer": ("target", 1, lambda d: d.update(dealer=1 - d["dealer"]), "dealer: expected "),
    "the dealer of a void deal": (
        "void-deal",
        1,
        lambda d: d.update(dealer=1 - d["dealer"]),
        "dealer: expected ",
    ),
    "the number": ("target", 1, lambda d: d.update(deal=2), "deal: expected 1, found 2"),
    "a result that is taken away": (
        "target",
        1,
        lambda d: d.update(result=None),
        "found null, for moves without an end",
    ),
    "a deal made void": (
        "target",
        1,
        lambda d: d.update(void=True, result=None),
        "void: expected false, as the deal came to its end, found true",
    ),
    "a void deal that counts": (
        "void-deal",
        1,
        lambda d: d.update(
            void=False,
            result={"winner": 0, "game_points": 3, "card_points": [66, 0], "end": "claim"},
        ),
        "result: expected null, for moves without an end, found ",
    ),
    "a void deal that broke off": (
        "void-deal",
        1,
        lambda d: d.update(void=False),
        "result: expected one, as more deals follow, found null",
    ),
    "a paid move of the referee": (
        "target",
        0,
        lambda d: d["ms"].__setitem__(d["referee"][0], 5),
        "ms: expected 0 for a move of the referee, found 5",
    ),
    "a move of the referee's that is a bot's": (
        "target",
        0,
        lambda d: d["referee"].pop(),
        "referee: expected its move, as nothing was to decide, found a bot's",
    ),
}


@pytest.mark.parametrize("what", DEAL_CHANGES)
def test_a_deal_that_is_not_as_it_should_be_is_found(what: str) -> None:
    kind, number, spoil, expected = DEAL_CHANGES[what]
    found = found_after(lambda contents: spoil(deal(kind, number)(contents)))
    line = line_of(kind) + 1
    assert found.place.startswith(f"line {line}, game cup.{line - 1}, deal {number}"), str(found)
    assert expected in str(found)


def test_a_choice_that_is_called_the_referees_is_found() -> None:
    record = GAMES[0].deals[0]
    (ply, *_) = [
        ply
        for ply, move in enumerate(record.moves)
        if ply not in record.referee_plies and move < 24
    ]

    def change(contents: Contents) -> None:
        changed = deal("target", 0)(contents)
        changed["referee"] = sorted([*changed["referee"], ply])

    found = found_after(change)
    assert found.place == f"line 2, game cup.1, deal 0, ply {ply}"
    assert found.expected == "a bot's move, as it had a choice"


def test_questions_are_all_for_the_bot_or_none() -> None:
    found = set()
    for game, line in zip(GAMES, LINES[1:], strict=False):
        passes = [
            (number, ply)
            for number, each in enumerate(json.loads(line)["deals"])
            for ply, move in enumerate(each["moves"])
            if move == "pass"
        ]
        for number, ply in passes:

            def change(
                contents: Contents, line: int = game.number, number: int = number, ply: int = ply
            ) -> None:
                changed = contents[line]["deals"][number]
                changed["referee"] = sorted({*changed["referee"]} ^ {ply})
                changed["ms"][ply] = 0

            differs = verify(tampered(LINES, change)).difference
            if differs is not None:
                assert (differs.game, differs.deal) == (game.game_id, number)
                assert differs.what == "referee"
                found.add(differs.expected)
    assert found == {
        "the move to be of a bot, as before",
        "the move to be of the referee, as before",
    }


def test_at_a_question_the_referee_only_passes() -> None:
    """A bot that was asked and closed cannot be made one that did not want to be asked."""
    number, at, seat, answers = next(
        (game.number, record.deal, seat, answers)
        for game in GAMES
        for record in game.deals
        for seat in (0, 1)
        if CLOSE in (answers := questions(record, seat)).values()
        and not record.referee_plies & answers.keys()
    )

    def change(contents: Contents) -> None:
        changed = contents[number]["deals"][at]
        changed["referee"] = sorted({*changed["referee"], *answers})
        for ply in answers:
            changed["ms"][ply] = 0

    found = found_after(change)
    closes = next(ply for ply, move in answers.items() if move == CLOSE)
    assert found.place == f"line {number + 1}, game cup.{number}, deal {at}, ply {closes}", seat
    assert (found.expected, found.found) == ("pass, as the referee made it", "close")


def questions(record: DealRecord, seat: int) -> dict[int, int]:
    """The answers of a seat to the question before its opponent's leads, by ply."""
    answers = {}
    played = Deal(CUP.rules, record.pack, record.dealer)
    for ply, move in enumerate(record.moves):
        if played.stage is Stage.QUESTION and played.turn == seat:
            answers[ply] = move
        played.play(move)
    return answers


def test_no_deal_follows_a_game_that_is_over() -> None:
    def change(contents: Contents) -> None:
        game = contents[1]
        last = game["deals"][-1]
        game["deals"].append(last | {"deal": last["deal"] + 1})

    count = len(GAMES[0].deals)
    assert told(change) == (
        f"line 2, game cup.1, deal {count}: deal: expected none, as the game was over,"
        f" found deal {count}"
    )


def test_no_deal_is_left_out() -> None:
    def change(contents: Contents) -> None:
        contents[line_of("void-deal")]["deals"].pop(1)

    assert told(change) == "line 3, game cup.2, deal 1: deal: expected 1, found 2"


# Ends


END_CHANGES: dict[str, tuple[str, dict[str, Any], str]] = {
    "score": ("target", {"score": [9, 9]}, "score: expected "),
    "score of a forfeit": ("left", {"score": [0, 8]}, "score: expected "),
    "winner": ("target", {"winner": "other"}, "winner: expected "),
    "end": ("target", {"end": "deal-limit"}, 'end: expected "target", found "deal-limit"'),
    "void": (
        "target",
        {"end": "void", "winner": None},
        'end: expected "target", found "void"',
    ),
    "forfeit that is won": (
        "left",
        {"end": "target", "fault": None, "faulting_seat": None},
        "end: expected forfeit or void, as neither the target nor the limit",
    ),
    "fault of the other": (
        "illegal",
        {"winner": "other", "faulting_seat": "other"},
        "to owe a move when it commits illegal, found seat ",
    ),
    "fault without a move": (
        "no-show",
        {"fault": "timeout"},
        "fault: expected seat 0 to owe a move when it commits timeout, found nobody",
    ),
    "void that is drawn": (
        "void",
        {"end": "deal-limit"},
        "end: expected forfeit or void, as neither the target",
    ),
}


@pytest.mark.parametrize("what", END_CHANGES)
def test_an_end_that_cannot_be_is_found(what: str) -> None:
    kind, values, expected = END_CHANGES[what]

    def change(contents: Contents) -> None:
        game = contents[line_of(kind)]
        game.update(
            {key: 1 - game[key] if value == "other" else value for key, value in values.items()}
        )

    found = found_after(change)
    assert found.place == f"line {line_of(kind) + 1}, game cup.{line_of(kind)}"
    assert expected in str(found)
