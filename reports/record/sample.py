"""A small record with one clause of every verdict, for whoever writes or tries a report.

It is made by hand: no kernel was judged.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...invariants.vocabulary.scenario import CacheSet, Call, Environment, Scenario, Turn
from ...invariants.vocabulary.trace import CacheOutcome, Given, KernelDescription, Trace
from ...invariants.vocabulary.verdict import Verdict, Violation
from .model import (
    ClauseResult,
    Counterexample,
    Header,
    Incident,
    RequirementSet,
    RunRecord,
    Suite,
    Surroundings,
    counterexample_id,
)
from .outcome import exit_code, summarise

KERNEL = KernelDescription(kernel="sample-kernel", version="1.2.3", capabilities=("cache",))

_REASONS = {
    Verdict.PASS: "",
    Verdict.FAIL: "1 kind of difference",
    Verdict.FLAKY: "seen in 2 of 5 repetitions",
    Verdict.TIMEOUT: "no answer within 10 s",
    Verdict.CRASH: "the kernel's process ended",
    Verdict.ERROR: "the answer could not be read",
    Verdict.NOT_EXERCISED: "not every class of input was seen",
    Verdict.NOT_CLAIMED: "the kernel does not claim clock",
    Verdict.WAIVED: "W-7, until 2030-01-01",
}


def sample_scenario() -> Scenario:
    """Return a turn with one call, and a cache operation that a kernel must refuse."""
    return Scenario(
        id="sample-unsafe-key",
        environment=Environment(flags={"SAMPLE_FLAG": "true"}, flags_matter=True),
        steps=(
            Turn(message="show my mail", calls=(Call(data_json='{"unread":8}'),)),
            CacheSet(key="a\n", value_json='{"v":1}', ttl_seconds=60),
        ),
    )


def sample_trace(scenario: Scenario) -> Trace:
    """Return what a kernel did that stored the unsafe key."""
    given = tuple(
        Given(step=number, user=step.user, session=step.session, stimulus=step)
        for number, step in enumerate(scenario.steps)
    )
    stored = CacheOutcome(step=len(scenario.steps) - 1, outcome="accepted")
    return Trace(events=(*given, stored), kernel=KERNEL, scenario=scenario.id)


def sample_counterexample(
    clause: str, *, expected: str = "the key is refused", got: str = "accepted"
) -> Counterexample:
    """Return a counterexample of a clause."""
    scenario = sample_scenario()
    kind = "unsafe key stored"
    return Counterexample(
        id=counterexample_id(clause, kind, scenario),
        clause=clause,
        kind=kind,
        violation=Violation(clause=clause, kind=kind, step=1, expected=expected, got=got),
        scenario=scenario,
        trace=sample_trace(scenario),
        reproduced=5,
        attempts=5,
        found_in=f"fixed:{scenario.id}",
        command=f"fedcheck run --kernel sample --select {clause} --seed 7",
    )


def sample_clause(
    verdict: Verdict, *, examples: Iterable[Counterexample] = (), **changes: object
) -> ClauseResult:
    """Return a result with a verdict; ``changes`` are fields of ``ClauseResult``."""
    name = verdict.value.replace("_", "-")
    fields: dict[str, object] = {
        "clause": f"C-SAMPLE/{name}",
        "invariant": "C-SAMPLE",
        "sentence": f"A sentence whose verdict is {name}.",
        "sources": ("sample page, Limits",),
        "verdict": Verdict.FAIL if verdict is Verdict.WAIVED else verdict,
        "effective": verdict,
        "reason": _REASONS[verdict],
        "scenarios": 12,
        "comparisons": 34,
        "partitions": {"cap": 3},
        "missing_partitions": ("cap+1",) if verdict is Verdict.NOT_EXERCISED else (),
        "counterexamples": tuple(example.id for example in examples),
        "seconds": 0.25,
    }
    return ClauseResult(**{**fields, **changes})  # type: ignore[arg-type]


def sample_incident(**changes: object) -> Incident:
    """Return a crash; ``changes`` are fields of ``Incident``."""
    fields: dict[str, object] = {
        "kind": "crash",
        "invariant": "C-SAMPLE",
        "scenario": sample_scenario(),
        "message": "the kernel's process ended with status -11; run the command below to see it",
        "stderr_tail": "first line\nSegmentation fault\n",
        "exit_status": -11,
        "step": 1,
        "command": "fedcheck run --kernel sample --select 'C-SAMPLE/*'",
    }
    return Incident(**{**fields, **changes})  # type: ignore[arg-type]


def sample_record(
    clauses: Iterable[ClauseResult] | None = None,
    *,
    examples: Iterable[Counterexample] = (),
    incidents: Iterable[Incident] = (),
    interrupted: bool = False,
    **changes: object,
) -> RunRecord:
    """Return a record; ``changes`` are fields of its header.

    Without ``clauses`` it has one clause of every verdict, a counterexample and an incident.
    """
    if clauses is None:
        examples = [sample_counterexample("C-SAMPLE/fail")]
        incidents = [sample_incident()]
        clauses = [
            sample_clause(verdict, examples=examples if verdict is Verdict.FAIL else ())
            for verdict in Verdict
        ]
    results = tuple(clauses)
    header = _header(tuple(result.clause for result in results), changes)
    return RunRecord(
        header=header,
        clauses=results,
        counterexamples=tuple(examples),
        incidents=tuple(incidents),
        summary=summarise(
            results,
            exit_code=exit_code(results, header.deviations, unclaimed=header.unclaimed),
            finished="2026-05-16T12:00:01.500Z",
            interrupted=interrupted,
        ),
    )


def failing_record(**changes: object) -> RunRecord:
    """Return a record with a failed and a passed clause.

    ``changes`` are fields of the counterexample.
    """
    example = replace(sample_counterexample("C-SAMPLE/fail"), **changes)
    clauses = [sample_clause(Verdict.FAIL, examples=[example]), sample_clause(Verdict.PASS)]
    return sample_record(clauses, examples=[example])


def _header(selected: tuple[str, ...], changes: dict[str, object]) -> Header:
    fields: dict[str, object] = {
        "run_id": "run-1",
        "suite": Suite(name="fedcheck", version="0.1.0", digest="ab" * 32),
        "reference": "sample",
        "kernel": KERNEL,
        "requirement_set": RequirementSet(name="founding-documents-1", digest="cd" * 32),
        "selected": selected,
        "excluded": {"C-OTHER/left-out": "not selected"},
        "seed": 7,
        "profile": "gate",
        "examples": 100,
        "timeout": 10.0,
        "arguments": ("run", "--kernel", "sample"),
        "surroundings": Surroundings(python="3.11.2", platform="Linux"),
        "nonce": "n1",
        "started": "2026-05-16T12:00:00.000Z",
    }
    return Header(**{**fields, **changes})  # type: ignore[arg-type]
