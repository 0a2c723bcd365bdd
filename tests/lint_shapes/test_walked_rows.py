"""Rows of pages behind ``zip``, ``filter``, ``max``, in lambdas and by their written types."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from typing import List

from imperal_sdk import Document, Extension

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    page = await ctx.store.query("n")
    rows = page.data
    {0}
"""


@pytest.mark.parametrize(
    "use",
    [
        "for d, i in zip(page.data, range(3)): d.{0}",
        "for i, d in zip(range(3), rows, strict=True): d.{0}",
        "x = [d.{0} for i, d in zip('ab', rows)]",
        "for d in filter(None, rows): d.{0}",
        "x = list(filter(None, rows))[0].{0}",
        "max(rows, key=len).{0}",
        "min(page.data, default=None).{0}",
        "max(rows, key=lambda d: d.{0})",
        "sorted(page.data, key=lambda d: d.{0}, reverse=True)",
        "rows.sort(key=lambda d: d.{0})",
        "x = list(filter(lambda d: d.{0}, rows))",
        "x = list(map(lambda d: d.{0}, rows))",
    ],
)
def test_a_row_has_no_title(lint: Lint, use: str) -> None:
    """SDK 6.3.7 puts Documents on a page, which have an id."""
    (found,) = lint("FED105", HEAD.format(use.format("title")))
    assert "error" == found.severity
    assert () == lint("FED105", HEAD.format(use.format("id")))


@pytest.mark.parametrize(
    "use",
    [
        "for i, d in zip(page.data, range(3)): d.title",
        "for d, i in zip(*rows): d.title",
        "for d, i in zip([ctx.x], rows): d.title",
        "max(rows, [1]).title",
        "max(1, 2, key=lambda d: d.title)",
        "x = list(map(lambda d, i: i.title, rows, 'ab'))",
        "found(rows, key=lambda d: d.title)",
        "x = list(map(lambda d: d.title, [r.data for r in rows]))",
        "rows.append(ctx.x); max(rows).title",
    ],
)
def test_what_is_no_row_may_have_one(lint: Lint, use: str) -> None:
    """Another part, another list, or one into which code puts something else."""
    assert () == lint("FED105", HEAD.format(use))


@pytest.mark.parametrize(
    "use", ["x = sorted(rows, key=lambda d: d.title)", "for d, i in zip(rows, 'ab'): d.title"]
)
def test_other_rows_are_possible(lint: Lint, use: str) -> None:
    """Where nobody knows what a list holds, its rows may have a title."""
    found = lint("FED105", HEAD.format(f"rows = rows if ctx.x else found()\n    {use}"))
    assert ["warning"] == [item.severity for item in found if "d.title" in item.message]


SHOWN = """
from typing import List

from imperal_sdk import Document, Extension

ext = Extension("notes")


def shown(docs: {0}):
    for doc in docs or []:
        print(doc.title)


@ext.panel("p")
async def p(ctx):
    page = await ctx.store.query("n")
    {1}
"""


@pytest.mark.parametrize("written", ["list[Document]", "List[Document]", "list[Document] | None"])
@pytest.mark.parametrize(
    ("call", "count"), [("pass", 1), ("shown(page.data)", 1), ("shown([1])", 0)]
)
def test_a_list_of_documents_holds_them(lint: Lint, written: str, call: str, count: int) -> None:
    """What callers give says more than the written type."""
    assert count == len(lint("FED105", SHOWN.format(written, call)))


@pytest.mark.parametrize("written", ["list[dict]", "list", "list[Note]", "dict[str, Document]"])
def test_other_lists_hold_others(lint: Lint, written: str) -> None:
    """Nothing is known of what they hold."""
    assert () == lint("FED105", SHOWN.format(written, "pass"))


@pytest.mark.parametrize(
    ("target", "rows", "expected"),
    [
        ("name, life", '(("all", 60), ("open", 900))', ["warning"]),
        ("name, life", '(("all", 60), ("open", 90))', []),
        ("name, life", "TABLE", ["warning"]),
        ("[name, life]", '[["all", 900]]', ["error"]),
        ("name, *life", '[("all", 900)]', []),
        ("*name, life", '[("all", 900, 60)]', []),
        ("name, life", '[("all", *more)]', []),
        ("name, life", "[(more, 900)] + more", []),
        ("name, (life, more)", '[("all", (900, 1))]', []),
    ],
)
def test_a_table_of_tuples(lint: Lint, target: str, rows: str, expected: list[str]) -> None:
    """Each place of a row has its own name."""
    main = (
        '\nTABLE = [("all", 60), ("open", 900)]\n\n\n@ext.panel("p")\nasync def p(ctx, more):\n'
        f"    for {target} in {rows}:\n"
        '        await ctx.cache.set("all", Count(total=1), ttl_seconds=life)\n'
    )
    assert [it.severity for it in lint("FED302", main)] == expected
    asked = main.replace("        await", "        if name == 'all':\n            await")
    assert lint("FED302", asked) == ()
