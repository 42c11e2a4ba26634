"""Where a command finds its arena."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from support.command_line import enter

from sixtysix.cli.places import DEFAULT_DATA, Place, find_place, join_place, place_options


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


def test_with_nothing_named_it_is_the_usual_address() -> None:
    assert find_place(None, None) == Place()


def test_in_a_folder_that_is_closed_to_this_user_nothing_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def closed(_path: Path) -> bool:
        raise PermissionError(13, "Permission denied", "sixtysix-data")

    monkeypatch.setattr(Path, "is_dir", closed)
    assert find_place(None, None) == Place()
    assert join_place(None) == Place()


def test_a_bot_is_submitted_to_the_usual_folder() -> None:
    assert find_place(None, None, make=True) == Place(data=DEFAULT_DATA)
    assert not DEFAULT_DATA.exists()


def test_flags_then_environment_then_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    DEFAULT_DATA.mkdir()
    assert find_place(None, None) == Place(data=DEFAULT_DATA)
    monkeypatch.setenv("SIXTYSIX_DATA", "elsewhere")
    assert find_place(None, None) == Place(data=Path("elsewhere"))
    monkeypatch.setenv("SIXTYSIX_ARENA", "far:1")
    assert find_place(None, None) == Place(arena="far:1")
    assert find_place(Path("here"), None) == Place(data=Path("here"), given=True)
    assert find_place(None, "near:1") == Place(arena="near:1", given=True)
    with pytest.raises(click.UsageError):
        find_place(Path("here"), "near:1")


def test_commands_that_are_printed_name_what_was_named() -> None:
    assert Place().flags == ""
    assert Place(data=DEFAULT_DATA).flags == ""
    assert Place(data=Path("my data"), given=True).flags == " --data 'my data'"
    assert Place(arena="near:1", given=True).flags == " --arena near:1"
    tls = Place(arena="near:1", given=True, ca=Path("my ca.pem"))
    assert tls.flags == " --arena near:1 --ca 'my ca.pem'"
    assert Place(given=True, insecure=True).flags == " --insecure"
    assert Place(arena="127.0.0.1:1", insecure=True).flags == ""


def run(*arguments: str) -> Place:
    """The place that a command finds with these flags."""
    found: list[Place] = []

    @click.command()
    @place_options
    def show(data: Path | None, arena: str | None) -> None:
        found.append(find_place(data, arena))

    show.main(arguments, standalone_mode=False)
    return found[0]


def test_how_an_arena_is_spoken_to_belongs_to_its_place() -> None:
    ca = Path("ca.pem")
    assert run("--arena", "far:1") == Place(arena="far:1", given=True)
    assert run("--arena", "far:1", "--ca", "ca.pem") == Place(None, "far:1", True, ca)
    assert run("--arena", "far:1", "--insecure") == Place(None, "far:1", True, None, True)
    # Without an address it is the usual one, or that of the environment.
    assert run("--ca", "ca.pem") == Place(given=True, ca=ca)


def test_tls_is_for_an_address_and_not_for_a_folder() -> None:
    for flags in (("--ca", "ca.pem"), ("--insecure",)):
        with pytest.raises(click.UsageError, match="are for an arena at an address"):
            run("--data", "here", *flags)
    DEFAULT_DATA.mkdir()
    with pytest.raises(click.UsageError, match="are for an arena at an address"):
        run("--insecure")


def test_one_command_leaves_nothing_to_the_next() -> None:
    run("--arena", "far:1", "--insecure")
    assert run("--arena", "far:1") == Place(arena="far:1", given=True)
