"""What is kept under one key stays apart from what is kept under one that is alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from ..scenarios.dimensions import APP
from ..scenarios.store import read
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import FRESH, AnyStep, CacheGet, CacheSet, StoreSet

_LONG = "0123456789abcdef" * 7
_SAFE = re.compile(r"[A-Za-z0-9_\-:]+")

_APP = "{app}"
"""Stands for the id of the extension."""

Owner = tuple[str, str]
"""User and key."""

Owners = tuple[Owner, ...]


def _of_one(*keys: str) -> Owners:
    return tuple(("u1", key) for key in keys)


def _joined(by: str) -> Owners:
    """User, extension and key, one behind the other, are those of the others."""
    user, inside = f"anna{FRESH}", f"{by}{_APP}"
    key = f"{_APP}{by}"
    return (
        (user, f"{key}{key}mail"),
        (f"{user}{inside}", f"{key}mail"),
        (f"{user}{inside}{inside}", "mail"),
    )


ALIKE: Dimension[Owners] = Dimension(
    "alike",
    (
        Value("unlike", _of_one("mail", "note", "task"), "what tests use"),
        Value("case", _of_one("mail", "Mail", "MAIL"), "keys that are folded"),
        Value("long", _of_one(f"{_LONG}a", f"{_LONG}b", f"{_LONG}c"), "a column that is too short"),
        Value("end", _of_one("a-mail", "b-mail", "c-mail"), "only the end counts"),
        Value("start", _of_one("mail-a", "mail-b", "mail-c"), "only the start counts"),
        Value("number", _of_one("7", "07", "007"), "keys that are numbers"),
        Value("sign", _of_one("7", "-7", "--7"), "the same"),
        Value("hyphen", _of_one("a-b-c", "a_b-c", "a-b_c"), "separators that are one to a store"),
        Value("no-hyphen", _of_one("a-bc", "ab-c", "abc"), "separators that are left out"),
        Value(
            "tenant", _of_one("a:mail", "b:mail", "mail"), "keys without what stands before a colon"
        ),
        Value("order", _of_one("abc", "bca", "cab"), "sums that know no order"),
        Value("dot", _of_one("a.b", "ab", "ab."), "keys without their dots"),
        Value("tag", _of_one("a@x.example", "a+b@x.example", "a+c@x.example"), "keys without tags"),
        Value("domain", _of_one("a@x.example", "a@y.example", "a"), "keys without their domain"),
        Value("blank", _of_one("mail", "mail ", " mail"), "keys that are trimmed"),
        Value("form", _of_one("éé", "e\u0301é", "ée\u0301"), "forms of Unicode"),
        Value("accent", _of_one("ana", "aña", "aná"), "collations that ignore accents"),
        Value("joined-by-hyphen", _joined("-"), "addresses that run together"),
        Value("joined-by-colon", _joined(":"), "the same"),
        Value("joined-by-bar", _joined("|"), "the same"),
        Value("joined-by-slash", _joined("/"), "the same"),
        Value("joined", _joined(""), "the same, without a separator"),
        Value("letters", _of_one("anñ", "anü", "anя"), "code pages that know ASCII alone"),
    ),
)

ORDER: Dimension[Callable[[Sequence[list[AnyStep]]], list[AnyStep]]] = Dimension(
    "order",
    (
        Value("one-by-one", lambda each: list(chain(*each)), "the newest wins"),
        Value("backwards", lambda each: list(chain(*each[::-1])), "the oldest wins"),
    ),
)


def _acts(owner: Owner, number: int, app: str) -> list[AnyStep]:
    user, key = owner
    home, value = f"s-{user}", f'{{"mark": {number}}}'
    steps: list[AnyStep] = [StoreSet(key=key, value_json=value, app=app, user=user, session=home)]
    if _SAFE.fullmatch(key):
        steps.append(
            CacheSet(key=key, value_json=value, ttl_seconds=60, app=app, user=user, session=home)
        )
    return [*steps, *_looks(owner, app)]


def _looks(owner: Owner, app: str) -> list[AnyStep]:
    user, key = owner
    home = f"s-{user}"
    gets = [CacheGet(key=key, app=app, user=user, session=home)] if _SAFE.fullmatch(key) else []
    return [read(key, app=app, user=user, session=home), *gets]


def _scene(row: Row, _: Parameters) -> Scene:
    app = row[APP]
    owners = [(user.replace(_APP, app), key.replace(_APP, app)) for user, key in row[ALIKE]]
    steps = row[ORDER]([_acts(owner, number, app) for number, owner in enumerate(owners, 1)])
    looks = list(chain(*(_looks(owner, app) for owner in owners)))
    return Scene([*steps, *looks], frozenset(range(len(steps) + len(looks))))


ASPECT = Aspect(
    name="ids.keys",
    title="Keys that are alike",
    clauses=(
        "C-STORE-LASTING/newest-read",
        "C-CACHE-ISOLATION/per-key",
        "C-STORE-ISOLATION/per-user",
        "C-CACHE-ISOLATION/per-user",
    ),
    focus=ALIKE,
    context=(ORDER, APP),
    scene=_scene,
)
