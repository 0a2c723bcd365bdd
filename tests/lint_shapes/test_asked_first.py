"""Questions whose answer is kept in a name or given by a helper, and tests of an object's type."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .behind import behind, severities

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import functools

from imperal_sdk import ActionResult, Extension, ui

ext = Extension("notes")
_ok = getattr(ActionResult, "ok", None)
_other = getattr(ActionResult, "success", None)
has_ok = lambda: hasattr(ActionResult, "ok")


def _has_ok():
    \"\"\"Tell it.\"\"\"
    return hasattr(ActionResult, "ok")


@functools.cache
def _kept():
    return _ok is not None


def _asks(owner, name):
    return hasattr(owner, name)


def _changes():
    print("asked")
    return hasattr(ActionResult, "ok")


def _lacks():
    return not hasattr(ActionResult, "ok")


def unsure():
    return 1


"""
GUARDED = {
    "if _ok is not None:": "info",
    "if _ok:": "info",
    "if _has_ok():": "info",
    "if has_ok():": "info",
    "if _kept():": "info",
    'if _asks(ActionResult, "ok"):': "info",
    "if not _lacks():": "info",
    "if ctx.user and _has_ok():": "info",
    "if _ok is None:": "error",
    "if _other is not None:": "error",
    "if not _has_ok():": "error",
    "if _lacks():": "error",
    'if _asks(ActionResult, "success"):': "error",
    'if _asks(ui, "ok"):': "error",
    "if _changes():": "info",
    "if unsure():": "error",
    "if _has_ok() or unsure():": "error",
}
"""Condition around ``ActionResult.ok({})`` → severity."""


@pytest.mark.parametrize("condition", GUARDED)
def test_who_asks_does_not_matter(lint: Lint, condition: str) -> None:
    """A name or a helper that asks for the attribute guards it like the question itself."""
    found = lint("FED105", HEAD + behind(condition, "return ActionResult.ok({})"))
    assert [GUARDED[condition]] == severities(found, "ActionResult.ok:")


def test_a_helper_that_leaves_first_guards_what_follows(lint: Lint) -> None:
    """``if not _has_ok(): return`` settles it."""
    text = f'{HEAD}@ext.panel("p")\nasync def p(ctx):\n    if not _has_ok():\n'
    text += "        return {}\n    return ActionResult.ok({})\n"
    found = [item for item in lint("FED105", text) if "ActionResult.ok:" in item.message]
    assert ["info"] == [item.severity for item in found]


def test_a_condition_without_arguments_asks_nothing(lint: Lint) -> None:
    """A call behind it that the SDK rejects is found."""
    text = f'{HEAD}@ext.panel("p")\nasync def p(ctx):\n    if unsure():\n'
    text += (
        '        return ActionResult.success()\n    return ui.Text(text="a") if unsure() else 1\n'
    )
    assert ["error", "error"] == [item.severity for item in lint("FED108", text)]


BRANCHES = {
    "if False:": "info",
    "if OLD:": "info",
    "if not NEW:": "info",
    "if OLD and unsure():": "info",
    "if not TYPE_CHECKING:\n        pass\n    else:": "info",
    "if NEW:": "error",
    "if OLD or unsure():": "error",
    "if CHANGED:": "error",
    "if SET:": "error",
    "if ctx.user:": "error",
    "if not TYPE_CHECKING:": "error",
}
"""Condition → severity of what raises behind it."""
FLAGS = """\
from typing import TYPE_CHECKING

import settings
from settings import SET

OLD, NEW, CHANGED = False, True, False


def change():
    global CHANGED
    CHANGED = True


settings.SET = True


"""


@pytest.mark.parametrize("code", ["FED105 ActionResult.ok({})", "FED108 ActionResult.success()"])
@pytest.mark.parametrize("condition", BRANCHES)
def test_what_never_runs_is_an_info(lint: Lint, condition: str, code: str) -> None:
    """A condition that is the same each time, by a constant that nobody changes."""
    rule, use = code.split(maxsplit=1)
    text = (
        f'{HEAD}{FLAGS}@ext.panel("p")\nasync def p(ctx):\n    {condition}\n        return {use}\n'
    )
    found = lint(rule, text, settings__py="SET = False\n")
    own = [item for item in found if item.span.line == text.count("\n")]
    assert [(BRANCHES[condition], BRANCHES[condition] == "info")] == [
        (item.severity, "never runs" in item.message) for item in own
    ]


TYPES = {
    "if type(r) is not ActionResult:": [],
    "if type(r) != ActionResult:": [],
    "if type(r) is dict:": [],
    "if type(r) not in (ActionResult, dict):": [],
    "if not type(r) is ActionResult:": [],
    "if type(r) is ActionResult:": ["error"],
    "if type(r) in (ActionResult, dict):": ["error"],
    "if type(r) is not dict:": ["error"],
    "if type(ctx) is not ActionResult:": ["error"],
}
"""Test of a result's type → severities of ``r.ok`` behind it."""


@pytest.mark.parametrize("test", TYPES)
def test_the_type_of_an_object_is_asked(lint: Lint, test: str) -> None:
    """``type(r) is …`` rules out like ``isinstance``."""
    text = f"{HEAD}async def load(ctx):\n    return ActionResult.success({{}}, 'Done')\n\n\n"
    text += f'@ext.panel("p")\nasync def p(ctx):\n    r = await load(ctx)\n    {test}\n'
    text += "        return r.ok\n    return r.status\n"
    found = [item for item in lint("FED105", text) if "r.ok" in item.message]
    assert TYPES[test] == [item.severity for item in found]


@pytest.mark.parametrize(
    ("body", "mendable"),
    [
        ("return ctx.user.id", True),
        ('return ctx.user.id if hasattr(ctx, "user") else ""', True),
        ('return ctx.user.id if hasattr(ctx.user, "id") else ""', False),
        ('if not hasattr(ctx.user, "id"):\n    return ""\nreturn ctx.user.id', False),
        ("try:\n    return ctx.user.id\nexcept AttributeError:\n    return 1", False),
    ],
)
def test_a_guarded_name_is_not_renamed(lint: Lint, body: str, *, mendable: bool) -> None:
    """The guard asks for the old name and stays false, so that nothing would come of it."""
    text = f'\n@ext.panel("p")\nasync def p(ctx):\n{textwrap.indent(body, "    ")}\n'
    found = [it for it in lint("FED105", text) if "hasattr(" not in it.message.split(":")[0]]
    assert [mendable] == [it.fix is not None for it in found]
