"""Reasons of faults that are of one game alone: how the record has them, and how that is read back.

Others come in heaps: a bot that says goodbye, is disabled, away or silent loses all that
it plays just then. Pure.
"""

from __future__ import annotations

from sixtysix.outcome import Fault, GameOutcome

__all__ = ["bank_text", "giving_up_text", "is_of_one_game"]

_GIVEN_UP = " gave the game up: "
_BANK = " that the bank of the game held"


def giving_up_text(name: str, why: str) -> str:
    """Who gave the game up, and why: `ada gave the game up: it resigned`."""
    return f"{name}{_GIVEN_UP}{why}"


def bank_text(bank_ms: float) -> str:
    """Why no time was left: `it took more than the 60000 ms that the bank of the game held`."""
    return f"it took more than the {bank_ms:.0f} ms{_BANK}"


def is_of_one_game(outcome: GameOutcome) -> bool:
    """Whether the loser lost this game, and not all that it played just then, by its fault."""
    match outcome.fault:
        case Fault.ILLEGAL:
            return True
        case Fault.LEFT:
            return _GIVEN_UP in outcome.reason
        case Fault.TIMEOUT:
            return _BANK in outcome.reason
    return False
