"""How far a tournament is, told while it goes on."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from sixtysix.cli.progress import Pace, ProgressLine
from sixtysix.clock import Clock
from sixtysix.reports import TournamentInfo, TournamentState
from sixtysix.rules import RULESETS

Capture = pytest.CaptureFixture[str]

CUP = TournamentInfo(
    name="Cup",
    slug="cup",
    rules=RULESETS["classic"],
    games_per_pairing=2,
    games_at_once=1,
    clock=Clock(),
    practice=False,
    commitment="",
    seed="",
    state=TournamentState.RUNNING,
    entrants=(),
    game_count=100,
    games_over_count=0,
    games_open_count=0,
    waiting_for="",
    created_at="",
    started_at="",
    finished_at="",
)


class Time:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def over(count: int) -> TournamentInfo:
    return replace(CUP, games_over_count=count)


def test_the_pace_is_that_of_the_last_seconds() -> None:
    pace = Pace()
    assert pace.games_per_s is None
    assert pace.left_s(10) is None
    pace.add(0.0, 0)
    assert pace.games_per_s is None
    pace.add(2.0, 10)
    assert pace.games_per_s == 5.0
    assert pace.left_s(10) == 2.0
    for second in range(3, 30):
        pace.add(float(second), 10)
    assert pace.games_per_s == 0.0
    assert pace.left_s(10) is None


def test_a_pace_that_begins_in_the_middle_counts_what_it_sees() -> None:
    pace = Pace()
    pace.add(0.0, 90)
    pace.add(1.0, 92)
    assert pace.games_per_s == 2.0


def test_without_a_terminal_there_is_a_line_at_times(capsys: Capture) -> None:
    time = Time()
    line = ProgressLine(time)
    for second in range(12):
        time.now_s = float(second)
        line.update(over(second))
    line.close()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "cup running: 0 of 100 games over",
        "cup running: 5 of 100 games over, 1.0 games/s, 1 min 35 s left",
        "cup running: 10 of 100 games over, 1.0 games/s, 1 min 30 s left",
    ]


def test_on_a_terminal_one_line_changes(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    time = Time()
    line = ProgressLine(time)
    line.update(over(0))
    time.now_s = 1.0
    line.update(over(10))
    line.close()
    written = capsys.readouterr().err
    assert "\n" not in written
    _, first, second, empty, rest = written.split("\r")
    assert first == "cup running: 0 of 100 games over"
    assert second == "cup running: 10 of 100 games over, 10.0 "[:39]
    assert empty == " " * 39
    assert rest == ""


def test_nothing_is_taken_away_that_was_not_told(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    ProgressLine().close()
    assert capsys.readouterr().err == ""
