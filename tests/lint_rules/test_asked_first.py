"""Questions whose answer is kept in a name or given by a helper, and tests of an object's type."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("body", "mendable"),
    [
        ("return ctx.user.id", True),
        ('return ctx.user.id if hasattr(ctx, "user") else ""', True),
        ('return ctx.user.id if hasattr(ctx.user, "id") else ""', False),
        ('if not hasattr(ctx.user, "id"):\n    return ""\nreturn ctx.user.id', False),
        ("try:\n    return ctx.user.id\nexcept AttributeError:\n    return 1", False),
    ],
)
def test_a_guarded_name_is_not_renamed(lint: Lint, body: str, *, mendable: bool) -> None:
    """The guard asks for the old name and stays false, so that nothing would come of it."""
    text = f'\n@ext.panel("p")\nasync def p(ctx):\n{textwrap.indent(body, "    ")}\n'
    found = [it for it in lint("FED105", text) if "hasattr(" not in it.message.split(":")[0]]
    assert [mendable] == [it.fix is not None for it in found]
