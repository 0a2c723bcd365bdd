"""The record as one HTML file: for a reader, a printer and an auditor; needs no network.

The page's own policy (CSP) forbids every request, and every script but one of ours that filters
by text; all else works without it. Every text is made printable and escaped on its way into the
page.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..lint.findings import LintReport
from ..record import verdict_words as words
from ..record.claims import claims
from ..record.comparison import compare
from ..record.evidence import evidence
from ..record.identity import exact_command, identity, reproducing_command
from ..record.model import RunRecord
from ..wording.channels import channel
from ..wording.narrative import run_notes, run_problems
from . import bars, view
from .lint_view import lint_view
from .page import page_pieces
from .results import ROWS, groups


def html_report(
    record: RunRecord,
    *,
    since: RunRecord | None = None,
    lint: LintReport | None = None,
    on_paper: bool = False,
) -> str:
    """Return a record as a self-contained HTML page; see ``html_pieces``."""
    return "".join(html_pieces(record, since=since, lint=lint, on_paper=on_paper))


def html_pieces(
    record: RunRecord,
    *,
    since: RunRecord | None = None,
    lint: LintReport | None = None,
    on_paper: bool = False,
) -> Iterator[str]:
    """Yield a record as a self-contained HTML page, the same for the same arguments.

    Args:
        record: what to render.
        since: an earlier record; the page then says what changed.
        lint: what the linter found; the page then shows it beside the verdicts.
        on_paper: leave out what only a screen can fold away: everything is then printed open.
    """
    slowest = view.slowest(record)
    invariants = record.by_invariant().values()
    return page_pieces(
        "report.html.j2",
        filtered=not on_paper,
        title=f"{words.outcome(record).word}: {record.header.kernel.kernel} "
        f"{record.header.kernel.version}",
        record=record,
        header=record.header,
        summary=record.summary,
        outcome=words.outcome(record),
        claims=claims(record),
        identity=identity(record),
        population=view.population(record),
        problems=[*run_problems(record), *run_notes(record)],
        red=view.red_clauses(record),
        slow_places={invariant: place for place, invariant in enumerate(slowest)},
        coverage=bars.coverage(record),
        tried_bars=[plot for plot in (bars.classes(record), bars.times(record)) if plot],
        ending_soon=view.ending_soon(record),
        matrix=view.matrix(record),
        groups=groups(record, most=ROWS if on_paper else None),
        channels=sorted({channel(results) for results in invariants}),
        not_printed=max(len(record.clauses) - ROWS, 0) if on_paper else 0,
        paper_rows=ROWS,
        judged={result.clause for result in record.clauses},
        waiver_ids={waiver.id for waiver in record.waivers},
        plots=(*view.over_time(record), *view.plots(record.distributions)),
        changes=None if since is None else compare(since, record),
        lint=None if lint is None else lint_view(lint, record),
        tested=view.tested(record),
        limitations=view.limitations(record),
        exact_command=exact_command(record.header),
        reproducing_command=reproducing_command(record.header),
        evidence=tuple(evidence(record)) if on_paper else evidence(record),
        meanings=[
            (words.verdict_name(v, recorded=record.header.is_audit), told)
            for v, told in words.meanings(record).items()
        ],
        on_paper=on_paper,
    )
