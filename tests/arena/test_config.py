"""The settings of an arena, from flags and from the environment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.authorities import Authority

from sixtysix_arena.config import ArenaSettings, check_bot_name
from sixtysix_arena.errors import Invalid


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


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


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"grpc": "127.0.0.1:7", "web": "127.0.0.1:7"}, ("grpc", "web")),
        ({"grpc": "127.0.0.1:7", "metrics": "localhost:07"}, ("grpc", "metrics")),
        ({"grpc": "[::1]:7", "web": "[::]:7"}, ("grpc", "web")),
        ({"metrics": "127.0.0.1:7", "web": "0.0.0.0:7"}, ("metrics", "web")),
    ],
)
def test_no_port_is_for_two(flags: dict[str, str], told: tuple[str, str]) -> None:
    one, other = (f"--{name} (SIXTYSIX_{name.upper()}) is {flags[name]}" for name in told)
    with pytest.raises(Invalid, match=f"^{re.escape(one)} and {re.escape(other)}: give each a"):
        ArenaSettings.of({}, **flags)


@pytest.mark.parametrize(
    "flags",
    [
        {"grpc": "127.0.0.1:0", "web": "127.0.0.1:0", "metrics": "127.0.0.1:0"},
        {"grpc": "127.0.0.1:7", "web": "127.0.0.1:8", "metrics": "127.0.0.1:9"},
        {"grpc": "127.0.0.1:7", "web": "127.0.0.2:7"},
        {"grpc": "127.0.0.1:7", "web": "[::]:7"},  # Some systems tell the two families apart.
        {"grpc": "127.0.0.1:7", "web": "127.0.0.1:7", "web_is_wished": False},
    ],
)
def test_addresses_that_go_together(flags: dict[str, object]) -> None:
    assert ArenaSettings.of({}, **flags).grpc == flags["grpc"]


@pytest.mark.parametrize("address", ["localhost:0", "127.0.0.1:65535", "127.8.8.8:1", "[::1]:6650"])
def test_this_machine_alone_is_served(address: str) -> None:
    assert ArenaSettings(grpc=address).grpc == address


ELSEWHERE = ["0.0.0.0:6650", "[::]:6650", "10.0.0.1:1", "example.org:6650", "127.example.org:1"]


@pytest.mark.parametrize("address", ELSEWHERE)
def test_threat_38_other_machines_are_not_served_without_tls(
    address: str, authority: Authority
) -> None:
    with pytest.raises(
        Invalid, match=rf"^--grpc .*_GRPC\) cannot be '{re.escape(address)}' without TLS"
    ):
        ArenaSettings(grpc=address)
    assert not ArenaSettings(grpc=address, insecure=True).is_local
    assert not ArenaSettings(grpc=address, **authority.sign()).is_local


def test_a_local_address_needs_no_second_port_unless_it_has_a_certificate(
    authority: Authority,
) -> None:
    assert ArenaSettings().is_local
    assert not ArenaSettings(**authority.sign()).is_local


def test_a_certificate_and_its_key_come_together_and_instead_of_insecure(
    authority: Authority,
) -> None:
    files = authority.sign()
    with pytest.raises(Invalid, match=r"^--tls-key \(SIXTYSIX_TLS_KEY\) is missing: a certif"):
        ArenaSettings(tls_cert=files["tls_cert"])
    with pytest.raises(Invalid, match=r"^--tls-cert \(SIXTYSIX_TLS_CERT\) is missing: a certi"):
        ArenaSettings(tls_key=files["tls_key"])
    with pytest.raises(Invalid, match=r"either a certificate with its key or --insecure \("):
        ArenaSettings(insecure=True, **files)
    with pytest.raises(Invalid, match="has expired"):
        ArenaSettings(**authority.sign_expired())


@pytest.mark.parametrize("address", ELSEWHERE)
def test_threat_13_metrics_are_for_this_machine(address: str) -> None:
    with pytest.raises(
        Invalid,
        match=r"^--metrics .* cannot be .* expected an address of this machine",
    ):
        ArenaSettings(metrics=address, insecure=True)
    with pytest.raises(Invalid, match=r"^--metrics .*_METRICS\) cannot be 'x': expected HOST:PORT"):
        ArenaSettings(metrics="x")
    assert ArenaSettings(metrics="127.0.0.1:6690").metrics == "127.0.0.1:6690"


def test_what_may_be_left_out_may_be_empty_in_the_environment() -> None:
    names = ("LOG", "METRICS", "TLS_CERT", "TLS_KEY")
    assert ArenaSettings.of({f"SIXTYSIX_{name}": "" for name in names}) == ArenaSettings()
    settings = ArenaSettings.of({"SIXTYSIX_LOG": "arena.log", "SIXTYSIX_INSECURE": "yes"})
    assert (settings.log, settings.insecure) == (Path("arena.log"), True)


@pytest.mark.parametrize("name", ["a", "0", "my-bot_2", "x" * 32])
def test_names_of_bots(name: str) -> None:
    check_bot_name(name)


@pytest.mark.parametrize(
    "name", ["", "-a", "_a", "A", "my bot", "house:greedy", "x" * 33, "bot\n", "b\u043et", "../x"]
)
def test_threat_28_what_no_bot_may_be_called(name: str) -> None:
    with pytest.raises(Invalid, match="a bot cannot be called"):
        check_bot_name(name)
