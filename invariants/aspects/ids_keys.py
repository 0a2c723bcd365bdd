"""What is kept under one key stays apart from what is kept under another, however alike they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from ..scenarios.dimensions import APP
from ..scenarios.store import read
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep, CacheGet, CacheSet, StoreSet

_LONG = "0123456789abcdef" * 7
_SAFE = re.compile(r"[A-Za-z0-9_\-:]+")

Keys = tuple[str, ...]

ALIKE: Dimension[Keys] = Dimension(
    "alike",
    (
        Value("unlike", ("mail", "note", "task"), "what tests use"),
        Value("case", ("mail", "Mail", "MAIL"), "keys that are folded"),
        Value("long", (f"{_LONG}a", f"{_LONG}b", f"{_LONG}c"), "a column that is too short"),
        Value("end", ("a-mail", "b-mail", "c-mail"), "only the end counts"),
        Value("start", ("mail-a", "mail-b", "mail-c"), "only the start counts"),
        Value("number", ("7", "07", "007"), "keys that are numbers"),
        Value("sign", ("7", "-7", "--7"), "the same"),
        Value("hyphen", ("a-b-c", "a_b-c", "a-b_c"), "separators that are one to a store"),
        Value("no-hyphen", ("a-bc", "ab-c", "abc"), "separators that are left out"),
        Value("tenant", ("a:mail", "b:mail", "mail"), "keys without what stands before a colon"),
        Value("order", ("abc", "bca", "cab"), "sums that know no order"),
        Value("dot", ("a.b", "ab", "ab."), "keys without their dots"),
        Value("tag", ("a@x.example", "a+b@x.example", "a+c@x.example"), "keys without tags"),
        Value("domain", ("a@x.example", "a@y.example", "a"), "keys without their domain"),
        Value("blank", ("mail", "mail ", " mail"), "keys that are trimmed"),
        Value("form", ("éé", "e\u0301é", "ée\u0301"), "forms of Unicode"),
        Value("accent", ("ana", "aña", "aná"), "collations that ignore accents"),
        Value("letters", ("anñ", "anü", "anя"), "code pages that know ASCII alone"),
    ),
)

ORDER: Dimension[Callable[[Sequence[list[AnyStep]]], list[AnyStep]]] = Dimension(
    "order",
    (
        Value("one-by-one", lambda each: list(chain(*each)), "the newest wins"),
        Value("backwards", lambda each: list(chain(*each[::-1])), "the oldest wins"),
    ),
)


def _acts(key: str, number: int, app: str) -> list[AnyStep]:
    value = f'{{"mark": {number}}}'
    steps: list[AnyStep] = [StoreSet(key=key, value_json=value, app=app), read(key, app=app)]
    if _SAFE.fullmatch(key):
        steps.append(CacheSet(key=key, value_json=value, ttl_seconds=60, app=app))
        steps.append(CacheGet(key=key, app=app))
    return steps


def _looks(key: str, app: str) -> list[AnyStep]:
    gets = [CacheGet(key=key, app=app)] if _SAFE.fullmatch(key) else []
    return [read(key, app=app), *gets]


def _scene(row: Row, _: Parameters) -> Scene:
    keys, app = row[ALIKE], row[APP]
    steps = row[ORDER]([_acts(key, number, app) for number, key in enumerate(keys, 1)])
    looks = list(chain(*(_looks(key, app) for key in keys)))
    return Scene([*steps, *looks], frozenset(range(len(steps) + len(looks))))


ASPECT = Aspect(
    name="ids.keys",
    title="Keys that are alike",
    clauses=("C-STORE-LASTING/newest-read", "C-CACHE-ISOLATION/per-key"),
    focus=ALIKE,
    context=(ORDER, APP),
    scene=_scene,
)
