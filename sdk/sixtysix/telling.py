"""What an author is told while a bot plays: short lines on standard error."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from sixtysix.rules import Ruleset, View
from sixtysix.text import harmless

__all__ = ["Tell", "Teller", "short", "to_stderr", "view_lines"]

Tell = Callable[[str], object]
"""Shows a text of one or more lines."""

MAX_FULL_FAILURES = 3
"""Failures of a bot that are shown with traceback and view; of the rest, only what happened."""

MAX_LENGTH = 500
"""Characters of a stranger's text that are shown."""

_PACKAGE = str(Path(__file__).parent)


def short(text: str) -> str:
    """A stranger's text on one line, harmless, and not endless."""
    cut = text[:MAX_LENGTH] + ("..." if len(text) > MAX_LENGTH else "")
    return harmless(cut).strip()


def to_stderr(text: str) -> None:
    """Shows a text on standard error. Where nobody can read it, play goes on all the same."""
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        pass  # There is none, or whoever read it is gone.


def view_lines(view: View) -> str:
    """A view with a field on each line, for whoever wants to know what a bot saw."""
    return "\n".join(
        f"  {field.name} = {_shown(getattr(view, field.name))}" for field in fields(view)
    )


class Teller:
    """Tells each state of the connection once, and of failures not more than helps."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self._state = ""
        self._failure_count = 0

    def state(self, state: str, text: str) -> None:
        """Tells that a new state has come; says nothing while it stays."""
        if state != self._state:
            self._state = state
            self.tell(text)

    def is_in(self, state: str) -> bool:
        """Whether this is the state that was told last."""
        return state == self._state

    def failure(self, what: str, error: BaseException, view: View | None = None) -> None:
        """Tells how the author's code failed: traceback and view, or later only what happened."""
        self._failure_count += 1
        summary = traceback.format_exception_only(error)[-1].strip()
        lines = [f"{what}: {short(summary)}"]
        if self._failure_count <= MAX_FULL_FAILURES:
            lines.append(_trace(error))
            if view is not None:
                lines.append("The view was:")
                lines.append(view_lines(view))
        if self._failure_count == MAX_FULL_FAILURES:
            lines.append("Further failures are told without their traceback.")
        self.tell("\n".join(lines))


def _trace(error: BaseException) -> str:
    """The traceback from where our code called the author's."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_PACKAGE):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def _shown(value: object) -> str:
    if isinstance(value, Ruleset):
        return value.name
    if isinstance(value, str):
        return short(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    return str(value)
