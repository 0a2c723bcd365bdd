"""FACTS lines that belong to no call of their prompt's window, and whatever explains them.

A line may have several explanations: two users may have equal data, a message may imitate a
real line. A clause about one kind of stranger blames only what nothing else explains.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from ..vocabulary.json_values import equal, parse, parse_leading
from ..vocabulary.scenario import CacheSet, RenderPanel, SkeletonRefresh, StoreSet
from ..vocabulary.trace_view import StepView, TraceView
from .facts import PromptReading, read_facts
from .given import GivenCall, GivenTurn, ShownFact

Origin = Literal[
    "window", "older", "failed", "session", "user",
    "message", "reply", "data", "prose", "section", "step",
]  # fmt: skip
"""A call that has its line already; one before the window; a failed one; one of another session;
one of another user; text that imitates a line, by its place; a step that is no chat turn."""

_IMITATED = re.compile(r"FACTS: app=(.*?) fn=(.*?) data=(.*)")
_LEAST_IMITATION = 2


class Stranger(NamedTuple):
    """A line that should not be there.

    Attributes:
        prompt: the prompt that shows it.
        line: the line.
        origins: everything that may explain it; empty when nothing does.
    """

    prompt: PromptReading
    line: ShownFact
    origins: frozenset[Origin]


def read_strangers(view: TraceView) -> list[Stranger]:
    """Return the strangers of every prompt; use it through ``view.reading``."""
    return [
        Stranger(prompt, line, frozenset(_origins(view, prompt, line)))
        for prompt in view.reading(read_judged)
        for line in prompt.extra
    ]


def read_judged(view: TraceView) -> list[PromptReading]:
    """Return the prompts in which a stranger can be told; use it through ``view.reading``.

    The first prompt of a trace only teaches the static lines; in a recording that was cut, a
    line may stem from a turn that nobody recorded.
    """
    facts = view.reading(read_facts)
    if view.trace.complete_from == 0:
        return facts.prompts[1:]
    return [prompt for prompt in facts.prompts if prompt.older]


def by_prompt(view: TraceView, *origins: Origin) -> dict[int, list[Stranger]]:
    """Return the strangers that only these origins explain, by the identity of their prompt."""
    found: dict[int, list[Stranger]] = {}
    for stranger in view.reading(read_strangers):
        if stranger.origins and stranger.origins.issubset(origins):
            found.setdefault(id(stranger.prompt), []).append(stranger)
    return found


def _origins(view: TraceView, prompt: PromptReading, line: ShownFact) -> Iterator[Origin]:
    explained = False
    for origin in (*_calls(view, prompt, line), *_texts(view, prompt, line)):
        explained = True
        yield origin
    if not explained:
        yield from _owners(prompt, line)
        yield from _steps(view, prompt, line)


def _calls(view: TraceView, prompt: PromptReading, line: ShownFact) -> Iterator[Origin]:
    for given in view.reading(read_calls).shown_by(line):
        if given.turn.step.index <= prompt.step.index:
            yield place_of_call(given, prompt)


class Calls:
    """All calls of a trace; each line is looked up once, however often it stands."""

    def __init__(self, turns: list[GivenTurn]) -> None:
        self._by_owner: dict[tuple[str, str], list[GivenCall]] = defaultdict(list)
        self._shown: dict[str, list[GivenCall]] = {}
        for turn in turns:
            for given in turn.calls:
                self._by_owner[given.call.app, given.call.function].append(given)

    def shown_by(self, line: ShownFact) -> list[GivenCall]:
        """Return the calls that a line shows, in their order."""
        if line.text not in self._shown:
            self._shown[line.text] = [g for g in self._owned(line) if g.shown_by(line)]
        return self._shown[line.text]

    def _owned(self, line: ShownFact) -> Iterable[GivenCall]:
        """A message need not tell whose result it is; then it may be anybody's."""
        if line.app is not None and line.function is not None:
            return self._by_owner.get((line.app, line.function), ())
        return (given for calls in self._by_owner.values() for given in calls)


def read_calls(view: TraceView) -> Calls:
    """Return the calls of all turns. Use it as ``view.reading(read_calls)``."""
    return Calls(view.reading(read_facts).turns)


def place_of_call(given: GivenCall, prompt: PromptReading) -> Origin:
    """Return how a call that has a line stands to the prompt that shows the line."""
    if given.turn.step.user != prompt.step.user:
        return "user"
    if given.turn.step.session != prompt.step.session:
        return "session"
    if given.call.status == "error":
        return "failed"
    first = prompt.turns[0].step.index if prompt.turns else prompt.step.index
    return "older" if given.turn.step.index < first else "window"


def _owners(prompt: PromptReading, line: ShownFact) -> Iterator[Origin]:
    """A failed call may leave a line with something else than its data, such as its error."""
    owners = [given for turn in prompt.turns for given in turn.calls if given.owns(line)]
    if owners and all(given.call.status == "error" for given in owners):
        yield "failed"


def _texts(view: TraceView, prompt: PromptReading, line: ShownFact) -> Iterator[Origin]:
    for step, origin, text in view.reading(_imitating_texts):
        if step > prompt.step.index:
            break
        if _imitates(line, text):
            yield origin
    for extension in view.trace.environment.extensions:
        for text in (text for section in extension.sections for text in section.returns_json):
            if "FACTS:" in text and _any_imitated(line, strings(parse(text))):
                yield "section"


def _imitating_texts(view: TraceView) -> list[tuple[int, Origin, str]]:
    """Return the texts that may imitate a line, each with its step and place, in order."""
    return [
        (turn.step.index, origin, text)
        for turn in view.reading(read_facts).turns
        for origin, text in _texts_of_turn(turn)
        if "FACTS:" in text
    ]


def _texts_of_turn(turn: GivenTurn) -> Iterator[tuple[Origin, str]]:
    for given in turn.calls:
        for text in strings(given.raw) if "FACTS:" in given.call.data_json else ():
            yield "data", text
        yield "prose", given.call.summary
        yield "prose", given.call.error
    yield "message", turn.turn.message
    yield "reply", turn.turn.draft


def _any_imitated(line: ShownFact, texts: Iterable[str]) -> bool:
    return any(_imitates(line, text) for text in texts if "FACTS:" in text)


def _imitates(line: ShownFact, text: str) -> bool:
    """Whether the line is one that the text imitates, perhaps cut, perhaps with more behind it."""
    for found in _IMITATED.finditer(text.replace("\\n", "\n")):
        if (found[1], found[2]) == (line.app, line.function):
            shown = line.payload.replace('\\"', '"')
            common = min(len(found[3]), len(shown), 40)
            if common >= _LEAST_IMITATION and found[3][:common] == shown[:common]:
                return True
    return False


def strings(value: Any) -> Iterator[str]:
    """Yield every string of a value, keys included."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            stack.extend(node)  # type: ignore[reportUnknownArgumentType]
            stack.extend(node.values())  # type: ignore[reportUnknownArgumentType]
        elif isinstance(node, list):
            stack.extend(node)  # type: ignore[reportUnknownArgumentType]


def _steps(view: TraceView, prompt: PromptReading, line: ShownFact) -> Iterator[Origin]:
    """A line may show what a step returned that is no chat turn, or name what ran there."""
    called = line.function in view.reading(_functions)
    for step, name, values in view.reading(_other_steps):
        named = bool(name) and name in (line.function or "") and not called
        if step < prompt.step.index and (named or any(_shows(line, text) for text in values)):
            yield "step"


def _functions(view: TraceView) -> set[str]:
    turns = view.reading(read_facts).turns
    return {given.call.function for turn in turns for given in turn.calls}


def _other_steps(view: TraceView) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the steps that are no chat turns, each with what ``step_values`` tells."""
    told = ((step.index, *step_values(view, step)) for step in view.steps)
    return [each for each in told if each[1] or each[2]]


def step_values(view: TraceView, step: StepView) -> tuple[str, tuple[str, ...]]:
    """Return the name of what ran in a step that is no chat turn, and its values as JSON text."""
    given = step.stimulus
    if isinstance(given, (CacheSet, StoreSet)):
        return given.key, (given.value_json,)
    if isinstance(given, RenderPanel):
        return given.panel, ()
    if not isinstance(given, SkeletonRefresh):
        return "", ()
    return given.section, tuple(
        text
        for extension in view.trace.environment.extensions
        if extension.app == given.app
        for section in extension.sections
        if section.name == given.section
        for text in section.returns_json
    )


def _shows(line: ShownFact, text: str) -> bool:
    try:
        return equal(json.loads(text), parse_leading(line.payload)[0])
    except (ValueError, RecursionError):
        return False
