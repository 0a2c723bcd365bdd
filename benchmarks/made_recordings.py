"""Makes recordings of any size, with breaches that are known: for tests and benchmarks.

    python benchmarks/made_recordings.py FOLDER --conversations 5000 --files 8

writes OTLP as JSON lines, a request for each turn, and `planted.json` beside them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("a Python repr", "a value that is cut", "another value",
         "leak in a system message", "leak in an answer")  # fmt: skip
START = 1_795_000_000_000_000_000
_WORDS = ("plan", "report", "invoice", "draft", "review", "budget", "order", "ticket", "offer")
_STATES = ("pending", "approved", "rejected")


@dataclass
class Made:
    """A recording: a line for each turn, and what is wrong in it.

    Attributes:
        lines: OTLP as JSON, one request each, in the order of time.
        planted: kind, session and index of the turn of each breach.
    """

    lines: list[str] = field(default_factory=list)
    planted: list[tuple[str, str, int]] = field(default_factory=list)


def attribute(key: str, value: Any) -> dict[str, Any]:
    """Return an attribute as OTLP writes it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return {"key": key, "value": {"stringValue": text}}


def span(trace: str, number: int, start: int, *attributes: dict[str, Any]) -> dict[str, Any]:
    """Return a span as OTLP writes it."""
    made = {"traceId": trace, "spanId": f"{number:016x}", "name": "chat"}
    return {**made, "startTimeUnixNano": str(start), "attributes": [*attributes]}


def request(spans: list[dict[str, Any]]) -> str:
    """Return a line with spans."""
    scope = {"scope": {"name": "made"}, "spans": spans}
    document = {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [scope]}]}
    return json.dumps(document, ensure_ascii=False)


def result(draw: random.Random, session: str, turn: int) -> dict[str, Any]:
    """Return what a call gives: texts of its user alone, common words, numbers."""
    return {
        "total": draw.randrange(100),
        "price": round(draw.random() * 100, 2),
        "state": draw.choice(_STATES),
        "items": [
            {
                "id": f"{session}-{turn}-{number}-{draw.randrange(10**9):09d}",
                "owner": f"{draw.choice(_WORDS)}.{draw.randrange(10**8)}@{session}.example",
                "title": f"{draw.choice(_WORDS)} {draw.randrange(10**6)}",
                "done": draw.random() < 0.5,
            }
            for number in range(draw.randint(1, 4))
        ],
    }


class Conversation:
    """A conversation that grows turn by turn."""

    def __init__(self, number: int, draw: random.Random) -> None:
        self.session, self.user = f"s{number}", f"u{number}"
        self.messages: list[dict[str, Any]] = [part("system", "You are a careful assistant.")]
        self.turn = 0
        self.given: list[dict[str, Any]] = []
        self._draw, self._number = draw, number

    def take(self, start: int, plant: str = "", foreign: str = "") -> str:
        """Return the line of the next turn; ``plant`` says what is wrong in it."""
        draw, turn = self._draw, self.turn
        self.turn += 1
        trace = f"{self._number:024x}{turn:08x}"
        name = "alpha__read_items"
        call = f"call_{self._number}_{turn}"
        if plant == "leak in a system message":
            self.messages.append(part("system", f"Known of the user: {foreign}"))
        self.messages.append(part("user", f"please do {draw.choice(_WORDS)} number {turn}"))
        given = result(draw, self.session, turn)
        self.given.append(given)
        who = (attribute("gen_ai.conversation.id", self.session),
               attribute("metadata", {"user.id": self.user}))  # fmt: skip
        asked = {"type": "tool_call", "id": call, "name": name, "arguments": "{}"}
        calls = {"role": "assistant", "parts": [asked]}
        spans = [span(trace, 1, start, attribute("gen_ai.operation.name", "invoke_agent"), *who)]
        spans.append(_chat(trace, 2, start + 1, self.messages, [calls], who))
        told = [attribute("gen_ai.operation.name", "execute_tool"),
                attribute("gen_ai.tool.name", name), attribute("gen_ai.tool.call.id", call),
                attribute("gen_ai.tool.call.result", given)]  # fmt: skip
        spans.append(span(trace, 3, start + 2, *told, *who))
        self.messages += [calls, _shown(call, given, plant)]
        answer = f"Done with {draw.choice(_WORDS)}, {given['total']} found."
        if plant == "leak in an answer":
            answer += f" As {foreign} asked."
        said = part("assistant", answer)
        spans.append(_chat(trace, 4, start + 3, self.messages, [said], who))
        self.messages.append(said)
        return request(spans)


def part(role: str, text: str) -> dict[str, Any]:
    """Return a message with one text."""
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _shown(call: str, given: dict[str, Any], plant: str) -> dict[str, Any]:
    text = json.dumps(given, ensure_ascii=False)
    if plant == "a Python repr":
        text = repr(given)
    elif plant == "a value that is cut":
        text = text[: len(text) * 2 // 3]
    elif plant == "another value":
        text = json.dumps({**given, "total": given["total"] + 1})
    answer = {"type": "tool_call_response", "id": call, "response": text}
    return {"role": "user", "parts": [answer]}


def _chat(
    trace: str,
    number: int,
    start: int,
    messages: list[Any],
    output: list[Any],
    who: tuple[Any, ...],
) -> dict[str, Any]:
    told = (
        attribute("gen_ai.operation.name", "chat"),
        attribute("gen_ai.input.messages", messages),
        attribute("gen_ai.output.messages", output),
    )
    return span(trace, number, start, *told, *who)


def made(
    conversations: int, *, turns: tuple[int, int] = (5, 20), plant_every: int = 50, seed: int = 7
) -> Made:
    """Return a recording.

    Args:
        conversations: how many.
        turns: the fewest and the most turns of one.
        plant_every: about each so-many-th turn is broken; 0 breaks none.
        seed: from which everything is drawn.
    """
    found = Made()
    for line, planted in lines(conversations, turns=turns, plant_every=plant_every, seed=seed):
        found.lines.append(line)
        if planted:
            found.planted.append(planted)
    return found


def lines(
    conversations: int, *, turns: tuple[int, int] = (5, 20), plant_every: int = 50, seed: int = 7
) -> Iterator[tuple[str, tuple[str, str, int] | None]]:
    """Yield the lines of a recording, each with what is wrong in it; see ``made``."""
    draw = random.Random(seed)  # noqa: S311  nothing secret is drawn
    alive: list[tuple[Conversation, int]] = []
    begun, moment, before = 0, START, ""
    while begun < conversations or alive:
        if begun < conversations and len(alive) < 8:
            alive.append((Conversation(begun, draw), draw.randint(*turns)))
            begun += 1
            continue
        index = draw.randrange(len(alive))
        talk, length = alive[index]
        plant = ""
        if plant_every and talk.turn > 0 and before and draw.random() < 1 / plant_every:
            plant = draw.choice(KINDS)
        if plant.startswith("leak") and f"@{talk.session}." in before:
            plant = ""
        moment += draw.randrange(1, 10**9)
        line = talk.take(moment, plant, before)
        yield line, (plant, talk.session, talk.turn - 1) if plant else None
        before = talk.given[-1]["items"][0]["owner"]
        if talk.turn >= length:
            del alive[index]


def write(folder: Path, conversations: int, files: int, **how: Any) -> None:
    """Write a recording into files, and beside them what is planted."""
    folder.mkdir(parents=True, exist_ok=True)
    planted: list[tuple[str, str, int]] = []
    opened = [(folder / f"spans-{number}.jsonl").open("w") for number in range(files)]
    try:
        for number, (line, wrong) in enumerate(lines(conversations, **how)):
            opened[number % files].write(f"{line}\n")
            if wrong:
                planted.append(wrong)
    finally:
        for file in opened:
            file.close()
    (folder / "planted.json").write_text(json.dumps(planted))


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--conversations", type=int, default=1_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--plant-every", type=int, default=50)
    parser.add_argument("--most-turns", type=int, default=20)
    asked = parser.parse_args(sys.argv[1:])
    write(asked.folder, asked.conversations, asked.files, plant_every=asked.plant_every,
          turns=(5, asked.most_turns))  # fmt: skip


if __name__ == "__main__":
    main()
