"""The report for people: complete, readable without colour, and deaf to what a kernel says."""

from __future__ import annotations

import re

import msgspec
import pytest

from fedcheck.invariants.vocabulary.trace import Trace
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats import text
from fedcheck.reports.formats.text import text_report
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import (
    KERNEL,
    failing_record,
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)

from .console import on_console


def row(report: str, name: str) -> list[str]:
    """Return the words of a row of the table."""
    return next(line.split() for line in report.splitlines() if line.startswith(f"  {name} "))


def in_one_line(record: RunRecord) -> str:
    """Return a report without its line breaks."""
    return " ".join(text_report(record).split())


def test_the_last_line_says_what_the_outcome_covers() -> None:
    """How much was judged of what is demanded, how much passed, and the exit code, in words."""
    last = text_report(failing_record()).splitlines()[-1]
    assert "not conformant (exit code 1): 2 of 2 required clauses judged; 1 passed" == last


def test_the_last_line_counts_what_was_not_judged() -> None:
    """A kernel that claims little is conformant in little."""
    clauses = [sample_clause(Verdict.PASS), sample_clause(Verdict.NOT_CLAIMED)]
    told = "conformant (exit code 0): 1 of 2 required clauses judged, 1 not claimed; 1 passed"
    assert in_one_line(sample_record(clauses)).endswith(told)


def test_required_clauses_that_were_ignored_are_named() -> None:
    """They are counted beside the others, and named."""
    report = in_one_line(sample_record([sample_clause(Verdict.PASS)], ignored=("C-OTHER/one",)))
    assert "Note: --ignore left out 1 required clause: C-OTHER/one" in report
    assert "1 of 1 required clauses judged, 1 more ignored; 1 passed" in report


def test_a_broken_promise_that_the_set_does_not_demand_is_named() -> None:
    """It is green under this set, and whoever reads the end of the report still sees it."""
    clauses = [sample_clause(Verdict.PASS), sample_clause(Verdict.FAIL, required=False)]
    report = in_one_line(sample_record(clauses))

    assert (
        f"Note: 1 broken clause not demanded by founding-documents-1: {clauses[1].clause}" in report
    )


def test_what_the_documents_leave_open_is_told() -> None:
    """What the kernel was seen to do there, and not which inputs it got."""
    seen = {"by hand": 3, "digests raw": 2}
    clause = sample_clause(Verdict.PASS, partitions=seen, choices=("digests raw", "digests masked"))
    report = in_one_line(sample_record([clause]))

    assert f"observed, not judged {clause.clause}: digests raw" in report
    assert "by hand" not in report


def test_a_broken_clause_tells_who_contradicts_it() -> None:
    """Whoever reads of a failure reads that another page says otherwise."""
    against = "action-types page: a read leaves no record. Each is asked for."
    clause = sample_clause(Verdict.FAIL, contradictions=(against,))

    assert f"Contradicted by {against}" in in_one_line(sample_record([clause]))


def test_a_capability_that_has_to_be_claimed_and_is_not_is_told() -> None:
    """By its name, and the run is red."""
    report = in_one_line(sample_record([sample_clause(Verdict.PASS)], must_claim=("narrator",)))
    assert "Note: the kernel does not claim narrator" in report
    assert "not conformant (exit code 1)" in report


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (Verdict.PASS, "conformant (exit code 0)"),
        (Verdict.CRASH, "the kernel was not judged (exit code 3)"),
    ],
)
def test_the_outcome_is_told_in_words(verdict: Verdict, outcome: str) -> None:
    """Nobody has to know the exit codes."""
    assert f" {outcome}: " in in_one_line(sample_record([sample_clause(verdict)]))


def test_an_interrupted_run_says_so() -> None:
    """A verdict over half a run is not taken for a whole one."""
    report = text_report(sample_record([sample_clause(Verdict.PASS)], interrupted=True))
    assert "Note: the run was interrupted before its end" in report.splitlines()


def _ended(record: RunRecord) -> RunRecord:
    return msgspec.structs.replace(
        record, summary=msgspec.structs.replace(record.summary, ended="failures")
    )


def test_a_run_that_ended_early_lists_what_it_judged_and_counts_the_rest() -> None:
    """Its first failure is not buried under the clauses that it never tried."""
    left = [sample_clause(Verdict.NOT_EXERCISED, clause=f"C-LEFT/{n}") for n in range(40)]
    seen = [sample_clause(Verdict.FAIL), sample_clause(Verdict.PASS)]
    whole = sample_record([*left, *seen])
    report = text_report(_ended(whole))

    assert "C-LEFT" in text_report(whole)
    assert "C-LEFT" not in report
    assert ["FAIL", "12", "34"] == row(report, "fail")[1:]
    assert "not exercised when the run ended: 40 clauses" in report.splitlines()


def test_a_failure_that_decides_comes_above_an_advisory_one() -> None:
    """Whatever their order in the catalog."""
    advisory = sample_clause(Verdict.FAIL, clause="C-A/first", level="SHOULD")
    required = sample_clause(Verdict.FAIL, clause="C-B/second")
    report = text_report(sample_record([advisory, required]))

    assert report.index("FAIL C-B/second") < report.index("fail C-A/first (SHOULD)")


def test_a_part_says_that_it_alone_does_not_judge() -> None:
    """What it did not try is the work of the others, and no fault of the kernel."""
    clauses = [sample_clause(Verdict.PASS), sample_clause(Verdict.NOT_EXERCISED)]
    report = in_one_line(sample_record(clauses, shard="1/2"))

    told = "this part alone does not judge the kernel; merge it with the others (exit code 3)"
    assert told in report
    assert "the kernel was not judged (exit code" not in report


def test_every_clause_has_a_row_with_verdict_and_numbers() -> None:
    """Red verdicts are in capitals, so that they are seen without colour."""
    report = text_report(sample_record())
    words = {
        "pass": "pass", "fail": "FAIL", "flaky": "FLAKY", "timeout": "TIMEOUT", "crash": "CRASH",
        "error": "ERROR", "not-exercised": "NOT EXERCISED", "not-claimed": "not claimed",
        "waived": "waived",
    }  # fmt: skip
    assert words == {name: " ".join(row(report, name)[1:-2]) for name in words}
    assert all(["12", "34"] == row(report, name)[-2:] for name in words)


def test_the_required_population_is_an_equation() -> None:
    """The parts add up to what was required."""
    report = in_one_line(sample_record())
    equation = re.search(r"(\d+) required = ((?:\d+ [a-z ]+?(?: \+ )?)+) not conformant", report)
    assert equation is not None
    assert int(equation[1]) == sum(map(int, re.findall(r"\d+", equation[2])))


def test_a_broken_should_is_shown_and_not_in_capitals() -> None:
    """An advisory failure is told with its counterexample and is not red."""
    example = sample_counterexample("C-SAMPLE/fail")
    advisory = sample_clause(Verdict.FAIL, examples=[example], level="SHOULD")
    report = text_report(sample_record([advisory, sample_clause(Verdict.PASS)], examples=[example]))
    assert "fail C-SAMPLE/fail (SHOULD)" in report.splitlines()
    assert "Expected: the key is refused" in report
    assert "FAIL" not in report


def test_a_failure_shows_sentence_source_conversation_difference_and_command() -> None:
    """What one needs to understand a failure stands together, in this order."""
    report = text_report(failing_record())
    parts = [
        "\nFAIL C-SAMPLE/fail\n",
        "A sentence whose verdict is fail.",
        "Source: sample page, Limits",
        "unsafe key stored (ce-",
        "reproduced 5 of 5 times",
        'flag SAMPLE_FLAG = "true"',
        '  0  u1/s1  says "show my mail"',
        'calls alpha.read_items -> data {"unread":8}',
        '> 1  u1/s1  cache.set "a\\n" = {"v":1} for 60 s',
        "the kernel: accepted",
        "Expected: the key is refused",
        "Got:      accepted",
        "fedcheck run --kernel sample --select C-SAMPLE/fail --seed 7",
        "2 of 2 required clauses judged",
    ]
    places = [report.find(part) for part in parts]
    assert -1 not in places
    assert sorted(places) == places


def test_a_flaky_counterexample_says_that_the_promise_was_also_kept() -> None:
    """The run that did not fail is mentioned."""
    trace = Trace(events=(), kernel=KERNEL)
    report = text_report(failing_record(other_trace=trace, reproduced=2, attempts=5))
    assert "reproduced 2 of 5 times" in report
    assert "In another run of the same scenario the promise was kept." in report


def test_every_kind_of_difference_is_told() -> None:
    """One bug does not hide another of the same clause."""
    first = sample_counterexample("C-SAMPLE/fail")
    second = msgspec.structs.replace(first, id="ce-2", kind="long key stored")
    clause = sample_clause(Verdict.FAIL, examples=[first, second])
    report = text_report(sample_record([clause], examples=[first, second]))
    assert "unsafe key stored (ce-" in report
    assert "long key stored (ce-2" in report


def test_an_incident_shows_the_step_the_status_and_the_last_words() -> None:
    """A kernel that dies leaves its killer and what it said."""
    report = text_report(
        sample_record([sample_clause(Verdict.CRASH)], incidents=[sample_incident()])
    )
    for part in (
        "CRASH while judging C-SAMPLE: the kernel's process ended",
        "Its process ended with status -11.",
        '> 1  u1/s1  cache.set "a\\n"',
        "    | Segmentation fault\n",
        "    fedcheck run --kernel sample --select 'C-SAMPLE/*'\n",
    ):
        assert part in report


def test_many_incidents_of_one_kind_are_counted() -> None:
    """A kernel that dies each time does not bury the report."""
    late = [sample_incident(kind="timeout", message=f"no answer to {n}") for n in range(12)]
    incidents = [sample_incident(), *late]
    report = text_report(sample_record([sample_clause(Verdict.CRASH)], incidents=incidents))
    assert 1 == report.count("CRASH while judging")
    assert 3 == report.count("TIMEOUT while judging")
    assert "and 9 more of kind timeout while judging C-SAMPLE: see the record" in report


def test_an_incident_that_comes_again_is_told_once() -> None:
    """An agent without tools is told so once, and of how many scenarios it is true."""
    incidents = [sample_incident(kind="error", message="no tools")] * 5
    report = text_report(sample_record([sample_clause(Verdict.ERROR)], incidents=incidents))
    assert 1 == report.count("ERROR while judging")
    assert "the same error 4 more times, while judging C-SAMPLE: no tools" in report


def test_what_was_not_judged_is_listed_with_its_reason() -> None:
    """Not exercised names the missing partitions; not claimed and left out have reasons."""
    lines = text_report(sample_record()).splitlines()
    for reason, clause in (
        ("NOT EXERCISED: not every class of input was seen; not seen: cap+1", "not-exercised"),
        ("TIMEOUT: no answer within 10 s", "timeout"),
    ):
        assert f"  C-SAMPLE/{clause}" == lines[lines.index(reason) + 1]
    place = lines.index("not claimed: 1 clause")
    assert "  1 clause: the kernel does not claim clock" == lines[place + 1]
    assert "left out (not selected): 1" in lines


def test_an_invariant_of_which_nothing_is_claimed_is_one_row() -> None:
    """A small kernel leaves out most of the catalog; one claimed clause shows them all."""
    unclaimed = sample_clause(Verdict.NOT_CLAIMED)
    alone = text_report(sample_record([unclaimed]))
    beside = text_report(sample_record([unclaimed, sample_clause(Verdict.PASS)]))
    assert [("not claimed (1)" in x, "  not-claimed" in x) for x in (alone, beside)] == [
        (True, False),
        (False, True),
    ]


def test_deviations_are_shown_with_both_values() -> None:
    """A kernel that declares other numbers is not silently judged by them."""
    record = sample_record([sample_clause(Verdict.PASS)], deviations={"window": (5, 20)})
    lines = text_report(record).splitlines()
    assert "Note: the kernel declares window = 20, the documents say 5" in lines
    assert "not conformant (exit code 1)" in lines[-1]


def test_clauses_stand_in_the_order_of_the_catalog() -> None:
    """Workers finish in any order; the report does not."""
    clauses = [sample_clause(verdict) for verdict in Verdict]
    record = sample_record(clauses)
    shuffled = msgspec.structs.replace(record, clauses=tuple(reversed(record.clauses)))
    assert text_report(record) == text_report(shuffled)


def test_the_reproduce_command_is_never_wrapped_nor_cut() -> None:
    """However narrow the console, the command is one line to be copied."""
    command = "fedcheck run --kernel 'exec:" + "node kernel.js --port 1 " * 40 + "' --seed 7"
    for width in (30, 80):
        lines = on_console(failing_record(command=command), width=width).splitlines()
        assert command in [line.strip() for line in lines]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_other_line_is_wider_than_the_console(width: int) -> None:
    """Long invariants, sentences, values and messages are wrapped, not cut."""
    sentence = "every word of this long sentence is shown " * 8
    example = sample_counterexample("C-SAMPLE/fail", got="x" * 500)
    clause = sample_clause(
        Verdict.FAIL,
        clause="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED/a-name-that-is-quite-long-indeed",
        invariant="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
        sentence=sentence,
        examples=[example],
    )
    record = sample_record([clause], examples=[example])
    lines = on_console(record, width=width).splitlines()
    wide = [line for line in lines if len(line) > width and "fedcheck run" not in line]
    assert [] == wide
    assert sentence.strip() in " ".join(word for line in lines for word in line.split())
    assert "x" * 500 in "".join(line.strip() for line in lines)


def test_no_column_is_cut_on_a_narrow_console() -> None:
    """The names of clauses are wrapped, and no row ends in blanks."""
    results = [sample_clause(Verdict.PASS), sample_clause(Verdict.NOT_EXERCISED)]
    lines = on_console(sample_record(results), width=40).splitlines()
    head = next(line for line in lines if line.startswith("Clause"))

    assert ["Clause", "Verdict", "Scenarios", "Comparisons"] == head.split()
    assert [] == [line for line in lines if line != line.rstrip()]


def test_a_pipe_gets_no_colour_and_a_terminal_does() -> None:
    """Escapes of our own go to terminals only."""
    assert "\x1b" not in on_console(failing_record(), width=80)
    assert "\x1b[" in on_console(
        failing_record(), width=80, force_terminal=True, color_system="standard", no_color=False
    )


def test_colour_says_nothing_that_words_do_not() -> None:
    """Without the colours, a terminal shows the text of a pipe."""
    coloured = on_console(failing_record(), width=80, force_terminal=True, color_system="standard")
    assert on_console(failing_record(), width=80) == re.sub(r"\x1b\[[0-9;]*m", "", coloured)


def test_many_rows_look_like_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are laid out together; a long report comes piece by piece."""
    verdicts = [*Verdict] * 2
    results = [
        sample_clause(
            verdict, clause=f"C-LONG-{n // 5}/{n}", invariant=f"C-LONG-{n // 5}", scenarios=8**n
        )
        for n, verdict in enumerate(verdicts)
    ]
    record = sample_record(results)
    whole = text_report(record)
    monkeypatch.setattr(text, "_ROWS_AT_ONCE", 2)

    assert whole == text_report(record)
    assert len(verdicts) // 2 < len(list(text.text_pieces(record)))
