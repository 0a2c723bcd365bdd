"""C-NO-EXTENSION-API: no extension reads or writes the fact ledger, or writes the skeleton."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.absence import Secret, unseen
from ...readings.handlers import ABSENT, Reached, all_reached, reached
from ...readings.marks import MarkedTurn, Plant
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.layers import HANDLERS, asked, found, identified, layered, word
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import SECTION, VIAS, AnyStep, HandlerKind, Probe, Scenario, Via
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_ON_EXTENSION = "on the extension object"
_LEDGER, _WRITER = "fact_ledger", "skeleton.set"
_CONTROLS = ("ActionResult", "Extension", "Context")
_VERBS = (
    *("update", "put", "save", "write", "store", "replace", "patch", "merge", "push", "add"),
    *("append", "insert", "upsert", "create", "assign", "register", "publish", "commit", "edit"),
    *("set_section", "update_section", "write_section", "refresh", "__setitem__"),
)
"""Every word by which interfaces write."""

_WRITES = (
    "skeleton.set",
    *(f"skeleton.{verb}" for verb in _VERBS),
    "fact_ledger.set",
    "fact_ledger.add",
    "fact_ledger.append",
    "fact_ledger.record",
)


def _accessor(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(reached):
        if (each.probe.op, each.probe.path) == ("get", _LEDGER):
            if each.probe.root == "ext":
                yield Compared((_ON_EXTENSION,), each.step.index)
            yield from _nothing(each, "fact ledger readable")


def _decorator(view: TraceView) -> Iterator[Finding]:
    imports = [each for each in view.reading(all_reached) if each.probe.op == "import"]
    works = any(e.probe.path in _CONTROLS and e.outcome.outcome == "value" for e in imports)
    for each in imports if works else ():
        if each.probe.path == _LEDGER:
            yield from _nothing(each, "fact ledger importable")


def _writer(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(reached):
        if each.probe.path == _WRITER and each.probe.op != "import":
            yield from _nothing(each, "skeleton writable")


def _nothing(each: Reached, kind: str) -> Iterator[Finding]:
    yield Compared((f"in a {each.told_handler}", each.probe.via, each.probe.op))
    outcome = each.outcome
    empty = each.probe.op == "get" and outcome.value_json == "null"
    if outcome.outcome not in ABSENT and not empty:
        shown = shorten(outcome.value_json) if outcome.value_json else "an object"
        yield Violation(
            kind=f"{kind} in a {each.told_handler}",
            step=each.step.index,
            expected=f"{each.probe.op} {each.probe.path} gives nothing or raises",
            got=f"it gave {shown}",
        )


def _unwritten(view: TraceView) -> Iterator[Finding]:
    return unseen(view, _ATTEMPT)


def _written(plant: Plant, _turn: MarkedTurn) -> Iterator[str]:
    probe = plant.step.stimulus
    if isinstance(probe, Probe):
        if probe.op == "set":
            yield "by an assignment"
        yield "to the skeleton" if probe.path.startswith("skeleton") else "to the fact ledger"


_UNATTENDED: tuple[HandlerKind, ...] = ("webhook", "schedule")
"""Kinds of handler that may run without a user; where they have none, nothing is judged."""

_ATTEMPT = Secret("probe", "what an extension tried to write", _written)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    for handler in (*HANDLERS, *_UNATTENDED):
        yield Scenario(
            id=f"no-api-{handler.replace('_', '-')}",
            title=f"The fact ledger and a writer for the skeleton in a {handler} handler",
            steps=(
                identified(handler),
                *(Probe(handler=handler, op="get", path=_LEDGER, via=via) for via in VIAS),
                *(Probe(handler=handler, op="get", path=_WRITER, via=via) for via in VIAS),
                *(_write(_WRITER, 0, handler, via) for via in VIAS),
                Probe(handler=handler, op="import", path=_CONTROLS[0]),
                *(Probe(handler=handler, op="import", path=_LEDGER, via=via) for via in VIAS[:2]),
                identified(handler),
            ),
        )
    for handler in HANDLERS:
        yield Scenario(
            id=f"no-api-on-extension-{handler.replace('_', '-')}",
            title=f"The fact ledger, asked of the extension object in a {handler} handler",
            steps=(
                identified(handler),
                *(
                    Probe(handler=handler, op="get", path=_LEDGER, via=via, root="ext")
                    for via in VIAS[:2]
                ),
                identified(handler),
            ),
        )
    attempting: tuple[HandlerKind, ...] = ("chat_function", "skeleton", *_UNATTENDED)
    for handler in attempting:
        yield layered(
            f"no-api-attempts-{handler.replace('_', '-')}",
            "attempts to write, then turns",
            asked(0, found(20)),
            identified(handler),
            *(_write(path, n, handler) for n, path in enumerate(_WRITES)),
            *(Probe(handler=handler, op="get", path=path) for path in (_LEDGER, _WRITER)),
            asked(1, found(22)),
            asked(2),
        )
        yield layered(
            f"no-api-assignments-{handler.replace('_', '-')}",
            "assignments, then turns",
            asked(0, found(20)),
            identified(handler),
            *(_assign(path, n + 60, handler) for n, path in enumerate(_ASSIGNED)),
            asked(1, found(22)),
            asked(2),
        )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: probes in handlers of every kind, then a turn."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for number, recipe in enumerate((*recipes, *recipes)):
        handler, via = recipe.pick(HANDLERS), recipe.pick(VIAS)
        steps += [
            identified(handler),
            Probe(handler=handler, op="get", path=recipe.pick((_LEDGER, _WRITER)), via=via),
            _write(recipe.pick(_WRITES), number, handler, via),
        ]
    return Scenario(id="explore", steps=tuple(steps))


def _write(path: str, number: int, handler: HandlerKind, via: Via = "direct") -> Probe:
    """Return an attempt to write; its arguments bear a mark."""
    value = {"total": 99, "label": word(number)}
    arguments = json.dumps([SECTION, value] if path.startswith("skeleton") else [value])
    return Probe(handler=handler, op="call", path=path, args_json=arguments, via=via)


_ASSIGNED = ("skeleton", f"skeleton.{SECTION}", "skeleton.data", "skeleton.sections", "fact_ledger")
"""What an extension may try to put something else in the place of."""


def _assign(path: str, number: int, handler: HandlerKind) -> Probe:
    """Return an attempt to assign; the value bears a mark."""
    value = {"total": 98, "label": word(number)}
    return Probe(handler=handler, op="set", path=path, args_json=json.dumps([value]))


_WHERE = (
    Partition("in a chat function", "asked there"),
    Partition("in a panel", "asked there"),
    Partition("in a skeleton", "asked there"),
    Partition("in a tool", "asked there"),
)
_WAYS = (
    Partition("direct", "the path is written out"),
    Partition("dynamic", "the path is a computed name"),
)
_HELPER = Partition("helper", "a function that the handler calls asks")

INVARIANT = Invariant(
    id="C-NO-EXTENSION-API",
    title="The kernel is the only writer",
    statement=(
        "An extension has no fact-ledger decorator and no fact-ledger accessor, and the skeleton "
        "has no writer."
    ),
    sources=(fact_ledger("What you DO NOT do"), fact_ledger("The essence")),
    capabilities=frozenset({"probe"}),
    reading=(
        "Nothing and an error are equally good answers. An import counts only where another one "
        "works, a get only where the handler gave the user's id."
    ),
    clauses=(
        Clause(
            "no-ledger-accessor",
            "fact_ledger gives nothing in any handler, of the context and of the extension.",
            _accessor,
            (
                *_WHERE,
                *_WAYS,
                _HELPER,
                Partition("get", "read"),
                Partition(
                    _ON_EXTENSION,
                    "asked of the extension object itself",
                    capabilities=frozenset({"probe_assign"}),
                ),
            ),
        ),
        Clause(
            "no-ledger-decorator",
            "Importing a fact-ledger decorator fails.",
            _decorator,
            (*_WHERE, *_WAYS, Partition("import", "imported")),
        ),
        Clause(
            "no-skeleton-writer",
            "ctx.skeleton.set does not exist in any handler.",
            _writer,
            (*_WHERE, *_WAYS, _HELPER, Partition("get", "read"), Partition("call", "called")),
        ),
        Clause(
            "nothing-written",
            "What an extension tries to write stands in no classifier prompt.",
            _unwritten,
            (
                Partition("to the skeleton", "tried through ctx.skeleton"),
                Partition("to the fact ledger", "tried through ctx.fact_ledger"),
                Partition(
                    "by an assignment",
                    "something else is put in its place",
                    capabilities=frozenset({"probe_assign"}),
                ),
            ),
            capabilities=frozenset({"fact_ledger"}),
            sources=(
                fact_ledger("What you DO NOT do"),
                context_channels("The three channels at a glance"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
