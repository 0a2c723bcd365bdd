"""A cancel that is swallowed away from the call of ctx.progress."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

STEP = "\nimport asyncio\n\n\nasync def step(ctx):\n    await ctx.progress(10)\n\n\n"
HANDLER = "@ext.tool('t')\nasync def t(ctx):\n"
CATCH = "    except Exception as e:\n        return ActionResult.error(str(e))\n"


def _whole(text: str) -> str:
    """Return a text with the head that the fixture gives only to those that import nothing."""
    return PREAMBLE + text if "from imperal_sdk" in text else text


def test_the_handler_is_marked_and_mended_in_its_own_file(lint: Lint) -> None:
    """The mark is on what the handler catches, the chain names the call, and there is a fix."""
    text = STEP + HANDLER + "    try:\n        await step(ctx)\n" + CATCH
    found = lint("FED507", _whole(text))
    assert [(True, ["calls step"])] == [
        (it.fix is not None, [step.note for step in it.chain]) for it in found
    ]


@pytest.mark.parametrize(
    ("tried", "leaves", "safety"),
    [
        ("await ctx.progress(n)", "return None", "unsafe"),
        ("await ctx.progress(n)\n            await ctx.progress(9)", "return None", "unsafe"),
        ("await ctx.progress(n)", "pass", "safe"),
        ("await ctx.progress(n)", "continue", "safe"),
        ("await ctx.progress(n)\n            await ctx.notify('x')", "break", "safe"),
        ("await step(ctx)", "break", "safe"),
    ],
)
def test_a_handler_that_may_be_for_the_cancel_is_mended_on_demand(
    lint: Lint, tried: str, leaves: str, safety: str
) -> None:
    """Where only ctx.progress is awaited, and it leaves, an author may mean that as the end."""
    (found,) = lint("FED507", _in_loop(tried, leaves))
    assert found.fix is not None
    assert safety == found.fix.safety


def _in_loop(tried: str, leaves: str) -> str:
    return (
        f"{PREAMBLE}{STEP}{HANDLER}    for n in range(9):\n        try:\n            {tried}\n"
        f"        except Exception:\n            {leaves}\n"
    )
