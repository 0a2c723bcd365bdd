"""The Markdown report: it fits a comment, says what is red, and nothing in it is markup."""

from __future__ import annotations

import re

import pytest

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.markdown import LIMIT, markdown_report
from fedcheck.reports.record.sample import sample_clause, sample_record
from fedcheck.reports.wording.markdown_text import code, fenced, inside_html, prose

from .whole import HOSTILE, told_example, whole_lint, whole_record


def test_report_says_what_matters() -> None:
    """Verdict, equation, what is red, changes, waivers, linter, how to judge again."""
    text = markdown_report(whole_record(), since=whole_record(), lint=whole_lint())
    wanted = [
        "## Not conformant: whole 1\n",
        "**8 required = 1 pass + 1 fail + 1 timeout + 1 crash + 1 error + 1 not exercised",
        "| **fail** | `C-WHOLE/fail` | Kept. |",
        "no regression (8 MUST = 5 still red + 3 unchanged; 1 SHOULD = 1 unchanged).",
        "| `W-1` | `C-WHOLE/waived` | 2026-06-01 | 16 | applied |",
        "**Linter for SDK 2:** 1 finding, 1 suppressed.",
        "<details><summary>C-WHOLE/fail: fact of no call</summary>",
        "fedcheck run --kernel whole --require set",
    ]

    assert [] == [line for line in wanted if line not in text]


def test_report_is_the_same_each_time() -> None:
    """It is a pure function of its arguments."""
    assert markdown_report(whole_record()) == markdown_report(whole_record())


def test_conformant_report_is_short() -> None:
    """Nothing red, nothing folded but the footer."""
    text = markdown_report(sample_record([sample_clause(Verdict.PASS)]))

    assert text.startswith("## Conformant: sample-kernel 1.2.3\n")
    assert 1 == text.count("<details>")


@pytest.mark.parametrize(("clauses", "each"), [(300, 1), (5, 300), (1, 1)])
def test_report_fits_a_comment(clauses: int, each: int) -> None:
    """Whatever the record holds; what did not fit is counted."""
    examples = [
        [told_example(f"C/{n}", id=f"ce-{n}-{m}", command="x" * 3000) for m in range(each)]
        for n in range(clauses)
    ]
    results = [
        sample_clause(Verdict.FAIL, examples=own, clause=f"C/{n}", invariant="C")
        for n, own in enumerate(examples)
    ]
    text = markdown_report(sample_record(results, examples=[x for own in examples for x in own]))

    assert len(text) <= LIMIT
    assert (clauses == 300) == ("parts did not fit; the record has them." in text)
    assert (clauses == 300) == ("And 250 more: see the record." in text)


def test_hostile_record_makes_no_markup() -> None:
    """Outside fences and code spans no tag, no mention, no link, no strange character."""
    text = markdown_report(whole_record(HOSTILE), lint=whole_lint(HOSTILE))
    bare = re.sub(r"^(`{3,})text\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    bare = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", bare)
    tags = set(re.findall(r"<[^>]*>", bare))

    assert {"<details>", "</details>", "<summary>", "</summary>", "<!-- -->"} >= tags
    assert [] == [c for c in "\x00\x07\x1b\u202e\u2066\r\ud800" if c in text]
    assert [] == re.findall(r"https?://\w", bare)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**a** _b_ `c`", r"\*\*a\*\* \_b\_ \`c\`"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("@team and #12", r"@<!-- -->team and \#<!-- -->12"),
        ("http://x.y www.z", "http://<!-- -->x.y www<!-- -->.z"),
        ("a|b", r"a\|b"),
        ("1. one", r"1\. one"),
        ("- item", r"\- item"),
        ("1.0 and 2026-06-01", "1.0 and 2026-06-01"),
        ("---", r"\---"),
        ("a\nb", r"a\\nb"),
        ("[a](javascript:x)", r"\[a\](javascript:x)"),
    ],
)
def test_prose_is_shown_as_it_is(text: str, shown: str) -> None:
    """Each character that Markdown or GitHub would read."""
    assert shown == prose(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a|b", r"`a\|b`"), ("", "`  `")],
)
def test_code_span_is_longer_than_what_it_holds(text: str, shown: str) -> None:
    """No text ends its own span."""
    assert shown == code(text)


def test_fence_is_longer_than_what_it_holds() -> None:
    """No text ends its own block."""
    assert "````text\n```\nx\n````" == fenced("```\nx")


def test_summary_of_a_block_is_html() -> None:
    """Markdown is not read there, mentions are."""
    assert "*a* &lt;b&gt; @<!-- -->team" == inside_html("*a* <b> @team")
