"""As whom a handler acts, and what the SDK asks of chat functions and webhooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

DAILY = '@ext.schedule("daily", cron="0 9 * * *")\nasync def daily(ctx):\n'


def test_a_schedule_is_told_once(lint: Lint) -> None:
    """The handler is marked, with all collections and the way to the first use."""
    store = (
        'NOTES = "notes"\n\n\nasync def rows(ctx):\n    return await ctx.store.query(NOTES)\n\n\n'
        "async def load(ctx):\n    return await rows(ctx)\n\n\n"
        'async def drop(ctx):\n    await ctx.store.create("marks", {})\n'
    )
    text = (
        "from imperal_sdk import Extension\nfrom storage import drop, load\n\n"
        "ext = Extension('n')\n\n\n"
        '@ext.panel("p")\nasync def p(ctx):\n    await ctx.store.create("marks", {})\n'
        f"    return await load(ctx)\n\n\n{DAILY}    await load(ctx)\n"
        "    await drop(ctx)\n"
    )
    (found,) = lint("FED516", text, storage__py=store)
    assert 'schedule("daily"' in text.splitlines()[found.span.line - 1]
    assert {"'notes'", "'marks'"} == {name for name in ("'notes'", "'marks'") if name in found.text}
    assert ["main.py", "main.py", "storage.py", "storage.py"] == sorted(
        Path(step.path).name for step in found.chain
    )
