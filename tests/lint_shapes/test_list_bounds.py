"""How long a list in a skeleton section can be."""

from __future__ import annotations

import re
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
    (
        "rows = collections.deque(maxlen=5)\nfor r in await load(ctx):\n    rows.append(r)\n"
        "out = list(rows)"
    ),
    "out = {}",
    "out = len(await load(ctx)) + len(await load(ctx))",
    "out = await load(ctx) + await load(ctx)",
    "out = (await load(ctx)) * 6",
    "out = 6 * 7 + ctx.user.level",
)
LONG = (
    ("out = [0] * 6", "up to 6"),
    ("out = [1, 2] + [r.id for r in (await load(ctx))[:4]]", "up to 6"),
    ("out = [1, 2, 3, 4, 5, 6]", "up to 6"),
    ("out = [0] + [1]\nout = [1, 2, 3, 4, 5]\nout.append(6)", "up to 6"),
    ("out = []\nfor index in range(2, 9):\n    out.append(index)", "up to 9"),
    ('rows = (await ctx.store.query("c")).data\nout = [r.id for r in rows][:8]', "up to 8"),
    ('rows = (await ctx.store.query("c", limit=50)).data\nout = [r.id for r in rows]', "up to 50"),
    ("out = [r.id for r in await load(ctx)]", "no limit in this code"),
    ("settings = await load(ctx)\nout = settings.get('sites') or []", "no limit in this code"),
    ("settings = await load(ctx)\nout = settings.get('sites', [])", "no limit in this code"),
    ("a = [r for r in await load(ctx)]\nout = list(a)", "no limit in this code"),
    (
        (
            "rows = collections.deque(maxlen=8)\nfor r in await load(ctx):\n    rows.append(r)\n"
            "out = list(rows)"
        ),
        "up to 8",
    ),
    ("out = [x for a in range(3) for b in range(3) for x in [a, b]]", "up to 18"),
)

CUT = (
    "if len(rows) > 5:\n    rows = rows[:5]",
    "if len(rows) >= 6:\n    rows = rows[:5]",
    "if 5 < len(rows):\n    rows = rows[:5]",
    "if len(rows) > 5:\n    del rows[5:]",
    "if len(rows) <= 5:\n    pass\nelse:\n    rows = rows[:5]",
    "more = len(rows) > 5\nif more:\n    rows = rows[:5]",
    "more = max(0, len(rows) - 5)\nif more:\n    rows = rows[:5]",
    "more = len(rows) - 5\nif more > 0:\n    rows = rows[:5]",
    "rest = rows[5:]\nif rest:\n    rows = rows[:5]",
    "while len(rows) > 5:\n    rows.pop()",
    "del rows[5:]",
    "rows[5:] = []",
)
NOT_CUT = (
    ("if len(rows) > 10:\n    rows = rows[:5]", "up to 10"),
    ("if len(rows) > 5:\n    rows = rows[:8]", "up to 8"),
    ("if page.total:\n    rows = rows[:5]", "no limit in this code"),
    ("if len(page.data) > 5:\n    rows = rows[:5]", "no limit in this code"),
    ("if len(rows) < 5:\n    rows = rows[:5]", "no limit in this code"),
    ("more = max(0, len(rows) - 9)\nif more:\n    rows = rows[:5]", "up to 9"),
    ("more = max(1, len(rows) - 5)\nif more:\n    rows = rows[:5]", "no limit in this code"),
    ("more = 5 - len(rows)\nif more > 0:\n    rows = rows[:5]", "no limit in this code"),
    ("rest = rows[:5]\nif rest:\n    rows = rows[:5]", "no limit in this code"),
    ("count = len(rows[5:])", "no limit in this code"),
)
ROWS = "page = await ctx.store.query('c')\nrows = [row.id for row in page.data]\n"


@pytest.mark.parametrize("body", SHORT)
def test_a_list_that_stays_short_is_silent(section: Section, body: str) -> None:
    """A slice, a limit, a break, a question about the length and the unknown are respected."""
    got = section(f'{body}\nreturn {{"response": {{"rows": out}}}}', "import collections")
    assert got == ""


@pytest.mark.parametrize(("body", "words"), LONG)
def test_a_list_that_can_be_long_is_reported(section: Section, body: str, words: str) -> None:
    """Literals, loops, comprehensions and defaults are followed, with their bound."""
    got = section(f'{body}\nreturn {{"response": {{"rows": out}}}}', "import collections")
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


def _under_key(change: str) -> str:
    """Return a section whose list stands under a key while it is changed."""
    made = ROWS.replace("rows = [", "part = {'rows': [").replace("page.data]", "page.data]}")
    changed = re.sub(r"\brows\b", "part['rows']", change)
    return f'{made}{changed}\nreturn {{"response": part}}'


@pytest.mark.parametrize("change", CUT)
def test_a_list_that_is_cut_only_where_it_is_long_is_silent(section: Section, change: str) -> None:
    """Where the test fails, the list is short as it is."""
    assert "" == section(f'{ROWS}{change}\nreturn {{"response": {{"rows": rows}}}}')


@pytest.mark.parametrize(("change", "words"), NOT_CUT)
def test_a_cut_that_may_not_happen_is_reported(section: Section, change: str, words: str) -> None:
    """A test of something else, or of another length, leaves long lists as they are."""
    got = section(f'{ROWS}{change}\nreturn {{"response": {{"rows": rows}}}}')
    assert f"'rows' ({words})" in got


@pytest.mark.parametrize("change", CUT)
def test_a_list_under_a_key_may_be_cut_too(section: Section, change: str) -> None:
    """The length of what stands under a key is asked for like that of a name."""
    assert "" == section(_under_key(change))


@pytest.mark.parametrize(("change", "words"), NOT_CUT)
def test_a_list_under_a_key_that_may_stay_long(section: Section, change: str, words: str) -> None:
    """Neither does a test of something else bound what stands under a key."""
    assert f"'rows' ({words})" in section(_under_key(change))


@pytest.mark.parametrize(("most", "words"), [(5, ""), (8, "'rows' (up to 8)")])
@pytest.mark.parametrize("keys", ["('rows',)", "('rows', 'more')"])
def test_lists_that_a_loop_cuts(section: Section, keys: str, most: int, words: str) -> None:
    """The keys of the loop name what it cuts."""
    cut = f"for key in {keys}:\n    if len(rows[key]) > {most}:\n"
    cut += f"        rows[key] = rows[key][:{most}]"
    body = ROWS.replace("rows = [", "rows = {'more': [], 'rows': [").replace(
        "page.data]", "page.data]}"
    )
    got = section(f'{body}{cut}\nreturn {{"response": rows}}')
    assert (words in got, bool(words)) == (True, bool(got))


def test_what_is_added_after_the_test_counts(section: Section) -> None:
    """The test spoke of the list as it was before."""
    body = f'{ROWS}{CUT[0]}\nrows.append(1)\nreturn {{"response": {{"rows": rows}}}}'
    assert "'rows' (up to 6)" in section(body)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("rows = rows[:5] if len(rows) > 5 else rows", ""),
        ("rows = rows[:5] if len(rows) > 9 else rows", "up to 9"),
        ("if len(rows) > 5:\n    return {'response': {'total': len(rows)}}", ""),
    ],
)
def test_a_choice_by_length(section: Section, body: str, words: str) -> None:
    """Each side of a choice holds for the lengths that lead to it."""
    got = section(f'{ROWS}{body}\nreturn {{"response": {{"rows": rows}}}}')
    assert (bool(words), True) == (bool(got), words in got)
