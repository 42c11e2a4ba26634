"""Finds the Python examples in a Markdown document and runs one.

A block fenced as `python` is an example, and runs in a module and a folder of its own; one that
starts with `>>>` is checked as a doctest. The comment `<!-- skip: reason -->` on a line before a
block leaves that block out.
"""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})\s*(?P<language>[\w+-]*)")
SKIP = re.compile(r"^<!--\s*skip:\s*(?P<reason>.*?)\s*-->$")


@dataclass(frozen=True)
class Snippet:
    """An example; `line` is where its code starts, from 1, and `skip` the reason not to run it."""

    path: Path
    line: int
    code: str
    skip: str | None

    @property
    def is_session(self) -> bool:
        """Whether this is a session at Python's prompt, with its answers."""
        return self.code.lstrip().startswith(">>>")


def snippets(path: Path) -> Iterator[Snippet]:
    """The Python examples of a document, in order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    skip: str | None = None
    index = 0
    while index < len(lines):
        if not (opening := FENCE.match(lines[index])):
            if lines[index].strip():
                found = SKIP.match(lines[index].strip())
                skip = found["reason"] if found else None
            index += 1
            continue
        start = index + 1
        end = next((i for i in range(start, len(lines)) if _closes(lines[i], opening)), None)
        if end is None:
            raise ValueError(f"{path}:{start}: this block is never closed")
        if opening["language"] == "python":
            yield Snippet(path, start + 1, "\n".join(lines[start:end]) + "\n", skip)
        skip = None
        index = end + 1


def run(snippet: Snippet) -> None:
    """Run an example in the current folder; raises what it raises.

    Its `__name__` is `snippet`, so that what a file does only when started as a program is left
    out.
    """
    module = ModuleType("snippet")
    module.__file__ = str(snippet.path)
    sys.modules[module.__name__] = module
    try:
        if snippet.is_session:
            _run_session(snippet, module)
        else:
            # Blank lines first, so that an error names the document's own line.
            padded = "\n" * (snippet.line - 1) + snippet.code
            exec(compile(padded, snippet.path, "exec", dont_inherit=True), vars(module))
    finally:
        del sys.modules[module.__name__]


def _closes(line: str, opening: re.Match[str]) -> bool:
    return line.strip().startswith(opening["fence"]) and not line.strip(f" {opening['fence'][0]}")


def _run_session(snippet: Snippet, module: ModuleType) -> None:
    session = doctest.DocTestParser().get_doctest(
        snippet.code, vars(module), snippet.path.name, str(snippet.path), snippet.line - 1
    )
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    if runner.run(session, out=said.append).failed:
        raise AssertionError("".join(said))
