"""Names of extensions and functions that could break a FACTS line, and how many lines there are.

A line cannot be matched to a call whose owner is called ``x fn=y data=z``: in a trace with such
a name lines are counted, and nothing else of the ledger is read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..vocabulary.scenario import Call, Turn
from ..vocabulary.trace import ClassifierPrompt
from ..vocabulary.trace_view import StepView, TraceView
from .shown import count_facts

_HOSTILE = re.compile(r"[\s\x00-\x1f=\u0085\u2028\u2029]|FACTS:")


class Count(NamedTuple):
    """How many facts a prompt shows, in lines or else in messages, and its window's good calls."""

    step: StepView
    lines: int
    calls: list[Call]


@lru_cache(maxsize=512)
def is_hostile(name: str) -> bool:
    """Whether the name could be taken for something else in a line."""
    return _HOSTILE.search(name) is not None


def has_hostile_names(view: TraceView) -> bool:
    """Whether an extension or a function of the trace has such a name."""
    return any(
        is_hostile(name)
        for step in view.steps
        if isinstance(step.stimulus, Turn)
        for call in step.stimulus.calls
        for name in (call.app, call.function)
    )


def read_counts(view: TraceView) -> list[Count]:
    """Return the counts of a trace with such names. Use it through ``view.reading``.

    Lines of the first prompt, which has no history, are static and not counted anywhere. Of
    several prompts of a turn the first one is counted.
    """
    if view.trace.complete_from > 0 or not view.reading(has_hostile_names):
        return []
    static: tuple[int, int] | None = None
    told: dict[tuple[str, str], list[Turn]] = {}
    found: list[Count] = []
    for step in view.steps:
        prompts = step.all(ClassifierPrompt)
        if not isinstance(step.stimulus, Turn):
            continue
        history = told.setdefault((step.user, step.session), [])
        shown = count_facts(view, prompts[0]) if prompts else (0, 0)
        static = shown if static is None else static
        recent = history[-view.parameters.window :]
        calls = [c for each in recent for c in each.calls if c.status == "success"]
        if prompts:
            found.append(Count(step, max(shown[0] - static[0], shown[1] - static[1]), calls))
        history.append(step.stimulus)
    return found
