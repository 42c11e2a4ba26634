"""`sixtysix doctor`: whether all is well with an arena and what it runs on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sixtysix.cli.failures import arena_installed
from sixtysix.cli.output import json_option, note, show, show_json
from sixtysix.plain import plain
from sixtysix.text import harmless
from sixtysix_arena.cli.keeping import data_option, data_path

if TYPE_CHECKING:
    from sixtysix_arena.checkup import Finding

__all__ = ["doctor"]

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(short_help="Look whether all is well with an arena.")
@data_option
@click.option(
    "--tls-cert",
    type=_FILE,
    metavar="FILE",
    help="Look at this certificate too; also SIXTYSIX_TLS_CERT.",
)
@click.option("--tls-key", type=_FILE, metavar="FILE", help="Its key; also SIXTYSIX_TLS_KEY.")
@click.option(
    "--thorough",
    is_flag=True,
    help="Compare all indexes of the database, and verify all records: it may take minutes.",
)
@json_option
def doctor(
    data: Path | None, tls_cert: Path | None, tls_key: Path | None, thorough: bool, as_json: bool
) -> int:
    """Look whether all is well with an arena, its data folder and its machine.

    One line for each thing: `ok`; `warning`, where it works and may not for
    long; or `problem`, where something does not work; and what to do about it.
    Nothing is changed, and an arena may run meanwhile. The exit code is 1 if
    there is a problem.
    """
    with arena_installed("sixtysix doctor"):
        from sixtysix_arena.checkup import State, examine
    findings = []
    for finding in examine(data_path(data), tls_cert=tls_cert, tls_key=tls_key, thorough=thorough):
        findings.append(finding)
        if not as_json:
            show(_line(finding))
    counts = Counter(finding.state for finding in findings)
    is_well = not counts[State.PROBLEM]
    if as_json:
        show_json({"ok": is_well, "findings": plain(findings)})
    elif not is_well or counts[State.WARNING]:
        note(f"Problems: {counts[State.PROBLEM]}. Warnings: {counts[State.WARNING]}.")
    return 0 if is_well else 1


def _line(finding: Finding) -> str:
    advice = f": {finding.advice}" if finding.advice else ""
    return harmless(f"{finding.state:<7}  {finding.what:<11}  {finding.text}{advice}")
