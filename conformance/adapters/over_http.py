"""``http://…`` and ``https://…``: a kernel behind a server, JSON-RPC 2.0 by POST."""

from __future__ import annotations

import ipaddress
import ssl
from urllib.parse import SplitResult, urlsplit

from ...invariants.vocabulary.errors import (
    KernelReferenceError,
    UsageError,
)
from .bearer import TOKEN_VARIABLE, Token
from .conversation import Conversation
from .http_link import HttpLink

_FORM = "http(s)://HOST:PORT/PATH"


class HttpAdapter(Conversation):
    """Posts each request to one address, over one connection for as long as it holds.

    Certificates are checked, against the authorities of the system or of ``SSL_CERT_FILE``;
    redirects are not followed, proxies not used, and a request is never sent twice.

    Args:
        reference: the address.
        timeout: seconds that each call may take, connecting included.
        restarts: how often to connect again after a failure.

    Raises:
        KernelReferenceError: the address makes no sense, or holds a password.
        UsageError: the token makes no sense, or would be sent for everybody to read.
    """

    transport = "http"
    _ends = "the connection ended"
    _again = "new connections"

    def __init__(self, reference: str, *, timeout: float = 10.0, restarts: int = 20) -> None:
        super().__init__(reference, timeout=timeout, restarts=restarts)
        self._url = _address(reference)
        self._token = Token.from_environment()
        if self._token and self._url.scheme == "http" and not _is_this_machine(self._url):
            raise UsageError(
                f"{reference}: {TOKEN_VARIABLE} is set, and over http:// everybody on the way "
                "could read it; use https://, or unset it"
            )
        self._open: HttpLink | None = None

    @property
    def _link(self) -> HttpLink | None:
        return self._open

    def _opened(self) -> HttpLink:
        self._open = HttpLink(self._url, self._token)
        return self._open

    def _closed(self) -> None:
        link, self._open = self._open, None
        if link is not None:
            link.close()

    def _unreached(self, error: OSError) -> str:
        return f"{_words(error)}; {_advice(error)}"


def _address(reference: str) -> SplitResult:
    try:
        url = urlsplit(reference)
        port, host = url.port, url.hostname or ""
        host.encode("idna")
    except ValueError as error:
        raise KernelReferenceError(
            f"{reference!a}: {error}; write http(s)://HOST:PORT/PATH"
        ) from None
    if "@" in url.netloc:
        raise KernelReferenceError(
            f"{url.scheme}://…@{host}: a kernel reference stands in records, so it must not hold "
            f"a password; put a bearer token into {TOKEN_VARIABLE} instead"
        )
    if (
        not host
        or port == 0
        or not (reference.isascii() and reference.isprintable())
        or " " in reference
    ):
        raise KernelReferenceError(
            f"{reference!a} is no address; write http(s)://HOST:PORT/PATH, in ASCII and without "
            "spaces"
        )
    return url


def _is_this_machine(url: SplitResult) -> bool:
    host = url.hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _words(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not to be trusted: {error.verify_message}"
    return error.strerror or str(error) or type(error).__name__


def _advice(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "set SSL_CERT_FILE to the certificate of an authority of your own"
    if isinstance(error, ssl.SSLError):
        return "does the server speak TLS at this port?"
    return "is the server running, and is the address right?"
