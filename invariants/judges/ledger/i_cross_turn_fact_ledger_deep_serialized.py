"""I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED: nested data keeps its full depth and exact leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...readings.facts import RENDERED
from ...readings.pairs import Shown, verbatim_pairs
from ...scenarios.facts import fact_scenarios
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import (
    Difference,
    depth,
    is_list,
    is_object,
    kind_of,
    leaves,
    parse_leading,
    whole_numbers_kept,
    zero_signs_kept,
)
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten, told_apart
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_CONTAINERS = ("object", "list")
_DEEP, _VERY_DEEP, _LONG_LIST, _MANY_KEYS = 5, 20, 20, 50
_EXACT_IN_DOUBLE = 2**53
_MARKUP = (
    "https://example.com/a?b=c&d=%20e#f",
    "<b>bold</b> &amp; <br/>",
    "**bold** _and_ `code`",
    "two  blanks",
    " padded ",
    "a\\nb",
    "${HOME} {0} %s {{name}}",
    "'; --",
)
"""Text that careless code cleans, renders or fills in."""

_LONG_FRACTION = 16
"""Characters that a number has which fifteen digits can write."""


def _full_depth(view: TraceView) -> Iterator[Finding]:
    for shown in _comparable(view):
        if kind_of(shown.given.data) not in _CONTAINERS:
            continue
        yield Compared(tuple(_shapes(shown.given.data)), shown.given.turn.step.index)
        for difference in shown.payload.differences:
            if _is_structural(difference):
                yield _violation(shown, difference, "nested data kept in full")
                break


def _exact_leaves(view: TraceView) -> Iterator[Finding]:
    for shown in _comparable(view):
        yield Compared(tuple(_leaf_classes(shown.given.data)), shown.given.turn.step.index)
        for difference in shown.payload.differences:
            if not _is_structural(difference) and difference.kind.endswith(_LEAF_KINDS):
                yield _violation(shown, difference, "every value kept exactly")
                break


def _numbers_as_written(view: TraceView) -> Iterator[Finding]:
    for shown in _comparable(view):
        if not shown.payload.intact or not any(map(_is_number, leaves(shown.given.data))):
            continue
        got, _ = parse_leading(shown.payload.text)
        yield Compared((), shown.given.turn.step.index)
        for kind, is_kept in _AS_WRITTEN.items():
            if not is_kept(shown.given.data, got):
                yield Violation(
                    kind=kind,
                    step=shown.prompt.step.index,
                    expected=shorten(shown.given.call.data_json),
                    got=shorten(shown.payload.text),
                )


_AS_WRITTEN = {"whole number with a fraction": whole_numbers_kept, "sign of zero": zero_signs_kept}


def _is_number(leaf: object) -> bool:
    return kind_of(leaf) == "number"


_LEAF_KINDS = ("changed", *(f"as {kind}" for kind in ("string", "number", "boolean", "null")))


def _comparable(view: TraceView) -> Iterator[Shown]:
    """Pairs whose payload parsed, is the same kind at the root, and had room to be whole."""
    for shown in verbatim_pairs(view):
        rooted = any(difference.path == () for difference in shown.payload.differences)
        if (shown.fits and shown.payload.readable and not rooted) or (
            shown.fits and rooted and kind_of(shown.given.data) not in _CONTAINERS
        ):
            yield shown


def _is_structural(difference: Difference) -> bool:
    """Whether a nested container, or something inside one, was lost, added or replaced."""
    if difference.kind in ("item lost", "item added"):
        return True
    if difference.kind in ("key lost", "key added"):
        nested_here = kind_of(difference.expected) in _CONTAINERS
        return len(difference.path) > 1 or nested_here
    return kind_of(difference.expected) in _CONTAINERS or kind_of(difference.got) in _CONTAINERS


def _violation(shown: Shown, difference: Difference, promise: str) -> Violation:
    expected, got = told_apart(difference.expected, difference.got)
    return Violation(
        kind=difference.kind,
        step=shown.prompt.step.index,
        expected=f"{promise}: {difference.where} is {expected}",
        got=f"{difference.where} is {got}",
    )


def _shapes(data: Any) -> Iterator[str]:
    levels = depth(data)
    if levels >= _DEEP:
        yield "five levels or more"
    if levels >= _VERY_DEEP:
        yield "twenty levels or more"
    for node in _nodes(data):
        if is_list(node) and len(node) > _LONG_LIST:
            yield "long list"
        if is_object(node) and len(node) > _MANY_KEYS:
            yield "many keys"
        if node in ({}, []) and node is not data:
            yield "empty containers inside"


def _nodes(data: Any) -> Iterator[Any]:
    yield data
    for child in data.values() if is_object(data) else data if is_list(data) else ():
        yield from _nodes(child)


def _leaf_classes(data: Any) -> set[str]:
    return {name for leaf in leaves(data) for name in _classes_of(leaf)}


def _classes_of(leaf: Any) -> Iterator[str]:
    if isinstance(leaf, bool):
        yield "booleans"
    elif isinstance(leaf, int):
        yield "integers beyond double precision" if abs(leaf) > _EXACT_IN_DOUBLE else "integers"
    elif isinstance(leaf, float):
        yield "fractions"
        if len(repr(leaf).strip("-").partition("e")[0]) > _LONG_FRACTION:
            yield "fractions of many digits"
    elif leaf is None:
        yield "null"
    elif isinstance(leaf, str):
        yield "empty strings" if not leaf else "words" if leaf.isascii() else "non-ASCII text"
        if leaf in _MARKUP:
            yield "text with markup"


INVARIANT = Invariant(
    id="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
    title="Nested data keeps its full depth",
    statement=(
        "The serialised facts preserve nested structures at full depth and every value exactly; "
        "there is no shallow projection."
    ),
    severity="critical",
    sources=(
        fact_ledger("Caps and limits"),
        fact_ledger("Federal invariants"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    rests_on=(RENDERED,),
    reading=(
        "Judged in turns that fit the caps in every reading. Integers are exact at any size, a "
        "boolean is never a number, 1 equals 1.0; key order and escaping are free. A per-call cap "
        "is a declared deviation (contradiction C6)."
    ),
    clauses=(
        Clause(
            name="full-depth",
            sentence="Nothing nested is lost, added or flattened, at any depth.",
            judge=_full_depth,
            partitions=(
                Partition("five levels or more", "the data is nested at least five deep"),
                Partition("twenty levels or more", "the data is nested at least twenty deep"),
                Partition("long list", "a list of more than twenty items"),
                Partition("many keys", "an object of more than fifty keys"),
                Partition("empty containers inside", "an empty object or list below the root"),
            ),
        ),
        Clause(
            name="exact-leaves",
            sentence="Every value keeps its type and its exact content.",
            judge=_exact_leaves,
            partitions=(
                Partition("booleans", "true and false"),
                Partition("integers", "whole numbers that a double holds"),
                Partition("integers beyond double precision", "whole numbers beyond 2**53"),
                Partition("fractions", "numbers with a fraction"),
                Partition("fractions of many digits", "sixteen or seventeen of them"),
                Partition("null", "null"),
                Partition("empty strings", "the empty string"),
                Partition("words", "ASCII text"),
                Partition("non-ASCII text", "any other text"),
                Partition("text with markup", "links, tags, blanks, placeholders"),
            ),
        ),
        Clause(
            name="numbers-as-written",
            sentence="A whole number gets no fraction, and a negative zero keeps its sign.",
            judge=_numbers_as_written,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=fact_scenarios,
)
