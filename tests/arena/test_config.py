"""The settings of an arena, from flags and from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixtysix_arena.config import ArenaSettings, check_bot_name
from sixtysix_arena.errors import Invalid


def test_defaults() -> None:
    settings = ArenaSettings.of({})
    assert settings == ArenaSettings()
    assert (settings.data, settings.grpc, settings.open_submission) == (
        Path("sixtysix-data"),
        "127.0.0.1:6650",
        False,
    )


def test_flags_go_before_the_environment() -> None:
    environment = {
        "SIXTYSIX_DATA": "there",
        "SIXTYSIX_GRPC": "127.0.0.1:1",
        "SIXTYSIX_OPEN_SUBMISSION": "1",
        "SIXTYSIX_TOKEN": "no setting of an arena",
    }
    assert ArenaSettings.of(environment) == ArenaSettings(Path("there"), "127.0.0.1:1", True)
    flags = {"data": Path("here"), "grpc": "127.0.0.1:2", "open_submission": False}
    assert ArenaSettings.of(environment, **flags) == ArenaSettings(
        Path("here"), "127.0.0.1:2", False
    )
    nothing = {"data": None, "grpc": None, "open_submission": None}
    assert ArenaSettings.of(environment, **nothing) == ArenaSettings.of(environment)


@pytest.mark.parametrize("said", ["0", "no", "False", ""])
def test_what_is_not_true(said: str) -> None:
    assert not ArenaSettings.of({"SIXTYSIX_OPEN_SUBMISSION": said}).open_submission


def test_a_variable_that_makes_no_sense_is_named() -> None:
    with pytest.raises(Invalid, match="SIXTYSIX_OPEN_SUBMISSION cannot be 'maybe': expected 1"):
        ArenaSettings.of({"SIXTYSIX_OPEN_SUBMISSION": "maybe"})


@pytest.mark.parametrize(
    "address",
    ["", "6650", "127.0.0.1", ":6650", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "[::1]:-1"],
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(Invalid, match="expected HOST:PORT"):
        ArenaSettings(grpc=address)


@pytest.mark.parametrize("address", ["localhost:0", "127.0.0.1:65535", "127.8.8.8:1", "[::1]:6650"])
def test_this_machine_alone_is_served(address: str) -> None:
    assert ArenaSettings(grpc=address).grpc == address


@pytest.mark.parametrize("address", ["0.0.0.0:6650", "[::]:6650", "10.0.0.1:1", "example.org:6650"])
def test_threat_38_nothing_else_is_served_without_encryption(address: str) -> None:
    with pytest.raises(Invalid, match="nothing is encrypted yet"):
        ArenaSettings(grpc=address)


@pytest.mark.parametrize("name", ["a", "0", "my-bot_2", "x" * 32])
def test_names_of_bots(name: str) -> None:
    check_bot_name(name)


@pytest.mark.parametrize(
    "name", ["", "-a", "_a", "A", "my bot", "house:greedy", "x" * 33, "bot\n", "b\u043et", "../x"]
)
def test_threat_28_what_no_bot_may_be_called(name: str) -> None:
    with pytest.raises(Invalid, match="a bot cannot be called"):
        check_bot_name(name)
