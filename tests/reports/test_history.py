"""The history of releases: numbers, and which release broke and mended what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.trace import KernelDescription
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.commands.history import command
from fedcheck.reports.html.history_page import history_page
from fedcheck.reports.record.history import Failure, history, history_json, read_records
from fedcheck.reports.record.model import Qualification, RunRecord, Suite
from fedcheck.reports.record.sample import sample_clause, sample_record
from fedcheck.reports.record.writer import write_record

from .whole import HOSTILE, whole_record

P, F, N = Verdict.PASS, Verdict.FAIL, Verdict.NOT_EXERCISED


def release(version: str, *verdicts: Verdict | None, suite: str = "0.1") -> RunRecord:
    """Return a record of clauses ``C/0``, ``C/1`` …; ``None`` leaves one out."""
    clauses = [
        sample_clause(verdict, clause=f"C/{n}", invariant="C", missing_partitions=())
        for n, verdict in enumerate(verdicts)
        if verdict is not None
    ]
    return sample_record(
        clauses,
        kernel=KernelDescription(kernel="k", version=version),
        started=f"2026-05-{int(version):02}T00:00:00.000Z",
        suite=Suite(name="fedcheck", version=suite, digest="ab" * 32),
    )


def spells(*records: RunRecord) -> list[tuple[str, str, str, str]]:
    """Return clause, last good, introduced and mended of each failure, versions alone."""
    told = history(records).failures
    rows = [(x.clause, x.last_good, x.introduced, x.mended) for x in told]
    return [
        (c, a.removeprefix("k "), b.removeprefix("k "), m.removeprefix("k ")) for c, a, b, m in rows
    ]


def test_release_that_broke_and_the_one_that_mended_are_named() -> None:
    """Each time that a clause breaks is a failure of its own."""
    releases = [release(str(n), verdict) for n, verdict in enumerate((P, F, F, P, F), 1)]

    assert [("C/0", "1", "2", "4"), ("C/0", "4", "5", "")] == spells(*releases)


def test_kernels_have_histories_of_their_own() -> None:
    """What one breaks was not introduced by the other, and none mends it for the other."""

    def other(record: RunRecord) -> RunRecord:
        kernel = replace(record.header.kernel, kernel="other")
        return replace(record, header=replace(record.header, kernel=kernel))

    told = history(
        [release("1", P), other(release("2", F)), release("3", P), other(release("4", P))]
    )
    (failure,) = told.failures

    assert ("other", "", "other 2", "other 4") == (
        failure.kernel,
        failure.last_good,
        failure.introduced,
        failure.mended,
    )
    assert ["k 1", "k 3", "other 2", "other 4"] == [each.label for each in told.releases]
    assert "other: Verdicts" in history_page(told)


def test_order_of_the_files_does_not_matter() -> None:
    """The runs are ordered by when they began."""
    assert [("C/0", "1", "2", "")] == spells(release("2", F), release("1", P))


def test_clause_that_was_never_good_is_told_so() -> None:
    """There is nothing to compare with."""
    assert [("C/0", "", "1", "")] == spells(release("1", F), release("2", F))


@pytest.mark.parametrize("silence", [N, None, Verdict.TIMEOUT, Verdict.NOT_CLAIMED])
def test_release_that_says_nothing_changes_nothing(silence: Verdict | None) -> None:
    """Neither does it mend, nor does it count as good."""
    records = [release("1", P, P), release("2", silence, P), release("3", F, P)]
    records += [release("4", silence, P), release("5", F, P)]

    assert [("C/0", "1", "3", "")] == spells(*records)


def test_change_of_the_suite_is_told() -> None:
    """It may have learnt to see what was broken before."""
    same, other = (
        history([release("1", P), release("2", F, suite=suite)]).failures[0]
        for suite in ("0.1", "0.2")
    )

    assert (False, True) == (same.suite_changed, other.suite_changed)


def test_waived_failure_is_a_failure() -> None:
    """The raw verdict counts."""
    assert [("C/0", "1", "2", "")] == spells(release("1", P), release("2", Verdict.WAIVED))


def test_numbers_of_a_release() -> None:
    """Coverage, kill rate and time."""
    tested = Qualification(suite_digest="ab", killed={"C/0": ("a", "b")}, tolerated=())
    record = replace(release("16", P, F, N), qualification=tested)
    told = history([replace(record, header=replace(record.header, started="2026-05-16T12:00:00Z"))])
    row = told.releases[0]

    assert (3, 2, 1, 1) == (row.required, row.exercised, row.passed, row.broken)
    assert (66.7, 33.3, 2, 1.5) == (row.coverage, row.kill_rate, row.broken_kernels, row.seconds)


def test_equal_versions_are_told_apart() -> None:
    """Two runs of one version are two releases."""
    told = history([release("1", P), release("1", F)])

    assert ["k 1", "k 1 #2"] == [row.label for row in told.releases]


def test_json_can_be_read_back() -> None:
    """It names its format."""
    told = json.loads(history_json(history([release("1", P), release("2", F)])))

    assert "fedcheck-history/1" == told["format"]
    assert "k 2" == told["failures"][0]["introduced"]


def test_page_has_plots_and_nothing_that_runs() -> None:
    """With hostile names as well, the same each time."""
    told = history([whole_record(HOSTILE), whole_record()])
    page = history_page(told)

    assert page == history_page(told)
    assert len(told.kernels) == page.count("Required clauses by release")
    assert 3 * len(told.kernels) == page.count('<svg class="plot lines"')
    assert "names broken kernels that must be caught" in page  # and not: that were caught
    assert [] == [tag for tag in ("<script", "<img", "\u202e", "\x1b") if tag in page]


def test_one_record_is_a_history() -> None:
    """Of one point."""
    assert "Introduced in" in history_page(history([release("1", F)]))


def written(folder: Path, *records: RunRecord) -> Path:
    """Write records into a folder, among files that are none."""
    folder.mkdir()
    for number, record in enumerate(records):
        write_record(folder / f"{number}.ndjson", record)
    (folder / "notes.txt").write_text("not a record")
    return folder


def test_folder_stands_for_its_records(tmp_path: Path) -> None:
    """And only for them."""
    folder = written(tmp_path / "records", release("1", P), release("2", F))

    assert 2 == len(read_records([folder]))


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    """The message says what to give."""
    with pytest.raises(UsageError, match="There is no record in"):
        read_records([tmp_path])


@pytest.mark.parametrize("form", ["table", "json", "html"])
def test_command_writes_each_format(tmp_path: Path, form: str) -> None:
    """To stdout and into a file, the same text."""
    folder = written(tmp_path / "records", release("1", P), release("2", F))
    shown = CliRunner().invoke(command, [str(folder), "--format", form])
    CliRunner().invoke(command, [str(folder), "--format", form, "-o", str(tmp_path / "out")])

    assert 0 == shown.exit_code
    assert (tmp_path / "out").read_text(encoding="utf-8") == shown.stdout
    assert "k 2" in shown.stdout


def test_table_names_the_release_that_broke_a_clause(tmp_path: Path) -> None:
    """In words."""
    folder = written(tmp_path / "records", release("1", P), release("2", F))
    shown = CliRunner().invoke(command, [str(folder)]).stdout

    assert "C/0: broken in k 2" in shown
    assert "last good in k 1; not mended" in shown


def test_failure_keeps_its_sentence() -> None:
    """What was promised."""
    told = history([release("1", F)]).failures

    assert (Failure(kernel="k", clause="C/0", sentence=told[0].sentence, introduced="k 1"),) == told
