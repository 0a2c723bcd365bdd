"""What the cases of a ``match`` leave of the values of its subject."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = '@ext.panel("p")\nasync def p(ctx, a=None):\n'
MAYBE = "x = None\nif a:\n    x = Count(total=1)\n"
USE = 'await ctx.cache.set("k", x, ttl_seconds=60)'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"match x:\n    case None:\n        return\n    case _:\n        {USE}", []),
        (f"match x:\n    case Count():\n        {USE}", []),
        (f"match x:\n    case None if a:\n        return\n    case _:\n        {USE}", ["warning"]),
        (f"match x:\n    case None:\n        {USE}", ["error"]),
        (f"match x:\n    case True:\n        return\n    case _:\n        {USE}", ["warning"]),
    ],
)
def test_none_and_others(lint: Lint, body: str, expected: list[str]) -> None:
    """``case None:`` keeps None from the cases behind it, unless it has a guard."""
    found = lint("FED303", with_body(HEAD, MAYBE + body))
    assert expected == [item.severity for item in found]


@pytest.mark.parametrize(("asked", "expected"), [("900", ["error"]), ("60", [])])
def test_a_value_that_is_named(lint: Lint, asked: str, expected: list[str]) -> None:
    """``case 60:`` is reached by that value alone."""
    body = (
        "ttl = 60\nif a:\n    ttl = 900\n"
        f"match ttl:\n    case {asked}:\n"
        '        await ctx.cache.set("k", Count(total=1), ttl_seconds=ttl)'
    )
    assert expected == [item.severity for item in lint("FED302", with_body(HEAD, body))]


@pytest.mark.parametrize(
    ("guard", "expected"),
    [("5 <= ttl <= 300", []), ("other", ["warning"])],
)
def test_a_guard_holds_in_its_case(lint: Lint, guard: str, expected: list[str]) -> None:
    """``case int() if ttl <= 300:`` is reached by such values alone."""
    body = (
        "ttl = 60\nif a:\n    ttl = 900\n"
        f"match ttl:\n    case int() if {guard}:\n"
        '        await ctx.cache.set("k", Count(total=1), ttl_seconds=ttl)'
    )
    assert expected == [item.severity for item in lint("FED302", with_body(HEAD, body))]
