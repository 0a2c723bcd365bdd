"""Sections that only their names can find in a prompt: their values hold no word of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..vocabulary.trace_view import TraceView
from .cache import read_json
from .skeleton import PromptReading, read_skeleton
from .skeleton_marks import Spot, chat

_WORD = re.compile(r"[a-z]{8,24}")


class Titled(NamedTuple):
    """A section that the kernel has reported as stored, and a prompt of its user.

    Attributes:
        prompt: the first prompt of a turn, before anybody has disabled an extension.
        spot: whose section it is.
        values: what it may hold.
        shown: whether its name stands in the prompt.
    """

    prompt: PromptReading
    spot: Spot
    values: tuple[Any, ...]
    shown: bool


def read_titled(view: TraceView) -> tuple[Titled, ...]:
    """Return such sections of all prompts. Use it as ``view.reading(read_titled)``."""
    reading = view.reading(read_skeleton)
    marked = reading.prompts[0].places if reading.prompts else {}
    words = {spot: word for spot, word in _words(view) if spot not in marked}
    values = {
        (extension.app, section.name): tuple(
            read_json(text) for text in dict.fromkeys(section.returns_json)
        )
        for extension in view.trace.environment.extensions
        for section in extension.sections
        if (extension.app, section.name) in words
    }
    return tuple(
        Titled(prompt, spot, values[spot], word in prompt.text.lower())
        for prompt in reading.prompts
        if prompt.first and not prompt.disabled
        for spot, word in words.items()
        if reading.stored.get((prompt.step.user, spot), prompt.step.index) < prompt.step.index
    )


def _words(view: TraceView) -> Iterator[tuple[Spot, str]]:
    """Yield each section whose name holds a word that stands nowhere else, with the word."""
    extensions = view.trace.environment.extensions
    named = [
        (extension.app, section.name) for extension in extensions for section in extension.sections
    ]
    names = [name for name, found in Counter(name for _, name in named).items() if found == 1]
    if not any(_WORD.search(name.lower()) for name in names):
        return
    texts = "\n".join(
        (
            *chat(view),
            *(
                part
                for each in extensions
                for part in (each.app, each.display_name, each.panel_json)
            ),
            *(text for e in extensions for section in e.sections for text in section.returns_json),
            *(name for _, name in named),
        )
    ).lower()
    for app, name in named:
        found = _WORD.search(name.lower())
        if found and name in names and texts.count(found.group()) == 1:
            yield (app, name), found.group()
