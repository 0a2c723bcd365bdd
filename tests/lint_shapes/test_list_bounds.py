"""How long a list in a skeleton section can be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Section = Callable[..., str]

SHORT = (
    'rows = (await ctx.store.query("c")).data\nout = [r.id for r in rows[:5]]',
    'rows = (await ctx.store.query("c")).data\nout = sorted(r.id for r in rows)[-5:]',
    "out = []\nfor index in range(5):\n    out.append(index)",
    "out = [1, 2, 3]\nout.append(4)\nout.extend([5])",
    "out = [r.id for r in await ctx.store.list_page(limit=5)]",
    'page = await ctx.http.get("u?per_page=5")\nout = [r for r in page.json()["rows"]]',
    'limit = 5\npage = await ctx.store.query("c", limit=limit)\nout = [r.id for r in page.data]',
    (
        'out = []\nfor row in (await ctx.store.query("c")).data:\n'
        "    if len(out) < 5:\n        out.append(row.id)"
    ),
    'out = [r.id for r in (await ctx.store.query("c")).data]\ndel out[5:]',
    "out = []\nwhile ctx.user:\n    out.append(1)\n    break",
    "import heapq\nout = [r for r in heapq.nlargest(5, await load(ctx))]",
    "from itertools import islice\nout = [r for r in islice(await load(ctx), 5)]",
    'counts = {"a": 1, "b": 2}\nout = [name for name in counts]',
    (
        "out = []\nfor name in ('a', 'b'):\n    if ctx.user == name:\n        out.append(1)\n"
        "    elif ctx.user:\n        out.append(2)\n    else:\n        out.append(3)"
    ),
    "out = await load(ctx)",
    'out = "a,b,c,d,e,f,g".split(",")',
    "out = {}",
)
LONG = (
    ("out = [1, 2, 3, 4, 5, 6]", "up to 6"),
    ("out = [0] + [1]\nout = [1, 2, 3, 4, 5]\nout.append(6)", "up to 6"),
    ("out = []\nfor index in range(2, 9):\n    out.append(index)", "up to 9"),
    ('rows = (await ctx.store.query("c")).data\nout = [r.id for r in rows][:8]', "up to 8"),
    ('rows = (await ctx.store.query("c", limit=50)).data\nout = [r.id for r in rows]', "up to 50"),
    ("out = [r.id for r in await load(ctx)]", "nothing limits it"),
    ("settings = await load(ctx)\nout = settings.get('sites') or []", "nothing limits it"),
    ("settings = await load(ctx)\nout = settings.get('sites', [])", "nothing limits it"),
    ("a = [r for r in await load(ctx)]\nout = list(a)", "nothing limits it"),
    ("out = [x for a in range(3) for b in range(3) for x in [a, b]]", "up to 18"),
)


@pytest.mark.parametrize("body", SHORT)
def test_a_list_that_stays_short_is_silent(section: Section, body: str) -> None:
    """A slice, a limit, a break, a question about the length and the unknown are respected."""
    got = section(f'{body}\nreturn {{"response": {{"rows": out}}}}')
    assert got == ""


@pytest.mark.parametrize(("body", "words"), LONG)
def test_a_list_that_can_be_long_is_reported(section: Section, body: str, words: str) -> None:
    """Literals, loops, comprehensions and defaults are followed, with their bound."""
    got = section(f'{body}\nreturn {{"response": {{"rows": out}}}}')
    assert got.startswith("FED213 ")
    assert f"'rows' ({words})" in got


def test_a_helper_in_another_file_is_followed(section: Section) -> None:
    """The bound comes from the helper's slice, with the caller's argument."""
    helper = (
        "async def load(ctx, count):\n    page = await ctx.store.query('c')\n"
        "    return [row.id for row in page.data][:count]\n"
    )
    before = "from imperal_sdk import Extension\nfrom helpers import load\n\next = Extension('n')\n"
    call = 'return {{"response": {{"rows": await load(ctx, {})}}}}'
    assert section(call.format(5), before, helpers__py=helper) == ""
    assert "'rows' (up to 9)" in section(call.format(9), before, helpers__py=helper)


def test_a_rebound_name_forgets_what_was_appended(section: Section) -> None:
    """What a loop appends before the slice does not count after it."""
    body = (
        "out = []\nfor row in await load(ctx):\n    out.append(row)\n"
        'out = out[:5]\nreturn {"response": {"rows": out}}'
    )
    assert section(body) == ""
