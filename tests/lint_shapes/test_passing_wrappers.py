"""A handler under a decorator that only passes its answer on is judged like a bare one."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = "import asyncio\nimport contextlib\nimport functools\nfrom functools import wraps\n"
LOGGED = """
def deco(f):
    @wraps(f)
    async def inner(*args, **kwargs):
        {0}

    return inner
"""
MADE = """
def deco(times):
    def decorate(f):
        @functools.wraps(f)
        async def inner(*args, **kwargs):
            for _ in range(times):
                try:
                    return await f(*args, **kwargs)
                except ValueError:
                    {0}
            raise RuntimeError("never")

        return inner

    return decorate
"""
PAIR = """
def deco(f):
    if asyncio.iscoroutinefunction(f):
        async def inner(*args, **kwargs):
            return await f(*args, **kwargs)
        return inner

    def plain(*args, **kwargs):
        return {0}
    return plain
"""
GIVEN_BACK = """
KNOWN = []


def deco(f):
    KNOWN.append(f)
    return {0}
"""
CLASS = """
class Retry:
    def __init__(self, times):
        self.times = times

    def __call__(self, f):
        async def inner(*args, **kwargs):
            return {0}
        return inner


deco = Retry
"""
CALL = "await f(*args, **kwargs)"
PASSING: dict[str, tuple[str, str]] = {
    "plain": (LOGGED.format(f"return {CALL}"), "deco"),
    "without wraps": (LOGGED.format(f"return {CALL}").replace("    @wraps(f)\n", ""), "deco"),
    "of a context": (
        LOGGED.format("return await f(ctx, *args)").replace("*args, **kwargs):", "ctx, *args):"),
        "deco",
    ),
    "kept in a name": (LOGGED.format(f"found = {CALL}; print(found); return found"), "deco"),
    "asked for a field": (
        LOGGED.format(f'found = {CALL}; print(found["a"]); return found'),
        "deco",
    ),
    "in time": (
        LOGGED.format("return await asyncio.wait_for(f(*args, **kwargs), 5)"),
        "deco",
    ),
    "raises again": (
        LOGGED.format(
            f"try:\n            return {CALL}\n        except OSError:\n            raise"
        ),
        "deco",
    ),
    "tries again": (MADE.format("continue"), "deco(3)"),
    "made before": (MADE.format("pass") + "\n\nthrice = deco(3)\n", "thrice"),
    "of both kinds": (PAIR.format("f(*args, **kwargs)"), "deco"),
    "of both kinds, others change": (PAIR.format("None"), "deco"),
    "given back": (GIVEN_BACK.format("f"), "deco"),
    "an object makes it": (CLASS.format(CALL), "deco(3)"),
}
CHANGING: dict[str, tuple[str, str]] = {
    "plain": (LOGGED.format(f'return {{"response": {CALL}}}'), "deco"),
    "changes a name": (
        LOGGED.format(f'found = {CALL}; found["response"] = {{}}; return found'),
        "deco",
    ),
    "changes it elsewhere": (LOGGED.format(f"found = {CALL}; mend(found); return found"), "deco"),
    "updates it": (LOGGED.format(f"found = {CALL}; found.update(OWN); return found"), "deco"),
    "another name": (LOGGED.format(f"found = {CALL}; found = mend(found); return found"), "deco"),
    "catches": (
        LOGGED.format(
            f"try:\n            return {CALL}\n        except OSError:\n            return {{}}"
        ),
        "deco",
    ),
    "swallows": (
        LOGGED.format(
            f"try:\n            return {CALL}\n        except OSError:\n            pass"
        ),
        "deco",
    ),
    "suppresses": (
        LOGGED.format(f"with contextlib.suppress(OSError):\n            return {CALL}"),
        "deco",
    ),
    "asks": (LOGGED.format(f"if not args:\n            return\n        return {CALL}"), "deco"),
    "remembers": (
        LOGGED.format(f"found = KNOWN.get(args) or {CALL}; return found"),
        "deco",
    ),
    "one of two": (LOGGED.format(f"return {CALL} or OWN"), "deco"),
    "returns nothing": (LOGGED.format(f"{CALL}"), "deco"),
    "not awaited": (LOGGED.format("return f(*args, **kwargs)"), "deco"),
    "no coroutine": (
        LOGGED.format("return f(*args, **kwargs)").replace("async def inner", "def inner"),
        "deco",
    ),
    "gives another in the end": (MADE.format("return OWN"), "deco(3)"),
    "of both kinds": (PAIR.format("f(*args)").replace(CALL, f"mend({CALL})"), "deco"),
    "gives another": (GIVEN_BACK.format("mend(f)"), "deco"),
    "gives perhaps another": (GIVEN_BACK.format("f if KNOWN else mend(f)"), "deco"),
    "an object changes it": (CLASS.format(f"mend({CALL})"), "deco(3)"),
    "from elsewhere": ("from tenacity import retry as deco\n", "deco"),
    "one of two decorators": (
        LOGGED.format(f"return {CALL}") + "\nif wraps:\n    from more import deco\n",
        "deco",
    ),
    "wrapped twice": (
        LOGGED.format(f"return {CALL}").replace("    @wraps(f)", "    @other\n    @wraps(f)"),
        "deco",
    ),
}
HANDLERS: dict[str, tuple[str, str]] = {
    "FED210": ('@ext.skeleton("n")', 'async def n(ctx):\n    return {"total": 3}\n'),
    "FED211": (
        '@ext.skeleton("n")',
        'async def n(ctx):\n    return {"response": dict(a=1, b=2, c=3, d=4, e=5, f=6, g=7)}\n',
    ),
    "FED212": ('@ext.skeleton("n")', 'async def n(ctx):\n    return {"response": {"a": {"b": 1}}}'),
    "FED213": (
        '@ext.skeleton("n")',
        'async def n(ctx):\n    return {"response": {"a": [1, 2, 3, 4, 5, 6]}}\n',
    ),
    "FED523": (
        '@ext.webhook("/in")',
        'async def n(ctx, headers, body, query_params):\n    return {"status": 401}\n',
    ),
}
SILENT_END = '@ext.skeleton("n")\n@{0}\nasync def n(ctx):\n    await ctx.store.query("c")\n'
WORK = """
@{0}
async def work(ctx):
    return {{"n": 1}}


@ext.tool("t")
async def t(ctx):
    await ctx.background_task(work(ctx))
"""


def of_all(code: str, made: tuple[str, str], *, above: bool = False) -> str:
    """Return an extension with a handler under a decorator."""
    text, decorator = made
    registering, handler = HANDLERS[code]
    rows = [registering, f"@{decorator}"]
    return "\n".join([HEAD + text, "", *(reversed(rows) if above else rows), handler])


@pytest.mark.parametrize("name", PASSING)
def test_a_handler_is_judged_below_a_wrapper_that_passes_its_answer(lint: Lint, name: str) -> None:
    """What a wrapper gives to the SDK is what the handler returned, whatever form it has."""
    found = lint("FED210", of_all("FED210", PASSING[name]))

    assert ["FED210"] == [item.code for item in found]


@pytest.mark.parametrize("name", CHANGING)
def test_a_wrapper_that_may_give_something_else_is_silent(lint: Lint, name: str) -> None:
    """What a handler returns says nothing if a wrapper may change, drop or replace it."""
    assert () == lint("FED210", of_all("FED210", CHANGING[name]))


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("code", HANDLERS)
def test_all_rules_of_returned_values_look_through(lint: Lint, code: str, above: bool) -> None:
    """Sections and webhooks are judged under a wrapper above or below what registers them."""
    found = lint(code, of_all(code, PASSING["plain"], above=above))

    assert [code] == [item.code for item in found]
    assert () == lint(code, of_all(code, CHANGING["changes it elsewhere"]))


def test_a_silent_end_is_seen(lint: Lint) -> None:
    """A handler under a wrapper that returns nothing at all leaves the section empty."""
    found = lint("FED210", HEAD + PASSING["plain"][0] + SILENT_END.format("deco"))

    assert ["on every path" in item.message for item in found] == [True]
    assert () == lint("FED210", HEAD + CHANGING["plain"][0] + SILENT_END.format("deco"))


@pytest.mark.parametrize("name", PASSING)
def test_background_work_is_judged_below_a_wrapper(lint: Lint, name: str) -> None:
    """The kernel gets from the wrapper what the work returned."""
    text, decorator = PASSING[name]
    found = lint("FED513", HEAD + text + WORK.format(decorator))

    assert ["returns a dict" in item.message for item in found] == [True]


@pytest.mark.parametrize("name", CHANGING)
def test_background_work_below_another_wrapper_is_silent(lint: Lint, name: str) -> None:
    """A wrapper may turn what the work returns into a result."""
    text, decorator = CHANGING[name]
    found = lint("FED513", HEAD + text + WORK.format(decorator))

    assert () == found


def test_a_generator_below_a_wrapper_is_no_generator(lint: Lint) -> None:
    """The wrapper is a coroutine function, so that the work is one that is started."""
    work = WORK.replace('return {{"n": 1}}', 'yield {{"n": 1}}').format("deco")

    assert () == lint("FED513", HEAD + PASSING["plain"][0] + work)


def test_a_wrapper_in_another_file(lint: Lint) -> None:
    """The decorator is followed to the file that holds it, past the name it has there."""
    handler = '\n\n@ext.skeleton("n")\n@more.deco\nasync def n(ctx):\n    return {"total": 3}\n'
    passing, changing = (HEAD + made["plain"][0] for made in (PASSING, CHANGING))

    assert lint("FED210", "import more\n" + handler, more__py=passing)
    assert () == lint("FED210", "import more\n" + handler, more__py=changing)


def test_what_a_call_gives_is_not_followed_past_a_wrapper_that_changes_it(lint: Lint) -> None:
    """A wrapper that gives something else to a helper decides what this one returns."""
    text = """
def deco(f):
    @wraps(f)
    async def inner(rows):
        return await f({0})

    return inner


@deco
async def packed(rows):
    return rows


@ext.skeleton("n")
async def n(ctx):
    return await packed({{"total": 3}})
"""

    assert lint("FED210", HEAD + text.format("rows"))
    assert () == lint("FED210", HEAD + text.format('{"response": rows}'))
