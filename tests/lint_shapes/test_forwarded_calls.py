"""What a wrapper hands on with ``*args`` and ``**kwargs`` counts as its callers give it."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error

MAIN = """
from imperal_sdk import ActionResult, Extension, ui

ext = Extension("n")


@ext.panel("p")
async def p(ctx, message=""):
    {0}


{1}
"""
OK = "def ok(data, **kw):\n    return ActionResult.success(data, **kw)\n"
FAIL = "def fail(*a, **kw):\n    return ActionResult.error(*a, **kw)\n"
CSET = "async def cset(ctx, key, value, **kw):\n    await ctx.cache.set(key, value, **kw)\n"
CGET = "async def cget(ctx, key, *a):\n    return await ctx.cache.get(key, *a)\n"
RETRY = """
async def send(ctx, url, **kw):
    for attempt in range(3):
        try:
            async with lock:
                return (await ctx.http.get(url, **kw)).json()
        except OSError:
            continue
"""
METHOD = """
class Answers:
    def ok(self, data, **kw):
        return ActionResult.success(data, **kw)


answers = Answers()
"""
EXTENDED = """
class Answers:
    def ok(self, data, **kw):
        return ActionResult.success(data, **kw)

    def say(self):
        return self.ok({})


class Mine(Answers):
    def ok(self, data):
        return super().ok(data, summary="x")
"""
STATIC = METHOD.replace("    def ok(self", "    @staticmethod\n    def ok(_")


@pytest.mark.parametrize(
    ("kit", "call", "said"),
    [
        (OK, 'ok({"x": 1})', "ActionResult.success() needs summary"),
        (OK, 'ok({}, message="x")', "has no parameter message"),
        (OK, 'o = {"message": "x"}; ok({}, **o)', "has no parameter message"),
        (FAIL, 'fail("x", data={})', "ActionResult.error() has no parameter data"),
        (FAIL, 'fail("x", True, "CODE", 1)', "positional arguments, got 4"),
        (CSET, 'await cset(ctx, "k", 1, ttl=60)', "Write ttl_seconds= instead of ttl=."),
        (CGET, 'await cget(ctx, "k")', "ctx.cache.get() needs model"),
        (RETRY, 'await send(ctx, "u", json={})', "hands json on to httpx"),
        (METHOD, "answers.ok({})", "needs summary"),
        (STATIC, "answers.ok(1, {})", "needs summary"),
        (f"{OK}\ndef done(*a, **kw):\n    return ok(*a, **kw)\n", "done({})", "needs summary"),
        ("def head(**kw):\n    return ui.Header(**kw)\n", 'head(title="N")', "no parameter title"),
    ],
)
def test_a_call_that_a_wrapper_hands_on_is_judged(
    lint: Lint, kit: str, call: str, said: str
) -> None:
    """The wrapper always makes the call, so what its caller gives raises TypeError."""
    message = only_error(lint("FED108", MAIN.format(call, kit)))
    assert said in message
    assert "in line 9 of main.py" in message


def test_each_wrong_caller_counts_once(lint: Lint) -> None:
    """One finding names the first call, and how many more there are."""
    calls = 'return ok({}), ok({}), ok({}, summary="x"), ok(1)'
    found = lint("FED108", MAIN.format(calls, OK))
    assert "Called through ok({}) in line 9 of main.py and 2 more calls, " in only_error(found)
    assert [9] == [step.span.line for step in found[0].chain]


@pytest.mark.parametrize(
    ("kit", "call"),
    [
        (OK, 'ok({}, summary="x")'),
        (OK, "ok(**message)"),
        (OK, "ok()"),
        (FAIL, 'fail("x", retryable=True, code="C")'),
        (CSET, 'await cset(ctx, "k", 1, ttl_seconds=60)'),
        (CGET, 'await cget(ctx, "k", int)'),
        (OK, 'try:\n        ok({})\n    except TypeError:\n        ok({}, summary="x")'),
        (OK, "from functools import partial\n    partial(ok, {})(summary=message)"),
        (OK, "if False:\n        ok({})"),
        (OK, "(ok if message else dict)({})"),
        (OK, ""),
        (OK, "import main\n    main.ok = print\n    main.ok({})"),
        (OK.replace("    return", '    kw.setdefault("summary", "x")\n    return'), "ok({})"),
        (OK.replace("    return", '    kw = {**kw, "summary": "x"}\n    return'), "ok({})"),
        (OK.replace("    return", '    kw["summary"] = "x"\n    return'), "ok({})"),
        (OK.replace("    return", '    kw.pop("message", None)\n    return'), "ok({}, message=1)"),
        (OK.replace("    return", '    kw |= {"summary": ""}\n    return'), "ok({})"),
        (OK.replace("    return", "    fill(kw)\n    return"), "ok({})"),
        (OK.replace("**kw)\n", '**{"summary": "x", **kw})\n', 2), "ok({})"),
        (OK.replace("    return", '    if "summary" in kw:\n        return'), "ok({})"),
        (
            OK.replace("    return", "    if not kw:\n        return None\n    return"),
            "ok({})",
        ),
        (
            OK.replace(
                "    return",
                "    try:\n        return ActionResult.success(**kw)\n    "
                "except TypeError:\n        return",
            ),
            'ok({}, data=1, summary="x")',
        ),
        (f"def filled(f):\n    return lambda d: f(d, summary='x')\n\n@filled\n{OK}", "ok({})"),
        (
            "def ok(*a):\n    a = (*a, 'x')\n    return ActionResult.success(*a)\n",
            "ok({})",
        ),
        (
            OK.replace("data, **", "data, *, message=None, **", 1).replace(
                "(data, **", "(data, message, **"
            ),
            'ok({}, message="x")',
        ),
        (EXTENDED, "of(Mine).say()"),
        (EXTENDED.replace("    def", "    @staticmethod\n    def", 1), "of(Mine).say()"),
        (
            STATIC,
            'answers.ok(1, {}, summary="x")',
        ),
        (
            f"async def other(c, **kw):\n    await cset(c, 'k', 1, **kw)\n\n{CSET}",
            "await other(Fake(), ttl=60)\n    await other(ctx)\n    await cset(1, 2, 3, ttl=4)",
        ),
        ("def text(*a, **kw):\n    return ui.Text(*a, **kw)\n", 'text("a", variant="h1")'),
    ],
)
def test_a_wrapper_that_may_be_right_is_left_alone(lint: Lint, kit: str, call: str) -> None:
    """It changes what it hands on, asks first, is changed itself, or its callers are right."""
    assert () == lint("FED108", MAIN.format(call or "pass", kit))


TWICE = """await cset(ctx, "k", 1, ttl_seconds=60)
    await cset(message, "k", 1, ttl=60)
    await cset(ctx, "k", 1, ttl=6)"""


def test_a_right_call_hides_no_wrong_one_beside_it(lint: Lint) -> None:
    """Both give the same context; a call that gives another object says nothing of the SDK."""
    message = only_error(lint("FED108", MAIN.format(TWICE, CSET)))
    assert (
        "Called through cset(ctx, 'k', 1, ttl=6) in line 11 of main.py, ctx.cache.set()" in message
    )


RUN = "async def run(fn, *a, **kw):\n    return await fn(*a, **kw)\n"
GIVEN = """await run(ctx.cache.get, "k", int)
    await run(ctx.cache.get, "k")
    await run(ctx.store.query, limit=3)
    await run(ctx.store.query, "k", limit=3)
    await run(Fake().query)
    await run(ctx.cache.get if message else ctx.store.update, "k")"""


def test_each_method_that_is_handed_in_is_judged(lint: Lint) -> None:
    """A helper that calls what it is given gets a finding for each method that is called wrong."""
    found = lint("FED108", MAIN.format(GIVEN, RUN))
    assert [("error", 18), ("error", 18)] == [(it.severity, it.span.line) for it in found]
    assert "line 10 of main.py, fn(), which is CacheClient.get, needs model" in found[0].message
    assert "line 11 of main.py, fn(), which is StoreClient.query, needs" in found[1].message


NEUTRAL = (
    "if ctx.cache is None:\n        return False\n    return await ",
    "if DEBUG:\n        await ",
    "if not ctx.user:\n        pass\n    else:\n        return await ",
    "rows = await ctx.store.query('a')\n    if rows:\n        await ",
    "if not hasattr(ctx, 'cache'):\n        raise ValueError\n    await ",
)
ASKING = (
    "if not value:\n        return None\n    return await ",
    "if key.startswith('tmp'):\n        return await ",
    "if 'ttl' in kw:\n        return None\n    await ",
    "old = len(kw)\n    if old:\n        return None\n    await ",
    "for item in value:\n        if item:\n            return None\n    await ",
    "for attempt in (1, 2):\n        if attempt:\n            return None\n    await ",
    "try:\n        return int(key)\n    except ValueError:\n        return await ",
    "if DEBUG:\n        try:\n            return 1\n        finally:\n            x()\n    await ",
    "return key and await ",
)


@pytest.mark.parametrize("before", NEUTRAL)
def test_what_asks_nothing_of_callers_is_the_same_for_all(lint: Lint, before: str) -> None:
    """Whoever comes to the call comes there with what it gives."""
    kit = CSET.replace("await ", before, 1)
    assert "has no parameter ttl" in only_error(
        lint("FED108", MAIN.format('await cset(ctx, "k", 1, ttl=60)', kit))
    )
    assert () == lint("FED108", MAIN.format('await cset(ctx, "k", 1, ttl_seconds=60)', kit))


@pytest.mark.parametrize("before", ASKING)
def test_what_asks_callers_may_keep_them_away(lint: Lint, before: str) -> None:
    """Perhaps those with other arguments never come to the call."""
    kit = CSET.replace("await ", before, 1)
    assert () == lint("FED108", MAIN.format('await cset(ctx, "k", 1, ttl=60)', kit))
