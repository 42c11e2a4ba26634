"""The time of day, as it is stored and shown."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["moment_of", "utc_now", "utc_text"]


def utc_now() -> str:
    """Now, in UTC: `2026-01-31T12:00:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def utc_text(seconds: float) -> str:
    """A time in seconds since 1970, in UTC, to the millisecond: `2026-01-31T12:00:00.250Z`."""
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def moment_of(text: str) -> datetime:
    """The moment that a stored time is."""
    return datetime.fromisoformat(text)
