"""Calls that the SDK rejects, where the code says that it knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

MODEL = """\
from imperal_sdk import Extension, sdl
from pydantic import ValidationError

ext = Extension("notes")


class Note(sdl.Entity):
    text: str = ""


@ext.panel("p")
async def p(ctx):
    try:
        return Note(text="a")
    except {}:
        return None
"""


@pytest.mark.parametrize(
    ("caught", "severity", "words"),
    [
        ("ValidationError", "info", "as except ValidationError expects, it raises pydantic"),
        ("(KeyError, ValidationError)", "info", "as except ValidationError expects"),
        ("TypeError", "error", "needs id and title: it raises pydantic"),
        ("ValueError", "error", "requires them: pass id=… and title=…"),
        ("Exception", "error", "it raises pydantic.ValidationError"),
    ],
)
def test_a_model_is_refused_by_its_own_exception(
    lint: Lint, caught: str, severity: str, words: str
) -> None:
    """Who catches ``ValidationError`` by name expects it; ``TypeError`` does not catch it."""
    (found,) = lint("FED108", MODEL.format(caught))

    assert severity == found.severity
    assert words in found.message
