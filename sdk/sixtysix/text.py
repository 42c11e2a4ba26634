"""Texts that strangers wrote, made harmless before they are kept or shown."""

from __future__ import annotations

import unicodedata

__all__ = ["harmless"]

_HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories: controls, invisible formatting, surrogates, line ends."""


def harmless(text: str) -> str:
    """`text` on one line, with a space for each control and invisible character."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if unicodedata.category(char) in _HARMFUL else char for char in text)
