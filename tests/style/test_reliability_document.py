"""docs/reliability.md accounts for every fault and every threat, with tests that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from support.source_tree import ROOT

DOCUMENT = ROOT / "docs" / "reliability.md"
FAULT_ROWS = [str(number) for number in range(1, 75)]
THREATS = [f"T{number}" for number in range(1, 39)]
LEAST_ROWS_WITH_TESTS = 67
LEAST_THREATS_WITH_TESTS = 38

ENTRY = re.compile(r"\| (T?\d+) \| (.+) \| (.+) \| (.+) \|")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
NO_TEST = "No test: "
NUMBERS = r"(\d+(?:_(?:and|to)_\d+)*)"
CLAIMS = {
    "": re.compile(rf"(?:^test|_and)_fault_rows?_{NUMBERS}_"),
    "T": re.compile(rf"(?:^test|_and)_threats?_{NUMBERS}_"),
}
SCHEME = re.compile(
    r"test_(fault_row|threat)(s?)_\d\d(_(and|to)_((fault_row|threat)s?_)?\d\d)*_[a-z]\w+"
)


@dataclass(frozen=True)
class Entry:
    """What the document says of a fault or a threat."""

    number: str
    what: str
    outcome: str
    proof: str

    @property
    def tests(self) -> list[str]:
        """The tests that are named, as `file::function`."""
        return [f"{path}::{name}" for path, name in NAMED.findall(self.proof)]


@cache
def entries() -> tuple[Entry, ...]:
    """The rows of both tables, in their order."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    return tuple(Entry(*found.groups()) for line in lines if (found := ENTRY.fullmatch(line)))


@cache
def suite() -> dict[str, frozenset[str]]:
    """The test functions of each file, by its path in the repository."""
    return {
        path.relative_to(ROOT).as_posix(): frozenset(_tests(path))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    }


def _tests(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def claims(test: str) -> Iterator[str]:
    """The rows and threats that a test is named after."""
    for prefix, pattern in CLAIMS.items():
        for found in pattern.finditer(test):
            numbers: list[int] = []
            for how, number in re.findall(r"(and|to)?_?(\d+)", found[1]):
                first = numbers[-1] + 1 if how == "to" else int(number)
                numbers += range(first, int(number) + 1)
            yield from (f"{prefix}{number}" for number in numbers)


@pytest.mark.parametrize("numbers", [FAULT_ROWS, THREATS], ids=["rows", "threats"])
def test_everything_is_accounted_for_once_and_in_order(numbers: list[str]) -> None:
    known = set(numbers)
    assert [entry.number for entry in entries() if entry.number in known] == numbers


def test_nothing_else_is_in_the_tables() -> None:
    assert {entry.number for entry in entries()} == {*FAULT_ROWS, *THREATS}


def test_every_named_test_exists() -> None:
    missing = [
        f"{entry.number} names {test}"
        for entry in entries()
        for test in entry.tests
        if test.partition("::")[2] not in suite().get(test.partition("::")[0], ())
    ]
    assert not missing, _listed("there are no such tests", missing)


def test_no_test_is_named_twice_in_a_row() -> None:
    twice = [entry.number for entry in entries() if len(set(entry.tests)) < len(entry.tests)]
    assert not twice


def test_every_test_that_is_named_after_a_row_is_named_there() -> None:
    named = {entry.number: entry.tests for entry in entries()}
    missing = [
        f"| {number} | ... `{path}::{test}`"
        for path, tests in suite().items()
        for test in sorted(tests)
        for number in claims(test)
        if f"{path}::{test}" not in named.get(number, ())
    ]
    assert not missing, _listed("docs/reliability.md lacks these", missing)


def test_what_has_no_test_has_a_reason() -> None:
    wrong = [
        f"{entry.number}: {entry.proof}"
        for entry in entries()
        if bool(entry.tests) == entry.proof.startswith(NO_TEST)
        or (not entry.tests and len(entry.proof.split()) < 5)
    ]
    assert not wrong, _listed(f"name tests, or say why not after {NO_TEST!r}", wrong)


def test_so_many_are_proved() -> None:
    """These only ever go up."""
    tested = {entry.number for entry in entries() if entry.tests}
    assert len(tested & set(FAULT_ROWS)) >= LEAST_ROWS_WITH_TESTS
    assert len(tested & set(THREATS)) >= LEAST_THREATS_WITH_TESTS


def test_tests_of_faults_are_named_by_one_scheme() -> None:
    odd = [
        f"{path}::{test}"
        for path, tests in suite().items()
        if path.startswith("tests/faults/")
        for test in sorted(tests)
        if test.startswith(("test_fault", "test_threat")) and not SCHEME.fullmatch(test)
    ]
    assert not odd, _listed("test_fault_row_07_..., test_threat_12_..., two digits", odd)


def test_claims_are_read_from_names() -> None:
    assert [*claims("test_fault_row_07_after_2_s")] == ["7"]
    assert [*claims("test_fault_rows_17_and_22_a_bot")] == ["17", "22"]
    assert [*claims("test_fault_rows_38_to_42_a_kill")] == ["38", "39", "40", "41", "42"]
    assert [*claims("test_fault_row_26_and_threat_06_first")] == ["26", "T6"]
    assert [*claims("test_threats_10_to_12_leaks")] == ["T10", "T11", "T12"]
    assert [*claims("test_no_threat_2_anybody")] == []


def _listed(rule: str, places: list[str]) -> str:
    return "\n  ".join([f"{rule}:", *places])
