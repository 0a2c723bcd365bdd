"""C-LEDGER-CHAT-FUNCTIONS-ONLY: only successful chat functions refresh the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.facts import PromptReading, read_facts
from ...readings.history import read_steps
from ...readings.sizes import read_sizes
from ...readings.strangers import by_prompt, read_judged
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import EXPOSED, call, turn
from ...scenarios.ledger import steps_scenario
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import (
    APPS,
    AnyStep,
    CacheGet,
    CacheSet,
    Environment,
    Extension,
    Probe,
    RenderPanel,
    Scenario,
    Section,
    SkeletonRefresh,
    StoreSet,
    Turn,
)
from ...vocabulary.sources import context_channels
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_SECTION = '{"sectioncanary": "fromtheskeleton", "total": 3}'
_VALUE = '{"cachecanary": "fromthecache", "total": 4}'
_DOCUMENT = '{"storecanary": "fromthestore", "total": 5}'

_KINDS: dict[type[AnyStep], str] = {
    SkeletonRefresh: "a skeleton refresh",
    CacheSet: "a cache operation",
    CacheGet: "a cache operation",
    StoreSet: "a store operation",
    RenderPanel: "a panel",
    Probe: "a probe",
}

_STEPS: dict[str, tuple[AnyStep, ...]] = {
    "skeleton": (SkeletonRefresh(), SkeletonRefresh(app=APPS[1])),
    "cache": (
        CacheSet(key="snapshot", value_json=_VALUE, ttl_seconds=60),
        CacheGet(key="snapshot"),
        CacheGet(key="snapshot", handler="panel"),
    ),
    "store": (StoreSet(key="document", value_json=_DOCUMENT),),
    "panels": (RenderPanel(), RenderPanel(app=APPS[1])),
    "probe": (
        Probe(handler="chat_function", op="get", path="user.imperal_id"),
        Probe(handler="skeleton", op="get", path="user.imperal_id"),
    ),
}

_ENVIRONMENT = Environment(
    flags=EXPOSED.flags,
    extensions=tuple(
        Extension(app=app, sections=(Section(returns_json=(_SECTION,)),)) for app in APPS
    ),
)


def _kinds_before(view: TraceView, prompt: PromptReading) -> set[str]:
    """Kinds of steps of the user between the oldest turn of the history and the prompt."""
    history = prompt.older or prompt.turns
    if not history:
        return set()
    steps, start = view.reading(read_steps), history[0].step.index
    return {
        name
        for kind, name in _KINDS.items()
        if steps.between(kind, start, prompt.step.index, prompt.step.user)
    }


def _nothing_else_feeds_it(view: TraceView) -> Iterator[Finding]:
    if all(isinstance(step.stimulus, Turn) for step in view.steps):
        return
    strangers = by_prompt(view, "step")
    for prompt in view.reading(read_judged):
        kinds = _kinds_before(view, prompt)
        if not kinds:
            continue
        if prompt.recognised:
            yield Compared(tuple(sorted(kinds)))
        for stranger in strangers.get(id(prompt), ()):
            yield Violation(
                kind="fact of something else than a chat function",
                step=prompt.step.index,
                expected="FACTS lines of chat functions called in a turn",
                got=shorten(stranger.line.text),
            )


def _nothing_else_consumes_it(view: TraceView) -> Iterator[Finding]:
    if all(isinstance(step.stimulus, Turn) for step in view.steps):
        return
    sizes = view.reading(read_sizes)
    for prompt in view.reading(read_facts).prompts:
        due = [given for given in prompt.expected if sizes.surely_fits(given.turn)]
        kinds = _kinds_before(view, prompt)
        if not kinds or not due or prompt.retry:
            continue
        yield Compared(tuple(sorted(kinds)))
        for given in due:
            if given in prompt.missing:
                yield Violation(
                    kind="fact lost to a step that is no turn",
                    step=prompt.step.index,
                    expected=f"the fact of step {given.turn.step.index}: {shorten(given.data)}",
                    got=f"{counted(len(prompt.lines), 'FACTS line')} without it",
                )
                break


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    for name, steps in _STEPS.items():
        many = tuple(step for _ in range(parameters.window) for step in steps)
        yield steps_scenario(
            f"chat-functions-only-{name}",
            f"steps of the kind {name} between two turns, more than the window has exchanges",
            turn("before", call({"n": 1})),
            *many,
            turn("after", call({"n": 2}, app=APPS[1])),
            *steps,
            environment=_ENVIRONMENT,
        )


def _strategy(parameters: Parameters) -> SearchStrategy[Scenario]:
    def build(recipes: tuple[Recipe, ...]) -> Scenario:
        steps = [step for n, recipe in enumerate(recipes) for step in _drawn(n, recipe)]
        return steps_scenario("explore", "", *steps, environment=_ENVIRONMENT)

    return from_recipes(build, parameters.window + 2)


def _drawn(number: int, recipe: Recipe) -> Iterator[AnyStep]:
    calls = (call({"n": number, "k": k}, app=APPS[k]) for k in range(recipe.pick((0, 1, 2))))
    yield turn(f"question number{number}", *calls, user=recipe.pick(("u1", "u1", "u2")))
    steps = recipe.pick((*_STEPS.values(), (), ()))
    for _ in range(recipe.pick((1, 1, 2))):
        yield from steps


def _partitions() -> Iterator[Partition]:
    for name, capability in (
        ("a skeleton refresh", "skeleton"),
        ("a cache operation", "cache"),
        ("a store operation", "store"),
        ("a panel", "panels"),
        ("a probe", "probe"),
    ):
        yield Partition(name, "between two turns", capabilities=frozenset({capability}))


INVARIANT = Invariant(
    id="C-LEDGER-CHAT-FUNCTIONS-ONLY",
    title="Only chat functions feed the ledger",
    statement=(
        "The ledger is refreshed after every successful chat function and by nothing else: "
        "skeleton refreshes, panels, cache and store operations leave no fact and cost no turn."
    ),
    sources=(context_channels("The three channels at a glance"),),
    capabilities=frozenset({"fact_ledger"}),
    clauses=(
        Clause(
            name="nothing-else-feeds-it",
            sentence="No FACTS line shows what a step returned that is no chat turn.",
            judge=_nothing_else_feeds_it,
            partitions=tuple(_partitions()),
        ),
        Clause(
            name="nothing-else-consumes-it",
            sentence="Steps that are no chat turns take no place in the window.",
            judge=_nothing_else_consumes_it,
            partitions=tuple(_partitions()),
        ),
    ),
    scenarios=_scenarios,
    strategy=_strategy,
)
