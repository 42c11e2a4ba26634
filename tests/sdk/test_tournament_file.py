"""Tournament files: what they may say, and how each mistake is told."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from support.source_tree import ROOT

from sixtysix.api import InvalidRequest, TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.rules import RULESETS, ruleset
from sixtysix.tournament_file import (
    CLOCK_RANGES,
    MAX_FILE_BYTES,
    TournamentFileError,
    checked,
    parse_tournament,
    read_tournament,
)

WHOLE = """\
name = "Spring cup"
slug = "spring-cup"            # [a-z0-9][a-z0-9-]{0,39}
rules = "doubling"
games_per_pairing = 10
games_at_once = 16
entrants = ["my-bot", "house:random", "house:greedy"]
seed = "42"
[options]
target = 8
agreed_six = true
[clock]
per_move_ms = 500
per_game_ms = 30000
grace_ms = 5000
join_ms = 20000
"""

LEAST = """\
name = "Spring cup"
slug = "spring-cup"
rules = "classic"
games_per_pairing = 2
entrants = [
    "my-bot",   # ours
    "house:greedy",
]
"""

CUP = TournamentDefinition(
    name="Spring cup",
    slug="spring-cup",
    rules=RULESETS["classic"],
    games_per_pairing=2,
    games_at_once=32,
    entrants=("my-bot", "house:greedy"),
)

HOUSE = ("house:counting", "house:greedy", "house:random")


def test_a_file_with_everything() -> None:
    assert parse_tournament(WHOLE) == TournamentDefinition(
        name="Spring cup",
        slug="spring-cup",
        rules=ruleset("doubling", target=8, agreed_six=True),
        games_per_pairing=10,
        games_at_once=16,
        entrants=("house:greedy", "house:random", "my-bot"),
        practice_seed="42",
        clock=Clock(per_move_ms=500, per_game_ms=30_000, grace_ms=5_000, join_ms=20_000),
    )


def test_a_file_with_the_least() -> None:
    assert parse_tournament(LEAST) == CUP


def test_a_name_is_cleaned_of_what_cannot_be_seen() -> None:
    text = LEAST.replace('"Spring cup"', r'"\tSpring\n\u001b \u202e cup"')
    assert parse_tournament(text).name == "Spring cup"


def test_the_other_forms_of_toml_serve_as_well() -> None:
    text = LEAST.replace("rules", "options.target = 7\nclock.join_ms = 0\nrules").replace(
        '"classic"', '"doubling"'
    )
    parsed = parse_tournament(text)
    assert parsed.rules == ruleset("doubling", target=7)
    assert parsed.clock == Clock(join_ms=0)
    inline = parse_tournament(text.replace("clock.join_ms = 0", "clock = { join_ms = 0 }"))
    assert inline == parsed


# What is refused: (what is changed, into what, line, words of the message)
REFUSALS = [
    # keys
    ("games_at_once", "games_at_onc", 5, "no key 'games_at_onc'", "mean 'games_at_once'?"),
    ("per_move_ms", "per_mov_ms", 12, "no key 'per_mov_ms' in [clock]", "mean 'per_move_ms'?"),
    ('seed = "42"', 'colour = "red"', 7, "no key 'colour': expected name, slug", ""),
    ("[clock]", "[clocks]", 11, "no key 'clocks'", "did you mean 'clock'?"),
    ("target = 8", "targt = 8", 9, "doubling has no option 'targt'", "mean 'target'?"),
    ('rules = "doubling"', 'rules = "classic"', 9, "classic has no option 'target'", "none"),
    # missing
    ('name = "Spring cup"\n', "", None, "name is missing", 'name = "Spring cup"'),
    ('slug = "spring-cup" ', "# ", None, "slug is missing", 'slug = "spring-cup"'),
    ("games_per_pairing = 10\n", "", None, "games_per_pairing is missing", "= 10"),
    # types
    ("games_per_pairing = 10", "games_per_pairing = 10.0", 4, "10.0", "a whole number"),
    ("games_per_pairing = 10", "games_per_pairing = true", 4, "be true", "a whole number"),
    ("games_per_pairing = 10", 'games_per_pairing = "10"', 4, "'10'", "a whole number"),
    ('seed = "42"', "seed = 42", 7, "seed cannot be 42", "text in quotes"),
    ('name = "Spring cup"', "name = 1", 1, "name cannot be 1", "text in quotes"),
    ('["my-bot", "house:random", "house:greedy"]', '"my-bot"', 6, "'my-bot'", "a list"),
    ('"my-bot",', "7,", 6, "an entrant cannot be 7", "the name of a bot"),
    ("per_move_ms = 500", "per_move_ms = 0.5", 12, "clock.per_move_ms cannot be 0.5", "whole"),
    ("target = 8", 'target = "8"', 9, "option target of doubling cannot be '8'", "7 or 8"),
    ("agreed_six = true", "agreed_six = 1", 10, "agreed_six of doubling cannot be 1", "true"),
    ("[clock]\n", "", 11, "no option 'per_move_ms'", ""),
    # values
    ('rules = "doubling"', 'rules = "doublin"', 3, "no rules 'doublin'", "mean 'doubling'?"),
    ("spring-cup", "Spring Cup", 2, "slug cannot be 'Spring Cup'", "like spring-cup"),
    ("spring-cup", "spring-cup-" + "x" * 30, 2, "slug cannot be", "{0,39}"),
    ('"Spring cup"', '" "', 1, "name has to have 1 to 80 characters", ""),
    ('"Spring cup"', f'"{"x" * 81}"', 1, "name has to have 1 to 80 characters", ""),
    ("games_per_pairing = 10", "games_per_pairing = 9", 4, "cannot be 9", "an even number"),
    ("games_per_pairing = 10", "games_per_pairing = 0", 4, "cannot be 0", "2 to 10000"),
    ("games_per_pairing = 10", "games_per_pairing = 10002", 4, "be 10002", "2 to 10000"),
    ("games_at_once = 16", "games_at_once = 0", 5, "cannot be 0", "1 to 256"),
    ("games_at_once = 16", "games_at_once = 257", 5, "cannot be 257", "1 to 256"),
    ("per_move_ms = 500", "per_move_ms = 9", 12, "cannot be 9", "10 to 3600000"),
    ("per_game_ms = 30000", "per_game_ms = 0", 13, "cannot be 0", "100 to"),
    ("grace_ms = 5000", "grace_ms = -1", 14, "cannot be -1", "0 to"),
    ("join_ms = 20000", "join_ms = 99999999", 15, "cannot be 99999999", "86400000"),
    ('"42"', '""', 7, "seed has to have 1 to 200 bytes", "leave it out"),
    ("target = 8", "target = 9", 9, "cannot be 9", "7 or 8"),
    # entrants
    ('"my-bot", "house:random", "house:greedy"', '"my-bot"', 6, "be 1 entrants", "2 to 1000"),
    ('"house:random"', '"my-bot"', 6, "my-bot is entered twice", "once"),
    ('"my-bot"', '"My-Bot"', 6, "an entrant cannot be 'My-Bot'", "[a-z0-9]"),
    ('"my-bot"', '"house:"', 6, "an entrant cannot be 'house:'", "house bot"),
    ('"my-bot"', '"house:greddy"', 6, "no house bot 'house:greddy'", "mean 'house:greedy'?"),
    # no TOML
    ("games_at_once = 16", "games_at_once 16", 5, "this is not TOML", ""),
    ("games_at_once = 16", "slug = 'x'", 5, "this is not TOML", "Cannot overwrite"),
]


@pytest.mark.parametrize(("old", "new", "line", "told", "hint"), REFUSALS)
def test_a_mistake_is_told_with_its_line(
    old: str, new: str, line: int | None, told: str, hint: str
) -> None:
    assert old in WHOLE
    text = WHOLE.replace(old, new, 1)
    with pytest.raises(TournamentFileError) as caught:
        parse_tournament(text, "cup.toml", HOUSE)
    place = "cup.toml: " if line is None else f"cup.toml:{line}: "
    message = str(caught.value)
    assert message.startswith(place), message
    assert told in message
    assert hint in message
    assert "\n" not in message


def test_the_line_of_an_item_in_a_long_list() -> None:
    text = LEAST.replace('"house:greedy",\n', '"house:greedy",\n    "my-bot",\n')
    with pytest.raises(TournamentFileError, match=r"^cup:8: my-bot is entered twice"):
        parse_tournament(text, "cup")


def test_the_line_of_a_key_in_an_inline_table() -> None:
    text = LEAST.replace("rules", "clock = { grace_ms = 1, join_ms = -5 }\nrules", 1)
    with pytest.raises(TournamentFileError, match=r"^cup:3: clock\.join_ms cannot be -5"):
        parse_tournament(text, "cup")


def test_an_unfinished_file_is_refused_at_its_end() -> None:
    with pytest.raises(TournamentFileError, match=r"^cup:3: this is not TOML"):
        parse_tournament('name = "x"\nslug = "y"\nentrants = [', "cup")


def test_not_more_games_than_a_schedule_can_hold() -> None:
    entrants = tuple(f"bot-{number}" for number in range(200))
    assert checked(replace(CUP, entrants=entrants, games_per_pairing=10))
    with pytest.raises(InvalidRequest, match="238,800 games: expected at most 200,000"):
        checked(replace(CUP, entrants=entrants, games_per_pairing=12))


def test_house_bots_are_only_looked_for_where_they_are_known() -> None:
    unheard_of = replace(CUP, entrants=("my-bot", "house:unheard-of"))
    assert checked(unheard_of) == unheard_of
    with pytest.raises(InvalidRequest, match="house:unheard-of"):
        checked(unheard_of, HOUSE)


def test_a_definition_says_the_same_in_any_order_of_its_entrants() -> None:
    assert replace(CUP, entrants=("house:greedy", "my-bot")) == CUP
    assert replace(CUP, practice_seed="42") != CUP


def test_an_option_that_there_is_needs_no_hint() -> None:
    with pytest.raises(TournamentFileError, match=r"expected 7 or 8$"):
        parse_tournament(WHOLE.replace("target = 8", "target = 9"))


LONG = 60_000
HUGE = "0x" + "f" * 50_000
ENDLESS = {
    "digits": ("games_at_once = 16", "games_at_once = " + "9" * 5_000),
    "many digits": ("games_at_once = 16", "games_at_once = " + "9" * 4_000),
    "a huge number": ("games_at_once = 16", f"games_at_once = {HUGE}"),
    "a huge option": ("target = 8", f"target = {HUGE}"),
    "a huge entrant": ('"my-bot"', HUGE),
    "brackets": ('"my-bot"', "[" * 20_000 + "]" * 20_000),
    "tables": ("games_at_once = 16", "a = " + "{a = " * 10_000 + "1" + "}" * 10_000),
    "a dotted key": ("games_at_once = 16", "a." * 30_000 + "a = 1"),
    "a dotted header": ("[clock]", "[" + "a." * 30_000 + "a]"),
    "a dotted header of a list": ("[clock]", "[[" + " a ." * 15_000 + "a]]"),
    "a key": ("games_at_once", "k" * LONG),
    "a value": ('"doubling"', '"' + "v" * LONG + '"'),
    "an option": ("target", "o" * LONG),
    "an option's value": ("target = 8", f"target = '{'o' * LONG}'"),
    "a list in an option": ("target = 8", "target = " + "[" * 300 + "]" * 300),
    "an entrant": ('"my-bot"', '"' + "v" * LONG + '"'),
    "a name twice": ("[clock]", f"[{'k' * 30_000}]\n[{'k' * 30_000}]\n[clock]"),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_has_no_end_is_refused_soon_and_in_a_sentence(what: str) -> None:
    old, new = ENDLESS[what]
    assert old in WHOLE
    began_s = time.process_time()
    with pytest.raises(TournamentFileError) as caught:
        parse_tournament(WHOLE.replace(old, new, 1), "cup.toml", HOUSE)
    assert time.process_time() - began_s < 1
    message = str(caught.value)
    assert message.startswith("cup.toml:")
    assert len(message) < 300
    assert "\n" not in message


# Files


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(LEAST)
    assert read_tournament(path) == CUP
    path.write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode())
    assert read_tournament(path) == CUP


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    with pytest.raises(TournamentFileError, match="cannot be read: No such file"):
        read_tournament(path)
    with pytest.raises(TournamentFileError, match="cannot be read: Is a directory"):
        read_tournament(tmp_path)
    path.write_bytes(b'name = "x"\nslug = "\xff"\n')
    with pytest.raises(TournamentFileError, match=r"cup\.toml:2: this is not UTF-8 text"):
        read_tournament(path)
    path.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(TournamentFileError, match="too large"):
        read_tournament(path)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "cup.toml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(TournamentFileError, match="expected a regular file"):
            read_tournament(path)


def test_the_name_of_a_file_is_harmless(tmp_path: Path) -> None:
    with pytest.raises(TournamentFileError) as caught:
        read_tournament(tmp_path / "a\x1b[31m.toml")
    assert "\x1b" not in str(caught.value)


def test_the_file_in_the_readme_has_every_key_and_the_defaults() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = readme.partition("```toml\n")[2].partition("```")[0]
    shown = parse_tournament(text, "README.md", HOUSE)
    assert shown == replace(
        CUP, games_per_pairing=10, entrants=("my-bot", *HOUSE), clock=Clock(), games_at_once=32
    )
    for key in ("seed", "target", "agreed_six", *CLOCK_RANGES):
        assert f"{key} = " in text, key
