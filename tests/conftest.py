"""What every test can use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

GOLDEN = Path(__file__).parent / "golden"

# How long an example takes is the machine's affair, on which much else may run.
settings.register_profile(
    "patient",
    settings(),
    deadline=None,
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.too_slow],
)
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden files anew instead of comparing with them",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a file of `tests/golden`: `golden("help.txt", text)`.

    `make golden` writes the files anew; what changed is then read in the difference.
    """
    update: bool = request.config.getoption("--update-golden")

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
            return
        if not path.exists():
            pytest.fail(f"there is no tests/golden/{name}: run 'make golden' and read it")
        with path.open(encoding="utf-8", newline="") as file:
            kept = file.read()
        assert text == kept, f"tests/golden/{name} differs: if it should, run 'make golden'"

    return compare
