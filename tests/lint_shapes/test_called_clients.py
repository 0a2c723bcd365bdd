"""FED108 of a client that is called itself: ``ctx.notify(…)``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]
PANEL = '@ext.panel("p")\nasync def p(ctx):\n    {}\n'


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("await ctx.notify()", "needs message"),
        ('await ctx.notify(title="a", body="b")', "needs message"),
        ('await ctx.notify("a", "b")', "takes 1 positional argument, got 2"),
        ('tell = ctx.notify\n    await tell(text="a")', "needs message"),
    ],
)
def test_a_client_is_called_without_what_it_needs(lint: Lint, call: str, said: str) -> None:
    """The call raises TypeError, and the line tells what to write."""
    [found] = lint("FED108", PANEL.format(call))
    assert (found.severity, said in found.message) == ("error", True)
    assert '("What the user is told").' in found.message


@pytest.mark.parametrize(
    "call",
    [
        'await ctx.notify("a")',
        'await ctx.notify(message="a", title="b", channel="email")',
        'await ctx.notify("a", **{"title": "b"})',
        "ctx.notify = print\n    ctx.notify()",
        "try:\n        await ctx.notify()\n    except TypeError:\n        pass",
    ],
)
def test_a_client_is_called_as_it_may_be(lint: Lint, call: str) -> None:
    """More keywords are handed on; what the code puts in its place is not the SDK's."""
    assert [it for it in lint("FED108", PANEL.format(call)) if it.severity != "info"] == []
