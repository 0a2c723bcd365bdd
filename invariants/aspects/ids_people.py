"""What one user or session has stays apart from that of another, however alike their ids are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, zip_longest

from msgspec.structs import replace

from ..readings.likeness import SEPARATORS
from ..scenarios.facts import EXPOSED, call, turn
from ..scenarios.skeleton import environment
from ..scenarios.store import read
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    FRESH,
    UNSEEN,
    AnyStep,
    CacheGet,
    CacheSet,
    SkeletonRefresh,
    StoreSet,
)

Ids = tuple[str, ...]
"""Three ids that are alike."""

Who = tuple[str, str]
"""User and session."""

_LONG = "0123456789abcdef" * 8
_KEY = f"mail-{UNSEEN}"
_OFTEN = 3
"""From which user on the section is refreshed often."""

_WHERE = replace(environment(), flags=EXPOSED.flags)


def _alike(*templates: str) -> Ids:
    return tuple(each.replace("#", FRESH) for each in templates)


ALIKE: Dimension[Ids] = Dimension(
    "alike",
    (
        Value("unlike", ("u1", "u2", "u3"), "what tests use"),
        Value("case", _alike("anna#b", "Anna#B", "ANNA#b"), "ids that are folded"),
        Value("prefix", _alike("anna#", "anna#0", "anna#00"), "a search by prefix"),
        Value(
            "end",
            _alike(f"{_LONG}#a", f"{_LONG}#b", f"{_LONG}#c"),
            "a column that is too short, or a hash",
        ),
        Value("number", _alike("#", "0#", "00#"), "ids that are numbers"),
        Value("sign", _alike("#", "-#", "--#"), "the same"),
        Value("hyphen", _alike("an-na-#", "an-na_#", "an_na-#"), "separators that are one"),
        Value("no-hyphen", _alike("anna-#-b", "anna#b", "anna#-b"), "separators that are left out"),
        Value("dot", _alike("anna.#", "anna#", "an.na#"), "addresses without their dots"),
        Value(
            "tag",
            _alike("#@a.example", "#+b@a.example", "#+c@a.example"),
            "addresses without their tags",
        ),
        Value(
            "domain",
            _alike("anna#@a.example", "anna#@b.example", "anna#"),
            "ids without their domain",
        ),
        Value(
            "tenant",
            _alike("a:anna#", "b:anna#", "c:anna#"),
            "ids without what stands before a colon",
        ),
        Value("blank", _alike("anna#", "anna# ", " anna#"), "ids that are trimmed"),
        Value("form", _alike("éé#", "e\u0301é#", "ée\u0301#"), "forms of Unicode"),
        Value("accent", _alike("ana#", "aña#", "aná#"), "collations that ignore accents"),
        Value("letters", _alike("anñ#", "anü#", "anя#"), "code pages that know ASCII alone"),
        Value("wildcard", _alike("a_n#", "axn#", "ayn#"), "patterns of a query"),
        Value("order", _alike("abc#", "bca#", "cab#"), "sums that know no order"),
    ),
)


def _users(ids: Ids) -> Sequence[Who]:
    return [(each, f"s-{each}") for each in ids]


def _users_of(session: str) -> Callable[[Ids], Sequence[Who]]:
    return lambda ids: [(each, session) for each in ids]


def _sessions_of(user: str) -> Callable[[Ids], Sequence[Who]]:
    return lambda ids: [(user, each) for each in ids]


def _backwards(parties: Callable[[Ids], Sequence[Who]]) -> Callable[[Ids], Sequence[Who]]:
    return lambda ids: parties(ids)[::-1]


def _sessions_of_others(ids: Ids) -> Sequence[Who]:
    return [(f"u{number}", each) for number, each in enumerate(ids, 1)]


def _swapped(ids: Ids) -> Sequence[Who]:
    return (ids[0], ids[1]), (ids[1], ids[0]), (ids[2], ids[0]), (ids[0], ids[2])


def _joined(by: str) -> Callable[[Ids], Sequence[Who]]:
    """The ids of user and session, one behind the other, are those of the others."""
    user = f"anna{FRESH}"
    return lambda _: (
        (user, f"x{by}y{by}z"),
        (f"{user}{by}x", f"y{by}z"),
        (f"{user}{by}x{by}y", "z"),
    )


PARTIES: Dimension[Callable[[Ids], Sequence[Who]]] = Dimension(
    "parties",
    (
        Value("users", _users, "what is told apart by user"),
        Value("users-of-one-session", _users_of("s1"), "what is told apart by session alone"),
        Value("users-backwards", _backwards(_users_of("s2")), "the oldest wins, or the newest"),
        Value("sessions", _sessions_of("u1"), "what is told apart by session"),
        Value("sessions-backwards", _backwards(_sessions_of("u2")), "the oldest wins"),
        Value("sessions-of-others", _sessions_of_others, "what is told apart by session"),
        Value("swapped", _swapped, "a set of ids, without their order"),
        *(
            Value(f"joined-by-{name}", _joined(by), "ids that run together")
            for name, by in SEPARATORS.items()
        ),
    ),
)
"""What the ids belong to."""


def _in_turn(each: Sequence[list[AnyStep]]) -> list[AnyStep]:
    return [step for at_once in zip_longest(*each) for step in at_once if step is not None]


ORDER: Dimension[Callable[[Sequence[list[AnyStep]]], list[AnyStep]]] = Dimension(
    "order",
    (
        Value("in-turn", _in_turn, "the newest wins"),
        Value("one-by-one", lambda both: list(chain(*both)), "the first one stays"),
    ),
)


def _acts(who: Who, number: int) -> list[AnyStep]:
    """What somebody does: everything that leaves something behind, with a mark of their own."""
    user, session = who
    value = f'{{"mark": {number}}}'
    often = 1 if number < _OFTEN else 20  # so often that nobody else can have come to its value
    refreshes = [SkeletonRefresh(user=user, session=session)] * often
    return [
        *refreshes,
        turn("remember", call({"mark": f"note{number}thatismine"}), user=user, session=session),
        CacheSet(key=_KEY, value_json=value, ttl_seconds=60, user=user, session=session),
        CacheGet(key=_KEY, user=user, session=session),
        StoreSet(key=_KEY, value_json=value, user=user, session=session),
        read(_KEY, user=user, session=session),
    ]


def _looks(who: Who) -> list[AnyStep]:
    user, session = who
    return [
        CacheGet(key=_KEY, user=user, session=session),
        read(_KEY, user=user, session=session),
        turn("what do I have?", user=user, session=session),
    ]


def _scene(row: Row, _: Parameters) -> Scene:
    parties = row[PARTIES](row[ALIKE])
    steps = row[ORDER]([_acts(who, number) for number, who in enumerate(parties, 1)])
    looks = [_looks(who) for who in parties]
    told = range(len(steps) + 2, len(steps) + 3 * len(looks), 3)
    return Scene([*steps, *chain(*looks)], frozenset(told), _WHERE)


ASPECT = Aspect(
    name="ids.people",
    title="Users and sessions whose ids are alike",
    clauses=(
        "C-LEDGER-ISOLATION/no-fact-of-another-user",
        "C-LEDGER-ISOLATION/no-fact-of-another-session",
        "C-CACHE-ISOLATION/per-user",
        "C-STORE-ISOLATION/per-user",
        "C-SKELETON-ISOLATION/per-user",
    ),
    focus=ALIKE,
    context=(PARTIES, ORDER),
    scene=_scene,
    apart=(
        Apart(
            ("alike", frozenset(value.name for value in ALIKE.values[1:])),
            ("parties", frozenset(n.name for n in PARTIES.values if n.name.startswith("joined"))),
            "their ids are like each other in their own way",
        ),
    ),
)
