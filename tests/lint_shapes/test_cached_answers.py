"""What a service or the store gave is JSON, which the cache does not take."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
async def fetch(ctx):
    response = await ctx.http.get("https://example.org")
    return response.json()


async def load(ctx, old=None):
    if old:
        return Count(total=1)
    return await fetch(ctx)


@ext.panel("p")
async def p(ctx, flag=False):
    r = await ctx.http.get("https://example.org")
    d = await ctx.store.get("n", "1")
"""


def _panel(before: str, value: str) -> str:
    lines = [*before.splitlines(), f'await ctx.cache.set("k", {value}, ttl_seconds=60)']
    return HEAD + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("before", "value", "said"),
    [
        ("", "r.json()", "what response.json() gave, a dict or a list, not a pydantic model"),
        ("data = r.json()", "data", "what response.json() gave"),
        ("data = r.json() if r.ok else {}", "data", "what response.json() gave"),
        ("", "await fetch(ctx)", "what response.json() gave"),
        ("", 'r.json()["items"]', "a part of an answer, plain JSON"),
        ("", 'r.json().get("items", [])', "a part of an answer, plain JSON"),
        ("", "r.body", "the body of an answer"),
        ("", "d.data", "the dict of a document"),
        ("", 'd.data["x"]', "a part of a document, plain JSON"),
        ("", 'd.data.get("x", {})["y"]', "a part of a document, plain JSON"),
        ("x = d.data.get('x')", "x", "a part of a document, plain JSON"),
        ("", 'd["x"]', "a part of a document, plain JSON"),
        ("", 'd.get("x", "")', "a part of a document, plain JSON"),
        ("c = await ctx.cache.get('a', Count)", "c.model_dump()", "a dict, not"),
        ("c = await ctx.cache.get('a', Count)", "c.model_dump_json()", "a text, not"),
        ("", "d", "Document, not a pydantic model"),
        ("", '(await ctx.store.query("n")).data', "a list of documents"),
        ("", 'await ctx.ai.complete("x")', "a CompletionResult, not a pydantic model"),
        ("", "dict(d.data)", "a dict, not a pydantic model"),
        ("", "list(d.data)", "a list, not a pydantic model"),
    ],
)
def test_an_answer_is_no_model(lint: Lint, before: str, value: str, said: str) -> None:
    """The SDK raises TypeError for each of them."""
    found = lint("FED303", _panel(before, value))
    assert ["error"] == [item.severity for item in found]
    assert said in found[0].message


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("", "Count.model_validate(r.json())"),
        ("", "Count(**r.json())"),
        ("", 'Count(total=d.data["n"])'),
        ('rows = {"a": Count(total=1)}', 'rows["a"]'),
        ("data = r.json()\ndata = Count(**data)", "data"),
        ("data = r.json()\nif flag: data = Count(total=1)", "data"),
        ("data = r.json()\nif not isinstance(data, Count): return", "data"),
        ("data = r.json()\nif type(data) is not Count: return", "data"),
        ("", 'r.json().get("a", Count(total=1))'),
        ('data = r.json()\ndata["m"] = Count(total=1)', 'data["m"]'),
        ('d.data["m"] = Count(total=1)', 'd.data["m"]'),
        ("d.data = Count(total=1)", "d.data"),
        ("", "await load(ctx, flag)"),
        ("", 'd.data.get("x", Count(total=1))'),
        ('x = d.data.get("x")\nx = Count(**x) if x else Count(total=0)', "x"),
        ('x = d.get("x")\nif not isinstance(x, Count): return', "x"),
        ("c = await ctx.cache.get('a', Count)", "Count(**c.model_dump())"),
        ("c = await ctx.cache.get('a', Count)", "c.model_copy(update={'total': 2})"),
        ("from kit import made", "made().model_dump()"),
    ],
)
def test_what_may_be_a_model_is_left_alone(lint: Lint, before: str, value: str) -> None:
    """It is a model, may be one, or the code asks for its type."""
    assert () == lint("FED303", _panel(before, value))


FETCHERS = """
async def made(ctx):
    return Count(**await fetch(ctx))


async def stored(ctx):
    document = await ctx.store.get("n", "1")
    return document.data


async def either(ctx):
    document = await ctx.store.get("n", "1")
    if document is None:
        return Count(total=0)
    return document.data


async def dumped():
    return Count(total=1).model_dump()


"""


@pytest.mark.parametrize(
    ("fetcher", "said"),
    [
        ("lambda: fetch(ctx)", "returns what response.json() gave"),
        ("lambda: stored(ctx)", "returns the dict of a document"),
        ("dumped", "returns a dict"),
        ("plain", "returns what response.json() gave"),
        ("own", "returns a part of an answer"),
        ("lambda: made(ctx)", ""),
        ("good", ""),
    ],
)
def test_fetchers_that_return_an_answer(lint: Lint, fetcher: str, said: str) -> None:
    """``get_or_fetch`` takes an object of the model only."""
    inner = """
    def plain():
        return fetch(ctx)

    def good():
        return made(ctx)

    async def own():
        return r.json()["items"]

"""
    call = f'    await ctx.cache.get_or_fetch("k", Count, {fetcher}, ttl_seconds=60)\n'
    found = lint("FED303", FETCHERS + HEAD + inner + call)
    assert [("error", True)] * bool(said) == [(it.severity, said in it.message) for it in found]


WAYS = """
async def nothing(ctx):
    ctx.log.info("x")


async def bare(ctx):
    return


async def left(ctx):
    if ctx.user:
        return
    return Count(total=1)


async def chosen(ctx):
    return Count(total=1) if ctx.user else None


async def listed(ctx):
    if ctx.user:
        return Count(total=1)
    return []


async def flagged(ctx, raw=False):
    if raw:
        return {}
    return Count(total=1)


async def through(ctx):
    return await chosen(ctx)


async def lying(ctx) -> Count:
    return {"total": 1}


async def raising(ctx):
    raise NotImplementedError


async def failing(ctx):
    await raising(ctx)


async def stub(ctx) -> Count: ...


async def waiting(ctx):
    found = None
    while found is None:
        found = Count(total=1) if ctx.user else None
    return found


async def again(ctx):
    for index in range(3):
        try:
            return Count(total=index)
        except ValueError:
            if index == 2:
                raise


"""


@pytest.mark.parametrize(
    ("fetcher", "severity", "said"),
    [
        ("lambda: nothing(ctx)", "error", "returns None"),
        ("lambda: bare(ctx)", "error", "returns None"),
        ("lambda: flagged(ctx, raw=True)", "error", "returns a dict"),
        ("lambda: lying(ctx)", "error", "returns a dict"),
        ("lambda: left(ctx)", "warning", "may return None"),
        ("lambda: chosen(ctx)", "warning", "may return None"),
        ("lambda: through(ctx)", "warning", "may return None"),
        ("lambda: listed(ctx)", "warning", "may return a list"),
        ("lambda: either(ctx)", "warning", "may return the dict of a document"),
        ("lambda: flagged(ctx)", "", ""),
        ("lambda: raising(ctx)", "", ""),
        ("lambda: failing(ctx)", "", ""),
        ("lambda: stub(ctx)", "", ""),
        ("lambda: waiting(ctx)", "", ""),
        ("lambda: again(ctx)", "", ""),
    ],
)
def test_ways_through_a_fetcher(lint: Lint, fetcher: str, severity: str, said: str) -> None:
    """Each way that returns no model raises TypeError, in 1.6.0 as in 6.3.7."""
    call = f"await ctx.cache.get_or_fetch('k', Count, {fetcher}, ttl_seconds=60)\n"
    found = lint("FED303", f"{FETCHERS}{WAYS}{HEAD}    {call}")
    assert [(severity, True)] * bool(said) == [(it.severity, said in it.message) for it in found]
    expected = f"    try:\n        {call}    except TypeError:\n        pass\n"
    certain = severity == "error"
    assert certain == bool(lint("FED303", f"{FETCHERS}{WAYS}{HEAD}{expected}"))
