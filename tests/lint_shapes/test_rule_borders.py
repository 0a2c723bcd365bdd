"""A rule speaks from the release on in which the SDK does what it says, and in none before."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rule import PREAMBLE

_PANEL = '@ext.panel("p")\nasync def p(ctx):\n    {}\n'
_CHAT = (
    '@chat.function("f", "{}", action_type="{}")\nasync def f(ctx, p) -> ActionResult:\n    {}\n'
)
_LONG = "Lists the notes of a folder"
_ROWS = _CHAT.format(_LONG, "read", 'return await ctx.store.query("c")')
_SCHEDULE = (
    '\n\n@ext.schedule("s", cron="* * * * *")\nasync def s(ctx):\n    await ctx.store.query("c")\n'
)
_SKELETON = '@ext.skeleton("{}", alert={})\nasync def n(ctx):\n    return {}\n'


@pytest.mark.parametrize(
    ("code", "text", "before", "first"),
    [
        ("FED201", _PANEL.format('await ctx.skeleton.get("n")'), "1.5.27", "1.6.0"),
        ("FED210", _SKELETON.format("n", False, '{"total": 1}'), "1.5.27", "1.6.0"),
        ("FED220", _SKELETON.format("n", True, '{"response": {}}'), "1.5.21", "1.5.22"),
        ("FED222", _SKELETON.format("a:b", False, '{"response": {}}'), "1.5.21", "1.5.22"),
        ("FED301", _PANEL.format('await ctx.cache.get("a b", Count)'), "1.5.27", "1.6.0"),
        (
            "FED302",
            _PANEL.format('await ctx.cache.set("k", Count(total=1), 600)'),
            "1.5.27",
            "1.6.0",
        ),
        ("FED303", _PANEL.format('await ctx.cache.set("k", {})'), "1.5.27", "1.6.0"),
        ("FED502", _CHAT.format(_LONG, "read", "..."), "5.0.0", "5.0.1"),
        ("FED509", _PANEL.format('await ctx.secrets.get("key")'), "4.2.1", "4.2.2"),
        ("FED510", _PANEL.format('return ActionResult.error("x", code="a b")'), "5.9.6", "5.9.7"),
        ("FED514", _PANEL.format('return ActionResult.error("x")'), "5.9.6", "5.9.7"),
        ("FED516", _ROWS + _SCHEDULE, "1.5.22", "1.5.23"),
        ("FED517", _PANEL.format('ctx.as_user("u")'), "1.5.22", "1.5.23"),
        ("FED518", _CHAT.format(_LONG, "write", "..."), "0.4.1", "1.0.0"),
        ("FED519", _CHAT.format("Lists", "read", "..."), "3.7.0", "4.0.0"),
        ("FED520", _CHAT.format(_LONG, "write", "..."), "5.0.0", "5.0.1"),
    ],
)
def test_a_rule_begins_with_its_release(
    tmp_path: Path, code: str, text: str, before: str, first: str
) -> None:
    """The releases on both sides were read, and run."""
    (tmp_path / "main.py").write_text(PREAMBLE + text, encoding="utf-8")

    def found(sdk: str) -> set[str]:
        return {
            item.code
            for item in check([tmp_path], Target(sdk=sdk), codes=frozenset({code})).findings
        }

    assert (set(), {code}) == (found(before), found(first))
