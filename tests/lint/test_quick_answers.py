"""What is told without a walk: kinds of values, and names that no condition speaks of."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.inference.syntax.module import Module
from fedcheck.lint.inference.syntax.parsing import parse
from fedcheck.lint.inference.values.values import (
    Const,
    EnumMember,
    External,
    Made,
    TupleClass,
    types_of,
)

CODE = """
def tests(x):
    if x is None:
        return [x for _ in y]
    return lambda: x


def plain(x):
    return x


z = 1 if y else 2
y
"""


def _module(text: str) -> Module:
    return parse(SourceFile(Path("/a.py"), "a.py", text.encode()))


def test_kinds_hold_those_that_extend_them() -> None:
    """A kind of value is looked up with all that extend it, and with nothing else."""
    assert types_of(Const) == {Const, EnumMember}
    assert types_of(Made) > {Made, TupleClass}
    assert External not in types_of(Const, Made)


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [("x", 4, True), ("x", 9, False), ("y", 4, False), ("y", 13, True), ("z", 12, False)],
)
def test_a_name_is_tested_where_its_function_asks(name: str, line: int, expected: bool) -> None:
    """A condition speaks of the names of its own function, in comprehensions too."""
    module = _module(CODE)
    uses = [node for node in module.nodes(ast.Name) if (node.id, node.lineno) == (name, line)]
    assert [module.is_tested(use) for use in uses] == [expected] * len(uses) != []
