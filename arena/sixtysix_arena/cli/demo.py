"""`sixtysix demo`: a real arena, house bots, a tournament, its board."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sixtysix.cli.failures import INTERRUPTED, arena_installed
from sixtysix.cli.output import command, note, show
from sixtysix.cli.progress import ProgressLine
from sixtysix.reports import Board, TournamentInfo, TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.layout import DATABASE

if TYPE_CHECKING:
    import asyncio

    from sixtysix.api import TournamentDefinition
    from sixtysix_arena.arena import Arena

__all__ = ["demo"]

DATA = Path("sixtysix-demo")


@click.command(short_help="Watch house bots play a small tournament.")
@click.option("--rules", type=click.Choice(list(RULESETS)), default="classic", show_default=True)
@click.option(
    "--games",
    type=click.IntRange(2, 10_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Games of each pairing; an even number.",
)
@click.option(
    "--web", metavar="HOST:PORT", help="Where the pages are.  [default: a free port of 127.0.0.1]"
)
def demo(rules: str, games: int, web: str | None) -> None:
    """Play a small tournament between house bots in a real arena, and show the board.

    Its pages show it live; on a terminal they stay until Ctrl-C. The data are
    in ./sixtysix-demo, which is emptied at the start.
    """
    if games % 2:
        raise click.UsageError(f"--games cannot be {games}: expected an even number")
    with arena_installed("sixtysix demo"):
        from sixtysix.cli.text import board_text
        from sixtysix_arena.cli import running
        from sixtysix_arena.house import house_names
    definition = _definition(rules, games, house_names())
    _empty(DATA)
    stays = sys.stderr.isatty() and sys.stdin.isatty()
    settings = ArenaSettings(data=DATA, grpc="127.0.0.1:0", web=web or "127.0.0.1:0")
    line = ProgressLine()

    def started(arena: Arena) -> None:
        note(f"An arena serves at {arena.address}; {len(definition.entrants)} house bots join it.")
        note(f"Look at it: http://{arena.web_address}/t/{definition.slug}")

    def finished(info: TournamentInfo, board: Board) -> bool:
        """Shows what came out of it; on a terminal the pages stay."""
        line.close()
        if info.state is TournamentState.FINISHED:
            show(board_text(board))
            for text in _next_steps(info):
                note(text)
            if stays:
                note("The pages stay until Ctrl-C.")
                return True
        return False

    async def work(stop: asyncio.Event) -> tuple[TournamentInfo, Board]:
        return await running.play_tournament(
            settings,
            definition,
            stop,
            started=started,
            progress=line.update,
            finished=finished,
        )

    try:
        info, _ = running.run(work)
    finally:
        line.close()
    if info.state is not TournamentState.FINISHED:
        note("The demo was interrupted; the next one begins anew.")
        click.get_current_context().exit(INTERRUPTED)


def _definition(rules: str, games: int, house_bots: tuple[str, ...]) -> TournamentDefinition:
    from sixtysix.api import TournamentDefinition

    return TournamentDefinition(
        name="Demo",
        slug="demo",
        rules=RULESETS[rules],
        games_per_pairing=games,
        games_at_once=32,
        entrants=house_bots,
    )


def _empty(folder: Path) -> None:
    """Removes the data of an earlier demo, and nothing that is something else."""
    if not folder.exists():
        return
    if any(folder.iterdir()) and not (folder / DATABASE).exists():
        raise Unavailable(
            f"./{folder} is there and holds something else than a demo: move it away, or run the"
            " demo in another folder"
        )
    from sixtysix_arena.store import DataFolder

    # Whoever still runs an earlier demo keeps its data.
    DataFolder.open(folder, create=True).lock().close()
    shutil.rmtree(folder)


def _next_steps(info: TournamentInfo) -> tuple[str, ...]:
    data = f"--data {DATA}"
    return (
        "To see more of it:",
        "  " + command(f"games {info.slug} {data}"),
        "  " + command(f"log {info.slug}.1 {data}"),
        "  " + command(f"log {info.slug}.1 --deal 0 {data}"),
    )
