"""What a run saw, written as recordings: an audit of them finds what the run found."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from fedcheck.conformance.driving.drive import runnable
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.catches import known_catches
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.styles import STYLES
from fedcheck.invariants.catalog import own_invariants
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import Scenario
from fedcheck.reports.record.reader import read_record

from .made import audited
from .test_audit_command import run

_ROWS_OF_STYLES = 40


def _recorded(kernel: str, folder: Path, scenarios: Iterable[str] | int) -> set[str]:
    """Drive a kernel through fixed scenarios, audit its traces, and return what is broken."""
    options = RunOptions(kernel=kernel, plugins=False, record_traces=str(folder))
    with plan_run(options) as plan:
        described = plan.description
        known = _scenarios(described.parameters, frozenset(described.capabilities))
        if isinstance(scenarios, int):
            runs = [name for name, each in known.items() if runnable(described, each) is None]
            scenarios = runs[:: max(1, len(runs) // scenarios)]
        driven = {*scenarios}
        for name in driven:
            plan.session.trace(known[name])
    found = audited(folder)
    assert len(driven) == found.judged.conversations
    assert {} == found.judged.errors
    return {clause for clause, tally in found.judged.tallies.items() if tally.kinds}


@cache
def _scenarios(parameters: Parameters, capabilities: frozenset[str]) -> dict[str, Scenario]:
    own = own_invariants()
    found = [x for i in own for x in fixed_scenarios(i, own, parameters, capabilities)]
    return {x.id: x for x in sorted(found, key=lambda x: (len(to_json(x)), x.id))}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MUTANTS))
def test_an_audit_finds_what_is_wrong_with_every_broken_kernel(name: str, tmp_path: Path) -> None:
    """Each clause that it breaks, in the scenarios known to show it, and none that it keeps."""
    catches, mutant = known_catches()[name], MUTANTS[name]
    broken = _recorded(f"mutant:{name}", tmp_path, catches.values())
    alone = {clause for clause in broken if clause.startswith("C-RECORDED-")}

    assert set() == catches.keys() - broken
    assert set() == broken - alone - mutant.trips - mutant.also


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel", ["reference", "agent-reference", *map("style:{}".format, STYLES)]
)
def test_an_audit_blames_no_conforming_style(kernel: str, tmp_path: Path) -> None:
    """However it renders what it was given."""
    assert set() == _recorded(kernel, tmp_path, _ROWS_OF_STYLES)


@pytest.mark.parametrize(
    ("kernel", "clause"),
    [
        ("mutant:agent-results-as-repr", "C-AGENT-FIDELITY/json-kept"),
        ("mutant:absent-flag-exposes", "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/names-masked"),
    ],
)
def test_a_run_writes_what_an_audit_reads(kernel: str, clause: str, tmp_path: Path) -> None:
    """With two processes two files; the record is that of the kernel, and follows from itself."""
    traces, record, bundle = tmp_path / "traces", tmp_path / "audit.ndjson", tmp_path / "audit.zip"
    words = ("--select", clause, "--select", "C-AGENT-REPLY", "-n", "2", "--quiet")
    assert 1 == run("run", "--kernel", kernel, *words, "--record-traces", traces).code
    assert 1 == run("audit", traces, "--record", record).code
    told = read_record(record)

    assert clause in {x.clause for x in told.clauses if x.verdict.broken}
    assert kernel.partition(":")[2] in told.header.kernel.kernel
    assert 0 == run("bundle", record, "-o", bundle).code
    assert 0 == run("verify", bundle, "--recordings", traces).code


def test_a_sound_kernel_s_own_traces_are_kept(tmp_path: Path) -> None:
    """A few rows of the reference kernel, by all that it claims."""
    assert set() == _recorded("reference", tmp_path, 5)
