"""A flag that is asked again: what was given where it held may be replaced where it holds again."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
@ext.panel("p")
async def p(ctx, flag: bool = False, other: bool = False, text: str = "", rows: list = []):
    v = Count(total=1)
{0}
    await ctx.cache.set("k", v, ttl_seconds=60)
"""


def _indented(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        "if flag:\n    v = {}\nprint(v)\nif flag:\n    v = Count(**v)",
        "if flag:\n    v = {}\nelse:\n    v = Count(total=2)\nif flag:\n    v = Count(**v)",
        "if not flag:\n    v = {}\nif flag:\n    print(v)\nelse:\n    v = Count(**v)",
        "if text != 'a':\n    v = {}\nif text != 'a':\n    v = Count(**v)",
        "if flag and other:\n    v = {}\nif flag:\n    v = Count(**v)",
        "if flag:\n    if other:\n        v = {}\nif flag:\n    v = Count(total=2)",
        "if flag:\n    v = {}\ntry:\n    print(v)\nfinally:\n    if flag:\n        v = Count(**v)",
    ],
)
def test_it_is_replaced(lint: Lint, body: str) -> None:
    """No way leaves the dict, or it is not known whether one does."""
    assert () == lint("FED303", TEXT.format(_indented(body)))


@pytest.mark.parametrize(
    "body",
    [
        "if flag:\n    v = {}\nif other:\n    v = Count(**v)",
    ],
)
def test_it_may_be_left(lint: Lint, body: str) -> None:
    """Another flag tells nothing of the first one."""
    (found,) = lint("FED303", TEXT.format(_indented(body)))
    assert "warning" == found.severity
