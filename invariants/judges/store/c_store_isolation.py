"""C-STORE-ISOLATION: a stored document belongs to one user in one extension."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.likeness import PARTITIONS, likenesses, together
from ...readings.sharing import joined_with
from ...readings.store import Document, Read, read_store
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.lookalike_apps import alike_environment, alike_owners
from ...scenarios.store import HANDLERS, keep, kept_and_read, read
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import equal
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, UNSEEN, AnyStep, HandlerKind, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_KEY = f"settings-{UNSEEN}"
"""What an earlier scenario has left there would be taken for a document of somebody in this one."""


def _per_user(view: TraceView) -> Iterator[Finding]:
    return _judged(view, same_user=False, other="another user")


def _per_extension(view: TraceView) -> Iterator[Finding]:
    return _judged(view, same_user=True, other="another extension")


def _judged(view: TraceView, *, same_user: bool, other: str) -> Iterator[Finding]:
    for found in view.reading(read_store):
        foreign = [each for each in found.foreign if _near(found, each, same_user=same_user)]
        if not foreign:
            continue
        yield Compared((*_classes(found), *_alike(view, found, foreign)), found.step.index)
        leak = next((each for each in foreign if found.shows(each)), None)
        if leak is not None:
            user, app = leak.owner
            yield Violation(
                kind=f"document of {other} read",
                step=found.step.index,
                expected=f"a read by {found.step.user} in {found.probe.app} does not give what "
                f"{user} keeps in {app}",
                got=shorten(leak.given.value_json),
            )


def _near(found: Read, document: Document, *, same_user: bool) -> bool:
    """Whether the document is the neighbour's, and cannot be taken for the reader's own."""
    user, app = document.owner
    mine = any(equal(each.value, document.value) for each in found.kept)
    near = app == found.probe.app or user == found.step.user or bool(_joined(found, document))
    return not mine and near and (user == found.step.user) == same_user


def _joined(found: Read, document: Document) -> tuple[str, ...]:
    return joined_with(found.owner, found.key, document.owner, document.given.key)


def _alike(view: TraceView, found: Read, foreign: list[Document]) -> set[str]:
    """Return how the reader's extension is like those of the others."""
    alike = {x for each in foreign for x in likenesses(view, (each.owner[1], found.probe.app))}
    return alike.union(*(_joined(found, each) for each in foreign))


def _classes(found: Read) -> Iterator[str]:
    yield "a key that both have" if found.kept else "a key that only the other has"
    yield f"read in a {found.probe.handler.replace('_', ' ')}"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    for handler in HANDLERS:
        name = handler.replace("_", "-")
        users = [("u1", APPS[0]), ("u2", APPS[0]), ("u3", APPS[0])]
        yield _between(f"store-of-users-{name}", handler, users)
        yield _between(f"store-of-extensions-{name}", handler, [("u1", app) for app in APPS])
    for name, owners in alike_owners(_KEY):
        yield _alike_owners(f"store-of-extensions-alike-{name}", owners)


def _alike_owners(name: str, owners: list[tuple[str, str, str]]) -> Scenario:
    """Each reads before it keeps a document of its own; at last all read."""
    steps: list[AnyStep] = []
    for number, (user, app, key) in enumerate(owners):
        steps.append(read(key, user=user, app=app))
        steps += kept_and_read(key, number, user=user, app=app)
    steps += [read(key, user=user, app=app) for user, app, key in owners]
    return Scenario(
        id=name,
        steps=tuple(steps),
        title="Extensions that are alike, each with a document of its own",
        environment=alike_environment(exposed=False),
    )


def _between(name: str, handler: HandlerKind, owners: list[tuple[str, str]]) -> Scenario:
    """One keeps, the second reads, then keeps too; at last all read; the third keeps nothing."""
    (one, its), (two, others), _ = owners
    steps: tuple[AnyStep, ...] = (
        keep(_KEY, 1, user=one, app=its),
        read(_KEY, user=one, app=its, handler=handler),
        read(_KEY, user=two, app=others, handler=handler),
        keep(_KEY, 2, user=two, app=others),
        *(read(_KEY, user=user, app=app, handler=handler) for user, app in reversed(owners)),
    )
    told = handler.replace("_", " ")
    return Scenario(id=name, steps=steps, title=f"One key of three owners, read in {told} handlers")


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: anybody keeps and reads documents under two keys."""
    return from_recipes(_drawn, 3)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for number, recipe in enumerate((*recipes, *recipes)):
        user, app = recipe.pick(("u1", "u2")), recipe.pick(APPS[:2])
        key = recipe.pick((_KEY, _KEY.capitalize()))
        if recipe.pick((True, False)):
            steps += kept_and_read(key, number, user=user, app=app)
        else:
            steps.append(read(key, user=user, app=app, handler=recipe.pick(HANDLERS)))
    return Scenario(id="explore", steps=tuple(steps))


_CLASSES = (
    Partition("a key that only the other has", "the reader keeps nothing there"),
    Partition("a key that both have", "with different documents"),
    Partition("read in a chat function", "the reader is a chat function"),
    Partition("read in a panel", "the reader is a panel", "observed"),
    Partition("read in a tool", "the reader is a tool", "observed"),
    Partition("read in a skeleton", "the reader is a skeleton handler", "observed"),
)

INVARIANT = Invariant(
    id="C-STORE-ISOLATION",
    title="A stored document belongs to one user in one extension",
    statement="What one user's handler keeps in one extension, no other user and no other "
    "extension can read.",
    severity="critical",
    sources=(context_channels("(2) During — your handler sees"),),
    capabilities=frozenset({"store", "probe"}),
    reading=(
        "The page names the store and no method of it; a handler reads by ctx.store.get with the "
        "key. Without such a way back nothing is judged. A document may come back with fields "
        "beside its own whose names begin with an underscore."
    ),
    clauses=(
        Clause(
            "per-user",
            "No read gives what another user keeps.",
            _per_user,
            (*_CLASSES, together("user")),
        ),
        Clause(
            "per-extension",
            "No read gives what the user's other extension keeps.",
            _per_extension,
            (*_CLASSES, *PARTITIONS, together("key")),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
