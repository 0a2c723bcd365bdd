"""The concrete syntax (libcst) of one statement: exact spans and edits that keep the rest.

Only statements with a finding are read this way, so that libcst is loaded only when there is
something to report.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ...reports.lint.findings import Edit, Span
from ..model.module import Module
from ..view import span_of

if TYPE_CHECKING:
    import libcst as cst

_COMPOUND = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
)


_LONGEST = 50_000
"""Characters of a statement; libcst needs about a second for them."""


def exact_span(module: Module, node: ast.AST) -> Span:
    """Return the span of a node with the parentheses that belong to it."""
    rough = span_of(module, node)
    if isinstance(node, ast.stmt | ast.Module):
        return rough
    statement = Statement.around(module, node)
    if statement is None:
        return rough
    return statement.find(rough)[1] or rough


def rewrite(
    module: Module, node: ast.AST, change: Callable[[cst.CSTNode], cst.CSTNode]
) -> Edit | None:
    """Return the smallest edit that replaces a node by what ``change`` makes of it."""
    statement = Statement.around(module, node)
    if statement is None:
        return None
    return statement.rewrite(span_of(module, node), change)


class Statement:
    """The innermost statement around a node, as libcst reads it. Positions are the file's."""

    def __init__(self, text: str, start: Span, tree: cst.Module) -> None:
        self._text = text
        self._start = start
        self._tree = tree

    @classmethod
    def around(cls, module: Module, node: ast.AST) -> Statement | None:
        """Read the statement, of a compound one its header; None if libcst cannot."""
        import libcst as cst

        statement = module.statement(node)
        if statement is None:
            return None
        text, start = _text_of(module, statement)
        if len(text) > _LONGEST:
            return None
        closed = text + "pass" if isinstance(statement, _COMPOUND) else text
        try:
            return cls(text, start, cst.parse_module(closed))
        except (cst.ParserSyntaxError, RecursionError, ValueError):
            return None

    def _positions(self) -> Iterable[tuple[cst.CSTNode, Any]]:
        from libcst.metadata import MetadataWrapper, PositionProvider

        try:
            wrapper = MetadataWrapper(self._tree, unsafe_skip_copy=True)
            return wrapper.resolve(PositionProvider).items()
        except RecursionError:
            return ()

    def find(self, span: Span) -> tuple[cst.CSTNode | None, Span | None]:
        """Return the outermost expression at a span, and its span with its parentheses."""
        from libcst import BaseExpression

        for node, place in self._positions():
            if isinstance(node, BaseExpression):
                start, end = place.start, place.end
                found = self._in_file(start.line, start.column, end.line, end.column)
                if found == span:
                    return node, found
        return None, None

    def rewrite(self, span: Span, change: Callable[[cst.CSTNode], cst.CSTNode]) -> Edit | None:
        """Replace the expression at a span."""
        node, _ = self.find(span)
        if node is None:
            return None
        replaced: Any = self._tree.deep_replace(node, change(node))
        return self._edit(self._tree.code, replaced.code)

    def _edit(self, before: str, after: str) -> Edit | None:
        if before == after:
            return None
        start = 0
        while start < min(len(before), len(after)) and before[start] == after[start]:
            start += 1
        end = 0
        while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
            end += 1
        start, end = _whole_words(before, start, end)
        first, last = _place(before, start), _place(before, len(before) - end)
        span = self._in_file(*first, *last)
        return Edit(span=span, replacement=after[start : len(after) - end])

    def _in_file(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        top = self._start.line - 1
        shift = self._start.column - 1
        return Span(
            line=top + line,
            column=column + 1 + (shift if line == 1 else 0),
            end_line=top + end_line,
            end_column=end_column + 1 + (shift if end_line == 1 else 0),
        )


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen an edit to the names that it touches: people read edits too."""
    while start > 0 and _is_word(text[start - 1]):
        start -= 1
    while end > 0 and _is_word(text[-end]):
        end -= 1
    return start, end


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _place(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1)


def _text_of(module: Module, statement: ast.stmt) -> tuple[str, Span]:
    """Return the text of a statement from its first character; of a compound one up to its body."""
    span = span_of(module, statement)
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    line, column = span.line, span.column
    if decorators:
        line = min(item.lineno for item in decorators)
        column = module.source.lines[line - 1].index("@") + 1
    if isinstance(statement, _COMPOUND):
        body = statement.body[0]
        inner: list[ast.expr] = getattr(body, "decorator_list", [])
        last_line = min([body.lineno, *(item.lineno for item in inner)])
        last_column = module.source.column(body.lineno, body.col_offset)
    else:
        last_line, last_column = span.end_line, span.end_column
        if isinstance(statement, ast.Try):
            last_line, last_column = span.line, span.column
    whole = Span(line=line, column=column, end_line=last_line, end_column=last_column)
    return module.source.slice(whole), whole
