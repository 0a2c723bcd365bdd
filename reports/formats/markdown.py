"""The record as Markdown: a comment on a pull request, or a summary of a CI job.

It stays below the size of a comment whatever the record holds: what is red comes first, and
what does not fit is counted. No text of a kernel becomes markup, a mention or a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ...invariants.vocabulary.text import counted
from ..html import view
from ..lint.findings import LintReport
from ..record.claims import claims
from ..record.comparison import Difference, compare
from ..record.identity import reproducing_command
from ..record.model import ClauseResult, RunRecord
from ..record.protection import protection_words
from ..record.verdict_words import outcome, result_name
from ..wording.clause_text import block, short
from ..wording.comparison_text import subject
from ..wording.markdown_text import code, fenced, inside_html, prose, row
from ..wording.narrative import run_notes, run_problems, tell_counterexample, tell_incidents

LIMIT = 60_000
"""Characters of the whole text; a comment on GitHub may have 65,536."""

_ROWS = 50
"""Rows of one table."""


def markdown_report(
    record: RunRecord, *, since: RunRecord | None = None, lint: LintReport | None = None
) -> str:
    """Return a record as GitHub-flavoured Markdown of at most ``LIMIT`` characters.

    Args:
        record: what to render.
        since: an earlier record; the text then says what changed.
        lint: what the linter found; the text then counts it.
    """
    blocks = [
        *_head(record),
        *_red(record),
        *(() if since is None else _changes(since, record)),
        *_waivers(record),
        *_unjudged(record),
        *(() if lint is None else (_lint(lint),)),
    ]
    return _fitted(chain(blocks, _examples(record)), list(_foot(record)))


def _fitted(parts: Iterable[str], foot: list[str]) -> str:
    """Return every part that fits, the first ones first."""
    room = LIMIT - sum(len(part) + 2 for part in foot) - 200
    taken: list[str] = []
    left_out = 0
    for part in parts:
        if len(part) + 2 <= room:
            taken.append(part)
            room -= len(part) + 2
        else:
            left_out += 1
    if left_out:
        foot = [f"*{left_out:,} parts did not fit; the record has them.*", *foot]
    return "\n\n".join([*taken, *foot]) + "\n"


def _head(record: RunRecord) -> Iterator[str]:
    told, summary = outcome(record), record.summary
    kernel = record.header.kernel
    yield f"## {told.word}: {prose(kernel.kernel)} {prose(kernel.version)}"
    yield prose(told.sentence)
    people = view.population(record)
    parts = " + ".join(f"{count:,} {name}" for name, count in people.parts) or "0"
    yield (
        f"**{people.required:,} required = {parts}** "
        f"({summary.exercised:,} exercised, {summary.passed:,} passed)"
    )
    yield "\n".join(f"- **{label}:** {prose(text)}" for label, text in claims(record))
    if problems := [*run_problems(record), *run_notes(record)]:
        yield "\n".join(f"- **Note:** {prose(problem)}" for problem in problems)


def _red(record: RunRecord) -> Iterator[str]:
    red = [result for result in record.in_order() if result.red]
    if red:
        yield "### What is red"
        yield _table(("Verdict", "Clause", "Promise"), [_red_row(x) for x in red])


def _red_row(result: ClauseResult) -> tuple[str, ...]:
    verdict = f"**{result_name(result)}**"
    return verdict, code(result.clause), prose(result.sentence)


def _examples(record: RunRecord) -> Iterator[str]:
    """Yield the first counterexample of each red clause, then the incidents."""
    for result in record.in_order():
        examples = record.counterexamples_of(result) if result.red else ()
        for example in examples[:1]:
            more = f" (and {len(examples) - 1:,} more)" if len(examples) > 1 else ""
            title = f"{result.clause}: {short(example.kind)}{more}"
            yield _folded(title, block(tell_counterexample(example)))
    for lines in tell_incidents(record.incidents):
        first, *_ = told = list(lines)
        yield _folded(short(first.text), block(told))


def _changes(since: RunRecord, record: RunRecord) -> Iterator[str]:
    told = compare(since, record)
    yield f"### Changes since {prose(told.old)}"
    yield f"{told.numbers}."
    if told.differences:
        heads = ("Change", "What", "Before", "Now")
        yield _table(heads, [_difference_row(each) for each in told.differences])


def _difference_row(each: Difference) -> tuple[str, ...]:
    topic = f"**{each.topic}**" if each.regression else each.topic
    before, after = (prose(short(text or "nothing")) for text in (each.before, each.after))
    return topic, code(subject(each)), before, after


def _waivers(record: RunRecord) -> Iterator[str]:
    if record.waivers:
        yield "### Waivers"
        heads = ("Waiver", "Clause", "Ends", "Days left", "State")
        yield _table(
            heads,
            [
                (code(w.id), code(w.clause), prose(w.expires), f"{w.days_left:,}", w.state)
                for w in record.waivers
            ],
        )


def _unjudged(record: RunRecord) -> Iterator[str]:
    rows = [
        (word, f"{len(clauses):,}", prose(short(reason or "no reason given")))
        for word, reason, clauses in view.population(record).reasons
    ]
    rows += [
        ("left out", f"{len(clauses):,}", prose(short(reason)))
        for reason, clauses in view.population(record).excluded
    ]
    if rows:
        yield "### What neither passed nor failed"
        yield _table(("Verdict", "Clauses", "Why"), rows)


def _lint(lint: LintReport) -> str:
    suppressed = sum(bool(finding.suppressed) for finding in lint.findings)
    found = counted(len(lint.findings) - suppressed, "finding")
    target = f" for SDK {prose(lint.sdk)}" if lint.sdk else ""
    return f"**Linter{target}:** {found}, {suppressed:,} suppressed."


def _foot(record: RunRecord) -> Iterator[str]:
    header = record.header
    told = [
        f"run: {header.run_id}, finished {record.summary.finished}",
        f"suite: {header.suite.name} {header.suite.version}, {header.suite.digest}",
        f"requirement set: {header.requirement_set.name}, {header.requirement_set.digest}",
        f"judge again: {reproducing_command(header)}",
    ]
    if not header.is_audit:
        told.insert(-1, f"protection of the run: {protection_words(record.summary.protection)}")
    yield _folded("Run, digests, how to judge again", "\n".join(short(line) for line in told))


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{inside_html(title)}</summary>\n\n{fenced(text)}\n\n</details>"


def _table(heads: Sequence[str], rows: Sequence[Iterable[str]]) -> str:
    lines = [row(heads), row("---" for _ in heads), *(row(cells) for cells in rows[:_ROWS])]
    text = "\n".join(lines)
    more = len(rows) - _ROWS
    return f"{text}\n\nAnd {more:,} more: see the record." if more > 0 else text
