"""Habits of the house, checked in every module."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator

from support.source_tree import ROOT, Module, modules, repository_files

# What is here computes: whoever calls it hands in the time and the randomness.
WITHOUT_CLOCK_AND_CHANCE = (
    "sixtysix.circle",
    "sixtysix.clock",
    "sixtysix.outcome",
    "sixtysix.record",
    "sixtysix.reports",
    "sixtysix.rules",
    "sixtysix.shuffle",
    "sixtysix.verify",
    "sixtysix.wire",
    "sixtysix_arena.buckets",
    "sixtysix_arena.clocks",
    "sixtysix_arena.conduct",
    "sixtysix_arena.intervals",
    "sixtysix_arena.ratings",
    "sixtysix_arena.referee",
    "sixtysix_arena.rerating",
    "sixtysix_arena.schedule",
    "sixtysix_arena.standings",
    "sixtysix_arena.statistics",
    "sixtysix_arena.strengths",
)
CLOCKS_AND_CHANCE = {"random", "secrets", "time", "uuid"}
READS_CLOCK_OR_CHANCE = {"now", "today", "urandom", "utcnow"}

LONG_FILE = 600
REASON = "This file is long because"


def test_nothing_prints_outside_the_command_line() -> None:
    prints = [
        module.at(node)
        for module in modules()
        if not module.is_in("sixtysix.cli")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name) and node.id == "print"
    ]
    assert not prints, _listed("print belongs in the command line alone", prints)


def test_pure_modules_have_no_clock_and_no_chance() -> None:
    uses = [
        module.at(node)
        for module in modules()
        if module.is_in(*WITHOUT_CLOCK_AND_CHANCE)
        for node in ast.walk(module.tree)
        if _uses_clock_or_chance(node)
    ]
    assert not uses, _listed("time and randomness come as arguments here", uses)


def test_every_module_says_what_it_is_for() -> None:
    paths = [path for path in repository_files() if path.suffix == ".py"]
    mute = [
        str(path.relative_to(ROOT))
        for path in paths
        if not path.match("sixtysix/v1/*.py")
        if (tree := ast.parse(path.read_text(encoding="utf-8"))).body
        if not ast.get_docstring(tree)
    ]
    assert not mute, _listed("a module starts with its purpose", mute)


def test_long_files_give_a_reason() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {line_count} lines"
        for path in repository_files()
        if path.suffix == ".py" and not path.match("sixtysix/v1/*.py")
        if (line_count := len((text := path.read_text(encoding="utf-8")).splitlines())) > LONG_FILE
        if REASON not in " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    ]
    assert not long, _listed(f"split it, or say in the docstring: {REASON} ...", long)


def test_the_public_names_of_the_kit_are_listed_and_exist() -> None:
    wrong = [problem for module in modules() if _is_public(module) for problem in _exports(module)]
    assert not wrong, _listed("__all__ lists what is public", wrong)


def _uses_clock_or_chance(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] in CLOCKS_AND_CHANCE for alias in names)
        case ast.ImportFrom(module=str(module), names=names):
            imported = {alias.name for alias in names}
            return module in CLOCKS_AND_CHANCE or bool(imported & READS_CLOCK_OR_CHANCE)
        case ast.Attribute(attr=attribute):
            return attribute in READS_CLOCK_OR_CHANCE
    return False


def _is_public(module: Module) -> bool:
    private = any(part.startswith("_") for part in module.name.split("."))
    return module.is_in("sixtysix") and not (
        private or module.is_empty or module.is_in("sixtysix.cli")
    )


def _exports(module: Module) -> Iterator[str]:
    where = module.path.relative_to(ROOT)
    imported = importlib.import_module(module.name)
    names = getattr(imported, "__all__", None)
    if names is None:
        yield f"{where} has no __all__"
        return
    for name in names:
        if not hasattr(imported, name):
            yield f"{where} lists {name}, which does not exist"
    if len(set(names)) != len(names):
        yield f"{where} lists a name twice"


def _listed(rule: str, places: list[str]) -> str:
    return "\n  ".join([f"{rule}:", *places])
