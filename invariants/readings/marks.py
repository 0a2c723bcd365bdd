"""Marks: words that nobody writes by chance, planted to see which layer is shown what.

A mark is eight lower-case letters, so that no masking may touch it and no escaping changes it.
Judges look for marks alone: a prompt may hold any other text in any order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from ..vocabulary.scenario import CacheSet, Probe, RenderPanel, SkeletonRefresh, StoreSet, Turn
from ..vocabulary.trace import (
    ClassifierPrompt,
    NarratorPrompt,
    PanelRendered,
    Reply,
    SkeletonStored,
    StoreOutcome,
    prompt_text,
)
from ..vocabulary.trace_view import StepView, TraceView
from .cache import attempts

Where = Literal[
    "message", "draft", "data", "summary", "error", "cache", "store", "section", "panel", "probe"
]
"""What a mark was planted in."""

_MARK = re.compile(r"zq[a-z]{6}")
_LETTERS = "bcdfghjklmnprstvwxya"
_SPREAD = 9_999_991  # coprime to the number of marks, so that no two numbers meet


def mark(number: int) -> str:
    """Return the mark of a number below 64 million; different numbers have different marks."""
    left = number * _SPREAD % len(_LETTERS) ** 6
    letters = ""
    for _ in range(6):
        left, place = divmod(left, len(_LETTERS))
        letters += _LETTERS[place]
    return f"zq{letters}"


def marks_in(text: str | None) -> frozenset[str]:
    """Return the marks that stand in a text, whatever their case."""
    if not text or ("zq" not in text and "ZQ" not in text):
        return frozenset()
    return frozenset(_MARK.findall(text.lower()))


class Plant(NamedTuple):
    """A mark that the suite planted.

    Attributes:
        mark: the word.
        where: in what.
        step: the step that planted it.
        proven: whether the kernel showed that it took it; always so for what a turn holds.
    """

    mark: str
    where: Where
    step: StepView
    proven: bool = True


@dataclass(eq=False)
class MarkedTurn:
    """A turn, the marks that were given in it, and those that its prompts show.

    Attributes:
        own: marks of its message, its draft and its calls.
        message: those of its message.
        classifier: those that each classifier prompt shows.
        narrator: those that the narrator's prompts show, or ``None`` if there is none.
        until: the step of the last turn that runs at the same time; its own if none does.
    """

    step: StepView
    turn: Turn
    own: frozenset[str]
    message: frozenset[str]
    classifier: list[frozenset[str]]
    narrator: frozenset[str] | None
    until: int


@dataclass(eq=False)
class Marks:
    """All marks of a trace.

    Attributes:
        plants: what was planted, in order.
        turns: the turns, in order; none if nothing was planted.
        replied: marks that a reply of the kernel shows; whoever saw the reply may know them.
    """

    plants: list[Plant] = field(default_factory=list[Plant])
    turns: list[MarkedTurn] = field(default_factory=list[MarkedTurn])
    replied: set[str] = field(default_factory=set[str])

    @cached_property
    def homes(self) -> dict[str, set[Where]]:
        """Everything that each mark was planted in."""
        homes: dict[str, set[Where]] = defaultdict(set)
        for plant in self.plants:
            homes[plant.mark].add(plant.where)
        return homes

    def before(self, turn: MarkedTurn, *places: Where) -> Iterator[Plant]:
        """Yield what was planted in such places until the turn ended, and not in it again."""
        for plant in self.plants:
            if plant.step.index > turn.until:
                return
            if plant.where in places and plant.mark not in turn.own:
                yield plant

    def only(self, plant: Plant) -> bool:
        """Whether the mark stands nowhere but in this kind of place."""
        return self.homes[plant.mark] == {plant.where} and plant.mark not in self.replied


def read_marks(view: TraceView) -> Marks:
    """Return the marks of a trace. Use it as ``view.reading(read_marks)``."""
    reading = Marks()
    for step in view.steps:
        reading.plants.extend(_planted(view, step))
    reading.plants.extend(_cached(view))
    if not reading.plants:
        return reading
    reading.plants.sort(key=lambda plant: plant.step.index)
    ends = _ends(view)
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            reading.turns.append(_turn(step, step.stimulus, ends[step.index]))
            for reply in step.all(Reply):
                reading.replied |= marks_in(reply.text)
    return reading


def _planted(view: TraceView, step: StepView) -> Iterator[Plant]:
    given = step.stimulus
    if isinstance(given, Turn):
        for where, text in _texts(given):
            yield from (Plant(found, where, step) for found in marks_in(text))
    elif isinstance(given, StoreSet):
        outcome = step.first(StoreOutcome)
        kept = outcome is not None and outcome.outcome == "accepted"
        yield from (Plant(found, "store", step, kept) for found in _kept(given))
    elif isinstance(given, SkeletonRefresh):
        stored = _shown([event.value_json for event in step.all(SkeletonStored)])
        texts = (
            text
            for extension in view.trace.environment.extensions
            if extension.app == given.app
            for section in extension.sections
            if section.name == given.section
            for text in section.returns_json
        )
        yield from (Plant(found, "section", step, found in stored) for found in _shown(texts))
    elif isinstance(given, RenderPanel):
        rendered = _shown([event.value_json for event in step.all(PanelRendered)])
        texts = (e.panel_json for e in view.trace.environment.extensions if e.app == given.app)
        yield from (Plant(found, "panel", step, found in rendered) for found in _shown(texts))
    elif isinstance(given, Probe) and given.path.partition(".")[0] in ("skeleton", "fact_ledger"):
        yield from (Plant(found, "probe", step) for found in marks_in(given.args_json))


def _texts(turn: Turn) -> Iterator[tuple[Where, str]]:
    yield "message", turn.message
    yield "draft", turn.draft
    for call in turn.calls:
        yield "data", call.data_json
        yield "summary", call.summary
        yield "error", call.error


def _cached(view: TraceView) -> Iterator[Plant]:
    steps = {step.index: step for step in view.steps}
    for attempt in view.reading(attempts):
        found = _kept(attempt.given)
        if found:
            kept = any(attempt.returned(lookup) for lookup in attempt.lookups)
            yield from (Plant(each, "cache", steps[attempt.step], kept) for each in found)


def _kept(given: CacheSet | StoreSet) -> frozenset[str]:
    """The marks of what is kept, and of the key that it is kept under."""
    return marks_in(given.value_json) | marks_in(given.key)


def _ends(view: TraceView) -> dict[int, int]:
    """Return by step the last one that runs at the same time."""
    ends: dict[int, int] = {}
    later: StepView | None = None
    for step in reversed(view.steps):
        together = later and isinstance(later.stimulus, Turn) and later.stimulus.overlaps is True
        ends[step.index] = ends[later.index] if later and together else step.index
        later = step
    return ends


def _turn(step: StepView, turn: Turn, until: int) -> MarkedTurn:
    narrated = step.all(NarratorPrompt)
    return MarkedTurn(
        step=step,
        turn=turn,
        own=_shown(text for _, text in _texts(turn)),
        message=marks_in(turn.message),
        classifier=[marks_in(prompt_text(event)) for event in step.all(ClassifierPrompt)],
        narrator=_shown(prompt_text(event) for event in narrated) if narrated else None,
        until=until,
    )


def _shown(texts: Iterator[str] | list[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(marks_in, texts))
