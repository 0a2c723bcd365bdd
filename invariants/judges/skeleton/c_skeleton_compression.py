"""C-SKELETON-COMPRESSION: what is left of a section in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from ...readings.skeleton import Place, PromptReading, SkeletonReading, read_skeleton
from ...readings.skeleton_marks import Spot
from ...readings.skeleton_names import Titled, read_titled
from ...scenarios.skeleton import (
    LONG,
    environment,
    refresh_all,
    say,
    scenario,
    section,
    skeleton_scenarios,
    value,
    word,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import leaves
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_SAMPLES_SHOWN = 2
"""Items that a hint at a list's shape may quote; the page's own example quotes two."""


_TELLING = re.compile("[a-z]{8,24}")
"""Names of fields that stand nowhere by chance."""

_EMPTY = r"[:=]\s*(?:\[\s*\]|list\[0\]|null|None|0)\s*(?=[,;}\n]|$)"
_USEFUL = 2_000
"""Characters of a section that the page calls its useful size."""

_NAMING = ("name", "title", "label", "subject")
"""Fields that name an item, whatever language its extension speaks."""

_MOST_ROWS = 12
"""Lines that a section may take; more only hide a missing hint."""


def _strings_cut(view: TraceView) -> Iterator[Finding]:
    for prompt, place in _sections(view):
        yield from _cut_in(prompt, _long_strings(place.value, view.parameters.section_fields))
    for titled in _named_sections(view):
        texts = [text for text in _strings_in(titled.values[0]) if len(text) >= LONG]
        yield from _cut_in(titled.prompt, (("itself", "no object", text) for text in texts))


def _cut_in(prompt: PromptReading, strings: Iterable[tuple[str, str, str]]) -> Iterator[Finding]:
    for name, where, text in strings:
        yield Compared((where, "ASCII" if text.isascii() else "not ASCII"), prompt.step.index)
        if any(way in prompt.text for way in (text, json.dumps(text)[1:-1], _on_one_line(text))):
            yield Violation(
                kind=f"long string whole, {where}",
                step=prompt.step.index,
                expected=f"field {shorten(name)} of {len(text)} characters shortened",
                got="the whole string",
            )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _long_strings(section_value: Any, fields: int) -> Iterator[tuple[str, str, str]]:
    for name, item in _fields(section_value)[:fields]:
        if isinstance(item, str) and len(item) >= LONG:
            yield name, "a field", item
        elif isinstance(item, (dict, list)):
            for text in _strings_in(item):
                if len(text) >= LONG:
                    yield name, "inside a field", text


def _strings_in(item: Any) -> Iterator[str]:
    yield from (leaf for leaf in leaves(item) if isinstance(leaf, str))


def _lists_collapsed(view: TraceView) -> Iterator[Finding]:
    """A list further inside may be cut with what it stands in: there all of it is too much."""
    most, fields = view.parameters.section_list_items, view.parameters.section_fields
    reading = view.reading(read_skeleton)
    for prompt, spot, held in _known_values(view):
        for name, items, shown_at_most in _long_lists(held, most, fields):
            words = [reading.words(item, spot) for item in items]
            if not all(words):
                continue
            size = "one more than may be inline" if len(words) == most + 1 else "many"
            yield Compared((size,), prompt.step.index)
            shown = sum(any(w in prompt.text for w in row) for row in words)
            if shown > shown_at_most:
                yield Violation(
                    kind="list inlined" if shown == len(words) else "list cut, not collapsed",
                    step=prompt.step.index,
                    expected=f"a hint at the shape of {name}, a list of {len(words)} objects",
                    got=f"{shown} of its items",
                )


def _known_values(view: TraceView) -> Iterator[tuple[PromptReading, Spot, Any]]:
    for prompt, place in _sections(view):
        yield prompt, place.script.spot, place.value
    for titled in _named_sections(view):
        yield titled.prompt, titled.spot, titled.values[0]


def _named_sections(view: TraceView) -> Iterator[Titled]:
    """Sections whose value no word shows, but of which it is known: they have only one."""
    return (each for each in view.reading(read_titled) if each.shown and len(each.values) == 1)


def _long_lists(held: Any, most: int, fields: int) -> Iterator[tuple[str, list[Any], int]]:
    """Yield the lists of too many objects, each with how many items may be shown."""
    if _is_long(held, most):
        yield "the section", held, _SAMPLES_SHOWN
    alone: list[tuple[str, Any]] = [("the section", held)]
    for name, item in alone if isinstance(held, list) else _fields(held)[:fields]:
        if _is_long(item, most) and item is not held:
            yield f"field {name}", item, _SAMPLES_SHOWN
        for inner in _inner_lists(item):
            if _is_long(inner, most):
                yield f"a list in {name}", inner, len(inner) - 1


def _inner_lists(item: Any) -> Iterator[list[Any]]:
    """Yield the lists inside a value, itself left out."""
    inside: Iterable[Any] = ()
    if isinstance(item, list):
        inside = cast("list[Any]", item)
    elif isinstance(item, dict):
        inside = cast("dict[str, Any]", item).values()
    for each in inside:
        if isinstance(each, list):
            yield cast("list[Any]", each)
        yield from _inner_lists(each)


def _shape_hinted(view: TraceView) -> Iterator[Finding]:
    """A hint names the field, its items' fields or their number; no document fixes more."""
    most = view.parameters.section_list_items
    for prompt, place in _sections(view):
        for name, item in _fields(place.value)[: view.parameters.section_fields]:
            if not _is_long(item, most) or not _TELLING.fullmatch(name):
                continue
            size = "one more than may be inline" if len(item) == most + 1 else "many"
            yield Compared((size,), prompt.step.index)
            kind = _no_hint(prompt, place, name, item)
            if kind:
                yield Violation(
                    kind=kind,
                    step=prompt.step.index,
                    expected=f"a hint at the shape of field {name}, a list of {len(item)} objects",
                    got=shorten(prompt.lines[prompt.row(place)]),
                )


def _no_hint(prompt: PromptReading, place: Place, name: str, items: list[Any]) -> str:
    if re.search(rf"{name}\W?\s*{_EMPTY}", prompt.text):
        return "list told to be empty"
    first = prompt.begin(place)
    begins = (prompt.begin(other) for other in prompt.showing if other is not place)
    last = min((row for row in begins if row > first), default=first + _MOST_ROWS)
    section = "\n".join(prompt.lines[first : min(last, first + _MOST_ROWS)])
    hints = [str(len(items)), *(key for each in items for key in each)]
    told = any(re.search(rf"\b{re.escape(hint)}\b", section) for hint in hints)
    return "" if name in prompt.text or told else "list left no hint"


def _is_long(item: Any, most: int) -> bool:
    return _is_of_objects(item) and len(item) > most


def _is_of_objects(item: Any) -> bool:
    return isinstance(item, list) and all(
        isinstance(each, dict) for each in cast("list[Any]", item)
    )


def _short_lists_named(view: TraceView) -> Iterator[Finding]:
    """Only of sections of a size that the page calls useful: others may have to be cut."""
    most, reading = view.parameters.section_list_items, view.reading(read_skeleton)
    for prompt, place in _sections(view):
        if len(json.dumps(place.value)) > _USEFUL:
            continue
        for name, items in _fields(place.value)[: view.parameters.section_fields]:
            if not _is_of_objects(items) or not 0 < len(items) <= most:
                continue
            words = [reading.words(_names(item), place.script.spot) for item in items]
            if not all(words):
                continue
            size = "as many as may be named" if len(words) == most else "fewer"
            yield Compared((size,), prompt.step.index)
            shown = sum(any(w in prompt.text for w in row) for row in words)
            if shown < len(words):
                yield Violation(
                    kind="items of a short list not named",
                    step=prompt.step.index,
                    expected=f"the names of all {len(words)} items of field {shorten(name)} of "
                    f"section {'.'.join(place.script.spot)}",
                    got=f"{shown} of them",
                )


def _names(item: dict[str, Any]) -> list[Any]:
    return [item[key] for key in _NAMING if isinstance(item.get(key), str)]


def _at_most_six(view: TraceView) -> Iterator[Finding]:
    most, reading = view.parameters.section_fields, view.reading(read_skeleton)
    for prompt, place, fields in _told_fields(view):
        if len(fields) <= most:
            continue
        size = "one field more" if len(fields) == most + 1 else "many fields"
        yield Compared((size,), prompt.step.index)
        shown = [name for name, words in fields if any(w in prompt.text for w in words)]
        if len(shown) > most:
            yield Violation(
                kind="too many fields",
                step=prompt.step.index,
                expected=f"at most {most} fields of section {'.'.join(place.script.spot)}",
                got=f"{len(shown)} fields: {shorten(', '.join(shown))}",
            )
        elif later := _later_fields(prompt, place, reading, most):
            yield Violation(
                kind="field beyond the first ones",
                step=prompt.step.index,
                expected=f"only the first {most} fields of section {'.'.join(place.script.spot)}",
                got=f"later ones: {shorten(', '.join(later))}",
            )


def _later_fields(
    prompt: PromptReading, place: Place, reading: SkeletonReading, most: int
) -> list[str]:
    """Return the later fields that are shown although no first field's word is missing.

    Where one is missing, the wrong fields were chosen, which another clause says.
    """
    shown = [
        (name, any(w in prompt.text for w in words))
        for name, item in _fields(place.value)
        if (words := reading.words(item, place.script.spot))
    ]
    names = {name for name, _ in _fields(place.value)[:most]}
    if not all(seen for name, seen in shown if name in names):
        return []
    return [name for name, seen in shown if seen and name not in names]


def _first_six(view: TraceView) -> Iterator[Finding]:
    most = view.parameters.section_fields
    for prompt, place, fields in _told_fields(view):
        nothing = [name for name, item in _fields(place.value)[:most] if _is_nothing(name, item)]
        drop = "fields to drop" if len(fields) > most else "nothing to drop"
        classes = (drop, "a field that is 0 or false") if nothing else (drop,)
        yield Compared(classes, prompt.step.index)
        due = [*fields[:most], *((name, [name]) for name in nothing)]
        for name, words in due:
            if words and not any(w in prompt.text for w in words):
                yield Violation(
                    kind="one of the first fields missing",
                    step=prompt.step.index,
                    expected=f"field {shorten(name)} of section {'.'.join(place.script.spot)}, one "
                    f"of its first {most}",
                    got=shorten(prompt.lines[prompt.row(place)]),
                )


def _is_nothing(name: str, item: Any) -> bool:
    """Whether a field says that there is nothing, under a name that stands nowhere by chance."""
    return type(item) in (int, bool) and not item and _TELLING.fullmatch(name) is not None


def _told_fields(
    view: TraceView,
) -> Iterator[tuple[PromptReading, Place, list[tuple[str, list[str]]]]]:
    """Sections of at least two fields that are words, each field with its words."""
    reading = view.reading(read_skeleton)
    for prompt, place in _sections(view):
        fields = [
            (name, reading.words(item, place.script.spot) if isinstance(item, str) else [])
            for name, item in _fields(place.value)
        ]
        if sum(bool(words) for _, words in fields) > 1:
            yield prompt, place, fields


def _sections(view: TraceView) -> Iterator[tuple[PromptReading, Place]]:
    for prompt in view.reading(read_skeleton).prompts:
        for place in prompt.showing:
            yield prompt, place


def _fields(section_value: Any) -> list[tuple[str, Any]]:
    """Fields in order; those whose names begin with an underscore are the kernel's affair."""
    if not isinstance(section_value, dict):
        return []
    items = cast("dict[str, Any]", section_value).items()
    return [] if any(key.startswith("_") for key, _ in items) else list(items)


def _rows(name: str, count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"id": n, "title": word(name, n), **more} for n in range(count)]


def _called(key: str, count: int) -> list[dict[str, Any]]:
    return [{"id": f"{key}-{n}", key: word(key, n), "open": n % 2 == 0} for n in range(count)]


def _hinted(app: str, *counts: int) -> dict[str, Any]:
    """Return a section whose lists have names that stand nowhere else."""
    lists = {
        word("field", app, place): [{"item": word(app, place, n)} for n in range(count)]
        for place, count in enumerate(counts)
    }
    return {"mark": word(app, "hints"), **lists, "last": word(app, "last")}


def _words(name: str, count: int) -> dict[str, str]:
    """Return fields out of the order of the alphabet."""
    return {f"{'zyx'[n % 3]}{n}": word(name, n) for n in range(count)}


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    fields, items = parameters.section_fields, parameters.section_list_items
    text = " ".join(word("text", n) for n in range(LONG // 10 + 1))
    cyrillic = "я" * LONG
    shapes: dict[str, tuple[Any, ...]] = {
        "strings": (
            value(APPS[0], 0, text=text, run="x" * LONG),
            value(APPS[1], 0, text=cyrillic, tags=["z" * LONG, "b"]),
            value(APPS[2], 0, rows=[{"id": 1, "title": "y" * LONG}], inner={"a": text}),
        ),
        "lists": (
            value(APPS[0], 0, rows=_rows("six", items + 1)),
            value(APPS[1], 0, rows=_rows("many", 40), more=_rows("short", items)),
            value(APPS[2], 0, rows=[{"n": word("bare", n)} for n in range(items + 2)]),
        ),
        "short-lists": (
            value(APPS[0], 0, rows=_rows("one", 1), names=_called("name", 2)),
            value(APPS[1], 0, subjects=_called("subject", items), rows=_rows("most", items - 1)),
            value(APPS[2], 0, none=[], labels=_called("label", 3), rows=_rows("long", items + 1)),
        ),
        "hints": (
            _hinted(APPS[0], items + 1),
            _hinted(APPS[1], 40, items + 3),
            _hinted(APPS[2], 25),
        ),
        "fields": (
            _words("one more", fields + 1),
            _words("many more", 30),
            {**_words("mixed", fields - 1), "rows": _rows("mix", 2), **_words("rest", fields + 4)},
        ),
        "nothing-to-drop": (
            _words("exactly", fields),
            {**_words("few", 2), word("nought"): 0, word("off"): False, "n": 2**64},
            {"key " + "k" * 200: word("long key"), "ключ": word("key"), "a=b, c": word("=")},
        ),
    }
    for name, values in shapes.items():
        rooms = {app: section([each]) for app, each in zip(APPS, values, strict=True)}
        where = environment(**rooms)
        steps = (*refresh_all(), say())
        yield scenario(f"compression-{name}", f"sections with {name}", *steps, where=where)


INVARIANT = Invariant(
    id="C-SKELETON-COMPRESSION",
    title="Sections are compressed",
    statement=(
        "In the prompt long strings are shortened, lists of more than five objects are a hint at "
        "their shape, and the first six fields of a section survive."
    ),
    severity="medium",
    sources=(context_channels("Channel 1 — Skeleton"),),
    clauses=(
        Clause(
            "long-strings-cut",
            f"No string of {LONG:,} characters stands there whole.",
            _strings_cut,
            (
                Partition("a field", "the string is a field"),
                Partition("inside a field", "it stands in a list or an object"),
                Partition("no object", "the section is a text or a list", "observed"),
                Partition("ASCII", "plain letters"),
                Partition("not ASCII", "other letters"),
            ),
        ),
        Clause(
            "long-lists-collapsed",
            "The items of a list of more than five objects are not shown.",
            _lists_collapsed,
            (
                Partition("one more than may be inline", "six objects"),
                Partition("many", "more than that"),
            ),
        ),
        Clause(
            "shape-hinted",
            "A list of more than five objects leaves a hint that it is there.",
            _shape_hinted,
            (
                Partition("one more than may be inline", "six objects"),
                Partition("many", "more than that"),
            ),
        ),
        Clause(
            "at-most-six-fields",
            "At most six fields of a section are shown, and none behind the first six.",
            _at_most_six,
            (
                Partition("one field more", "seven fields"),
                Partition("many fields", "more than that"),
            ),
        ),
        Clause(
            "first-six-fields-kept",
            "The first six fields of a section are shown, if they are short.",
            _first_six,
            (
                Partition("fields to drop", "the section has more"),
                Partition("nothing to drop", "the section has no more than six"),
                Partition("a field that is 0 or false", "that there is none is what it tells"),
            ),
        ),
        Clause(
            "short-lists-named",
            "A list of up to five objects shows the name of each.",
            _short_lists_named,
            (
                Partition("fewer", "one to four objects"),
                Partition("as many as may be named", "five objects"),
            ),
            level="SHOULD",
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger"}),
    reading=(
        "No document says from how many characters on a string is long: only extreme lengths are "
        "judged. A list of five objects may be shown or not (contradiction C15), and a hint at a "
        "longer one may quote two items, as the page's own example does; a list further inside may "
        "be cut with what it stands in. That each of up to five items can be named is advisory "
        "for the same reason. First means the order in which the handler gave the fields."
    ),
)
