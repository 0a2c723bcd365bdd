"""C-EXTENSION-IDS: extensions whose ids differ in one character only are two extensions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ...readings.sharing import foreign_reads
from ...readings.skeleton import read_skeleton
from ...readings.store import read_store
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import CALIBRATION, CLOSING, EXPOSED, call, turn
from ...scenarios.skeleton import refresh, say, section, values
from ...scenarios.store import kept_and_read, read
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import (
    APPS,
    AnyStep,
    CacheGet,
    CacheSet,
    Environment,
    Extension,
    Scenario,
)
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation
from ..ledger.c_ledger_owner import read_owned

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

IDS = ("notes", "Notes", "NOTES", "notes.list", "notes_list", "n\u043etes", "n\u00f6tes")
"""Ids that a kernel takes for one another which folds, splits or cleans them."""

_LATIN = tuple(app for app in IDS if app.isascii())
"""A FACTS line may write another letter as JSON does; only these are compared there."""

CAPITALS = "ids that differ in capitals"
PUNCTUATION = "ids that differ behind a dot or an underscore"
LETTERS = "ids that differ in a letter that looks alike"

_CLASSES = (
    Partition(CAPITALS, "notes and Notes"),
    Partition(PUNCTUATION, "notes and notes.list"),
    Partition(LETTERS, "a Latin letter, a Cyrillic one, one with a mark"),
)


def _class_of(one: str, other: str) -> str:
    """Return in what two ids differ, or nothing if they do not look alike."""
    if one == other or one in APPS or other in APPS:
        return ""
    if one.casefold() == other.casefold():
        return CAPITALS
    if _stem(one) == _stem(other):
        return PUNCTUATION
    return LETTERS if _skeleton(one) == _skeleton(other) else ""


def _stem(app: str) -> str:
    return app.replace("_", ".").partition(".")[0]


def _skeleton(app: str) -> str:
    plain = unicodedata.normalize("NFKD", app).replace("\u043e", "o")
    return "".join(x for x in plain if x.isascii())


def _facts(view: TraceView) -> Iterator[Finding]:
    for prompt, line, given in view.reading(read_owned):
        kinds = {_class_of(given.call.app, each.call.app) for each in given.turn.successful}
        if kinds := kinds - {""}:
            yield Compared(tuple(sorted(kinds)))
            if line.app is not None and _class_of(line.app, given.call.app):
                expected = f"app={given.call.app}"
                yield _taken("fact", prompt.step.index, expected, shorten(line.text))


def _cached(view: TraceView) -> Iterator[Finding]:
    for found in view.reading(foreign_reads):
        owner = found.attempt.given.app
        if kind := _class_of(owner, found.given.app):
            yield Compared((kind,))
            if found.leaked:
                expected = f"nothing that {owner} has set, in {found.given.app}"
                yield _taken("cache", found.step.index, expected, found.attempt.given.value_json)


def _kept(view: TraceView) -> Iterator[Finding]:
    for found in view.reading(read_store):
        for document in found.foreign:
            owner = document.owner[1]
            if not (kind := _class_of(owner, found.probe.app)):
                continue
            yield Compared((kind,))
            if found.shows(document):
                expected = f"nothing that {owner} keeps, in {found.probe.app}"
                yield _taken("store", found.step.index, expected, document.given.value_json)


def _sections(view: TraceView) -> Iterator[Finding]:
    """Taken for one another, sections overwrite one another: one of them is not shown."""
    for prompt in view.reading(read_skeleton).prompts:
        stored = [p for p in prompt.places.values() if p.refreshes and p.removed is None]
        pairs = combinations([place.script.spot[0] for place in stored], 2)
        kinds = {_class_of(*pair) for pair in pairs} - {""}
        if not kinds or not prompt.first:
            continue
        yield Compared(tuple(sorted(kinds)))
        lost = [".".join(place.script.spot) for place in stored if not place.shown]
        if lost:
            got = f"a prompt with {counted(len(prompt.showing), 'section')}"
            yield _taken("section", prompt.step.index, f"section {lost[0]}", got)


def _taken(what: str, step: int, expected: str, got: str) -> Violation:
    return Violation(kind=f"{what} of another id", step=step, expected=expected, got=got)


def _environment() -> Environment:
    extensions = (Extension(app=app, sections=(section(values(app)),)) for app in IDS)
    return Environment(flags=EXPOSED.flags, extensions=tuple(extensions))


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield _scenario(
        "ids-of-facts",
        [
            CALIBRATION,
            turn("all", *(call({"n": n}, app=app) for n, app in enumerate(_LATIN))),
            *(turn(f"one {n}", call({"of": n}, app=app)) for n, app in enumerate(_LATIN[:3])),
            CLOSING,
        ],
    )
    yield _scenario("ids-in-the-cache", [x for n, app in enumerate(IDS) for x in _cache(app, n)])
    yield _scenario(
        "ids-in-the-store",
        [x for n, app in enumerate(IDS) for x in kept_and_read("settings", n, app=app)]
        + [read("settings", app=app) for app in IDS],
    )
    yield _scenario(
        "ids-of-sections", [x for app in IDS for x in (refresh(app), say())] + [say(session="b")]
    )


def _cache(app: str, number: int) -> list[AnyStep]:
    """A set, its get, and the gets of all that have set before."""
    value = f'{{"n":{number}}}'
    return [
        CacheSet(key="board", value_json=value, ttl_seconds=60, app=app),
        *(CacheGet(key="board", app=each) for each in reversed(IDS[: number + 1])),
    ]


def _scenario(name: str, steps: Sequence[AnyStep]) -> Scenario:
    return Scenario(
        id=name, title="ids that look alike", steps=tuple(steps), environment=_environment()
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: two or three such ids, in every channel."""
    return from_recipes(_drawn, 1)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    turns = recipes[0].pick((True, False))
    ids = _LATIN if turns else IDS
    apps = list(dict.fromkeys(recipes[0].pick(ids) for _ in range(3)))
    steps: list[AnyStep] = []
    for number, app in enumerate(apps * 2):
        steps += [turn(app, call({"n": number}, app=app))] if turns else [refresh(app), say()]
    return _scenario("explore", [CALIBRATION, *steps, CLOSING])


INVARIANT = Invariant(
    id="C-EXTENSION-IDS",
    title="An extension is its whole id",
    statement="What belongs to one extension is not taken for another's whose id differs in "
    "capitals, punctuation or a letter that looks alike.",
    sources=(
        fact_ledger("What it stores"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"dynamic_extensions"}),
    reading=(
        "The documents give an extension an id and no rule for its characters. A kernel may "
        "refuse such ids; one that installs two of them keeps them apart."
    ),
    clauses=(
        Clause(
            "facts-apart",
            "A FACTS line does not name another extension whose id looks alike.",
            _facts,
            _CLASSES[:2],
            capabilities=frozenset({"fact_ledger"}),
        ),
        Clause(
            "cache-apart",
            "No get gives what an extension has set whose id looks alike.",
            _cached,
            _CLASSES,
            capabilities=frozenset({"cache"}),
        ),
        Clause(
            "store-apart",
            "No read gives what an extension keeps whose id looks alike.",
            _kept,
            _CLASSES,
            capabilities=frozenset({"store", "probe"}),
            sources=(context_channels("(2) During — your handler sees"),),
        ),
        Clause(
            "sections-apart",
            "Sections of extensions whose ids look alike stand in the prompt side by side.",
            _sections,
            _CLASSES,
            capabilities=frozenset({"skeleton", "fact_ledger"}),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
