"""A flag that a call gives, or leaves at its default, chooses the branch that the helper takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

TOOL = '\n\n@ext.tool("t")\nasync def t(ctx):\n    '
SECTION = '\n\n@ext.skeleton("s")\nasync def s(ctx):\n    '
HELPERS = {
    "an early return": (
        "FED105",
        (
            "async def api(ctx, raw=False):\n"
            '    r = await ctx.http.get("https://x.example.com")\n'
            "    if raw:\n        return r\n    return r.json()\n"
        ),
        f"{TOOL}return (await api(ctx%s)).get('total')",
        ", raw=True",
    ),
    "an else": (
        "FED302",
        "def ttl(long=False):\n    if long:\n        return 86400\n    else:\n        return 60\n",
        f'{TOOL}await ctx.cache.set("k", Count(total=1), ttl_seconds=ttl(%s))',
        "True",
    ),
    "a conditional expression": (
        "FED401",
        (
            "async def fetch(ctx, as_text=False):\n"
            '    r = await ctx.http.get("https://x.example.com")\n'
            "    return r.text() if as_text else r.json()\n"
        ),
        f'{TOOL}return ActionResult.success(await fetch(ctx%s), "x")',
        ", as_text=True",
    ),
    "a method": (
        "FED402",
        (
            "import datetime as dt\n\n\nclass Row:\n"
            "    def dump(self, json=True):\n"
            "        at = dt.datetime.now()\n"
            '        return {"at": at.isoformat() if json else at}\n'
        ),
        f'{TOOL}return ActionResult.success({{"row": Row().dump(%s)}}, "x")',
        "json=False",
    ),
    "a comparison": (
        "FED301",
        (
            'def key(part, how="plain"):\n    if how == "hashed":\n        return "abc"\n'
            "    return part\n"
        ),
        f'{TOOL}await ctx.cache.get(key("a b"%s), Count)',
        "",
    ),
    "an envelope": (
        "FED210",
        'def env(data, wrap=True):\n    return {"response": data} if wrap else data\n',
        f'{SECTION}return env({{"n": await ctx.store.count("x")}}%s)',
        ", wrap=False",
    ),
    "an entry that is added": (
        "FED212",
        (
            'async def stats(ctx, full=False):\n    out = {"n": await ctx.store.count("x")}\n'
            '    if full:\n        out["by"] = {"open": 1}\n    return {"response": out}\n'
        ),
        f"{SECTION}return await stats(ctx%s)",
        ", True",
    ),
    "a flag that is handed on": (
        "FED302",
        (
            "def inner(long):\n    return 86400 if long else 60\n\n\n"
            "def ttl(long=False):\n    return inner(long)\n"
        ),
        f'{TOOL}await ctx.cache.set("k", Count(total=1), ttl_seconds=ttl(%s))',
        "long=True",
    ),
}
CHOSEN = {"a comparison": ', how="hashed"'}
"""What a call gives so that the helper does right, where the default does wrong."""


@pytest.mark.parametrize("what", HELPERS)
def test_the_branch_that_a_call_does_not_take_is_left_alone(lint: Lint, what: str) -> None:
    """The default of the parameter counts where the call gives nothing."""
    code, helper, use, _ = HELPERS[what]
    assert () == lint(code, f"{helper}{use % CHOSEN.get(what, '')}\n")


@pytest.mark.parametrize("what", HELPERS)
def test_the_branch_that_a_call_takes_is_judged(lint: Lint, what: str) -> None:
    """The same helper, called so that it does wrong."""
    code, helper, use, given = HELPERS[what]
    assert [code] == [item.code for item in lint(code, f"{helper}{use % given}\n")]


@pytest.mark.parametrize(
    ("before", "given"),
    [
        ("", "bool(await ctx.store.count('x'))"),
        ("    long = long or LONG\n", ""),
        ("", "**OPTIONS"),
    ],
)
def test_a_flag_that_is_not_known_chooses_nothing(lint: Lint, before: str, given: str) -> None:
    """It is computed, bound anew in the helper, or spread from elsewhere."""
    text = (
        "from settings import LONG, OPTIONS\n\n\n"
        f"def ttl(long=False):\n{before}    if long:\n        return 86400\n    return 60\n"
        f'{TOOL}await ctx.cache.set("k", Count(total=1), ttl_seconds=ttl({given}))\n'
    )
    (found,) = lint("FED302", text)
    assert "warning" == found.severity


def test_a_call_after_which_nothing_is_returned_says_nothing(lint: Lint) -> None:
    """All that is left of the helper may be an exception."""
    text = (
        "def count(strict=True):\n    if not strict:\n        return None\n    raise ValueError\n"
        f'{TOOL}await ctx.cache.set("k", count())\n'
    )
    assert () == lint("FED303", text)
