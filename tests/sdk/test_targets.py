"""How an arena is spoken to: with TLS or without, with which trust, and what failures mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from support.authorities import Authority

from sixtysix.addresses import is_loopback
from sixtysix.api import ApiError, ArenaUnreachable, InvalidRequest
from sixtysix.client.channels import Target, find_target


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    for name in ("SIXTYSIX_ARENA", "SIXTYSIX_CA", "SIXTYSIX_INSECURE"):
        monkeypatch.delenv(name, raising=False)
    return Authority(tmp_path)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]"])
def test_hosts_of_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["", "0.0.0.0", "::", "[::]", "10.0.0.1", "example.org", "127.example.org", "localhost.org"],
)
def test_threat_38_hosts_that_may_be_elsewhere(host: str) -> None:
    assert not is_loopback(host)


def test_tls_follows_from_the_address_and_from_what_is_given(authority: Authority) -> None:
    pem = authority.pem.read_bytes()
    assert find_target("127.0.0.1:1") == Target("127.0.0.1:1", tls=False)
    assert find_target("127.0.0.1:1", ca=authority.pem) == Target("127.0.0.1:1", True, pem)
    assert find_target("far:1", ca=str(authority.pem)) == Target("far:1", True, pem)
    assert find_target("far:1", insecure=True) == Target("far:1", tls=False)
    assert find_target("far:1").tls
    with pytest.raises(InvalidRequest, match="give either --ca, which asks for TLS, or --insec"):
        find_target("far:1", ca=authority.pem, insecure=True)


def test_the_environment_is_asked_where_nothing_is_given(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIXTYSIX_CA", str(authority.pem))
    assert find_target("127.0.0.1:1").roots == authority.pem.read_bytes()
    # The local port of an arena, say, which knows no TLS whatever the variable says.
    assert not find_target("127.0.0.1:1", insecure=True).tls
    monkeypatch.setenv("SIXTYSIX_INSECURE", "1")
    with pytest.raises(InvalidRequest, match="SIXTYSIX_CA and SIXTYSIX_INSECURE"):
        find_target("far:1")
    assert find_target("far:1", ca=authority.pem).tls
    monkeypatch.setenv("SIXTYSIX_CA", "")
    assert not find_target("far:1").tls


def test_without_an_authority_those_of_this_machine_are_trusted(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.pem))
    assert find_target("far:1").roots == authority.pem.read_bytes()
    monkeypatch.setenv("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "somewhere")
    assert find_target("far:1").roots is None


def test_a_file_without_certificates(authority: Authority, tmp_path: Path) -> None:
    gone = tmp_path / "gone.pem"
    with pytest.raises(InvalidRequest, match=r"gone\.pem cannot be read: No such file"):
        find_target("far:1", ca=gone)
    for content in (b"", b"nonsense", b"\xff\xfe", authority.sign()["tls_key"].read_bytes()):
        gone.write_bytes(content)
        with pytest.raises(InvalidRequest, match=r"there are no certificates in .*gone\.pem"):
            find_target("far:1", ca=gone)


class Failed(grpc.RpcError):
    """A call that failed as gRPC tells it."""

    def __init__(self, details: str, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
        super().__init__()
        self._details, self._code = details, code

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details


CONNECTING = "failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.1:6650: "
OPENSSL = "SSL_ERROR_SSL: error:1000007d:SSL routines:OPENSSL_internal:"
MEANINGS = {
    f"Tls handshake failed (TSI_PROTOCOL_FAILURE): {OPENSSL}CERTIFICATE_VERIFY_FAILED: certificate"
    " has expired: OK": "its certificate has expired, and whoever runs it has to renew it",
    f"Ssl handshake failed (TSI_PROTOCOL_FAILURE): {OPENSSL}CERTIFICATE_VERIFY_FAILED: unable to"
    " get local issuer certificate": "no authority that is known here signed its certificate: name"
    " its authority's certificate with --ca FILE or SIXTYSIX_CA",
    f"Tls handshake failed: {OPENSSL}CERTIFICATE_VERIFY_FAILED: certificate is not yet valid": "its"
    " certificate is not valid yet by this machine's clock",
    "Custom verification check failed with error: UNAUTHENTICATED: Hostname Verification Check"
    " failed.": "its certificate is for another name: use a name that is in it",
    "Peer name far is not in peer certificate": "its certificate is for another name: use a name"
    " that is in it",
    f"Tls handshake failed (TSI_PROTOCOL_FAILURE): {OPENSSL}WRONG_VERSION_NUMBER": "what answers"
    " there speaks no TLS: --insecure goes without it, and then the token can be read on the way",
    "Ssl handshake failed: something else": "the certificate or the handshake was not accepted:"
    " name its authority's certificate with --ca FILE or SIXTYSIX_CA",
}
"""As gRPC 1.76 and 1.85 say it, and what it means."""


@pytest.mark.parametrize("details", MEANINGS)
def test_a_failure_of_tls_is_told_in_words(details: str) -> None:
    told = Target("far:1", tls=True).error_of(Failed(CONNECTING + details), "start one")
    assert isinstance(told, ArenaUnreachable)
    assert str(told) == f"cannot reach far:1 over TLS: {MEANINGS[details]}"


def test_other_failures_are_told_as_without_tls() -> None:
    tls, plain = Target("far:1", tls=True), Target("far:1", tls=False)
    refused = Failed(CONNECTING + "Failed to connect to remote host: Connection refused")
    for target in (tls, plain):
        assert str(target.error_of(refused, "start one")) == (
            "no arena answers at far:1: start one"
        )
    closed = Failed(CONNECTING + "Socket closed")
    assert str(plain.error_of(closed)) == (
        "what answers at far:1 hangs up at once: if it wants TLS, name its authority's certificate"
        " with --ca FILE or SIXTYSIX_CA"
    )
    for details in ("DNS resolution failed for far:1", "errors resolving far:1: [field:lookup]"):
        for target in (tls, plain):
            assert str(target.error_of(Failed(details), "start one")) == (
                "the host of far:1 is not found: is that its name, and can this machine ask for"
                " names?"
            )
    lost = Failed("Socket closed")  # In the middle of a call: it was an arena.
    assert str(plain.error_of(lost)) == "no arena answers at far:1"
    unimplemented = Failed("Method not found!", grpc.StatusCode.UNIMPLEMENTED)
    assert type(tls.error_of(unimplemented)) is ApiError


@pytest.mark.parametrize("insecure", [True, False])
def test_keepalive_has_all_its_time_outs(
    insecure: bool, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the last a frozen arena is noticed after a minute."""
    seen: dict[str, Any] = {}

    def channel(_address: str, *_credentials: Any, options: Any) -> None:
        seen.update(options)

    monkeypatch.setattr(grpc, "insecure_channel" if insecure else "secure_channel", channel)
    find_target("far:1", insecure=insecure, ca=None if insecure else authority.pem).open()
    for name in (
        "grpc.keepalive_time_ms",
        "grpc.keepalive_timeout_ms",
        "grpc.http2.ping_timeout_ms",
    ):
        assert seen[name] == 10_000
    assert "grpc.enable_http_proxy" not in seen
