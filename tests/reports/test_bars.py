"""Plots where people look first: what each bar is called, how long it is, in which colour."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.html.bars import (
    MOST,
    Bars,
    by_kernel,
    by_release,
    classes,
    coverage,
    times,
    verdict_shares,
)
from fedcheck.reports.html.compare_page import compare_page
from fedcheck.reports.html.report import html_report
from fedcheck.reports.record.history import history
from fedcheck.reports.record.model import ClauseResult
from fedcheck.reports.record.sample import failing_record, sample_clause, sample_record
from fedcheck.reports.record.side_by_side import side_by_side
from fedcheck.reports.wording.channels import OTHER, channel

FAIL, PASS, SILENT = Verdict.FAIL, Verdict.PASS, Verdict.NOT_EXERCISED


def clause(name: str, verdict: Verdict = PASS, **changes: object) -> ClauseResult:
    """Return the result of ``INVARIANT/clause``."""
    return sample_clause(verdict, clause=name, invariant=name.partition("/")[0], **changes)


def rows(plot: Bars | None) -> list[tuple[str, str]]:
    """Return the name of each bar, and what stands behind it."""
    assert plot is not None
    return [(row.name, row.told) for row in plot.rows]


@pytest.mark.parametrize(
    ("claimed", "told"),
    [
        ([("cache", "fact_ledger")], "cache"),
        ([("fact_ledger",), ("fact_ledger", "skeleton")], "fact ledger"),
        ([("fact_ledger", "skeleton"), ("probe", "skeleton")], "skeleton"),
        ([("cache",), ("store",)], OTHER),
        ([("what-a-plugin-needs",)], OTHER),
        ([], OTHER),
    ],
)
def test_the_channel_is_what_all_clauses_of_an_invariant_need(
    claimed: list[tuple[str, ...]], told: str
) -> None:
    """One clause that needs more, because it looks from there, does not move them all."""
    assert told == channel(clause("I/x", capabilities=names) for names in claimed)


def test_coverage_is_told_by_channel_and_by_document() -> None:
    """A clause stands at each document that states it; what is not required does not count."""
    both = ("cache page, A", "cache page, B", "ledger page, C")
    found = coverage(
        sample_record(
            [
                clause("I-A/x", capabilities=("cache",), sources=both),
                clause("I-A/y", SILENT, capabilities=("cache",), sources=both[:1]),
                clause("I-B/x", FAIL, capabilities=("store",), sources=()),
                clause("I-B/y", FAIL, capabilities=("store",), required=False),
            ]
        )
    )

    assert [("cache", "1 of 2 judged"), ("store", "1 of 1 judged")] == rows(found[0])
    assert [
        ("cache", "1 of 2 judged"),
        ("ledger", "1 of 1 judged"),
        ("no document", "1 of 1 judged"),
    ] == rows(found[1])
    assert (("pass", "good"), ("fail, not exercised", "bad")) == found[0].legend


def test_every_verdict_has_the_colour_of_its_word() -> None:
    """What makes a run red is red, *not exercised* among it."""
    shares = verdict_shares(dict.fromkeys((verdict.value for verdict in Verdict), 1))

    assert {"pass"} == {share.name for share in shares if share.colour == "good"}
    assert {"not claimed", "waived"} == {s.name for s in shares if s.colour == "open"}
    assert "not exercised" in {share.name for share in shares if share.colour == "bad"}


def test_the_least_tried_clauses_come_first() -> None:
    """Those without a class, then those with the rarest; what is only observed is no class."""
    plot = classes(
        sample_record(
            [
                clause("I/well", partitions={"a": 40, "b": 30}),
                clause("I/rarely", partitions={"a": 40, "b": 1, "seen": 1}, choices=("seen",)),
                clause("I/not", SILENT, partitions={}, missing_partitions=("a", "b")),
                clause("I/unclaimed", Verdict.NOT_CLAIMED, partitions={}),
            ]
        )
    )

    assert [
        ("I/not", "0 of 2"),
        ("I/rarely", "2 of 2, the rarest 1 time"),
        ("I/well", "2 of 2, the rarest 30 times"),
    ] == rows(plot)


def test_time_is_told_by_invariant() -> None:
    """Its clauses share the runs, so their times are no sum."""
    record = sample_record([clause("I-A/x", seconds=3.0), clause("I-B/x", seconds=1.0)])

    assert [("I-A", "3.00 s, 75 %"), ("I-B", "1.00 s, 25 %")] == rows(times(record))
    assert None is times(sample_record([clause("I-A/x", seconds=0.0)]))


def test_a_plot_has_few_bars_and_tells_how_many_it_leaves_out() -> None:
    """However many clauses and documents a record has."""
    record = sample_record([clause(f"I-{n}/x", sources=(f"page {n}",)) for n in range(MOST + 3)])
    documents, least, slow = coverage(record)[1], classes(record), times(record)

    assert [MOST] * 3 == [len(rows(plot)) for plot in (documents, least, slow)]
    assert "and 3 more documents" == documents.left_out
    assert least is not None
    assert "and 3 more clauses" == least.left_out
    assert slow is not None
    assert "and 3 more invariants: 0.75 s, 20 %" == slow.left_out


def test_releases_and_kernels_stand_beside_each_other() -> None:
    """Each by its verdicts; of many releases the latest are shown."""
    record = failing_record()
    releases = history([record] * 23).releases
    plot = by_release(releases)
    told = side_by_side([record, record], ["a", "b"])

    assert releases[-1].label == rows(plot)[-1][0]
    assert (20, "and 3 releases before") == (len(plot.rows), plot.left_out)
    assert ["1 of 2 passed"] * 2 == [told for _, told in rows(by_kernel(told))]
    assert "MUST clauses by kernel" in compare_page(told)


def test_a_report_shows_them_with_legends() -> None:
    """Each plot names its colours."""
    page = html_report(sample_record())
    figures = re.findall(r'<figure class="bars">.*?</figure>', page, re.DOTALL)

    assert ["Channels", "Documents", "Classes of input", "Time"] == [
        re.findall("<b>(.*?)</b>", figure)[0] for figure in figures
    ]
    assert all('<ul class="legend"><li><svg' in figure for figure in figures)


def test_a_record_without_required_clauses_has_no_coverage() -> None:
    """There is nothing to show, and no empty plot stands there."""
    record = sample_record([clause("I/x", required=False, seconds=0.0)])

    assert () == coverage(record)
    assert '<figure class="bars">' not in html_report(replace(record, distributions=()))
