"""Parses files, also with very deeply nested expressions and huge numbers."""

from __future__ import annotations

import ast
import re
import sys
import threading
import warnings

from ...files.source import SourceFile
from .module import Module

_DEEP_STACK = 256 * 1024 * 1024
_DEEP_LIMIT = 200_000
_LONG_NUMBER = re.compile(r"[0-9a-fA-F_]{300}")
_LARGEST = 10**300
"""The largest whole number that is looked at: it can still be printed and made a float."""


class Unparsable(Exception):
    """A file that cannot be read as Python; the message is a note for the user."""


def parse(source: SourceFile) -> Module:
    """Parse a file.

    Raises:
        Unparsable: It is not Python that this interpreter reads; the message says why.
    """
    try:
        tree = _parse_tree(source)
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise Unparsable(f"{place}{error.msg}") from error
    except UnicodeDecodeError as error:
        raise Unparsable(f"it is not {error.encoding}: {error.reason}") from error
    except ValueError as error:
        raise Unparsable(str(error)) from error
    except (RecursionError, MemoryError) as error:
        raise Unparsable("its expressions are nested too deeply") from error
    return Module(source, tree)


def _parse_tree(source: SourceFile) -> ast.Module:
    text = source.text
    if "\0" in text:
        raise ValueError("it holds a NUL character")
    try:
        return _quiet_parse(text)
    except (RecursionError, MemoryError):
        return _parse_with_deep_stack(text)


def _quiet_parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    return _NoHugeNumbers().visit(tree) if _LONG_NUMBER.search(text) else tree


class _NoHugeNumbers(ast.NodeTransformer):
    """Replaces numbers that are too large to be printed by an unknown value."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int) and abs(node.value) > _LARGEST:
            return ast.copy_location(ast.Name("a huge number", ast.Load()), node)
        return node


def _parse_with_deep_stack(text: str) -> ast.Module:
    """Parse in a thread with a large stack, for deeply nested expressions."""
    result: list[ast.Module | BaseException] = []

    def work() -> None:
        try:
            result.append(_quiet_parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            result.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_DEEP_STACK)
    sys.setrecursionlimit(_DEEP_LIMIT)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]
