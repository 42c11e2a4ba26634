"""Texts that strangers wrote, made harmless before they are kept or shown."""

from __future__ import annotations

import unicodedata

__all__ = ["clean"]

_HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories: controls, invisible formatting, surrogates, line ends."""


def clean(text: str, max_bytes: int) -> str:
    """`text` on one line, without invisible characters, cut to `max_bytes` of UTF-8."""
    shown = "".join(
        " " if unicodedata.category(char) in _HARMFUL else char for char in text[:max_bytes]
    )
    return shown.encode()[:max_bytes].decode(errors="ignore").strip()
