"""The facts that a prompt shows: FACTS lines, and results in messages of tools.

A FACTS line is a fact wherever the kernel speaks; in a message of a tool, or in a role in which
only others speak, it is quoted text. A message of a tool shows the result of the call that it
names; an earlier message that asks for the call tells the function, and its extension if the name
holds it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from ..vocabulary.json_values import parse
from ..vocabulary.messages import Message, ToolCall
from ..vocabulary.scenario import Turn
from ..vocabulary.trace import ClassifierPrompt, prompt_text
from ..vocabulary.trace_view import TraceView
from .given import REMEMBERED, ShownFact
from .roles import is_result, quotes, read_quoting_roles, spans

FACT = re.compile(r"FACTS: app=(.*?) fn=(.*?) data=(.*)$", re.MULTILINE)
_BEGIN = re.compile(r"^[ \t]*FACTS: app=", re.MULTILINE)
_JOINTS = ("__", ".", "_", "/", ":", "-")
"""What may stand between extension and function in the name of a tool."""

_ODD = re.compile(r"[^0-9A-Za-z]+")

Owner = tuple[str | None, str | None]
"""Extension and function; ``None`` where a prompt does not tell."""


def fact_lines(text: str) -> list[ShownFact]:
    """Return the FACTS lines of a text, in order."""
    lines: list[ShownFact] = []
    for found in FACT.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        if not text[start : found.start()].strip(" \t"):
            whole, app, function, payload = found.group(0, 1, 2, 3)
            lines.append(ShownFact(whole.strip(), app, function, payload, start, found.end()))
    return lines


def shown_facts(view: TraceView, event: ClassifierPrompt, text: str) -> list[ShownFact]:
    """Return the facts of a prompt, with its text, in the order in which they stand there."""
    lines = fact_lines(text) if "FACTS:" in text else []
    if isinstance(event.prompt, str):
        return lines
    return sorted(
        [*_without_quoted(view, event, lines), *_results(view, event)], key=lambda fact: fact.start
    )


def count_facts(view: TraceView, event: ClassifierPrompt) -> tuple[int, int]:
    """Return how many FACTS lines a prompt has, and how many results in messages of tools.

    They are counted whatever the names in them do to the lines.
    """
    starts = [found.start() for found in _BEGIN.finditer(prompt_text(event))]
    if isinstance(event.prompt, str):
        return len(starts), 0
    quoting = view.reading(read_quoting_roles)
    quoted = [(at, at + len(m.text)) for at, m in spans(event) if quotes(m, quoting)]
    lines = sum(not any(a <= start < b for a, b in quoted) for start in starts)
    return lines, sum(is_result(m) and not is_failed(m) for _, m in spans(event))


def is_failed(message: Message) -> bool:
    """Whether a tool's message is marked as an error, by its flag or in its envelope."""
    return message.is_error is True or _says_error(message.content_text)


def _without_quoted(
    view: TraceView, event: ClassifierPrompt, lines: list[ShownFact]
) -> list[ShownFact]:
    quoting = view.reading(read_quoting_roles) if lines else frozenset[str]()
    quoted = [(at, at + len(m.text)) for at, m in spans(event) if quotes(m, quoting)]
    return [x for x in lines if not any(start <= x.start < end for start, end in quoted)]


def _results(view: TraceView, event: ClassifierPrompt) -> Iterator[ShownFact]:
    asked: dict[str, tuple[int, ToolCall]] = {}
    for at, message in spans(event):
        for place, call in enumerate(message.asks_for):
            asked[call.id] = at + place, call
        if not is_result(message):
            continue
        call_id = message.tool_call_id or ""
        place, call = asked.get(call_id, (at, None))
        name = call.name if call else message.name or ""
        app, function = view.reading(read_owners).of(name)
        content, *others = _contents(message)
        owner = ".".join(filter(None, (app, function))) or "an unnamed tool"
        yield ShownFact(
            text=f"message of {owner}: {content}",
            app=app,
            function=function,
            payload=content,
            start=at,
            end=at + len(message.text),
            written=False,
            others=tuple(others),
            call_id=call_id,
            failed=is_failed(message),
            place=place,
        )


class Owners:
    """The functions that were called, each under the names by which a model may call it."""

    def __init__(self, pairs: set[tuple[str, str]]) -> None:
        self._names: dict[str, set[Owner]] = defaultdict(set)
        for app, function in pairs:
            names = {f"{app}{joint}{function}" for joint in _JOINTS}
            for name in (*names, _ODD.sub("_", f"{app}_{function}")):
                self._names[name].add((app, function))
            self._names[function].add((None, function))

    def of(self, name: str) -> Owner:
        """Return whose function a name means; nothing of it where it may mean several."""
        rest = name
        while rest:
            for each in (rest, _ODD.sub("_", rest)):
                found = self._names.get(each, ())
                if found:
                    return next(iter(found)) if len(found) == 1 else (None, None)
            rest = rest.partition("__")[2]
        joint = next((joint for joint in ("__", ".") if joint in name), "")
        app, _, function = name.partition(joint) if joint else ("", "", name)
        return app or None, function or None


def read_owners(view: TraceView) -> Owners:
    """Return the owners that a trace knows; use it through ``view.reading``."""
    turns = (step.stimulus for step in view.steps if isinstance(step.stimulus, Turn))
    return Owners({(call.app, call.function) for turn in turns for call in turn.calls})


def _contents(message: Message) -> tuple[str, ...]:
    """Return a tool's content as it stands there, then as its parts alone may mean it."""
    texts = [message.content_text]
    if not isinstance(message.content, str):
        texts.append("".join(part.text for part in message.content if isinstance(part.text, str)))
        texts += [part.json for part in message.content if isinstance(part.json, str)]
    return tuple(dict.fromkeys(filter(None, texts))) or ("",)


@lru_cache(maxsize=REMEMBERED)
def _says_error(text: str) -> bool:
    try:
        value = parse(text) if '"isError"' in text else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and cast("dict[str, Any]", value).get("isError") is True
