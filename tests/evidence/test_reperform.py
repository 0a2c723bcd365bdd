"""A second run, compared with the record of the first."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from fedcheck.conformance.audit.reperform import Comparison, reperform
from fedcheck.conformance.running.progress import watching
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.record_parts import Setting

CLAUSES = ("I-CACHE-KEY-SAFETY",)


def judged(kernel: str = "reference", **options: object) -> RunRecord:
    """Return the record of a small run."""
    with watching(None) as observer:
        asked = RunOptions(kernel=kernel, select=CLAUSES, examples=2, **options)  # type: ignore[arg-type]
        return run_suite(asked, observer)


def again(record: RunRecord, kernel: str = "reference", requirement_set: str = "") -> Comparison:
    """Return what a second run came to."""
    with watching(None) as observer:
        return reperform(record, kernel, observer, requirement_set)


def test_the_same_kernel_comes_to_the_same() -> None:
    """Same clauses, seed, budget and profile; nothing else is different."""
    first = judged(seed=5)
    second = again(first)
    assert ([], []) == (second.differences, second.notes)
    for field in ("selected", "seed", "examples", "profile", "timeout", "requirement_set"):
        assert getattr(first.header, field) == getattr(second.record.header, field)


def test_the_recorded_reference_is_never_run(tmp_path: Path) -> None:
    """It may be a command; only the kernel that is named is reached."""
    first = judged()
    trap = tmp_path / "trap"
    header = replace(first.header, reference=f"exec:touch {trap}")
    assert [] == again(replace(first, header=header)).differences
    assert not trap.exists()


def test_another_verdict_is_named_whichever_way() -> None:
    """Also one that is better now, and one that was forged."""
    broken = judged("mutant:key-end-unchecked")
    failed = [x.clause for x in broken.clauses if x.verdict is Verdict.FAIL]
    assert failed
    assert [f"{x}: recorded fail, now pass" for x in failed] == again(broken).differences
    first = judged()
    forged = replace(
        first,
        clauses=tuple(
            replace(x, verdict=Verdict.FLAKY, effective=Verdict.FLAKY) for x in first.clauses
        ),
    )
    found = again(forged).differences
    assert [f"{x.clause}: recorded flaky, now pass" for x in first.clauses] == found


def test_what_may_explain_a_difference_is_noted() -> None:
    """Another suite, another kernel, and what a record does not hold."""
    first = judged()
    header = replace(
        first.header,
        suite=replace(first.header.suite, digest="0" * 64),
        kernel=replace(first.header.kernel, version="0.9"),
        surroundings=replace(first.header.surroundings, packages={"hypothesis": "1"}),
        arguments=("run", "--time", "90s"),
        configuration={"scenarios": Setting(value="flows", source="flag")},
    )
    notes = "\n".join(again(replace(first, header=header)).notes)
    for told in (
        "the suite's code is not the recorded one: was 0000",
        "the kernel is not the recorded one: was reference 0.9",
        "hypothesis is not the recorded one: was 1, is ",
        "ended by the clock",
        "the scenarios of a folder",
    ):
        assert told in notes


def test_a_requirement_set_of_ones_own_is_given_by_its_file(tmp_path: Path) -> None:
    """The record only has its name."""
    own = tmp_path / "own.json"
    own.write_text('{"name":"own","title":"t","clauses":[],"extends":"seeds-2026-05"}')
    first = judged(requirement_set=str(own))
    assert [] == again(first, requirement_set=str(own)).notes
