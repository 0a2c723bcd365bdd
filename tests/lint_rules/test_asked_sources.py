"""What a condition comes from, where functions and tables name each other."""

from __future__ import annotations

import ast
from pathlib import Path

from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.inference.project import Project
from fedcheck.lint.sdk.releases import versions
from fedcheck.lint.sdk.surface import surface
from fedcheck.lint.sdk_use.versions import parts_behind
from fedcheck.lint.view import FileView, ProjectView

CIRCLE = """
from imperal_sdk import Extension


def one(x):
    return [one(x), two(x), three(x), two(x)]


def two(x):
    return [one(x), two(x), three(x), one(x)]


def three(x):
    return [one(x), two(x), FLAGS]


FLAGS = {"a": one, "b": two, "c": one}
if FLAGS["a"]:
    pass
"""


def test_each_source_is_walked_through_once(tmp_path: Path) -> None:
    """Functions that name each other are no more work than their lines."""
    path = tmp_path / "main.py"
    project = Project(
        tmp_path, {path: SourceFile(path, "main.py", CIRCLE.encode())}, surface(versions()[-1])
    )
    module = project.module(path)
    assert module is not None
    (test,) = [node.test for node in module.nodes(ast.If)]
    found = list(parts_behind(FileView(ProjectView(project), module), module, test))
    assert {"one", "two", "three"} == {it.name for it in found if isinstance(it, ast.FunctionDef)}
    placed = [it for it in found if it in module.parents]
    assert len(set(placed)) == len(placed)
