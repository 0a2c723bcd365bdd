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
    f"x = {{}}\na = []\nif not a:\n    x = Count(total=1)\nfill(a)\nif a:\n    {USE}",
    f"x = {{}}\na = {{}}\nif not a:\n    x = Count(total=1)\nfill(to=a)\nif a:\n    {USE}",
    f"x = {{}}\na = Lease()\nif not a:\n    x = Count(total=1)\na.renew()\nif a:\n    {USE}",
    f"x = {{}}\nif not a.gone:\n    x = Count(total=1)\nif a.gone:\n    {USE}",
    f"x = {{}}\nif a:\n    x = Count(total=1)\nif b:\n    {USE}",
    f"x = {{}}\nif a:\n    x = Count(total=1)\nif a or b:\n    {USE}",
    f"x = {{}}\nif a and b:\n    x = Count(total=1)\nif a:\n    {USE}",
    f"x = {{}}\nif a:\n    x = Count(total=1)\na = b\nif a:\n    {USE}",
    f"if a:\n    a = b\n    x = {{}}\n    if a:\n        x = Count(total=1)\n    {USE}",
    f"x = {{}}\nif a:\n    x = Count(total=1)\nfor a in rows:\n    if a:\n        {USE}",
    f"x = {{}}\nif a:\n    x = Count(total=1)\nwhile b:\n    if a:\n        {USE}\n    a = b",
    f"x = {{}}\na = []\nif a:\n    x = Count(total=1)\na.append(1)\nif a:\n    {USE}",
    f"x = {{}}\nif a.on:\n    x = Count(total=1)\na.on = True\nif a.on:\n    {USE}",
    f"x = {{}}\nif b():\n    x = Count(total=1)\nif b():\n    {USE}",
    f"x = {{}}\nif READY:\n    x = Count(total=1)\nboot()\nif READY:\n    {USE}",
    (
        f"def turn():\n    nonlocal a\n    a = True\nx = {{}}\nif a:\n    x = Count(total=1)\n"
        f"turn()\nif a:\n    {USE}"
    ),
    f"x = {{}}\nfor b in rows:\n    if a:\n        x = Count(total=1)\nif a:\n    {USE}",
)
ALWAYS_WRONG = (
    f"x = Count(total=1)\nif a:\n    x = {{}}\nif a:\n    {USE}",
    f"x = Count(total=1)\nif a is None:\n    x = {{}}\nif a is not None:\n    return\n{USE}",
)


@pytest.mark.parametrize("body", AGREEING)
def test_the_same_condition(lint: Lint, body: str) -> None:
    """A use that only a model reaches is silent."""
    assert () == lint("FED303", with_body(HEAD, body))


@pytest.mark.parametrize("body", OTHERS)
def test_a_condition_that_may_turn_out_otherwise(lint: Lint, body: str) -> None:
    """Where another value may come as well, a warning stays."""
    assert ["warning"] == [it.severity for it in lint("FED303", with_body(HEAD, body))]


@pytest.mark.parametrize("body", ALWAYS_WRONG)
def test_the_same_condition_of_a_wrong_value(lint: Lint, body: str) -> None:
    """A use that only a dict reaches is an error."""
    assert ["error"] == [it.severity for it in lint("FED303", with_body(HEAD, body))]


@pytest.mark.parametrize(("given", "expected"), [("self.on = False", "warning"), ("pass", "error")])
def test_an_attribute_that_another_file_changes(lint: Lint, given: str, expected: str) -> None:
    """What a method of another file gives an attribute may stand there the second time."""
    body = f"x = {{}}\nif a.on:\n    x = Count(total=1)\na.end()\nif not a.on:\n    {USE}"
    found = lint(
        "FED303",
        with_body(HEAD, body).replace("class Lease", "import switches\n\n\nclass Lease"),
        switches__py=f"class Switch:\n    def end(self):\n        {given}\n",
    )
    assert [expected] == [it.severity for it in found]
