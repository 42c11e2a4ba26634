"""`sixtysix pages`: the pages of a data folder, without an arena."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sixtysix.cli.failures import arena_installed
from sixtysix.cli.output import note
from sixtysix_arena.cli.options import settings_of
from sixtysix_arena.cli.serve import PAGES
from sixtysix_arena.errors import Invalid

__all__ = ["pages"]


@click.command(short_help="Show the pages of a data folder, without an arena.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The data folder; also SIXTYSIX_DATA.  [default: sixtysix-data]",
)
@click.option(
    "--web",
    metavar="HOST:PORT",
    help="Where the pages are; also SIXTYSIX_WEB. Port 0 takes a free one."
    "  [default: 127.0.0.1:6680]",
)
@click.option(
    "--web-host",
    multiple=True,
    metavar="NAME",
    help="A name that the pages are known by, as behind a proxy; also SIXTYSIX_WEB_HOST.",
)
def pages(**flags: Any) -> None:
    """Show the pages of a data folder until Ctrl-C, without an arena.

    The folder is only read: another process may serve an arena on it, or none.
    """
    settings = settings_of(flags, web=PAGES)
    if settings.web is None:
        raise Invalid("there is nothing to show with --web off: name a place for the pages")
    with arena_installed("sixtysix pages"):
        from sixtysix_arena.logs import logging_to
        from sixtysix_arena.web.process import serve_pages

    def serving(address: str) -> None:
        note(f"The pages of {settings.data} are at http://{address}/ until Ctrl-C.")

    with logging_to(None, is_service=False):
        serve_pages(settings.data, settings.web, settings.web_host, serving)
