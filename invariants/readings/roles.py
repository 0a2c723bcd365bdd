"""In which roles of a prompt's messages the kernel itself never speaks.

A role keeps what users, models and tools say apart from what the kernel tells the model, so a line
that imitates the ledger forges nothing there. It does so only in a kernel that says nothing of its
own in that role: where all messages are the user's, a forged line looks like any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..vocabulary.messages import Message, tools_text
from ..vocabulary.scenario import Turn
from ..vocabulary.trace import ClassifierPrompt, NarratorPrompt, Reply
from ..vocabulary.trace_view import TraceView

_TOOLS = frozenset({"tool", "function"})
_USERS = frozenset({"user", "human"})
_ASSISTANTS = frozenset({"assistant", "ai", "model"})

_FRAME = 60
"""Most characters around what was said: a header, quotes, the mark of a cut."""

_LEAST = 20
"""Characters by which a text that was cut is recognised."""


def is_result(message: Message) -> bool:
    """Whether a message is a tool's: by its role, or by the call that it names.

    Some providers let tools speak in the user's role.
    """
    return message.role in _TOOLS or bool(message.tool_call_id)


def quotes(message: Message, quoting: frozenset[str]) -> bool:
    """Whether only others speak in a message: a tool, or whoever has a role of their own."""
    return is_result(message) or message.role in quoting


def read_quoting_roles(view: TraceView) -> frozenset[str]:
    """Return the roles that hold nothing but what others said; use it through ``view.reading``."""
    contents = {
        (message.role, message.content_text)
        for step in view.steps
        for event in step.all(ClassifierPrompt)
        if not isinstance(event.prompt, str)
        for message in event.prompt
        if not is_result(message)
    }
    quoting = {role for role, _ in contents} & (_USERS | _ASSISTANTS)
    said = {False: dict.fromkeys(_messages(view)), True: dict.fromkeys(_replies(view))}
    for role, content in contents:
        if role in quoting and not _is_said(content, said[role in _ASSISTANTS]):
            quoting.discard(role)
    return frozenset(quoting)


def spans(event: ClassifierPrompt | NarratorPrompt) -> Iterator[tuple[int, Message]]:
    """Yield the messages of a prompt, each with where it begins in ``prompt_text``."""
    at = len(tools_text(event.tools))
    for message in event.prompt:
        if isinstance(message, Message):
            yield at, message
            at += len(message.text) + 1


def own_text(event: ClassifierPrompt, text: str, quoting: frozenset[str]) -> str:
    """Return a prompt's text without the messages in which others speak."""
    if isinstance(event.prompt, str):
        return text
    own = (message.text for message in event.prompt if not quotes(message, quoting))
    return tools_text(event.tools) + "\n".join(own)


def _messages(view: TraceView) -> Iterator[str]:
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            yield _flat(step.stimulus.message)


def _replies(view: TraceView) -> Iterator[str]:
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            yield _flat(step.stimulus.draft)
            yield from (_flat(reply.text) for reply in step.all(Reply))


def _is_said(content: str, texts: dict[str, None]) -> bool:
    """Whether a message is one of these texts, perhaps framed, on one line, or cut."""
    flat = _flat(content)
    return not flat or flat in texts or any(_is_framed(flat, text) for text in texts)


def _is_framed(flat: str, text: str) -> bool:
    if text not in flat:
        text = next((text[:n] for n in _cuts(flat, text)), "")
        if not text:
            return False
    return len(flat) - len(text) <= _FRAME and "FACTS:" not in flat.replace(text, "", 1)


def _cuts(flat: str, text: str) -> Iterator[int]:
    """How much of a text stands in another one, if it was cut."""
    at = flat.find(text[:_LEAST]) if len(text) > _LEAST else -1
    if at >= 0:
        rest = flat[at:]
        least = min(len(rest), len(text))
        yield next((n for n in range(least) if rest[n] != text[n]), least)


def _flat(text: str) -> str:
    return " ".join(text.split())
