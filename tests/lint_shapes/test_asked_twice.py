"""What a name gets under one condition, and its use under the same condition."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = (
    "class Lease:\n    @property\n    def gone(self):\n        return input()\n\n\n"
    "READY = False\nSHOWN = bool(input())\n\n\n"
    "def boot():\n    global READY\n    READY = True\n\n\n"
    '@ext.panel("p")\nasync def p(ctx, a=None, b=None, rows=()):\n'
)
USE = 'await ctx.cache.set("k", x, ttl_seconds=60)'
AGREEING = (
    f"x = {{}}\nif a:\n    x = Count(total=1)\nif a:\n    {USE}",
    f"x = None\nif a:\n    x = Count(total=1)\nb = a\nif not a:\n    return\n{USE}",
    f"if a:\n    x = {{}}\nelse:\n    x = Count(total=1)\nif not a:\n    {USE}",
    f"if a:\n    x = {{}}\nelif b:\n    x = Count(total=1)\nif not a and b:\n    {USE}",
    f"x = None\nif a and b:\n    x = Count(total=1)\nif a and b:\n    {USE}",
    f"x = Count(total=1)\nif a or b:\n    x = {{}}\nif not a and not b:\n    {USE}",
    f"x = Count(total=1)\nif a and b:\n    x = {{}}\nif not b:\n    {USE}",
    f"x = None\nif a is not None:\n    x = Count(total=1)\nif a is None:\n    return\n{USE}",
    f"x = None\nif a == 'y':\n    x = Count(total=1)\nif a != 'y':\n    pass\nelse:\n    {USE}",
    f"x = None\nif a.on:\n    x = Count(total=1)\nif a.on:\n    {USE}",
    f"x = None\nif SHOWN:\n    x = Count(total=1)\nif SHOWN:\n    {USE}",
    f"x = None\nif a:\n    x = Count(total=1)\nfor b in rows:\n    if a:\n        {USE}",
    f"a = b\nx = None\nif a:\n    x = Count(total=1)\nif a:\n    {USE}\na = 1",
    f"for b in rows:\n    x = None\n    if b:\n        x = Count(total=1)\n    assert b\n    {USE}",
    f"x = None\na = list(b)\nif a:\n    x = Count(total=1)\nn = len(a)\nif a:\n    {USE}",
    f"a = []\nif a is not None:\n    x = Count(total=1)\nfill(a)\nassert a is not None\n{USE}",
)
OTHERS = (
    f"x = {{}}\nif a:\n    x = Count(total=1)\nif b:\n    {USE}",
    f"x = {{}}\nif a:\n    x = Count(total=1)\nif x:\n    {USE}",
    f"if a:\n    x = {{}}\nelif b:\n    x = Count(total=1)\nelse:\n    return\n{USE}",
    f"if a:\n    x = {{}}\n    if a:\n        x = Count(total=1)\n    {USE}",
)
"""The conditions ask for something else, or stand in each other."""


@pytest.mark.parametrize("body", AGREEING)
def test_the_same_condition(lint: Lint, body: str) -> None:
    """Which of the values reaches the use is not known."""
    assert () == lint("FED303", with_body(HEAD, body))


@pytest.mark.parametrize("body", OTHERS)
def test_a_condition_that_may_turn_out_otherwise(lint: Lint, body: str) -> None:
    """Where another value may come as well, there is a warning."""
    assert ["warning"] == [it.severity for it in lint("FED303", with_body(HEAD, body))]
