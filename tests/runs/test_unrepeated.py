"""What a second run cannot repeat: it is named row by row, and what was found is replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from fedcheck.conformance.audit.reperform import Comparison, reperform
from fedcheck.reports.record.model import RunRecord

from .test_flows import flow, judged
from .watched import KEYS, UNSAFE, Cache, Quiet, Run

FLOWS = ("run", "--scenarios", "flows")
CLOCK = ("run", "--time", "5s")


def found(run: Run, folder: Path, found_in: str, arguments: tuple[str, ...]) -> RunRecord:
    """Return the record of a run that found something which generation does not find."""
    flow(folder)
    record = judged(run, folder, KEYS)
    examples = tuple(replace(x, found_in=found_in) for x in record.counterexamples)
    header = replace(record.header, arguments=arguments, configuration={})
    return replace(record, header=header, counterexamples=examples)


def again(record: RunRecord) -> Comparison:
    """Return what a second run of the kernel that was judged last comes to."""
    return reperform(record, "watched", Quiet())


@pytest.mark.parametrize(
    ("found_in", "arguments", "why"),
    [
        ("fixed:sign-up", FLOWS, "found in the scenario sign-up of a folder"),
        ("explore", CLOCK, "found while exploring by the clock"),
        ("waiver:W-1", ("run",), "found by the replay of the waiver W-1"),
    ],
)
def test_what_a_second_run_does_not_find_is_replayed(
    run: Run, tmp_path: Path, found_in: str, arguments: tuple[str, ...], why: str
) -> None:
    """The row is named with the reason; that the failure shows again settles the verdict."""
    comparison = again(found(run, tmp_path, found_in, arguments))
    (note,) = [line for line in comparison.notes if line.startswith(UNSAFE)]

    assert [] == comparison.differences
    assert f"{why}, which is not repeated; its recorded scenario was replayed instead" in note
    assert note.endswith("shown in 5 of 5 runs")


@pytest.mark.parametrize(
    ("found_in", "arguments"),
    [
        ("fixed:sign-up", ("run",)),
        ("fixed:cache.key/letter+middle+chat-function+alpha+once", FLOWS),
        ("explore", ("run",)),
        ("explore", ("run", "--kernel", "time")),
        ("explore", FLOWS),
    ],
)
def test_what_a_second_run_should_find_is_a_difference(
    run: Run, tmp_path: Path, found_in: str, arguments: tuple[str, ...]
) -> None:
    """No replay stands in for what the same seed and budget must find again."""
    comparison = again(found(run, tmp_path, found_in, arguments))

    assert [f"{UNSAFE}: recorded fail, now pass"] == comparison.differences
    assert [] == [line for line in comparison.notes if line.startswith(UNSAFE)]


def test_a_kernel_that_keeps_the_promise_now_is_a_difference(run: Run, tmp_path: Path) -> None:
    """The replay shows nothing, so the recorded failure is not confirmed."""
    record = found(run, tmp_path, "waiver:W-1", ("run",))
    run(Cache, KEYS)
    comparison = again(record)

    assert [f"{UNSAFE}: recorded fail, now pass"] == comparison.differences
    assert "the promise was kept in 5 of 5 runs" in "\n".join(comparison.notes)


def test_clauses_that_saw_less_are_named(run: Run) -> None:
    """With both numbers, and only where a clock or a folder is the reason."""
    record = run(Cache, KEYS)
    grown = tuple(
        replace(x, scenarios=x.scenarios + 1000 * (x.clause == UNSAFE)) for x in record.clauses
    )
    (had,) = [x.scenarios for x in record.clauses if x.clause == UNSAFE]
    timed = replace(record, clauses=grown, header=replace(record.header, arguments=CLOCK))

    assert [
        "the recorded run ended by the clock; this one explores a fixed number of scenarios",
        f"for that reason these saw fewer scenarios than recorded: {UNSAFE} ({had} of 1,0{had})",
    ] == again(timed).notes
    assert [] == again(replace(record, clauses=grown)).notes
