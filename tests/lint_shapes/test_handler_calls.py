"""FED531 and FED532: what the SDK calls handlers with, and what it awaits."""

from __future__ import annotations

import pytest

from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

from .conftest import Lint

KINDS = {
    '@ext.panel("notes")': "error",
    '@ext.widget("notes")': "error",
    '@ext.tray("notes")': "error",
    '@ext.menu_item("notes")': "error",
    '@ext.tool("notes")': "error",
    '@ext.tool("skeleton_alert_notes")': "error",
    '@ext.skeleton("notes")': "error",
    '@ext.webhook("notes")': "error",
    '@ext.signal("notes")': "error",
    '@ext.expose("notes")': "error",
    '@ext.schedule("notes", cron="* * * * *")': "warning",
    '@ext.on_event("notes.made")': "warning",
    '@ext.on_upgrade("1.1.0")': "",
    "@ext.on_install": "",
    "@ext.health_check": "warning",
    '@chat.function("notes", "All notes")': "warning",
}
AWAITED = ("panel", "widget", "tray", "menu_item", "expose")


@pytest.mark.parametrize(("decorator", "severity"), KINDS.items())
def test_each_kind_is_called_with_the_context(lint: Lint, decorator: str, severity: str) -> None:
    """An error where code of the SDK calls it, a warning where the documents say so.

    The manifest tells what a hook takes.
    """
    found = lint("FED531", f"{decorator}\nasync def notes():\n    return {{}}\n")
    assert [severity] * bool(severity) == [item.severity for item in found]
    for given in ("ctx", "*args", "ctx, **more", "context: object, **more"):
        request = ", headers, body, query_params" * (given == "ctx" and "webhook" in decorator)
        taken = f"{decorator}\nasync def notes({given}{request}):\n    return {{}}\n"
        assert () == lint("FED531", taken)


@pytest.mark.parametrize("decorator", KINDS)
def test_what_is_awaited_has_to_be_async(lint: Lint, decorator: str) -> None:
    """In the newest release the wrappers and exposed methods, which await whatever comes."""
    found = lint("FED532", f"{decorator}\ndef notes(ctx):\n    return {{}}\n")
    expected = ["error"] * any(f".{kind}(" in decorator for kind in AWAITED)
    assert expected == [it.severity for it in found]


OWN = """
class Own(Extension):
    def panel(self, panel_id):
        return lambda function: function


own = Own("notes")


@own.panel("notes")
def notes():
    return {}
"""
PATCHED = """
def panel(self, panel_id):
    return lambda function: function


Extension.panel = panel


@ext.panel("notes")
def notes():
    return {}
"""
BARE = "@ext.tool\ndef notes():\n    return {}\n"
METHOD = "class Board:\n    @ext.panel('notes')\n    def notes():\n        return {}\n"
ELSEWHERE = "@bus.panel('notes')\ndef notes():\n    return {}\n"


@pytest.mark.parametrize("text", [OWN, PATCHED, BARE, METHOD, ELSEWHERE])
def test_what_the_sdk_does_not_call_is_left_alone(lint: Lint, text: str) -> None:
    """Decorators of the extension, methods, and what stands without brackets."""
    assert () == lint("FED531 FED532", text)


@pytest.mark.parametrize(
    ("written", "is_told"),
    [
        ("title: str", True), ("limit: int | None", True), ("rows: list[dict]", True),
        ("given: Count", True), ("given: 'Count'", True), ("ctx: dict", False),
        ("my_ctx: dict", False), ("_: dict", False), ("given", False), ("given: Ctx", False),
        ("given: Any", False), ("given: Unknown", False),
    ],
)  # fmt: skip
def test_what_is_written_at_the_first_parameter_tells(
    lint: Lint, written: str, is_told: bool
) -> None:
    """Only what can be no context, under a name that says nothing of one."""
    name = written.partition(":")[0]
    head = "from typing import Any\nfrom imperal_sdk import Context\n\n\nclass Ctx(Context): ...\n"
    text = f'{head}\n\n@ext.tool("t")\nasync def t({written}):\n    return {{"x": {name}}}\n'
    found = lint("FED531", PREAMBLE + text)
    assert ["error"] * is_told == [it.severity for it in found]


RETURNED = {
    "{}": "error",
    "[shown(ctx)]": "error",
    "Count(total=1).model_dump()": "error",
    'ui.Text("x")': "error",
    "Count(total=1)": "error",
    "None if ctx else 'x'": "error",
    "shown(ctx)": "",
    "ctx.store.query('x')": "",
    "elsewhere(ctx)": "",
    "elsewhere(ctx) if ctx else {}": "warning",
    "shown(ctx) if ctx.user else {}": "",
    "Later()": "",
}


@pytest.mark.parametrize(("result", "severity"), RETURNED.items())
def test_a_plain_function_may_return_what_is_awaited(
    lint: Lint, result: str, severity: str
) -> None:
    """A coroutine, something with __await__, or what nobody here knows."""
    text = (
        "from imperal_sdk import ui\nfrom somewhere import elsewhere\n\n\n"
        "async def shown(ctx):\n    return {}\n\n\n"
        "class Later(BaseModel):\n    def __await__(self):\n        yield\n\n\n"
        f'@ext.panel("p")\ndef p(ctx):\n    return {result}\n'
    )
    found = lint("FED532", PREAMBLE + text)
    assert [severity] * bool(severity) == [it.severity for it in found]


def fixed(found: tuple[Finding, ...]) -> list[bool]:
    """Tell of each finding whether it has a fix."""
    return [item.fix is not None for item in found]


def test_only_what_nobody_else_calls_is_made_async(lint: Lint) -> None:
    """A helper that calls the function would get a coroutine; a generator stays none."""
    panel = '@ext.panel("p")\ndef p(ctx):\n    return {}\n'
    assert [True] == fixed(lint("FED532", panel))
    assert [False] == fixed(lint("FED532", f"{panel}\n\ndef other(ctx):\n    return p(ctx)\n"))
    assert [False] == fixed(lint("FED532", f"{panel}\n\nTABLE = [p]\n"))
    assert [False] == fixed(lint("FED532", panel.replace("return", "yield")))
