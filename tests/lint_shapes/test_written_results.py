"""Helpers whose annotation names an object of the SDK: the body says whether that is so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import elsewhere
from imperal_sdk import ActionResult, Extension

ext = Extension("notes")


class Env:
    ok = True


def made():
    return Env()


class Maker:
    def made(self):
        return Env()


def locked():
    return ActionResult.error("Locked")


"""
PANEL = """


@ext.panel("p")
async def p(ctx):
    r = await load(ctx)
    return r.ok
"""
BODIES: dict[str, tuple[str, list[str]]] = {
    "an own class": ("return Env()", []),
    "a name of an own class": ("env = Env()\n    return env", []),
    "what the SDK makes": ("return ActionResult.success({}, 'x')", ["error"]),
    "an own class or nothing": ("if not ctx.user:\n        return None\n    return Env()", []),
    "one of two own classes": ("return Env() if ctx.user else made()", []),
    "what a method makes": ("return Maker().made()", []),
    "nothing": ("return None", ["error"]),
    "one of two": ("if ctx.user:\n        return Env()\n    return locked()", ["warning"]),
    "what is not known": ("return elsewhere.loaded(ctx)", ["error"]),
    "an own class of another helper": ("return made()", []),
    "what another helper makes": ("return locked()", ["error"]),
    "a class that extends the written one": ("return Mine('ok')", ["error"]),
}
"""What a body returns → the body, the severities."""


@pytest.mark.parametrize("what", BODIES)
def test_a_body_beats_what_is_written_above_it(lint: Lint, what: str) -> None:
    """An annotation is believed unless everything that is returned proves it wrong."""
    body, expected = BODIES[what]
    helper = f"async def load(ctx) -> ActionResult:\n    {body}\n"
    mine = "class Mine(ActionResult):\n    pass\n\n\n"
    assert expected == [item.severity for item in lint("FED105", f"{HEAD}{mine}{helper}{PANEL}")]
