"""A single game that a bot gives up: how the public record notes it, and how that is read back.

A bot that says goodbye, or is disabled, has left too, but all of its games. Pure.
"""

from __future__ import annotations

from sixtysix.outcome import Fault, GameOutcome

__all__ = ["giving_up_text", "is_given_up"]

_NOTED = " gave the game up: "


def giving_up_text(name: str, why: str) -> str:
    """Who gave the game up, and why: `ada gave the game up: it resigned`."""
    return f"{name}{_NOTED}{why}"


def is_given_up(outcome: GameOutcome) -> bool:
    """Whether the loser gave this one game up."""
    return outcome.fault is Fault.LEFT and _NOTED in outcome.reason
