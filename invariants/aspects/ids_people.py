"""What one user or session has stays apart from that of another, however alike their ids are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from ..readings.likeness import SEPARATORS
from ..scenarios.facts import EXPOSED, call, turn
from ..scenarios.store import read
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import FRESH, AnyStep, CacheGet, CacheSet, StoreSet

Ids = tuple[str, str]
Who = tuple[str, str]
"""User and session."""

_LONG = "0123456789abcdef" * 8


def _alike(*templates: str) -> Ids:
    one, other = (each.replace("#", FRESH) for each in templates)
    return one, other


ALIKE: Dimension[Ids] = Dimension(
    "alike",
    (
        Value("unlike", ("u1", "u2"), "what tests use"),
        Value("case", _alike("anna#b", "Anna#B"), "ids that are folded"),
        Value("prefix", _alike("anna#", "anna#0"), "a search by prefix"),
        Value("end", _alike(f"{_LONG}#a", f"{_LONG}#b"), "a column that is too short, or a hash"),
        Value("number", _alike("#", "0#"), "ids that are numbers"),
        Value("sign", _alike("#", "-#"), "the same"),
        Value("hyphen", _alike("anna-#", "anna_#"), "separators that are one to a store"),
        Value("no-hyphen", _alike("anna-#-b", "anna#b"), "separators that are left out"),
        Value("dot", _alike("anna.#", "anna#"), "addresses without their dots"),
        Value("tag", _alike("#@a.example", "#+b@a.example"), "addresses without their tags"),
        Value("domain", _alike("anna#@a.example", "anna#@b.example"), "ids without their domain"),
        Value("tenant", _alike("a:anna#", "b:anna#"), "ids without what stands before a colon"),
        Value("blank", _alike("anna#", "anna# "), "ids that are trimmed"),
        Value("form", _alike("é#", "e\u0301#"), "forms of Unicode"),
        Value("accent", _alike("ana#", "aña#"), "collations that ignore accents"),
        Value("wildcard", _alike("a_n#", "axn#"), "patterns of a query"),
        Value("order", _alike("ab#", "ba#"), "sums that know no order"),
    ),
)


def _users(ids: Ids) -> tuple[Who, Who]:
    return (ids[0], f"s-{ids[0]}"), (ids[1], f"s-{ids[1]}")


def _users_of_one_session(ids: Ids) -> tuple[Who, Who]:
    return (ids[0], "s1"), (ids[1], "s1")


def _sessions(ids: Ids) -> tuple[Who, Who]:
    return ("u1", ids[0]), ("u1", ids[1])


def _sessions_of_two(ids: Ids) -> tuple[Who, Who]:
    return ("u1", ids[0]), ("u2", ids[1])


def _swapped(ids: Ids) -> tuple[Who, Who]:
    return (ids[0], ids[1]), (ids[1], ids[0])


def _joined(by: str) -> Callable[[Ids], tuple[Who, Who]]:
    """The ids of user and session, one behind the other, are those of the other two."""
    user = f"anna{FRESH}"
    return lambda _: ((user, f"x{by}y"), (f"{user}{by}x", "y"))


PARTIES: Dimension[Callable[[Ids], tuple[Who, Who]]] = Dimension(
    "parties",
    (
        Value("users", _users, "what is told apart by user"),
        Value("users-of-one-session", _users_of_one_session, "what is told apart by session alone"),
        Value("sessions", _sessions, "what is told apart by session"),
        Value("sessions-of-two", _sessions_of_two, "the same"),
        Value("swapped", _swapped, "a set of ids, without their order"),
        *(
            Value(f"joined-by-{name}", _joined(by), "ids that run together")
            for name, by in SEPARATORS.items()
        ),
    ),
)
"""What the ids belong to."""

ORDER: Dimension[Callable[[Sequence[list[AnyStep]]], list[AnyStep]]] = Dimension(
    "order",
    (
        Value("in-turn", lambda both: list(chain(*zip(*both, strict=True))), "the newest wins"),
        Value("one-by-one", lambda both: list(chain(*both)), "the first one stays"),
    ),
)


def _acts(who: Who, number: int) -> list[AnyStep]:
    """What somebody does: everything that leaves something behind, with a mark of their own."""
    user, session = who
    value = f'{{"mark": {number}}}'
    return [
        turn("remember", call({"mark": f"note{number}thatismine"}), user=user, session=session),
        CacheSet(key="mail", value_json=value, ttl_seconds=60, user=user, session=session),
        CacheGet(key="mail", user=user, session=session),
        StoreSet(key="mail", value_json=value, user=user, session=session),
        read("mail", user=user, session=session),
    ]


def _looks(who: Who) -> list[AnyStep]:
    user, session = who
    return [
        CacheGet(key="mail", user=user, session=session),
        read("mail", user=user, session=session),
        turn("what do I have?", user=user, session=session),
    ]


def _scene(row: Row, _: Parameters) -> Scene:
    one, other = row[PARTIES](row[ALIKE])
    steps = row[ORDER]([_acts(one, 1), _acts(other, 2)])
    begun = len(steps)
    steps += [*_looks(one), *_looks(other)]
    return Scene(steps, frozenset({begun + 2, begun + 5}), EXPOSED)


ASPECT = Aspect(
    name="ids.people",
    title="Users and sessions whose ids are alike",
    clauses=(
        "C-LEDGER-ISOLATION/no-fact-of-another-user",
        "C-LEDGER-ISOLATION/no-fact-of-another-session",
        "C-CACHE-ISOLATION/per-user",
        "C-STORE-ISOLATION/per-user",
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
