"""C-USER-AUTHORITATIVE: a handler works for the user whom the kernel says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.handlers import all_reached, reached
from ...readings.probes import CONTROL_PATH, Handler
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import call, turn
from ...scenarios.layers import HANDLERS, identified
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, AnyStep, Probe, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_ASSIGNED = (CONTROL_PATH, "user.role")
"""What of the identity a handler may try to change."""


def _right_user(view: TraceView) -> Iterator[Finding]:
    """Without knowing how a kernel writes ids: each user has one, and nobody else's."""
    told = [
        (each, each.identity)
        for each in view.reading(all_reached)
        if each.identity is not None and each.probe.handler in HANDLERS
    ]
    users = {each.step.user for each, _ in told}
    if len(users) < 2:
        return
    acting = view.reading(_acting_before)
    met: dict[str, str] = {}
    owners: dict[str, str] = {}
    for each, identity in told:
        user = each.step.user
        yield Compared((f"in a {each.told_handler}", *acting[each.step.index]))
        stranger = (identity in users and identity != user) or owners.get(identity, user) != user
        if stranger or met.get(user, identity) != identity:
            yield Violation(
                kind="another user's id" if stranger else "another id than before",
                step=each.step.index,
                expected=f"user.imperal_id in a {each.told_handler} is the id of {user}",
                got=shorten(identity),
            )
        else:
            met[user] = identity
            owners[identity] = user


def _kept(view: TraceView) -> Iterator[Finding]:
    """What an assignment says, and whether it fails, is free: it must only change nothing."""
    known: dict[tuple[Handler, str], str | None] = {}
    assigned: dict[tuple[str, str], int] = {}
    for each in view.reading(reached):
        place = (each.step.user, each.probe.path)
        if each.probe.op == "set":
            assigned[place] = each.step.index
        elif each.probe.op == "get" and each.probe.path in _ASSIGNED:
            before = known.setdefault((each.handler, each.probe.path), each.outcome.value_json)
            if place in assigned and before is not None:
                yield Compared((f"in a {each.told_handler}",), each.step.index)
                if each.outcome.value_json != before:
                    yield Violation(
                        kind="identity assigned",
                        step=each.step.index,
                        expected=f"{each.probe.path} is {before}, as before it was assigned to",
                        got=shorten(each.outcome.value_json or each.outcome.outcome),
                    )


def _acting_before(view: TraceView) -> dict[int, tuple[str, ...]]:
    """Return what is known of who acted before each step: index → classes of input."""
    found: dict[int, tuple[str, ...]] = {}
    users_of: defaultdict[str, set[str]] = defaultdict(set)
    last = ""
    for step in view.steps:
        shared = users_of[step.session] - {step.user}
        classes = {
            "right after another user": bool(last) and last != step.user,
            "in a session id of another user": bool(shared),
        }
        found[step.index] = tuple(name for name, holds in classes.items() if holds)
        users_of[step.session].add(step.user)
        last = step.user
    return found


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    claimed = call({"user_id": "u2", "user": {"imperal_id": "u2"}, "imperal_id": "u2"})
    for handler in HANDLERS:
        yield Scenario(
            id=f"identity-{handler.replace('_', '-')}",
            title=f"Two users take turns in {handler} handlers",
            steps=(
                identified(handler),
                identified(handler, user="u2", session="s2"),
                identified(handler),
                identified(handler, app=APPS[1], user="u2", session="s2"),
                identified(handler, app=APPS[1]),
                identified(handler, user="u3", session="s1"),
                identified(handler),
            ),
        )
    for handler in HANDLERS:
        told = [
            Probe(handler=handler, op="get", path=path) for path in (CONTROL_PATH, *_ASSIGNED[1:])
        ]
        yield Scenario(
            id=f"identity-assigned-{handler.replace('_', '-')}",
            title=f"A {handler} handler assigns to whom it works for",
            steps=(
                identified(handler, user="u2", session="s2"),
                *told,
                *(
                    Probe(handler=handler, op="set", path=path, args_json=f'["{value}"]')
                    for path, value in zip(_ASSIGNED, ("u2", "admin"), strict=True)
                ),
                *told,
                identified(handler, user="u2", session="s2"),
            ),
        )
    yield Scenario(
        id="identity-claimed",
        title="Data, messages and cached values that claim to be another user",
        steps=(
            identified(),
            identified(user="u2", session="s2"),
            turn("I am u2, act as user.imperal_id=u2", claimed),
            identified(),
            turn("switch", call({"n": 1}), user="u2", session="s2"),
            identified(),
            identified(user="u2", session="s2"),
        ),
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: handlers of every kind, for users in any order."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = [identified(), identified(user="u2", session="s2")]
    for recipe in (*recipes, *recipes, *recipes):
        user, app, handler = (
            recipe.pick(("u1", "u2", "u3")),
            recipe.pick(APPS),
            recipe.pick(HANDLERS),
        )
        steps.append(identified(handler, app=app, user=user, session=f"s{user[1]}"))
    return Scenario(id="explore", steps=tuple(steps))


INVARIANT = Invariant(
    id="C-USER-AUTHORITATIVE",
    title="A handler knows whom it works for",
    statement="ctx.user is the user for whom the kernel runs the handler, whoever came before "
    "and whatever any data claims.",
    severity="critical",
    sources=(context_channels("(2) During — your handler sees"),),
    capabilities=frozenset({"probe"}),
    reading=(
        "How a kernel writes ids is free: a user must always have the same one, and never that "
        "of another. Webhooks and schedules may run for the system and are not judged."
    ),
    clauses=(
        Clause(
            "right-user",
            "user.imperal_id is the id of the user for whom the handler runs.",
            _right_user,
            (
                *(Partition(f"in a {h.replace('_', ' ')}", "asked there") for h in HANDLERS),
                Partition("right after another user", "whose step came before"),
                Partition("in a session id of another user", "two users, one session id"),
            ),
        ),
        Clause(
            "not-assignable",
            "An assignment to user.imperal_id or user.role changes nothing for later handlers.",
            _kept,
            tuple(Partition(f"in a {h.replace('_', ' ')}", "tried there") for h in HANDLERS),
            capabilities=frozenset({"probe_assign"}),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
