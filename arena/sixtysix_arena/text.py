"""Texts of bots, made harmless and short before they are kept."""

from __future__ import annotations

from sixtysix.text import harmless

__all__ = ["clean"]


def clean(text: str, max_bytes: int) -> str:
    """`text` on one line, without invisible characters, cut to `max_bytes` of UTF-8."""
    shown = harmless(text[:max_bytes])  # A character has at least one byte.
    return shown.encode(errors="replace")[:max_bytes].decode(errors="ignore").strip()
