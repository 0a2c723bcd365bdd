"""What decides whether the SDK has a member: each case differs without one condition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.edits.text_edits import apply
from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


def test_a_call_that_gets_a_factory_is_not_renamed(lint: Lint) -> None:
    """``box.use(ActionResult.ok, "Done")`` calls no factory that could get its name."""
    (found,) = lint(
        "FED105",
        """
from vendor import box


@ext.panel("p")
async def p(ctx):
    return box.use(ActionResult.ok, "Done")
""",
    )
    assert found.fix is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('ok({"a": 1}, "Done")', 'success({"a": 1}, "Done")'),
        ('ok({"a": 1}, message="Done")', 'success({"a": 1}, summary="Done")'),
        ('fail(message="Gone")', 'error(error="Gone")'),
    ],
)
def test_a_factory_is_named_with_its_arguments(lint: Lint, written: str, meant: str) -> None:
    """The fix names the factory that takes the same, and a keyword by its name."""
    head = '@chat.function("f", "Lists the notes", action_type="read")\nasync def f(ctx):\n'
    text = f"{head}    return ActionResult.{written}\n"
    (found,) = lint("FED105", text)
    assert found.fix is not None
    assert f"    return ActionResult.{meant}\n" in apply(PREAMBLE + text, found.fix.edits)
