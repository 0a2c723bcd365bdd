"""A health check runs for no user."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

SECRETS = 'ext.secret("token", "The token")\next.secret("ours", "Ours", scope="app")\n'
HEALTH = "\n@ext.health_check\nasync def health(ctx):\n    return [{}]\n"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ('await ctx.secrets.get("token")', ["warning"]),
        ('await ctx.secrets.is_set("token")', ["warning"]),
        ('await ctx.secrets.get("ours")', []),
        ("await ctx.secrets.get(str(ctx))", []),
        ('await ctx.as_user("u").secrets.get("token")', []),
        ('await ctx.store.query("rows")', ["info"]),
        ('await ctx.store.query("rows"), await ctx.secrets.get("token")', ["warning"]),
        ('await ctx.http.get("https://a.b")', []),
    ],
)
def test_what_a_health_check_asks_for(lint: Lint, asked: str, expected: list[str]) -> None:
    """One finding for each check, as severe as the surest of its uses."""
    assert expected == [item.severity for item in lint("FED529", SECRETS + HEALTH.format(asked))]


def test_a_secret_that_is_declared_elsewhere_is_found(lint: Lint) -> None:
    """In another file, through a helper that panels use as well."""
    helper = 'async def ready(ctx):\n    return await ctx.secrets.get("token")\n'
    panel = '\n@ext.panel("p")\nasync def p(ctx):\n    return await ready(ctx)\n'
    text = f"from accounts import ready\n\n{SECRETS}{panel}{HEALTH.format('await ready(ctx)')}"
    found = lint("FED529", text, accounts__py=helper)
    assert ["(in ready) always gives None"] == [
        item.message[item.message.index("(in") :].partition(" since")[0] for item in found
    ]
