"""Results in content blocks: an envelope on either side, in which nothing may be lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .made import audited, seen
from .spans_made import span, written

_ORDERS = '[{"id": "AD-100", "amount": 45.45, "gift": false}, {"id": "AD-102", "amount": 1}]'
_RESPACED = '[{"gift":false,"amount":45.45,"id":"AD-100"},\n {"amount":1,"id":"AD-102"}]'
_CHANGED = _ORDERS.replace("45.45", "45.46")
_PRINTED = "[{'id': 'AD-100', 'amount': 45.45, 'gift': False}, {'id': 'AD-102', 'amount': 1}]"
_NOTE = "note of today:\n- call back\n"
_CALL = {"type": "tool_call", "id": "c1", "name": "list_orders", "arguments": {}}


def _text(*texts: str, **beside: Any) -> str:
    return json.dumps([{**beside, "text": each} for each in texts])


def _typed(*texts: str) -> str:
    return _text(*texts, type="text")


def _json(text: str) -> str:
    return f'[{{"json": {text}}}]'


def _recording(path: Path, result: str, shown: Any) -> Path:
    """One turn: a call, what its span says that it gave, and what the model is shown of it."""
    user = {"role": "user", "parts": [{"type": "text", "content": "my orders"}]}
    asks = {"role": "assistant", "parts": [_CALL]}
    part = {"type": "tool_call_response", "id": "c1", "response": shown}
    answer = {"role": "assistant", "parts": [{"type": "text", "content": "Here they are."}]}
    chat = {"gen_ai.operation.name": "chat", "user.id": "u1", "session.id": "s1"}
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "list_orders",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": "{}",
        "gen_ai.tool.call.result": result,
    }
    given, out = "gen_ai.input.messages", "gen_ai.output.messages"
    asked = [user, asks, {"role": "tool", "parts": [part]}]
    first = {given: json.dumps([user]), out: json.dumps([asks])}
    second = {given: json.dumps(asked), out: json.dumps([answer])}
    return written(
        path,
        [
            span("chat", (0, 1), chat | first),
            span("execute_tool list_orders", (1, 2), tool),
            span("chat", (2, 3), chat | second),
        ],
    )


def _broken(path: Path) -> dict[str, list[str]]:
    tallies = audited(path).judged.tallies.items()
    return {clause.partition("/")[2]: sorted(t.kinds) for clause, t in tallies if t.kinds}


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (_text(_ORDERS), _ORDERS),
        (_ORDERS, _text(_ORDERS)),
        (_ORDERS, [{"text": _ORDERS}]),
        (_text(_ORDERS), _typed(_ORDERS)),
        (_text(_ORDERS), _text(_RESPACED)),
        (_text(_ORDERS), _RESPACED),
        (_json(_ORDERS), _ORDERS),
        (_ORDERS, [{"json": json.loads(_ORDERS)}]),
        (_json(_ORDERS), _text(_RESPACED)),
        (f'{{"toolUseId": "c1", "status": "success", "content": {_json(_ORDERS)}}}', _ORDERS),
        (f'{{"content": {_typed(_ORDERS)}, "isError": false}}', _ORDERS),
        (json.dumps([{"type": "text", "text": _ORDERS, "annotations": None}]), _ORDERS),
        (_text("a text", _ORDERS), f"a text\n{_ORDERS}"),
        (_text("a text", _ORDERS), f"a text{_ORDERS}"),
        (_text("a text", _ORDERS), _text("a text", _RESPACED)),
        (_typed('{"id": 1}', '{"id": 2}'), '[{"id":1},{"id":2}]'),
        (_text("one", "two"), _text("one", "two")),
        (_text(_ORDERS, id="7"), _text(_ORDERS, id="7")),
    ],
)
def test_blocks_around_a_result_blame_nobody(result: str, shown: Any, tmp_path: Path) -> None:
    """Whether the tool's span, the prompt or both hold them, and whatever the spacing in them."""
    path = _recording(tmp_path / "spans.json", result, shown)
    found = seen(audited(path))

    assert {} == _broken(path)
    assert (1, 0) == (found["values-kept"][0] + found["text-kept"][0], found["json-kept"][2])


@pytest.mark.parametrize(
    ("result", "shown", "clause"),
    [
        (_text(_ORDERS), _CHANGED, "values-kept"),
        (_ORDERS, _text(_CHANGED), "values-kept"),
        (_text(_ORDERS), _text(_CHANGED), "values-kept"),
        (_text(_ORDERS), _text(_RESPACED.replace("false", '"false"')), "values-kept"),
        (_json(_ORDERS), _text(_CHANGED), "values-kept"),
        (_text("7", id="x"), "7", "values-kept"),
        (_text("7"), '[{"text": 8}]', "values-kept"),
        (_text("one", "two"), "one", "text-kept"),
        (_text("one", "two"), _text("two", "one"), "text-kept"),
        (_text(_NOTE), _text(_NOTE.strip()), "text-kept"),
        (_text(_NOTE), _NOTE[:-6], "text-kept"),
    ],
)
def test_a_loss_in_blocks_is_found(result: str, shown: Any, clause: str, tmp_path: Path) -> None:
    """Values are compared as they stand or opened on both sides, never more freely than that."""
    assert clause in _broken(_recording(tmp_path / "spans.json", result, shown))


@pytest.mark.parametrize("result", [_ORDERS, _text(_ORDERS), _json(_ORDERS)])
@pytest.mark.parametrize("shown", [_PRINTED, _text(_PRINTED), [{"text": _PRINTED}]])
def test_what_python_printed_into_a_block_is_found(result: str, shown: Any, tmp_path: Path) -> None:
    """JSON in a block is JSON, and what is none in it is none."""
    path = _recording(tmp_path / "spans.json", result, shown)

    assert {"json-kept": ["not JSON"], "no-python-repr": ["a Python repr"]} == _broken(path)


def test_a_text_in_a_block_is_a_text(tmp_path: Path) -> None:
    """The clause about texts is not said to have nothing to judge."""
    path = _recording(tmp_path / "spans.json", _text(_NOTE), [{"text": _NOTE}])

    assert (1, 0, 0) == seen(audited(path))["text-kept"]
