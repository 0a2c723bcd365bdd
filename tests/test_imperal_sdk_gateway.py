"""The gateway that stands in for the platform, and what is said where the SDK is missing."""

from __future__ import annotations

import http.client
import json
import sys
from importlib.metadata import PackageNotFoundError
from urllib.parse import urlsplit

import pytest

from fedcheck.conformance.adapters.imperal_sdk import package
from fedcheck.conformance.adapters.imperal_sdk.gateway import Gateway
from fedcheck.invariants.vocabulary.errors import KernelReferenceError


def request(url: str, method: str, body: bytes | None = None) -> tuple[int, bytes]:
    """Send a request as any HTTP client would; return status and body."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=5)
    try:
        connection.request(method, address.path, body)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


class TestGateway:
    """The gateway stores what arrives and is the judge of nothing."""

    def test_gives_back_the_envelope_that_arrived(self) -> None:
        """A read of a cache entry gives its envelope, unchanged in value."""
        shelf = Gateway().open_shelf()
        url = f"{shelf.url}/v1/internal/extcache/alpha/u1/m/00"
        body = b'{"envelope":{"data":[1.0,9007199254740993,"\\ud800"]},"ttl_seconds":60}'
        assert (204, b"") == request(url, "PUT", body)
        status, answer = request(url, "GET")
        assert (200, '{"data": [1.0, 9007199254740993, "\\ud800"]}') == (status, answer.decode())
        assert [body] == list(shelf.bodies.values())

    def test_refuses_nothing(self) -> None:
        """Neither a life nor a size that the platform forbids is refused here."""
        shelf = Gateway().open_shelf()
        url = f"{shelf.url}/v1/internal/extcache/alpha/u1/m/01"
        body = json.dumps({"envelope": {"data": "x" * 100_000}, "ttl_seconds": 10**9}).encode()
        assert 204 == request(url, "PUT", body)[0]
        assert 200 == request(url, "GET")[0]

    def test_forgets_what_is_deleted(self) -> None:
        """A deleted entry is not found, and deleting it again says so."""
        shelf = Gateway().open_shelf()
        url = f"{shelf.url}/v1/internal/extcache/alpha/u1/m/02"
        request(url, "PUT", b'{"envelope":{}}')
        statuses = [request(url, "DELETE")[0], request(url, "DELETE")[0], request(url, "GET")[0]]
        assert [204, 404, 404] == statuses

    def test_keeps_scenarios_apart(self) -> None:
        """What one scenario stored, another does not find; a closed one finds nothing."""
        gateway = Gateway()
        first, second = gateway.open_shelf(), gateway.open_shelf()
        first.put_section("alpha", "u1", "overview", {"total": 3})
        path = "/v1/internal/skeleton/alpha/u1/overview"
        assert (200, b'{"data": {"total": 3}}') == request(first.url + path, "GET")
        assert 404 == request(second.url + path, "GET")[0]
        gateway.close_shelf(first)
        assert 404 == request(first.url + path, "GET")[0]
        assert 404 == request(first.url + path, "PUT", b"{}")[0]

    def test_says_that_a_body_has_no_envelope(self) -> None:
        """A body in another form is the gateway's failure, not a miss."""
        shelf = Gateway().open_shelf()
        url = f"{shelf.url}/v1/internal/extcache/alpha/u1/m/03"
        for body in (b"[]", b"{}", b"not JSON"):
            request(url, "PUT", body)
            assert 502 == request(url, "GET")[0]


class TestMissing:
    """Without the SDK, one clear message."""

    def test_names_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A module that cannot be imported is reported with what to do next."""
        monkeypatch.setitem(sys.modules, "imperal_sdk", None)
        with pytest.raises(KernelReferenceError, match="pip install imperal-sdk"):
            package.load()

    def test_names_the_distribution(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A distribution that is not installed is reported with what to do next."""

        def absent(name: str) -> str:
            raise PackageNotFoundError(name)

        monkeypatch.setattr(package, "version", absent)
        with pytest.raises(KernelReferenceError, match="imperal-sdk is not installed"):
            package.installed_version()
