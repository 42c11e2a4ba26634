"""What an examination finds: one thing, how it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Finding", "State", "ok", "problem", "warning"]


class State(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    """It works, and may not for long."""
    PROBLEM = "problem"
    """Something does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing is; `advice` is what to do, and empty if there is nothing to do."""

    what: str
    state: State
    text: str
    advice: str = ""


def ok(what: str, text: str) -> Finding:
    """All is well."""
    return Finding(what, State.OK, text)


def warning(what: str, text: str, advice: str) -> Finding:
    """It works, and may not for long."""
    return Finding(what, State.WARNING, text, advice)


def problem(what: str, text: str, advice: str = "") -> Finding:
    """Something does not work. The errors of the arena say what to do in their text."""
    return Finding(what, State.PROBLEM, text, advice)
