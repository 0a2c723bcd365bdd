"""Results of ``@ext.expose``: ``ExtensionsClient.call`` hands over the object itself."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "from datetime import datetime\n\n\n"
    "def done(data):\n    return ActionResult.success(data, 's')\n\n\n"
    "{decorators}\nasync def get(ctx):\n    return {result}\n\n\n"
)
EXPOSED = '@ext.expose("get")'
RESULTS = ("ActionResult.success({'at': datetime.now()}, 's')", "done({'at': datetime.now()})")
CHAT = '@chat.function("f", "Tells")\nasync def f(ctx, p):\n    return await {}(ctx)\n'
OTHERS = (
    CHAT.format("get"),
    "ALL = {'get': get}\n\n\n" + CHAT.format("ALL[p]"),
    "class Box:\n    pass\n\n\nbox = Box()\nbox.get = get\n" + CHAT.format("box.get"),
)


def _found(lint: Lint, decorators: str, result: str, more: str = "") -> list[str]:
    text = HEAD.format(decorators=decorators, result=result) + more
    return [item.code for item in lint("FED401 FED402 FED403", text)]


@pytest.mark.parametrize("result", RESULTS)
def test_only_exposed(lint: Lint, result: str) -> None:
    """Another extension gets the object as it is: nothing is serialised."""
    assert [] == _found(lint, EXPOSED, result)
    nested = '@ext.expose("more")\nasync def more(ctx):\n    return await get(ctx)\n'
    assert [] == _found(lint, EXPOSED, result, nested)


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("more", OTHERS)
def test_exposed_and_more(lint: Lint, result: str, more: str) -> None:
    """What the kernel may get in another way is judged."""
    assert ["FED402"] == _found(lint, EXPOSED, result, more)


@pytest.mark.parametrize("result", RESULTS)
def test_not_exposed(lint: Lint, result: str) -> None:
    """So is what handlers of another kind return, also beside ``@ext.expose``."""
    chat = '@chat.function("g", "Tells")'
    assert ["FED402"] == _found(lint, chat, result)
    assert ["FED402"] == _found(lint, f"{EXPOSED}\n{chat}", result)
    assert ["FED402"] == _found(lint, "", result)


def test_texts_and_long_data(lint: Lint) -> None:
    """Neither has what is only exposed a ledger that cuts it, nor a classifier that reads it."""
    for result, code in (("'36'", "FED401"), ("{'text': 'x' * 5000}", "FED403")):
        made = f"ActionResult.success({result}, 's')"
        assert [] == _found(lint, EXPOSED, made)
        assert [code] == _found(lint, '@chat.function("g", "Tells")', made)
