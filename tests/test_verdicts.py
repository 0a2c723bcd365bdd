"""From what a run has seen of a clause to its verdict: each of them can be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fedcheck.conformance.driving.tally import ClauseTally, Failure
from fedcheck.conformance.running.verdicts import Evidence, clause_result, folded
from fedcheck.invariants.vocabulary.invariant import Clause, Invariant, Partition, Source
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn
from fedcheck.invariants.vocabulary.trace import KernelDescription, Trace
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Finding, Verdict, Violation
from fedcheck.reports.record.model import ClauseResult, Counterexample, Incident

SCENARIO = Scenario(id="s", steps=(Turn(message="m"),))
TRACE = Trace(events=(), kernel=KernelDescription(kernel="k", version="1"))


def _judge(_: TraceView) -> Iterator[Finding]:
    yield Compared()


CLAUSE = Clause(
    name="kept",
    sentence="It is kept.",
    judge=_judge,
    capabilities=frozenset({"digest"}),
    partitions=(
        Partition("small", "small input"),
        Partition("large", "large input"),
        Partition("odd", "the kernel's choice", kind="observed"),
        Partition("timed", "needs a clock", capabilities=frozenset({"clock"})),
    ),
)
INVARIANT = Invariant(
    id="C-VERDICTS",
    title="t",
    statement="s",
    sources=(Source("fact-ledger", "Caps"),),
    clauses=(CLAUSE,),
    scenarios=lambda _: (),
    strategy=lambda _: pytest.fail("not drawn from"),
    capabilities=frozenset({"fact_ledger"}),
)
CLAIMS = frozenset({"fact_ledger", "digest"})


def tally(**partitions: int) -> ClauseTally:
    """What was seen, by input class."""
    return ClauseTally(scenarios=2, comparisons=5, partitions=Counter(partitions))


def example(kind: str = "k", reproduced: int = 5, attempts: int = 5) -> Counterexample:
    """A counterexample that was repeated."""
    return Counterexample(
        id=f"ce-{kind}",
        clause="C-VERDICTS/kept",
        kind=kind,
        violation=Violation(kind=kind, step=0, expected="e", got="g"),
        scenario=SCENARIO,
        reproduced=reproduced,
        attempts=attempts,
        found_in="explore",
        command="c",
    )


def incident(kind: str) -> Incident:
    """Something that kept the suite from judging."""
    return Incident(kind=kind, message=f"a {kind}")  # type: ignore[arg-type]


EVERYTHING = Evidence(
    tally=tally(small=1, large=1),
    counterexamples=(),
    incidents=(),
    skipped=(),
    complete=True,
    required=True,
    seconds=0.25,
)
NOTHING = replace(EVERYTHING, tally=ClauseTally())


def result(evidence: Evidence, capabilities: frozenset[str] = CLAIMS) -> ClauseResult:
    """What the run says."""
    return clause_result(INVARIANT, CLAUSE, evidence, capabilities)


@pytest.mark.parametrize(
    ("evidence", "verdict", "reason"),
    [
        (EVERYTHING, Verdict.PASS, ""),
        (replace(EVERYTHING, counterexamples=[example("a"), example("b")]), Verdict.FAIL, "a; b"),
        (
            replace(EVERYTHING, counterexamples=[example("a", reproduced=2)]),
            Verdict.FLAKY,
            "a: shown again in 2 of 5 repetitions",
        ),
        (
            replace(EVERYTHING, counterexamples=[example("a", reproduced=0), example("b")]),
            Verdict.FAIL,
            "b",
        ),
        (
            replace(EVERYTHING, counterexamples=[example("a", reproduced=0, attempts=0)]),
            Verdict.FAIL,
            "a (not repeated: the run was stopped)",
        ),
        (replace(EVERYTHING, incidents=[incident("crash")]), Verdict.CRASH, "a crash"),
        (replace(EVERYTHING, incidents=[incident("timeout")]), Verdict.TIMEOUT, "a timeout"),
        (replace(EVERYTHING, incidents=[incident("error")]), Verdict.ERROR, "a error"),
        (
            replace(EVERYTHING, incidents=[incident("crash")], counterexamples=[example()]),
            Verdict.FAIL,
            "k",
        ),
        (
            replace(EVERYTHING, complete=False),
            Verdict.NOT_EXERCISED,
            "the run was stopped before its scenarios were done",
        ),
        (
            NOTHING,
            Verdict.NOT_EXERCISED,
            "no scenario gave the judge anything to compare",
        ),
        (
            replace(EVERYTHING, tally=tally(small=3)),
            Verdict.NOT_EXERCISED,
            "input classes not seen: large (large input)",
        ),
        (
            replace(NOTHING, skipped=["needs flags"]),
            Verdict.NOT_EXERCISED,
            "no scenario gave the judge anything to compare",
        ),
    ],
)
def test_each_verdict_has_its_evidence(evidence: Evidence, verdict: Verdict, reason: str) -> None:
    """A breach goes before what kept the suite from judging, and that before a pass."""
    found = result(evidence)

    assert (verdict, verdict, reason) == (found.verdict, found.effective, found.reason)
    assert [x.id for x in evidence.counterexamples] == list(found.counterexamples)


@pytest.mark.parametrize("claims", [{"fact_ledger"}, {"digest"}, set(), {"clock"}])
def test_what_the_kernel_does_not_claim_is_not_judged(claims: set[str]) -> None:
    """The reason names what is lacking; no class of input is missing then."""
    found = result(NOTHING, frozenset(claims))

    assert Verdict.NOT_CLAIMED is found.verdict
    assert all(name in found.reason for name in CLAIMS - claims)
    assert () == found.missing_partitions


def test_scenarios_that_the_kernel_cannot_run_are_not_claimed() -> None:
    """If no input class could be asked for, the clause was not claimed rather than forgotten."""
    clock = frozenset({"clock"})
    clause = replace(CLAUSE, partitions=(Partition("timed", "needs time", capabilities=clock),))
    skipped = replace(NOTHING, skipped=["the scenario needs a clock"])
    found = clause_result(INVARIANT, clause, skipped, CLAIMS)

    assert (Verdict.NOT_CLAIMED, "the scenario needs a clock") == (found.verdict, found.reason)


@pytest.mark.parametrize("seen", [{}, {"plain": 3}])
def test_what_only_other_flags_show_is_not_exercised(seen: dict[str, int]) -> None:
    """A kernel with one fixed environment hears which flags its clauses would have needed."""
    flags = frozenset({"env_per_scenario"})
    clause = replace(CLAUSE, partitions=(Partition("masked", "needs flags", capabilities=flags),))
    why = "the scenario needs the flags"
    evidence = replace(NOTHING, tally=tally(**seen), skipped=[why], other_flags=why)
    found = clause_result(INVARIANT, clause, evidence, CLAIMS)

    assert (Verdict.NOT_EXERCISED, ("masked",)) == (found.verdict, found.missing_partitions)
    assert found.reason.endswith(f"; {why}")


def test_what_the_kernels_own_flags_hide_is_not_exercised() -> None:
    """It ran the scenarios, but with masking on they do not show what they are for."""
    why = "the scenario asks for the flags"
    evidence = replace(NOTHING, tally=tally(small=3), own_flags=why)
    found = clause_result(INVARIANT, CLAUSE, evidence, CLAIMS)

    assert Verdict.NOT_EXERCISED is found.verdict
    assert found.reason.endswith(f"; {why}")


@pytest.mark.parametrize(
    ("seen", "claims", "missing"),
    [
        ({}, CLAIMS, ("small", "large")),
        ({"small": 1, "large": 2}, CLAIMS, ()),
        ({"small": 1, "large": 2}, CLAIMS | {"clock"}, ("timed",)),
        ({"small": 1, "odd": 9}, CLAIMS, ("large",)),
    ],
)
def test_an_input_class_that_was_not_seen_is_named(
    seen: dict[str, int], claims: frozenset[str], missing: tuple[str, ...]
) -> None:
    """Observed classes, and those that need what is not claimed, are not asked for."""
    found = result(replace(EVERYTHING, tally=tally(**seen)), claims)

    assert missing == found.missing_partitions
    assert (Verdict.NOT_EXERCISED if missing else Verdict.PASS) is found.verdict
    assert dict(sorted(seen.items())) == found.partitions


def test_a_result_carries_what_was_counted() -> None:
    """Level, sources, numbers and time are the clause's own."""
    found = result(replace(EVERYTHING, required=False))

    assert ("C-VERDICTS/kept", "C-VERDICTS") == (found.clause, found.invariant)
    assert (2, 5, 0.25) == (found.scenarios, found.comparisons, found.seconds)
    assert ("fact-ledger page, Caps",) == found.sources
    assert not found.required


def test_a_clause_that_rests_on_a_failed_one_says_so() -> None:
    """Nothing to compare is then no riddle; other verdicts keep their reasons."""
    resting = replace(INVARIANT, id="C-RESTING", rests_on=("C-VERDICTS/kept",))
    failed = result(replace(EVERYTHING, counterexamples=[example()]))
    empty = clause_result(resting, CLAUSE, NOTHING, CLAIMS)
    passed = clause_result(resting, replace(CLAUSE, name="other"), EVERYTHING, CLAIMS)
    clauses = {x.clause: (resting, CLAUSE) for x in (empty, passed)}
    clauses[failed.clause] = (INVARIANT, CLAUSE)

    verdicts = {x.clause: x for x in folded([failed, empty, passed], clauses)}

    assert "C-VERDICTS/kept, which fails" in verdicts[empty.clause].reason
    assert Verdict.NOT_EXERCISED is verdicts[empty.clause].verdict
    assert passed == verdicts[passed.clause]
    assert failed == verdicts[failed.clause]


class TestTally:
    """Counts, and the smallest failure of each kind."""

    def test_the_smallest_failure_is_kept_in_any_order(self) -> None:
        """What is reported does not depend on which scenario came first."""
        sizes = [Scenario(id="s", steps=(Turn(message="m" * n),)) for n in (5, 2, 9, 3)]
        found = [Violation(kind="k", step=0, expected="e", got="g")]
        orders = [ClauseTally(), ClauseTally()]
        for scenario in sizes:
            orders[0].add([*found], scenario, TRACE, "explore")
        for scenario in reversed(sizes):
            orders[1].add([*found], scenario, TRACE, "explore")

        assert [sizes[1], sizes[1]] == [x.failures["k"].scenario for x in orders]
        assert [4, 4] == [x.failures["k"].seen for x in orders]

    def test_each_kind_is_a_bug_of_its_own(self) -> None:
        """Two kinds in one trace are kept both; one kind twice is counted once."""
        kinds = ["a", "b", "a"]
        seen = ClauseTally()
        findings: list[Finding] = [
            Compared(("small",)),
            *(Violation(kind=kind, step=0, expected="e", got="g") for kind in kinds),
        ]
        seen.add(findings, SCENARIO, TRACE, "fixed:s")

        assert {"a": 1, "b": 1} == {kind: x.seen for kind, x in seen.failures.items()}
        assert (1, 1) == (seen.scenarios, seen.comparisons)

    def test_parts_of_a_run_add_up(self) -> None:
        """Merging is the same as having seen everything at once."""
        parts = [ClauseTally(), ClauseTally()]
        violation = Violation(kind="k", step=0, expected="e", got="g")
        for number, part in enumerate(parts, start=1):
            scenario = Scenario(id="s", steps=(Turn(message="m" * number),))
            part.add([Compared(("small",)), violation], scenario, TRACE, "explore")
        parts[1].merge(parts[0])

        assert (2, 2, {"small": 2}) == (
            parts[1].scenarios,
            parts[1].comparisons,
            dict(parts[1].partitions),
        )
        kept: Failure = parts[1].failures["k"]
        assert (2, 1) == (kept.seen, len(kept.scenario.steps[0].message))  # type: ignore[union-attr]
