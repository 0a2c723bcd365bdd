"""Makes a failing scenario small: first its values plain, then fewer steps, calls and data.

The second part works on any scenario, however it was made: drawn, written by hand or cut from
a recording. Its result is a local minimum: no single simplification of it still fails, unless
the budget of runs ended first. The budget counts runs, not time, so that the result is the same
everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from ...invariants.rows import plainer
from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.json_values import is_list, is_object
from ...invariants.vocabulary.scenario import (
    AnyStep,
    Environment,
    Extension,
    Scenario,
    Section,
    Turn,
)
from ...invariants.vocabulary.trace import KernelDescription

BUDGET = 600
"""Runs that reducing one failure may take."""

_PLAIN_TEXT = {"message": "hi", "draft": "Done.", "summary": "", "error": ""}
_VALUE_FIELDS = ("data_json", "value_json", "args_json")
_VOID = frozenset({"{}", "[]", '""', "0", "1"})
_MARK = 24
"""Characters of a stored value that is small enough as it is: it shows who has set it."""


def reduce(
    scenario: Scenario, still_fails: Callable[[Scenario], bool], *, budget: int = BUDGET
) -> Scenario:
    """Return a scenario that is no larger and still fails.

    Args:
        scenario: one that fails.
        still_fails: runs a candidate and says whether it fails in the same way.
        budget: candidates to try at most.
    """
    tried = 0
    progress = True
    while progress and tried < budget:
        progress = False
        for candidate in simpler(scenario):
            if tried >= budget:
                break
            tried += 1
            if still_fails(candidate):
                scenario = candidate
                progress = True
                break
    return scenario


def plainest(
    scenario: Scenario, kernel: KernelDescription, still_fails: Callable[[Scenario], bool]
) -> Scenario:
    """Return a row of the same aspect that still fails and in which no further value can be plain.

    Args:
        scenario: one that fails; if it is no row of an aspect, it is returned.
        kernel: what the kernel says of itself.
        still_fails: runs a candidate and says whether it fails in the same way.
    """
    capabilities = frozenset(kernel.capabilities)
    while True:
        rows = plainer(scenario, kernel.parameters, capabilities)
        found = next((row for row in rows if still_fails(row)), None)
        if found is None:
            return scenario
        scenario = found


def simpler(scenario: Scenario) -> Iterator[Scenario]:
    """Yield simpler scenarios, the boldest first; each is one change away from the given one."""
    for steps in _fewer(list(scenario.steps)):
        yield replace(scenario, steps=tuple(steps))
    for index, step in enumerate(scenario.steps):
        for simpler in _simpler_steps(step):
            steps = (*scenario.steps[:index], simpler, *scenario.steps[index + 1 :])
            yield replace(scenario, steps=steps)
    for environment in _simpler_environments(scenario.environment):
        yield replace(scenario, environment=environment)


def _simpler_environments(environment: Environment) -> Iterator[Environment]:
    """Environments nearer to the standard one; each is shorter when written down."""
    for extensions in _standard_first(environment.extensions):
        yield replace(environment, extensions=extensions)
    for name in environment.flags:
        flags = {key: value for key, value in environment.flags.items() if key != name}
        yield replace(environment, flags=flags)


def _standard_first(extensions: tuple[Extension, ...]) -> Iterator[tuple[Extension, ...]]:
    for index, extension in enumerate(extensions):
        before, after = extensions[:index], extensions[index + 1 :]
        for simpler in _simpler_extensions(extension):
            if len(to_json(simpler)) < len(to_json(extension)):
                yield (*before, simpler, *after)


def _simpler_extensions(extension: Extension) -> Iterator[Extension]:
    if extension == Extension(app=extension.app):
        return
    yield Extension(app=extension.app)
    for sections in _fewer(list(extension.sections)):
        yield replace(extension, sections=tuple(sections))
    for text in _simpler_json(extension.panel_json):
        yield replace(extension, panel_json=text)
    for index, section in enumerate(extension.sections):
        before, after = extension.sections[:index], extension.sections[index + 1 :]
        for simpler in _simpler_sections(section):
            yield replace(extension, sections=(*before, simpler, *after))


def _simpler_sections(section: Section) -> Iterator[Section]:
    if section == Section(name=section.name):
        return
    for returned in _fewer(list(section.returns_json)):
        yield replace(section, returns_json=tuple(returned))
    for index, text in enumerate(section.returns_json):
        before, after = section.returns_json[:index], section.returns_json[index + 1 :]
        for simpler in _simpler_json(text):
            yield replace(section, returns_json=(*before, simpler, *after))


def _fewer(items: list[Any]) -> Iterator[list[Any]]:
    """The list without halves, quarters … single items; never empty."""
    size = len(items) // 2
    while size >= 1:
        for start in range(0, len(items), size):
            left = items[:start] + items[start + size :]
            if left:
                yield left
        size //= 2


def _simpler_steps(step: AnyStep) -> Iterator[AnyStep]:
    if isinstance(step, Turn):
        yield from _plainer_turns(step)
    yield from _simpler_fields(step)
    if isinstance(step, Turn):
        for index, call in enumerate(step.calls):
            for simpler in _simpler_fields(call):
                yield replace(step, calls=(*step.calls[:index], simpler, *step.calls[index + 1 :]))


def _plainer_turns(turn: Turn) -> Iterator[Turn]:
    if turn.calls:
        yield replace(turn, calls=())
    for calls in _fewer(list(turn.calls)):
        yield replace(turn, calls=tuple(calls))
    if turn.overlaps is not UNSET:
        yield replace(turn, overlaps=UNSET)
    if turn.interrupted is not UNSET:
        yield replace(turn, interrupted=UNSET)


def _simpler_fields(node: Any) -> Iterator[Any]:
    for name, value in asdict(node).items():
        for simpler in _simpler_field(name, value):
            yield replace(node, **{name: simpler})


def _simpler_field(name: str, value: Any) -> Iterator[Any]:
    if name in _PLAIN_TEXT and value != _PLAIN_TEXT[name]:
        yield from _simpler_text(value, _PLAIN_TEXT[name])
    elif name == "value_json":
        yield from _simpler_marks(value)
    elif name in _VALUE_FIELDS:
        yield from _simpler_json(value)
    elif name == "refresh_panels" and value:
        yield ()
    elif name == "key":
        yield from _shorter(value)


def _simpler_marks(text: str) -> Iterator[str]:
    """Simpler values that still tell whose they are: an empty one would be like any other."""
    return (
        simpler for simpler in _simpler_json(text) if len(text) > _MARK and simpler not in _VOID
    )


def _simpler_json(text: str) -> Iterator[str]:
    """JSON texts of simpler values; none where a number would be lost, such as 1E400."""
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except ValueError:
        return
    for simpler in _simpler_values(value):
        yield json.dumps(simpler)


def _simpler_text(value: str, plain: str) -> Iterator[str]:
    if len(plain) <= len(value):
        yield plain
    for text in _shorter(value):
        if text:
            yield text


def _simpler_values(value: Any) -> Iterator[Any]:
    if is_object(value):
        yield from _simpler_object(value)
    elif is_list(value):
        yield from _simpler_list(value)
    elif isinstance(value, str):
        yield from _shorter(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _smaller(value)


def _simpler_object(value: dict[str, Any]) -> Iterator[Any]:
    if value:
        yield {}
    for keys in _fewer(list(value)):
        yield {key: value[key] for key in keys}
    for inner in value.values():
        if is_object(inner):
            yield inner
    for key, inner in value.items():
        for simpler in _simpler_values(inner):
            yield {**value, key: simpler}


def _simpler_list(value: list[Any]) -> Iterator[Any]:
    if value:
        yield []
    yield from _fewer(value)
    for inner in value:
        if isinstance(inner, (dict, list)):
            yield inner
    for index, inner in enumerate(value):
        for simpler in _simpler_values(inner):
            yield [*value[:index], simpler, *value[index + 1 :]]


def _shorter(value: str) -> Iterator[str]:
    """The text without a part: halves, quarters … single characters (of long texts, few)."""
    size = len(value)
    while size >= 1:
        yield value[: len(value) - size]
        if size < len(value):
            yield value[size:]
        size //= 2


def _smaller(value: float) -> Iterator[float]:
    for simple in (0, 1):
        if abs(simple) < abs(value):
            yield simple
    if isinstance(value, int) and abs(value) > 3:
        yield value // 2 if value > 0 else -(-value // 2)
        yield value - 1 if value > 0 else value + 1
