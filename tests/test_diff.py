"""Two releases compared: what broke, what was mended, what is judged no longer."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.comparison import Comparison, Difference, compare
from fedcheck.reports.record.model import RequirementSet, RunRecord
from fedcheck.reports.record.sample import KERNEL, sample_clause, sample_record
from fedcheck.reports.record.writer import write_record
from fedcheck.reports.wording.comparison_text import to_markdown, to_text

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]

NAME = "C-SAMPLE/x"


def run(verdict: Verdict | None, **changes: object) -> RunRecord:
    """A run of one clause; ``None`` is a run that did not judge it."""
    if verdict is None:
        return sample_record([sample_clause(Verdict.PASS, clause="C-SAMPLE/other")])
    fields = {"clause": NAME, "missing_partitions": (), **changes}
    return sample_record([sample_clause(verdict, **fields)])


def about(comparison: Comparison) -> list[Difference]:
    """What is said of the clause."""
    return [each for each in comparison.differences if each.subject == NAME]


@pytest.mark.parametrize(
    ("old", "new", "topic", "regression"),
    [
        (Verdict.PASS, Verdict.FAIL, "newly failing", True),
        (Verdict.PASS, Verdict.FLAKY, "newly failing", True),
        (Verdict.NOT_CLAIMED, Verdict.FAIL, "newly claimed, fails", False),
        (Verdict.NOT_CLAIMED, Verdict.NOT_EXERCISED, "newly claimed, not judged", False),
        (None, Verdict.FAIL, "newly failing", True),
        (Verdict.FAIL, Verdict.PASS, "fixed", False),
        (Verdict.FLAKY, Verdict.PASS, "fixed", False),
        (Verdict.WAIVED, Verdict.PASS, "fixed", False),
        (Verdict.PASS, Verdict.NOT_EXERCISED, "newly not exercised", True),
        (Verdict.FAIL, Verdict.NOT_EXERCISED, "newly not exercised", True),
        (Verdict.PASS, Verdict.NOT_CLAIMED, "newly not claimed", True),
        (Verdict.PASS, Verdict.CRASH, "newly not judged", True),
        (Verdict.PASS, Verdict.TIMEOUT, "newly not judged", True),
        (Verdict.PASS, Verdict.ERROR, "newly not judged", True),
        (Verdict.NOT_CLAIMED, Verdict.CRASH, "newly claimed, not judged", False),
        (Verdict.CRASH, Verdict.PASS, "judged again", False),
        (Verdict.NOT_CLAIMED, Verdict.PASS, "judged again", False),
        (Verdict.PASS, None, "gone clause", True),
        (None, Verdict.PASS, "new clause", False),
        (Verdict.PASS, Verdict.WAIVED, "newly waived", False),
        (Verdict.FAIL, Verdict.WAIVED, "newly waived", False),
        (Verdict.WAIVED, Verdict.FAIL, "newly failing", True),
        (Verdict.FAIL, Verdict.CRASH, "newly not judged", True),
        (Verdict.FAIL, None, "gone clause", True),
        (Verdict.FAIL, Verdict.FLAKY, "another verdict", False),
        (Verdict.CRASH, Verdict.TIMEOUT, "another verdict", False),
        (Verdict.CRASH, Verdict.NOT_CLAIMED, "another verdict", False),
    ],
)
def test_each_change_of_a_verdict_has_its_topic(
    old: Verdict | None, new: Verdict | None, topic: str, regression: bool
) -> None:
    """And only what makes the release worse is a regression."""
    comparison = compare(run(old), run(new))
    (difference,) = about(comparison)

    assert (topic, regression) == (difference.topic, difference.regression)
    others = [x for x in comparison.differences if x.regression and x.subject != NAME]
    assert int(regression or bool(others)) == comparison.exit_code


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_run_compared_with_itself_has_not_changed(verdict: Verdict) -> None:
    """Whatever the verdict."""
    comparison = compare(run(verdict), run(verdict))

    assert ((), 0) == (comparison.differences, comparison.exit_code)
    assert "nothing changed" in to_text(comparison)


@pytest.mark.parametrize("changes", [{"level": "SHOULD"}, {"required": False}])
def test_an_advisory_clause_is_shown_and_never_a_regression(changes: dict[str, object]) -> None:
    """As in a run."""
    comparison = compare(run(Verdict.PASS, **changes), run(Verdict.FAIL, **changes))

    assert ["newly failing"] == [x.topic for x in about(comparison)]
    assert 0 == comparison.exit_code


def test_a_class_of_input_that_is_no_longer_seen_is_lost_coverage() -> None:
    """Although the clause still passes."""
    old = run(Verdict.PASS, partitions={"cap": 3, "cap+1": 2, "never": 0})
    (lost,) = about(compare(old, run(Verdict.PASS, partitions={"cap": 9, "cap+1": 0})))

    assert ("lost coverage", True) == (lost.topic, lost.regression)
    assert "input classes seen: cap+1" == lost.before


@pytest.mark.parametrize(("scenarios", "lost"), [(49, True), (50, False), (300, False)])
def test_losing_most_scenarios_is_lost_coverage(scenarios: int, lost: bool) -> None:
    """A few more or less is what the kernel's answers make of it."""
    found = about(compare(run(Verdict.PASS, scenarios=100), run(Verdict.PASS, scenarios=scenarios)))

    assert lost == any(x.regression for x in found)


def test_a_clause_that_no_longer_decides_is_shown() -> None:
    """A smaller requirement set must not hide a failure unseen."""
    found = about(compare(run(Verdict.PASS), run(Verdict.PASS, required=False)))

    assert ["it is only advisory"] == [x.after for x in found]


def test_what_was_judged_and_by_what_is_compared_too() -> None:
    """Parameters, deviations, capabilities, suite and requirement set."""
    old, new = run(Verdict.PASS), run(Verdict.PASS)
    kernel = replace(KERNEL, version="2.0", parameters=Parameters(window=4), capabilities=())
    header = replace(
        new.header,
        kernel=kernel,
        deviations={"window": (5, 4)},
        suite=replace(new.header.suite, version="0.2.0"),
        requirement_set=RequirementSet(name="newer", digest="ef" * 32),
    )
    comparison = compare(old, replace(new, header=header))
    told = {(x.topic, x.subject): (x.before, x.after) for x in comparison.differences}

    assert ("5", "4") == told["changed parameter", "window"]
    assert ("documented: 5", "declared: 4") == told["new deviation", "window"]
    assert ("fedcheck 0.1.0", "fedcheck 0.2.0") == told["changed setting", "suite"]
    assert ("cache", "") == told["changed setting", "capabilities"]
    assert "newer" == told["changed setting", "requirement set"][1]
    assert 1 == comparison.exit_code


def test_numbers_in_words() -> None:
    """For the head of a section: regressions, topics, and what was red before already."""
    same = compare(run(Verdict.FAIL), run(Verdict.FAIL))
    other = run(Verdict.FAIL)
    worse = compare(run(Verdict.PASS), replace(other, header=replace(other.header, seed=8)))
    others = {x.topic: (x.subject, x.before, x.after) for x in worse.differences[1:]}

    assert "no regression (1 MUST = 1 still red)" == same.numbers
    assert "1 regression (1 MUST = 1 newly failing; changed setting: 1)" == worse.numbers
    assert {
        "changed setting": ("seed", "7", "8"),
        "changed total": ("red clauses", "0", "1"),
    } == others


def test_must_and_should_are_counted_apart_and_add_up() -> None:
    """Each clause is counted once: by what became of its verdict, or as one that stayed."""
    levels = {"a": "MUST", "b": "MUST", "c": "SHOULD", "d": "SHOULD", "e": "MUST", "f": "MUST"}

    def clauses(*verdicts: Verdict | None) -> RunRecord:
        named = zip(levels.items(), verdicts, strict=True)
        return sample_record(
            [
                sample_clause(verdict, clause=f"C-SAMPLE/{name}", level=level)
                for (name, level), verdict in named
                if verdict is not None
            ]
        )

    passed, failed, unclaimed = Verdict.PASS, Verdict.FAIL, Verdict.NOT_CLAIMED
    old = clauses(passed, failed, passed, passed, unclaimed, passed)
    told = compare(old, clauses(failed, failed, failed, passed, failed, None))

    assert {"newly failing": 1, "newly claimed, fails": 1, "gone clause": 1} == told.must.topics
    assert (4, 1, 0) == (told.must.clauses, told.must.still_red, told.must.unchanged)
    assert ({"newly failing": 1}, 2, 1) == (
        told.should.topics,
        told.should.clauses,
        told.should.unchanged,
    )
    for each in (told.must, told.should):
        assert each.clauses == sum(each.topics.values()) + each.still_red + each.unchanged
    assert told.numbers.startswith(
        "2 regressions (4 MUST = 1 newly failing + 1 newly claimed, fails"
    )
    assert "C-SAMPLE/c (SHOULD)" in to_text(told)
    assert "C-SAMPLE/c (SHOULD)" in to_markdown(told)


def test_a_wider_claim_is_no_regression() -> None:
    """What the kernel newly claims and breaks is told, and the run itself is red for it."""
    wider = compare(run(Verdict.NOT_CLAIMED), run(Verdict.FAIL))

    assert (0, "newly claimed, fails") == (wider.exit_code, about(wider)[0].topic)


def test_totals_are_no_settings() -> None:
    """What came out of a run is told apart from how it was made; a waived clause is not red."""
    counted = run(Verdict.FAIL), run(Verdict.WAIVED, scenarios=1_200)
    totals = compare(*counted).by_topic["changed total"]

    assert [("red clauses", "1", "0"), ("scenarios read by judges", "12", "1,200")] == [
        (each.subject, each.before, each.after) for each in totals
    ]
    assert "changed total" not in compare(counted[0], counted[0]).by_topic


def test_the_gravest_stands_first() -> None:
    """A new failure before lost coverage, whatever the order of the clauses."""
    before = run(Verdict.PASS, clause="C-SAMPLE/a", partitions={"cap": 3, "cap+1": 1})
    other = sample_clause(Verdict.PASS, clause="C-SAMPLE/b")
    broken = sample_clause(Verdict.FAIL, clause="C-SAMPLE/b")
    old = replace(before, clauses=(*before.clauses, other))
    after = run(Verdict.PASS, clause="C-SAMPLE/a")
    new = replace(after, clauses=(*after.clauses, broken))

    assert ["newly failing", "lost coverage", "changed total"] == list(compare(old, new).by_topic)


def test_hostile_names_are_harmless_in_every_form() -> None:
    """A kernel names itself, a plug-in its clauses."""
    evil = "<script>x</script> | `a` ](javascript:x) \x1b[31m @everyone"
    comparison = compare(run(Verdict.PASS), run(Verdict.FAIL, reason=evil, clause=NAME))
    markdown, text = to_markdown(comparison), to_text(comparison)

    assert "\x1b" not in markdown + text
    rows = [line for line in markdown.splitlines() if "script" in line]
    assert [4] == [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    assert "``fail: <script>" in rows[0]
    assert r"\x1b[31m @everyone`` |" in rows[0]


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_command_ends_with_1_on_a_regression(
    fedcheck: Fedcheck, tmp_path: Path, form: str
) -> None:
    """In every format, and with 0 the other way round."""
    for name, verdict in (("old", Verdict.PASS), ("new", Verdict.FAIL)):
        write_record(tmp_path / name, run(verdict))
    worse, better = (
        fedcheck("diff", *names, "--format", form) for names in (("old", "new"), ("new", "old"))
    )

    assert (1, 0) == (worse.returncode, better.returncode), worse.stderr
    if form == "json":
        assert json.loads(worse.stdout)["regression"]
        assert 1 == json.loads(worse.stdout)["exit_code"]
    else:
        assert "1 regression (" in worse.stdout
        assert "(exit code 1)" in worse.stdout
        assert "fixed" in better.stdout.lower()


def test_what_is_no_record_is_wrong_usage(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """With exit code 2, which no comparison has."""
    (tmp_path / "old").write_text("hello\n")
    done = fedcheck("diff", "old", "old")

    assert 2 == done.returncode
    assert "old" in done.stderr
