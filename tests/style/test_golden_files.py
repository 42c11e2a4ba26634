"""Golden files are compared as they are, and written only when asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Golden = Callable[[str, str], None]
NEW = "nowhere/new.txt"


@pytest.fixture
def kept(golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of golden files of this test's own, with one file in it."""
    monkeypatch.setitem(golden.__globals__, "GOLDEN", tmp_path)
    (tmp_path / "kept.txt").write_text("one\r\ntwo\n", newline="")
    return tmp_path


def test_a_text_is_compared_byte_for_byte(
    golden: Golden, kept: Path, pytestconfig: pytest.Config
) -> None:
    if pytestconfig.getoption("--update-golden"):
        golden(NEW, "three\n")
        assert (kept / NEW).read_text() == "three\n"
        return
    golden("kept.txt", "one\r\ntwo\n")
    with pytest.raises(AssertionError, match=r"kept\.txt differs"):
        golden("kept.txt", "one\ntwo\n")
    with pytest.raises(pytest.fail.Exception, match="make golden"):
        golden(NEW, "three\n")
    assert not (kept / NEW).exists()
