"""The model endpoint, asked by the providers' official clients in JavaScript."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.agent.endpoint import Endpoint
from fedcheck.invariants.vocabulary.scenario import AgentTurn, Call, ModelFault, Turn
from fedcheck.invariants.vocabulary.trace import ModelRequest

PROGRAM = Path(__file__).with_name("clients.cjs")
PATIENT = 60.0
FAULTS = (ModelFault(kind="rate_limit"), ModelFault(request=1, kind="server_error"))
TURN = Turn(
    message="hello",
    calls=(Call(), Call(app="beta", function="list_items")),
    draft="Dóne: \U0001f389",
    agent=AgentTurn(faults=FAULTS),
)


@pytest.fixture(scope="module")
def node() -> str:
    """Return Node.js, where it finds both clients (NODE_PATH names the folder of modules)."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("no node on PATH; install Node.js 20 or newer")
    program = "require.resolve('openai'); require.resolve('@anthropic-ai/sdk')"
    if subprocess.run([found, "-e", program], capture_output=True, check=False).returncode:
        pytest.skip("no clients: npm install openai @anthropic-ai/sdk, and name them by NODE_PATH")
    return found


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Return an endpoint."""
    served = Endpoint()
    yield served
    served.close()
    assert [] == served.faults


@pytest.mark.parametrize("wire", ["chat_completions", "responses", "messages"])
@pytest.mark.parametrize("stream", ["false", "true"])
def test_a_turn_with_refusals(endpoint: Endpoint, node: str, wire: str, stream: str) -> None:
    """Two calls side by side, then the text; what was refused is asked again."""
    message = endpoint.script.begin(1, TURN)
    done = subprocess.run(
        [node, str(PROGRAM), endpoint.url, wire, stream, message],
        capture_output=True,
        check=False,
        timeout=PATIENT,
    )
    assert b"" == done.stderr
    told = json.loads(done.stdout)
    requests = [seen.event for seen in endpoint.take() if isinstance(seen.event, ModelRequest)]

    assert TURN.draft == told["reply"]
    assert [["alpha_read_items", {"ref": "t1c0"}], ["beta_list_items", {"ref": "t1c1"}]] == told[
        "told"
    ]
    assert ["rate_limit", "calls", "server_error", "text"] == [r.answered for r in requests]
    assert {(wire, stream == "true")} == {(r.wire, r.stream) for r in requests}
