"""Runs in which the kernel breaks down, is silent, or the user stops it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fedcheck.conformance.driving.session import GIVE_UP_AFTER, INCIDENT_LIMIT
from fedcheck.conformance.running import suite
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.readings import cache
from fedcheck.invariants.vocabulary.errors import (
    KernelCrashed,
    KernelError,
    KernelTimeout,
    ProtocolError,
)
from fedcheck.invariants.vocabulary.scenario import CacheGet, Probe, Scenario
from fedcheck.invariants.vocabulary.trace import ProbeOutcome
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import Counterexample
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.writer import write_record

from .watched import (
    KEYS,
    LIVES,
    PROBES,
    TOO_LONG,
    UNSAFE,
    Cache,
    Careless,
    Quiet,
    Run,
    shows,
    verdicts,
)


class CacheAndProbes(Cache):
    """Claims more than it survives."""

    capabilities = ("cache", "probe", "skeleton")

    def probe(self, _: Probe) -> None:
        """Never reached."""


@pytest.mark.parametrize(
    ("error", "verdict", "kind"),
    [
        (KernelCrashed("it died", stderr_tail="oh", exit_status=-6), Verdict.CRASH, "crash"),
        (KernelTimeout("no answer"), Verdict.TIMEOUT, "timeout"),
        (ProtocolError("what is this"), Verdict.ERROR, "error"),
    ],
)
def test_a_breakdown_costs_only_the_verdicts_of_its_invariant(
    run: Run, error: KernelError, verdict: Verdict, kind: str
) -> None:
    """The others are judged as if nothing had happened."""
    ran: list[str] = []

    def breaks(scenario: Scenario) -> None:
        if any(isinstance(step, Probe) for step in scenario.steps):
            ran.append(scenario.id)
            raise error

    record = run(CacheAndProbes, KEYS, PROBES, breaks=breaks, examples=40)
    found = verdicts(record)

    assert {verdict} == {found[clause] for clause in found if clause.startswith(PROBES)}
    assert {Verdict.PASS} == {found[clause] for clause in found if clause.startswith(KEYS)}
    assert INCIDENT_LIMIT == len(record.incidents)
    assert {(kind, PROBES)} == {(each.kind, each.invariant) for each in record.incidents}
    assert GIVE_UP_AFTER == len(ran)
    assert 3 == record.summary.exit_code


class Silent(Cache):
    """Answers nothing."""

    def cache_get(self, step: CacheGet) -> Any:
        return None


class Raising(Cache):
    """Raises in the middle."""

    def cache_get(self, step: CacheGet) -> Any:
        raise ValueError("no such luck")


@pytest.mark.parametrize(
    ("kernel", "message"),
    [(Silent, "cache_get owes exactly one cache_outcome"), (Raising, "no such luck")],
)
def test_silence_and_failed_steps_are_no_verdict(run: Run, kernel: object, message: str) -> None:
    """What cannot be judged is an error, and never a pass or a fail."""
    record = run(kernel, KEYS)

    assert {Verdict.ERROR} == set(verdicts(record).values())
    assert message in record.incidents[0].message
    assert record.incidents[0].step is not None


def test_what_our_parser_cannot_read_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of the suite are never a failure of the kernel."""

    def beyond_us(_: str) -> None:
        raise KeyError("what nobody thought of")

    monkeypatch.setattr(cache, "parse", beyond_us)
    record = run(Cache, KEYS)

    assert {Verdict.ERROR} == set(verdicts(record).values())
    assert f"the judge of {UNSAFE}, in the module " in record.incidents[0].message
    assert "i_cache_key_safety, raised KeyError" in record.incidents[0].message


@pytest.mark.parametrize(
    "value_json", ["", "NaN", '{"a', '{"a":1,"a":2}', "9" * 5_000, "[" * 9_999]
)
def test_a_value_that_is_no_json_is_judged_like_another(run: Run, value_json: str) -> None:
    """A probe may give anything at all."""

    class Hostile(ReferenceKernel):
        """Answers each probe with it."""

        def probe(self, _: Probe) -> Iterator[ProbeOutcome]:
            yield ProbeOutcome(outcome="value", value_json=value_json)

    record = run(Hostile, PROBES, examples=1)

    assert () == record.incidents


def interrupt_in(invariant: str, after: int) -> Quiet:
    """An observer that stops the run after some scenarios of an invariant are explored."""
    left = [after]

    def advanced(current: str, _: int) -> None:
        left[0] -= current == invariant and observer.stages[-1] == "exploration"
        if left[0] == 0:
            raise KeyboardInterrupt

    observer = Quiet(advanced)
    return observer


def test_an_interrupted_run_keeps_what_it_has_seen(run: Run, tmp_path: Path) -> None:
    """The record is valid; a breach that was seen stays one, and nothing else passes."""
    record = run(Careless, KEYS, LIVES, observer=interrupt_in(LIVES, 3))
    found = verdicts(record)
    write_record(tmp_path / "r.ndjson", record)

    assert record == read_record(tmp_path / "r.ndjson")
    assert (True, 3) == (record.summary.interrupted, record.summary.exit_code)
    assert Verdict.FAIL is found[UNSAFE]
    assert Verdict.PASS is found[f"{KEYS}/safe-key-accepted"]
    assert {Verdict.FAIL, Verdict.NOT_EXERCISED, Verdict.NOT_CLAIMED} == {
        verdict for clause, verdict in found.items() if clause.startswith(LIVES)
    }
    assert {0} == {example.attempts for example in record.counterexamples}
    assert all(shows(example.trace, example) for example in record.counterexamples)


def test_a_run_that_is_interrupted_while_it_confirms_keeps_every_failure(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was confirmed stays confirmed; the rest is kept as it was found."""
    confirm, calls = suite.confirm, [0]

    def interrupted(*arguments: Any) -> Counterexample:
        calls[0] += 1
        if calls[0] == 2:
            raise KeyboardInterrupt
        return confirm(*arguments)

    monkeypatch.setattr(suite, "confirm", interrupted)
    observer = Quiet()
    record = run(Careless, KEYS, LIVES, observer=observer)
    attempts = [example.attempts for example in record.counterexamples]

    assert [5, *[0] * (len(attempts) - 1)] == attempts
    assert Verdict.FAIL is verdicts(record)[TOO_LONG]
    assert record.summary.interrupted
    told = [*record.counterexamples, *record.clauses, *record.shares, *record.distributions]
    assert [*told, record.qualification] == observer.lines
