"""Texts that tools returned, wherever they stand in a prompt, whatever surrounds them.

A FACTS line is only one way to show a fact. A text is looked for if nobody writes it by chance: it
is long, or an address. It shows only on lines that appeared after it was returned.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple

from ..vocabulary.trace_view import TraceView
from .facts import PromptReading, read_facts
from .given import GivenCall, GivenTurn
from .strangers import Origin, place_of_call, read_judged, strings

LEAST, LEAST_ADDRESS = 12, 6
"""Characters from which on a text, or one with an at sign, is looked for."""

_GRAM = 6
"""Characters by which a text is looked up in a prompt."""

_MOMENT = re.compile(r"[\d\s:.,+TZ/-]*")
"""Dates and numbers: the kernel writes some of its own."""


class Standing(NamedTuple):
    """A prompt, and the texts of tools that stand in it, each with the calls that returned it."""

    prompt: PromptReading
    texts: dict[str, list[GivenCall]]


def read_verbatim(view: TraceView) -> list[Standing]:
    """Return the texts that stand in each judged prompt; use it through ``view.reading``."""
    walk, left = _Walk(), deque(view.reading(read_facts).turns)
    judged = {id(prompt) for prompt in view.reading(read_judged)}
    found: list[Standing] = []
    for prompt in view.reading(read_facts).prompts:
        while left and left[0].step.index < prompt.step.index:
            walk.take(left.popleft())
        texts = walk.texts_in(prompt)
        if id(prompt) in judged:
            found.append(Standing(prompt, texts))
    return found


def verbatim_by_prompt(view: TraceView, origin: Origin) -> dict[int, list[str]]:
    """Return the texts that only calls of this origin explain, by the identity of their prompt."""
    found: dict[int, list[str]] = {}
    for prompt, texts in view.reading(read_verbatim):
        for text, calls in texts.items():
            if (
                all(place_of_call(given, prompt) == origin for given in calls)
                and not any(_flat(text) in _flat(told) for told in _told(view, prompt, origin))
                and not (origin == "failed" and _only_as_failed(prompt, text))
            ):
                found.setdefault(id(prompt), []).append(text)
    return found


def _told(view: TraceView, prompt: PromptReading, origin: Origin) -> Iterator[str]:
    """Whatever else may show a text: all that was said, and what other calls of the user hold."""
    for turn in view.reading(read_facts).turns:
        yield turn.turn.message
        yield turn.turn.draft
        for given in turn.calls if turn.step.user == prompt.step.user else ():
            yield given.call.summary
            yield given.call.error
            if place_of_call(given, prompt) != origin:
                yield from strings(given.raw)
    for extension in view.trace.environment.extensions:
        yield from (text for section in extension.sections for text in section.returns_json)


def _only_as_failed(prompt: PromptReading, text: str) -> bool:
    """Whether a text stands in messages alone that are marked as errors."""
    failed = [fact for fact in prompt.lines if fact.failed]
    starts = [0, *(fact.end for fact in failed)]
    ends = [*(fact.start for fact in failed), len(prompt.text)]
    rest = "\n".join(prompt.text[a:b] for a, b in zip(starts, ends, strict=True))
    return bool(failed) and not any(form in rest for form in _forms(text))


class _Walk:
    """Takes the turns in order, and knows at each prompt what was returned before."""

    def __init__(self) -> None:
        self._calls: dict[str, list[GivenCall]] = defaultdict(list)
        self._forms: dict[str, dict[int, dict[str, set[str]]]] = {}
        self._lines: dict[str, list[str]] = {}

    def take(self, turn: GivenTurn) -> None:
        for given in turn.calls:
            for text in set(strings(given.data)):
                if not _is_distinctive(text):
                    continue
                self._calls[text].append(given)
                for form in _forms(text):
                    alike = self._forms.setdefault(form[:_GRAM], {})
                    alike.setdefault(len(form), {}).setdefault(form, set()).add(text)

    def texts_in(self, prompt: PromptReading) -> dict[str, list[GivenCall]]:
        found: dict[str, list[GivenCall]] = {}
        for line in prompt.text.split("\n"):
            if line not in self._lines:
                self._lines[line] = list(self._shown(line))
            found.update((text, list(self._calls[text])) for text in self._lines[line])
        return found

    def _shown(self, line: str) -> Iterator[str]:
        for at in range(len(line) - _GRAM + 1) if self._forms else ():
            # By length: however many texts begin alike, a place costs one look-up for each length.
            for length, forms in self._forms.get(line[at : at + _GRAM], {}).items():
                yield from forms.get(line[at : at + length], ())


def _is_distinctive(text: str) -> bool:
    least = LEAST_ADDRESS if "@" in text else LEAST
    return len(text) >= least and _MOMENT.fullmatch(text) is None


def _forms(text: str) -> set[str]:
    """The ways in which a text may be written: as it is, on one line, and escaped."""
    escaped = (json.dumps(text, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
    return {form for form in (text, _flat(text), *escaped) if len(form) >= _GRAM}


def _flat(text: str) -> str:
    return " ".join(text.split())
