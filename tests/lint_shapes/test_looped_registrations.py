"""Handlers that a loop over a table registers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .programs import only_error

Lint = Callable[..., tuple[Finding, ...]]

HANDLERS = (
    'async def first(ctx):\n    return await ctx.skeleton.get("n")\n\n\n'
    "async def second(ctx):\n    return None\n"
)
HEAD = f"from imperal_sdk import Extension\nimport more\n\next = Extension('n')\n\n\n{HANDLERS}\n\n"
LOOPS = {
    "rows": 'for name, f in (("a", first), ("b", second)):\n    ext.tool(name)(f)\n',
    "a list": 'for name, f in [["a", first]]:\n    ext.panel(name, slot="left")(f)\n',
    "a table": 'TABLE = (("a", first),)\nfor name, f in TABLE:\n    ext.tool(name)(f)\n',
    "a dict": 'TABLE = {"a": first}\nfor name, f in TABLE.items():\n    ext.tool(name=name)(f)\n',
    "functions": "for f in (first, second):\n    ext.on_install()(f)\n",
    "three places": 'for name, (f, _) in (("a", (first, 1)),):\n    ext.tool(name)(f)\n',
    "a function": (
        'def register(ext):\n    for name, f in (("a", first),):\n        ext.tool(name)(f)\n\n\n'
        "register(ext)\n"
    ),
}
OTHERS = {
    "a skeleton": 'for name, f in (("a", first),):\n    ext.skeleton(name)(f)\n',
    "a skeleton tool": 'for n, f in (("skeleton_refresh_a", first),):\n    ext.tool(n)(f)\n',
    "an unknown name": "for n, f in ((more.NAME, first),):\n    ext.tool(n)(f)\n",
    "a made name": 'for n, f in (("a", first),):\n    ext.tool(f"skeleton_{n}")(f)\n',
    "another one": 'for name, f in (("a", second),):\n    ext.tool(name)(f)\n',
    "a choice": 'for n, f in (("a", first),):\n    if n != "a":\n        ext.tool(n)(f)\n',
    "a jump": (
        'for n, f in (("a", first),):\n    if n == "a":\n        continue\n    ext.tool(n)(f)\n'
    ),
    "another value": (
        'for n, f in (("a", first),):\n    f = more.wrapped(f)\n    ext.tool(n)(f)\n'
    ),
    "other objects": 'for n, f in (("a", first),):\n    more.tool(n)(f)\n',
    "other rows": "for n, f in more.ROWS:\n    ext.tool(n)(f)\n",
    "uneven rows": 'for n, f in (("a", first, 1),):\n    ext.tool(n)(f)\n',
}


@pytest.mark.parametrize("how", LOOPS)
def test_a_handler_that_a_loop_registers_is_one(lint: Lint, how: str) -> None:
    """Each round calls the decorator with its row."""
    message = only_error(lint("FED201", HEAD + LOOPS[how], more__py=""))
    assert "ctx.skeleton.get('n') raises" == " ".join(message.split()[:2])


@pytest.mark.parametrize("how", OTHERS)
def test_what_no_round_certainly_registers_is_none(lint: Lint, how: str) -> None:
    """Skeleton handlers, names that a round does not show, rounds that leave it out."""
    assert () == lint("FED201", HEAD + OTHERS[how], more__py="NAME = input()\n")


def test_the_label_has_the_name_of_the_round(lint: Lint) -> None:
    """The message names what is registered, not the variable."""
    message = only_error(lint("FED201", HEAD + LOOPS["a table"], more__py=""))
    assert '(@ext.tool("a") first)' in message


def test_functions_of_another_file_are_found(lint: Lint) -> None:
    """The loop stands where the extension is made."""
    loop = 'for name, f in (("a", more.first), ("b", more.second)):\n    ext.tool(name)(f)\n'
    text = f"from imperal_sdk import Extension\nimport more\n\next = Extension('n')\n{loop}"
    (found,) = lint("FED201", text, more__py=HANDLERS)
    assert found.path.endswith("more.py")
