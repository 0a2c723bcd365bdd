"""C-CACHE-ISOLATION: a cached value belongs to one user in one extension."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.cache import Attempt, attempts
from ...readings.likeness import PARTITIONS, together
from ...readings.sharing import ForeignRead, foreign_reads, is_told
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.layers import HANDLERS
from ...scenarios.lookalike_apps import NOTES, alike_environment, alike_owners
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import equal
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import (
    APPS,
    UNSEEN,
    Advance,
    AnyStep,
    CacheGet,
    CacheSet,
    Environment,
    HandlerKind,
    Scenario,
)
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LATE = "when the reader's own is over"
_KEY = f"board-{UNSEEN}"
"""What an earlier scenario has left there would be taken for a value of somebody in this one."""

_KEYS = (_KEY, _KEY.capitalize(), f"a:{_KEY}", f"{_KEY}{'x' * 107}", f"u1:{_KEY}")


def _per_user(view: TraceView) -> Iterator[Finding]:
    return _judged(view, same_user=False, other="another user")


def _per_extension(view: TraceView) -> Iterator[Finding]:
    return _judged(view, same_user=True, other="another extension")


def _judged(view: TraceView, *, same_user: bool, other: str) -> Iterator[Finding]:
    for read in view.reading(foreign_reads):
        if read.same_user != same_user:
            continue
        yield Compared(tuple(_classes(read)), read.step.index)
        if read.leaked:
            yield Violation(
                kind=f"value of {other} served",
                step=read.step.index,
                expected=f"a get by {read.given.user} in {read.given.app} does not give what "
                f"{read.attempt.given.user} set in {read.attempt.given.app}",
                got=shorten(read.attempt.given.value_json),
            )


def _per_key(view: TraceView) -> Iterator[Finding]:
    """Judged between a set and a later get of its key, where another key was set in between."""
    made = view.reading(attempts)
    for attempt in made:
        proven = any(attempt.returned(lookup) is True for lookup in attempt.reread)
        for lookup in attempt.prompt if proven else ():
            others = [o for o in made if _is_other_key(o, attempt, before=lookup.step)]
            if not others or lookup.outcome.outcome != "hit":
                continue
            yield Compared((_likeness(attempt.given.key, others),))
            leak = next((o for o in others if o.returned(lookup)), None)
            if leak is not None:
                yield Violation(
                    kind="value of another key served",
                    step=lookup.step,
                    expected=f"what was set under {shorten(attempt.given.key, 60)!r}",
                    got=f"what was set under {shorten(leak.given.key, 60)!r}",
                )


def _is_other_key(other: Attempt, attempt: Attempt, *, before: int) -> bool:
    return (
        attempt.step < other.step < before
        and other.scope[:2] == attempt.scope[:2]
        and other.given.key != attempt.given.key
        and is_told(other.value)
        and not equal(other.value, attempt.value)
    )


def _likeness(key: str, others: list[Attempt]) -> str:
    keys = [other.given.key for other in others]
    if any(other.casefold() == key.casefold() for other in keys):
        return "keys that differ in capitals"
    if any(other[:64] == key[:64] for other in keys):
        return "keys that differ at their end"
    return "keys that differ otherwise"


def _classes(read: ForeignRead) -> Iterator[str]:
    yield "a key that both have set" if read.own else "a key that only the other has set"
    kind = read.given.handler
    yield f"got in a {kind.replace('_', ' ')}"
    yield from read.alike
    if read.late:
        yield _LATE


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    for handler in HANDLERS:
        name = handler.replace("_", "-")
        yield _users(f"cache-of-users-{name}", handler, _KEY)
        yield _extensions(f"cache-of-extensions-{name}", handler, _KEY)
    yield _keys("cache-keys-alike", "board", "Board", "BOARD", "board:1", "board-1", "board_1")
    yield _keys("cache-keys-long", *("k" * 127 + end for end in "abA"), "k" * 127, "k" * 64)
    yield _users("cache-of-users-odd-key", "chat_function", f"u1:{_KEY}")
    yield Scenario(
        id="cache-two-users-equal-data",
        title="two users with equal data: nobody can tell whose it is, unless one has set none",
        steps=(
            _set("u1", APPS[0], _KEY, 1, "chat_function"),
            _get("u1", APPS[0], _KEY, "chat_function"),
            _set("u2", APPS[0], _KEY, 1, "chat_function"),
            _get("u2", APPS[0], _KEY, "chat_function"),
            _get("u3", APPS[0], _KEY, "chat_function"),
        ),
    )
    yield from _alike()
    for name, owners in (
        ("users", [("u1", APPS[0]), ("u2", APPS[0])]),
        ("extensions", [("u1", APPS[0]), ("u1", APPS[1])]),
    ):
        yield _expired(f"cache-of-{name}-expired", owners)


def _expired(name: str, owners: list[tuple[str, str]]) -> Scenario:
    """What the second one has set is over; what the first one has set is not."""
    first, second = owners
    steps = (
        _set(*first, _KEY, 1, "chat_function", life=300),
        _get(*first, _KEY, "chat_function"),
        _set(*second, _KEY, 2, "chat_function"),
        _get(*second, _KEY, "chat_function"),
        Advance(seconds=90),
        *(_get(*second, _KEY, handler) for handler in ("panel", "chat_function")),
    )
    return Scenario(id=name, steps=steps, title="One key of two owners, when one value is over")


def _alike() -> Iterator[Scenario]:
    for name, owners in alike_owners(_KEY):
        steps: list[AnyStep] = []
        for number, owner in enumerate(owners):
            steps += [
                _get(*owner, "panel"),
                _set(*owner, number, "chat_function"),
                _get(*owner, "chat_function"),
            ]
        steps += [_get(*owner, "chat_function") for owner in owners]
        yield Scenario(
            id=f"cache-of-extensions-alike-{name}",
            steps=tuple(steps),
            title="Extensions that are alike, each with a value of its own",
            environment=alike_environment(exposed=False),
        )


def _keys(name: str, *keys: str) -> Scenario:
    """Each key is set and got, then all are got again."""
    owner = ("u1", APPS[0])
    steps: list[AnyStep] = []
    for number, key in enumerate(keys):
        steps += [_set(*owner, key, number, "chat_function"), _get(*owner, key, "chat_function")]
    steps += [_get(*owner, key, "chat_function") for key in keys]
    return Scenario(id=name, steps=tuple(steps), title="Keys that are nearly the same")


def _users(name: str, handler: HandlerKind, key: str) -> Scenario:
    return _between(name, handler, key, [("u1", APPS[0]), ("u2", APPS[0]), ("u3", APPS[0])])


def _extensions(name: str, handler: HandlerKind, key: str) -> Scenario:
    return _between(name, handler, key, [("u1", app) for app in APPS])


def _between(name: str, handler: HandlerKind, key: str, owners: list[tuple[str, str]]) -> Scenario:
    """One sets, the second gets, then sets too; at last all get; the third never sets."""
    first, second, third = owners
    steps = (
        _set(*first, key, 1, handler),
        _get(*first, key, handler),
        _get(*second, key, handler),
        _set(*second, key, 2, handler),
        *(_get(*owner, key, handler) for owner in (second, first, third)),
    )
    told = handler.replace("_", " ")
    return Scenario(id=name, steps=steps, title=f"One key of three owners, in {told} handlers")


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: sets and gets of two keys by anybody, each set followed by its get."""
    return from_recipes(_drawn, 3)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    keys = (recipes[0].pick(_KEYS), recipes[0].pick(_KEYS))
    apps = recipes[0].pick((APPS[:2], APPS[:2], APPS[:2], NOTES))
    for number, recipe in enumerate((*recipes, *recipes)):
        owner = recipe.pick(("u1", "u2")), recipe.pick(apps)
        key, handler = recipe.pick(keys), recipe.pick(HANDLERS)
        if recipe.pick((True, False)):
            steps += [_set(*owner, key, number, handler), _get(*owner, key, handler)]
        else:
            steps.append(_get(*owner, key, handler))
    where = alike_environment(exposed=False) if apps is NOTES else Environment()
    return Scenario(id="explore", steps=tuple(steps), environment=where)


def _set(
    user: str, app: str, key: str, number: int, handler: HandlerKind, *, life: int = 60
) -> CacheSet:
    value = f'{{"n":{number}}}'
    return CacheSet(
        key=key, value_json=value, ttl_seconds=life, app=app, handler=handler, user=user,
        session=f"s-{user}",
    )  # fmt: skip


def _get(user: str, app: str, key: str, handler: HandlerKind) -> CacheGet:
    return CacheGet(key=key, app=app, handler=handler, user=user, session=f"s-{user}")


_CLASSES = (
    Partition("a key that only the other has set", "the reader has none"),
    Partition("a key that both have set", "with different values"),
    Partition("got in a chat function", "the reader is a chat function"),
    Partition("got in a panel", "the reader is a panel"),
    Partition(_LATE, "the other's is not", capabilities=frozenset({"clock"})),
    Partition("got in a tool", "the reader is a tool", "observed"),
    Partition("got in a skeleton", "the reader is a skeleton handler", "observed"),
)

INVARIANT = Invariant(
    id="C-CACHE-ISOLATION",
    title="A cached value belongs to one user in one extension",
    statement="What one user's handler caches in one extension, no other user and no other "
    "extension can read.",
    severity="critical",
    sources=(
        context_channels("The three channels at a glance"),
        context_channels("Channel 2 — ctx.cache (page-bound rich snapshot)"),
    ),
    capabilities=frozenset({"cache"}),
    reading=(
        "A get counts only where the owner gets the value back, and only if the reader has never "
        "set an equal one. Whether a stranger's get misses or is refused is free."
    ),
    clauses=(
        Clause(
            "per-key",
            "No get gives what was set under another key.",
            _per_key,
            (
                Partition("keys that differ in capitals", "and in nothing else"),
                Partition("keys that differ at their end", "after 64 characters or more"),
                Partition("keys that differ otherwise", "in punctuation or digits"),
            ),
        ),
        Clause(
            "per-user",
            "No get gives what another user has set.",
            _per_user,
            (*_CLASSES, together("user")),
        ),
        Clause(
            "per-extension",
            "No get gives what the user's other extension has set.",
            _per_extension,
            (*_CLASSES, *PARTITIONS, together("key")),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
