"""Takes the marks out again by which we tell turns apart: nobody is to judge them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ....fixtures.agent.scripted import unmarked
from ....invariants.vocabulary.messages import Message, Part, Prompt


def unmarked_prompt(prompt: Prompt, numbers: Iterable[int]) -> Prompt:
    """Return a prompt without the marks of these turns."""
    if isinstance(prompt, str):
        return unmarked(prompt, numbers)
    return tuple(_message(message, numbers) for message in prompt)


def _message(message: Message, numbers: Iterable[int]) -> Message:
    if "[t" not in message.content_text:
        return message
    if isinstance(message.content, str):
        return replace(message, content=unmarked(message.content, numbers))
    return replace(message, content=tuple(_part(part, numbers) for part in message.content))


def _part(part: Part, numbers: Iterable[int]) -> Part:
    text, json = part.text, part.json
    if isinstance(text, str):
        part = replace(part, text=unmarked(text, numbers))
    return replace(part, json=unmarked(json, numbers)) if isinstance(json, str) else part
