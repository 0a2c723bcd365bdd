"""Summaries that show fetched rows beside empty data, and those that only confirm."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HELPERS = """\
import json
import textwrap


def bullet(row):
    return f"- {row.data['title']}"


def render(rows):
    return "\\n".join(bullet(row) for row in rows)


def grown(rows):
    text = "Notes:"
    for row in rows:
        text += "\\n" + bullet(row)
    return text


def again(rows):
    return f"{rows[0].id}; " + again(rows[1:]) + again(rows[2:]) if rows else "."


def done(doc):
    return "Saved"


async def told(ctx):
    page = await ctx.store.query("notes")
    return render(page.data)


async def confirmed(ctx):
    await ctx.store.query("notes")
    return "Saved"


"""
START = """\
@chat.function("f", "Lists the notes")
async def f(ctx, params):
    page = await ctx.store.query("notes")
    rows = page.data
    lines = []
"""
SHOWN = {
    "joined list": (
        'for row in rows:\n    lines.append(f"- {row.data}")\nsaid = "\\n".join(lines)',
        "rows",
    ),
    "joined comprehension": ('said = ", ".join(row.data["t"] for row in page.data)', "page.data"),
    "joined constant start": (
        'lines = ["Notes:"] + [row.data["t"] for row in rows]\nsaid = "\\n".join(lines)',
        "rows",
    ),
    "joined map": ('said = ", ".join(map(str, rows))', "page.data"),
    "joined sorted": ('said = ", ".join(sorted(row.id for row in rows))', "rows"),
    "joined display": ('said = " / ".join(["Notes", rows[0].id])', "rows[0].id"),
    "extended": ('lines.extend(row.id for row in rows)\nsaid = "\\n".join(lines)', "rows"),
    "added to a list": ('lines += [row.id for row in rows]\nsaid = "\\n".join(lines)', "rows"),
    "kept": (
        'for row in rows:\n    lines.append(row)\nsaid = "\\n".join(it.id for it in lines)',
        "lines",
    ),
    "grown": ('said = "Notes:"\nfor row in rows:\n    said += f" {row.id}"', "rows"),
    "grown plainly": ('said = ""\nfor row in rows:\n    said += row.id', "rows"),
    "helper": ("said = render(rows)", "rows"),
    "helper that grows": ("said = grown(page.data)", "page.data"),
    "helper inside": ('said = f"Notes: {render(rows)}"', "render(rows)"),
    "async helper": ("said = await told(ctx)", "told(ctx)"),
    "dedent": ('said = textwrap.dedent("\\n".join(row.id for row in rows))', "rows"),
    "shorten": ('said = textwrap.shorten(", ".join(row.id for row in rows), 80)', "rows"),
    "cut": ('said = "\\n".join(row.id for row in rows)[:200]', "rows"),
    "stripped": ('said = "\\n".join(row.id for row in rows).strip()', "rows"),
    "either": ('said = "\\n".join(row.id for row in rows) if rows else "None"', "rows"),
    "or": ('said = ", ".join(row.id for row in rows) or "none"', "rows"),
    "dumped": ("said = json.dumps(rows)", "page.data"),
    "numbered": (
        'said = "\\n".join(f"{n}. {row.id}" for n, row in enumerate(rows))',
        "rows",
    ),
    "zipped": (
        'said = ", ".join(row.id for name, row in zip(params.names, rows))',
        "rows",
    ),
    "async for": (
        'async for uid in ctx.store.list_users():\n    lines.append(uid)\nsaid = ", ".join(lines)',
        "ctx.store.list_users()",
    ),
}
"""What is done before ``return`` → what the message names."""


def _text(body: str) -> str:
    return with_body(HELPERS + START, f"{body}\nreturn ActionResult.success({{}}, said)")


@pytest.mark.parametrize("name", SHOWN)
def test_rows_that_stand_only_in_the_summary(lint: Lint, name: str) -> None:
    """However the rows come into the text, the message names where they come from."""
    body, fact = SHOWN[name]
    (found,) = lint("FED404", _text(body))
    assert ("warning", True) == (found.severity, f"holds facts ({fact}):" in found.message)


PLAIN = {
    "the caller's words": 'said = "\\n".join(params.names)',
    "lines of them": 'for name in params.names:\n    lines.append(f"- {name}")\n'
    'said = "\\n".join(lines)',
    "what was done to them": "for name in params.names:\n    ok = await ctx.store.delete('n', name)"
    '\n    if ok:\n        lines.append(name)\nsaid = "Deleted " + ", ".join(lines)',
    "a fixed list": 'said = " ".join(["Saved", "and", "closed"])',
    "a fixed text that grows": 'said = "Saved"\nif rows:\n    said += ", others exist"',
    "a choice": 'said = "Found" if rows else "None"',
    "numbers of the loop": 'said = ", ".join(str(n) for n, row in enumerate(rows))',
    "the caller's part of a zip": 'said = ", ".join(it for it, row in zip(params.names, rows))',
    "a helper that confirms": "said = done(rows)",
    "an async helper that confirms": "said = await confirmed(ctx)",
    "a helper of elsewhere": "import kit\nsaid = await kit.text(ctx, 'saved')",
    "a service's own confirmation": 'said = rows[0].data["message"]',
    "dedent of a fixed text": 'said = textwrap.dedent("""\\\n        Saved.\n    """)',
    "a ruler": 'said = "-" * 20',
    "the caller's part of a dict": "y = {'a': params.name, 'b': await ctx.store.count('n')}\n"
    "said = ', '.join([y['a'], 'saved'])",
    "a table of texts": 'TEXTS = {"a": "Saved"}\nsaid = " ".join([TEXTS["a"], params.name])',
}
"""What is done before ``return`` and hands over no rows."""


@pytest.mark.parametrize("name", PLAIN)
def test_a_summary_that_confirms(lint: Lint, name: str) -> None:
    """Fixed words and the caller's own are left alone, wherever they are put together."""
    assert () == lint("FED404", _text(PLAIN[name]))


def test_rows_in_data_as_well(lint: Lint) -> None:
    """With data the summary may say the same."""
    text = _text(SHOWN["helper"][0]).replace("{}, said", '{"notes": [it.id for it in rows]}, said')
    assert () == lint("FED404", text)


def test_helpers_that_call_themselves(lint: Lint) -> None:
    """A helper that calls itself twice ends."""
    (found,) = lint("FED404", _text('said = "Notes: " + again(rows)'))
    assert "warning" == found.severity


@pytest.mark.parametrize(
    ("before", "data", "expected"),
    [
        ("", "dict()", 1),
        ("empty = {}", "empty", 1),
        ("empty = dict()", "empty", 1),
        ("empty = {}\nempty['notes'] = 1", "empty", 0),
        ("empty = {}\nfill(empty)", "empty", 0),
        ("", "dict(notes=1)", 0),
        ("", "dict(params)", 0),
        ("empty = None", "empty", 1),
        ("empty = None\nempty = params", "empty", 0),
    ],
)
def test_data_that_is_empty(lint: Lint, before: str, data: str, expected: int) -> None:
    """A name that holds an empty dict and is used for nothing else is empty data."""
    body = f"said = render(rows)\n{before or 'pass'}"
    text = _text(body).replace("success({}, said)", f"success({data}, said)")
    assert expected == len(lint("FED404", text))
