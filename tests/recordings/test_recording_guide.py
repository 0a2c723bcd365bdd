"""The code of docs/recording.md, run as it stands there, and what an audit finds in its spans."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from fedcheck.conformance.recordings.auditing import Audited
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.trace import Trace

from .kernels_as_spans import as_told
from .made import ROOT, audited, seen
from .test_kernels_as_spans import catching, traces_of

pytest.importorskip("opentelemetry.sdk.trace", reason="needs the extra `test`")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra `test`")

_TEAM = Path(__file__).with_name("team.py")

_PROMISED = {
    "arguments-unchanged", "json-kept", "values-kept", "no-result-without-a-run",
    "no-call-unasked", "at-most-once", "every-call-runs", "one-result-each", "no-orphan",
    "own-values-only", "no-python-repr",
}  # fmt: skip

_OF_KERNELS = {
    "digest-of-last-call": "C-LEDGER-DIGEST-FIELDS/one-per-call",
    "cache-of-all-users": "C-CACHE-ISOLATION/per-user",
    "skeleton-alert-of-three-lines": "C-SKELETON-ALERT/one-line",
    "narrator-sees-store": "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/isolation",
    "guard-absent": "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/guard",
    "skeleton-every-field": "C-SKELETON-COMPRESSION/at-most-six-fields",
    "skeleton-note-missing": "I-SKELETON-STALENESS-ENVELOPE/staleness-stated",
    "store-of-all-users": "C-STORE-ISOLATION/per-user",
}
"""A broken kernel → the clause by which the guide's spans show it."""


class _Collector(ThreadingHTTPServer):
    """Takes what an SDK exports to it over HTTP."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.messages: list[bytes] = []


class _Request(BaseHTTPRequestHandler):
    server: _Collector

    def do_POST(self) -> None:
        """Keep a message."""
        self.server.messages.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_told: object) -> None:
        """Say nothing."""


@contextmanager
def _collecting() -> Iterator[_Collector]:
    with _Collector() as collector:
        Thread(target=collector.serve_forever, daemon=True).start()
        yield collector
        collector.shutdown()


def _as_json(message: bytes) -> str:
    """A message as the collector's file exporter writes it: a line of OTLP as JSON."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

    return json.dumps(_with_ids(MessageToDict(TracesData.FromString(message))))


def _with_ids(told: Any) -> Any:
    """OTLP writes ids in hexadecimal, protobuf's own JSON in base 64."""
    if isinstance(told, list):
        return [_with_ids(each) for each in told]
    if not isinstance(told, dict):
        return told
    return {
        key: b64decode(each).hex()
        if key in ("traceId", "spanId", "parentSpanId")
        else _with_ids(each)
        for key, each in told.items()
    }


def _recordings(folder: Path, *what: str) -> list[Path]:
    """Run the guide's code; return its own file, and those of a collector."""
    code = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "recording.md").read_text(), re.DOTALL
    )
    (folder / "guide.py").write_text("\n\n".join(code), encoding="utf-8")
    with _collecting() as collector:
        address = f"http://127.0.0.1:{collector.server_port}"
        env = os.environ | {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_SERVICE_NAME": "mails"}
        subprocess.run([sys.executable, _TEAM, *what], cwd=folder, env=env, check=True, timeout=60)
    framed = [len(each).to_bytes(4, "big") + each for each in collector.messages]
    (folder / "collected.pb").write_bytes(b"".join(framed))
    (folder / "collected.jsonl").write_text("\n".join(map(_as_json, collector.messages)))
    return [folder / "spans.pb", folder / "collected.pb", folder / "collected.jsonl"]


def _audited(folder: Path, *what: str) -> Audited:
    """Audit the recordings: they say the same."""
    one, *others = (audited(each) for each in _recordings(folder, *what))
    for other in others:
        assert seen(one) == seen(other)
    assert ({}, {}) == (one.judged.errors, dict(one.judged.remarks.counts))
    return one


def _red(found: Audited) -> set[str]:
    return {clause for clause, tally in found.judged.tallies.items() if tally.kinds}


def test_an_agent_of_the_guide_is_judged(tmp_path: Path) -> None:
    """By what the guide promises, turn by turn; nothing is broken."""
    found = _audited(tmp_path, "agent", "none")

    assert set() == _red(found)
    assert dict.fromkeys(_PROMISED, (6, 0, 0)) == {
        name: turns for name, turns in seen(found).items() if name in _PROMISED
    }


@pytest.mark.parametrize(
    ("fault", "clause"),
    [
        ("a wrong count", "C-AGENT-FIDELITY/values-kept"),
        ("another user's value", "C-RECORDED-ISOLATION/own-values-only"),
    ],
)
def test_a_broken_agent_of_the_guide_is_found(fault: str, clause: str, tmp_path: Path) -> None:
    """By the clause that it breaks."""
    assert {clause} == _red(_audited(tmp_path, "agent", fault))


def _kernel(traces: tuple[Trace, ...], folder: Path) -> Audited:
    path = folder / "traces.jsonl"
    told = (to_json(as_told(trace)) for trace in traces)
    path.write_text("\n".join(told), encoding="ascii")
    return _audited(folder, "kernel", str(path))


def test_a_kernel_of_the_guide_is_judged(tmp_path: Path) -> None:
    """It keeps each of the clauses that the broken ones break."""
    every = tuple(
        trace
        for name, clause in _OF_KERNELS.items()
        for trace in traces_of("reference", catching(name, clause))
    )
    found = _kernel(every, tmp_path)

    assert set() == _red(found)
    assert {*_OF_KERNELS.values()} <= {
        clause for clause, tally in found.judged.tallies.items() if tally.turns_kept
    }


def test_broken_kernels_of_the_guide_are_found(tmp_path: Path) -> None:
    """By the clauses that they break."""
    every = tuple(
        trace
        for name, clause in _OF_KERNELS.items()
        for trace in traces_of(f"mutant:{name}", catching(name, clause))
    )

    assert {*_OF_KERNELS.values()} <= _red(_kernel(every, tmp_path))
