"""`sixtysix serve`: an arena that stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sixtysix.cli.failures import arena_installed
from sixtysix.cli.output import note
from sixtysix_arena.cli.options import arena_options, settings_of

if TYPE_CHECKING:
    import asyncio

    from sixtysix_arena.arena import Arena

__all__ = ["serve"]

PAGES = "127.0.0.1:6680"
"""Where the pages of an arena that stays are, if nothing is said."""


@click.command(short_help="Run an arena that stays.")
@arena_options
def serve(**flags: Any) -> None:
    """Run an arena that stays, until Ctrl-C.

    Tournaments that were running go on. Bots are submitted and tournaments
    created by other commands, with the same --data.

    Standard error is its log: one JSON object a line, or lines for people on a
    terminal. docs/operating.md tells how to run it as a service.
    """
    settings = settings_of(flags, web=PAGES)
    with arena_installed("sixtysix serve"):
        from sixtysix_arena.cli import running

    def started(arena: Arena) -> None:
        if settings.log is not None:
            if arena.starts_empty:
                note(f"The data folder {settings.data} is new.")
            note(f"The arena serves at {arena.address}; its data are in {settings.data}.")
            if arena.web_address:
                note(f"Its pages are at http://{arena.web_address}/")
            elif settings.web is not None:
                note(f"It has no pages: {settings.web} is taken. Name another place with --web.")

    async def work(stop: asyncio.Event) -> None:
        await running.serve(settings, stop, started)

    running.run(work, log=settings.log, is_service=True)
    if settings.log is not None:
        note("The arena has stopped; what was running goes on when it is started again.")
