"""Runs with waivers: what counts changes, what was seen does not."""

from __future__ import annotations

import pickle
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.conformance.settings.options import RunOptions
from fedcheck.conformance.waivers import applying as waivers
from fedcheck.invariants.vocabulary.errors import KernelCrashed, UsageError
from fedcheck.invariants.vocabulary.scenario import Scenario
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.junit import junit_xml
from fedcheck.reports.formats.text import text_report
from fedcheck.reports.record.model import ClauseResult, RunRecord
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.writer import write_record

from .waiving import FAR, failure, told, waiver
from .watched import ALPHABET, KEYS, LIVES, PROBES, TOO_LONG, UNSAFE, Cache, Run

LENGTH = f"{KEYS}/key-length-capped"


class Longer(Cache):
    """Has one bug: a life may be one second too long."""

    version = "1.4.0"

    def is_short(self, ttl: object) -> bool:
        return ttl == 301 or super().is_short(ttl)


class AndAnyKey(Longer):
    """Has another bug besides: any key will do."""

    def is_safe(self, key: str) -> bool:
        return True


class Mended(Cache):
    """The same kernel, mended."""

    name = "Longer"
    version = "1.4.0"


def result_of(record: RunRecord, clause: str) -> ClauseResult:
    """Return what a run says of a clause."""
    return next(result for result in record.clauses if result.clause == clause)


@pytest.fixture
def known(run: Run) -> Any:
    """The failure of ``Longer``, as a file holds it."""
    return failure(run(Longer, LIVES), TOO_LONG)


def test_a_waived_breach_no_longer_counts_and_is_still_seen(
    run: Run, known: Any, tmp_path: Path
) -> None:
    """The gate is green; the raw verdict, the counterexample and the waiver stand in the record."""
    record = run(Longer, LIVES, waivers=(waiver(tmp_path, known),))
    result = result_of(record, TOO_LONG)

    assert (Verdict.FAIL, Verdict.WAIVED) == (result.verdict, result.effective)
    assert 0 == record.summary.exit_code
    assert ("applied", known.kind) == (told(record).state, told(record).fingerprint)
    assert told(record).id == result.waiver
    assert [known.id] == list(result.counterexamples)
    assert known.scenario == record.counterexamples[0].scenario
    assert (5, 5) == (record.counterexamples[0].reproduced, record.counterexamples[0].attempts)
    assert f"fedcheck replay {tmp_path}" in record.counterexamples[0].command


def test_a_record_with_waivers_is_read_back_and_shown(run: Run, known: Any, tmp_path: Path) -> None:
    """The reader finds no contradiction; text names people and ticket; JUnit has no failure."""
    record = run(Longer, LIVES, waivers=(waiver(tmp_path, known),))
    write_record(tmp_path / "run.ndjson", record)
    text = text_report(record)

    assert record.waivers == read_record(tmp_path / "run.ndjson").waivers
    for part in ("waived", "KRN-1", "requested by Ann", "approved by Bob", str(FAR)):
        assert part in text
    assert "waived by W-" in "".join(junit_xml(record))
    assert "<failure" not in "".join(junit_xml(record))
    assert "<error" not in "".join(junit_xml(record))


def test_the_verdict_of_a_waived_clause_does_not_depend_on_exploration(
    run: Run, known: Any, tmp_path: Path
) -> None:
    """The counterexample is replayed first: seeds and budgets give one and the same evidence."""
    accepted = waiver(tmp_path, known)
    records = [
        run(Longer, LIVES, waivers=(accepted,), seed=seed, examples=examples)
        for seed, examples in ((0, 0), (7, 30))
    ]

    assert [[known.id], [known.id]] == [[x.id for x in r.counterexamples] for r in records]


def test_what_people_wrote_is_harmless_in_reports(run: Run, known: Any, tmp_path: Path) -> None:
    """Reasons, names and tickets come from a file that anybody may have edited."""
    evil = "\x1b[31m</testcase> \u202e ::error::"
    texts = dict.fromkeys(("reason", "requested_by", "ticket", "id"), evil)
    for changes in ({}, {"kernel": evil}):
        record = run(Longer, LIVES, waivers=(waiver(tmp_path, known, **texts, **changes),))
        told_all = text_report(record) + "".join(junit_xml(record))

        assert r"\x1b[31m" in told_all
        for part in ("\x1b", "\u202e", "\n::error"):
            assert part not in told_all


def test_waivers_reach_other_processes(known: Any, tmp_path: Path) -> None:
    """What a run was asked to do is sent to each of its workers."""
    options = RunOptions(waivers=(waiver(tmp_path, known),))

    assert options == pickle.loads(pickle.dumps(options))  # noqa: S301  our own bytes


def test_a_second_bug_of_another_clause_is_not_hidden(run: Run, tmp_path: Path) -> None:
    """The waiver of one clause leaves the neighbours red."""
    known = failure(run(AndAnyKey, KEYS, LIVES), TOO_LONG)
    record = run(AndAnyKey, KEYS, LIVES, waivers=(waiver(tmp_path, known),))

    assert Verdict.WAIVED is result_of(record, TOO_LONG).effective
    assert Verdict.FAIL is result_of(record, UNSAFE).effective
    assert 1 == record.summary.exit_code


def test_a_second_bug_of_the_same_clause_is_not_hidden(run: Run, tmp_path: Path) -> None:
    """A waiver covers one kind of difference; another kind keeps the clause red."""

    class OneBug(Cache):
        name = "Keys"

        def is_safe(self, key: str) -> bool:
            return 0 < len(key) <= 128 and set(key) <= ALPHABET | {"."}

    class TwoBugs(Cache):
        name = "Keys"

        def is_safe(self, key: str) -> bool:
            return 0 < len(key) <= 128

    accepted = waiver(tmp_path, failure(run(OneBug, UNSAFE), UNSAFE))
    assert Verdict.WAIVED is result_of(run(OneBug, UNSAFE, waivers=(accepted,)), UNSAFE).effective
    record = run(TwoBugs, UNSAFE, waivers=(accepted,))
    result = result_of(record, UNSAFE)

    assert ("applied", Verdict.FAIL, "") == (told(record).state, result.effective, result.waiver)
    assert 1 == record.summary.exit_code
    assert len(result.counterexamples) > 1


def test_a_crash_is_not_hidden_by_a_waiver(run: Run, known: Any, tmp_path: Path) -> None:
    """The breach is borne; that the kernel dies in another scenario is not."""

    def breaks(scenario: Scenario) -> None:
        if scenario.id != known.scenario.id:
            raise KernelCrashed("it died")

    record = run(Longer, TOO_LONG, breaks=breaks, waivers=(waiver(tmp_path, known),))
    result = result_of(record, TOO_LONG)

    assert (Verdict.FAIL, Verdict.CRASH) == (result.verdict, result.effective)
    assert 3 == record.summary.exit_code


def test_a_kernel_that_dies_in_the_counterexample_was_not_judged(
    run: Run, known: Any, tmp_path: Path
) -> None:
    """Neither stale nor applied; the breakdown stands in the record."""

    def breaks(scenario: Scenario) -> None:
        if scenario.id == known.scenario.id:
            raise KernelCrashed("it died")

    record = run(Mended, TOO_LONG, breaks=breaks, examples=0, waivers=(waiver(tmp_path, known),))

    assert "unmatched" == told(record).state
    assert "crash: it died; find out why" in told(record).message
    assert Verdict.CRASH is result_of(record, TOO_LONG).effective
    assert known.scenario in [incident.scenario for incident in record.incidents]
    assert 3 == record.summary.exit_code


def test_a_waiver_of_a_mended_clause_is_stale(run: Run, known: Any, tmp_path: Path) -> None:
    """The run fails and says which entry to delete."""
    record = run(Mended, LIVES, waivers=(waiver(tmp_path, known),))

    assert Verdict.PASS is result_of(record, TOO_LONG).effective
    assert "stale" == told(record).state
    assert 1 == record.summary.exit_code
    for part in ("fedcheck.toml, line 7", "delete this [[waivers]] entry", TOO_LONG):
        assert part in told(record).message
    assert "is stale" in text_report(record)
    assert "is stale" in "".join(junit_xml(record))


def test_an_expired_waiver_covers_nothing(
    run: Run, known: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds on its last day; a day later the breach is red and the line to change is named."""
    accepted = waiver(tmp_path, known, expires=date(2026, 5, 31))
    monkeypatch.setattr(waivers, "today", lambda: date(2026, 5, 31))
    assert "applied" == told(run(Longer, LIVES, waivers=(accepted,))).state
    monkeypatch.setattr(waivers, "today", lambda: date(2026, 6, 1))
    record = run(Longer, LIVES, waivers=(accepted,))

    assert ("expired", -1) == (told(record).state, told(record).days_left)
    assert Verdict.FAIL is result_of(record, TOO_LONG).effective
    assert 1 == record.summary.exit_code
    assert "`expires = 2026-05-31`" in told(record).message


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"kernel": "another"},
            "it is for another kernel: it names 'another', the one that is judged calls itself",
        ),
        ({"versions": "<1.4"}, "it is for the versions '<1.4', this one is '1.4.0'"),
    ],
)
def test_a_waiver_for_something_else_is_unmatched(
    run: Run, known: Any, tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    """It covers nothing, and fails the run, so that it is not forgotten."""
    record = run(Longer, LIVES, waivers=(waiver(tmp_path, known, **changes),))

    assert "unmatched" == told(record).state
    assert reason in told(record).message
    assert Verdict.FAIL is result_of(record, TOO_LONG).effective


def test_a_waiver_of_a_clause_that_was_renamed_is_unmatched(
    run: Run, known: Any, tmp_path: Path
) -> None:
    """Even when the kernel is green: an entry that names nothing is rot."""
    gone = waiver(tmp_path, replace(known, clause="I-GONE/away"))
    record = run(Cache, LIVES, waivers=(gone,))

    assert "unmatched" == told(record).state
    assert "there is no clause I-GONE/away" in told(record).message
    assert 1 == record.summary.exit_code


def test_a_waiver_of_a_clause_that_the_kernel_does_not_claim_is_unmatched(
    run: Run, known: Any, tmp_path: Path
) -> None:
    """Not claimed is no breach that could be borne."""
    other = waiver(tmp_path, replace(known, clause=f"{PROBES}/read-refused-outside"))
    clause = other.entry.clause
    record = run(Longer, "I-SKELETON*", LIVES, waivers=(other,))

    assert clause in record.header.selected or "there is no clause" in told(record).message
    assert "unmatched" == told(record).state


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        ("ann@example.com", "ann@example.com"),
        ("Ann <ann@example.com>", "A. Example (ANN@example.com)"),
        ("ann@example.com, eve@example.com", "Eve <eve@Example.com>"),
        ("ａｎｎ@example.com", "ann@example.com."),
    ],
)
def test_nobody_approves_their_own_waiver(
    run: Run, known: Any, tmp_path: Path, asked: str, allowed: str
) -> None:
    """However the name is spelt."""
    own = waiver(tmp_path, known, requested_by=asked, approved_by=allowed)
    record = run(Longer, LIVES, waivers=(own,))

    assert "self-approved" == told(record).state
    assert "approved_by" in told(record).message
    assert (Verdict.FAIL, 1) == (
        result_of(record, TOO_LONG).effective,
        record.summary.exit_code,
    )


def test_a_waiver_of_a_clause_that_is_not_judged_is_left_alone(
    run: Run, known: Any, tmp_path: Path
) -> None:
    """A run of other clauses says nothing of it."""
    record = run(Longer, KEYS, waivers=(waiver(tmp_path, known),))

    assert () == record.waivers
    assert 0 == record.summary.exit_code


def test_a_flaky_breach_can_be_waived(run: Run, known: Any, tmp_path: Path) -> None:
    """It comes and goes; as long as it comes, the waiver holds."""
    random = Random(3)  # noqa: S311 - a failing kernel, not a secret

    class Sometimes(Longer):
        name = "Longer"

        def is_short(self, ttl: object) -> bool:
            return Cache.is_short(self, ttl) or (ttl == 301 and random.random() < 0.5)

    record = run(Sometimes, TOO_LONG, waivers=(waiver(tmp_path, known),))
    result = result_of(record, TOO_LONG)

    assert "applied" == told(record).state
    assert (Verdict.FLAKY, Verdict.WAIVED) == (result.verdict, result.effective)


def test_two_waivers_of_one_breach_are_refused(run: Run, known: Any, tmp_path: Path) -> None:
    """Which of them counts would be a guess."""
    twice = (waiver(tmp_path, known, id="W-1"), waiver(tmp_path, known, id="W-2"))

    with pytest.raises(UsageError, match="already"):
        run(Longer, LIVES, waivers=twice)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"counterexample": "nowhere.json"}, "cannot be read"),
        ({"clause": LENGTH}, "names? a counterexample of that clause"),
        ({"fingerprint": "another kind"}, "they must agree"),
    ],
)
def test_a_waiver_and_its_counterexample_must_agree(
    run: Run, known: Any, tmp_path: Path, changes: dict[str, str], message: str
) -> None:
    """A wrong entry is a mistake in the configuration, named with file and line."""
    wrong = waiver(tmp_path, known, **changes)

    with pytest.raises(UsageError, match=rf"(?s)fedcheck\.toml, line 7.*{message}"):
        run(Longer, LIVES, KEYS, waivers=(wrong,))
