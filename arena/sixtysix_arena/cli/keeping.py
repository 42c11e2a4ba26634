"""What the commands share that look after a data folder: its flag, and what is in it as text."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sixtysix.cli.places import DATA_VARIABLE, DEFAULT_DATA
from sixtysix.cli.text.table import named, table

if TYPE_CHECKING:
    from sixtysix_arena.store import Contents

__all__ = ["contents_text", "data_option", "data_path", "listed", "size_text"]

Command = TypeVar("Command", bound=Callable[..., Any])

MAX_LISTED = 5
"""So many names stand in a sentence; of more, their number is told."""

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The data folder; also SIXTYSIX_DATA.  [default: sixtysix-data]",
)


def data_path(data: Path | None) -> Path:
    """The data folder that the flag, or else the environment names; else the usual one."""
    return data if data is not None else Path(os.environ.get(DATA_VARIABLE) or DEFAULT_DATA)


def contents_text(facts: Sequence[tuple[str, object]], contents: Contents) -> str:
    """What a database holds, below some facts about it."""
    text = named(
        [
            *facts,
            ("size", size_text(contents.byte_count)),
            ("schema", contents.revision),
            ("bots", contents.bots),
        ]
    )
    if not contents.tournaments:
        return f"{text}\n\nNo tournament is in it."
    rows = (
        [
            each.slug,
            f"{each.state}, cut off" if each.seed_lost else each.state,
            each.games_over,
            each.games or "-",
            each.deals,
        ]
        for each in contents.tournaments
    )
    header = ["tournament", "state", ">games over", ">games", ">deals"]
    return f"{text}\n\n{table(header, rows)}"


def size_text(byte_count: int) -> str:
    """A size as people read it: 1.2 MB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if byte_count >= size:
            return f"{byte_count / size:.1f} {unit}"
    return f"{byte_count} bytes"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `a, b and c`."""
    if len(names) > MAX_LISTED:
        return f"{', '.join(names[:MAX_LISTED])} and {len(names) - MAX_LISTED} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
