"""As whom a handler comes to a call: flags and questions on the way choose the branch."""

from __future__ import annotations

from collections.abc import Callable

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

PANEL = '\n\n@ext.panel("p")\nasync def p(ctx):\n    {}\n'
DAILY = '\n\n@ext.schedule("daily", cron="0 9 * * *")\nasync def daily(ctx):\n    {}\n'


SYNC = (
    "async def sync(ctx, everyone=False):\n    if everyone:\n"
    '        async for uid in ctx.store.list_users("x"):\n'
    "            await sync(ctx.as_user(uid))\n"
    '    else:\n        await ctx.store.query("x")\n'
)


def test_the_other_schedule_is_told(lint: Lint) -> None:
    """Where one schedule sets the flag and another does not, the second one is marked."""
    other = DAILY.replace("daily", "hourly").format("await sync(ctx)")
    text = SYNC + DAILY.format("await sync(ctx, everyone=True)") + other
    (found,) = lint("FED516", text + PANEL.format("await sync(ctx)"))
    assert 'schedule("hourly"' in found.message
    assert ["hourly gets the context", "calls sync", "uses the store of __system__"] == [
        step.note.rpartition(") ")[2] for step in found.chain
    ]
