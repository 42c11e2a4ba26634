"""Deals that anyone can check: from a secret seed to every pack, `sixtysix-shuffle-v1`.

The algorithm is a contract between languages; `tests/golden/shuffle_vectors.json`
spells it out and holds its test vectors. HMAC-SHA256 in counter mode gives
32-bit words, rejection makes them uniform, Fisher-Yates from the top shuffles.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Mapping

__all__ = ["ALGORITHM", "commitment", "pack", "tournament_key"]

ALGORITHM = "sixtysix-shuffle-v1"
"""The name that records carry; another algorithm gets another name."""

_PACK_SIZE = 24
_UINT64_END = 1 << 64
_WORD_END = 1 << 32
_WORDS_OF_BLOCK = struct.Struct(">8I")


def commitment(seed: bytes) -> bytes:
    """Return the 32 bytes that are published before the entrants are frozen.

    Once `seed` is revealed, anybody can compute them again and see that the
    organiser did not exchange it meanwhile.
    """
    return hashlib.sha256(_prefixed(b"sixtysix/commit/v1") + _prefixed(seed)).digest()


def tournament_key(seed: bytes, contributions: Mapping[str, bytes]) -> bytes:
    """Return the 32-byte key that all packs of a tournament are made from.

    `contributions` maps entrant ids to the bytes that each of them added; it
    is empty where entrants add nothing. Its order does not matter.
    """
    message = [_prefixed(b"sixtysix/seed/v1")]
    for entrant, value in sorted((key.encode(), value) for key, value in contributions.items()):
        message += (_prefixed(entrant), _prefixed(value))
    return hmac.digest(seed, b"".join(message), "sha256")


def pack(
    key: bytes, *, ruleset: str, tournament: str, entrants: tuple[str, str], game: int, deal: int
) -> tuple[int, ...]:
    """Return the pack of one deal: 24 card indices (suit*6 + rank) in dealing order.

    `key` is the tournament key, `tournament` the slug, `entrants` two different
    ids in any order, `game` the index of the game within its pairing from 0 and
    `deal` the index of the deal within its game from 0. Raises ValueError if
    the ids are equal or a number is not an unsigned 64-bit integer.
    """
    cards = list(range(_PACK_SIZE))
    words = _words(key, _deal_id(ruleset, tournament, entrants, game, deal))
    for place in range(_PACK_SIZE - 1, 0, -1):
        other = _below(words, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def _prefixed(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def _deal_id(
    ruleset: str, tournament: str, entrants: tuple[str, str], game: int, deal: int
) -> bytes:
    lower, higher = sorted(entrant.encode() for entrant in entrants)
    if lower == higher:
        raise ValueError(f"a deal needs two different entrants, got {entrants[0]!r} twice")
    for name, number in (("game", game), ("deal", deal)):
        if not 0 <= number < _UINT64_END:
            raise ValueError(f"{name} must be from 0 to 2**64 - 1, got {number}")
    texts = (ruleset.encode(), tournament.encode(), lower, higher)
    return b"".join(map(_prefixed, texts)) + struct.pack(">QQ", game, deal)


def _words(key: bytes, deal_id: bytes) -> Iterator[int]:
    """Yield the uniform 32-bit words of one deal, without end for all practical purposes."""
    message = _prefixed(b"sixtysix/shuffle/v1") + _prefixed(deal_id)
    for counter in range(_WORD_END):
        block = hmac.digest(key, message + counter.to_bytes(4, "big"), "sha256")
        yield from _WORDS_OF_BLOCK.unpack(block)


def _below(words: Iterator[int], n: int) -> int:
    """Return a uniform number from 0 to n - 1, reading as many words as that takes."""
    # Words past the last whole multiple of n would favour the small remainders.
    limit = _WORD_END - _WORD_END % n
    for word in words:
        if word < limit:
            return word % n
    raise RuntimeError("the stream of words has ended; 2**32 blocks cannot all be rejected")
