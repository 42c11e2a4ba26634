"""`sixtysix tournament`: what an organiser does, and what everybody may watch."""

from __future__ import annotations

import math
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import click

from sixtysix.api import ApiError, ArenaUnreachable
from sixtysix.cli.confirming import confirm, reason_option, yes_option
from sixtysix.cli.failures import already_there
from sixtysix.cli.groups import InOrder
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.cli.places import (
    Place,
    find_place,
    mute_arena,
    organiser,
    place_options,
    reader,
    running_place,
)
from sixtysix.cli.progress import ProgressLine
from sixtysix.cli.text import games_text, progress_text, tournament_text, tournaments_text
from sixtysix.reports import TournamentInfo, TournamentState

__all__ = ["tournament"]


@click.group(cls=InOrder, short_help="Create, start, stop and watch tournaments.")
def tournament() -> None:
    """Create tournaments, start and stop them, and see how they stand.

    Whatever changes something needs a running arena and the organiser's
    token, which is found in the data folder or in SIXTYSIX_ADMIN_TOKEN.
    """


@tournament.command(short_help="Store the tournament that a file describes.")
@click.argument("file", type=click.Path(path_type=Path))
@place_options
@json_option
def create(file: Path, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Store the tournament that FILE describes, and publish the commitment to its deals."""
    from sixtysix.bot import house_bots
    from sixtysix.names import HOUSE
    from sixtysix.tournament_file import read_tournament

    place = find_place(data, arena)
    # The house bots of a folder's arena are installed here; those of another one it knows alone.
    house = None if place.data is None else {HOUSE + name for name in house_bots()}
    definition = read_tournament(file, house)
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


@tournament.command(short_help="End a tournament early; the rest is void.")
@click.argument("slug")
@reason_option(required=True)
@yes_option
@place_options
@json_option
def end(
    slug: str, reason: str, yes: bool, data: Path | None, arena: str | None, as_json: bool
) -> None:
    """End a tournament early: what is not over is void, and the seed is revealed.

    The reason becomes public. There is no way back.
    """
    confirm(f"End {slug} for good? What is not over becomes void.", yes)
    with organiser(find_place(data, arena)) as running:
        info = running.end_tournament(slug, reason)
    _show_line(info, as_json)


@tournament.command(short_help="Remove a tournament that was never started.")
@click.argument("slug")
@yes_option
@place_options
@json_option
def remove(slug: str, yes: bool, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Remove a tournament that was created and never started.

    Its slug is free again. One that was started has an `end`, and is removed by
    `prune` when it is over.
    """
    confirm(f"Remove {slug} for good?", yes)
    with organiser(find_place(data, arena)) as running:
        info = running.remove_tournament(slug)
    if as_json:
        show_json(info)
    note(f"The tournament {info.slug} is removed.")


@tournament.command(short_help="Make a game void and have it played anew.")
@click.argument("game")
@reason_option(required=True)
@yes_option
@place_options
@json_option
def void(
    game: str, reason: str, yes: bool, data: Path | None, arena: str | None, as_json: bool
) -> None:
    """Make a game void and have it played anew, with fresh deals.

    GAME is its public id, like spring-cup.17. What was dealt in it stays in the
    record, as void, and so does the reason. Once a tournament is finished and its
    seed is public, this cannot be done.
    """
    confirm(f"Make {game} void, with all its deals so far, and play it anew?", yes)
    with organiser(find_place(data, arena)) as running:
        info = running.void_game(game, reason)
    if as_json:
        show_json(info)
    else:
        show(games_text([info]))
    note(f"What was dealt in {info.game_id} so far is void, and it is played anew.")


@tournament.command(short_help="Give the bots more time to join.")
@click.argument("slug")
@click.option(
    "--by",
    "by_s",
    type=click.FloatRange(min=0.001, max=86_400),
    required=True,
    metavar="SECONDS",
    help="How much longer they may take.",
)
@reason_option(required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@place_options
@json_option
def extend(
    slug: str,
    by_s: float,
    reason: str,
    yes: bool,
    data: Path | None,
    arena: str | None,
    as_json: bool,
) -> None:
    """Give the bots of a tournament more time to join.

    Games that were forfeited already stay so: `void` has one played anew.
    """
    if not math.isfinite(by_s):
        raise click.BadParameter(f"{by_s} is no time: expected seconds", param_hint="'--by'")
    confirm(f"Give the bots of {slug} {by_s:g} s more to join?", yes, is_final=False)
    with organiser(find_place(data, arena)) as running:
        info = running.extend_joining(slug, round(by_s * 1_000), reason)
    _show_line(info, as_json)
    in_all_s = (info.clock.join_ms + info.join_extra_ms) / 1_000
    note(f"Its bots have {by_s:g} s more to join, {in_all_s:g} s in all.")


@tournament.command()
@click.argument("slug")
@place_options
@json_option
def status(slug: str, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Show how a tournament stands, with its entrants."""
    place = find_place(data, arena)
    there = running_place(place)
    with reader(there or place) as running:
        info = running.tournament(slug)
    idle = there is None and info.state is not TournamentState.FINISHED
    _show(info, as_json, (mute_arena(place.data) or f"none runs on {place.data}") if idle else "")


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
    """Watch a tournament until it no longer runs, or its arena does not.

    With --json, each change is an object on a line of its own.
    """
    place = find_place(data, arena)
    there = running_place(place)
    if there is None:
        _show_idle(slug, place, as_json)
        return
    line = ProgressLine()
    info = None
    with reader(there) as running:
        try:
            for info in running.watch_tournament(slug):
                if as_json:
                    show_json(info, on_a_line=True)
                    sys.stdout.flush()
                else:
                    line.update(info)
        finally:
            line.close()
        if info is not None and info.state is TournamentState.FINISHED:
            with suppress(ApiError):  # Its arena may have ended with it.
                info = running.tournament(slug)
    if info is not None and not as_json:
        _show_watched(info, place)


@tournament.command(short_help="Write the public record of a tournament.")
@click.argument("slug")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to, instead of standard output; packed if it ends with .gz. Nothing is"
    " overwritten.",
)
@place_options
def export(slug: str, output: Path | None, data: Path | None, arena: str | None) -> None:
    """Write the public record of a tournament: all that anybody needs to check it.

    It is JSON, a line for each game that is over; `verify` checks it. While the
    tournament runs, the seed and the comments of bots are left out.
    """
    from sixtysix.record import save_record

    if output == Path("-"):
        output = None
    if output is not None and os.path.lexists(output):
        raise already_there(output)
    with reader(find_place(data, arena)) as stored:
        lines = stored.export(slug)
        if output is not None:
            save_record(lines, output)
            note("To check it: " + command(f"verify {shlex.quote(str(output))}"))
            return
        for line in lines:
            click.echo(line.encode(), nl=False)


def _show_idle(slug: str, place: Place, as_json: bool) -> None:
    """Shows how a tournament stands in a folder that no arena runs on, so that nothing changes.

    Raises ArenaUnreachable if it ought to be running.
    """
    with reader(place) as stored:
        info = stored.tournament(slug)
    if as_json:
        show_json(info, on_a_line=True)
    else:
        _show_watched(info, place)
    if info.state is TournamentState.RUNNING:
        if mute := mute_arena(place.data):
            raise ArenaUnreachable(mute)
        flag = f"--data {shlex.quote(str(place.data))}"
        raise ArenaUnreachable(
            f"no arena runs on {place.data}, so {slug} stands still: go on with"
            f" '{command(f'serve {flag}')}', or '{command(f'run FILE {flag}')}'"
        )


def _show_watched(info: TournamentInfo, place: Place) -> None:
    show(progress_text(info))
    if info.state is TournamentState.CREATED:
        note("To start it: " + command(f"tournament start {info.slug}{place.flags}"))


def _show(info: TournamentInfo, as_json: bool, arena: str = "") -> None:
    if as_json:
        show_json(info)
    else:
        show(tournament_text(info, arena))


def _show_line(info: TournamentInfo, as_json: bool) -> None:
    if as_json:
        show_json(info)
    else:
        show(progress_text(info))
