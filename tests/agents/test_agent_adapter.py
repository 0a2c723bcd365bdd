"""Agents that are driven without an adapter of their own: what comes out, and what goes wrong."""

from __future__ import annotations

import os
import re
import shlex
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fedcheck.__main__ import cli
from fedcheck.conformance.adapters.agent import adapter as module
from fedcheck.conformance.adapters.agent.adapter import AgentAdapter
from fedcheck.conformance.adapters.agent.traffic import _far, departures
from fedcheck.conformance.adapters.own_process import Hosting
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.conformance.running.smoke import Exchange, smoke
from fedcheck.invariants.vocabulary.errors import (
    FedcheckError,
    KernelCrashed,
    KernelReferenceError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
    UsageError,
)
from fedcheck.invariants.vocabulary.protocol import problems
from fedcheck.invariants.vocabulary.scenario import (
    AgentTurn,
    AnyStep,
    CacheGet,
    Call,
    Confirm,
    ModelFault,
    Restart,
    Scenario,
    Turn,
)
from fedcheck.invariants.vocabulary.trace import (
    AgentFailed,
    AnyEvent,
    CallDispatched,
    CardCall,
    ConfirmationCard,
    Event,
    Given,
    ModelRequest,
    Reply,
    Restarted,
    StepFailed,
    Trace,
)

HERE = Path(__file__).parent
PATIENT = 60.0
AGENT = AgentTurn()


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the guests from the current folder, as users do."""
    monkeypatch.chdir(HERE)


@pytest.fixture(scope="module")
def agent() -> Iterator[AgentAdapter]:
    """Return the agent that keeps its sessions in files."""
    before = Path.cwd()
    os.chdir(HERE)
    try:
        with AgentAdapter("agent:guests:chat", timeout=PATIENT) as adapter:
            adapter.describe()
            yield adapter
    finally:
        os.chdir(before)


def _scenario(*steps: AnyStep) -> Scenario:
    return Scenario(id="test", steps=steps)


def _turn(
    message: str = "hello", *calls: Call, session: str = "s", agent: AgentTurn = AGENT
) -> Turn:
    return Turn(message=message, session=session, calls=calls, agent=agent)


def _ran(reference: str, *steps: AnyStep, timeout: float = PATIENT) -> tuple[AnyEvent, ...]:
    with AgentAdapter(f"agent:guests:{reference}", timeout=timeout) as adapter:
        return adapter.run(_scenario(*steps))


def _kinds(events: tuple[AnyEvent, ...]) -> list[type[Event]]:
    return [type(event) for event in events]


def _requests(events: tuple[AnyEvent, ...]) -> list[ModelRequest]:
    return [event for event in events if isinstance(event, ModelRequest)]


def test_a_turn_shows_requests_calls_and_reply(agent: AgentAdapter) -> None:
    """In the order in which they happened; our mark and our reference are taken out again."""
    given = AgentTurn(arguments=('{"value":9007199254740993}',))
    events = agent.run(_scenario(_turn("hello", Call(data_json='{"a":1.0}'), agent=given)))

    assert [ModelRequest, CallDispatched, ModelRequest, Reply] == _kinds(events)
    first, call, last, reply = events
    assert isinstance(first, ModelRequest)
    assert isinstance(call, CallDispatched)
    assert isinstance(last, ModelRequest)
    assert isinstance(reply, Reply)
    assert ("hello", 15, "calls") == (
        first.prompt[0].content,
        len(first.tools or ()),
        first.answered,
    )  # type: ignore[union-attr]
    assert '{"value": 9007199254740993}' == call.args_json
    assert '{"a":1.0}' == last.prompt[-1].content  # type: ignore[union-attr]
    assert "Done." == reply.text


def test_sessions_outlive_a_restart(agent: AgentAdapter) -> None:
    """The new process has the same folder."""
    steps = (_turn("one", session="kept"), Restart(), _turn("two", session="kept"))
    events = agent.run(_scenario(*steps))

    assert [ModelRequest, Reply, Restarted, ModelRequest, Reply] == _kinds(events)
    assert ["one", "Done.", "two"] == [m.content for m in _requests(events)[-1].prompt]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["chat", "slow_chat"])
def test_turns_overlap(name: str) -> None:
    """The second is asked for before the first has its answer."""
    together = AgentTurn(overlaps=True)
    steps = (
        _turn("one", Call(data_json="1"), session="a"),
        _turn("two", Call(data_json="2"), session="b", agent=together),
    )
    events = _ran(name, *steps)

    assert {0, 1} == {event.step for event in events[:2] if isinstance(event, ModelRequest)}
    last = {r.step: r.prompt[-1].content for r in _requests(events) if r.number == 1}  # type: ignore[union-attr]
    assert {0: "1", 1: "2"} == last


def test_faults_of_the_model(agent: AgentAdapter) -> None:
    """The same request comes again, and is told as such."""
    faults = (ModelFault(kind="rate_limit"), ModelFault(kind="server_error"))
    events = agent.run(_scenario(_turn(agent=AgentTurn(faults=faults))))

    told = [(r.number, r.attempt, r.answered) for r in _requests(events)]
    assert [(0, 0, "rate_limit"), (0, 1, "server_error"), (0, 2, "text")] == told


def test_what_it_claims(agent: AgentAdapter) -> None:
    """Its claims are its description."""
    told = agent.describe()

    assert ("guest", "7") == (told.kernel, told.version)
    assert (
        "agent",
        "agent_recall",
        "agent_users",
        "agent_restart",
        "agent_overlap",
        "agent_streams",
    ) == told.capabilities
    assert "hosted" == agent.transport


def _dropping(message: str, session: str) -> Turn:
    given = AgentTurn(arguments=('{"n":7}',))
    return _turn(message, Call(function="drop_item"), session=session, agent=given)


def test_what_waits_and_what_an_answer_runs() -> None:
    """A card in place of a reply; what runs after the answer is told in the answer's step."""
    yes = Confirm(message="drop it", session="s1", of_agent=True)
    no = Confirm(message="drop that", session="s2", decision="reject", of_agent=True)
    with AgentAdapter("agent:guests:asking", timeout=PATIENT) as adapter:
        events = adapter.run(
            _scenario(_dropping("drop it", "s1"), _dropping("drop that", "s2"), yes, no, yes)
        )

    told = [(event.step, type(event)) for event in events if not isinstance(event, ModelRequest)]
    assert [
        (0, ConfirmationCard),
        (1, ConfirmationCard),
        (2, CallDispatched),
        (2, Reply),
        (3, Reply),
        (4, AgentFailed),
    ] == told
    (card,) = (each for each in events if isinstance(each, ConfirmationCard) and each.step == 0)
    shown = CardCall(
        call=0,
        app="alpha",
        function="drop_item",
        args_json='{"n":7}',
        action_type="destructive",
    )
    assert (shown,) == card.calls


def test_what_waits_has_to_be_claimed() -> None:
    """An agent that claims nothing has no calls wait."""
    with pytest.raises(ProtocolError, match='"confirm" is not claimed'):
        _ran("unclaimed", _turn("hi"))


def test_what_waits_is_what_the_model_asked_for() -> None:
    """A card with another call is an error and no verdict."""
    failed = [x.message for x in _ran("inventing", _turn("hi")) if isinstance(x, StepFailed)]
    assert ["alpha_drop_item is pending, and the model did not ask for it"] == failed


def test_other_steps_are_refused(agent: AgentAdapter) -> None:
    """By name."""
    (failed,) = agent.run(_scenario(CacheGet(key="k")))

    assert isinstance(failed, StepFailed)
    assert "cache_get" in failed.message


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("deaf", "no request reached the model endpoint"),
        ("without_tools", "offered no tool"),
        ("unmarked", "belongs to no turn"),
        ("lost", "/v1/embeddings"),
    ],
)
def test_what_is_not_wired_is_no_verdict(name: str, words: str) -> None:
    """The turn is an error that says what is missing."""
    with AgentAdapter(f"agent:guests:{name}", timeout=PATIENT) as adapter:
        kernel, scenario = adapter.describe(), _scenario(_turn("hi", Call()))
        given = Given(step=0, stimulus=scenario.steps[0])
        trace = Trace(events=(given, *adapter.run(scenario)), kernel=kernel)

    assert any(words in problem.message for problem in problems(trace))


def test_a_turn_that_fails() -> None:
    """The error is told, and the next turn is taken."""
    events = _ran("failing", _turn("a"), _turn("b"))

    assert ["SystemExit: no a [t1]", "SystemExit: no b [t2]"] == [
        event.message for event in events if isinstance(event, AgentFailed)
    ]


def test_a_reply_that_is_no_text() -> None:
    """It ends the turn with an error."""
    (event,) = _ran("number", _turn())

    assert isinstance(event, AgentFailed)
    assert "got int" in event.message


def test_a_process_that_dies() -> None:
    """A crash, with its exit status and last words; then it is started again."""
    with AgentAdapter("agent:guests:dying", timeout=PATIENT) as adapter:
        for _ in range(2):
            with pytest.raises(KernelCrashed, match="exit status 5") as caught:
                adapter.run(_scenario(_turn()))
            assert "I am done" in caught.value.stderr_tail


def test_a_turn_that_hangs() -> None:
    """A timeout; what was asked before is told."""
    with AgentAdapter("agent:guests:hanging", timeout=1.0) as adapter:
        with pytest.raises(KernelTimeout, match="no answer within 1 s") as caught:
            adapter.run(_scenario(_turn("first"), _turn("second")))
        assert ["model_request", "reply"] == [event["event"] for event in caught.value.events]  # type: ignore[index]


def test_a_flood() -> None:
    """A line that is too long is an error."""
    with pytest.raises(ProtocolError, match="a line of more than"):
        _ran("wordy", _turn())


@pytest.mark.parametrize(
    ("reference", "error", "words"),
    [
        ("agent:guests:boastful", ProtocolError, "did you mean restart"),
        ("agent:guests:nobody", KernelUnreachable, "nobody"),
        ("agent:nowhere:chat", KernelUnreachable, "nowhere"),
        ("agent:exec:no-such-program", KernelUnreachable, "command not found"),
        ("agent:exec:", KernelReferenceError, "no command"),
        ("agent:exec:'x", KernelReferenceError, "quotes"),
        ("agent:chat", KernelReferenceError, "agent:module:attribute"),
    ],
)
def test_what_cannot_be_started(reference: str, error: type[FedcheckError], words: str) -> None:
    """Each says what is wrong."""
    with pytest.raises(error, match=words), open_kernel(reference, timeout=PATIENT) as adapter:
        adapter.describe()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("print('hello')", "Write nothing but JSON lines"),
        ('print(\'{"ready": true, "claims": []}\')', "claims"),
        (
            'print(\'{"ready": true}\', flush=True); input(); print(\'{"id": 99, "reply": ""}\')',
            "id 99",
        ),
        (
            (
                "import json; print('{\"ready\": true}', flush=True); "
                "print(json.dumps({'id': json.loads(input())['id']}))"
            ),
            "exactly one",
        ),
    ],
)
def test_what_is_no_protocol(lines: str, words: str, tmp_path: Path) -> None:
    """A program that says something else is told so."""
    program = tmp_path / "agent.py"
    program.write_text(lines)
    command = shlex.join([sys.executable, "-u", str(program)])
    with AgentAdapter(f"agent:exec:{command}", timeout=PATIENT) as adapter:
        assert "exec" == adapter.transport
        with pytest.raises(ProtocolError, match=words):
            adapter.run(_scenario(_turn()))


def test_another_interpreter(tmp_path: Path) -> None:
    """``--python`` names the one that the agent's module runs in."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nOTHER=yes exec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    module_file = tmp_path / "here.py"
    module_file.write_text("import os\nclaims = {'name': os.environ['OTHER']}\nchat = print\n")
    os.chdir(tmp_path)
    with open_kernel(
        "agent:here:chat", timeout=PATIENT, hosting=Hosting(python=str(python))
    ) as adapter:
        assert "yes" == adapter.describe().kernel
    with pytest.raises(UsageError, match="--python"):
        open_kernel("agent:exec:true", hosting=Hosting(python=str(python)))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a process, nor the folder of the state, nor the port."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    adapter = AgentAdapter("agent:guests:chat", timeout=PATIENT)
    with adapter:
        adapter.run(_scenario(_turn()))
        pid, url = adapter.pid, adapter.endpoint.url
        assert pid is not None
        assert any(path.name.startswith("fedcheck-state-") for path in tmp_path.iterdir())
    assert [] == list(tmp_path.iterdir())
    assert url != adapter.endpoint.url
    adapter.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


TURNS_ALONE = """
import json, os, sys
from urllib.request import Request, urlopen

def say(it):
    print(json.dumps(it), flush=True)

say({"ready": True, "claims": {"confirm": True}})
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "stop":
        break
    if asked["op"] == "turn":
        body = {"model": "any", "messages": [{"role": "user", "content": asked["message"]}]}
        where = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
        try:
            with urlopen(Request(where, json.dumps(body).encode())) as answer:
                said = json.load(answer)["choices"][0]["message"]
        except OSError as error:
            say({"id": asked["id"], "error": str(error)})
            continue
        calls = [call["function"] for call in said.get("tool_calls") or ()]
        ended = {"pending": calls} if calls else {"reply": said["content"]}
        say({"id": asked["id"], **ended})
"""


def _smoke(name: str) -> Result:
    words = ["smoke", "--no-config", "--kernel", f"agent:guests:{name}", "--timeout", "60"]
    return CliRunner().invoke(cli, words)


def _smoked(name: str) -> tuple[list[Exchange], list[str]]:
    with AgentAdapter(f"agent:guests:{name}", timeout=PATIENT) as adapter:
        return list(smoke(adapter)), list(adapter.wiring())


def test_a_turn_is_streamed_where_it_is_said(agent: AgentAdapter) -> None:
    """The agent is told by a parameter; calls and reply are those of a plain turn."""
    call = Call(data_json='{"a":1.0}')
    given = AgentTurn(arguments=('{"value":7}',), streams=True)
    plain = AgentTurn(arguments=('{"value":7}',))
    events = agent.run(
        _scenario(_turn("hello", call, agent=given), _turn("hi", call, agent=plain, session="t"))
    )

    assert [True, True, False, False] == [each.stream for each in _requests(events)]
    calls = [event.args_json for event in events if isinstance(event, CallDispatched)]
    assert ['{"value": 7}'] * 2 == calls
    assert ["Done."] * 2 == [event.text for event in events if isinstance(event, Reply)]


def test_smoke_is_content() -> None:
    """With an agent that is wired as it should be."""
    exchanges, notes = _smoked("chat")

    assert {""} == {exchange.fault for exchange in exchanges}
    assert [
        "the model was asked by chat_completions, chat_completions (streamed)",
        "the tools were called by http",
        "connections that left this machine: none that was seen",
    ] == notes


def test_smoke_tells_what_is_not_wired() -> None:
    """In words that say what to look at."""
    exchanges, notes = _smoked("deaf")
    told = [words for exchange in exchanges for _, words in exchange.problems]

    assert any("OPENAI_BASE_URL" in words for words in told)
    assert "no request reached the model" in notes
    assert any("have your agent read OPENAI_BASE_URL (now http://127" in words for words in notes)


def test_smoke_tells_where_the_model_was_looked_for() -> None:
    """An address in the code leads elsewhere; what to do is told beside it."""
    _, notes = _smoked("elsewhere")

    assert "no request reached the model, and the agent reached for model.invalid" in notes


def test_smoke_tells_an_error_once() -> None:
    """A turn that ends with one is told by one line, whatever else is wrong with it."""
    result = _smoke("failing")
    turn = result.output.split("FAIL  a tool that fails")[1].split("FAIL  a model")[0]

    assert 1 == turn.count("SystemExit: no do it"), turn
    assert "note:" not in result.output


def test_smoke_tells_how_long_a_run_takes() -> None:
    """Of an agent that is wired: scenarios and restarts, each with its time."""
    told = _smoke("chat").output.splitlines()[-1]

    some = r"about \d+ (seconds|minutes?): \d+ scenarios at \S+ s, 29 restarts at \S+ s"
    assert re.fullmatch(rf"It takes {some}\.", told), told


def test_smoke_is_silent_about_what_was_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing failed, nobody looks for a variable."""
    monkeypatch.setenv("DATABASE_URL", "x")

    assert "DATABASE_URL" not in _smoke("chat").output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("never_asking", "alpha_drop_item is destructive and ran before its user was asked"),
        ("without_confirm", "write confirm(approve, *, session, user) beside chat"),
        ("ignoring_yes", "its user said yes, and alpha_drop_item did not run"),
        ("asking_again", "its user said yes to alpha_drop_item, which waits again"),
        ("asking", "alpha_read_items waits for its user, and is not destructive"),
    ],
)
def test_smoke_tells_how_confirmation_is_not_wired(name: str, told: str) -> None:
    """Where it is claimed: who is not asked, whose answer comes to nothing."""
    problems = [words for exchange in _smoked(name)[0] for _, words in exchange.problems]

    assert any(told in words for words in problems), problems


def test_smoke_tells_of_an_answer_that_is_not_read(tmp_path: Path) -> None:
    """A program that reads turns alone hangs; what to write is told."""
    program = tmp_path / "turns_alone.py"
    program.write_text(TURNS_ALONE, "utf-8")
    reference = f"agent:exec:{shlex.quote(sys.executable)} {shlex.quote(str(program))}"
    with AgentAdapter(reference, timeout=1.0) as adapter:
        (asked,) = (x for x in smoke(adapter) if x.name.startswith("a yes"))

    assert any('followed by a line with "op": "confirm"' in words for _, words in asked.problems)


def test_smoke_is_content_with_a_user_who_is_asked() -> None:
    """About what is destructive alone; a yes lets it run."""
    exchanges, _ = _smoked("asking_about_destruction")
    tried = {exchange.name for exchange in exchanges if not exchange.skipped}

    assert "a yes before something is destroyed" in tried
    assert [] == [x.problems for x in exchanges if x.problems]


def test_smoke_speaks_of_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nowhere of a kernel or a protocol; what was kept back is told as usual, with what to do."""
    monkeypatch.setenv("DATABASE_URL", "x")
    result = _smoke("deaf")

    assert 1 == result.exit_code, result.output
    assert "FAIL  a turn, and the next: this is not wired\n" in result.output
    assert "skip  a restart: the scenario needs agent_restart, which the agent" in result.output
    assert "The agent is not wired as it must be: " in result.output
    assert "did not reach the agent, as is usual. If it" in result.output
    assert "DATABASE_URL" in result.output
    assert "the kernel" not in result.output


def test_smoke_tells_what_leaves_the_machine() -> None:
    """The host that was asked for."""
    assert "connections that left this machine: telemetry.invalid" in _smoked("far")[1]


def test_the_start_has_a_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that is never ready is given up."""
    monkeypatch.setattr(module, "START_SECONDS", 0.5)
    program = tmp_path / "agent.py"
    program.write_text("input()")
    command = shlex.join([sys.executable, str(program)])
    with (
        AgentAdapter(f"agent:exec:{command}", timeout=0.1) as adapter,
        pytest.raises(KernelUnreachable, match=r"no answer within 0\.5 s"),
    ):
        adapter.describe()


def test_connections_are_seen_from_outside() -> None:
    """Those of a process and of what it started, unless they stay on loopback."""
    if not Path("/proc/net/tcp").exists():
        pytest.skip("only Linux shows the connections of processes")
    assert "192.0.2.1:443" == _far("010200C0:01BB")
    assert "2001:db8::1:80" == _far("B80D0120000000000000000001000000:0050")
    assert "" == _far("0100007F:1F90")
    assert "" == _far("0000000000000000FFFF00000100007F:1F90")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENT)
        with socket.create_connection(server.getsockname()):
            assert set() == departures(os.getpid())
