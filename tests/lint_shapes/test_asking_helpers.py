"""Helpers that ask whether the SDK has something, whatever else they do."""

from __future__ import annotations

import pytest

from .conftest import Lint

PANEL = """
import logging

import imperal_sdk

log = logging.getLogger("notes")


def has_id(user):
{body}


@ext.panel("p")
async def p(ctx):
    u = ctx.user
    if has_id(u):
        return u.id
"""


def _told(lint: Lint, body: str) -> set[str]:
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    found = lint("FED105", PANEL.replace("{body}", indented))
    return {it.severity for it in found if it.message.startswith("u.id")}


@pytest.mark.parametrize(
    "body",
    [
        "log.debug('asked')\nreturn hasattr(user, 'id')",
        "if user is None:\n    return False\nreturn hasattr(user, 'id')",
        "if user is None:\n    raise ValueError\nreturn hasattr(user, 'id')",
        "try:\n    return hasattr(user, 'id')\nexcept ValueError:\n    raise",
        "try:\n    return hasattr(user, 'id')\nexcept ValueError:\n    print(1)\n    return False",
        "with open('lock'):\n    return hasattr(user, 'id')",
        "import json\nfound = hasattr(user, 'id')\nreturn found",
        "name = user\nreturn hasattr(name, 'id')",
        "one = user\nfield = 'id'\nother = one\nreturn hasattr(other, field)",
        "return bool(hasattr(user, 'id') and True)",
    ],
)
def test_a_helper_that_asks(lint: Lint, body: str) -> None:
    """What it guards never runs: an error would be wrong."""
    assert _told(lint, body) == {"info"}


@pytest.mark.parametrize(
    "body",
    [
        "if user is None:\n    return True\nreturn hasattr(user, 'id')",
        "try:\n    return hasattr(user, 'id')\nexcept ValueError:\n    return True",
        "hasattr(user, 'id')\nreturn user",
        "name = user\nname = log\nreturn hasattr(name, 'id')",
        "name = log\nreturn hasattr(name, 'id')",
        "try:\n    return user\nfinally:\n    return hasattr(user, 'id')",
    ],
)
def test_a_helper_that_says_something_else(lint: Lint, body: str) -> None:
    """Its answer does not tell that the attribute is there."""
    assert _told(lint, body) == {"error"}


ASKED = """
FIELD = "id"
FIELDS = ["email", "id"]


def has(user, name="id"):
    return hasattr(user, "id")


def has_named(user, name):
    return hasattr(user, name)


class Kit:
    def has(self, user):
        return hasattr(user, "id")


@ext.panel("p")
async def p(ctx):
    u = ctx.user
    {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "if has(user=u):\n        return u.id",
        "if has(u, name='x'):\n        return u.id",
        "if Kit().has(u):\n        return u.id",
        "if hasattr(ctx.user, 'id'):\n        return u.id",
        "if hasattr(u, 'id'):\n        return ctx.user.id",
        "if hasattr(u, FIELD):\n        return u.id",
        "if has_named(u, FIELD):\n        return u.id",
        "if hasattr(v := u, 'id'):\n        return v.id",
        "v = u\n    return v.id if hasattr(u, 'id') else 1",
        "if hasattr(u, 'id') or False:\n        return u.id",
        "if all([p, hasattr(u, 'id')]):\n        return u.id",
        "if any((hasattr(u, 'id'),)):\n        return u.id",
        "if not any([not hasattr(u, 'id'), p]):\n        return u.id",
        "if bool(hasattr(u, 'id')) is True:\n        return u.id",
        "if all(hasattr(u, name) for name in ('email', FIELD)):\n        return u.id",
        "if all(hasattr(u, name) for name in FIELDS):\n        return u.id",
    ],
)
def test_the_same_object_by_another_name(lint: Lint, body: str) -> None:
    """A keyword, a default or a second name changes nothing."""
    found = lint("FED105", ASKED.replace("{body}", body))
    assert {it.severity for it in found} == {"info"}


@pytest.mark.parametrize(
    "body",
    [
        "if has(ctx.store):\n        return u.id",
        "if has(user=ctx):\n        return u.id",
        "if hasattr(ctx, 'id'):\n        return u.id",
        "if hasattr(u, p):\n        return u.id",
        "if has_named(u, 'imperal_id'):\n        return u.id",
        "v = ctx.store\n    if hasattr(v, 'id'):\n        return u.id",
        "if hasattr(u, 'id') or True:\n        return u.id",
        "if any([hasattr(u, 'id'), p]):\n        return u.id",
        "if not all([hasattr(u, 'id'), p]):\n        return u.id",
        "if any(hasattr(u, name) for name in FIELDS):\n        return u.id",
        "if all(hasattr(u, name) for name in FIELDS if name != 'id'):\n        return u.id",
    ],
)
def test_another_object_is_asked(lint: Lint, body: str) -> None:
    """Its answer says nothing of the user."""
    found = lint("FED105", ASKED.replace("{body}", body))
    assert [it.severity for it in found if "u.id:" in it.message] == ["error"]
