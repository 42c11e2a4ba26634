"""`sixtysix run`: an arena for one tournament."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sixtysix.cli.failures import INTERRUPTED, arena_installed
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.cli.progress import ProgressLine
from sixtysix.reports import Board, TournamentInfo, TournamentState
from sixtysix_arena.cli.options import arena_options, flags_of, settings_of

if TYPE_CHECKING:
    import asyncio

    from sixtysix_arena.arena import Arena

__all__ = ["run"]


@click.command(short_help="Play the tournament of a file, print its board, end.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.toml")
@arena_options
@click.option(
    "--unvalidated", is_flag=True, help="Let bots play that did not pass their validation."
)
@json_option
def run(file: Path, unvalidated: bool, as_json: bool, **flags: Any) -> None:
    """Play the tournament that FILE.toml describes, print its board, and end.

    Its entrants are submitted before, and join while it runs; house bots join
    by themselves. Interrupted by Ctrl-C, the same command goes on with it.
    """
    settings = settings_of(flags)
    with arena_installed("sixtysix run"):
        from sixtysix.tournament_file import read_tournament
        from sixtysix_arena.cli import running
        from sixtysix_arena.house import house_names
    definition = read_tournament(file, house_names())
    line = ProgressLine()

    def started(arena: Arena) -> None:
        if arena.starts_empty:
            note(f"The data folder {settings.data} is new.")
        note(f"The arena serves at {arena.address}; its data are in {settings.data}.")
        if arena.web_address:
            note(f"Its pages are at http://{arena.web_address}/")

    async def work(stop: asyncio.Event) -> tuple[TournamentInfo, Board]:
        return await running.play_tournament(
            settings,
            definition,
            stop,
            started=started,
            progress=line.update,
            unvalidated=unvalidated,
        )

    try:
        info, board = running.run(work, log=settings.log)
    finally:
        line.close()
    if info.state is not TournamentState.FINISHED:
        given = flags_of(flags) + " --unvalidated" * unvalidated
        note("All that was played is kept. To go on:")
        note("  " + command(f"run {shlex.quote(str(file))}{given}"))
        click.get_current_context().exit(INTERRUPTED)
    if as_json:
        show_json(board)
    else:
        from sixtysix.cli.text import board_text

        show(board_text(board))
