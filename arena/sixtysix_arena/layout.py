"""What the files of a data folder are called; light to import."""

from __future__ import annotations

__all__ = ["ADDRESS", "ADMIN_TOKEN", "DATABASE", "LOCK"]

DATABASE = "arena.db"
"""The database, with its log files beside it; copies of it have other names."""
LOCK = "lock"
"""Says which process holds the folder, as an arena does while it runs."""
ADDRESS = "address"
"""Where that arena serves, HOST:PORT."""
ADMIN_TOKEN = "admin-token"
"""Proves to the arena that a caller may read the folder."""
