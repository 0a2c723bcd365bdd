"""The concrete syntax (libcst) of what is changed: edits that keep the rest.

Only the statement around an edit is read, so that libcst is loaded only when there is one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...reports.lint.findings import Edit, Span
from ..inference.syntax.module import Module
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


def surround(module: Module, node: ast.expr, before: str, after: str) -> tuple[Edit, Edit]:
    """Return the edits that put a text before an expression and one behind it."""
    span = span_of(module, node)
    return (
        Edit(span=_empty(span.line, span.column), replacement=before),
        Edit(span=_empty(span.end_line, span.end_column), replacement=after),
    )


def _empty(line: int, column: int) -> Span:
    return Span(line=line, column=column, end_line=line, end_column=column)


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
        """Read the statement, of a compound one its header, once; None if libcst cannot."""
        statement = module.statement(node)
        if statement is None:
            return None
        known: dict[int, Statement | None] = module.__dict__.setdefault("_concrete", {})
        if id(statement) not in known:
            known[id(statement)] = cls._read(module, statement)
        return known[id(statement)]

    @classmethod
    def _read(cls, module: Module, statement: ast.stmt) -> Statement | None:
        import libcst as cst

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

    @cached_property
    def _expressions(self) -> dict[Span, cst.CSTNode]:
        """Span → the outermost expression there."""
        from libcst import BaseExpression

        found: dict[Span, cst.CSTNode] = {}
        for node, place in self._positions():
            if isinstance(node, BaseExpression):
                start, end = place.start, place.end
                found.setdefault(
                    self._in_file(start.line, start.column, end.line, end.column), node
                )
        return found

    def rewrite(self, span: Span, change: Callable[[cst.CSTNode], cst.CSTNode]) -> Edit | None:
        """Replace the expression at a span."""
        node = self._expressions.get(span)
        if node is None:
            return None
        new = change(node)
        before, after = self._tree.code_for_node(node), self._tree.code_for_node(new)
        lead = sum(len(self._tree.code_for_node(paren)) for paren in getattr(node, "lpar", ()))
        if before[:lead] == after[:lead]:  # the span begins behind the parentheses
            return self._edit(before[lead:], after[lead:], span.line, span.column)
        replaced: Any = self._tree.deep_replace(node, new)
        return self._edit(self._tree.code, replaced.code, self._start.line, self._start.column)

    def _edit(self, before: str, after: str, line: int, column: int) -> Edit | None:
        if before == after:
            return None
        start = 0
        while start < min(len(before), len(after)) and before[start] == after[start]:
            start += 1
        end = 0
        while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
            end += 1
        start, end = _whole_words(before, start, end)
        first = _place(before, start, line, column)
        last = _place(before, len(before) - end, line, column)
        span = Span(line=first[0], column=first[1], end_line=last[0], end_column=last[1])
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


def _place(text: str, offset: int, line: int, column: int) -> tuple[int, int]:
    """Return where an offset of a text lies that begins at a line and column of the file."""
    before = text[:offset]
    if "\n" not in before:
        return line, column + offset
    return line + before.count("\n"), offset - before.rfind("\n")


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
