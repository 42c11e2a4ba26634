"""`sixtysix leaderboard`, `games` and `log`: what was played, and how it came out."""

from __future__ import annotations

from pathlib import Path

import click

from sixtysix.api import ArenaReader, NotFound
from sixtysix.cli.output import command, json_option, show, show_json
from sixtysix.cli.places import (
    Place,
    find_place,
    place_options,
    reader,
    witness_place,
    witnesses,
)
from sixtysix.cli.text import (
    board_text,
    cross_text,
    deal_text,
    faults_text,
    game_text,
    games_text,
)
from sixtysix.plain import plain
from sixtysix.reports import Board, Statistics
from sixtysix.rules import RULESETS

__all__ = ["games", "leaderboard", "log"]


@click.command(short_help="Show the board of a tournament or of a rule set.")
@click.argument("slug", required=False)
@click.option(
    "--rules",
    type=click.Choice(list(RULESETS)),
    help="The rule set of a standing board.  [default: classic]",
)
@click.option("--cross", is_flag=True, help="Show who won against whom too, and think times.")
@place_options
@json_option
def leaderboard(
    slug: str | None,
    rules: str | None,
    cross: bool,
    data: Path | None,
    arena: str | None,
    as_json: bool,
) -> None:
    """Show the board of a tournament, or without SLUG the standing board of a rule set.

    Entrants are ranked by rating, which is mu - 3 sigma. points/deal are the
    game points of a deal, minus the opponents'. Beside the board of a tournament
    there are statistics that do not depend on the order of its games: they say
    which neighbours are not separated; all of them are in --cross and --json.
    """
    if slug is not None and rules is not None:
        raise click.UsageError("give either SLUG or --rules: a tournament has its own rules")
    if slug is None and cross:
        raise click.UsageError("--cross needs a SLUG: only a tournament has a cross table")
    with reader(find_place(data, arena)) as stored:
        if slug is None:
            board, statistics = stored.standing_board(rules or "classic"), None
        else:
            board, statistics = _board(stored, slug)
    if as_json:
        show_json(plain(board) | ({"statistics": statistics} if statistics else {}))
        return
    show(board_text(board, statistics))
    if cross and statistics is not None:
        show(f"\n{cross_text(board, statistics)}")


def _board(stored: ArenaReader, slug: str) -> tuple[Board, Statistics]:
    try:
        return stored.board(slug), stored.statistics(slug)
    except NotFound as error:
        if slug not in RULESETS:
            raise
        standing = command(f"leaderboard --rules {slug}")
        raise NotFound(f"{error}; the standing board of {slug} is '{standing}'") from error


@click.command(short_help="List the games of a tournament.")
@click.argument("slug")
@click.option("--bot", metavar="BOT", help="Only the games of this entrant.")
@place_options
@json_option
def games(slug: str, bot: str | None, data: Path | None, arena: str | None, as_json: bool) -> None:
    """List the games of a tournament, in the order of its schedule."""
    with reader(find_place(data, arena)) as stored:
        listed = list(stored.games(slug, bot))
    if as_json:
        show_json(listed)
    else:
        show(games_text(listed))


@click.command(short_help="Show a game, or one deal of it, trick by trick.")
@click.argument("game")
@click.option("--deal", type=click.IntRange(min=0), metavar="N", help="One deal, trick by trick.")
@click.option("--faults", is_flag=True, help="What a bot did wrong, with all the evidence.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --faults, the file with your bot's token.  [default: NAME.token]",
)
@place_options
@json_option
def log(
    game: str,
    deal: int | None,
    faults: bool,
    token_file: Path | None,
    data: Path | None,
    arena: str | None,
    as_json: bool,
) -> None:
    """Show a game with a line for each deal, or one deal the way a person reads it.

    GAME is a tournament, a dot and a number of its schedule, like
    spring-cup.17; `games` lists them. Deals are counted from 0. A deal can be
    seen once it is over.

    With --faults: why the game was forfeited. What the bot was asked and what it
    answered, which moves were legal, its times, the last frames of its stream.
    An arena tells that to the organiser, and to the bot's own author: the token
    is read from --token-file, the variable SIXTYSIX_TOKEN, or the file
    NAME.token here. A data folder tells it to whoever can read the folder.
    """
    if token_file is not None and not faults:
        raise click.UsageError("--token-file is for --faults: the rest is public")
    if faults:
        if deal is not None:
            raise click.UsageError("give either --deal or --faults")
        _show_faults(game, witness_place(data, arena, token_file), token_file, as_json)
        return
    place = find_place(data, arena)
    with reader(place) as stored:
        report = stored.game(game)
    if deal is not None and all(record.deal != deal for record in report.deals):
        over = ", ".join(str(record.deal) for record in report.deals) or "none yet"
        raise NotFound(f"game {game} has no deal {deal} that is over: there are {over}")
    if as_json:
        told = plain(report)
        if deal is not None:
            told["deals"] = [each for each in told["deals"] if each["deal"] == deal]
        show_json(told)
    elif deal is not None:
        show(deal_text(report, deal))
    else:
        see_a_deal, see_faults = (
            command(f"log {game} {flag}{place.flags}") for flag in ("--deal N", "--faults")
        )
        show(game_text(report, see_a_deal, see_faults))


def _show_faults(game: str, place: Place, token_file: Path | None, as_json: bool) -> None:
    with reader(place) as stored:
        report = stored.game(game)
    with witnesses(place, report.game.entrants, token_file) as seen_by:
        found = {fault.entrant: fault for each in seen_by for fault in each.faults(game)}
    faults = list(found.values())
    if as_json:
        show_json(faults)
    else:
        show(faults_text(report, faults))
