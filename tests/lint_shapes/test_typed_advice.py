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
        ("FED111", 'ctx["user"]', "Write ctx.user."),
        ("FED111", 'ctx["unheard"]', "Write ctx.name for its attribute name."),
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
        ("FED402", 'ActionResult.success({"f": lambda *a: 1}, "x")', "Call it: (lambda *a: 1)()."),
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


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('ui.Header(title="a", badge=1)', "Its parameters: text, level, subtitle"),
        ('ui.Header(text="a", subtitel="b")', "Write subtitle= instead of subtitel=."),
        ('ui.Header(text="a", subtitle="b")', ""),
    ],
)
def test_a_name_is_offered_if_it_is_enough(lint: Lint, call: str, said: str) -> None:
    """Who types it in gets no other TypeError."""
    text = f"from imperal_sdk import Extension, ui\n\next = Extension('n')\n{TOOL}return {call}\n"
    found = lint("FED108", text)
    assert [said in item.message for item in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ('f"notes/{len(key)}"', 'Put ":", "-" or "_" in its place.'),
        ('"{}.{}".format(len(key), 1)', 'Put ":", "-" or "_" in its place.'),
        ('f"имя:{len(key)}"', "Hash free parts"),
        ('f"notes:{len(key)}"', ""),
    ],
)
def test_a_sign_that_is_written_is_replaced(lint: Lint, key: str, said: str) -> None:
    """Hashing what stands beside it would leave it there."""
    head = '@ext.cache_model("count")\nclass Count(BaseModel):\n    n: int\n'
    found = lint("FED301", f"{head}{TOOL}return await ctx.cache.get({key}, Count)\n")
    assert [said in item.message for item in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("panels", "said"),
    [
        (("side",), 'The panel is "side".'),
        (("side", "board"), 'The panels are "board", "side".'),
        (("side", "other"), ""),
    ],
)
def test_panels_are_named_as_they_are_typed(lint: Lint, panels: tuple[str, ...], said: str) -> None:
    """In quotation marks, and one as one."""
    text = "".join(f'\n@ext.panel("{it}")\nasync def {it}(ctx):\n    ...\n' for it in panels)
    result = 'ActionResult.success({}, "x", refresh_panels=["other"])'
    found = lint("FED503", f"{text}{TOOL}return {result}\n")
    assert [said in item.message for item in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('ctx.as_user("u").store.list_users("n")', "Call list_users on the context that the"),
        ('ctx.store.list_users("n")', ""),
    ],
)
def test_a_schedule_is_not_sent_to_a_schedule(lint: Lint, call: str, said: str) -> None:
    """It has the right context already."""
    text = '\n@ext.schedule("daily", cron="0 0 * * *")\nasync def daily(ctx):\n'
    found = lint("FED517", f"{text}    return [uid async for uid in {call}]\n")
    assert [said in item.message for item in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("delete", 'Write action_type="destructive".'),
        ("query", 'Write action_type="read".'),
        ("update", 'Write action_type="write".'),
        ("destructive", ""),
    ],
)
def test_what_deletes_stays_destructive(lint: Lint, action: str, said: str) -> None:
    """A function that only writes is confirmed less."""
    text = (
        f'\n@chat.function("f", "Works on the notes of a folder", action_type="{action}")\n'
        "async def f(ctx, params: Query) -> ActionResult:\n    ...\n"
    )
    model = "\nclass Query(BaseModel):\n    q: str\n\n"
    found = lint("FED526", model + text)
    assert [said in item.message for item in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("FED106", 'await ctx.events.emit("a", {})', "Use await ctx.extensions.emit(event_type"),
        ("FED114", "from imperal_sdk import tools", "Use await ctx.extensions.call(app_id"),
        ("FED517", 'ctx.store.list_users("n")', "Write await ctx.store.query(collection), which"),
    ],
)
def test_what_is_async_is_awaited(lint: Lint, code: str, line: str, said: str) -> None:
    """Typed in without it, nothing would happen."""
    (found,) = lint(code, f"{TOOL}{line}\n")
    assert said in found.message
