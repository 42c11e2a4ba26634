"""Certificates from files: what is refused, in which words, and what a renewal does."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID
from support.authorities import Authority

from sixtysix_arena.certificates import Certificate, CertificateFiles
from sixtysix_arena.errors import Invalid


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def read(files: dict[str, Path]) -> Certificate:
    return Certificate.read(files["tls_cert"], files["tls_key"])


@pytest.mark.parametrize("kind", [trustme.KeyType.ECDSA, trustme.KeyType.RSA])
def test_a_certificate_and_its_key(authority: Authority, kind: trustme.KeyType) -> None:
    ends = datetime(2099, 1, 2, 3, 4, 5, tzinfo=UTC)
    files = authority.sign(key_type=kind, not_after=ends)
    found = read(files)
    assert (found.chain, found.key) == (
        files["tls_cert"].read_bytes(),
        files["tls_key"].read_bytes(),
    )
    assert found.expires_at_s == ends.timestamp()


def test_a_chain_and_a_certificate_that_signed_itself(tmp_path: Path) -> None:
    child = trustme.CA().create_child_ca().issue_cert("example.org")
    chain, key = tmp_path / "chain.pem", tmp_path / "chain.key"
    child.private_key_pem.write_to_path(key)
    for pem in child.cert_chain_pems:
        pem.write_to_path(chain, append=True)
    assert chain.read_bytes().count(b"BEGIN") == 2
    assert Certificate.read(chain, key).expires_at_s > 0
    own = sign_itself(tmp_path, ec.generate_private_key(ec.SECP256R1()), SHA256())
    assert Certificate.read(*own).expires_at_s > 0


def test_what_is_no_certificate_and_what_is_no_key(authority: Authority, tmp_path: Path) -> None:
    files = authority.sign()
    chain, key = files["tls_cert"], files["tls_key"]
    junk, empty = tmp_path / "junk", tmp_path / "empty"
    junk.write_bytes(b"\xff\0junk")
    empty.touch()
    for wrong in (junk, empty, key):
        refused(wrong, key, f"^there is no certificate in {wrong}: expected PEM$")
    for wrong in (junk, empty, chain):
        refused(chain, wrong, f"^there is no private key in {wrong}: expected PEM$")
    gone = tmp_path / "gone"
    refused(gone, key, f"^the certificate {gone} cannot be read: No such file or directory$")
    refused(chain, gone, f"^the key {gone} cannot be read: No such file or directory$")


@pytest.mark.parametrize("kind", [trustme.KeyType.ECDSA, trustme.KeyType.RSA])
def test_a_key_of_another_certificate(authority: Authority, kind: trustme.KeyType) -> None:
    files, other = authority.sign(), authority.sign("other", key_type=kind)
    refused(files["tls_cert"], other["tls_key"], "other.key is not that of the certificate")


def test_a_key_with_a_password_is_refused_and_nobody_is_asked_for_it(
    authority: Authority, tmp_path: Path
) -> None:
    files = authority.sign(key_type=trustme.KeyType.RSA)
    key = load_pem_private_key(files["tls_key"].read_bytes(), None)
    locked = tmp_path / "locked.key"
    for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL):
        locked.write_bytes(key.private_bytes(Encoding.PEM, form, BestAvailableEncryption(b"word")))
        refused(files["tls_cert"], locked, "locked.key has a password: take it off")


def test_a_certificate_out_of_its_time(authority: Authority) -> None:
    now, day = datetime.now(UTC), timedelta(days=1)
    with pytest.raises(Invalid, match=r"arena\.pem has expired: renew it$"):
        read(authority.sign_expired())
    with pytest.raises(Invalid, match=r"early\.pem is not valid yet: renew it$"):
        read(authority.sign("early", not_before=now + day, not_after=now + 2 * day))


def test_a_kind_of_key_that_grpc_cannot_use_is_refused_before_anybody_fails_to_join(
    tmp_path: Path,
) -> None:
    chain, key = sign_itself(tmp_path, ed25519.Ed25519PrivateKey.generate(), None)
    refused(chain, key, "uses Ed25519, which gRPC cannot")


def test_a_renewal_is_found_once(authority: Authority) -> None:
    files = CertificateFiles(**names(authority.sign()))
    assert files.renewed() is None
    before = files.current
    authority.sign()
    after = files.renewed()
    assert after is not None
    assert after == files.current != before
    assert files.renewed() is None


def test_a_renewal_that_cannot_be_used_is_logged_once_and_the_old_one_stays(
    authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    paths = authority.sign()
    files = CertificateFiles(**names(paths))
    before = files.current
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            authority.sign_expired()
            assert files.renewed() is None
            assert files.renewed() is None
        paths["tls_key"].unlink()
        assert files.renewed() is None
    assert files.current is before
    assert [record.message for record in caplog.records] == ["a new certificate is not used"] * 4
    assert "has expired" in vars(caplog.records[0])["reason"]
    assert "arena.key cannot be read" in vars(caplog.records[3])["reason"]
    authority.sign()
    assert files.renewed() is not None


def test_a_link_to_files_that_are_replaced(authority: Authority, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        for name, path in names(authority.sign()).items():
            path.rename(folder / name)
    live = tmp_path / "live"
    live.symlink_to(first)
    files = CertificateFiles(live / "chain", live / "key")
    draft = tmp_path / "draft"
    draft.symlink_to(second)
    draft.rename(live)
    found = files.renewed()
    assert found is not None
    assert found.chain == (second / "chain").read_bytes()


def names(files: dict[str, Path]) -> dict[str, Path]:
    return {"chain": files["tls_cert"], "key": files["tls_key"]}


def refused(chain: Path, key: Path, text: str) -> None:
    with pytest.raises(Invalid, match=text):
        Certificate.read(chain, key)


def sign_itself(
    folder: Path, key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey, digest: SHA256 | None
) -> tuple[Path, Path]:
    """A certificate that nobody else signed, and its key."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "arena")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, digest)
    )
    chain_file, key_file = folder / "own.pem", folder / "own.key"
    chain_file.write_bytes(signed.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return chain_file, key_file
