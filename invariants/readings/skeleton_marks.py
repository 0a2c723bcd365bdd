"""Words by which a section is found in a prompt: they stand in its scripted values alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from msgspec import UNSET

from ..vocabulary.json_values import leaves
from ..vocabulary.scenario import Section, Turn
from ..vocabulary.trace import ClassifierPrompt, SkeletonStored, prompt_text
from ..vocabulary.trace_view import TraceView
from .cache import read_json

Spot = tuple[str, str]
"""Extension and section."""

_WORD = re.compile(r"[a-z]{8,24}")
_LATE = 1.1
_GRACE = 5.0


class Mark(NamedTuple):
    """A word that stands in one scripted value of one section.

    Attributes:
        word: the word.
        spot: whose it is.
        nth: which of the section's returns it shows, the first of them if several.
        last: the last of them.
        sure: whether no other return shows it, nor the repetition of the last one.
    """

    word: str
    spot: Spot
    nth: int
    last: int
    sure: bool


@dataclass
class Script:
    """A section whose every scripted value has a mark, or several: the first is the best one."""

    spot: Spot
    section: Section
    values: list[Any]
    marks: list[Mark] = field(default_factory=list[Mark])

    @property
    def patience(self) -> float:
        """Seconds after which a refresh must have happened in every reading of "every ttl"."""
        return self.section.ttl_seconds * _LATE + _GRACE


def scripts(view: TraceView, owners: dict[str, set[Spot]]) -> Iterator[Script]:
    """Yield the sections that can be found in prompts; note in ``owners`` whose each word is."""
    candidates = [
        Script((extension.app, section.name), section, _parsed(section.returns_json))
        for extension in view.trace.environment.extensions
        for section in extension.sections
        if any(_WORD.search(text) for text in section.returns_json)
    ]
    if not candidates:
        return
    said = "\n".join(chat(view))
    for script in candidates:
        for value in script.values:
            for leaf in leaves(value):
                if isinstance(leaf, str) and _WORD.fullmatch(leaf) and leaf not in said:
                    owners.setdefault(leaf, set()).add(script.spot)
    for script in candidates:
        script.marks = _marks(script, owners, view.parameters.section_fields)
        if script.marks:
            yield script


def told_scripts(view: TraceView, owners: dict[str, set[Spot]]) -> dict[str, list[Script]]:
    """Return the same of a recording: the sections of each user, by what is told of them."""
    declared = {
        (extension.app, section.name): section
        for extension in view.trace.environment.extensions
        for section in extension.sections
    }
    returned, strange = _returned(view)
    said = "\n".join(chat(view))
    found: dict[str, list[Script]] = {}
    for (user, spot), texts in returned.items():
        if spot not in declared:
            continue
        script = Script(spot, declared[spot], _parsed(texts))
        found.setdefault(user, []).append(script)
        for word in _of_one_value(script.values):
            if word not in said and word not in strange:
                owners.setdefault(word, set()).add(spot)
    for some in found.values():
        for script in some:
            script.marks = _marks(script, owners, view.parameters.section_fields)
    return {user: [script for script in some if script.marks] for user, some in found.items()}


def _of_one_value(values: Sequence[Any]) -> Iterator[str]:
    """Yield the words that stand in one of the values alone, however often that was returned."""
    different = {json.dumps(value, sort_keys=True): value for value in values}
    uses = Counter(
        word
        for value in different.values()
        for word in {x for x in leaves(value) if isinstance(x, str) and _WORD.fullmatch(x)}
    )
    yield from (word for word, times in uses.items() if times == 1)


def _returned(view: TraceView) -> tuple[dict[tuple[str, Spot], list[str]], set[str]]:
    """Return what handlers are told to have returned, and which words tell nothing of it.

    A prompt holds those twice, or before a handler of its user returned them: they may stand in
    whatever else a kernel tells its model.
    """
    returned: dict[tuple[str, Spot], list[str]] = {}
    known: dict[str, set[str]] = {}
    strange: set[str] = set()
    for step in view.steps:
        for event in step.events:
            if isinstance(event, ClassifierPrompt):
                words = Counter(_WORD.findall(prompt_text(event)))
                own = known.get(step.user, set())
                strange |= {x for x, times in words.items() if times > 1 or x not in own}
            elif isinstance(event, SkeletonStored) and event.returned_json is not UNSET:
                spot = (event.app, event.section)
                returned.setdefault((event.user, spot), []).append(event.returned_json)
                known.setdefault(event.user, set()).update(_WORD.findall(event.returned_json))
    return returned, strange


def _parsed(texts: Sequence[str]) -> list[Any]:
    values = {text: read_json(text) for text in set(texts)}
    return [values[text] for text in texts]


def chat(view: TraceView) -> Iterator[str]:
    """Yield the messages, drafts, results and summaries of all turns."""
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            yield step.stimulus.message
            yield step.stimulus.draft
            for call in step.stimulus.calls:
                yield call.data_json
                yield call.summary


def _marks(script: Script, owners: dict[str, set[Spot]], fields: int) -> list[Mark]:
    """Return the marks of all values; none at all if a value has none among its first fields."""
    rows = [_top_words(value) for value in script.values]
    uses = Counter(word for row in rows for word in row)
    found: list[Mark] = []
    for index, row in enumerate(rows):
        own = {w: at for w, at in row.items() if owners.get(w) == {script.spot}}
        if not any(at < fields for at in own.values()):
            return []
        for word in sorted(own, key=lambda w: (own[w] >= fields, uses[w])):
            sure = uses[word] == 1 and index < len(rows) - 1
            shown = [n for n, other in enumerate(rows) if word in other]
            found.append(Mark(word, script.spot, shown[0], shown[-1], sure))
    return found


def _top_words(value: Any) -> dict[str, int]:
    """Return the words among a section's fields, each with its place; a text alone is the first."""
    if isinstance(value, str):
        return {value: 0} if _WORD.fullmatch(value) else {}
    if not isinstance(value, dict):
        return {}
    items = enumerate(cast("dict[str, Any]", value).values())
    return {x: at for at, x in items if isinstance(x, str) and _WORD.fullmatch(x)}
