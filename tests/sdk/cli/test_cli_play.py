"""`sixtysix play`: two bots, one table, and why a bot lost a game by its own fault."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sixtysix.cli import main
from sixtysix.cli.play import play_text
from sixtysix.local import BotFigures, PlayResult
from sixtysix.rules import RULESETS

Capture = pytest.CaptureFixture[str]
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"

FIRST = "version = '1.2'\ndef choose(view): return view.legal[0]\n"
FAILS = "def choose(view):\n    raise KeyError('no such card')\n"


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bot files in a folder of the test's."""
    monkeypatch.chdir(tmp_path)
    Path("first.py").write_text(FIRST)
    Path("fails.py").write_text(FAILS)


def figures(name: str, version: str, won: int) -> BotFigures:
    return BotFigures(name, version, won, 0, 900, 1.25, 0.5, 4.0, 21.0)


def test_the_result_as_a_table(golden: Callable[[str, str], None]) -> None:
    result = PlayResult(
        rules=RULESETS["doubling"],
        seed="66",
        bots=(figures("my_bot.py", "1.2", 12), figures("house:greedy", "1", 7)),
        game_count=20,
        games_drawn=1,
        deal_count=131,
        points_per_deal=0.25,
        interval_95=0.1234,
        failures=(),
    )
    golden("cli/play.txt", play_text(result) + "\n")


@pytest.mark.usefixtures("bots")
def test_json_has_the_units_in_its_names(capsys: Capture) -> None:
    assert main(["play", "./first.py", "first.py", "-n", "3", "--seed", "66", "--json"]) == 0
    shown, noted = capsys.readouterr()
    result = json.loads(shown)
    assert noted == ""
    assert list(result) == [
        "rules",
        "seed",
        "bots",
        "game_count",
        "games_drawn",
        "deal_count",
        "points_per_deal",
        "interval_95",
        "failures",
    ]
    assert result["seed"] == "66"
    assert result["game_count"] == 3
    assert [bot["name"] for bot in result["bots"]] == ["first.py", "first.py"]
    assert [bot["version"] for bot in result["bots"]] == ["1.2", "1.2"]
    assert {key for key in result["bots"][0] if key.endswith("_ms")} == {
        "mean_ms",
        "median_ms",
        "p95_ms",
        "max_ms",
    }


@pytest.mark.usefixtures("bots")
def test_options_reach_the_rules(capsys: Capture) -> None:
    options = ["--rules", "doubling", "--option", "target=8", "--option", "agreed_six=true"]
    assert main(["play", "first.py", "first.py", *options, "--deals", "5", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rules"] == {"name": "doubling", "target": 8, "agreed_six": True}
    assert result["deal_count"] == 5


@pytest.mark.usefixtures("bots")
def test_a_bot_that_fails_exits_with_4_and_says_why(capsys: Capture) -> None:
    assert main(["play", "first.py", "fails.py", "-n", "5"]) == 4
    shown, noted = capsys.readouterr()
    assert shown.splitlines()[2].split()[:4] == ["fails.py", "-", "0", "5"]
    lines = noted.splitlines()
    assert lines[0].startswith("B, fails.py: the bot failed in game play.1 deal 0 ply ")
    assert lines[0].endswith(": KeyError: 'no such card'")
    assert sum("in choose" in line for line in lines) == 3
    assert sum(line.startswith("B, fails.py: ") for line in lines) == 5


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["first.py", "nobody"], 2, "there is no house bot 'nobody'"),
        (["first.py", "./nobody.py"], 2, "there is no file nobody.py"),
        (["first.py", "first.py", "-n", "3", "--deals", "3"], 2, "either --games or --deals"),
        (["first.py", "first.py", "-n", "0"], 2, "0 is not in the range"),
        (["first.py", "first.py", "--option", "target"], 2, "'target' is not NAME=VALUE"),
        (["first.py", "first.py", "--option", "target=8"], 2, "classic has no option 'target'"),
        (
            ["first.py", "first.py", "--rules", "doubling", "--option", "target=9"],
            2,
            "option target of doubling cannot be 9: expected 7 or 8",
        ),
        (
            ["first.py", "first.py", "--rules", "doubling", "--option", f"target={'9' * 5000}"],
            2,
            "option target of doubling cannot be '999",
        ),
    ],
)
def test_what_cannot_be_played(
    arguments: list[str], code: int, message: str, capsys: Capture
) -> None:
    assert main(["play", *arguments]) == code
    shown, noted = capsys.readouterr()
    assert shown == ""
    assert message in noted
    assert noted.count("\n") == 1


@pytest.mark.usefixtures("bots")
def test_progress_is_for_terminals_alone(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["play", "first.py", "first.py", "--deals", "8", "--seed", "66"]) == 0
    assert "100%" in terminal.getvalue()
    assert "%" not in capsys.readouterr().out


@pytest.mark.usefixtures("bots")
def test_ctrl_c_leaves_the_cursor_wherever_it_strikes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            count = super().write(text)
            if HIDE_CURSOR in text and SHOW_CURSOR not in self.getvalue():
                raise KeyboardInterrupt
            return count

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["play", "first.py", "first.py", "--deals", "8", "--seed", "66"]) == 130
    assert HIDE_CURSOR in terminal.getvalue()
    assert SHOW_CURSOR in terminal.getvalue()


def test_house_bots_are_found_by_their_names(capsys: Capture) -> None:
    assert main(["play", "greedy", "house:random", "-n", "2", "--seed", "66"]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines()[1:3]] == ["house:greedy", "house:random"]


@pytest.mark.usefixtures("bots")
def test_what_bots_print_is_no_data(capsys: Capture) -> None:
    Path("prints.py").write_text(
        "print('loaded')\ndef choose(view):\n    print('hm')\n    return view.legal[0]\n"
    )
    assert main(["play", "prints.py", "first.py", "-n", "2", "--json"]) == 0
    shown, noted = capsys.readouterr()
    assert json.loads(shown)["game_count"] == 2
    assert noted.startswith("loaded\nhm\nhm\n")


@pytest.mark.usefixtures("bots")
def test_ctrl_c_shows_what_was_played(capsys: Capture) -> None:
    Path("stops.py").write_text(
        "def choose(view):\n"
        "    if view.game == 'play.2':\n        raise KeyboardInterrupt\n"
        "    return view.legal[0]\n"
    )
    assert main(["play", "stops.py", "first.py"]) == 130
    shown, noted = capsys.readouterr()
    assert "games        1\n" in shown
    assert noted == "Interrupted: this is what was played until then.\n"


@pytest.mark.usefixtures("bots")
def test_without_a_deal_there_are_no_points(capsys: Capture) -> None:
    Path("stops.py").write_text("def choose(view):\n    raise KeyboardInterrupt\n")
    assert main(["play", "stops.py", "first.py"]) == 130
    assert "points/deal  -\n" in capsys.readouterr().out
    assert main(["play", "stops.py", "first.py", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["points_per_deal"] is None
