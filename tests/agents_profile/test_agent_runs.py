"""Runs of agents: which set decides, and what their reports say of clauses about kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.conformance.commands.group import cli
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.reports.record.derivation import underivable
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.record_parts import Setting


def told(*words: str) -> str:
    """What a run prints."""
    return CliRunner().invoke(cli, ["run", "--no-config", *words]).output


@pytest.mark.parametrize(
    ("kernel", "name"),
    [("agent-reference", "agent-2026-11"), ("reference", "seeds-2026-11")],
)
def test_what_a_kernel_claims_decides_by_which_set_it_is_judged(kernel: str, name: str) -> None:
    """Where nobody has named one; the settings in the record say it, too."""
    setting = {"require": Setting(value="seeds-2026-11", source="default")}
    with plan_run(RunOptions(kernel=kernel, configuration=setting)) as plan:
        assert name == plan.requirements.name
        assert name == plan.options.configuration["require"].value


def test_a_set_that_is_named_decides_for_an_agent_too() -> None:
    """Even the one that is the default for kernels."""
    setting = {"require": Setting(value="seeds-2026-11", source="flag")}
    options = RunOptions(kernel="agent-reference", configuration=setting)
    with plan_run(options) as plan:
        assert "seeds-2026-11" == plan.requirements.name


def test_the_report_of_an_agent_is_about_agents() -> None:
    """Clauses about kernels are counted nowhere, and fill no table."""
    ignored = told("--kernel", "agent-reference", "--examples", "0", "--ignore", "C-AGENT-[A-R]*")
    output = told("--kernel", "agent-reference", "--examples", "0", "--select", "C-AGENT-SESSIONS")
    agents = [name for name in clauses(catalog()) if name.startswith("C-AGENT-")]

    assert "about kernels" not in ignored
    assert "not claimed" not in ignored
    assert f"left out (not selected): {len(agents) - 2}\n" in output
    assert f"{len(agents) - 2} clauses left out" in output.replace("\n  ", " ")
    assert "requirement set agent-2026-11" in output
    assert "I-AH-1" not in output
    assert "sessions-apart" in output


def test_a_broken_agent_is_not_conformant(tmp_path: Path) -> None:
    """The clause, the kind of difference, the exit code."""
    result = CliRunner().invoke(
        cli,
        [
            *("run", "--no-config", "--kernel", "mutant:agent-reply-cut", "--examples", "0"),
            *("--select", "C-AGENT-REPLY", "--counterexamples", str(tmp_path)),
        ],
    )

    assert "reply cut" in result.output
    assert 1 == result.exit_code


def test_the_command_that_is_shown_replays_the_scenario_that_failed(tmp_path: Path) -> None:
    """It searches nothing anew; the record, which is read where no file is, does."""
    record = str(tmp_path / "run.ndjson")
    words = ["--kernel", "mutant:agent-reply-cut", "--select", "C-AGENT-REPLY", "--examples", "0"]
    output = told(*words, "--counterexamples", str(tmp_path / "kept"), "--record", record)
    shown = output.partition("Reproduce it with:\n")[2].splitlines()[0].split()
    again = CliRunner().invoke(cli, shown[1:])

    assert ["fedcheck", "replay"] == shown[:2]
    assert Path(shown[2]).parent == tmp_path / "kept"
    assert (1, True) == (again.exit_code, "STILL FAILS" in again.output), again.output
    (kept,) = read_record(tmp_path / "run.ndjson").counterexamples
    assert kept.command.startswith("fedcheck run --kernel mutant:agent-reply-cut ")
    assert "fedcheck run " in told(*words, "--counterexamples", "")


def test_the_record_of_an_agent_says_what_follows_from_it(tmp_path: Path) -> None:
    """Nobody who reads it finds a contradiction."""
    path = str(tmp_path / "run.ndjson")
    told("--kernel", "agent-reference", "--examples", "0", "--record", path)
    record = read_record(path)

    assert "agent-2026-11" == record.header.requirement_set.name
    assert [] == list(underivable(record))
