"""``--add-ignores``: writes an ignore comment at each finding."""

from __future__ import annotations

import tokenize
from collections.abc import Sequence

from ....invariants.vocabulary.errors import UsageError
from ....reports.console.escape import printable
from ....reports.lint.findings import Edit, Finding, Span
from ...edits import text_edits as edits
from ..ignores.directives import Directive, directives, reason_of, tokens
from ..ignores.meta_rules import META_RULES
from ..run import Outcome, text_of
from .fixing import Change

_META = frozenset(rule.code for rule in META_RULES)


def with_ignores(
    outcome: Outcome, reason: str
) -> tuple[dict[str, Change], dict[str, list[Finding]]]:
    """Return the files with comments at their findings, and the findings hidden in each.

    Findings about ignore comments and in files that are no Python are left as they are.

    Raises:
        UsageError: the reason counts as none, so that each comment would be a finding.
    """
    if not reason_of(_one_line(reason)):
        raise UsageError(
            f"--reason {printable(reason)!r} counts as no reason; say why the findings stay"
        )
    changes: dict[str, Change] = {}
    hidden: dict[str, list[Finding]] = {}
    for name, source in outcome.sources.items():
        own = [f for f in outcome.findings if f.path == name and _ignorable(f)]
        text = text_of(source) if own and name.endswith(".py") else None
        if text is None:
            continue
        new = edits.encoded(ignored(text, own, _holdable(reason, source.encoding)), source)
        if new is not None and edits.parses(new):
            changes[name] = Change(source, new)
            hidden[name] = own
    return changes, hidden


def ignored(text: str, findings: Sequence[Finding], reason: str) -> str:
    """Return a source text with an ignore comment at each finding.

    Args:
        text: of the file.
        findings: those to hide.
        reason: what each comment gives as its reason.
    """
    codes: dict[int, list[str]] = {}
    ends = comment_lines(text)
    for finding in findings:
        codes.setdefault(ends.get(finding.span.line, finding.span.line), []).append(finding.code)
    present = {d.span.line: d for d in directives(text) if not d.whole_file and not d.problem}
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return edits.apply(
        text,
        [
            comment_edit(lines[line - 1], line, found, reason, present.get(line))
            for line, found in codes.items()
        ],
    )


def comment_lines(text: str) -> dict[int, int]:
    """Return line → line at whose end its ignore comment can stand.

    The line itself; if it ends inside a string or with a backslash, the statement's last line.
    """
    possible: set[int] = set()
    ends: dict[int, int] = {}
    begun = 0
    for token in tokens(text):
        if token.type in {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT}:
            possible.add(token.start[0])
        if token.type == tokenize.NEWLINE and begun:
            for line in range(begun, token.start[0] + 1):
                ends[line] = line if line in possible else token.start[0]
            begun = 0
        elif token.type not in {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}:
            begun = begun or token.start[0]
    return ends


def comment_edit(
    line_text: str, line: int, codes: Sequence[str], reason: str, present: Directive | None
) -> Edit:
    """Return the edit that adds codes to the comment of a line, or a comment to the line."""
    every = list(dict.fromkeys([*(present.codes if present else ()), *codes]))
    why = present.reason if present and present.reason else _one_line(reason)
    comment = f"# fedcheck: ignore[{', '.join(every)}] {why}".rstrip()
    if present is not None:
        return Edit(span=present.span, replacement=comment)
    column = len(line_text.rstrip()) + 1
    span = Span(line=line, column=column, end_line=line, end_column=len(line_text) + 1)
    return Edit(span=span, replacement=f"  {comment}")


def _holdable(reason: str, encoding: str) -> str:
    """Return a reason in the characters of an encoding."""
    return reason.encode(encoding, "backslashreplace").decode(encoding)


def _one_line(reason: str) -> str:
    return printable(" ".join(reason.split()), limit=None).replace("#", "no. ")


def _ignorable(finding: Finding) -> bool:
    return not finding.suppressed and finding.code not in _META
