"""Each message ends with what to write instead, fitting what was written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.sdk_use.reach import IN_TESTS, LACKING
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

TOOL = '\n@ext.tool("t")\nasync def t(ctx):\n    '


@pytest.mark.parametrize(
    ("code", "statement", "said"),
    [
        ("FED301", 'await ctx.cache.get("a/b c", Count)', 'ValueError*Write "a_b_c".'),
        ("FED301", 'await ctx.cache.get("a\\n", Count)', 'lets pass*Write "a".'),
        ("FED301", "await ctx.cache.get(ctx.user.email, Count)", "so get raises*imperal_id"),
        ("FED301", 'await ctx.cache.get("a" * 129, Count)', "129 characters*hashlib.sha256"),
        (
            "FED302",
            'await ctx.cache.set("k", Count(total=1), ttl_seconds=900)',
            "ttl_seconds=900 is outside 5 to 300*Write ttl_seconds=300;",
        ),
        (
            "FED302",
            'await ctx.cache.set("k", Count(total=1), ttl_seconds=1)',
            "outside 5 to 300*Write ttl_seconds=5, or await ctx.cache.delete(key).",
        ),
        (
            "FED302",
            'await ctx.cache.set("k", Count(total=1), ttl_seconds=59.6)',
            "ttl_seconds=59.6 is not an int*Write ttl_seconds=60.",
        ),
        (
            "FED302",
            'await ctx.cache.get_or_fetch("k", Count, load, ttl_seconds=1)',
            "never caches it*Write ttl_seconds=5.",
        ),
        (
            "FED303",
            'await ctx.cache.set("k", None)',
            "None is no pydantic model*await ctx.cache.delete(key).",
        ),
        ("FED303", 'await ctx.cache.set("k", Count)', "a class*Write Count(…)."),
        ("FED303", 'await ctx.cache.set("k", 3)', "3 is an int, not*give an instance"),
        ("FED303", 'await ctx.cache.get("k", None)', "None is no pydantic model*give the class"),
        ("FED301", 'await ctx.cache.get("имя", Count)', "only A-Z*Hash free parts"),
        ("FED108", 'return ActionResult.error("e", summary="s")', "Leave summary= out: an error"),
        (
            "FED105",
            "from imperal_sdk import sdl\n    class A(sdl.Schema): x: int",
            "no Schema*Extend pydantic.BaseModel, or a",
        ),
        (
            "FED105",
            "from imperal_sdk import sdl\n    class A(sdl.BaseEntity): x: int",
            "no BaseEntity*Write sdl.Entity.",
        ),
        ("FED105", 'return (await ctx.http.get("u")).content', "no content*response.text()"),
        (
            "FED107",
            'return ctx.user.has_role == "boss"',
            "never called*Write ctx.user.has_role('boss').",
        ),
        ("FED107", "return bool(ctx.user.has_role and 1)", "never called*ctx.user.has_role(role)."),
        (
            "FED108",
            'await ctx.http.delete("u", json={})',
            'async with httpx.AsyncClient() as client: response = *request("DELETE", url, json=…',
        ),
        (
            "FED108",
            'return ActionResult.success(summary="s")',
            "needs data*what the summary tells.",
        ),
        ("FED108", "return ActionResult.success({})", "needs summary*is a sentence for the user."),
        ("FED108", "return ActionResult.success()", "needs data and*success(data, summary)."),
        ("FED110", "return ctx.store._user_id", "is private*Use ctx.user.imperal_id."),
        ("FED110", "return ctx.store._headers()", "is private*Use ctx.store.for_user(user_id) or"),
        ("FED110", "return ctx.secrets._token", "is private*Use ctx.secrets.for_user(user_id)."),
        ("FED110", "return ctx._gateway_url", "is private*user(user_id), or ctx.http."),
        ("FED110", "return ctx._rebuild_store_for(1)", "is private*Use ctx.as_user(user_id)."),
        ("FED110", 'return getattr(ctx, "_cache", 0)', "ctx._cache is private*Use ctx.cache."),
        ("FED110", "ctx._cache = 1", "ctx._cache is private*no public way to it in imperal-sdk"),
        ("FED110", "return ctx.extensions._call_stack", "is private*ignore[FED110] why`."),
        ("FED510", 'return ActionResult.error("x", code="NotFound")', 'no error code*"NOT_FOUND"'),
        ("FED402", 'return ActionResult.success({"a": {1}}, "x")', "is a set*Write sorted({1})."),
        ("FED402", 'return ActionResult.success({"a": len}, "x")', "is a function*Call it: len()."),
        (
            "FED402",
            'return ActionResult.success({(1, 2): 1}, "x")',
            'has a tuple as its key*f"{first}:{second}"',
        ),
        (
            "FED404",
            'n = await ctx.store.count("a")\n    return ActionResult.success({}, f"{n} rows")',
            'data too*{"n": n}.',
        ),
    ],
)
def test_the_advice_fits(lint: Lint, code: str, statement: str, said: str) -> None:
    """What is wrong comes first, then one line to write."""
    (found,) = lint(code, TOOL + statement + "\n")
    before, _, after = said.partition("*")
    assert before in found.message
    assert after in found.message.partition(before)[2]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("ui.Accordion(items=[])", "Write sections= instead of items=."),
        ("ui.Link('x', url='/a')", "Write href= instead of url=."),
        ("ui.Link('x', '/a', to='/b')", "Its parameters: label, href,"),
        ("ui.KeyValue(pairs={})", "Its parameters: items, columns."),
        ("ui.Chart([], y2_key=[])", "Write y2_keys= instead of y2_key=."),
        ("ui.Chart([], y_keys=[])", "Its parameters: data, type, x_key"),
        ("ActionResult(success=True)", "Write ActionResult.success(data, summary), or"),
        ('ActionResult.success({}, "x", refresh_panel=[])', "refresh_panels= instead of"),
    ],
)
def test_another_parameter_is_offered_if_it_is_meant(lint: Lint, call: str, said: str) -> None:
    """A dict is no list of items, and what has another number in its name is another thing."""
    head = "from imperal_sdk import ActionResult, Extension, ui\n\next = Extension('n')\n"
    (found,) = lint("FED108", f"{head}{TOOL}return {call}\n")
    assert said in found.message


def test_a_manifest_is_counted(lint: Lint) -> None:
    """Numbers agree with their nouns, and old chat routers with hyphens are known."""
    text = '\n@chat.function("f", "Reads the notes of a folder")\nasync def f(ctx, p):\n    ...\n'
    manifest = '{"app_id": "n", "tools": [{"name": "tool_google-ads_chat"}]}'
    one, other = lint("FED506", text, imperal__json=manifest)
    assert "lists 1 tool and lacks 1 function of the code (f)" in one.message + other.message
    assert "tool_google-ads_chat is the entry" in one.message + other.message


def test_an_import_of_the_file_itself_is_told_so(lint: Lint) -> None:
    """No third file helps there."""
    text = (
        "\n\ndef helper():\n    return 1\n"
        + TOOL
        + "from main import helper\n    return helper()\n"
    )
    (found,) = lint("FED501", text)
    assert "main is this file itself: take the import out" in found.message


def test_the_mocks_lack_what_pages_say() -> None:
    """The sentence names what both mocks do not have."""
    mocks = pytest.importorskip("imperal_sdk.testing.mock_context")
    classes = (mocks.MockStore, mocks.MockNotify)
    assert [] == [name for cls in classes for name in LACKING if hasattr(cls, name)]
    assert all(f"`{name}`" in IN_TESTS for name in (*LACKING, *(it.__name__ for it in classes)))


@pytest.mark.parametrize(
    ("imported", "use", "said"),
    [
        ("from imperal_sdk import Loaf", "", "Leave the import out."),
        ("from imperal_sdk import Loaf", "Loaf()", "Leave the import and what uses Loaf out."),
        ("from imperal_sdk import Loaf as L", "L()", "Leave the import and what uses L out."),
        (
            "from imperal_sdk.loaf import A, B",
            "A(B)",
            "Leave the import and what uses A and B out.",
        ),
        ("from imperal_sdk import ToolsClient", "ToolsClient()", "Use await ctx.extensions.call("),
    ],
)
def test_imports_that_are_used(lint: Lint, imported: str, use: str, said: str) -> None:
    """Whoever takes only the import out gets a NameError."""
    text = f"from imperal_sdk import Extension\n{imported}\n\next = Extension('n')\n{use}\n"
    (found,) = lint("FED114", text)
    assert said in found.message


def test_an_import_is_shown_whole(lint: Lint) -> None:
    """A line that is to be written is not cut."""
    names = ", ".join(f"name_of_part_{number}" for number in range(9))
    parts = "".join(f"name_of_part_{number} = 1\n" for number in range(9))
    (found,) = lint("FED501", f"{TOOL}from parts import {names}\n", parts__py=parts)
    assert f"top of the file: from parts import {names}." in found.message


def test_an_action_is_a_function_or_a_tool(lint: Lint) -> None:
    """Other platforms know a decorator of this name."""
    (found,) = lint("FED105", '\n@ext.action("a")\nasync def a(ctx):\n    ...\n')
    assert "@chat.function(name" in found.message
    assert "@ext.tool(name)" in found.message
