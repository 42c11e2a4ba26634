"""What is done to registered bots, in the store: by a running arena, or while none runs."""

from __future__ import annotations

from unicodedata import normalize

from sixtysix.limits import MAX_OWNER_BYTES, MAX_REASON_BYTES
from sixtysix.names import HOUSE
from sixtysix.reports import BotInfo
from sixtysix.text import harmless
from sixtysix_arena.config import check_bot_name
from sixtysix_arena.errors import Invalid
from sixtysix_arena.store import Store
from sixtysix_arena.text import clean
from sixtysix_arena.times import utc_now
from sixtysix_arena.tokens import digest, new_token

__all__ = ["Registrar"]


class Registrar:
    """Registers and changes bots. Raises the errors of the arena."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def submit_bot(self, name: str, owner: str = "", request_id: str = "") -> tuple[BotInfo, str]:
        """Registers a bot; returns it and its token, which is kept nowhere."""
        check_bot_name(name)
        token = new_token()
        bot = self._store.add_bot(name, digest(token), utc_now(), request_id, _owner(owner))
        return bot, token

    def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is; nobody's if `owner` is empty."""
        return self._store.set_owner(name, _owner(owner))

    def rotate_token(self, name: str, request_id: str = "") -> str:
        """Replaces a bot's token."""
        token = new_token()
        self._store.set_token(name, digest(token), request_id)
        return token

    def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play; what it played stands, the rest it forfeits."""
        if name.startswith(HOUSE):
            raise Invalid("house bots cannot be disabled: take them out of the entrants")
        return self._store.disable_bot(name, utc_now(), clean(reason, MAX_REASON_BYTES))


def _owner(said: str) -> str:
    """The same text for what looks the same. Raises Invalid if it is too long."""
    owner = " ".join(harmless(normalize("NFC", said)).split())
    size = len(owner.encode())
    if size > MAX_OWNER_BYTES:
        raise Invalid(f"the owner has {size} bytes: expected at most {MAX_OWNER_BYTES}")
    return owner
