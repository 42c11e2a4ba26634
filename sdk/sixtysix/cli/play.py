"""`sixtysix play`: two bots against each other, here and now."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sixtysix.cli.failures import BOT_FAILED, INTERRUPTED
from sixtysix.cli.output import bots_aside, json_option, note, show, show_json
from sixtysix.cli.text.table import named, table
from sixtysix.cli.text.tournament import rules_text
from sixtysix.rules import RULESETS, InvalidOption, Ruleset, ruleset

if TYPE_CHECKING:
    from sixtysix.local import BotFailure, BotFigures, PlayResult

__all__ = ["play"]


@click.command(short_help="Let two bots play each other, without an arena.")
@click.argument("bot_a", metavar="A")
@click.argument("bot_b", metavar="B")
@click.option(
    "-n",
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many games to play.  [default: 100]",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after this many deals instead, wherever the last game is then.",
)
@click.option(
    "--rules",
    type=click.Choice(list(RULESETS)),
    default="classic",
    show_default=True,
    help="The rule set.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rule set, like target=8. Can be given more than once.",
)
@click.option("--seed", help="What the packs follow from.  [default: another one each time]")
@json_option
def play(
    bot_a: str,
    bot_b: str,
    games: int | None,
    deals: int | None,
    rules: str,
    options: tuple[str, ...],
    seed: str | None,
    as_json: bool,
) -> None:
    """Let two bots play each other in this process.

    A and B are files with a bot in them, or house bots: house:greedy, greedy.
    Each deals first in every other game. points/deal are the game points of a
    deal, A's minus B's, with a 95 % interval.

    A bot that fails, or makes an illegal move, forfeits the game: why is told,
    with what it saw, and the exit code is 4. Ctrl-C shows what was played. What
    bots print goes to standard error.
    """
    if games is not None and deals is not None:
        raise click.UsageError("give either --games or --deals")
    chosen = _rules(rules, options)

    from sixtysix import local
    from sixtysix.bot import load_bot

    interrupted = False
    with bots_aside(), _progress(games, deals) as progress:
        bots = load_bot(bot_a), load_bot(bot_b)
        try:
            result = local.play(
                *bots, rules=chosen, games=games, deals=deals, seed=seed, progress=progress
            )
        except local.PlayInterrupted as broken_off:
            result, interrupted = broken_off.result, True
    if as_json:
        show_json(result)
    else:
        show(play_text(result))
    _tell_failures(result)
    if interrupted:
        note("Interrupted: this is what was played until then.")
        click.get_current_context().exit(INTERRUPTED)
    if result.failures:
        click.get_current_context().exit(BOT_FAILED)


def play_text(result: PlayResult) -> str:
    """The result as people read it."""
    bots = table(
        ["bot", "version", ">games won", ">forfeited", ">decisions", ">ms median", ">mean", ">p95"],
        (_row(bot) for bot in result.bots),
    )
    mean = "-" if result.points_per_deal is None else f"{result.points_per_deal:+.3f}"
    interval = "" if result.interval_95 is None else f" ± {result.interval_95:.3f}"
    facts = named(
        [
            ("points/deal", f"{mean}{interval}"),
            ("games", _games(result)),
            ("deals", result.deal_count),
            ("rules", rules_text(result.rules)),
            ("seed", result.seed),
        ]
    )
    return f"{bots}\n\n{facts}"


def _row(bot: BotFigures) -> list[object]:
    return [
        bot.name,
        bot.version or "-",
        bot.games_won,
        bot.games_forfeited,
        bot.decision_count,
        f"{bot.median_ms:.3f}",
        f"{bot.mean_ms:.3f}",
        f"{bot.p95_ms:.3f}",
    ]


def _games(result: PlayResult) -> str:
    drawn = f", {result.games_drawn} drawn" if result.games_drawn else ""
    return f"{result.game_count}{drawn}"


def _rules(name: str, options: tuple[str, ...]) -> Ruleset:
    values: dict[str, object] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise click.BadParameter(f"{option!r} is not NAME=VALUE", param_hint="--option")
        values[key] = _value(value)
    try:
        return ruleset(name, **values)
    except InvalidOption as error:
        raise click.BadParameter(str(error), param_hint="--option") from error


def _value(text: str) -> object:
    """A value as a tournament file would have it."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


@contextmanager
def _progress(
    games: int | None, deals: int | None
) -> Iterator[Callable[[int, int], object] | None]:
    """A bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from sixtysix.local import DEFAULT_GAMES

    bar = click.progressbar(length=deals or games or DEFAULT_GAMES, file=sys.stderr)

    def update(games_over: int, deals_over: int) -> None:
        bar.update((games_over if deals is None else deals_over) - bar.pos)

    # Not entered as click has it: Ctrl-C while the bar is first drawn would leave no cursor behind.
    try:
        bar.render_progress()
        yield update
    finally:
        bar.render_finish()


def _tell_failures(result: PlayResult) -> None:
    from sixtysix.telling import MAX_FULL_FAILURES

    for number, failure in enumerate(result.failures):
        note(f"{_whose(result, failure)}: {failure.reason}")
        if number < MAX_FULL_FAILURES:
            for line in failure.details.splitlines():
                note(line)


def _whose(result: PlayResult, failure: BotFailure) -> str:
    return f"{'AB'[failure.bot]}, {result.bots[failure.bot].name}"
