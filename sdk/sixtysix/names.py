"""What things may be called: bots, tournaments, house bots."""

from __future__ import annotations

__all__ = ["BOT_NAME", "HOUSE", "HOUSE_BOTS", "SLUG", "TRIAL"]

BOT_NAME = "[a-z0-9][a-z0-9_-]{0,31}"
"""The pattern of a bot's name."""
SLUG = "[a-z0-9][a-z0-9-]{0,39}"
"""The pattern of a tournament's short name."""
HOUSE = "house:"
"""How the ids of house bots begin; no bot's name does."""
TRIAL = "validation/"
"""How the ids of trials begin, before the rule set; no slug has a slash in it."""
HOUSE_BOTS = "sixtysix.bots"
"""The group of entry points through which house bots are found."""
