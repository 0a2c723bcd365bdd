"""Names of what an extension declares, in all the ways in which a text may be written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

WAYS = {
    "literal": ("", "'{0}{1}'"),
    "parentheses": ("", "('{0}'\n    '{1}')"),
    "sum": ("", "'{0}' + '{1}'"),
    "constant": ("NAME = '{0}{1}'", "NAME"),
    "final": ("from typing import Final\nNAME: Final[str] = '{0}{1}'", "NAME"),
    "imported": ("from names import NAME", "NAME"),
    "renamed": ("from names import NAME as IT", "IT"),
    "of a module": ("import names", "names.NAME"),
    "of a class": ("class Names:\n    FIRST = '{0}{1}'", "Names.FIRST"),
    "of an imported class": ("from names import Names", "Names.FIRST"),
    "member": ("from enum import Enum\n\n\nclass Names(str, Enum):\n    A = '{0}{1}'", "Names.A"),
    "value": ("from enum import Enum\n\n\nclass Names(Enum):\n    A = '{0}{1}'", "Names.A.value"),
    "parts": ("START = '{0}'\nEND = '{1}'", "f'{{START}}{{END}}'"),
    "sum of parts": ("START = '{0}'\nEND = '{1}'", "START + END"),
    "entry": ("NAMES = {{'it': '{0}{1}'}}", "NAMES['it']"),
    "format": ("", "'{0}{{}}'.format('{1}')"),
    "join": ("", "''.join(['{0}', '{1}'])"),
}
TWICE = "\nasync def first(ctx, p=None): ...\n\n\n{0}\nasync def second(ctx, p=None): ...\n"
CASES = {
    "FED222": ("a", "*b", "@ext.skeleton({})\nasync def s(ctx): ...\n"),
    "FED223": ("no", "tes", "@ext.skeleton({0})" + TWICE.format("@ext.skeleton({0})")),
    "FED503": (
        "no",
        "tes",
        (
            "@ext.panel('side')\nasync def side(ctx): ...\n\n\n@chat.function('f', 'Finds')\n"
            "async def f(ctx, p):\n    return ActionResult.success({{}}, '', refresh_panels=[{}])\n"
        ),
    ),
    "FED505": ("", "*", "@ext.tool('t', scopes=[{}])\nasync def t(ctx): ...\n"),
    "FED506": ("no", "tes", "@chat.function({}, 'Finds')\nasync def f(ctx, p): ...\n"),
    "FED509": (
        "to",
        "ken",
        (
            "ext.secret('key', 'A key')\n\n\n@ext.tool('t')\nasync def t(ctx):\n"
            "    await ctx.secrets.get({})\n"
        ),
    ),
    "FED511": ("a" * 40, "b" * 30, "@chat.function({}, 'Finds')\nasync def f(ctx, p): ...\n"),
}
MANIFEST = '{"app_id": "n", "tools": [{"name": "other"}]}'


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("code", CASES)
def test_each_rule_reads_it(lint: Lint, code: str, way: str) -> None:
    """What a name is does not depend on how it is written."""
    start, end, text = CASES[code]
    before, written = (part.format(start, end) for part in WAYS[way])
    names = f"NAME = '{start}{end}'\n\n\nclass Names:\n    FIRST = '{start}{end}'\n"
    body = f"{before}\n\n\n{text.format(written)}"
    (found,) = lint(code, body, names__py=names, imperal__json=MANIFEST)
    assert start + end in found.message or "*" in found.message


@pytest.mark.parametrize("way", WAYS)
def test_a_declared_secret_is_one(lint: Lint, way: str) -> None:
    """However its declaration is written."""
    before, written = (part.format("to", "ken") for part in WAYS[way])
    names = "NAME = 'token'\n\n\nclass Names:\n    FIRST = 'token'\n"
    text = (
        f"{before}\next.secret({written}, 'A token')\n\n\n@ext.tool('t')\nasync def t(ctx):\n"
        "    await ctx.secrets.get('token')\n"
    )
    assert () == lint("FED509", text, names__py=names)


SAVES = (
    "\n@ext.panel('side')\nasync def side(ctx): ...\n\n\n@chat.function('f', 'Saves')\n"
    "async def f(ctx, p):\n    return ActionResult.success({}, 'x', refresh_panels=['main'])\n"
)


@pytest.mark.parametrize(
    ("name", "count"),
    [("PANEL", 0), ("f'__panel__{load()}'", 0), ("load()", 0), ("OTHER", 1), ("'tool'", 1)],
)
def test_a_tool_may_be_a_panel(lint: Lint, name: str, count: int) -> None:
    """Its name tells; one that is not known may be any."""
    text = f"from names import OTHER, PANEL\n\n\n@ext.tool({name})\nasync def t(ctx): ...\n{SAVES}"
    found = lint("FED503", text, names__py="PANEL = '__panel__main'\nOTHER = 'other'\n")
    assert count == len(found)
