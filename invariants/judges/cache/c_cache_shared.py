"""C-CACHE-SHARED: panels and handlers of one extension share its cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.sharing import SharedRead, shared_reads
from ...scenarios.drawing import Recipe, from_recipes
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, AnyStep, CacheGet, CacheSet, HandlerKind, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_KINDS: tuple[HandlerKind, ...] = ("panel", "chat_function", "tool", "skeleton")
_PROMISED = frozenset(
    {
        ("panel", "chat_function"),
        ("chat_function", "panel"),
        ("skeleton", "chat_function"),
    }
)
"""Writer and reader of the page's own examples."""


def _across(view: TraceView) -> Iterator[Finding]:
    for read in view.reading(shared_reads):
        if (read.attempt.given.handler, read.given.handler) in _PROMISED:
            yield from _judged(read)


def _across_all(view: TraceView) -> Iterator[Finding]:
    for read in view.reading(shared_reads):
        ways = {read.attempt.given.handler, read.given.handler}
        if (read.attempt.given.handler, read.given.handler) not in _PROMISED and ways <= {*_KINDS}:
            yield from _judged(read)


def _judged(read: SharedRead) -> Iterator[Finding]:
    way = f"set in a {_told(read.attempt.given.handler)}, got in a {_told(read.given.handler)}"
    yield Compared((way,))
    if not read.returned:
        outcome = read.outcome
        shown = f": {shorten(outcome.value_json)}" if outcome.value_json else ""
        yield Violation(
            kind=f"{way}: {outcome.outcome}",
            step=read.step.index,
            expected=f"a hit with {shorten(read.attempt.given.value_json)}",
            got=f"{outcome.outcome}{shown}",
        )


def _told(handler: HandlerKind) -> str:
    return handler.replace("_", " ")


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    for writer in _KINDS:
        yield _shared(f"cache-shared-from-{writer.replace('_', '-')}", writer, "board", APPS[0])
    yield _shared("cache-shared-beta", "panel", "a:b-c_d", APPS[1])


def _shared(name: str, writer: HandlerKind, key: str, app: str) -> Scenario:
    """Set and get in one kind of handler, then get in all kinds."""
    steps = [
        CacheSet(key=key, value_json='{"n":1}', ttl_seconds=60, app=app, handler=writer),
        *(CacheGet(key=key, app=app, handler=kind) for kind in (writer, *_KINDS, writer)),
    ]
    title = f"A value set in a {_told(writer)}, got in handlers of every kind"
    return Scenario(id=name, steps=tuple(steps), title=title)


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: two kinds of handler take turns with two keys."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for number, recipe in enumerate((*recipes, *recipes)):
        writer, reader = recipe.pick(_KINDS), recipe.pick(_KINDS)
        key, app = recipe.pick(("board", "list")), recipe.pick(APPS)
        value = f'{{"n":{number}}}'
        steps += [
            CacheSet(key=key, value_json=value, ttl_seconds=60, app=app, handler=writer),
            CacheGet(key=key, app=app, handler=reader),
            CacheGet(key=key, app=app, handler=writer),
        ]
    return Scenario(id="explore", steps=tuple(steps))


def _ways(ways: Iterator[tuple[HandlerKind, HandlerKind]]) -> tuple[Partition, ...]:
    return tuple(
        Partition(f"set in a {_told(a)}, got in a {_told(b)}", "in the same session")
        for a, b in ways
    )


INVARIANT = Invariant(
    id="C-CACHE-SHARED",
    title="Panels and handlers share the cache",
    statement="What one handler of an extension caches for a user, its other handlers read.",
    sources=(
        context_channels("Channel 2 — ctx.cache (page-bound rich snapshot)"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"cache"}),
    reading=(
        "Only values count that the kind of handler that set them gets back itself. Required are "
        "the three ways that the page gives as examples; the others are advisory."
    ),
    clauses=(
        Clause(
            "across-handlers",
            "A value that a panel, a chat function or a skeleton refresh has set is read by chat "
            "functions, and one that a chat function has set by panels.",
            _across,
            _ways(way for way in sorted(_PROMISED)),  # type: ignore[arg-type]
        ),
        Clause(
            "across-all-handlers",
            "A value that any kind of handler has set is read by every other kind.",
            _across_all,
            _ways((a, b) for a in _KINDS for b in _KINDS if a != b and (a, b) not in _PROMISED),
            level="SHOULD",
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
