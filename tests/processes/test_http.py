"""Kernels behind a web server: what is promised to them, and what they may do to us."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.over_http import HttpAdapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.errors import (
    KernelCrashed,
    KernelError,
    KernelReferenceError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
    UsageError,
)
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

from .web import Web

TOKEN = "s3cret-T0ken/of.ours+1=="
PATIENT = 60.0
SHORT = 0.5

Open = Callable[..., HttpAdapter]


@pytest.fixture(autouse=True)
def _without_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FEDCHECK_TOKEN", raising=False)


@pytest.fixture
def web() -> Iterator[Web]:
    """Serve, and stop in the end."""
    server = Web()
    yield server
    server.close()


@pytest.fixture
def opened() -> Iterator[Open]:
    """Open kernels by address, with much patience; they are closed in the end."""
    adapters: list[HttpAdapter] = []

    def open_it(address: str, timeout: float = PATIENT) -> HttpAdapter:
        adapter = open_kernel(address, timeout=timeout)
        assert isinstance(adapter, HttpAdapter)
        adapters.append(adapter)
        return adapter

    yield open_it
    for adapter in adapters:
        adapter.close()


def turn(name: str) -> Scenario:
    """Return a scenario of one turn whose id tells the server what to do."""
    return Scenario(id=name, steps=(Turn(message="m"),))


def failure(adapter: HttpAdapter, name: str, kind: type[KernelError]) -> KernelError:
    """Run a scenario that must fail in this way; the next one must then be served."""
    adapter.describe()
    adapter.timeout = SHORT if kind is KernelTimeout else PATIENT
    with pytest.raises(KernelError) as raised:
        adapter.run(turn(name))
    adapter.timeout = PATIENT
    assert kind is type(raised.value), raised.value
    assert str(raised.value).startswith(f"{adapter.reference}: scenario {name!r}: ")
    assert 1 == len(adapter.run(turn("fine")))
    return raised.value


def test_one_connection_serves_every_request(web: Web, opened: Open) -> None:
    """Two descriptions and two scenarios travel over the same connection."""
    adapter = opened(web.address)
    assert "web" == adapter.describe().kernel
    assert [1, 1] == [len(adapter.run(turn(name))) for name in ("fine", "streamed")]
    assert (1, 4) == (web.connections, len(web.requests))


def test_path_and_query_are_kept(web: Web, opened: Open) -> None:
    """The request goes where the reference says, as JSON, and asks for nothing packed."""
    opened(f"{web.address}/kernels/4?strict=1").describe()
    request = web.requests[0]
    assert "/kernels/4?strict=1" == request["target"]
    assert ("application/json", "identity") == (request["content-type"], request["accept-encoding"])
    assert "authorization" not in request


@pytest.mark.parametrize("name", ["streamed", "indented", "then closed", "said closed", "old"])
def test_answers_of_every_kind(web: Web, opened: Open, name: str) -> None:
    """Lines, indented JSON, HTTP/1.0, and servers that close when they like: all are read."""
    adapter = opened(web.address)
    for each in (name, name, "fine"):
        assert 1 == len(adapter.run(turn(each)))
        time.sleep(0.1)  # a server that closes without a word must have done so by now


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("close", KernelCrashed, "the connection ended instead of answering"),
        ("reset", KernelCrashed, "the connection ended instead of answering"),
        ("cut", ProtocolError, "half a line, then the end of output: '{'"),
        ("hang", KernelTimeout, "no answer within 0.5 s; find out"),
        ("drip head", KernelTimeout, "no answer within 0.5 s; find out"),
        ("drip body", KernelTimeout, "no answer within 0.5 s, only '{xx"),
        ("endless headers", ProtocolError, "no HTTP answer: 'HTTPException got more than 100"),
        ("endless body", ProtocolError, "a line of more than 16,777,216 bytes"),
        ("no http", ProtocolError, "no HTTP answer: 'BadStatusLine SSH-2.0-OpenSSH_9.7"),
        ("packed", ProtocolError, "the answer is encoded as 'gzip'"),
        ("redirect", ProtocolError, "a redirect to 'https://elsewhere/?t=', which is not followed"),
        ("html", ProtocolError, "status 500 'Internal Server Error', 'text/html'; got '<html>"),
        ("html as success", ProtocolError, "not JSON: Expecting value; got '<html>"),
        ("unauthorized", ProtocolError, "Set FEDCHECK_TOKEN to a bearer token"),
        ("endless page", ProtocolError, "503 'Busy', 'no content type'; got 'busy busy"),
        ("empty", ProtocolError, "the HTTP response ends without an answer"),
        ("streamed alone", ProtocolError, "the HTTP response ends without an answer"),
        ("no content", ProtocolError, "HTTP status 204 'No Content'"),
        ("wrong id", ProtocolError, "the answer has id 4, the request had 3"),
        ("two answers", ProtocolError, "not JSON: Extra data"),
        ("two lines", ProtocolError, "after the answer came '{"),
        ("error", ProtocolError, "the kernel answered error -32000: 'no disk'"),
        ("streamed then reset", KernelCrashed, "the connection ended instead of answering"),
        ("streamed then hang", KernelTimeout, "no answer within 0.5 s"),
    ],
)
def test_what_servers_do(
    web: Web, opened: Open, name: str, kind: type[KernelError], message: str
) -> None:
    """Each misdeed has its error with what was got, in time; the next one is served."""
    error = failure(opened(web.address), name, kind)
    assert message in str(error)
    assert str(error).isprintable()
    assert (1 if "streamed" in name else 0) == len(error.events)


def test_answer_without_an_end(web: Web, opened: Open) -> None:
    """Who has answered but goes on sending holds up everybody, and is told so."""
    adapter = opened(web.address)
    adapter.describe()
    adapter.timeout = SHORT
    with pytest.raises(ProtocolError, match="the HTTP response does not end"):
        adapter.run(turn("streamed without end"))


@pytest.mark.parametrize(
    ("path", "kind"),
    [("html", ProtocolError), ("hang", KernelUnreachable), ("reset", KernelUnreachable)],
)
def test_server_that_does_not_describe(
    web: Web, opened: Open, path: str, kind: type[KernelError]
) -> None:
    """A kernel that does not say who it is cannot be judged."""
    adapter = opened(f"{web.address}/{path}", timeout=SHORT)
    with pytest.raises(kind, match=": describe: "):
        adapter.describe()


def test_no_connection_is_left_open(web: Web, opened: Open) -> None:
    """However a call ended, there is one connection in the end, and none after closing."""
    adapter = opened(web.address)
    adapter.restarts = 100
    adapter.run(turn("fine"))
    before = _sockets()
    for name in ("close", "reset", "cut", "html", "endless headers", "said closed", "old"):
        with contextlib.suppress(KernelError):
            adapter.run(turn(name))
        adapter.run(turn("fine"))
    web.wait_for_the_open()
    assert before == _sockets()


def _sockets() -> int:
    links = [_target(link) for link in Path("/proc/self/fd").iterdir()]
    return sum(target.startswith("socket:") for target in links)


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def test_nobody_listens(opened: Open) -> None:
    """A refused connection says so, and what to look at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(KernelUnreachable, match=r"Connection refused; is the server running"):
        opened(f"http://127.0.0.1:{port}").describe()


def test_server_that_goes_away_is_given_up(web: Web, opened: Open) -> None:
    """After some refused connections nobody is asked any more."""
    adapter = opened(web.address)
    adapter.describe()
    adapter.restarts = 1
    web.close()
    errors = [raised_by(adapter) for _ in range(4)]
    assert "given up after 1 new connections" in str(errors[-1])
    assert {KernelUnreachable, KernelCrashed} >= {type(error) for error in errors}


def raised_by(adapter: HttpAdapter) -> KernelError:
    """Return what a scenario ends in."""
    with pytest.raises(KernelError) as raised:
        adapter.run(turn("fine"))
    return raised.value


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("http://", "is no address"),
        ("https:///path", "is no address"),
        ("http://h:0/", "is no address"),
        ("http://h:99999999/", "Port out of range"),
        ("http://h/a b", "is no address"),
        ("http://h/\u044f", "is no address"),
        (f"http://{'h' * 70}.test/", "label"),
        ("http://[::1/", "Invalid IPv6 URL"),
    ],
)
def test_addresses_that_are_none(reference: str, message: str) -> None:
    """What is no address is told before anything is sent."""
    with pytest.raises(KernelReferenceError, match=message):
        open_kernel(reference)


def test_password_in_the_address_is_refused_and_not_repeated() -> None:
    """A reference stands in records, so a password must not stand in it."""
    with pytest.raises(KernelReferenceError, match="FEDCHECK_TOKEN") as raised:
        open_kernel("https://anna:hunter22@example.test/")
    assert "hunter22" not in str(raised.value)


def test_token_is_sent_and_never_shown(
    web: Web, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that repeats the token, in an event or in an error, cannot make us show it."""
    monkeypatch.setenv("FEDCHECK_TOKEN", TOKEN)
    adapter = opened(web.address)
    (event,) = adapter.run(turn("echo"))
    errors = [failure(adapter, name, ProtocolError) for name in ("unauthorized", "redirect")]
    shown = [to_json(event), repr(adapter.__dict__), *map(str, errors)]

    assert f"bearer {TOKEN}".lower() == web.requests[0]["authorization"]
    assert ["I know ***" in shown[0], "who is ***" in shown[2], "?t=***" in shown[3]] == [True] * 3
    assert [] == [text for text in shown if TOKEN in text or TOKEN.replace("/", "\\/") in text]


def test_token_stands_in_no_output_of_a_run(tmp_path: Path) -> None:
    """Neither the record nor the terminal shows it, however often the server repeats it."""
    server = Web(None, lambda _: "echo failure")
    words = ["run", "--no-config", "--select", "I-CLASSIFIER-*", "--examples", "1"]
    words += ["--record", "run.ndjson", "--kernel", server.address]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "fedcheck", *words],
            cwd=tmp_path,
            env={**os.environ, "FEDCHECK_TOKEN": TOKEN},
            capture_output=True,
            timeout=120,
            check=False,
        )
    finally:
        server.close()
    written = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    everything = b"".join([done.stdout, done.stderr, *written.values()])

    assert f"bearer {TOKEN}".lower() == server.requests[-1]["authorization"]
    assert b"I know ***" in written["run.ndjson"]
    assert (TOKEN.encode() in everything, TOKEN.encode().lower() in everything) == (False, False)


def test_token_is_not_sent_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over plain HTTP it goes to this machine only."""
    monkeypatch.setenv("FEDCHECK_TOKEN", TOKEN)
    with pytest.raises(UsageError, match="use https://") as raised:
        open_kernel("http://kernel.test/")
    assert TOKEN not in str(raised.value)
    for reference in ("https://kernel.test/", "http://[::1]/", "http://127.0.0.2/"):
        assert "http" == open_kernel(reference).transport


@pytest.mark.parametrize("token", ["short", "with space", "line\nfeed!", "caf\u00e9-caf\u00e9"])
def test_token_that_cannot_be_one(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that no header takes, or that could not be told from other text, is refused."""
    monkeypatch.setenv("FEDCHECK_TOKEN", token)
    with pytest.raises(UsageError, match="its value is not shown") as raised:
        open_kernel("https://kernel.test/")
    assert token not in str(raised.value)


def test_started_kernels_do_not_see_the_token(
    raw_reference: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is for the server alone: a process that prints its environment cannot print it."""
    monkeypatch.setenv("FEDCHECK_TOKEN", TOKEN)
    with open_kernel(f"{raw_reference()} {tmp_path / 'environment'}") as adapter:
        adapter.run(turn("tell environment"))
    environment = json.loads((tmp_path / "environment").read_text())
    assert ("PATH" in environment, "FEDCHECK_TOKEN" in environment) == (True, False)
