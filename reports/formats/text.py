"""The record for a terminal, a pipe or a file: what was judged, what broke, what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from rich.console import Console

from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Verdict
from ..console.escape import printable
from ..console.page import Page
from ..record.claims import claims
from ..record.meant import not_meant
from ..record.model import ClauseResult, Counterexample, Header, Incident, RunRecord
from ..record.outcome import CONFORMANT, NOT_JUDGED, VIOLATIONS
from ..record.verdict_words import (
    ABOUT_AGENTS,
    ABOUT_KERNELS,
    NOT_SEEN,
    coverage,
    result_name,
    verdict_name,
)
from ..wording.narrative import (
    Told,
    run_notes,
    run_problems,
    tell_clause,
    tell_counterexample,
    tell_incidents,
)

PLAIN_WIDTH = 80
"""Columns of a report that is not shown on a terminal."""

EXAMPLES_SHOWN = 20
"""Kinds of difference of one clause that are shown in full."""

_ROWS_AT_ONCE = 500
"""Rows of the table that are printed together."""

_TOLD_OTHERWISE = frozenset({Verdict.PASS, Verdict.NOT_CLAIMED})

_LEFT_BY_THE_END = frozenset({Verdict.NOT_EXERCISED, Verdict.NOT_CLAIMED})

_STYLES = {
    "title": "bold",
    "plain": "",
    "step": "",
    "broken": "bold",
    "expected": "green",
    "got": "red",
    "command": "cyan",
}
_OUTCOMES = {
    CONFORMANT: "conformant",
    VIOLATIONS: "not conformant",
    NOT_JUDGED: "the kernel was not judged",
}


def render_summary(record: RunRecord, console: Console) -> None:
    """Print a record on a rich console; readable without colour and at 80 columns."""
    for _ in _printed(record, console):
        pass


def _printed(record: RunRecord, console: Console) -> Iterator[None]:
    """Print a record, part by part; nothing is held back when a part has been yielded."""
    page = Page(console)
    _head(page, record.header)
    for number, _ in enumerate(_table(page, record), start=1):
        if number % _ROWS_AT_ONCE == 0:
            page.flush()
            yield
    for result in _broken(record):
        _failure(page, result, record.counterexamples_of(result))
        page.flush()
        yield
    _incidents(page, record.incidents)
    _unjudged(page, record)
    _waived(page, record)
    _observed(page, record)
    _left_out(page, record)
    _closing(page, record)
    page.flush()
    yield


def render_short(record: RunRecord, console: Console) -> None:
    """Print one line for each failure and for each reason why clauses were not judged, and the end.

    Where a reason is that of many clauses, the line only counts them.
    """
    page = Page(console)
    unjudged: dict[tuple[str, str], list[ClauseResult]] = {}
    for result in _broken(record):
        named = f"{verdict_word(result)} {printable(result.clause)}{_standing(result)}"
        for example in record.counterexamples_of(result):
            page.verbatim(f"{named}: {_in_one_line(example)}", style=_colour(result))
    for result in record.in_order():
        if result.red and not result.verdict.broken:
            unjudged.setdefault((verdict_word(result), result.reason), []).append(result)
    for (word, reason), results in unjudged.items():
        which = results[0].clause if len(results) == 1 else f"{len(results):,} clauses"
        page.verbatim(f"{word} {printable(which)}: {printable(reason)}", style=_colour(results[0]))
    _conclusion(page, record)
    page.flush()


def _broken(record: RunRecord) -> list[ClauseResult]:
    """Return the broken clauses, those that make the run red first."""
    broken = (result for result in record.in_order() if result.verdict.broken)
    return sorted(broken, key=lambda result: not result.red)


def _listed(record: RunRecord) -> dict[str, list[ClauseResult]]:
    """Return the clauses that have a row: of a run that ended at its limits, those it judged."""
    found = record.by_invariant()
    if not record.summary.ended:
        return found
    kept = {
        invariant: [result for result in results if result.effective not in _LEFT_BY_THE_END]
        for invariant, results in found.items()
    }
    return {invariant: results for invariant, results in kept.items() if results}


def _in_one_line(example: Counterexample) -> str:
    told = example.violation
    cause = f" (cause: {printable(example.cause)})" if example.cause else ""
    return (
        f"{printable(example.kind)}: expected {printable(told.expected)}, "
        f"got {printable(told.got)} ({printable(example.id)}){cause}"
    )


def text_report(record: RunRecord) -> str:
    """Return the summary as plain text, without colour."""
    return "".join(text_pieces(record))


def text_pieces(record: RunRecord) -> Iterator[str]:
    """Yield the summary as plain text, without colour, piece by piece."""
    output = StringIO()
    console = Console(file=output, width=PLAIN_WIDTH, color_system=None, force_terminal=False)
    for _ in _printed(record, console):
        yield output.getvalue()
        output.seek(0)
        output.truncate()


def verdict_word(result: ClauseResult) -> str:
    """Return the effective verdict in words; in capitals when it is red."""
    word = result_name(result)
    return word.upper() if result.red else word


def _head(page: Page, header: Header) -> None:
    kernel, suite = header.kernel, header.suite
    named = printable(f"{kernel.kernel} {kernel.version}", limit=160)
    page.line(
        f"{printable(suite.name)} {printable(suite.version)} judges {named}, "
        f"{'read from' if header.is_audit else 'reached as'} {printable(header.reference)}",
        style="bold",
        hang=2,
    )
    told = "recorded conversations, offline"
    if not header.is_audit:
        told = f"profile {printable(header.profile)}, seed {header.seed}, "
        told += f"{header.examples} examples per invariant"
    page.line(f"requirement set {printable(header.requirement_set.name)}, {told}", hang=2)
    page.line()


def _table(page: Page, record: RunRecord) -> Iterator[None]:
    """Add the rows of all clauses, one by one."""
    numbers = (
        ("Sessions", "Turns judged") if record.header.is_audit else ("Scenarios", "Comparisons")
    )
    head = [(name, "bold") for name in ("Clause", "Verdict", *numbers)]
    rows = [head, *_rows(record)]
    full = [cells for cells in rows if len(cells) == len(head)]  # others run on in what is free
    others = [max(len(cells[place][0]) for cells in full) for place in range(1, len(head))]
    widths = (page.column((cells[0][0] for cells in rows), others), *others)
    for cells in rows:
        page.row(cells, widths, right=2)
        yield


def _rows(record: RunRecord) -> Iterator[list[tuple[str, str]]]:
    """Yield text and style of each cell; the last ones may be missing."""
    for invariant, results in _listed(record).items():
        if all(result.reason in (ABOUT_AGENTS, ABOUT_KERNELS) for result in results):
            continue
        if all(result.effective is Verdict.NOT_CLAIMED for result in results):
            yield [
                (printable(invariant), "bold"),
                (f"{result_name(results[0])} ({len(results)})", "yellow"),
            ]
            continue
        yield [(printable(invariant), "bold")]
        for result in results:
            yield [
                (f"  {printable(result.name)}{_standing(result)}", ""),
                (verdict_word(result), _colour(result)),
                (f"{result.scenarios:,}", ""),
                (f"{result.comparisons:,}", ""),
            ]


def _standing(result: ClauseResult) -> str:
    if result.level == "SHOULD":
        return " (SHOULD)"
    return "" if result.required else " (not required)"


def _colour(result: ClauseResult) -> str:
    if result.red:
        return "bold red"
    return "green" if result.effective is Verdict.PASS else "yellow"


def _failure(page: Page, result: ClauseResult, examples: Sequence[Counterexample]) -> None:
    page.line()
    heading = f"{verdict_word(result)} {printable(result.clause)}{_standing(result)}"
    page.line(heading, style=_colour(result))
    _tell(page, tell_clause(result), indent=2)
    if result.reason:
        page.line(printable(result.reason), indent=2, hang=2)
    for example in examples[:EXAMPLES_SHOWN]:
        page.line()
        _tell(page, tell_counterexample(example), indent=2)
    if len(examples) > EXAMPLES_SHOWN:
        more = len(examples) - EXAMPLES_SHOWN
        page.line(f"and {more} more kinds of difference: see the record", indent=2)


def _incidents(page: Page, incidents: Iterable[Incident]) -> None:
    for lines in tell_incidents(incidents):
        page.line()
        _tell(page, lines)


def _unjudged(page: Page, record: RunRecord) -> None:
    reasons: dict[str, list[str]] = {}
    untried = 0
    for result in record.in_order():
        if record.summary.ended and result.effective is Verdict.NOT_EXERCISED:
            untried += 1
        elif not result.verdict.broken and result.effective not in _TOLD_OTHERWISE:
            reasons.setdefault(_why(result), []).append(printable(result.clause))
    for why, clauses in reasons.items():
        page.line()
        page.line(why, hang=2, style="bold")
        for clause in clauses:
            page.line(clause, indent=2)
    if untried:
        page.line()
        told = f"not exercised when the run ended: {counted(untried, 'clause')}"
        page.line(told, hang=2, style="bold")
    _not_claimed(page, record)


def _not_claimed(page: Page, record: RunRecord) -> None:
    """Count them by what is not claimed: a small kernel leaves out most of the catalog."""
    others = not_meant(record)
    reasons = Counter(
        x.reason
        for x in record.in_order()
        if x.effective is Verdict.NOT_CLAIMED and x.clause not in others
    )
    if not reasons:
        return
    page.line()
    word = verdict_name(Verdict.NOT_CLAIMED, recorded=record.header.is_audit)
    page.line(f"{word}: {counted(sum(reasons.values()), 'clause')}", style="bold")
    for reason, number in reasons.most_common():
        told = printable(reason) or "no reason given"
        page.line(f"{counted(number, 'clause')}: {told}", indent=2, hang=2)


def _why(result: ClauseResult) -> str:
    why = f"{verdict_word(result)}: {printable(result.reason) or 'no reason given'}"
    if not result.missing_partitions or result.reason.startswith(NOT_SEEN):
        return why
    return f"{why}; not seen: {printable(', '.join(result.missing_partitions))}"


def _observed(page: Page, record: RunRecord) -> None:
    """Tell what the documents leave open and this kernel does."""
    told = [result for result in record.clauses if result.chosen]
    if not told:
        return
    page.line()
    page.line("observed, not judged", style="bold")
    for result in told:
        names = ", ".join(printable(name) for name in result.chosen)
        page.line(f"{printable(result.clause)}: {names}", indent=2, hang=2)


def _waived(page: Page, record: RunRecord) -> None:
    for waiver in record.waivers:
        if waiver.state == "applied":
            page.line()
            page.line(
                f"waiver {printable(waiver.id)}: {printable(waiver.clause)} until "
                f"{printable(waiver.expires)} ({waiver.days_left} days left)",
                hang=2,
                style="bold",
            )
            asked = printable(f"{waiver.reason} ({waiver.ticket})")
            people = f"requested by {waiver.requested_by}, approved by {waiver.approved_by}"
            page.line(asked, indent=2, hang=2)
            page.line(printable(people), indent=2, hang=2)


def _left_out(page: Page, record: RunRecord) -> None:
    others = not_meant(record)
    reasons = Counter(why for name, why in record.header.excluded.items() if name not in others)
    if reasons:
        page.line()
    for reason, number in reasons.items():
        page.line(f"left out ({printable(reason)}): {number}", hang=2)


def _closing(page: Page, record: RunRecord) -> None:
    page.line()
    _notes(page, record)
    for claim in claims(record):
        page.line(f"{claim.label}: {printable(claim.text, limit=None)}", hang=2)
    told = record.summary
    if len(told.verdicts) > 1:
        audit = record.header.is_audit
        named = ((verdict_name(Verdict(x), recorded=audit), n) for x, n in told.verdicts.items())
        parts = " + ".join(f"{n} {word}" for word, n in named)
        page.line(f"{told.required} required = {parts}", hang=2)
    shared = sum(bool(example.cause) for example in record.counterexamples)
    if shared:
        causes = len(record.counterexamples) - shared
        page.line(f"{len(record.counterexamples)} failures have {counted(causes, 'cause')}")
    unreduced = sum(bool(x.unreduced and not x.cause) for x in record.counterexamples)
    if unreduced:
        page.line(f"{counted(unreduced, 'counterexample')} may not be the smallest: see there")
    _outcome(page, record)


def _conclusion(page: Page, record: RunRecord) -> None:
    _notes(page, record)
    _outcome(page, record)


def _notes(page: Page, record: RunRecord) -> None:
    for problem in (*run_problems(record), *run_notes(record)):
        page.line(f"Note: {problem}", hang=2, style="bold yellow")


def _outcome(page: Page, record: RunRecord) -> None:
    told = record.summary
    outcome = _OUTCOMES.get(told.exit_code, "stopped")
    if record.header.is_audit and told.exit_code == NOT_JUDGED:
        outcome = "too little could be judged"
    elif record.header.is_part and told.exit_code == NOT_JUDGED and not record.incidents:
        outcome = "this part alone does not judge the kernel; merge it with the others"
    page.line(
        f"{outcome} (exit code {told.exit_code}): {coverage(record)}; {told.passed:,} passed",
        hang=2,
        style="bold green" if told.exit_code == CONFORMANT else "bold red",
    )


def _tell(page: Page, lines: Iterable[Told], *, indent: int = 0) -> None:
    for line in lines:
        style, place = _STYLES[line.role], indent + line.indent
        if line.role == "command":
            page.verbatim(line.text, indent=place, style=style)
        else:
            page.line(line.text, indent=place, hang=_hang(line), style=style)


def _hang(line: Told) -> int:
    if line.role in {"expected", "got"}:
        return len("Expected: ")
    return 5 if line.role in {"step", "broken"} else 2
