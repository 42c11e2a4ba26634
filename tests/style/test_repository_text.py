"""What no committed file says, since it would be true on one machine only."""

from __future__ import annotations

import re

from support.source_tree import ROOT, repository_files

# Put together here, so that this file does not name them either.
REGISTRY_HOSTS = (
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("registry", "npmjs", "org"),
    ("deb", "debian", "org"),
    ("security", "debian", "org"),
    ("anaconda", "org"),
    ("crates", "io"),
    ("proxy", "golang", "org"),
    ("docker", "io"),
    ("ghcr", "io"),
    ("quay", "io"),
)
REGISTRY_OPTIONS = ("index-url", "find-links", "trusted-host")
MACHINE_FOLDERS = ("work", "root", "home", "Users")

HOST = re.compile("|".join(r"\.".join(host) for host in REGISTRY_HOSTS))
OPTION = re.compile("|".join(f"--(extra-)?{option}" for option in REGISTRY_OPTIONS))
MACHINE_PATH = re.compile(rf"(?<![\w.*~)}}/-])/({'|'.join(MACHINE_FOLDERS)})/\w|\b[A-Z]:\\\w")


def test_no_file_names_a_package_registry() -> None:
    _assert_nowhere(HOST, "packages come from wherever the reader's pip and apt-get get them")
    _assert_nowhere(OPTION, "packages come from wherever the reader's pip and apt-get get them")


def test_no_file_names_a_path_of_one_machine() -> None:
    _assert_nowhere(MACHINE_PATH, "a path is relative, or the reader's to choose")


def _assert_nowhere(pattern: re.Pattern[str], rule: str) -> None:
    found = []
    for path in repository_files():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode(errors="replace").splitlines(), start=1):
            if match := pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match.group()}")
    assert not found, "\n  ".join([f"{rule}:", *found])
