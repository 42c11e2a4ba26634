"""`sixtysix tournament`: what an organiser does, and what everybody may watch."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from sixtysix.cli.groups import InOrder
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.cli.places import find_place, live, organiser, place_options, reader
from sixtysix.cli.progress import ProgressLine
from sixtysix.cli.text import progress_text, tournament_text, tournaments_text
from sixtysix.reports import TournamentInfo

__all__ = ["tournament"]


@click.group(cls=InOrder, short_help="Create, start, stop and watch tournaments.")
def tournament() -> None:
    """Create tournaments, start and stop them, and see how they stand.

    Creating, starting and stopping need a running arena and the organiser's
    token, which is found in the data folder or in SIXTYSIX_ADMIN_TOKEN.
    """


@tournament.command(short_help="Store the tournament that a file describes.")
@click.argument("file", type=click.Path(path_type=Path))
@place_options
@json_option
def create(file: Path, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Store the tournament that FILE describes, and publish the commitment to its deals."""
    from sixtysix.tournament_file import read_tournament

    definition = read_tournament(file)
    place = find_place(data, arena)
    with organiser(place) as running:
        info = running.create_tournament(definition)
    _show(info, as_json)
    note("To start it: " + command(f"tournament start {info.slug}{place.flags}"))


@tournament.command()
@click.argument("slug")
@click.option(
    "--unvalidated", is_flag=True, help="Let bots play that did not pass their validation."
)
@place_options
@json_option
def start(
    slug: str, unvalidated: bool, data: Path | None, arena: str | None, as_json: bool
) -> None:
    """Start a tournament, or continue one that was stopped."""
    place = find_place(data, arena)
    with organiser(place) as running:
        info = running.start_tournament(slug, unvalidated=unvalidated)
    _show_line(info, as_json)
    note("To watch it: " + command(f"tournament watch {info.slug}{place.flags}"))


@tournament.command()
@click.argument("slug")
@place_options
@json_option
def stop(slug: str, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Suspend a tournament; `start` continues it."""
    with organiser(find_place(data, arena)) as running:
        info = running.stop_tournament(slug)
    _show_line(info, as_json)


@tournament.command()
@click.argument("slug")
@place_options
@json_option
def status(slug: str, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Show how a tournament stands, with its entrants."""
    with live(find_place(data, arena)) as running:
        info = running.tournament(slug)
    _show(info, as_json)


@tournament.command(name="list")
@place_options
@json_option
def list_tournaments(data: Path | None, arena: str | None, as_json: bool) -> None:
    """List the tournaments, the latest first."""
    with reader(find_place(data, arena)) as stored:
        infos = list(stored.tournaments())
    if as_json:
        show_json(infos)
    else:
        show(tournaments_text(infos))


@tournament.command()
@click.argument("slug")
@place_options
@json_option
def watch(slug: str, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Watch a tournament until it no longer runs.

    With --json, each change is an object on a line of its own.
    """
    line = ProgressLine()
    info = None
    with live(find_place(data, arena)) as running:
        try:
            for info in running.watch_tournament(slug):
                if as_json:
                    show_json(info, on_a_line=True)
                    sys.stdout.flush()
                else:
                    line.update(info)
        finally:
            line.close()
    if info is not None and not as_json:
        show(progress_text(info))


@tournament.command(short_help="Write the public record of a tournament.")
@click.argument("slug")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to, instead of standard output; packed if it ends with .gz.",
)
@place_options
def export(slug: str, output: Path | None, data: Path | None, arena: str | None) -> None:
    """Write the public record of a tournament: all that anybody needs to check it.

    It is JSON, a line for each game that is over; `verify` checks it. While the
    tournament runs, the seed and the comments of bots are left out.
    """
    from sixtysix.record import save_record

    with reader(find_place(data, arena)) as stored:
        lines = stored.export(slug)
        if output is not None:
            save_record(lines, output)
            note("To check it: " + command(f"verify {shlex.quote(str(output))}"))
            return
        stdout = sys.stdout.buffer
        for line in lines:
            stdout.write(line.encode())
        stdout.flush()


def _show(info: TournamentInfo, as_json: bool) -> None:
    if as_json:
        show_json(info)
    else:
        show(tournament_text(info))


def _show_line(info: TournamentInfo, as_json: bool) -> None:
    if as_json:
        show_json(info)
    else:
        show(progress_text(info))
