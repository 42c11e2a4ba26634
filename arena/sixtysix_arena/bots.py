"""Bots registered and changed in the store itself, while no arena runs on it."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime

from sixtysix.reports import BotInfo
from sixtysix_arena.config import check_bot_name
from sixtysix_arena.store import Store

__all__ = ["StoredBots"]


class StoredBots:
    """What an arena does to bots, done to its store. Raises the errors of the arena."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def submit_bot(self, name: str) -> tuple[BotInfo, str]:
        """Registers a bot; returns it and its token, which is kept nowhere."""
        check_bot_name(name)
        token, digest = _new_token()
        return self._store.add_bot(name, digest, _utc_now()), token

    def rotate_token(self, name: str) -> str:
        """Replaces a bot's token."""
        token, digest = _new_token()
        self._store.set_token(name, digest)
        return token

    def disable_bot(self, name: str) -> BotInfo:
        """Takes a bot out of play; what it played stands."""
        return self._store.disable_bot(name, _utc_now())


def _new_token() -> tuple[str, bytes]:
    token = secrets.token_urlsafe(32)
    return token, hashlib.sha256(token.encode()).digest()


def _utc_now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
