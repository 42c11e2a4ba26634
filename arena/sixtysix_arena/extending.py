"""More time to join: how the public record notes it, and how that is read back. Pure."""

from __future__ import annotations

import re

__all__ = ["extension_of", "extension_text", "in_units"]

UNITS = (("h", 3_600_000), ("min", 60_000), ("s", 1_000))
NOTED = re.compile(
    r"by (?=\d)(?:(\d+) h ?)?(?:(\d+) min ?)?(?:(\d+(?:\.\d+)?) s)?(?<! )(?:: (.*))?", re.DOTALL
)


def extension_text(by_ms: int, reason: str) -> str:
    """By how much, as people say it, and why: `by 1 min 30 s: the trains are late`."""
    told = " ".join(f"{count:g} {unit}" for count, unit in in_units(by_ms))
    return f"by {told}" + (f": {reason}" if reason else "")


def in_units(ms: int) -> list[tuple[float, str]]:
    """A time in h, min and s, the larger first; units of which there are none are left out."""
    parts: list[tuple[float, str]] = []
    for unit, unit_ms in UNITS[:-1]:
        count, ms = divmod(ms, unit_ms)
        parts.append((count, unit))
    parts.append((ms / 1_000, "s"))
    return [(count, unit) for count, unit in parts if count]


def extension_of(text: str) -> tuple[int, str] | None:
    """By how many milliseconds, and why; None for a text that is not noted like that."""
    found = NOTED.fullmatch(text)
    if found is None:
        return None
    *counts, reason = found.groups()
    by_ms = sum(
        round(float(count or 0) * unit_ms)
        for count, (_, unit_ms) in zip(counts, UNITS, strict=True)
    )
    return by_ms, reason or ""
