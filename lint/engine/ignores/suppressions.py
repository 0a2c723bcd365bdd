"""Applies ignore comments and ``per-file-ignores``, and reports invalid comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ....invariants.vocabulary.near_names import closest
from ....reports.lint.findings import Edit, Finding, Fix, Span
from ....reports.lint.shared import split_lines
from ...rule import Rule
from ...rules.retired import RENAMED, renamed, retired
from ...settings.model import Settings, in_folder, matches
from .directives import Directive, directives
from .meta_rules import IGNORE_WITHOUT_REASON, MALFORMED_IGNORE, UNUSED_IGNORE


class Known(msgspec.Struct, frozen=True):
    """The rules that comments may name.

    Attributes:
        names: code, name and old name of every rule → its code.
        on: codes of those of this run.
    """

    names: Mapping[str, str]
    on: frozenset[str]


def known_rules(rules: Sequence[Rule], on: frozenset[str]) -> Known:
    """Return the rules that comments may name."""
    names = {name: rule.code for rule in rules for name in (rule.code, rule.name)}
    old = {name: names[new] for name, new in RENAMED.items() if new in names}
    return Known({**old, **names}, on)


def apply_comments(
    path: str, findings: Sequence[Finding], text: str, known: Known
) -> list[Finding]:
    """Suppress the findings of one file that comments hide, and add those about comments.

    Args:
        path: of the file, as findings name it.
        findings: all of that file.
        text: of the file.
        known: the rules.
    """
    comments = directives(text)
    if not comments:
        return list(findings)
    used: dict[int, set[str]] = {}
    marked = [_marked(finding, comments, known, used) for finding in findings]
    about = [
        finding
        for number, comment in enumerate(comments)
        for finding in _About(path, comment, text, known).findings(used.get(number, set()))
    ]
    return marked + _numbered(about)


def apply_settings(findings: Sequence[Finding], settings: Settings, codes: _Codes) -> list[Finding]:
    """Suppress findings by ``per-file-ignores``, and drop those in excluded files.

    Args:
        findings: of the whole run.
        settings: of the project.
        codes: glob of ``per-file-ignores`` → codes that its patterns name.
    """
    if not settings.exclude and not codes:
        return list(findings)
    kept: list[Finding] = []
    for finding in findings:
        relative = in_folder(finding.path, settings.root)
        if any(matches(relative, glob) for glob in settings.exclude):
            continue
        glob = next((g for g in codes if finding.code in codes[g] and matches(relative, g)), "")
        if glob and not finding.suppressed:
            why = f"per-file-ignores of {glob}"
            finding = msgspec.structs.replace(  # noqa: PLW2901
                finding, suppressed="config", justification=why
            )
        kept.append(finding)
    return kept


_Codes = Mapping[str, frozenset[str]]


def _marked(
    finding: Finding, comments: Sequence[Directive], known: Known, used: dict[int, set[str]]
) -> Finding:
    line = finding.span.line  # its own comment counts before that of its statement
    nearest = sorted(
        enumerate(comments), key=lambda it: (not it[1].whole_file, it[1].span.line != line)
    )
    for number, comment in nearest:
        if comment.problem or not comment.covers(finding.span):
            continue
        if finding.code in {known.names.get(code) for code in comment.codes}:
            used.setdefault(number, set()).add(finding.code)
            return msgspec.structs.replace(
                finding,
                suppressed="file" if comment.whole_file else "inline",
                justification=comment.reason,
            )
    return finding


class _About:
    """The findings about one comment."""

    def __init__(self, path: str, comment: Directive, text: str, known: Known) -> None:
        self._path = path
        self._comment = comment
        self._text = text
        self._known = known

    def findings(self, used: set[str]) -> Iterator[Finding]:
        """Yield the findings about the comment.

        Args:
            used: codes with which it has hidden a finding.
        """
        for finding in self._all(used):
            if finding.code in self._known.on:
                yield finding

    def _all(self, used: set[str]) -> Iterator[Finding]:
        comment, names = self._comment, self._known.names
        if comment.problem:
            yield self._finding(MALFORMED_IGNORE, f"this ignore hides nothing: {comment.problem}")
            return
        for code in comment.codes:
            if code not in names and not retired(code):
                text = f"this ignore hides nothing: there is no rule {code!r}; {_hint(code, names)}"
                yield self._finding(MALFORMED_IGNORE, text)
        unused = [c for c in comment.codes if self._unused(c, used)]
        if unused:
            gone = "; ".join(filter(None, map(retired, unused)))
            text = f"this ignore hides no finding of {', '.join(unused)}; remove it"
            text += f": {gone}" if gone else ""
            title = f"Remove {', '.join(unused)}"
            kept = [code for code in comment.codes if code not in unused]
            yield self._finding(UNUSED_IGNORE, text, self._rewritten(title, kept))
        for remark in filter(None, map(renamed, comment.codes)):
            fresh = [RENAMED.get(code, code) for code in comment.codes]
            fix = self._rewritten("Write the new name", fresh)
            text = f"this ignore works, but {remark}"
            yield msgspec.structs.replace(
                self._finding(MALFORMED_IGNORE, text, fix), severity="info"
            )
        if not comment.reason and len(unused) < len(comment.codes):
            text = "this ignore gives no reason; write it behind the bracket"
            yield self._finding(IGNORE_WITHOUT_REASON, text)

    def _unused(self, code: str, used: set[str]) -> bool:
        meant = self._known.names.get(code, "")
        if not meant:
            return bool(retired(code))
        return meant in self._known.on and meant not in used

    def _finding(self, rule: Rule, message: str, fix: Fix | None = None) -> Finding:
        return Finding(
            path=self._path,
            span=self._comment.span,
            code=rule.code,
            rule=rule.name,
            severity=rule.severity,
            message=message,
            fix=fix,
            fingerprint=_digest(rule.code, ",".join(self._comment.codes), message),
        )

    def _rewritten(self, title: str, kept: Sequence[str]) -> Fix:
        """Return the fix that keeps only these codes; without any the comment is removed."""
        if not kept:
            span = _with_white_space(self._comment.span, self._text)
            edit = Edit(span=span, replacement="")
        else:
            span = self._comment.span
            word = "ignore-file" if self._comment.whole_file else "ignore"
            reason = f" {self._comment.reason}" if self._comment.reason else ""
            edit = Edit(span=span, replacement=f"# fedcheck: {word}[{', '.join(kept)}]{reason}")
        return Fix(title=title, safety="safe", edits=(edit,))


def _hint(code: str, names: Iterable[str]) -> str:
    """Return a hint for an unknown code: a known name, or a code in other spelling."""
    codes = [name for name in names if name.isupper()]
    if code and any(name.startswith(code) for name in codes):
        return "an ignore names whole codes"
    near = code.upper() if code.upper() in codes else closest(code, set(names).difference(codes))
    return f"did you mean {near}?" if near else "`fedcheck rule list` shows all"


def _with_white_space(span: Span, text: str) -> Span:
    """Return the span of a comment with the blanks before it, or of its whole line."""
    lines = split_lines(text)
    line = lines[span.line - 1]
    before, behind = line[: span.column - 1], line[span.end_column - 1 :]
    if not before.strip() and not behind.strip() and span.line < len(lines):
        return Span(line=span.line, column=1, end_line=span.line + 1, end_column=1)
    if behind.strip():
        end = len(line) - len(behind.lstrip()) + 1
        return Span(line=span.line, column=span.column, end_line=span.line, end_column=end)
    column = len(before.rstrip()) + 1
    return Span(line=span.line, column=column, end_line=span.end_line, end_column=span.end_column)


def _numbered(findings: Sequence[Finding]) -> list[Finding]:
    seen: dict[str, int] = {}
    numbered: list[Finding] = []
    for finding in findings:
        name = finding.fingerprint
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name = _digest(name, str(seen[name]))
        numbered.append(msgspec.structs.replace(finding, fingerprint=name))
    return numbered


def _digest(*parts: str) -> str:
    from hashlib import sha256  # as in marking.py

    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
