"""Attributes of SDK objects whose type the code asks for."""

from __future__ import annotations

import pytest

from .conftest import Lint


@pytest.mark.parametrize(
    "body",
    [
        "x = ctx.user['id'] if isinstance(ctx.user, dict) else ctx.user.imperal_id",
        "if isinstance(ctx.user, dict):\n        ctx.user['id']",
        "if not isinstance(ctx.user, dict):\n        return\n    ctx.user['id']",
    ],
)
def test_an_attribute_whose_type_is_asked(lint: Lint, body: str) -> None:
    """What stands behind ``isinstance(ctx.user, dict)`` never runs, and raises nothing."""
    program = f'@ext.panel("p")\nasync def p(ctx):\n    {body}\n'
    assert () == lint("FED111", program)
    other = program.replace("isinstance(ctx.user", "isinstance(ctx.time")
    assert ["error"] == [item.severity for item in lint("FED111", other)]
