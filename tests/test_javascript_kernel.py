"""The second kernel, in JavaScript: conformant, lossless, and gone when nobody speaks to it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.exec import ExecAdapter
from fedcheck.invariants.vocabulary.scenario import AnyStep, Call, Probe, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    AnyEvent,
    ClassifierPrompt,
    Digest,
    ProbeOutcome,
)

KERNEL = Path(__file__).parent.parent / "fixtures" / "kernels" / "javascript" / "kernel.mjs"
PATIENT = 60.0


@pytest.fixture(scope="module")
def command() -> str:
    """Return the command line of the kernel; without Node.js there is nothing to test."""
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI"):
            pytest.fail("CI must have Node.js: install node 20 or newer")
        pytest.skip("no node on PATH; install Node.js 20 or newer to run the JavaScript kernel")
    return shlex.join([node, str(KERNEL)])


@pytest.fixture
def kernel(command: str) -> Iterator[ExecAdapter]:
    """Start the kernel; it is ended after the test."""
    with ExecAdapter(command, timeout=PATIENT) as adapter:
        yield adapter


def events(kernel: ExecAdapter, *steps: AnyStep) -> tuple[AnyEvent, ...]:
    """Return what the kernel answers to these steps."""
    return kernel.run(Scenario(id="javascript", steps=steps))


def test_every_claimed_clause_passes(command: str, tmp_path: Path) -> None:
    """A kernel written from the documents alone is conformant: no judge raises an alarm."""
    record = tmp_path / "run.ndjson"
    words = ["--kernel", f"exec:{command}", "--examples", "3", "--record", str(record)]
    done = subprocess.run(
        [sys.executable, "-m", "fedcheck", "run", *words, "--timeout", f"{PATIENT:g}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    lines = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    verdicts = {x["clause"]: x["verdict"] for x in lines if x["type"] == "clause"}
    of_kernels = {k: v for k, v in verdicts.items() if not k.startswith("C-AGENT-")}
    assert {} == {clause: got for clause, got in of_kernels.items() if got != "pass"}
    assert {"not_claimed"} == set(verdicts.values()) - {"pass"}
    assert "I-CACHE-KEY-SAFETY/safe-key-accepted" in verdicts


def test_describe_claims_every_capability(kernel: ExecAdapter) -> None:
    """What is not claimed is not judged; this kernel claims all there is."""
    description = kernel.describe()
    assert "javascript" == description.kernel
    assert sorted(CAPABILITIES) == sorted(description.capabilities)


@pytest.mark.parametrize(
    "data",
    [
        '{"10":1.0,"2":-0.0,"n":9007199254740993,"e":1e400}',
        '{"__proto__":{"constructor":1},"":[]}',
        '["\\ud800","\\udc00\\ud83d\\ude00"]',
    ],
)
def test_data_survives_word_for_word(kernel: ExecAdapter, data: str) -> None:
    """Numbers keep their text, keys their order, lone surrogates their place."""
    found = events(kernel, Turn(message="m", calls=(Call(data_json=data),)))
    (digest,) = [event for event in found if isinstance(event, Digest)]
    pairs = json.loads(data, parse_float=str, object_pairs_hook=tuple)
    got = json.loads(digest.data_facts_json, parse_float=str, object_pairs_hook=tuple)
    assert pairs == got


def test_a_long_payload_is_not_read_again_from_every_character(kernel: ExecAdapter) -> None:
    """Masking and the narrator's guard answer within the deadline whatever the data."""
    texts = ["x" * 200_000, "x|" * 100_000, "@" * 200_000, "7 " * 100_000, "A-" * 100_000]
    calls = tuple(Call(data_json=json.dumps({"text": text})) for text in texts)
    found = events(kernel, Turn(message="one", calls=calls), Turn(message="two"))
    assert 2 == sum(isinstance(event, ClassifierPrompt) for event in found)


@pytest.mark.parametrize("path", ["constructor", "toString", "user.__proto__", "fact_ledger"])
def test_a_probe_finds_nothing_that_the_language_put_there(kernel: ExecAdapter, path: str) -> None:
    """What every JavaScript object inherits is no part of a handler's context."""
    (outcome,) = events(kernel, Probe(handler="tool", op="get", path=path))
    assert isinstance(outcome, ProbeOutcome)
    assert "absent" == outcome.outcome


def test_it_ends_with_its_stdin(command: str) -> None:
    """After its last answer nothing is left to wait for: exit status 0, silence on stderr."""
    request = '{"jsonrpc":"2.0","id":7,"method":"describe","params":{}}\n'
    done = subprocess.run(
        shlex.split(command),
        input=request,
        capture_output=True,
        text=True,
        timeout=PATIENT,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert 7 == json.loads(done.stdout)["id"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601),
        ('{"jsonrpc":"2.0","id":1}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"run","params":{}}', -32603),
        ("poem", -32700),
    ],
)
def test_a_request_that_cannot_be_answered(command: str, line: str, code: int) -> None:
    """Each line has one answer: an error object, and the kernel lives on to read the next."""
    describe = '{"jsonrpc":"2.0","id":2,"method":"describe"}'
    done = subprocess.run(
        shlex.split(command),
        input=f"{line}\n{describe}\n",
        capture_output=True,
        text=True,
        timeout=PATIENT,
        check=False,
    )
    refused, answered = (json.loads(answer) for answer in done.stdout.splitlines())
    assert code == refused["error"]["code"]
    assert "javascript" == answered["result"]["kernel"]
