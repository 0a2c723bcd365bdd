"""What a wrapper hands on with ``*args`` and ``**kwargs`` counts as its callers give it."""

from __future__ import annotations

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


def test_each_wrong_caller_counts_once(lint: Lint) -> None:
    """One finding names the first call, and how many more there are."""
    calls = 'return ok({}), ok({}), ok({}, summary="x"), ok(1)'
    found = lint("FED108", MAIN.format(calls, OK))
    assert "Called through ok({}) in line 9 of main.py and 2 more calls, " in only_error(found)
    assert [9] == [step.span.line for step in found[0].chain]
