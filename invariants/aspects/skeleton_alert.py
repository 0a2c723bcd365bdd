"""An alert for every change of a section that asked for one, and for nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..scenarios.skeleton import environment, refresh, say, section, value, values, wait
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    AnyStep,
    Environment,
    Extension,
    Section,
    SkeletonRefresh,
)

_WATCHED, _CONTROL, _OTHER = APPS
_SECOND = "second"
_TTL = 60
_PERIOD = 75
"""Seconds after which a section with that ttl has been refreshed in every reading."""


def _chain(*chain: Any) -> tuple[str, ...]:
    return tuple(json.dumps(each) for each in chain)


def _items(count: int, **last: Any) -> list[dict[str, Any]]:
    return [*({"id": n, "state": "open"} for n in range(count - 1)), {"id": count, **last}]


_LONG = "so far so good " * 200
_REORDERED = ('{"a":1,"b":[{"c":2,"d":3}]}', '{"b":[{"d":3,"c":2}],"a":1}')

CHANGE: Dimension[tuple[str, ...]] = Dimension(
    "change",
    (
        Value("replaced", _chain("open", "shut", "open", "late"), "what tests change"),
        Value(
            "field",
            _chain({"id": 1}, {"id": 1, "more": 2}, {"id": 1}, {"id": 1, "most": 2}, {"no": 1}),
            "only the fields of the older value, or of the newer one, are compared",
        ),
        Value(
            "missing",
            _chain({"id": 1}, {"id": 1, "next": None}, {"id": 1}, {"id": 1, "next": 2}),
            "what is missing reads as null",
        ),
        Value(
            "nothing",
            _chain(None, "", [], None, {}, "", 0, None, False, 0, [], {}, False),
            "what is empty is all alike",
        ),
        Value("number-text", _chain(1, "1", 1, "1.0", "01"), "texts are read as numbers"),
        Value("boolean", _chain(1, True, "true", 0, False, "false", False), "true is 1"),
        Value("kind", _chain(["a"], {"0": "a"}, "a", [["a"]], ["a"]), "walked in one way"),
        Value(
            "length",
            _chain([1, 2], [1, 2, 3], [1, 2], [1, 2, 2], [1, 1, 2]),
            "only the items that both have are compared; sets know no repetition",
        ),
        Value(
            "order",
            _chain([1, 2, 3], [3, 1, 2], [2, 1, 3], [3, 2, 1]),
            "lists are sorted first, or compared as sets",
        ),
        Value(
            "records",
            _chain(
                _items(3, state="open"),
                _items(3, state="open")[::-1],
                _items(3, state="shut"),
                _items(3, name="shut"),
            ),
            "only their number, or only what their ids find, is compared",
        ),
        Value(
            "late-item",
            _chain(_items(40, state="open"), _items(40, state="shut"), _items(41, state="shut")),
            "only what the prompt shows of a list is compared",
        ),
        Value(
            "letters",
            _chain("open", "Open", {"a": 1}, {"A": 1}, "é", "e\u0301", "ﬁ", "fi"),
            "texts are folded or normalised",
        ),
        Value(
            "signs",
            _chain("a b", "a  b", "a b ", "a\nb", "ab", "5", "5!", "-5", "+5"),
            "texts are trimmed; only letters and digits are compared",
        ),
        Value(
            "long-text",
            _chain(_LONG + "a", _LONG + "b", f"{_LONG}a{_LONG}", f"{_LONG}b{_LONG}"),
            "only so many characters, or both ends, are compared",
        ),
        Value(
            "amount",
            _chain(1000, 1010, 1009, 5, -5, 7, 7.5),
            "small changes are noise; amounts without sign or fraction",
        ),
        Value(
            "digits",
            _chain(2**53, 2**53 + 1, 10**17 + 1, 10**17 + 2, 0.1, 0.10000001),
            "floats, or rounding, tell no difference",
        ),
        Value("moved", _chain({"a": 1, "b": 2}, {"a": 2, "b": 1}, {"b": [], "a": {}}), "a sum"),
        Value(
            "emptied",
            _chain({"a": 1}, {}, {}, [1], [1], [], [], "a", "", 1, None, {"a": 1}),
            "nothing in it is taken for nothing new",
        ),
        Value("renamed", _chain({"a": 1}, {"b": 1}, {"A": 1}, {"a": 1, "b": 2}), "only values"),
        Value(
            "switched",
            _chain({"on": True}, {"on": False}, [True, False], [False, False], True, False),
            "only texts and numbers are compared",
        ),
        Value("none-in-it", _chain({}, {}, [], [], [2], [2]), "what is empty is always new"),
        Value("none", _chain("open", "open"), "each refresh, or each new time, is a change"),
        Value("reordered", _REORDERED, "texts of JSON are compared, or only outer fields sorted"),
        Value("respelled", ('{"a":["\\u00e9"]}', '{ "a": ["é"] }'), "texts, once more"),
    ),
)
"""JSON texts of what the section returns, one refresh after the other."""

Wrap = Callable[[str, str], str]
"""From the text of a value, and those of more fields, to the text of a section."""


def _wrapped(before: str, behind: str) -> Wrap:
    return lambda text, more: f'{{"rest":0{more},"state":{before}{text}{behind}}}'


DEPTH: Dimension[Wrap] = Dimension(
    "depth",
    (
        Value("field", _wrapped("", ""), "what tests change"),
        Value("root", lambda text, _: text, "only the fields of objects are compared"),
        Value("inside", _wrapped('{"a":', "}"), "only the outer level is compared"),
        Value("records", _wrapped('[{"id":1,"a":', '},{"id":2}]'), "lists are compared by length"),
        Value("deep", _wrapped('[{"a":' * 6, "}]" * 6), "levels are counted"),
    ),
)


def _fields(count: int) -> str:
    return "".join(f',"field_{number}":{number}' for number in range(count))


BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("nothing", "", "what tests do"),
        Value("few-fields", _fields(5), "only the first fields are compared"),
        Value("many-fields", _fields(40), "only what the prompt shows is compared"),
        Value("long-text", f',"log":{json.dumps(_LONG)}', "only so many characters are compared"),
        Value("long-list", f',"rows":{json.dumps(_items(40, state="open"))}', "the same"),
    ),
)
"""What else stands in the section, and stays."""

Take = Callable[[], list[AnyStep]]
"""One refresh of the watched section; the last step is the one that shows it."""

_TOLD = refresh(_WATCHED)

HOW: Dimension[Take] = Dimension(
    "how",
    (
        Value("by-hand", lambda: [_TOLD], "what tests do"),
        Value("with-turns", lambda: [say(), _TOLD], "alerts that a turn clears, or remembers"),
        Value("by-clock", lambda: [wait(_PERIOD), say()], "another way to the handler"),
        Value(
            "elsewhere",
            lambda: [say(session="u1-later"), SkeletonRefresh(user="u1", session="u1-later")],
            "the older value is kept with the session",
        ),
    ),
)

COMPANY: Dimension[Take] = Dimension(
    "company",
    (
        Value("none", list, "what tests do"),
        Value("user", lambda: [refresh(_WATCHED, user="u2")], "the older value of anybody"),
        Value("section", lambda: [refresh(_WATCHED, section=_SECOND)], "that of the extension"),
        Value("extension", lambda: [refresh(_OTHER)], "the older value of a name"),
    ),
)
"""What else is refreshed before each refresh."""

BEFORE: Dimension[int] = Dimension(
    "before",
    (
        Value("new", 0, "what tests begin with"),
        Value("changed-often", 6, "alerts that fall silent, or are counted"),
    ),
)
"""How often the section has changed before."""


def _where(texts: Sequence[str]) -> Environment:
    """Return extensions of which one has the watched section, and one changes and asks too."""
    watched = Section(ttl_seconds=_TTL, alert=True, returns_json=tuple(texts))
    more = section([value("second", n % 2) for n in range(len(texts))], name=_SECOND)
    others = environment(
        **{_CONTROL: section(values(_CONTROL), alert=True), _OTHER: section(values(_OTHER))}
    )
    return Environment(
        extensions=(Extension(app=_WATCHED, sections=(watched, more)), *others.extensions[1:])
    )


def _scene(row: Row, _: Parameters) -> Scene:
    chain = [row[DEPTH](text, row[BESIDE]) for text in row[CHANGE]]
    changes = [json.dumps({"change": number}) for number in range(row[BEFORE])]
    quiet = len(set(map(_meaning, chain))) == 1
    before = changes if not quiet else chain[:1] * len(changes)
    steps: list[AnyStep] = [say(), refresh(_CONTROL), refresh(_CONTROL)]
    steps += [_TOLD] * (1 + len(before))
    strained: set[int] = set()
    for _text in chain[1:]:
        steps += [*row[COMPANY](), *row[HOW]()]
        strained.add(len(steps) - 1)
    told = [*before, *chain]
    return Scene(steps, frozenset(strained), _where([*told, *_going_on(chain, len(steps))]))


def _going_on(chain: Sequence[str], count: int) -> Iterator[str]:
    """Yield so many values more, each unlike the one before if those of the chain are."""
    for number in range(count):
        yield chain[-2 + number % 2]


def _meaning(text: str) -> str:
    return json.dumps(json.loads(text), sort_keys=True)


ASPECT = Aspect(
    name="skeleton.alert",
    title="A change of a section",
    clauses=(
        "C-SKELETON-ALERT/raised-on-change",
        "C-SKELETON-ALERT/silent-without-change",
        "C-SKELETON-ALERT/one-line",
        "C-SKELETON-ALERT/silent-unless-asked",
    ),
    focus=CHANGE,
    context=(DEPTH, BESIDE, HOW, COMPANY, BEFORE),
    scene=_scene,
    apart=(
        Apart(
            ("depth", frozenset({"root"})),
            ("beside", frozenset(each.name for each in BESIDE.values[1:])),
            "nothing stands beside what is the whole section",
        ),
        Apart(
            ("change", frozenset({"emptied", "none-in-it"})),
            ("how", frozenset({"by-clock"})),
            "nobody can tell which refresh it was where values repeat",
        ),
    ),
)
