"""Bots as text."""

from __future__ import annotations

from collections.abc import Sequence

from sixtysix.cli.text.table import named, table
from sixtysix.reports import BotInfo

__all__ = ["bot_text", "bots_text"]


def bots_text(bots: Sequence[BotInfo]) -> str:
    """A table of bots."""
    if not bots:
        return "No bot was submitted yet: sixtysix bot submit NAME"
    has_owners = any(bot.owner for bot in bots)
    return table(
        ["bot", *(["owner"] if has_owners else []), "version", ">games", "submitted", "state"],
        (
            [
                bot.name,
                *([bot.owner or "-"] if has_owners else []),
                bot.version or "-",
                bot.game_count,
                bot.submitted_at,
                f"disabled {bot.disabled_at}" if bot.disabled_at else "in play",
            ]
            for bot in bots
        ),
    )


def bot_text(bot: BotInfo) -> str:
    """All that is known of one bot."""
    facts = named(
        [
            ("bot", bot.name),
            ("owner", bot.owner),
            ("version", bot.version or _no_version(bot)),
            ("games", bot.game_count),
            ("submitted", bot.submitted_at),
            ("disabled", bot.disabled_at),
            ("why", bot.disabled_reason),
        ]
    )
    if not bot.validations:
        return facts
    trials = table(
        ["validation", "version", "when", "result"],
        (
            [each.ruleset, each.version or "-", each.at, each.failure or "passed"]
            for each in bot.validations
        ),
    )
    return f"{facts}\n\n{trials}"


def _no_version(bot: BotInfo) -> str:
    # A bot need not have one, and what it says is known from its first tournament on.
    return "-" if bot.game_count else "not known yet"
