"""C-LEDGER-LARGE-SHAPES: long keys, many keys, long lists, deep nesting and big numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...readings.pairs import Shown
from ...readings.spoiled import kept
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...scenarios.payloads import nested
from ...vocabulary.invariant import Clause, Invariant, Judge, Partition
from ...vocabulary.json_values import depth, is_list, is_object
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger

_LEAST_SIZE = 40
_DEEP, _DEEPEST = 20, 60
_LONG_KEY, _LONGEST_KEY = 64, 256
_MANY, _MOST = 40, 200


def _nodes(data: Any) -> Iterator[Any]:
    stack = [data]
    while stack:
        node = stack.pop()
        yield node
        if is_object(node):
            stack.extend(node.values())
        elif is_list(node):
            stack.extend(node)


def _by_depth(data: Any) -> Iterator[str]:
    levels = depth(data)
    if levels >= _DEEP:
        yield "sixty levels" if levels >= _DEEPEST else "twenty levels"


def _by_keys(data: Any) -> Iterator[str]:
    longest = max((len(key) for n in _nodes(data) if is_object(n) for key in n), default=0)
    if longest > _LONG_KEY:
        yield "keys of 300 characters" if longest > _LONGEST_KEY else "keys of 100 characters"


def _by_width(data: Any) -> Iterator[str]:
    for node in _nodes(data):
        if is_object(node) and len(node) >= _MANY:
            yield "two hundred keys" if len(node) >= _MOST else "many keys"
        if is_list(node) and len(node) >= _MANY:
            yield "two hundred items" if len(node) >= _MOST else "many items"


def _kept(classes: Callable[[Any], Iterator[str]]) -> Judge:
    def large(shown: Shown) -> Iterable[str]:
        if len(shown.given.call.data_json) < _LEAST_SIZE:
            return ()
        return classes(shown.given.data)

    return kept(large)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "large-deep",
        "twenty, forty and sixty levels, of lists and of objects",
        turn("one", call(nested(22, "leaf")), call(_lists(40), app=APPS[1])),
        turn("two", call(nested(60, "leaf")), call(_lists(64), app=APPS[1])),
        turn("three", call(_objects(62))),
    )
    yield fact_scenario(
        "large-keys",
        "keys of 100 and of 300 characters that differ at their end",
        turn("one", call({f"{'k' * 100}{n}": n for n in range(5)})),
        turn("two", call({f"{'long key ' * 35}{n}": n for n in range(3)})),
        turn("three", call({"in": [{f"{'x' * 280}": 1, f"{'x' * 281}": 2}]}, app=APPS[1])),
    )
    yield fact_scenario(
        "large-wide",
        "two hundred keys, two hundred items, at the top and below",
        turn("one", call({f"k{n}": n for n in range(200)})),
        turn("two", call(list(range(250))), call({"in": {f"k{n}": n for n in range(50)}})),
        turn("three", call({"in": {"list": list(range(60))}}, app=APPS[2])),
    )


def _lists(levels: int) -> Any:
    value: Any = "leaf"
    for _ in range(levels):
        value = [value]
    return value


def _objects(levels: int) -> Any:
    value: Any = "leaf"
    for _ in range(levels):
        value = {"in": value}
    return value


INVARIANT = Invariant(
    id="C-LEDGER-LARGE-SHAPES",
    title="No shape is too large that fits the cap",
    statement=(
        "Within the cap the shape of the data is free: sixty levels, keys of hundreds of "
        "characters, hundreds of keys and items are all kept in full."
    ),
    sources=(
        fact_ledger("Caps and limits"),
        fact_ledger("Federal invariants"),
        context_channels("Channel 3 — Fact-ledger (verbatim cross-turn recall)"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading="Judged in turns that fit the caps in every reading; the cap is the only limit.",
    clauses=(
        Clause(
            name="deep-kept",
            sentence="Nesting is kept at twenty levels and at sixty.",
            judge=_kept(_by_depth),
            partitions=(
                Partition("twenty levels", "or more"),
                Partition("sixty levels", "or more"),
            ),
        ),
        Clause(
            name="long-keys-kept",
            sentence="Long keys are kept, each for itself.",
            judge=_kept(_by_keys),
            partitions=(
                Partition("keys of 100 characters", "longer than 64"),
                Partition("keys of 300 characters", "longer than 256"),
            ),
        ),
        Clause(
            name="wide-kept",
            sentence="Many keys and many items are kept, in full.",
            judge=_kept(_by_width),
            partitions=(
                Partition("many keys", "forty or more"),
                Partition("two hundred keys", "or more"),
                Partition("many items", "forty or more"),
                Partition("two hundred items", "or more"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
