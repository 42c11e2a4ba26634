"""More time to join: how the public record notes it, and how that is read back. Pure."""

from __future__ import annotations

import re

__all__ = ["extension_of", "extension_text"]

UNITS = (("h", 3_600_000), ("min", 60_000), ("s", 1_000))
NOTED = re.compile(
    r"by (?=\d)(?:(\d+) h ?)?(?:(\d+) min ?)?(?:(\d+(?:\.\d+)?) s)?(?<! )(?:: (.*))?", re.DOTALL
)


def extension_text(by_ms: int, reason: str) -> str:
    """By how much, as people say it, and why: `by 1 min 30 s: the trains are late`."""
    parts: list[tuple[float, str]] = []
    left_ms = by_ms
    for unit, unit_ms in UNITS[:-1]:
        count, left_ms = divmod(left_ms, unit_ms)
        parts.append((count, unit))
    parts.append((left_ms / 1_000, "s"))
    told = " ".join(f"{count:g} {unit}" for count, unit in parts if count)
    return f"by {told}" + (f": {reason}" if reason else "")


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
