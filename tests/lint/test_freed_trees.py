"""An extension's trees go when its run ends, without the garbage collector: it is off by then."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from fedcheck.lint.engine import extension_run
from fedcheck.lint.inference.project import Project
from fedcheck.lint.rule import Rule
from fedcheck.lint.rules import own_rules

from .test_rule_examples import lint_example


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[weakref.ref[Project]]:
    """Return what will hold the extensions that the engine makes."""
    found: list[weakref.ref[Project]] = []

    class Watched(Project):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # pyright: ignore[reportArgumentType]
            found.append(weakref.ref(self))

    monkeypatch.setattr(extension_run, "Project", Watched)
    return found


@pytest.mark.parametrize("rule", own_rules(), ids=lambda rule: rule.code)
def test_no_circle_keeps_an_extension(
    tmp_path: Path, rule: Rule, made: list[weakref.ref[Project]]
) -> None:
    """A run over many extensions holds one of them at a time."""
    gc.disable()
    try:
        for index, example in enumerate((*rule.bad, *rule.good)):
            lint_example(tmp_path / str(index), example, rule, exhaustive=True)
        kept = [ref for ref in made if ref() is not None]
    finally:
        gc.enable()
    assert made
    assert [] == kept
