"""What `log --faults` prints for people, and what `log` says of times and forfeits."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from rules.players import random_deal
from support.played import Played, deal_records, play_game, report

from sixtysix.api import GameReport
from sixtysix.cli import main
from sixtysix.cli.text import faults_text, game_text
from sixtysix.clock import Clock
from sixtysix.game_times import times
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.plain import plain
from sixtysix.record import DealRecord
from sixtysix.reports import FaultReport, GameState, StreamEvent, StreamEventKind
from sixtysix.rules import RULESETS, View

Golden = Callable[[str, str], None]
Capture = pytest.CaptureFixture[str]

CLASSIC = RULESETS["classic"]
FORFEIT = GameOutcome(
    GameEnd.FORFEIT, 1, (2, 3), 2, Fault.ILLEGAL, "illegal move AH in game cup.7 deal 2 ply 4"
)
GAME = report(CLASSIC, Played((), FORFEIT))
KIND = StreamEventKind


def view_where(found: Callable[[View], bool], rules: str = "classic") -> View:
    """The first view of seat 0, in many deals of chance, of which this is so."""
    for seed in range(1_000):
        deal, players = random_deal(RULESETS[rules], Random(f"faults {seed}"))
        while deal.turn is not None:
            view = deal.view(
                deal.turn, game="cup.7", deal=2, score=(2, 3), move_ms=1_000, game_ms=59_000
            )
            if view.seat == 0 and found(view):
                return view
            deal.play(players[deal.turn].choose(deal))
    raise AssertionError("there is no such view")


def fault(view: View | None, **changes: object) -> FaultReport:
    told = FaultReport(
        game_id="cup.7",
        entrant="ada",
        fault=Fault.ILLEGAL,
        text="illegal move AH: it is not there",
        at="2026-01-31T12:00:00Z",
        deal=None if view is None else view.deal,
        ply=None if view is None else view.ply,
        view=view,
        answer="AH",
        waited_ms=120,
        charged_ms=40,
        bank_ms=58_960,
        stream=(),
    )
    return replace(told, **changes)  # type: ignore[arg-type]


STREAM = (
    StreamEvent(KIND.JOINED, 12_345, "stream 2 of this bot"),
    StreamEvent(KIND.SENT, 1_203, "2 starts, 40 decisions", 4_113, b"x" * 4_096),
    StreamEvent(KIND.RECEIVED, 17, "3 answers, one to this decision", 31, b"y" * 31),
    StreamEvent(KIND.REFUSED, 1, "not read", 70_000, b"z" * 4_096),
    StreamEvent(KIND.ENDED, 0, "without a goodbye"),
)


def test_faults(golden: Golden) -> None:
    """Every moment that a bot can be asked at, and every way to answer wrongly."""
    faults = {
        "a reply": fault(view_where(lambda v: v.led is not None and v.leader != v.seat)),
        "a lead, tricks before": fault(
            view_where(lambda v: v.led is None and v.leader == v.seat and len(v.tricks) == 2),
            stream=STREAM,
        ),
        "a close before the opponent's lead": fault(
            view_where(lambda v: v.led is None and v.leader != v.seat)
        ),
        "a claim after a marriage": fault(
            view_where(lambda v: v.led is not None and v.leader == v.seat)
        ),
        "a closed talon": fault(view_where(lambda v: v.closed_by == v.opponent)),
        "no talon, known cards": fault(
            view_where(lambda v: v.trump_card is None and len(v.known) > 1)
        ),
        "pending points": fault(view_where(lambda v: v.pending[0] > 0, "last-trick")),
        "a time-out": fault(
            view_where(lambda v: v.ply < 2),
            fault=Fault.TIMEOUT,
            text="no answer in time",
            answer="",
            waited_ms=1_001,
            charged_ms=1_001,
        ),
        "a late answer": fault(view_where(lambda v: v.ply < 2), fault=Fault.TIMEOUT),
        "garbage": fault(
            view_where(lambda v: v.ply < 2),
            fault=Fault.MALFORMED,
            text="3 bytes that are no frame",
            answer="3 bytes: ff ff ff",
            waited_ms=None,
            charged_ms=None,
        ),
        "no show": fault(
            None,
            fault=Fault.NO_SHOW,
            text="ada did not join within 1000 ms",
            answer="",
            waited_ms=None,
            charged_ms=None,
            bank_ms=60_000,
        ),
    }
    told = (f"# {title}\n\n{faults_text(GAME, [each])}\n" for title, each in faults.items())
    golden("cli/faults.txt", "\n".join(told))


def test_two_faults_are_told_one_after_the_other() -> None:
    both = faults_text(GAME, [fault(None), fault(None, entrant="house:bob")])
    assert both.index("\nada: illegal") < both.index("\nhouse:bob: illegal")


def with_outcome(outcome: GameOutcome) -> GameReport:
    return report(CLASSIC, Played((), outcome))


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (with_outcome(GameOutcome(GameEnd.TARGET, 0, (8, 3), 5)), "No fault: ada won."),
        (
            with_outcome(GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both were away")),
            "No fault: void: both were away.",
        ),
        (
            replace(GAME, game=replace(GAME.game, state=GameState.OPEN, fault=None, winner=None)),
            "No fault so far: open.",
        ),
        (
            GAME,
            "The fault is ada's (illegal), and its evidence is for its author and the organiser:"
            " illegal move AH in game cup.7 deal 2 ply 4",
        ),
    ],
    ids=["over", "void", "open", "the other's"],
)
def test_that_there_is_none_is_said_clearly(game: GameReport, said: str) -> None:
    assert faults_text(game, []).split("\n\n") == [
        "Game cup.7: ada - house:bob, classic to 8",
        said,
    ]


def test_texts_of_strangers_are_harmless() -> None:
    wild = fault(
        view_where(lambda view: view.ply < 2),
        text="red \x1b[31m",
        answer="\x1b]0;title\x07",
        stream=(StreamEvent(KIND.SENT, 1, "bell \x07", 1, b"\x1b"),),
    )
    told = faults_text(GAME, [wild])
    assert "\x1b" not in told
    assert "\x07" not in told


def test_a_fault_as_json_names_cards_and_shows_bytes() -> None:
    view = view_where(lambda each: each.led is not None and len(each.tricks) == 1)
    told = json.loads(json.dumps(plain([fault(view, stream=STREAM)])))[0]
    assert told["view"]["hand"] == [str(card) for card in view.hand]
    assert told["view"]["legal"] == [str(move) for move in view.legal]
    assert told["view"]["led"] == str(view.led)
    assert told["view"]["ruleset"]["name"] == "classic"
    (trick,) = view.tricks
    assert told["view"]["tricks"] == [
        {
            "leader": trick.leader,
            "lead": str(trick.lead),
            "reply": str(trick.reply),
            "winner": trick.winner,
        }
    ]
    assert told["stream"][2] == {
        "kind": "received",
        "before_ms": 17,
        "text": "3 answers, one to this decision",
        "byte_count": 31,
        "data": "79" * 31,
    }


# Times, and what `log` says of a forfeit


def test_times_are_those_of_the_record() -> None:
    told = report(CLASSIC, play_game(CLASSIC, seed=3))
    told = replace(told, clock=Clock(per_game_ms=30_000))
    for seat, used in enumerate(times(told)):
        assert (used.entrant, used.bank_ms) == (told.game.entrants[seat], 30_000)
    charged = sum(sum(record.charged_ms) for record in told.deals)
    moves = sum(len(record.moves) - len(record.referee_plies) for record in told.deals)
    assert sum(used.used_ms for used in times(told)) == charged
    assert sum(used.moves for used in times(told)) == moves
    slowest = max(times(told), key=lambda used: used.slowest_ms or 0)
    assert slowest.slowest_deal is not None
    assert slowest.slowest_ply is not None
    record = told.deals[slowest.slowest_deal]
    assert record.charged_ms[slowest.slowest_ply] == slowest.slowest_ms
    assert slowest.slowest_ms == max(max(each.charged_ms) for each in told.deals)
    assert plain(told)["times"] == [plain(used) for used in times(told)]
    assert plain(told)["clock"]["per_game_ms"] == 30_000


def broken_off() -> DealRecord:
    """A deal in which only the dealer has moved: it did not close."""
    whole = next(deal_records(CLASSIC, 1))
    return replace(
        whole, moves=whole.moves[:1], charged_ms=(7,), referee_plies=frozenset(), result=None
    )


def test_a_forfeited_game_says_how_to_see_more() -> None:
    told = report(CLASSIC, Played((broken_off(),), FORFEIT))
    lines = game_text(told, "see deals", "see faults").splitlines()
    assert lines[-7:] == [
        "entrant    ms used  of bank  moves  slowest ms  at",
        "ada              7    60000      1           7  deal 0 ply 0",
        "house:bob        0    60000      0           -  -",
        "The decision that the game was forfeited at is not in these.",
        "",
        "To see a deal: see deals",
        "To see what went wrong: see faults",
    ]


def test_a_game_that_never_began_says_how_to_see_more_too() -> None:
    assert game_text(GAME, "see deals", "see faults").endswith(
        "\n\nNo deal was played.\n\nTo see what went wrong: see faults"
    )


def test_a_game_without_a_fault_speaks_of_none() -> None:
    told = report(CLASSIC, play_game(CLASSIC, seed=3))
    assert "see faults" not in game_text(told, "see deals", "see faults")
    assert "forfeited" not in game_text(told, "see deals", "see faults")


# Usage


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("log", "cup.1", "--deal", "0", "--faults"), "give either --deal or --faults"),
        (("log", "cup.1", "--token-file", "x"), "--token-file is for --faults"),
        (
            ("log", "cup.1", "--faults", "--token-file", "x", "--data", "y"),
            "give either --data or --token-file: a data folder needs no token",
        ),
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_together(argv: tuple[str, ...], told: str, capsys: Capture) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert told in captured.err
