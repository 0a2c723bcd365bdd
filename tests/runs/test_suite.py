"""Whole runs: conforming kernels, flaky ones, several bugs in one, deviations, seeds."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.scenarios.facts import EXPOSED
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import Environment, Scenario
from fedcheck.invariants.vocabulary.verdict import Verdict

from .watched import (
    ALPHABET,
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


def test_a_conforming_kernel_passes_what_it_claims(run: Run) -> None:
    """What it does not claim is not judged, and the run is conformant."""
    record = run(Cache, KEYS, LIVES, PROBES)

    assert {Verdict.PASS, Verdict.NOT_CLAIMED} == set(verdicts(record).values())
    assert Verdict.PASS is verdicts(record)[UNSAFE]
    assert 0 == record.summary.exit_code


@pytest.mark.parametrize("share", [0.05, 0.1, 0.25, 0.5])
@pytest.mark.parametrize("seed", [4, 5, 6])
def test_a_kernel_that_fails_now_and_then_is_flaky(run: Run, share: float, seed: int) -> None:
    """Never a pass, never a crash of ours; both runs of the scenario are kept."""
    random = Random(seed)  # noqa: S311 - a failing kernel, not a secret

    class Flaky(Cache):
        def is_safe(self, key: str) -> bool:
            return super().is_safe(key) or random.random() < share

    record = run(Flaky, UNSAFE, examples=60)
    (example, *_) = record.counterexamples

    assert {UNSAFE: Verdict.FLAKY} == verdicts(record)
    assert example.reproduced < example.attempts
    assert shows(example.trace, example)
    assert not shows(example.other_trace, example)
    assert 1 == record.summary.exit_code


def test_a_failure_that_shrinks_into_a_flaky_one_is_flaky(run: Run) -> None:
    """It shows every time as it was found, and only every other time once it is small."""
    runs: list[int] = []

    class Fickle(Cache):
        def is_safe(self, key: str) -> bool:
            return super().is_safe(key) or runs[-1] > 4 or len(runs) % 2 == 0

    def counted(scenario: Scenario) -> None:
        runs.append(len(scenario.steps))

    record = run(Fickle, UNSAFE, breaks=counted, reduce=600)

    assert {UNSAFE: Verdict.FLAKY} == verdicts(record)
    for example in record.counterexamples:
        assert len(example.scenario.steps) <= 4
        assert shows(example.trace, example)
        assert not shows(example.other_trace, example)


def test_two_bugs_of_one_kernel_are_both_reported(run: Run) -> None:
    """Each clause has counterexamples of its own, and at least the first of them is small."""
    record = run(Careless, KEYS, LIVES)
    broken = {clause for clause, verdict in verdicts(record).items() if verdict is Verdict.FAIL}

    assert {UNSAFE, f"{KEYS}/key-length-capped", TOO_LONG} == broken
    assert broken == {example.clause for example in record.counterexamples}
    for example in record.counterexamples:
        assert (5, 5) == (example.reproduced, example.attempts)
        assert shows(example.trace, example)
        assert example.unreduced or len(example.scenario.steps) <= 4
        assert f"--select {example.clause}" in example.command
    assert broken == {each.clause for each in record.counterexamples if not each.unreduced}


def test_a_declared_deviation_is_judged_by_its_own_value_and_reported(run: Run) -> None:
    """All clauses pass, and the run is not conformant all the same."""

    class Longer(Cache):
        parameters = Parameters(key_max_length=200)

        def is_safe(self, key: str) -> bool:
            return 0 < len(key) <= 200 and set(key) <= ALPHABET

    record = run(Longer, KEYS)

    assert {Verdict.PASS} == set(verdicts(record).values())
    assert {"key_max_length": (128, 200)} == record.header.deviations
    assert 1 == record.summary.exit_code


def test_a_run_that_judges_nothing_is_not_conformant(run: Run) -> None:
    """A kernel that claims none of what was selected was not judged."""
    record = run(Cache, PROBES)

    assert {Verdict.NOT_CLAIMED} == set(verdicts(record).values())
    assert 3 == record.summary.exit_code


def test_what_is_left_out_is_named_with_the_reason(run: Run) -> None:
    """The header lists every clause that was not asked for."""
    record = run(Cache, KEYS, ignore=(UNSAFE,))

    assert "ignored" == record.header.excluded[UNSAFE]
    assert "not selected" == record.header.excluded[TOO_LONG]
    assert set(clauses(catalog())) == {*record.header.selected, *record.header.excluded}
    assert list(record.header.selected) == [result.clause for result in record.clauses]


def test_a_required_clause_that_is_ignored_is_named(run: Run) -> None:
    """A clause that decides nothing may be left out without a word."""
    young = "C-CACHE-ISOLATION/per-key"
    options = {"ignore": (UNSAFE, young), "requirement_set": "seeds-2026-05"}

    assert (UNSAFE,) == run(Cache, KEYS, **options).header.ignored
    assert {UNSAFE, young} == set(run(Cache, KEYS, ignore=(UNSAFE, young)).header.ignored)


@pytest.mark.parametrize(("demanded", "code"), [(("cache",), 0), (("cache", "narrator"), 1)])
def test_what_must_be_claimed(run: Run, demanded: tuple[str, ...], code: int) -> None:
    """A kernel that claims less than it is for is not conformant, whatever it keeps."""
    record = run(Cache, KEYS, must_claim=demanded)

    assert code == record.summary.exit_code
    assert demanded[1:] == record.header.unclaimed


def test_what_must_be_claimed_is_a_capability(run: Run) -> None:
    """A misspelt name would never be claimed."""
    with pytest.raises(UsageError, match="did you mean narrator"):
        run(Cache, KEYS, must_claim=("narator",))


def test_a_fixed_environment_leaves_clauses_unexercised(run: Run) -> None:
    """Exposing by the flag is no breach; that masking was never seen is told, and red."""

    class Exposing(ReferenceKernel):
        capabilities = ("fact_ledger",)
        env_fixed: ClassVar = EXPOSED.flags

        def __init__(self) -> None:
            super().__init__(EXPOSED)

    record = run(Exposing, "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF", "C-LEDGER-FIVE-TURNS")
    found = {x.name: x for x in record.clauses if x.invariant.startswith("I-")}
    masked = found["masked-unless-true"]

    assert Verdict.PASS is found["exposed-when-true"].verdict
    assert Verdict.NOT_EXERCISED is masked.verdict
    assert "the kernel always runs with" in masked.reason
    assert 3 == record.summary.exit_code


def test_a_masking_environment_is_told_what_it_hides(run: Run) -> None:
    """What only exposed facts show is not exercised, and the flags are the reason."""

    class Masking(ReferenceKernel):
        capabilities = ("fact_ledger",)

        def __init__(self) -> None:
            super().__init__(Environment())

    record = run(Masking, "C-LEDGER-LOOK-ALIKES/kept-when-exposed")

    assert [Verdict.NOT_EXERCISED] == [x.verdict for x in record.clauses]
    assert "always runs with {} (it does not claim env_per_scenario)" in record.clauses[0].reason
    assert 3 == record.summary.exit_code


def test_one_seed_gives_the_same_record(run: Run) -> None:
    """Verdicts, counts and counterexamples; only names and times differ."""
    first, second = (run(Careless, KEYS, LIVES) for _ in range(2))

    assert [x.id for x in first.counterexamples] == [x.id for x in second.counterexamples]
    assert [(x.verdict, x.comparisons, x.partitions) for x in first.clauses] == [
        (x.verdict, x.comparisons, x.partitions) for x in second.clauses
    ]
    assert first.header.run_id != second.header.run_id


def test_several_processes_judge_as_one_does() -> None:
    """The number of workers changes no verdict and no counterexample."""
    options = {"kernel": "mutant:window-of-four", "select": (KEYS, PROBES, "I-CLASS*")}
    records = [
        run_suite(RunOptions(examples=5, workers=workers, **options), Quiet()) for workers in (1, 2)
    ]

    assert verdicts(records[0]) == verdicts(records[1])
    assert [x.id for x in records[0].counterexamples] == [x.id for x in records[1].counterexamples]
    assert Verdict.FAIL in verdicts(records[0]).values()
