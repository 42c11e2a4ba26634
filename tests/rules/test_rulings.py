"""docs/rulings.md, the comments that cite it and the tests of it belong together."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULINGS = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
RULES = ROOT / "sdk" / "sixtysix" / "rules"
NUMBER = re.compile(r"\bR([0-9]+)\b")
RULED = [int(number) for number in re.findall(r"^### R([0-9]+) ", RULINGS, re.MULTILINE)]


def test_rulings_are_numbered_without_a_gap() -> None:
    assert sorted(RULED) == list(range(1, len(RULED) + 1))
    assert len(RULED) >= 34, "a number never goes away"


def test_every_ruling_that_the_code_cites_exists() -> None:
    cited = {
        int(number)
        for path in RULES.glob("*.py")
        for number in NUMBER.findall(path.read_text(encoding="utf-8"))
    }
    assert len(cited) > 20
    assert cited <= set(RULED)


def test_every_ruling_has_a_test() -> None:
    source = Path(__file__).with_name("test_readings.py").read_text(encoding="utf-8")
    names = re.findall(r"^def test_((?:r[0-9]+_)+)", source, re.MULTILINE)
    tested = {int(number) for name in names for number in re.findall(r"[0-9]+", name)}
    assert tested == set(RULED)


def test_every_ruling_says_what_is_played() -> None:
    for ruling in re.split(r"^### ", RULINGS, flags=re.MULTILINE)[1:]:
        assert ruling.count("**") >= 2, f"no ruling in bold under {ruling.splitlines()[0]}"
