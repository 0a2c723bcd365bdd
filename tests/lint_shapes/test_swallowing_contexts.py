"""Behind a ``with`` that swallows exceptions, its body may have been left anywhere."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import contextlib
from contextlib import asynccontextmanager, contextmanager, suppress
from contextlib import suppress as ignoring

from quiet import Elsewhere


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        print(error)
        return True


class Inheriting(Quiet):
    pass


class Loud:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error:
            print(error)
            return None
        return False


@contextmanager
def held():
    try:
        yield
    except ValueError:
        print("not a number")


@contextmanager
def inner():
    with suppress(ValueError):
        yield


@asynccontextmanager
async def told():
    try:
        yield
    except ValueError:
        print("not a number")
        raise
    finally:
        print("done")


def made():
    return Quiet()


quiet = Quiet()


"""
ELSEWHERE = "class Elsewhere:\n    def __exit__(self, *args):\n        return True\n"
SWALLOWING = (
    "with Quiet():",
    "async with Quiet():",
    "with Inheriting():",
    "with Elsewhere():",
    "with held():",
    "with inner():",
    "with made():",
    "with quiet:",
    "with Loud(), Quiet() as q:",
    "with contextlib.suppress(ValueError):",
    "with ignoring(ValueError):",
    "with contextlib.ExitStack() as stack:",
)
OTHERS = ("with Loud():", "async with told():", "with open('x'):", "async with ctx.lock:")


def _panel(opened: str) -> str:
    return f"""{HEAD}
@ext.panel("p")
async def p(ctx, text: str = ""):
    value = Count(total=1)
    {opened}
        int(text)
        value = {{}}
    await ctx.cache.set("k", value, ttl_seconds=60)
"""


@pytest.mark.parametrize(
    ("opened", "severity"),
    [*((it, "warning") for it in SWALLOWING), *((it, "error") for it in OTHERS)],
)
def test_a_value_given_inside(lint: Lint, opened: str, severity: str) -> None:
    """The older value may still hold; without swallowing the dict comes or nothing does."""
    (found,) = lint("FED303", _panel(opened), quiet__py=ELSEWHERE)
    assert severity == found.severity


@pytest.mark.parametrize(
    "opened", ["with Quiet():", "with Elsewhere():", "with suppress(OSError):"]
)
def test_a_return_inside(lint: Lint, opened: str) -> None:
    """What stands behind runs if it was left by an exception."""
    text = f"""{HEAD}
@ext.panel("p")
async def p(ctx, flag: bool = False):
    value = {{}}
    if flag:
        value = Count(total=1)
        {opened}
            return ui.Text(str(int("a")))
    await ctx.cache.set("k", value, ttl_seconds=60)
"""
    (found,) = lint("FED303", text, quiet__py=ELSEWHERE)
    assert "warning" == found.severity
    (found,) = lint("FED303", text.replace(opened, "with Loud():"), quiet__py=ELSEWHERE)
    assert "error" == found.severity


@pytest.mark.parametrize("opened", ["with Quiet():", "with quiet:", "with Elsewhere():"])
def test_a_raise_inside_comes_to_the_end(lint: Lint, opened: str) -> None:
    """The handler returns None; a context that lets exceptions out makes it raise."""
    text = f"""{HEAD}
@ext.skeleton("n")
async def n(ctx):
    {opened}
        raise ValueError
"""
    (found,) = lint("FED210", text, quiet__py=ELSEWHERE)
    assert "returns None on every path" in found.message
    assert () == lint("FED210", text.replace(opened, "with Loud():"), quiet__py=ELSEWHERE)


def test_an_end_behind_a_call_that_raises(lint: Lint) -> None:
    """A plain context lets out what a function raises that never returns."""
    text = f"""{HEAD}
def die():
    raise RuntimeError


@ext.skeleton("n")
async def n(ctx):
    with Loud():
        die()
"""
    assert () == lint("FED210", text, quiet__py=ELSEWHERE)
    (found,) = lint("FED210", text.replace("with Loud", "with Quiet"), quiet__py=ELSEWHERE)
    assert "error" == found.severity
