"""Fixed, named scenarios that run beside generation."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.invariants.vocabulary import codec
from fedcheck.invariants.vocabulary.errors import KernelCrashed, UsageError
from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Scenario, Turn
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import RunRecord

from .watched import KEYS, LIVES, UNSAFE, Cache, Run, verdicts

MAGIC = "x-y.z"


class Fooled(Cache):
    """Stores one unsafe key that no generator would find."""

    def is_safe(self, key: str) -> bool:
        return key == MAGIC or super().is_safe(key)


def flow(folder: Path, name: str = "sign-up", key: str = MAGIC) -> None:
    """Write a flow that sets and gets a key, and a valid twin."""
    steps = [
        step
        for each in (key, "valid")
        for step in (CacheSet(key=each, value_json="{}", ttl_seconds=60), CacheGet(key=each))
    ]
    scenario = Scenario(id="any", steps=tuple(steps))
    (folder / f"{name}.json").write_text(codec.to_json(scenario), "ascii")


def judged(run: Run, folder: Path, *select: str, kernel: type = Fooled) -> RunRecord:
    """Judge by the flows of a folder, with nothing generated."""
    return run(kernel, *select, examples=0, scenarios=str(folder))


def test_a_flow_finds_what_generation_does_not(run: Run, tmp_path: Path) -> None:
    """All clauses judge it; the counterexample names it, and the command repeats it."""
    flow(tmp_path)
    record = judged(run, tmp_path, KEYS)
    (example,) = record.counterexamples

    assert {Verdict.PASS} == set(verdicts(run(Fooled, KEYS, examples=0)).values())
    assert Verdict.FAIL is verdicts(record)[UNSAFE]
    assert "fixed:sign-up" == example.found_in
    assert f"--scenarios {tmp_path}" in example.command
    assert 5 == example.reproduced


def test_a_flow_that_holds_changes_no_verdict(run: Run, tmp_path: Path) -> None:
    """It is counted among the scenarios."""
    flow(tmp_path, key="m")
    with_flow, without = judged(run, tmp_path, KEYS), run(Fooled, KEYS, examples=0)

    assert verdicts(without) == verdicts(with_flow)
    assert [x.scenarios for x in without.clauses] < [x.scenarios for x in with_flow.clauses]


def test_a_flow_that_breaks_the_kernel_leaves_no_clause_judged(run: Run, tmp_path: Path) -> None:
    """Every clause was to judge it, and none could."""
    flow(tmp_path)

    def breaks(scenario: Scenario) -> None:
        if any(isinstance(step, CacheGet) and step.key == MAGIC for step in scenario.steps):
            raise KernelCrashed("it died")

    record = run(Cache, KEYS, LIVES, examples=0, scenarios=str(tmp_path), breaks=breaks)

    assert {Verdict.CRASH, Verdict.NOT_CLAIMED} == set(verdicts(record).values())
    assert "sign-up" == next(x.scenario.id for x in record.incidents if x.scenario)
    assert 3 == record.summary.exit_code


def test_a_flow_that_the_kernel_does_not_claim_is_not_run(run: Run, tmp_path: Path) -> None:
    """It is no failure, and no evidence."""
    text = codec.to_json(Scenario(id="any", steps=(Turn(message="hi"),)))
    (tmp_path / "chat.json").write_text(text, "ascii")

    assert verdicts(run(Cache, KEYS, examples=0)) == verdicts(
        judged(run, tmp_path, KEYS, kernel=Cache)
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("poem.json", "roses are red", "poem.json: line 1"),
        ("half.json", '{"format": "fedcheck-scenario/1", "id": "x"}', "half.json: .*steps"),
        ("future.json", '{"format": "fedcheck-scenario/9"}', "fedcheck-scenario/9"),
        ("readme.txt", "nothing", "no .json file"),
    ],
)
def test_a_folder_that_holds_something_else_is_refused(
    run: Run, tmp_path: Path, name: str, text: str, message: str
) -> None:
    """A flow that is not run must not look like one that was."""
    (tmp_path / name).write_text(text)

    with pytest.raises(UsageError, match=message):
        judged(run, tmp_path, KEYS)


def test_a_folder_that_does_not_exist_is_refused(run: Run, tmp_path: Path) -> None:
    """Likewise."""
    with pytest.raises(UsageError, match="there is no such folder"):
        judged(run, tmp_path / "nowhere", KEYS)
