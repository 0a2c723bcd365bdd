"""Kernels behind TLS: a certificate must be one that we trust, for the name that we asked."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.errors import KernelUnreachable
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

from .web import Web

FINE = Scenario(id="fine", steps=(Turn(message="m"),))

Serve = Callable[[str], Web]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serve with a fresh certificate for a name, which the system does not trust."""
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("FEDCHECK_TOKEN", raising=False)
    servers: list[Web] = []

    def started(name: str) -> Web:
        file = certificate(name, tmp_path / "certificate.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        servers.append(Web(context))
        return servers[-1]

    yield started
    for server in servers:
        server.close()


def certificate(name: str, file: Path) -> Path:
    """Write a self-signed certificate and its key."""
    x509 = pytest.importorskip("cryptography.x509", reason="needs the extra `sign`")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.timezone.utc)
    made = (
        x509.CertificateBuilder(subject_name=subject, issuer_name=subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + made.public_bytes(pem))
    return file


def test_unknown_certificate_is_refused(serve: Serve) -> None:
    """Nobody vouches for it, so nothing is sent; the message says what can be done."""
    server = serve("localhost")
    with (
        open_kernel(server.address) as adapter,
        pytest.raises(KernelUnreachable, match=r"not to be trusted: self.signed.*SSL_CERT_FILE"),
    ):
        adapter.describe()
    assert [] == server.requests


def test_certificate_for_another_name_is_refused(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A trusted certificate of somebody else is not ours."""
    server = serve("elsewhere.test")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    with (
        open_kernel(server.address) as adapter,
        pytest.raises(KernelUnreachable, match="Hostname mismatch"),
    ):
        adapter.describe()
    assert [] == server.requests


def test_trusted_certificate_is_taken(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With an authority of one's own everything is as over plain HTTP, on one connection."""
    server = serve("localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    monkeypatch.setenv("FEDCHECK_TOKEN", "a-token-over-tls")
    with open_kernel(server.address) as adapter:
        assert [1, 1, 1] == [len(adapter.run(FINE)) for _ in range(3)]
    assert (1, 5) == (server.connections, len(server.requests))
    assert "bearer a-token-over-tls" == server.requests[4]["authorization"]


def test_plain_http_where_tls_is_expected() -> None:
    """The wrong scheme is told from a wrong certificate."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = threading.Thread(target=_answer_plainly, args=(listener,))
        answering.start()
        with (
            open_kernel(f"https://localhost:{listener.getsockname()[1]}") as adapter,
            pytest.raises(KernelUnreachable, match="does the server speak TLS at this port"),
        ):
            adapter.describe()
        answering.join()


def _answer_plainly(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def test_handshake_that_never_ends() -> None:
    """The deadline holds from the first packet on: who accepts and then says nothing is left."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        open_kernel(f"https://localhost:{listener.getsockname()[1]}", timeout=0.5) as adapter,
        pytest.raises(KernelUnreachable, match=r"no answer within 0\.5 s"),
    ):
        adapter.describe()
