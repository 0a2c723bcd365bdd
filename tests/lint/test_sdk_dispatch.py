"""Handlers of many shapes, linted and run on the installed SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from fedcheck.lint.engine.engine import CheckResult

sdk = pytest.importorskip("imperal_sdk", reason="needs the extra `sdk`")

Check = Callable[..., CheckResult]

START = """\
from imperal_sdk import Extension
from pydantic import BaseModel

ext = Extension("notes")


class Find(BaseModel):
    title: str = ""
"""
CALLS = {
    '@ext.tool("t")': ("t", {}),
    '@ext.skeleton("t")': ("skeleton_refresh_t", {}),
    '@ext.panel("t")': ("__panel__t", {}),
    '@ext.widget("t")': ("__widget__t", {}),
    '@ext.tray("t")': ("__tray__t", {}),
    '@ext.menu_item("t")': ("__menu__t", {}),
    '@ext.webhook("t")': ("__webhook__t", {"headers": {}, "body": "", "query_params": {}}),
    '@ext.expose("t")': ("", {}),
}
"""Decorator → the tool that it registers, and what the platform gives it."""
TAKEN = ("", "ctx", "ctx, **more", "*all, **more", "given: Find", "title: str", "*, ctx=None")
USED = {"given: Find": "given.title", "title: str": "title.upper()"}
"""What a handler does with what it takes."""


async def called(ext: Any, tool: str, given: dict[str, Any]) -> bool:
    """Tell whether a call of a handler ends well; an exposed one is awaited by the SDK's client."""
    try:
        if tool:
            await ext.call_tool(tool, sdk.Context(user=None), **given)
        else:
            await ext.exposed["t"].func(sdk.Context(user=None), **given)
    except (TypeError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("decorator", CALLS)
def test_what_is_told_of_a_handler_is_what_its_call_does(
    check_files: Check, decorator: str
) -> None:
    """It is told of exactly those that fail."""
    tool, given = CALLS[decorator]
    for kind, taken in product(("def", "async def"), TAKEN):
        used = USED.get(taken, "1")
        text = f"{START}\n\n{decorator}\n{kind} t({taken}):\n    return {{'x': {used}}}\n"
        found = check_files({"main.py": text}, codes=frozenset({"FED531", "FED532"}))
        told = [item.severity for item in found.findings]
        namespace: dict[str, Any] = {"__name__": "main"}
        exec(text, namespace)  # noqa: S102 - written above
        ends_well = asyncio.run(called(namespace["ext"], tool, given))
        assert ("error" in told or "warning" in told) is not ends_well, text
