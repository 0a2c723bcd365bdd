"""Ignore comments: ``# fedcheck: ignore[CODE] reason``."""

from __future__ import annotations

import io
import re
import sys
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ....invariants.vocabulary.near_names import closest
from ....reports.lint.findings import Span

MARK = "fedcheck:"
WORDS = ("ignore", "ignore-file")

_COMMENT = re.compile(
    r"""\#[ \t]*fedcheck:[ \t]*(?P<word>[\w-]+)[ \t]*
        (?P<bracket>\[(?P<codes>[^\]\#]*)\])?
        (?P<reason>[^\#]*)""",
    re.VERBOSE,
)
_PLACEHOLDER = re.compile(r"(?i)(todo|fixme|xxx|tbd|reason)?[\W_]*")


class Directive(msgspec.Struct, frozen=True, kw_only=True):
    """One ignore comment.

    Attributes:
        span: of the comment.
        first: first line whose findings it hides …
        last: … and the last one; findings count by the line they begin in.
        inside: the line of the comment, if findings that reach over it are hidden too; else 0.
        whole_file: whether it hides the findings of the whole file.
        codes: what stands in the brackets.
        reason: the text after the brackets; empty also for a mere TODO.
        problem: why it is invalid; it then hides nothing.
    """

    span: Span
    first: int
    last: int
    inside: int = 0
    whole_file: bool = False
    codes: tuple[str, ...] = ()
    reason: str = ""
    problem: str = ""

    def covers(self, span: Span) -> bool:
        """Tell whether it hides a finding at ``span``."""
        if self.whole_file or self.first <= span.line <= self.last:
            return True
        return bool(self.inside) and span.line <= self.inside <= span.end_line


class _Statement(NamedTuple):
    """The first and the last line of a statement."""

    first: int
    last: int


class _Layout:
    """The statements and the lines with code of a file, in order."""

    def __init__(self, statements: list[_Statement], code_lines: set[int]) -> None:
        self._statements = statements
        self._lines = sorted(code_lines)

    def reach(self, line: int) -> tuple[int, int, int]:
        """Return the first and last line of a comment's range, and its ``inside`` line.

        A comment behind code means its statement if it stands in the first or last line of it,
        else the line; one on a line of its own means what comes next.
        """
        position = bisect_right(self._statements, (line, sys.maxsize))
        around = self._statements[position - 1] if position else None
        if around is not None and around.last < line:
            around = None
        if self._holds_code(line):
            if around is not None and line in around:
                return around.first, around.last, 0
            return line, line, line
        if around is not None:
            following = self._next_code(line)
            return following, following, 0
        if position < len(self._statements):
            behind = self._statements[position]
            return behind.first, behind.last, 0
        return line, line, 0

    def _holds_code(self, line: int) -> bool:
        place = bisect_right(self._lines, line)
        return place > 0 and self._lines[place - 1] == line

    def _next_code(self, line: int) -> int:
        place = bisect_right(self._lines, line)
        return self._lines[place] if place < len(self._lines) else line


def directives(text: str) -> list[Directive]:
    """Return the ignore comments of a source text, in order.

    Only comments count, not texts that look like one. Of a text that cannot be read to its
    end those before the break are returned.
    """
    if MARK not in text:
        return []
    comments, layout = _scan(text)
    found: list[Directive] = []
    for token in comments:
        for match in _COMMENT.finditer(token.string):
            directive = _directive(token, match, layout)
            if directive is not None:
                found.append(directive)
    return found


def _scan(text: str) -> tuple[list[tokenize.TokenInfo], _Layout]:
    """Return the ignore comments, and the layout of the file."""
    comments: list[tokenize.TokenInfo] = []
    statements: list[_Statement] = []
    code_lines: set[int] = set()
    begun = 0
    for token in tokens(text):
        if token.type == tokenize.COMMENT:
            if MARK in token.string:
                comments.append(token)
        elif token.type == tokenize.NEWLINE:
            if begun:
                statements.append(_Statement(begun, token.start[0]))
            begun = 0
        elif token.type not in _LAYOUT:
            begun = begun or token.start[0]
            code_lines.update(range(token.start[0], token.end[0] + 1))
    return comments, _Layout(statements, code_lines)


_LAYOUT = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


def tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a source text, as far as it can be read."""
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    try:
        yield from tokenize.generate_tokens(lines.readline)
    except (tokenize.TokenError, SyntaxError, RecursionError, MemoryError):
        return


def _directive(
    token: tokenize.TokenInfo, match: re.Match[str], layout: _Layout
) -> Directive | None:
    word = match["word"]
    if word not in WORDS and not closest(word, WORDS):
        return None  # a remark about fedcheck, not an order to it
    line, offset = token.start
    span = Span(
        line=line,
        column=offset + match.start() + 1,
        end_line=line,
        end_column=offset + match.start() + len(match.group().rstrip()) + 1,
    )
    first, last, inside = layout.reach(line)
    return Directive(
        span=span,
        first=first,
        last=last,
        inside=inside,
        whole_file=word == "ignore-file",
        codes=tuple(code.strip() for code in (match["codes"] or "").split(",") if code.strip()),
        reason=reason_of(match["reason"]),
        problem=_problem(word, match["codes"]),
    )


def reason_of(text: str) -> str:
    """Return the reason after a bracket; empty for none and for a mere TODO."""
    reason = text.strip().lstrip("-:—– ").strip()
    return "" if _PLACEHOLDER.fullmatch(reason) or reason.upper().startswith("TODO") else reason


def _problem(word: str, codes: str | None) -> str:
    if word not in WORDS:
        return f"{word!r} is not understood; write {closest(word, WORDS)}[CODE] reason"
    if codes is None or not codes.strip():
        return f"it names no rule; write {word}[CODE] reason"
    return ""
