"""The HTML report as text: one file, one policy, the same bytes, what the record says."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.commands.report import command
from fedcheck.reports.html import results as html_results
from fedcheck.reports.html.report import html_report
from fedcheck.reports.html.results import EXAMPLES_SHOWN
from fedcheck.reports.html.view import population, red_clauses
from fedcheck.reports.lint import sarif as lint_sarif
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import failing_record, sample_clause, sample_record
from fedcheck.reports.record.writer import write_record
from fedcheck.reports.wording.conversation import conversation

from .whole import HOSTILE, told_example, whole_lint, whole_record


def text_of(page: str) -> str:
    """Return the words of a page, in one line."""
    told = page.partition("<main")[2].replace("<wbr>", "")  # shows nothing
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", told))


def test_report_is_the_same_each_time() -> None:
    """It is a pure function of its arguments."""
    pages = {html_report(whole_record("x"), since=whole_record(), lint=whole_lint()) for _ in "ab"}

    assert 1 == len(pages)


def test_choices_and_contradictions_are_told() -> None:
    """What the kernel does where the documents are silent, and who says otherwise than they."""
    clause = sample_clause(
        Verdict.PASS,
        partitions={"by hand": 3, "digests raw": 2},
        choices=("digests raw",),
        contradictions=("action-types page: a read leaves no record. Each is asked for.",),
    )
    told = text_of(html_report(sample_record([clause])))

    assert "Input classes by hand 3 " in told
    assert "Observed, not judged digests raw 2 " in told
    assert "Contradicted by action-types page: a read leaves no record." in told


def test_policy_allows_the_one_style_sheet_the_one_script_and_nothing_else() -> None:
    """Their hashes stand in the policy; there is no other script and no style attribute."""
    page = html_report(whole_record())
    digest, script = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for tag in ("style", "script")
        for text in re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    )
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)

    assert [
        (
            f"default-src 'none'; style-src 'sha256-{digest}'; script-src 'sha256-{script}'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        )
    ] == policy
    assert [] == re.findall(r"<script\s|\sstyle=|\son\w+=|<link[^>]*stylesheet|@import|url\(", page)


@pytest.mark.parametrize(
    "said",
    [
        "8 required = 1 pass + 1 fail + 1 timeout + 1 crash + 1 error + 1 not exercised + 1 not",
        "Not conformant whole 1 does not keep the selected part of the requirement set set: 3 of",
        "W-1 for C-WHOLE/waived ends on 2026-06-01, in 16 days",
        "no regression (8 MUST = 5 still red + 3 unchanged; 1 SHOULD = 1 unchanged)",
        "The linter of fedcheck 1 read 2 files of extension code for SDK 2: 1 finding, 1 suppress",
        "2,900 to 3,099 chars, median 3,000; cap 3,000: 399 below, 5 at it, 398 above",
        "on exactly the suite that judged here",
        "fedcheck run --kernel whole --require set --profile gate --examples 100 --seed 7",
        "Without a broken kernel:",
        "2 broken kernels, to be caught",
        "Broken kernels that it must catch",
        "1 required clause: broken and waived.",
        "ignored 8",
    ],
)
def test_report_says(said: str) -> None:
    """Sentences of the sections, once more in the order in which they are read."""
    page = html_report(whole_record(), since=whole_record(), lint=whole_lint())

    assert said in text_of(page)


def test_offending_line_is_marked_and_others_are_not() -> None:
    """The line of the prompt that holds what was got."""
    page = html_report(whole_record())
    marked = re.findall(r'<span class="line offending">.*?<mark>(.*?)</mark>', page)
    plain = re.findall(r'<span class="line">(.*?)\n', page)

    assert ["FACTS: app=beta data=9"] * 2 == marked
    assert "[HISTORY]" in plain


def test_expected_and_got_are_compared_word_by_word() -> None:
    """Only what differs is marked."""
    page = html_report(whole_record())

    assert "data=<ins>8</ins>" in page
    assert "data=<del>9</del>" in page


def test_every_clause_shows_a_conversation_before_one_shows_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When there is no room for all, the first of each clause come first."""
    room = 3 * conversation(told_example("C/0")).size
    monkeypatch.setattr(html_results, "CHARACTERS_SHOWN", room)
    pairs = [[told_example(f"C/{n}", id=f"ce-{n}-{m}") for m in range(2)] for n in range(5)]
    clauses = [
        sample_clause(Verdict.FAIL, examples=pair, clause=f"C/{n}", invariant="C")
        for n, pair in enumerate(pairs)
    ]
    page = html_report(sample_record(clauses, examples=[x for pair in pairs for x in pair]))

    articles = re.findall(r'id="e-(ce-\d-\d)">(.*?)</article>', page, re.DOTALL)
    assert 10 == len(articles)
    assert ["ce-0-0", "ce-1-0", "ce-2-0"] == [x for x, told in articles if 'class="talk"' in told]
    assert 7 == page.count("The conversation is not shown")


def test_what_is_left_out_is_counted() -> None:
    """Kinds of difference beyond the limit are not lost silently."""
    examples = [told_example("C-SAMPLE/fail", id=f"ce-{n}") for n in range(EXAMPLES_SHOWN + 3)]
    clause = sample_clause(Verdict.FAIL, examples=examples)
    page = html_report(sample_record([clause], examples=examples))

    assert "And 3 more kinds of difference: see the record." in page


@pytest.mark.parametrize(("found_in", "told"), [("waiver:W-1", True), ("explore", False)])
def test_replay_of_a_waiver_names_the_file_in_the_bundle(found_in: str, told: bool) -> None:
    """Whoever has the bundle alone does not have the file that the command names."""
    example = told_example("C-SAMPLE/fail", id="ce-7", found_in=found_in)
    clause = sample_clause(Verdict.FAIL, examples=[example])
    page = text_of(html_report(sample_record([clause], examples=[example])))

    assert told == ("in counterexamples/ whose name ends in ce-7.json" in page)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda r: replace(r, qualification=replace(r.qualification, measured="2026-01-01")),
            "2 broken kernels, all caught",
        ),
        (
            lambda r: replace(r, qualification=replace(r.qualification, measured="2026-01-01")),
            "Broken kernels that it catches",
        ),
        (lambda r: replace(r, qualification=None), "does not say how this version of the suite"),
        (lambda r: replace(r, summary=replace(r.summary, interrupted=True)), "was interrupted"),
        (
            lambda r: replace(r, qualification=replace(r.qualification, suite_digest="0" * 64)),
            "on a suite with another digest",
        ),
    ],
)
def test_limits_of_the_run_are_told(change: Callable[[Any], RunRecord], said: str) -> None:
    """What a reader must not conclude."""
    assert said in text_of(html_report(change(whole_record())))


def test_matrix_goes_from_sentence_to_evidence() -> None:
    """In the order of the sentences; clauses without one stand under their source."""
    page = html_report(whole_record()).partition('id="matrix"')[2].partition("</section>")[0]
    rows = re.split(r'class="source">', page)[1:]
    heads = [" ".join(re.sub("<[^>]*>", "", row).split("\n")[0].split()) for row in rows]
    badges = [re.findall(r'badge \w+">([^<]*)<', row) for row in rows]

    assert ["FL-2 Second.", "FL-12 Twelfth.", "page"] == heads
    assert [["fail", "waived"], ["fail", "waived"]] == badges[:2]
    assert 7 == len(badges[2])
    assert "12 scenarios, 34 comparisons, <a href=" in rows[0]


def test_large_record_stays_readable() -> None:
    """Ten thousand rows of evidence are all listed, in less than five megabytes."""
    clause = sample_clause(Verdict.PASS)
    clauses = [replace(clause, clause=f"C-SAMPLE/number-{n}") for n in range(200)]
    examples = [told_example("C-SAMPLE/number-0", id=f"ce-{n}") for n in range(9_800)]
    clauses[0] = replace(clauses[0], counterexamples=tuple(x.id for x in examples))
    page = html_report(sample_record(clauses, examples=examples))

    assert 10_000 == len(re.findall(r"<td><code>[0-9a-f]{8}</code>\n", page))
    assert len(page.encode()) < 5_000_000


def test_long_lists_are_shown_whole() -> None:
    """Only single texts are shortened."""
    record = whole_record()
    names = tuple(f"style-{n}-of-many" for n in range(300))
    told = replace(record.qualification, tolerated=names)  # type: ignore[type-var]
    page = html_report(replace(record, qualification=told))

    assert [] == [name for name in names if name not in page]
    assert "more characters" not in page


def test_digest_in_the_index_is_that_of_the_line() -> None:
    """So each row can be found in the record's footer."""
    from fedcheck.reports.record.seal import encode_line

    record = failing_record()
    page = html_report(record)
    digests = [hashlib.sha256(encode_line(line)).hexdigest()[:8] for line in record.body()]

    assert digests == re.findall(r"<td><code>([0-9a-f]{8})</code>\n", page)


def test_reproducing_command_does_not_write_over_the_evidence() -> None:
    """Options that name files are left out, the seed is added."""
    record = sample_record(arguments=("run", "--record", "r.ndjson", "--kernel", "k", "--junit=x"))
    page = text_of(html_report(record))

    assert (
        "fedcheck run --kernel k --require founding-documents-1 --profile gate --examples 100 "
        "--seed 7" in page
    )


def test_commands_to_be_copied_are_one_command() -> None:
    """A reference cannot end the command that it stands in."""
    page = html_report(sample_record(reference="x; rm -r ~", arguments=("run", "--seed", "$(x)")))
    commands = [unescape(text) for text in re.findall(r'class="command".*?<code>(.*?)</', page)]

    assert [
        (
            "fedcheck run --seed '$(x)' --kernel 'x; rm -r ~' --require founding-documents-1 "
            "--profile gate --examples 100"
        ),
        "fedcheck run --seed '$(x)'",
        "fedcheck verify evidence.zip --key fedcheck.pub --reperform --kernel REF",
    ] == commands[-3:]


def test_command_takes_an_earlier_record_and_a_lint_report(tmp_path: Path) -> None:
    """``fedcheck report --format html --since … --lint …``."""
    new, old, lint = (tmp_path / name for name in ("new.ndjson", "old.ndjson", "lint.sarif"))
    write_record(new, failing_record())
    write_record(old, sample_record([sample_clause(Verdict.PASS)]))
    lint.write_text(lint_sarif.render(whole_lint(), {}), encoding="utf-8")
    told = CliRunner().invoke(
        command, [str(new), "--format", "html", "--since", str(old), "--lint", str(lint)]
    )

    assert 3 == told.exit_code, told.output  # no run wrote it
    assert "Since sample-kernel 1.2.3: 1 regression (2 MUST = 1 newly failing" in text_of(
        told.stdout
    )
    assert "Newly failing" in told.stdout
    assert "FED101 some-rule" in told.stdout


def test_hostile_text_stays_text() -> None:
    """Without a browser: what a page must not hold."""
    page = html_report(whole_record(HOSTILE), since=whole_record(HOSTILE), lint=whole_lint(HOSTILE))
    body = page.partition("<main")[2]

    told, _, script = body.rpartition("<script>")
    ours = (Path(html_results.__file__).parent / "templates/filter.js").read_text("utf-8")

    assert [] == re.findall(r"<(?:script|img|style|link|base|svg/)", told)
    assert script.startswith(f"{ours}</script>")
    assert [] == [c for c in "\x00\x07\x1b\u202e\u2066\r" if c in page]
    assert "{{ 7*7 }}" in body


def test_what_is_red_tells_the_severity_and_the_worst_comes_first() -> None:
    """A critical breach that stands late in the catalog is read first."""
    clauses = [
        sample_clause(Verdict.FAIL, clause="C-SAMPLE/a", severity="medium"),
        sample_clause(Verdict.NOT_EXERCISED, clause="C-SAMPLE/b", severity="critical"),
        sample_clause(Verdict.FAIL, clause="C-SAMPLE/c", severity="critical"),
    ]
    red, more = red_clauses(sample_record(clauses))
    page = html_report(sample_record(clauses))

    assert (["c", "b", "a"], 0) == ([each.name for each in red], more)
    assert "<td>critical</td>" in page


def test_not_exercised_is_red_in_the_bar_of_verdicts() -> None:
    """As it is in the table: it is no pass, and fails the run."""
    bar = population(sample_record([sample_clause(Verdict.NOT_EXERCISED)])).bar

    assert 'class="bad"' in bar
    assert 'class="open"' not in bar


def test_results_are_filtered_without_a_script() -> None:
    """Each clause has the classes by which the style sheet hides it; nothing of it is on paper."""
    page, paper = (html_report(sample_record(), on_paper=each) for each in (False, True))

    for name in ("is-red", "is-broken", "is-unseen", "is-passed", "must"):
        assert re.search(rf'<div class="clause[^"]* {name}[ "]', page)
    assert 'id="show-red"' in page
    assert 'id="show-red"' not in paper
    assert "<script" not in paper
    assert ":has(" in page
    assert ":has(" not in paper  # a PDF of 200 clauses took ten times as long with these rules
