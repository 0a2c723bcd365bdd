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
        "try:\n    return user\nfinally:\n    return hasattr(user, 'id')",
    ],
)
def test_a_helper_that_says_something_else(lint: Lint, body: str) -> None:
    """Its answer does not tell that the attribute is there."""
    assert _told(lint, body) == {"error"}
