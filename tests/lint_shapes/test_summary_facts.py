"""FED404: what was fetched and stands only in the summary, and what merely confirms."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = """
@chat.function("f", "Tells of the notes"{0})
async def f(ctx, params):
    page = await ctx.store.query("notes")
    doc = await ctx.store.get("notes", params.id)
    comp = await ctx.ai.complete(params.question)
    res = await ctx.http.get("https://example.com/x")
    rows = page.data
"""
READ, WRITE = HEAD.format(""), HEAD.format(', action_type="write", event="done"')
SHOWN = {
    'f"You have {len(rows)} notes"': '{"value": len(rows)}',
    "f\"It is {doc.data['title']}\"": "{\"title\": doc.data['title']}",
    "f\"It is {doc.data.get('title', '')}\"": "{\"title\": doc.data.get('title', '')}",
    "f\"You have {await ctx.store.count('n')} notes\"": '{"value": …}',
    'f"{page}"': '{"page": …}',
    'f"{rows[0].id}"': '{"id": rows[0].id}',
    '"%s notes" % len(rows)': '{"value": len(rows)}',
    '"%s of %s" % (params.n, len(rows))': '{"value": len(rows)}',
    '"Notes: " + str(len(rows)) + "."': '{"value": str(len(rows))}',
    '"{} notes".format(len(rows))': '{"value": len(rows)}',
    '", ".join(row.id for row in rows)': '{"value": …}',
    "f\"Notes: {', '.join(row.id for row in rows)}\"": '{"join": …}',
    "comp.text": '{"text": comp.text}',
    'doc.data["title"]': "{\"title\": doc.data['title']}",
    'res.json()["headline"]': "{\"headline\": res.json()['headline']}",
}
"""Summary → what the message tells to write into data."""
CONFIRMING = (
    '"Saved"',
    "params.name",
    'f"Deleted {params.name}"',
    '"Deleted " + ", ".join(params.names)',
    '"Found" if rows else "Nothing found"',
    'res.json()["message"]',
    "f\"It said: {res.json()['message']}\"",
    'f"HTTP {res.status_code}"',
    "await translated(ctx, 'saved')",
    "f\"{(await translated(ctx))['saved']} {params.name}\"",
    "render(rows)",
    '"-" * 20',
)
EMPTY = ("{}", "None", "dict()")


def _result(head: str, data: str, summary: str) -> str:
    return with_body(head, f"return ActionResult.success({data}, {summary})")


@pytest.mark.parametrize("head", [READ, WRITE], ids=["read", "write"])
@pytest.mark.parametrize("summary", SHOWN)
def test_facts_that_stand_only_in_the_summary(lint: Lint, head: str, summary: str) -> None:
    """With empty data they are lost; the message says what to write. With data none is told."""
    for data in EMPTY:
        (found,) = lint("FED404", _result(head, data, summary))
        assert "warning" == found.severity
        assert f"Write them into data too: {SHOWN[summary]}." in found.message
    assert () == lint("FED404", _result(head, '{"total": len(rows)}', summary))


@pytest.mark.parametrize("summary", CONFIRMING)
def test_a_summary_that_confirms(lint: Lint, summary: str) -> None:
    """Fixed words, the caller's, the extension's own, and what a service says that it did."""
    assert () == lint("FED404", _result(READ, "{}", summary))


@pytest.mark.parametrize(("head", "count"), [(READ, 1), (WRITE, 0)], ids=["read", "write"])
def test_a_read_function_that_gives_the_sentence_as_data(lint: Lint, head: str, count: int) -> None:
    """Prose has no fields that a later turn could ask for; a write function only confirms."""
    told = 'told = f"You have {len(rows)} notes"\n'
    text = with_body(head, f'{told}return ActionResult.success({{"text": told}}, told)')
    assert count == len(lint("FED404", text))
    fields = text.replace('{"text": told}', '{"text": told, "total": len(rows)}')
    assert () == lint("FED404", fields)


def test_a_text_by_its_name(lint: Lint) -> None:
    """One that is bound once is followed; of one that is bound twice nothing is known."""
    told = 'told = f"You have {len(rows)} notes"\n'
    end = "return ActionResult.success({}, told)"
    assert 1 == len(lint("FED404", with_body(READ, told + end)))
    assert () == lint("FED404", with_body(READ, f'{told}told = "None"\n{end}'))
