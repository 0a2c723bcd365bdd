"""FED533 and FED535: values that a client refuses, and times that nobody can read."""

from __future__ import annotations

import pytest

from .conftest import Lint

OWN = "ctx.as_user(ctx.user.imperal_id)"
CALLS = [
    ("panel", "await ctx.oauth_authorize_url('gmail')", "error"),
    ("panel", "await ctx.oauth_authorize_url(provider='yahoo')", ""),
    ("panel", "await ctx.oauth_authorize_url(kind)", ""),
    ("schedule", "ctx.as_user('')", "error"),
    ("schedule", "ctx.as_user('__system__')", "error"),
    ("schedule", "ctx.as_user('imp_u_1')", ""),
    ("schedule", OWN, "error"),
    ("signal", OWN, "error"),
    ("panel", OWN, ""),
    ("schedule", "ctx.as_user('imp_u_1').as_user('')", "error"),
    ("schedule", "await ctx.store.query_all('notes', limit=0)", "error"),
    ("schedule", "await ctx.store.query_all('notes', limit=None)", "error"),
    ("schedule", "await ctx.store.query_all('a/b')", "error"),
    ("schedule", "[u async for u in ctx.store.list_users('notes', page_size=10_001)]", "error"),
    ("schedule", "[u async for u in ctx.store.list_users('notes', page_size=10_000)]", ""),
    ("panel", "await ctx.apps.reject('x', '  ')", "error"),
]
DECORATORS = {
    "panel": '@ext.panel("p")', "schedule": '@ext.schedule("s", "0 6 * * *")',
    "signal": '@ext.signal("s")',
}  # fmt: skip


@pytest.mark.parametrize(("kind", "call", "severity"), CALLS)
def test_what_the_clients_refuse(lint: Lint, kind: str, call: str, severity: str) -> None:
    """Each value on its own; the same id is somebody in a panel and nobody in a schedule."""
    text = f"{DECORATORS[kind]}\nasync def run(ctx, kind='google'):\n    return {call}\n"
    assert [severity] * bool(severity) == [item.severity for item in lint("FED533", text)]


def test_what_only_has_the_name_of_a_method_is_not_judged(lint: Lint) -> None:
    """A client of the extension's own takes what it likes."""
    text = (
        "class Context:\n    async def oauth_authorize_url(self, name):\n        return name\n"
        "\n\nasync def run(ctx: dict):\n    return await Context().oauth_authorize_url('github')\n"
    )
    assert () == lint("FED533", text)


TIMES = {
    "*/5 * * * *": True, "0 0 1 1 *": True, "59 23 31 12 7": True, "0,30 8-18/2 * * mon-fri": True,
    "0 0 L * ?": True, "": False, "@hourly": False, "0 24 * * *": False, "0 6 0 * *": False,
    "0 6 * 13 *": False, "0 6 * * 8": False, "0-60 * * * *": False, "*/x * * * *": False,
    "1-2-3 * * * *": False, "1,,2 * * * *": False, "- * * * *": False, "* * * *": False,
    "0 0 * * * *": False,
}  # fmt: skip


@pytest.mark.parametrize(("cron", "is_read"), TIMES.items())
def test_times_of_schedules(lint: Lint, cron: str, is_read: bool) -> None:
    """Five fields, each in its range; names are left to the platform."""
    text = f'@ext.schedule("s", cron="{cron}")\nasync def s(ctx):\n    ...\n'
    assert ["warning"] * (not is_read) == [item.severity for item in lint("FED535", text)]
