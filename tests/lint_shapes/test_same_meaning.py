"""Programs that mean the same however they are spelt: by a helper, a name, a statement."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

RESPOND = """
def respond(value):
    return ActionResult.success(value, "done")


def keep(value):
    return value


@chat.function("f", "Finds the rows")
async def f(ctx, p):
    d = {"a": {1, 2}, "t": "x"}
"""


def responding(statements: str) -> str:
    """Return a chat function that runs some statements beside a helper that responds."""
    return RESPOND + "".join(f"    {line}\n" for line in statements.splitlines())


@pytest.mark.parametrize(
    "statements",
    [
        'd["a"] = sorted(d["a"])\nreturn respond(d)',
        'd["a"] = sorted(d["a"])\nreturn ActionResult.success(keep(d), "done")',
        'd.pop("a")\nreturn respond(d)',
        'del d["a"]\nreturn respond(value=d)',
        "d.update(a=[1, 2])\nreturn respond(keep(d))",
        "d.clear()\nreturn respond(d)",
    ],
)
def test_a_dict_is_mended_before_a_helper_gets_it(lint: Lint, statements: str) -> None:
    """What is done with a dict counts wherever it goes afterwards."""
    assert lint("FED402", responding(statements)) == ()


@pytest.mark.parametrize(
    "statements",
    [
        "return respond(d)",
        'd["t"] = "y"\nreturn respond(d)',
        'd = {}\nd["a"] = {1}\nreturn respond(d)',
        'd["a"] = sorted(d["a"])\nd["b"] = {3}\nreturn respond(keep(d))',
    ],
)
def test_a_dict_is_spoilt_before_a_helper_gets_it(lint: Lint, statements: str) -> None:
    """A set that is put in before the call is in the payload."""
    assert [it.severity for it in lint("FED402", responding(statements))] == ["error"]


def test_a_text_is_cut_before_a_helper_gets_it(lint: Lint) -> None:
    """The size is that of what the helper gets."""
    cut = 'd = {"t": "x" * 4000}\nd["t"] = d["t"][:100]\nreturn respond(d)'
    assert lint("FED403", responding(cut)) == ()
    assert len(lint("FED403", responding(cut.replace('d["t"] = d["t"][:100]\n', "")))) == 1


FETCH = """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("https://x")
    page = await ctx.store.query("notes")
"""


def _panel(statements: str) -> str:
    return FETCH + "".join(f"    {line}\n" for line in statements.splitlines())


@pytest.mark.parametrize(
    "statements",
    [
        "if callable(r.text):\n    return r.text()\nreturn r.text[:30]",
        "if callable(r.text):\n    t = r.text()\nelse:\n    t = r.text\nreturn t",
        "if isinstance(r.text, str):\n    return r.text[:30]",
        "c = callable(r.text)\nreturn r.text() if c else r.text[:30]",
        "if not callable(r.json):\n    return r.json['x']",
    ],
)
def test_who_asks_whether_it_is_called_knows(lint: Lint, statements: str) -> None:
    """A branch that never runs does no harm, whichever statement asks."""
    assert lint("FED107", _panel(statements)) == ()


@pytest.mark.parametrize(
    "statements",
    [
        "is_list = isinstance(page, list)\nreturn page[0] if is_list else page.data",
        "if (c := isinstance(page, dict)):\n    return page['data'], c",
        "plain = not isinstance(page, list)\nif plain:\n    return page.data\nreturn page[0]",
    ],
)
def test_a_name_keeps_the_answer(lint: Lint, statements: str) -> None:
    """A question counts where its answer is used."""
    assert [it for it in lint("FED111", _panel(statements)) if it.severity == "error"] == []


def test_an_answer_about_an_older_value(lint: Lint) -> None:
    """An answer says nothing of what a name holds later."""
    statements = (
        "rows = []\nis_list = isinstance(rows, list)\nrows = page\n"
        "return rows[0] if is_list else None"
    )
    assert [it.severity for it in lint("FED111", _panel(statements))] == ["error"]


def test_a_time_is_cut_behind_a_kept_answer(lint: Lint) -> None:
    """``if big:`` replaces the older time just as ``if ttl > 300:`` does."""
    cut = "ttl = 900\nbig = ttl > 300\nif big:\n    ttl = 300\n"
    used = "await ctx.cache.set('k', Count(total=1), ttl_seconds=ttl)"
    assert lint("FED302", _panel(cut + used)) == ()
    assert len(lint("FED302", _panel(cut.replace("ttl = 300", "ttl = 400") + used))) == 1


BACKGROUND = """
async def work(ctx):
    return ActionResult.success({"a": 1}, "done")
    return None


@chat.function("f", "Starts the work")
async def f(ctx, p):
    await ctx.background_task(work(ctx), name="w")
    return ActionResult.success({"a": 1}, "done")
    return ActionResult.success({"a": {1}}, "done")
"""


@pytest.mark.parametrize("code", ["FED402", "FED513"])
def test_what_stands_behind_return(lint: Lint, code: str) -> None:
    """Statements that no run comes to are nobody's breach."""
    assert lint(code, BACKGROUND) == ()
    live = BACKGROUND.replace('    return ActionResult.success({"a": 1}, "done")\n', "")
    assert [it.severity for it in lint(code, live)] == ["error"]


def test_a_dead_helper_casts_no_doubt(lint: Lint) -> None:
    """A function that nobody calls does not make a certain breach likely."""
    text = (
        'async def rows(ctx):\n    return await ctx.store.query("n", cursor="x")\n\n\n'
        "async def dead(ctx):\n    return await rows(ctx)\n\n\n"
        '@ext.panel("p")\nasync def p(ctx):\n    return await rows(ctx)\n'
    )
    assert [it.severity for it in lint("FED108", text)] == ["error"]


KEYWORD = """
def shown(row):
    row["seen"] = True
    return row


@chat.function("f", "Finds")
async def f(ctx, p):
    page = await ctx.store.query("n")
    data = [shown(d) for d in page.data]
    return ActionResult.success(data={"m": [{1, 2}]}, summary=f"{len(data)}")
"""
SORTED = """
@chat.function("f", "Finds")
async def f(ctx, p):
    rows = []
    rows.append({"at": {1}})
    rows.sort(key=len)
    return ActionResult.success({"rows": rows}, "done")
"""
FETCHER = """
@ext.panel("p")
async def p(ctx):
    async def load() -> Count:
        return {"total": 1}

    return await ctx.cache.get_or_fetch("k", Count, load, ttl_seconds=60)
"""
OWN_STATUS = """
class Failed(Exception):
    def __init__(self, status):
        self.status = status


@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("https://x")
    return r.status
"""


@pytest.mark.parametrize(
    ("code", "text"),
    [("FED402", KEYWORD), ("FED402", SORTED), ("FED303", FETCHER), ("FED105", OWN_STATUS)],
)
def test_what_elsewhere_has_the_same_name(lint: Lint, code: str, text: str) -> None:
    """A name, an order or an annotation somewhere else does not hide a breach."""
    assert [it.severity for it in lint(code, text)] == ["error"]


PANELS = """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({{}}, "x", refresh_panels=["{}"])
"""
LISTED = '{"app_id": "n", "sdk_version": "6.3.7", "panels": [{"panel_id": "older"}]}'


@pytest.mark.parametrize(
    ("panel", "severities"), [("side", []), ("older", ["warning"]), ("none", ["error"])]
)
def test_a_panel_that_only_the_manifest_has(lint: Lint, panel: str, severities: list[str]) -> None:
    """The manifest may be older than the code, which shows what there is."""
    found = lint("FED503", PANELS.format(panel), imperal__json=LISTED)
    assert [it.severity for it in found] == severities


GATHERED = """
import asyncio


@ext.panel("p")
async def p(ctx):
    found, page = await asyncio.gather(
        ctx.http.get("https://x"), ctx.store.query("n"){}
    )
    return found.status, page.data
"""


@pytest.mark.parametrize(
    ("more", "severity"), [("", "error"), (", return_exceptions=True", "warning")]
)
def test_names_get_what_was_gathered(lint: Lint, more: str, severity: str) -> None:
    """Each name gets the result in its place, or an exception."""
    found = lint("FED105", GATHERED.format(more))
    assert [(it.severity, "found.status" in it.message) for it in found] == [(severity, True)]


@pytest.mark.parametrize(
    ("imported", "annotation"),
    [
        ("from typing import Any as Anything", "Anything"),
        ("from imperal_sdk import Context as Ctx", "Ctx"),
        ("from imperal_sdk import Context\n\nCtx = Context", "Ctx"),
        ("", "object"),
    ],
)
def test_a_context_by_another_name(lint: Lint, imported: str, annotation: str) -> None:
    """A handler's first parameter is its context, whatever the annotation is called here."""
    text = f'{imported}\n\n\n@ext.panel("p")\nasync def p(c: {annotation}):\n    return c.user.id\n'
    assert [it.severity for it in lint("FED105", text)] == ["error"]


def test_another_class_is_no_context(lint: Lint) -> None:
    """What is annotated as something else is something else."""
    text = (
        "class Row:\n    user = None\n\n\n"
        '@ext.panel("p")\nasync def p(c: Row):\n    return c.user.id\n'
    )
    assert lint("FED105", text) == ()


SECRETS = """
ext.secret("token", "The user's token")


@ext.panel("p")
async def p(ctx, hook):
    {}
    return await ctx.secrets.get("other")
"""


@pytest.mark.parametrize(
    ("read", "severities"),
    [
        ('ctx.trace = f"{hook.secret}"', ["error"]),
        ('ctx.trace = hook.secret == "a"', ["error"]),
        ("declare = hook.secret", []),
    ],
)
def test_a_secret_of_something_else(lint: Lint, read: str, severities: list[str]) -> None:
    """A text of somebody's ``secret`` declares nothing; a method that is kept may."""
    assert [it.severity for it in lint("FED509", SECRETS.format(read))] == severities


EXPOSED = """
{}
async def shared(ctx):
    return ActionResult.success({{"a": {{1}}}}, "done")


{}
"""


@pytest.mark.parametrize(
    ("decorator", "call", "found"),
    [
        ('@ext.expose("shared")', "", 0),
        ("", 'shared = ext.expose("shared")(shared)', 0),
        ("", 'shared = ext.tool("shared")(shared)', 1),
    ],
)
def test_exposed_by_a_call(lint: Lint, decorator: str, call: str, found: int) -> None:
    """No document promises that what other extensions call is serialised."""
    assert len(lint("FED402", EXPOSED.format(decorator, call))) == found


SECTION = """
from words import END, BETWEEN


@ext.skeleton("n")
async def n(ctx):
    rows = (await ctx.store.query("a")).data
    return {{"response": {{"note": {}}}}}
"""


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ("END + BETWEEN.join(str(row.id) for row in rows)", 0),
        ('f"{len(rows)} rows" + END', 0),
        ("rows + rows", 1),
    ],
)
def test_a_text_is_no_list(lint: Lint, note: str, found: int) -> None:
    """Texts of another file that are put together have no entries."""
    words = 'END = "."\nBETWEEN = ", "\n'
    assert len(lint("FED213", SECTION.format(note), words__py=words)) == found


PUT = """
import hashlib
import re

from pydantic import BaseModel


class Asked(BaseModel):
    folder: str = ""


async def put(ctx, part):
    {}
    await ctx.cache.set(f"notes:{{part}}", Count(total=1), ttl_seconds=60)


@chat.function("f", "Saves", data_model=Count)
async def f(ctx, params: Asked):
    await put(ctx, {})
    return ActionResult.success({{"total": 1}}, "done")
"""


@pytest.mark.parametrize(
    ("inside", "given", "found"),
    [
        ("pass", "params.folder", 1),
        ("pass", '"".join(c for c in params.folder if c.isalnum())', 1),
        ("pass", "hashlib.sha256(params.folder.encode()).hexdigest()", 0),
        ("pass", 're.sub("[^a-z0-9]", "", params.folder)', 0),
        ('part = re.sub("[^a-z0-9]", "", part)', "params.folder", 0),
        ('if not re.fullmatch("[a-z]+", part):\n        return', "params.folder", 0),
        ("pass", "ctx.user.imperal_id", 0),
    ],
)
def test_free_text_through_a_helper(lint: Lint, inside: str, given: str, found: int) -> None:
    """What a caller gives is in the key, unless somebody cleans it on its way."""
    assert len(lint("FED301", PUT.format(inside, given))) == found
