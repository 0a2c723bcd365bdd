"""The examples of the README and of CONTRIBUTING do what these say."""

import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from fedcheck.invariants.vocabulary.invariant import Invariant
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.scenario import Scenario
from fedcheck.invariants.vocabulary.trace import Given, KernelDescription, Reply, Trace
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Violation

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(sh|python|text)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
OUTPUT = [line for kind, text in BLOCKS if kind == "text" for line in re.split(r"\n|…", text)]
FILES = [text for kind, text in BLOCKS if kind == "python"]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS[2:])
def test_command_ends_as_the_readme_says(command: str, tmp_path: Path):
    """Each command, in a folder with the README's files, ends with the code beside it, else 0."""
    if "imperal-sdk" in command:
        pytest.importorskip("imperal_sdk", reason="needs the extra `sdk`")
    for text in FILES:
        (tmp_path / text.splitlines()[0].removeprefix("# ")).write_text(text, "utf-8")
    said = re.search(r"# exit code ([\d or]+)", command)
    bin_folder = Path(sys.executable).parent
    run = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    codes = said[1].split("or") if said else ["0"]
    assert str(run.returncode) in [code.strip() for code in codes], run.stdout + run.stderr
    if command.startswith("fedcheck run --kernel mutant:emails-shown"):
        assert [] == [line for line in OUTPUT if line not in run.stdout]


def test_the_first_two_commands_are_the_set_up():
    """Two commands open the README, one line each: judge the reference kernel, run the tests."""
    assert 1 == COMMANDS[0].count(".venv/bin/fedcheck run")
    assert 1 == COMMANDS[1].count(".venv/bin/python -m pytest tests")
    assert {"fedcheck", "pytest"} == {line.split()[0] for line in COMMANDS[2:]}


def test_each_kind_of_reader_has_a_section():
    """What it is for, how to start, then one section for each kind of people."""
    readers = ("kernel and agent teams", "extension authors", "auditors", "those who carry on")
    expected = ["Start", *(f"For {reader}" for reader in readers)]
    assert expected == re.findall(r"^## (.+)$", README, re.MULTILINE)


def test_links_lead_somewhere():
    """Every file that the README links to exists."""
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [] == [target for target in targets if not (ROOT / target).exists()]


def test_the_invariant_of_contributing_judges():
    """The example invariant passes a kernel that answers and catches one that does not."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    names: dict[str, Any] = {
        "__name__": "c_turn_answered",
        "__package__": "fedcheck.invariants.judges.prompts",
    }
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(example, names)  # noqa: S102 - the text is ours
    invariant: Invariant = names["INVARIANT"]
    (clause,) = invariant.clauses
    scenarios = tuple(invariant.scenarios(DOCUMENTED))

    answered = [clause.judge(TraceView(trace_of(scenario, "Hello."))) for scenario in scenarios]
    assert [Compared(("short",)), Compared(("long",))] == [*chain(*answered)]
    silent = [*clause.judge(TraceView(trace_of(scenarios[0], None)))]
    assert ["no reply"] == [found.kind for found in silent if isinstance(found, Violation)]


def trace_of(scenario: Scenario, reply: str | None) -> Trace:
    """A trace of the scenario's first step, with a reply or without."""
    given = Given(step=0, user="u1", session="s1", stimulus=scenario.steps[0])
    said = () if reply is None else (Reply(step=0, text=reply),)
    return Trace(events=(given, *said), kernel=KernelDescription(kernel="k", version="1"))
