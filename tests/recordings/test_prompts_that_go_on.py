"""Prompts that go on from one another: judged as if each were read whole, and read once."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fedcheck.conformance.recordings import judged
from fedcheck.invariants.readings import agents
from fedcheck.invariants.vocabulary.verdict import Violation

from .made import audited, generator

_INPUT, _CALL = "gen_ai.input.messages", "gen_ai.tool.call.id"


def _lost(messages: list[Any], draw: random.Random) -> None:
    del messages[draw.randrange(len(messages))]


def _twice(messages: list[Any], draw: random.Random) -> None:
    index = draw.randrange(len(messages))
    messages.insert(index, messages[index])


def _exchanged(messages: list[Any], draw: random.Random) -> None:
    one, two = draw.randrange(len(messages)), draw.randrange(len(messages))
    messages[one], messages[two] = messages[two], messages[one]


def _window(messages: list[Any], draw: random.Random) -> None:
    del messages[1 : draw.randrange(1, len(messages) + 1)]


def _foreign(messages: list[Any], draw: random.Random) -> None:
    call = f"call_{draw.randrange(4)}_{draw.randrange(5)}"
    asked = {"type": "tool_call", "id": call, "name": "alpha__read_items", "arguments": "{}"}
    shown = {"type": "tool_call_response", "id": call, "response": '{"total": 3}'}
    part = draw.choice((asked, shown))
    messages.insert(draw.randrange(len(messages)), {"role": "assistant", "parts": [part]})


def _unnamed(messages: list[Any], draw: random.Random) -> None:
    del draw
    messages[:] = json.loads(json.dumps(messages).replace('"call_', '"other_'))


_SPOILED: tuple[Callable[[list[Any], random.Random], None], ...] = (
    _lost, _twice, _exchanged, _window, _foreign, _unnamed,
)  # fmt: skip


def _spoiled(line: str, draw: random.Random) -> str:
    """Return a line in which prompts lost, repeat or exchange messages, and calls failed."""
    document = json.loads(line)
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    for span in spans:
        told = {each["key"]: each["value"] for each in span["attributes"]}
        if _INPUT in told and draw.random() < 0.08:
            messages = json.loads(told[_INPUT]["stringValue"])
            draw.choice(_SPOILED)(messages, draw)
            told[_INPUT]["stringValue"] = json.dumps(messages)
        if _CALL in told and draw.random() < 0.1:
            span["status"] = {"code": 2, "message": "the tool failed: no such item"}
            span["attributes"].append(generator().attribute("error.type", "ValueError"))
        if _CALL in told and draw.random() < 0.03:
            span["startTimeUnixNano"] = str(int(span["startTimeUnixNano"]) + 10**10)
    return json.dumps(document)


def _found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What judges say of each conversation: every breach, and the turns that they compared."""
    found: list[tuple[object, ...]] = []
    judge_view = judged.judge_view

    def heard(*words: Any) -> Any:
        said = judge_view(*words)
        for clause, findings in sorted(said.items()):
            broken = [each for each in findings if isinstance(each, Violation)]
            found.append((clause, broken, {each.step for each in findings}))
        return said

    with monkeypatch.context() as patched:
        patched.setattr(judged, "judge_view", heard)
        audited(folder)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_what_is_found_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever messages are lost, repeated, exchanged, or of calls that are recorded later."""
    draw = random.Random(seed)  # noqa: S311
    made = generator().made(8, turns=(4, 14), plant_every=6, seed=seed)
    spoiled = "\n".join(_spoiled(line, draw) for line in made.lines)
    (tmp_path / "spans.jsonl").write_text(f"{spoiled}\n")
    carried = _found(tmp_path, monkeypatch)
    monkeypatch.setattr(agents._Requests, "_shared", lambda *_: 0)  # pyright: ignore[reportPrivateUsage]
    whole = _found(tmp_path, monkeypatch)

    assert any(broken for _, broken, _ in whole)
    assert whole == carried


def test_each_message_of_a_long_conversation_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn costs what it adds, not what was said before it."""
    made = generator().made(1, turns=(60, 60), plant_every=0)
    (tmp_path / "spans.jsonl").write_text("\n".join(made.lines))
    read: list[int] = []
    is_result = agents.is_result

    def counted(message: Any) -> bool:
        read.append(id(message))
        return is_result(message)

    monkeypatch.setattr(agents, "is_result", counted)
    audited(tmp_path)

    assert 4 * 60 >= len(read)
