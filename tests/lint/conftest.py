"""A linter for files given as texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.inference.project import Project
from fedcheck.lint.inference.syntax.module import Module
from fedcheck.lint.inference.values.evaluate import LazyEvaluator
from fedcheck.lint.sdk.releases import versions
from fedcheck.lint.sdk.surface import surface


@pytest.fixture
def check_files(tmp_path: Path) -> Callable[..., CheckResult]:
    """Return a function that writes files into a folder and lints it."""

    def run(files: Mapping[str, str | bytes], **options: object) -> CheckResult:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        codes = options.pop("codes", None)
        target = Target(sdk=str(options.pop("sdk", versions()[-1])), **options)
        return check([tmp_path], target, codes=codes)

    return run


@pytest.fixture
def lint(check_files: Callable[..., CheckResult]) -> Callable[..., list[tuple[str, str, int]]]:
    """Return a function that lints texts and tells (code, severity, line); no notes allowed."""

    def run(files: Mapping[str, str | bytes], **options: object) -> list[tuple[str, str, int]]:
        result = check_files(files, **options)
        assert () == result.notes
        return [(item.code, item.severity, item.span.line) for item in result.findings]

    return run


@pytest.fixture
def made(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[LazyEvaluator, Module]:
    """Return what evaluates the ``CODE`` of a module of tests, and the file that it stands in."""
    path = tmp_path / "main.py"
    source = SourceFile(path, "main.py", request.module.CODE.encode())
    project = Project(tmp_path, {path: source}, surface(versions()[-1]))
    module = project.module(path)
    assert module is not None
    return LazyEvaluator(project), module
