"""What a message offers can be typed in as it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

TOOL = """
async def fetch(ctx):
    return await ctx.http.get("https://x")


@ext.tool("t")
async def t(ctx, key=""):
    row = await ctx.store.get("n", "1")
    page = await ctx.store.query("n")
    if not row:
        return None
    """


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("FED111", '(await fetch(ctx))["items"]', '(await fetch(ctx)).json()["items"]'),
        ("FED111", "(await fetch(ctx))[key]", "(await fetch(ctx)).json()[key]"),
        ("FED111", "page[:3]", "page.data[:3]"),
        ("FED111", 'page["rows"]', "page.data[0]"),
        ("FED111", 'ctx.config["folder"]', 'ctx.config.get("folder")'),
        ("FED111", "list(await fetch(ctx))", "(await fetch(ctx)).json()"),
        ("FED107", "(await fetch(ctx)).text[:9]", "(await fetch(ctx)).text()"),
        ("FED402", 'ActionResult.success({"row": row}, "x")', '{"id": row.id, **row.data}'),
        ("FED402", 'ActionResult.success({"row_id": row}, "x")', "Write row.id."),
        (
            "FED402",
            'ActionResult.success({"r": await fetch(ctx)}, "x")',
            "(await fetch(ctx)).json()",
        ),
        ("FED402", 'ActionResult.success({"f": fetch(ctx)}, "x")', "Write await fetch(ctx)."),
        ("FED402", 'ActionResult.success({"f": lambda: 1}, "x")', "Call it: (lambda: 1)()."),
        ("FED402", 'ActionResult.success({"rows": page.data}, "x")', '{"id": ….id, **….data}'),
        ("FED402", 'ActionResult.success({b"a": row.id}, "x")', "Write str(…), or leave it out."),
    ],
)
def test_advice_names_what_is_written(lint: Lint, code: str, wrong: str, right: str) -> None:
    """``await`` keeps its brackets, a key its name; many rows have no one name."""
    (found,) = lint(code, f"{TOOL}return {wrong}\n")
    assert right in found.message


@pytest.mark.parametrize(
    "line",
    [
        'row["title"] = "x"',
        'row.data["title"] = "x"\n    await ctx.store.update("n", row.id, row.data)',
    ],
)
def test_a_document_is_changed_by_its_data(lint: Lint, line: str) -> None:
    """The message names the key that was set, and what it advises is silent."""
    told = 'Write row.data["title"], and save it with ctx.store.update(collection, row.id'
    found = lint("FED111", f"{TOOL}{line}\n")
    assert [told in item.message for item in found] == [True] * ("data" not in line)


@pytest.mark.parametrize(
    ("test", "told"),
    [
        (
            "if not isinstance(page, list):\n        page = []",
            "not isinstance(page, list) is always",
        ),
        ("rows = page if isinstance(page, list) else []", "isinstance(page, list) is never true"),
        ("rows = page.data", ""),
    ],
)
def test_a_denied_question_is_always_true(lint: Lint, test: str, told: str) -> None:
    """``if not isinstance(page, list)`` runs what it leads to."""
    found = lint("FED111", f"{TOOL}{test}\n    return len(page)\n")
    assert [told in item.message for item in found] == [True] * bool(told)
    assert all(("always runs" in item.message) == ("always true" in item.message) for item in found)


QUERY = """
class Query(BaseModel):
    q: str


@ext.cache_model("count")
class Count(BaseModel):
    n: int


@chat.function("f", "Reads the notes of a folder", action_type="read", data_model=Query)
async def f(ctx, params: Query) -> ActionResult:
    return await ctx.cache.get(f"n:{KEY}", Count)
"""
HASHED = "hashlib.sha256(params.q.encode()).hexdigest()[:32]"


@pytest.mark.parametrize(
    ("key", "told"),
    [("params.q", True), ("params.q.lower()", True), (HASHED, False)],
)
def test_the_free_part_is_what_is_hashed(lint: Lint, key: str, told: bool) -> None:
    """Only the part that a user chooses, by its name."""
    found = lint("FED301", "\nimport hashlib\n" + QUERY.replace("KEY", key))
    assert [f"Hash free parts: {HASHED}." in item.message for item in found] == [True] * told
