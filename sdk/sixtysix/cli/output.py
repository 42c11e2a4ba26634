"""What every command prints by: data on standard output, the rest on standard error."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, redirect_stdout
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from shutil import which
from typing import Any

import click

from sixtysix.api import GameReport
from sixtysix.cli.times import times
from sixtysix.record import DealRecord
from sixtysix.rules import CARDS, MOVES, Card, Deal, Move, Ruleset
from sixtysix.rules.view import Trick
from sixtysix.text import harmless

__all__ = ["bots_aside", "command", "json_option", "note", "plain", "show", "show_json"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The option `--json` of a command; its parameter is `as_json`."""


def command(arguments: str) -> str:
    """A command line of ours that can be typed as it stands, from this folder.

    An environment that is not on the PATH is named by where it is.
    """
    program = Path(sys.argv[0])
    if program.name == "sixtysix" and which("sixtysix") is None:
        here = Path.cwd()
        near = program.absolute().is_relative_to(here)
        shown = program.absolute().relative_to(here) if near else program.absolute()
        return f"{shlex.quote(str(shown))} {arguments}"
    return f"sixtysix {arguments}"


def bots_aside() -> AbstractContextManager[object]:
    """While bots are loaded and play: what they print is no data, and goes to standard error."""
    return redirect_stdout(sys.stderr)


def show(text: str) -> None:
    """Prints data for people."""
    click.echo(text)


def show_json(data: object, *, on_a_line: bool = False) -> None:
    """Prints data for programs."""
    # Everything that is not ASCII is escaped, so that no terminal is led astray.
    click.echo(json.dumps(plain(data), indent=None if on_a_line else 2))


def note(text: str) -> None:
    """Tells something that is no data."""
    click.echo(harmless(text), err=True)


def plain(value: object) -> Any:
    """Reports as JSON has them: the fields by their names, cards and moves as their texts."""
    if isinstance(value, Ruleset):
        return {"name": value.name, "target": value.target, "agreed_six": value.agreed_six}
    if isinstance(value, GameReport):
        return {
            "game": plain(value.game),
            "rules": plain(value.rules),
            "clock": plain(value.clock),
            "times": plain(times(value)),
            "deals": [_deal(value.rules, record) for record in value.deals],
        }
    if isinstance(value, Card | Move):
        return str(value)
    if isinstance(value, Trick):
        return plain(value._asdict())
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [plain(each) for each in value]
    return value


def _deal(rules: Ruleset, record: DealRecord) -> dict[str, Any]:
    return {
        "deal": record.deal,
        "dealer": record.dealer,
        "pack": [str(CARDS[card]) for card in record.pack],
        "moves": _moves(rules, record),
        "void": record.void,
        "result": plain(record.result),
    }


def _moves(rules: Ruleset, record: DealRecord) -> list[dict[str, Any]]:
    deal = Deal(rules, record.pack, record.dealer)
    moves = []
    for ply, (move, charged_ms) in enumerate(zip(record.moves, record.charged_ms, strict=True)):
        told = {
            "seat": deal.turn,
            "move": str(MOVES[move]),
            "code": move,
            "ms": charged_ms,
            "by": "referee" if ply in record.referee_plies else "bot",
        }
        if ply in record.comments:
            told["comment"] = record.comments[ply]
        deal.play(move)
        moves.append(told)
    return moves
