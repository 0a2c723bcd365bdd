"""FED534: ways of a chat function that end without an ActionResult."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = (
    "from typing import assert_never\n\n\ndef made(total):\n    return {'total': total}\n\n\n"
    "def result(total):\n    return ActionResult.success({'total': total}, 'Counted')\n\n\n"
    '@chat.function("count", "Counts")\nasync def count(ctx, params: Count) -> ActionResult:\n'
)
DONE = "return result(params.total)"
BODIES = {
    DONE: 0,
    "return {}": 1,
    "return made(params.total)": 1,
    "return made(1) if params.total else result(1)": 0,
    "data = {'total': 1}\nreturn data": 1,
    "try:\n    " + DONE + "\nexcept ValueError:\n    pass": 1,
    "try:\n    " + DONE + "\nexcept ValueError:\n    raise": 0,
    "try:\n    " + DONE + "\nfinally:\n    await ctx.log('x')": 0,
    "async with lock:\n    " + DONE: 0,
    "for _ in range(3):\n    " + DONE: 0,  # it may always be left before
    "while True:\n    " + DONE: 0,
    "while True:\n    if params.total:\n        break\n    " + DONE: 0,
    "if params.total == 1:\n    " + DONE + "\nelif params.total == 2:\n    " + DONE: 0,
    "if params.total == 1:\n    " + DONE + "\nelse:\n    assert_never(params)": 0,
    "if params.total == 1:\n    " + DONE + "\nassert False": 0,
    "if params.total == 1:\n    " + DONE + "\nelse:\n    await ctx.log('x')": 1,
    "match params.total:\n    case 1:\n        " + DONE + "\n    case _:\n        return None": 1,
    "if params.total:\n    " + DONE + "\nelse:\n    return": 1,
    "if params.total:\n    " + DONE + "\nraise ValueError('none')": 0,
    "def inner():\n    return {}\n\n\n" + DONE: 0,
    "return await elsewhere(ctx, params)": 0,
    "return await ctx.store.get('notes', 'x')": 1,
    DONE + "\nreturn {}": 0,
}


@pytest.mark.parametrize(("body", "count"), BODIES.items())
def test_each_way_of_a_chat_function_is_followed(lint: Lint, body: str, count: int) -> None:
    """What is certainly something else is told; what is not known, or another way's, is not."""
    found = lint("FED534", with_body(HEAD, body))
    assert ["warning"] * count == [item.severity for item in found]
