"""C-LEDGER-OWNER: a fact names the extension that owns the function, and the function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...readings.facts import PromptReading, read_facts
from ...readings.given import GivenCall, ShownFact
from ...readings.likeness import PARTITIONS, likenesses, run_together, runs_together, together
from ...scenarios.facts import EXPOSED, call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations, steps_scenario
from ...scenarios.lookalike_apps import ALIKE, alike_environment
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Environment, Extension, Scenario
from ...vocabulary.sources import fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_STRANGE_APPS = ("facts", "history", "data", "a1-b2-c3")
_STRANGE_FUNCTIONS = ("fn", "data", "app", "FACTS")
_DYNAMIC = frozenset({"dynamic_extensions"})


class Owned(NamedTuple):
    """A line that certainly shows a call's data."""

    prompt: PromptReading
    line: ShownFact
    given: GivenCall


def read_owned(view: TraceView) -> list[Owned]:
    """Return the lines whose data tells which call they show; use it through ``view.reading``."""
    return [
        Owned(prompt, line, given)
        for prompt in view.reading(read_facts).prompts
        if not (prompt.missing or prompt.extra or prompt.displaced)
        for line, given in (*prompt.pairs, *prompt.again)
        if given.payload_of(line).intact
    ]


def _extension_named(view: TraceView) -> Iterator[Finding]:
    for prompt, line, given in view.reading(read_owned):
        if line.app is None:
            continue
        yield Compared(tuple(_classes(view, given)))
        if line.app != given.call.app:
            yield _violation(prompt, line, "another extension", f"app={given.call.app}")


def _function_named(view: TraceView) -> Iterator[Finding]:
    for prompt, line, given in view.reading(read_owned):
        if line.function is None:
            continue
        yield Compared(tuple(_classes(view, given)))
        if line.function != given.call.function:
            yield _violation(prompt, line, "another function", f"fn={given.call.function}")


def _classes(view: TraceView, given: GivenCall) -> Iterator[str]:
    owner = (given.call.app, given.call.function)
    owners = {(other.call.app, other.call.function) for other in given.turn.successful}
    apps = {app for app, _ in owners}
    if len(apps) > 1:
        yield "calls of two extensions in a turn"
        yield from likenesses(view, apps)
        if any(runs_together(owner, other) for other in owners if other[0] != owner[0]):
            yield run_together("function")
    if given.call.app in _STRANGE_APPS or given.call.function in _STRANGE_FUNCTIONS:
        yield "names that look like parts of the line"


def _violation(prompt: PromptReading, line: ShownFact, kind: str, expected: str) -> Violation:
    return Violation(kind=kind, step=prompt.step.index, expected=expected, got=shorten(line.text))


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "owner-mixed",
        "every function of every extension, in turns of three",
        *(
            turn(
                f"ask {function}",
                *(call({"app": app, "fn": function}, app=app, function=function) for app in APPS),
            )
            for function in FUNCTIONS
        ),
    )
    yield steps_scenario(
        "owner-strange-names",
        "extensions and functions named like parts of a FACTS line",
        *(
            turn(f"ask {number}", call({"n": number}, app=app, function=function))
            for number, (app, function) in enumerate(
                zip(_STRANGE_APPS, _STRANGE_FUNCTIONS, strict=True)
            )
        ),
        environment=Environment(
            flags=EXPOSED.flags, extensions=tuple(Extension(app=app) for app in _STRANGE_APPS)
        ),
    )
    yield steps_scenario(
        "owner-alike",
        "extensions that are alike, with functions of one name",
        turn("ask 1", *(call({"n": n}, app=app) for n, app in enumerate(ALIKE))),
        *(turn(f"ask {app}", call({"of": app}, app=app)) for app in reversed(ALIKE)),
        turn(
            "ask 2",
            call({"n": 10}, app="note", function="slist_items"),
            call({"n": 11}, app="notes"),
            call({"n": 12}, app="notes", function="list_items"),
        ),
        environment=alike_environment(),
    )


_PARTITIONS = (
    Partition("calls of two extensions in a turn", "the turn's extensions differ"),
    Partition(
        "names that look like parts of the line",
        "an extension named facts, a function named data",
        capabilities=_DYNAMIC,
    ),
    *PARTITIONS,
    together("function"),
)

INVARIANT = Invariant(
    id="C-LEDGER-OWNER",
    title="Facts name their owner",
    statement="A FACTS line names the extension that owns the tool, and the function that ran.",
    sources=(fact_ledger("What it stores"), fact_ledger("What the classifier sees")),
    capabilities=frozenset({"fact_ledger"}),
    clauses=(
        Clause(
            name="extension-named",
            sentence="A FACTS line names the extension that owns the function.",
            judge=_extension_named,
            partitions=_PARTITIONS,
        ),
        Clause(
            name="function-named",
            sentence="A FACTS line names the function that ran.",
            judge=_function_named,
            partitions=_PARTITIONS,
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
