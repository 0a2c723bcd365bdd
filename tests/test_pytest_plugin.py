"""The installed pytest plug-in, in a pytest of its own: one test for each clause of any kernel."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fedcheck.invariants.catalog import catalog, clauses

MODULE = "from fedcheck.conformance.pytest_plugin import test_clause\nfedcheck_kernel = {!r}\n"
KEY = "I-CACHE-KEY-SAFETY"
KERNELS = """
import os, pathlib, sys, time

class Cache:
    def cache_set(self, step):
        return {"event": "cache_outcome", "outcome": "refused"}
    def cache_get(self, step):
        return {"event": "cache_outcome", "outcome": "miss"}

class Crashing(Cache):
    def cache_get(self, step):
        print("the reason", file=sys.stderr, flush=True)
        os._exit(3)

class Roomy(Cache):
    parameters = {"key_max_length": 200}

class Silent(Cache):
    capabilities = ()

class Stopped(Cache):
    def cache_get(self, step):
        pathlib.Path("reached").touch()
        time.sleep(600)

def unmade():
    with pathlib.Path("starts.txt").open("a") as starts:
        print("start", file=starts)
    raise RuntimeError("cannot be made")
"""
PRESSING = """
import os, pathlib, signal, threading, time

def press():
    while not pathlib.Path("reached").exists():
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
"""
"""A plug-in of pytest that presses Ctrl-C once the kernel ``Stopped`` is in a call."""


class Ran:
    """A pytest run: its exit code, its output, and the outcome of each item by its id."""

    def __init__(self, done: subprocess.CompletedProcess[str], report: Path) -> None:
        self.code = done.returncode
        self.output = done.stdout + done.stderr
        self.outcomes: dict[str, str] = {}
        self.messages: dict[str, str] = {}
        cases = ET.parse(report).iter("testcase") if report.exists() else ()  # noqa: S314 - ours
        for case in cases:
            name = case.get("name", "").removeprefix("test_clause[").removesuffix("]")
            child = next((x for x in case if x.tag in ("failure", "skipped", "error")), None)
            kind = "passed" if child is None else child.tag
            expected = child is not None and child.get("type") == "pytest.xfail"
            self.outcomes[name] = "xfailed" if expected else kind
            if child is not None:
                self.messages[name] = f"{child.get('message')}\n{child.text}"

    def named(self, outcome: str) -> set[str]:
        """Return the items with this outcome."""
        return {name for name, found in self.outcomes.items() if found == outcome}


def run_pytest(folder: Path, *words: str) -> Ran:
    """Run pytest in a folder, as from a terminal of its own."""
    (folder / "kernels.py").write_text(KERNELS, "utf-8")
    report = folder / "report.xml"
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml", report, *words],
        cwd=folder,
        env={**env, "COLUMNS": "150"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return Ran(done, report)


def run_suite(folder: Path, kernel: str, items: str, *words: str) -> Ran:
    """Judge a kernel by the items whose id holds this, without exploring."""
    chosen = ("--fedcheck-kernel", kernel, "--fedcheck-examples", "0", "-k", items)
    return run_pytest(folder, "--pyargs", "fedcheck.invariants", *chosen, *words)


def test_there_is_an_item_for_each_clause_and_one_for_the_kernel(tmp_path: Path) -> None:
    """The reference kernel, which claims everything, passes them all."""
    ran = run_pytest(tmp_path, "--pyargs", "fedcheck.invariants", "--fedcheck-examples", "0")

    assert 0 == ran.code, ran.output
    of_kernels = {each for each in clauses(catalog()) if not each.startswith("C-AGENT-")}
    assert {"kernel", *of_kernels} == ran.named("passed")
    assert {*clauses(catalog())} - of_kernels == set(ran.outcomes) - ran.named("passed")


def test_an_agent_runs_in_its_own_interpreter(tmp_path: Path) -> None:
    """It is named on the command line, or beside the agent; so are the variables that it gets."""
    (tmp_path / "test_agent.py").write_text(
        MODULE.format("agent:agent:chat") + "fedcheck_python = './of_module'\n"
    )
    (tmp_path / "agent.py").write_text("import os, sys\nsys.exit('W' + os.environ['WANTED'])\n")
    told = run_pytest(tmp_path, "-k", "kernel", "test_agent.py")
    assert "of_module" in told.messages["kernel"]
    words = ("-k", "kernel", "test_agent.py", "--fedcheck-python", sys.executable)
    os.environ["WANTED"] = "anted"
    try:
        told = run_pytest(tmp_path, *words, "--fedcheck-pass-env", "WANTED")
    finally:
        del os.environ["WANTED"]
    assert "Wanted" in told.messages["kernel"]


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_a_broken_kernel_fails_its_clause_alone(mode: str, tmp_path: Path) -> None:
    """In both ways in which pytest may import the file of the package."""
    ran = run_suite(tmp_path, "mutant:key-with-dot", KEY, "--import-mode", mode)

    assert 1 == ran.code, ran.output
    assert {f"{KEY}/unsafe-key-not-stored"} == ran.named("failure")
    assert 3 == len(ran.outcomes)


def test_the_message_says_what_was_promised_and_what_was_got(tmp_path: Path) -> None:
    """Clause, sentence, source, scenario, expected, got; and its command shows it again."""
    ran = run_suite(tmp_path, "mutant:key-with-dot", KEY)
    message = ran.messages[f"{KEY}/unsafe-key-not-stored"]
    command = re.search(r"^ *fedcheck (run .*)$", message, re.MULTILINE)

    assert f"{KEY}/unsafe-key-not-stored: fail: dot stored" in message
    for part in ("Nothing is stored under a key", "Source: ", "cache.set", "Expected: ", "Got: "):
        assert part in message
    assert "Traceback" not in message
    assert command is not None
    again = [sys.executable, "-m", "fedcheck", *shlex.split(command[1])]
    assert 1 == subprocess.run(again, cwd=tmp_path, capture_output=True, check=False).returncode


def test_what_is_not_claimed_is_skipped_with_the_reason(tmp_path: Path) -> None:
    """The skip names the capability."""
    ran = run_suite(tmp_path, "kernels:Cache", "I-SKELETON-LLM-ONLY")

    assert set(ran.outcomes) == ran.named("skipped") != set()
    assert all("does not claim: probe, skeleton" in x for x in ran.messages.values())


def test_a_broken_should_is_expected_to_fail(tmp_path: Path) -> None:
    """It is shown with its evidence, and the run is green."""
    ran = run_suite(tmp_path, "mutant:skeleton-refusal-unnamed", "I-SKELETON-LLM-ONLY")

    assert 0 == ran.code, ran.output
    assert {"I-SKELETON-LLM-ONLY/refusal-named"} == ran.named("xfailed")
    assert "Expected: " in ran.messages["I-SKELETON-LLM-ONLY/refusal-named"]


def test_items_may_be_spread_over_two_workers(tmp_path: Path) -> None:
    """Each worker judges what it needs, with the same outcomes."""
    alone = run_suite(tmp_path, "mutant:cap-missing", "AGG-CAP or kernel")
    spread = run_suite(tmp_path, "mutant:cap-missing", "AGG-CAP or kernel", "-n", "2")

    assert alone.outcomes == spread.outcomes
    assert {"failure", "passed"} <= set(alone.outcomes.values())


def test_a_module_names_its_kernel_and_the_option_wins(tmp_path: Path) -> None:
    """The two lines of a kernel team, and the same file for another kernel."""
    (tmp_path / "test_promises.py").write_text(MODULE.format("mutant:key-with-dot"), "utf-8")
    words = ("test_promises.py", "-k", KEY, "--fedcheck-examples", "0")

    assert 1 == run_pytest(tmp_path, *words).code
    assert 0 == run_pytest(tmp_path, *words, "--fedcheck-kernel", "reference").code


def test_a_kernel_that_cannot_be_reached_fails_every_item_and_is_asked_once(
    tmp_path: Path,
) -> None:
    """Each item says why; a kernel that is slow to fail is not waited for again."""
    ran = run_suite(tmp_path, "kernels:unmade", f"{KEY} or kernel")

    assert {"kernel", *(x for x in clauses(catalog()) if KEY in x)} == ran.named("failure")
    for message in ran.messages.values():
        assert "the kernel 'kernels:unmade' could not be judged:" in message
        assert "RuntimeError: cannot be made" in message
        assert "Traceback" not in message
    assert ["start"] == (tmp_path / "starts.txt").read_text("utf-8").split()


def test_a_kernel_that_crashes_fails_with_its_last_words(tmp_path: Path) -> None:
    """The scenario that did it stands in the message too."""
    ran = run_suite(tmp_path, "kernels:Crashing", KEY)

    assert set(ran.outcomes) == ran.named("failure")
    for message in ran.messages.values():
        assert ": crash: " in message
        assert "cache.get" in message
        assert "the reason" in message


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [("kernels:Roomy", "key_max_length = 200"), ("kernels:Silent", "nothing is judged")],
)
def test_the_kernel_item_fails_where_clauses_alone_would_be_green(
    kernel: str, reason: str, tmp_path: Path
) -> None:
    """A kernel that moves the bar, or claims nothing, is as red as for ``fedcheck run``."""
    ran = run_suite(tmp_path, kernel, "test_clause[kernel]")

    assert {"kernel"} == ran.named("failure")
    assert reason in ran.messages["kernel"]


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("kernel", "mutant:no-such", "no such mutant"),
        ("kernel", "gibberish", "is not understood"),
        ("examples", "-1", "expected 0 or more, got -1"),
        ("seed", "x", "invalid"),
        ("timeout", "0", "expected a positive number of seconds, got 0"),
    ],
)
def test_a_wrong_option_is_a_usage_error(
    option: str, value: str, reason: str, tmp_path: Path
) -> None:
    """Exit code 4, before anything is collected."""
    ran = run_pytest(tmp_path, "--pyargs", "fedcheck.invariants", f"--fedcheck-{option}", value)

    assert int(pytest.ExitCode.USAGE_ERROR) == ran.code
    assert f"--fedcheck-{option}: " in ran.output
    assert reason in ran.output
    assert {} == ran.outcomes


def test_ctrl_c_ends_pytest(tmp_path: Path) -> None:
    """It is not taken for the end of one clause."""
    (tmp_path / "pressing.py").write_text(PRESSING, "utf-8")
    ran = run_suite(tmp_path, "kernels:Stopped", KEY, "-p", "pressing")

    assert int(pytest.ExitCode.INTERRUPTED) == ran.code, ran.output


def test_an_unused_plug_in_loads_next_to_nothing(tmp_path: Path) -> None:
    """Pytest imports it at every start, in every project of the environment."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_quiet():\n"
        "    heavy = {'click', 'hypothesis', 'msgspec', 'rich'} & set(sys.modules)\n"
        "    ours = {name for name in sys.modules if name.startswith('fedcheck')}\n"
        "    assert (set(), 5) == (heavy, len(ours)), sorted(ours)\n",
        "utf-8",
    )
    ran = run_pytest(tmp_path, "test_other.py")

    assert 0 == ran.code, ran.output
