"""What the servicers need of the arena behind them."""

from __future__ import annotations

from typing import Protocol

from sixtysix_arena.sessions import Presence, Sessions

__all__ = ["PlayHost"]


class PlayHost(Protocol):
    """The arena as PlayService sees it."""

    @property
    def sessions(self) -> Sessions:
        """All bots, by name."""
        ...

    @property
    def is_stopping(self) -> bool:
        """Whether the arena says goodbye to everybody."""
        ...

    @property
    def can_store(self) -> bool:
        """Whether anything can be stored just now."""
        ...

    def now_ms(self) -> float:
        """The arena's clock."""
        ...

    async def bot_of(self, token_sha256: bytes) -> str | None:
        """The bot that a token's digest belongs to now."""
        ...

    async def admit(self, name: str, presence: Presence) -> None:
        """Raises an ArenaError if the bot cannot join like this."""
        ...

    def joined(self, name: str) -> None:
        """A bot has a new stream."""
        ...
