"""Which module may import what; the arrows between whole packages are in pyproject.toml."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache

import grimp
import pytest
from support.source_tree import Module, is_in, modules

# Pure modules, and whatever they lean on, never come near a network, a database or an event loop.
PURE = (
    "sixtysix.circle",
    "sixtysix.forced",
    "sixtysix.record",
    "sixtysix.rules",
    "sixtysix.shuffle",
    "sixtysix.tally",
    "sixtysix.verify",
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
IMPURE = ("alembic", "asyncio", "google", "grpc", "sqlalchemy")

EDGE = ("sixtysix.client", "sixtysix_arena.server", "sixtysix_arena.sessions")

# Each of these may be imported in the modules beside it and inside them, and nowhere else.
ONLY_IN = {
    "alembic": ("sixtysix_arena.store",),
    "google.protobuf": ("sixtysix.wire", *EDGE),
    "grpc": EDGE,
    "grpc_health": ("sixtysix_arena.server",),
    "prometheus_client": ("sixtysix_arena.metrics",),
    "pythonjsonlogger": ("sixtysix_arena.logs",),
    "sixtysix.v1": ("sixtysix.wire", *EDGE),
    "sqlalchemy": ("sixtysix_arena.store",),
    "trueskill": ("sixtysix_arena.ratings",),
}


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_package_stays_where_it_belongs(package: str) -> None:
    strays = [
        f"{place} imports {name}"
        for module in modules()
        if not module.is_in(*ONLY_IN[package])
        for place, name in _imports(module)
        if is_in(name, package)
    ]
    allowed = ", ".join(ONLY_IN[package])
    assert not strays, "\n  ".join([f"{package} belongs in {allowed} alone:", *strays])


@pytest.mark.parametrize("name", PURE)
def test_a_pure_module_leads_to_nothing_impure(name: str) -> None:
    graph = _graph()
    assert name in graph.modules, f"there is no {name}: it was renamed, or is gone"
    chains = [
        " -> ".join(chain)
        for impure in IMPURE
        if impure in graph.modules
        for start in (name, *graph.find_descendants(name))
        if (chain := graph.find_shortest_chain(importer=start, imported=impure))
    ]
    assert not chains, "\n  ".join([f"{name} is pure:", *chains])


def test_the_core_needs_the_standard_library_alone() -> None:
    _assert_imports_only("sixtysix.rules", "sixtysix.rules")


def test_house_bots_need_the_public_kit_alone() -> None:
    _assert_imports_only("sixtysix_bots", "sixtysix", "sixtysix_bots")
    private = [
        f"{place} imports {name}"
        for module in modules()
        if module.is_in("sixtysix_bots")
        for place, name in _imports(module)
        if is_in(name, "sixtysix") and any(part.startswith("_") for part in name.split("."))
    ]
    assert not private, "\n  ".join(["people copy house bots, so they use public names:", *private])


def _assert_imports_only(package: str, *ours: str) -> None:
    strays = [
        f"{place} imports {name}"
        for module in modules()
        if module.is_in(package)
        for place, name in _imports(module)
        if name.partition(".")[0] not in sys.stdlib_module_names
        if not any(is_in(name, allowed) for allowed in ours)
    ]
    rule = f"{package} imports the standard library and {', '.join(ours)}:"
    assert not strays, "\n  ".join([rule, *strays])


def _imports(module: Module) -> Iterator[tuple[str, str]]:
    """Place and full name of everything a module imports, wherever in it."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield module.at(node), alias.name
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node)
            for alias in node.names:
                if alias.name.startswith("__"):
                    continue
                yield module.at(node), f"{base}.{alias.name}"


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    package = module.name.split(".")
    if module.path.name != "__init__.py":
        package.pop()
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, node.module] if node.module else package)


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(
        "sixtysix",
        "sixtysix_arena",
        "sixtysix_bots",
        include_external_packages=True,
        cache_dir=None,
    )
