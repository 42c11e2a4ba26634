"""The page for operators names every metric, every line of the log and every flag there is."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import click
import pytest
from support.source_tree import ROOT, modules

from sixtysix_arena.arena import Arena
from sixtysix_arena.cli.serve import serve
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.counts import Counts
from sixtysix_arena.metrics import registry_of
from sixtysix_arena.store.schema import APPLICATION_ID

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
LEVELS = ("debug", "info", "warning", "error", "critical", "exception")


def table(first: str) -> dict[str, list[str]]:
    """The rows of the table whose first column has this title, by what is in that column."""
    lines = PAGE[PAGE.index(f"| {first} |") :].split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in rows}


def test_each_metric_is_in_the_table_with_its_kind_and_its_labels() -> None:
    arena = SimpleNamespace(
        counts=Counts(),
        decision_count=0,
        live_game_count=0,
        waiting_game_count=0,
        sessions=SimpleNamespace(connected_count=0),
        certificate_expires_at_s=0,
        can_store=True,
    )
    arena.counts.refused_joins["UNAUTHENTICATED"] += 1
    arena.counts.calls["method", "OK"] += 1
    found: dict[str, tuple[str, set[str]]] = {}
    for family in registry_of(cast(Arena, arena)).collect():
        if family.name.startswith("process_"):
            continue
        name = f"{family.name}_total" if family.type == "counter" else family.name
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        found[name] = family.type, labels
    told = {
        name: (kind.partition(",")[0], set(re.findall("`(\\w+)`", kind)))
        for name, (kind, *_) in table("metric").items()
    }
    assert told == found


def messages() -> Iterator[tuple[str, str]]:
    """Where something is logged, and what."""
    for module in modules():
        if not module.is_in("sixtysix_arena"):
            continue
        for node in ast.walk(module.tree):
            for text in _logged(node):
                yield module.at(node), text


def _logged(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"), attr=level), args=[first, *_]):
            logs = level in LEVELS
        case ast.Call(func=ast.Name(id="_tell"), args=[first, *_]):
            logs = True
        case ast.Call(func=ast.Name(id="_record"), args=[_, first, *_]):
            logs = True
        case ast.Assign(targets=[ast.Name(id="message")], value=first):
            logs = True
        case _:
            return
    if logs:
        texts = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
        for text in texts:
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value
            elif not isinstance(text, ast.Name):
                yield f"no constant: {ast.unparse(text)}"


def test_each_message_of_the_log_is_in_the_table() -> None:
    """So messages are constant, and what they are about is in their fields."""
    found = {text: place for place, text in messages()}
    told = table("message")
    assert not {text: place for text, place in found.items() if text not in told}
    assert not set(told) - set(found)
    levels = {level for level, *_ in told.values()}
    assert levels <= {level.upper() for level in LEVELS}


def fields() -> Iterator[tuple[str, str, set[str]]]:
    """Where something is logged with fields that stand there by name, what, and the fields."""
    for module in modules():
        if not module.is_in("sixtysix_arena"):
            continue
        for node in ast.walk(module.tree):
            for keyword in node.keywords if isinstance(node, ast.Call) else ():
                if keyword.arg == "extra" and isinstance(keyword.value, ast.Dict):
                    keys = keyword.value.keys
                    named = {key.value for key in keys if isinstance(key, ast.Constant)}
                    for text in _logged(node):
                        yield module.at(node), text, {str(name) for name in named}


def told_fields(message: str) -> set[str]:
    return set(re.findall("`(\\w+)`", table("message")[message][1]))


def test_each_field_of_the_log_is_in_the_table() -> None:
    found = list(fields())
    assert len(found) > 10
    assert not [each for each in found if not each[2] <= told_fields(each[1])]


def test_the_line_of_a_start_has_the_fields_of_the_table() -> None:
    arena = SimpleNamespace(
        _server=SimpleNamespace(address="", local_address="", certificate_expires_at_s=None),
        settings=SimpleNamespace(data=ROOT),
        metrics_address="127.0.0.1:6690",
        web_address="127.0.0.1:6680",
    )
    assert set(Arena._about(cast(Arena, arena))) == told_fields("the arena serves")


@pytest.mark.parametrize("name", ["sixtysix.service", "Containerfile"])
def test_what_is_deployed_starts_an_arena_that_is_possible(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    assert f"deploy/{name}" in PAGE
    variables = dict(re.findall(r"\bSIXTYSIX_(\w+)=(\S+)", content))
    assert {"DATA", "GRPC", "TLS_CERT", "TLS_KEY"} <= set(variables)
    monkeypatch.setattr("sixtysix_arena.config.Certificate", SimpleNamespace(read=lambda *_: None))
    environment = {f"SIXTYSIX_{key}": value for key, value in variables.items()}
    settings = ArenaSettings.of(environment)
    assert settings.grpc == "0.0.0.0:6650"
    known = set(ArenaSettings.__dataclass_fields__)
    assert {key.lower() for key in variables} <= known


def test_what_is_read_out_of_a_damaged_database_is_marked_as_ours() -> None:
    (number,) = re.findall(r"PRAGMA application_id = (\d+);", PAGE)
    assert int(number) == APPLICATION_ID


def test_each_command_line_of_an_arena_on_the_page_can_be_given() -> None:
    lines = re.findall(r"sixtysix serve (--[^#`\n]+?)(?: {2,}#|`|\n|\.\.\.)", PAGE)
    assert len(lines) >= 3
    for line in lines:
        words = shlex.split(line.replace("--tls-cert ...", ""))
        context: Any = click.Context(serve, resilient_parsing=True)
        serve.parse_args(context, words)
        given = {word for word in words if word.startswith("--")}
        assert given <= {option for each in serve.params for option in each.opts}
