"""What the style tests look at: the files of the repository and the modules among them."""

from __future__ import annotations

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = ("sdk", "arena", "sample_bots")
GENERATED = "sixtysix.v1"


@dataclass(frozen=True)
class Module:
    """One Python file of the source roots; `name` is the name it is imported by."""

    name: str
    path: Path
    tree: ast.Module

    @property
    def is_empty(self) -> bool:
        """Whether there is no statement, not even a docstring."""
        return not self.tree.body

    def is_in(self, *packages: str) -> bool:
        """Whether this is one of the named modules, or inside one of them."""
        return any(is_in(self.name, package) for package in packages)

    def at(self, node: ast.AST) -> str:
        """Where a node is, as a reader would look it up."""
        return f"{self.path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


def is_in(name: str, package: str) -> bool:
    """Whether the module `name` is `package` or inside it."""
    return name == package or name.startswith(f"{package}.")


@cache
def modules() -> tuple[Module, ...]:
    """All modules of the source roots, generated code left out."""
    found = []
    for root in SOURCE_ROOTS:
        for path in sorted((ROOT / root).rglob("*.py")):
            parts = path.relative_to(ROOT / root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if not is_in(name, GENERATED):
                found.append(Module(name, path, ast.parse(path.read_text(encoding="utf-8"))))
    return tuple(found)


@cache
def repository_files() -> tuple[Path, ...]:
    """All files that are committed or about to be; skips the test outside a checkout."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("needs git and a checkout")
    paths = (ROOT / name for name in listing.stdout.split("\0") if name)
    return tuple(path for path in paths if path.is_file())
