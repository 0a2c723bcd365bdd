"""I-SKELETON-LLM-ONLY: who may read the skeleton."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...readings.probes import CONTROL_PATH, READ_PATH, SkeletonRead, skeleton_reads
from ...scenarios.drawing import Recipe, from_recipes
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import (
    APPS,
    SECTION,
    VIAS,
    AnyStep,
    Environment,
    Extension,
    HandlerKind,
    Probe,
    Scenario,
    Section,
    SkeletonRefresh,
    Via,
)
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Read = tuple[HandlerKind, Via]

_ERROR = "SkeletonAccessForbidden"
_OUTSIDE: tuple[HandlerKind, ...] = ("tool", "chat_function", "panel", "webhook", "schedule")
_EVERYWHERE: tuple[HandlerKind, ...] = (*_OUTSIDE, "skeleton")
_INSIDE: Read = ("skeleton", "direct")
STORED, UNSTORED = "a stored section", "a section that is not stored"
_NEVER = "agenda"
"""A section that no extension has."""
_VALUES = (
    '{"total":3}',
    '{"label":"\\u041f\\u0440\\u0438\\u0432\\u0435\\u0442","rate":0.5,"open":true,"next":null}',
    '{"total":0,"label":"","open":false}',
)


def _judge_outside(view: TraceView) -> Iterator[Finding]:
    for read in view.reading(skeleton_reads).outside:
        if read.outcome.outcome == "error":
            continue
        yield Compared((_told_handler(read), read.probe.via, STORED if read.stored else UNSTORED))
        if read.outcome.outcome != "raised":
            readable = "readable" if read.stored else "not refused without a section"
            yield Violation(
                kind=f"{readable} in a {_told_handler(read)} handler",
                step=read.step,
                expected=f"{_told_call(read)} raises",
                got=_told_outcome(read),
            )


def _judge_inside(view: TraceView) -> Iterator[Finding]:
    for read in view.reading(skeleton_reads).inside:
        if read.outcome.outcome == "error":
            continue
        yield Compared((read.probe.via,))
        if not read.matches:
            yield Violation(
                kind=_kind_inside(read),
                step=read.step,
                expected=f"{_told_call(read)} returns what the section's handler returned",
                got=_told_outcome(read),
            )


def _judge_name(view: TraceView) -> Iterator[Finding]:
    for read in view.reading(skeleton_reads).outside:
        if read.outcome.outcome != "raised" or not read.stored:
            continue
        yield Compared((_told_handler(read),))
        error = read.outcome.error
        if error is None or not any(_ERROR in name for name in (error.name, *error.bases)):
            yield Violation(
                kind="refused with another error",
                step=read.step,
                expected=f"{_told_call(read)} raises {_ERROR}",
                got=_told_outcome(read),
            )


def _kind_inside(read: SkeletonRead) -> str:
    if read.outcome.outcome == "raised":
        return "refused inside"
    gives_nothing = read.outcome.outcome == "absent" or read.outcome.value_json == "null"
    return "nothing inside" if gives_nothing else "another value inside"


def _told_handler(read: SkeletonRead) -> str:
    return read.probe.handler.replace("_", " ")


def _told_call(read: SkeletonRead) -> str:
    how = {"direct": "", "dynamic": ", by a computed name,", "helper": ", in a helper,"}
    call = f"skeleton.get({read.section!r}){how[read.probe.via]}"
    return f"{call} in a {_told_handler(read)} handler"


def _told_outcome(read: SkeletonRead) -> str:
    outcome = read.outcome
    if outcome.outcome == "raised":
        return f"it raised {outcome.error.name if outcome.error else 'an error without a name'}"
    return f"it returned {shorten(outcome.value_json or 'null')}"


def scenarios(_parameters: Parameters) -> Iterable[Scenario]:
    """Return the fixed scenarios: one per kind of handler, and reads inside."""
    for handler in _OUTSIDE:
        name = handler.replace("_", "-")
        reads: list[Read] = [(handler, via) for via in VIAS]
        yield _scenario(f"skeleton-{name}", [_INSIDE, *reads, _INSIDE])
        yield _unstored(f"skeleton-unstored-{name}", handler)
    for place, value in enumerate(_VALUES):
        inside: list[Read] = [("skeleton", via) for via in VIAS]
        yield _scenario(f"skeleton-inside-{place + 1}", inside, value=value)


def _unstored(name: str, handler: HandlerKind) -> Scenario:
    """Ask for a section before it is stored, for one that is none, and as a user who has none."""
    kinds: tuple[HandlerKind, ...] = (handler, "skeleton")
    steps: list[AnyStep] = [_runs(kind, APPS[0], user) for kind in kinds for user in ("u1", "u2")]
    steps += _asked_for(handler, SECTION)
    steps += [SkeletonRefresh(), _read("skeleton", SECTION)]
    steps += _asked_for(handler, _NEVER)
    steps += _asked_for(handler, SECTION, user="u2")
    return Scenario(
        id=name,
        steps=tuple(steps),
        environment=_environment(APPS[0], _VALUES[0]),
        title=f"Reads of sections that are not stored, in a {handler.replace('_', ' ')}",
    )


def _asked_for(handler: HandlerKind, section: str, *, user: str = "u1") -> list[Probe]:
    return [_read(handler, section, via=via, user=user) for via in VIAS]


def _runs(handler: HandlerKind, app: str, user: str = "u1") -> Probe:
    return Probe(handler=handler, op="get", path=CONTROL_PATH, app=app, user=user)


def _read(
    handler: HandlerKind,
    section: str,
    *,
    via: Via = "direct",
    app: str = APPS[0],
    user: str = "u1",
) -> Probe:
    asked = json.dumps([section])
    return Probe(
        handler=handler, op="call", path=READ_PATH, args_json=asked, via=via, app=app, user=user
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: reads in handlers of every kind, in any order."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    first, second = recipes
    app, value = first.pick(APPS), first.pick(_VALUES)
    reads: list[Read] = [
        (recipe.pick(_EVERYWHERE), recipe.pick(VIAS))
        for recipe in (first, second)
        for _ in range(recipe.pick((1, 2, 3)))
    ]
    return _scenario("explore", [*reads, _INSIDE], app=app, value=value)


def _scenario(
    name: str,
    reads: list[Read],
    *,
    app: str = APPS[0],
    value: str = _VALUES[0],
) -> Scenario:
    """Refresh the section, show that each kind of handler runs, then read it in each."""
    kinds: dict[HandlerKind, None] = dict.fromkeys([handler for handler, _ in reads])
    steps: list[AnyStep] = [SkeletonRefresh(app=app)]
    steps += [_runs(kind, app) for kind in kinds]
    steps += [_read(handler, SECTION, via=via, app=app) for handler, via in reads]
    told = ", ".join(kind.replace("_", " ") for kind in kinds)
    return Scenario(
        id=name,
        steps=tuple(steps),
        environment=_environment(app, value),
        title=f"Reads of the skeleton in these handlers: {told}",
    )


def _environment(app: str, value: str) -> Environment:
    sections = (Section(returns_json=(value,)),)
    return Environment(
        extensions=tuple(
            Extension(app=each, sections=sections) if each == app else Extension(app=each)
            for each in APPS
        )
    )


_MAIN_HANDLERS = (
    Partition("tool", "a tool reads"),
    Partition("chat function", "a chat function reads"),
    Partition("panel", "a panel reads"),
)
_OTHER_HANDLERS = (
    Partition("webhook", "a webhook reads", "observed"),
    Partition("schedule", "a schedule reads", "observed"),
)
_WAYS = (
    Partition("direct", "the call is written out"),
    Partition("dynamic", "the path is a computed name"),
    Partition("helper", "a function that the handler calls reads"),
)

_SECTIONS = (
    Partition(STORED, "the user has the section"),
    Partition(UNSTORED, "the user has none, or there is none of that name"),
)

INVARIANT = Invariant(
    id="I-SKELETON-LLM-ONLY",
    title="Only skeleton handlers read the skeleton",
    statement=(
        "ctx.skeleton.get works inside the handler of a skeleton section alone; in every other "
        "handler it raises SkeletonAccessForbidden."
    ),
    sources=(
        context_channels("(2) During — your handler sees"),
        context_channels("The three channels at a glance"),
    ),
    clauses=(
        Clause(
            "refused-outside-skeleton",
            "skeleton.get raises in every handler that is no skeleton handler, however it is "
            "reached.",
            _judge_outside,
            (*_MAIN_HANDLERS, *_OTHER_HANDLERS, *_WAYS, *_SECTIONS),
        ),
        Clause(
            "read-inside-skeleton",
            "skeleton.get in a skeleton handler returns what the section's handler returned.",
            _judge_inside,
            _WAYS,
        ),
        Clause(
            "refusal-named",
            "The error that skeleton.get raises elsewhere is a SkeletonAccessForbidden.",
            _judge_name,
            (*_MAIN_HANDLERS, *_OTHER_HANDLERS),
            level="SHOULD",
        ),
    ),
    scenarios=scenarios,
    strategy=strategy,
    capabilities=frozenset({"probe", "skeleton"}),
    reading=(
        "Raising at the access of ctx.skeleton or at the call both conform. What a skeleton "
        "handler gets for a section that is not stored is free, and so is the error with which it "
        "is refused elsewhere. Fields that begin "
        "with an underscore may stand beside the section's own. Private attributes are no "
        "published surface and are not judged."
    ),
)
