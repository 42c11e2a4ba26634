"""The Python examples in the documents run as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.snippets import Snippet, run, snippets
from support.source_tree import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
EXAMPLES = [snippet for document in DOCUMENTS for snippet in snippets(document)]


def _place(snippet: Snippet) -> str:
    return f"{snippet.path.name}:{snippet.line}"


@pytest.mark.parametrize("snippet", EXAMPLES, ids=_place)
def test_example_in_a_document(
    snippet: Snippet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if snippet.skip is not None:
        pytest.skip(snippet.skip)
    monkeypatch.chdir(tmp_path)
    run(snippet)


def test_examples_are_found_with_their_place_and_their_reason_to_skip(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(
        "# Page\n```python\none = 1\n```\n```console\n$ ls\n```\n"
        "<!-- skip: needs an arena -->\n\n```python\ntwo = 2\n```\n"
        "````python\nthree = '''\n```\n'''\n````\n"
    )
    first, second, third = snippets(document)
    assert (first.line, first.code, first.skip) == (3, "one = 1\n", None)
    assert (second.line, second.code, second.skip) == (11, "two = 2\n", "needs an arena")
    assert (third.line, third.code, third.skip) == (14, "three = '''\n```\n'''\n", None)


def test_a_skip_concerns_the_next_block_alone(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("<!-- skip: reason -->\n\nSome words.\n\n```python\n1 / 0\n```\n")
    (snippet,) = snippets(document)
    assert snippet.skip is None


def test_a_block_that_is_never_closed_is_an_error(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("text\n```python\none = 1\n")
    with pytest.raises(ValueError, match=r"page\.md:2: .* never closed"):
        list(snippets(document))


def test_an_error_in_an_example_names_the_line_of_the_document(tmp_path: Path) -> None:
    snippet = Snippet(tmp_path / "page.md", line=7, code="fine = 1\n1 / 0\n", skip=None)
    with pytest.raises(ZeroDivisionError) as caught:
        run(snippet)
    assert caught.traceback[-1].lineno == 8 - 1  # pytest counts lines from 0


def test_a_session_with_a_wrong_answer_fails(tmp_path: Path) -> None:
    run(Snippet(tmp_path / "page.md", line=1, code=">>> 1 + 1\n2\n", skip=None))
    with pytest.raises(AssertionError, match=r"Expected:\n +3"):
        run(Snippet(tmp_path / "page.md", line=1, code=">>> 1 + 1\n3\n", skip=None))


def test_an_example_can_define_a_dataclass_and_is_not_started_as_a_program(tmp_path: Path) -> None:
    code = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from typing import ClassVar\n"
        "@dataclass\nclass Point:\n    x: int\n    y: ClassVar[int] = 0\n"
        "assert Point(1).x == 1\n"
        "if __name__ == '__main__':\n    raise SystemExit\n"
    )
    run(Snippet(tmp_path / "page.md", line=1, code=code, skip=None))
