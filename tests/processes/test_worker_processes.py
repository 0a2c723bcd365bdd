"""A program that speaks the protocol: whatever it does, we learn it and it runs again."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.journal import Journal
from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.invariants.vocabulary.errors import (
    KernelCrashed,
    KernelError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
)
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn
from fedcheck.invariants.vocabulary.trace import ClassifierPrompt

KERNELS = Path(__file__).parent.parent / "kernels"

Open = Callable[..., ProcessAdapter]
Failing = Callable[[ProcessAdapter, Scenario, type[KernelError]], KernelError]


def turn(name: str) -> Scenario:
    """Return a scenario with one turn whose id tells ``raw.py`` what to do."""
    return Scenario(id=name, steps=(Turn(message="m"),))


def serves(adapter: ProcessAdapter) -> bool:
    """Tell whether the kernel answers properly, started again if need be."""
    return adapter.run(turn("fine")) == (ClassifierPrompt(step=0, prompt="p"),)


def test_a_program_is_described_and_run(open_raw: Open) -> None:
    """The plain case, twice in one process."""
    adapter = open_raw()
    description = adapter.describe()
    assert ("raw", ("fact_ledger",)) == (description.kernel, description.capabilities)
    first = adapter.pid
    assert serves(adapter)
    assert serves(adapter)
    assert first == adapter.pid


def test_streamed_events_are_not_counted_twice(open_raw: Open) -> None:
    """The result holds all events; notifications only matter when it never comes."""
    assert 1 == len(open_raw().run(turn("streamed")))


@pytest.mark.parametrize(
    ("name", "status"),
    [("exit", 3), ("abort", -signal.SIGABRT), ("grandchild", 5), ("events then abort", -6)],
)
def test_crash(open_raw: Open, failing: Failing, name: str, status: int) -> None:
    """A process that ends is a crash, with its exit status, and is started again."""
    adapter = open_raw()
    assert status == failing(adapter, turn(name), KernelCrashed).exit_status
    assert serves(adapter)


def test_crash_keeps_the_last_words(open_raw: Open, failing: Failing) -> None:
    """What the kernel wrote to stderr comes with the error."""
    error = failing(open_raw(), turn("exit"), KernelCrashed)
    assert "the reason\n" == error.stderr_tail
    assert "(exit status 3)" in str(error)


@pytest.mark.parametrize("name", ["hang", "spin", "hang with grandchild"])
def test_hang(open_raw: Open, failing: Failing, name: str) -> None:
    """No answer in time is a timeout; the process is killed and started again."""
    adapter = open_raw()
    error = failing(adapter, turn(name), KernelTimeout)
    assert "no answer within 0.5 s" in str(error)
    assert error.exit_status is None
    assert serves(adapter)


@pytest.mark.parametrize(
    ("name", "kind"), [("events then hang", KernelTimeout), ("events then abort", KernelCrashed)]
)
def test_streamed_events_survive(
    open_raw: Open, failing: Failing, name: str, kind: type[KernelError]
) -> None:
    """What a kernel said before it failed is kept."""
    (event,) = failing(open_raw(), turn(name), kind).events
    assert {"event": "classifier_prompt", "step": 0, "prompt": "p"} == event


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "garbage",
            r"line 1, column 1: not JSON: Expecting value; got 'Listening on port 80\u2026'",
        ),
        ("blank line", "not JSON"),
        ("half", """half a line, then the end of output: '{"jsonrpc":"2.0","id":'"""),
        ("not utf-8", r"byte 22 is not UTF-8; got '{"),
        ("list", "expected a JSON object; got '[1]'"),
        ("wrong id", "the answer has id 4, the request had 3"),
        ("id is text", "Expected `int | null`, got `str` - at `$.id`"),
        ("no id", "missing required field `id`"),
        ("no version", "missing required field `jsonrpc`"),
        ("neither", "either `result` or `error`"),
        ("both", "either `result` or `error`"),
        ("nan", "NaN is not a JSON value"),
        ("unknown event", "Invalid value 'promt' - at `$.events[0].event`"),
        ("unknown field", "unknown field `colour` - at `$.events[0]`"),
        ("given", "`given` events are the suite's own"),
        ("wrong shape", "Expected `object`, got `array`"),
        ("unknown notification", "Invalid enum value 'log' - at `$.method`"),
        ("bad event notification", "Expected `int`, got `str` - at `$.step`"),
        ("request to us", "unknown field `id`"),
        ("long line", "a line of more than 16,777,216 bytes"),
        ("endless events", "more than 67,108,864 bytes"),
        ("trailing", r"after the answer came 'bye\n'"),
        ("deep", "nested too deeply"),
        ("forgotten events", "the result holds 0 events, but 1 were sent as notifications"),
    ],
)
def test_forbidden_answer(open_raw: Open, failing: Failing, name: str, message: str) -> None:
    """Whatever the protocol does not allow is named and shown, and the kernel restarted."""
    adapter = open_raw()
    assert message in str(failing(adapter, turn(name), ProtocolError))
    assert serves(adapter)


def test_closed_stdout(open_raw: Open, failing: Failing) -> None:
    """A kernel that can no longer answer is not waited for."""
    adapter = open_raw()
    assert "closed its stdout" in str(failing(adapter, turn("close stdout"), KernelCrashed))
    assert serves(adapter)


def test_second_answer_is_noticed(open_raw: Open) -> None:
    """An answer too many is an error at once, or at the next call if it comes late."""
    adapter = open_raw()
    with pytest.raises(ProtocolError, match="Answer each request once"):
        all(adapter.run(turn("twice")) for _ in range(2))
    assert serves(adapter)


def test_error_object_is_reported_and_the_process_kept(open_raw: Open) -> None:
    """A kernel that says that it failed is still in step with us."""
    adapter = open_raw()
    adapter.describe()
    pid = adapter.pid
    with pytest.raises(ProtocolError) as raised:
        adapter.run(turn("error"))
    assert r"the kernel answered error -32000: 'database\n\u0434own'" in str(raised.value)
    assert serves(adapter)
    assert pid == adapter.pid


@pytest.mark.parametrize(
    ("start", "message", "status"),
    [
        ("exit at once", "describe: the process ended", 3),
        ("abort", "describe: the process ended instead of answering (SIGABRT)", -6),
        ("hang", "describe: no answer within 0.5 s", None),
        ("never read", "describe: no answer within 0.5 s", None),
    ],
)
def test_kernel_that_does_not_describe_itself(
    open_raw: Open, start: str, message: str, status: int | None
) -> None:
    """A kernel that does not come up is unreachable."""
    adapter = open_raw(start)
    if status is None:
        adapter.timeout = 0.5
    with pytest.raises(KernelUnreachable) as raised:
        adapter.describe()
    assert message in str(raised.value)
    assert (status, None) == (raised.value.exit_status, adapter.pid)


@pytest.mark.parametrize("start", ["garbage", "wrong shape", "error"])
def test_wrong_description_is_a_protocol_error(open_raw: Open, start: str) -> None:
    """A description must fit, like everything else."""
    adapter = open_raw(start)
    with pytest.raises(ProtocolError, match=": describe: "):
        adapter.describe()
    assert adapter.pid is None


def test_flood_on_stderr_blocks_nobody(open_raw: Open, failing: Failing) -> None:
    """50 MB on stderr are read while we wait, and the last 8 KiB kept."""
    adapter = open_raw()
    assert 1 == len(adapter.run(turn("flood stderr")))
    assert "x" * 8192 == failing(adapter, turn("kill"), KernelCrashed).stderr_tail


def test_kernel_that_never_reads_cannot_block_us(open_raw: Open, failing: Failing) -> None:
    """A request larger than the pipe is given up at the deadline."""
    scenario = Scenario(id="large", steps=(Turn(message="x" * 1_000_000),))
    assert "and did not read" in str(failing(open_raw("then never read"), scenario, KernelTimeout))


def test_large_request_and_surrogates_arrive(open_process: Open) -> None:
    """A scenario larger than the pipe arrives whole, lone surrogates included."""
    scenario = Scenario(id="s", steps=(Turn(message="\ud800" * 300_000),))
    (event,) = open_process("toys:Polite").run(scenario)
    assert isinstance(event, ClassifierPrompt)
    assert "1 {} " + "\ud800" * 300_000 == event.prompt


def test_journal_names_the_killer(open_raw: Open, failing: Failing, tmp_path: Path) -> None:
    """The scenario is on disk before it is sent."""
    adapter = open_raw()
    adapter.journal = Journal(tmp_path / "journal.json")
    failing(adapter, turn("abort"), KernelCrashed)
    assert "abort" == json.loads(adapter.journal.path.read_text())["scenario"]["id"]


def crash(adapter: ProcessAdapter) -> None:
    """Let the kernel crash."""
    with pytest.raises(KernelCrashed):
        adapter.run(turn("exit"))


def test_restarts_end(open_raw: Open) -> None:
    """A kernel that only ever crashes is given up, with its last failure."""
    adapter = open_raw()
    adapter.restarts = 2
    for _ in range(3):
        crash(adapter)
    with pytest.raises(KernelUnreachable, match=r"given up after 2 restarts.*exit status 3"):
        adapter.run(turn("fine"))


def test_answers_make_up_for_failures(open_raw: Open) -> None:
    """A kernel that mostly answers may fail now and then for ever."""
    adapter = open_raw()
    adapter.restarts = 1
    for _ in range(4):
        crash(adapter)
        assert all(serves(adapter) for _ in range(11))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-command-anywhere", "'no-such-command-anywhere': command not found"),
        (str(KERNELS / "raw.py"), "not executable"),
        (str(KERNELS), "not executable"),
    ],
)
def test_command_that_cannot_be_run(open_process: Open, command: str, message: str) -> None:
    """A command that is missing or no program makes the kernel unreachable."""
    adapter = open_process(f"exec:{shlex.quote(command)} --option")
    with pytest.raises(KernelUnreachable) as raised:
        adapter.describe()
    assert message in str(raised.value)


def test_file_that_is_no_program(open_process: Open, tmp_path: Path) -> None:
    """A file with the x permission but without sense is told apart."""
    file = tmp_path / "kernel"
    file.write_text("nonsense")
    file.chmod(0o755)
    adapter = open_process(f"exec:{shlex.quote(str(file))}")
    with pytest.raises(KernelUnreachable, match="is it a program for this machine"):
        adapter.describe()
