"""Numbers as people of each language write them."""

from __future__ import annotations

import pytest

from sixtysix_arena.web import rendering

MINUS, SPACE = "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("shown", "english", "russian"),
    [
        ("1234567 | number", "1,234,567", f"1{SPACE}234{SPACE}567"),
        ("-1234.5 | number(1)", f"{MINUS}1,234.5", f"{MINUS}1{SPACE}234,5"),
        ("-0.0004 | number(3)", "0.000", "0,000"),
        ("0.125 | signed", "+0.12", "+0,12"),
        ("-0.5 | signed", f"{MINUS}0.50", f"{MINUS}0,50"),
        ("0.004 | signed", "0.00", "0,00"),
        ("-0.004 | signed", "0.00", "0,00"),
        ("0.855 | percent(1)", f"85.5{SPACE}%", f"85,5{SPACE}%"),
    ],
)
def test_numbers(shown: str, english: str, russian: str) -> None:
    for language, told in (("en", english), ("ru", russian)):
        environment = rendering._environment(language)
        assert environment.from_string("{{ " + shown + " }}").render() == told
