"""C-HANDLER-VIEW: what a chat function receives, and what it never does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from ...readings.handlers import Reached, reached
from ...readings.marks import Marks, Plant, marks_in, read_marks
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.layers import (
    HANDLERS,
    asked,
    found,
    identified,
    layered,
    marked_extensions,
    word,
)
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, HandlerKind, Probe, Scenario, SkeletonRefresh
from ...vocabulary.sources import context_channels
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_ROLE, _LANGUAGE = "user.role", "user.language"
_SURFACES = ("store", "cache", "http", "ai", "notify", "secrets")
_HISTORY = (
    *("history", "messages", "conversation", "turns", "session.history", "user.history"),
    *("transcript", "chat_history", "turn_history", "conversation_history", "recent_turns"),
    *("previous_turns", "thread", "dialog", "dialogue", "chat", "log", "memory", "last_message"),
    *("session", "session.messages", "session.turns", "user.messages", "exchanges", "previews"),
)
_PROMPT = ("prompt", "classifier_prompt", "classifier.prompt", "system_prompt", "context")
_FACTS = ("facts", "fact_ledger", "ledger", "data_facts", "session_memory", "digests",
          "tool_calls", "results", "observations", "recall", "events", "steps")  # fmt: skip
_CALLS = ("history.get", "get_history", "facts.get", "fact_ledger.get", "ledger.get", "memory.get")
_WHOLE = ("user", *_SURFACES, "skeleton")
"""What the page names, each as a whole."""

_FIELDS = tuple(
    f"{root}.{name}"
    for root in ("user", "session", "state")
    for name in ("last_message", "last_reply", "messages", "facts", "memory", "recent", "sections")
)
_EVERYWHERE: tuple[HandlerKind, ...] = (*HANDLERS, "webhook", "schedule")
_TOLD = {
    "message": "an earlier message",
    "draft": "an earlier reply",
    "section": "a skeleton section",
}
_THINGS = {"history": _HISTORY, "prompt": _PROMPT, "facts": _FACTS, "fields": _FIELDS}
_THINGS["whole objects"] = _WHOLE


def _surfaces(view: TraceView) -> Iterator[Finding]:
    return _given(view, {name: f"ctx.{name}" for name in _SURFACES})


def _role(view: TraceView) -> Iterator[Finding]:
    return _given(view, {_ROLE: "the user's role"})


def _language(view: TraceView) -> Iterator[Finding]:
    return _given(view, {_LANGUAGE: "the user's language"})


def _given(view: TraceView, paths: dict[str, str]) -> Iterator[Finding]:
    for each in view.reading(reached):
        probe = each.probe
        if probe.handler != "chat_function" or probe.op != "get" or probe.path not in paths:
            continue
        name = paths[probe.path]
        yield Compared((name,))
        if each.outcome.outcome != "value" or each.outcome.value_json == "null":
            yield Violation(
                kind=f"{name} missing",
                step=each.step.index,
                expected=f"a chat function gets {name}",
                got=_got(each),
            )


def _got(each: Reached) -> str:
    error = each.outcome.error
    if each.outcome.outcome == "raised":
        return f"ctx.{each.probe.path} raised {error.name if error else 'an error'}"
    return f"ctx.{each.probe.path} gives nothing"


def _hidden(view: TraceView) -> Iterator[Finding]:
    """A value counts only if it tells something of the conversation; an empty list does not."""
    marks = view.reading(read_marks)
    if not marks.turns:
        return
    for each in view.reading(reached):
        thing = _thing(each.probe)
        known = [
            plant
            for plant in marks.plants
            if plant.step.index < each.step.index and _is_hidden(marks, plant, each)
        ]
        if thing is None or not known:
            continue
        yield Compared((thing, f"in a {each.told_handler}"))
        shown = marks_in(each.outcome.value_json)
        leak = next((plant for plant in known if plant.mark in shown), None)
        if leak is not None:
            name = _TOLD.get(leak.where, "a result of a call")
            yield Violation(
                kind=f"{name} in a handler",
                step=each.step.index,
                expected=f"ctx.{each.probe.path} gives nothing of the conversation",
                got=f"a value with {leak.mark!r}, which stands in {name}",
            )


def _is_hidden(marks: Marks, plant: Plant, each: Reached) -> bool:
    """Whether a handler may not be given this; skeleton handlers read their extension's sections.

    Nor is it told from a whole object what a handler has kept or cached itself.
    """
    if plant.where == "section":
        refreshed = plant.step.stimulus
        own = isinstance(refreshed, SkeletonRefresh) and refreshed.app == each.probe.app
        return marks.only(plant) and not (each.probe.handler == "skeleton" and own)
    if plant.where not in ("message", "draft", "data", "summary"):
        return False
    return marks.homes[plant.mark].isdisjoint(("cache", "store", "section"))


def _thing(probe: Probe) -> str | None:
    if probe.op == "call":
        return "a call" if probe.path in _CALLS else None
    return next((thing for thing, names in _THINGS.items() if probe.path in names), None)


def _get(
    path: str,
    handler: HandlerKind = "chat_function",
    op: Literal["get", "call"] = "get",
    app: str = APPS[0],
    session: str = "s1",
) -> Probe:
    return Probe(handler=handler, op=op, path=path, app=app, session=session)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    paths = (_ROLE, _LANGUAGE, *_SURFACES)
    yield layered(
        "handler-surfaces",
        "a chat function gets its surfaces",
        *(
            step
            for app, session in ((APPS[0], "s1"), (APPS[1], "s1"), (APPS[0], "s2"))
            for step in (
                identified(app=app, session=session),
                *(_get(path, app=app, session=session) for path in paths),
            )
        ),
    )
    for handler in ("chat_function", "panel"):
        yield layered(
            f"handler-conversation-{handler.replace('_', '-')}",
            "a handler asks for the conversation",
            asked(0, found(0), found(2, app="beta")),
            asked(1, found(4), draft="Done."),
            identified(handler),
            *(_get(path, handler) for names in _THINGS.values() for path in names),
            *(_get(path, handler, "call") for path in _CALLS),
            identified(handler, app=APPS[1]),
            *(_get(path, handler, app=APPS[1]) for path in (*_FACTS, *_HISTORY[:2])),
        )

    for handler in _EVERYWHERE:
        yield layered(
            f"handler-objects-{handler.replace('_', '-')}",
            "a handler gets whole objects, and fields that may hold the conversation",
            *(SkeletonRefresh(app=app) for app in APPS[:2]),
            asked(0, found(0)),
            asked(1, found(4), user="u2", session="s2"),
            asked(2, found(8), draft=f"Done: {word(9)}."),
            identified(handler),
            *(_get(path, handler) for path in (*_WHOLE, *_FIELDS)),
            environment=marked_extensions(50),
        )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: turns, then questions for anything that a handler must not know."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    first, second = recipes
    handler, app = first.pick(("chat_function", "panel", "tool", "skeleton")), first.pick(APPS)
    return layered(
        "explore",
        "",
        asked(0, found(0)),
        *(asked(1 + n, found(2 + 2 * n)) for n in range(first.pick((0, 1, 2)))),
        identified(handler, app=app),
        *(
            _get(recipe.pick((*_HISTORY, *_PROMPT, *_FACTS)), handler, app=app)
            for recipe in (first, second)
        ),
        _get(second.pick(_CALLS), handler, "call", app=app),
    )


INVARIANT = Invariant(
    id="C-HANDLER-VIEW",
    title="What a handler sees",
    statement=(
        "A chat function gets the user's identity and its services; nothing in a handler gives "
        "the classifier's prompt, the user's history or what calls have returned."
    ),
    sources=(context_channels("(2) During — your handler sees"),),
    capabilities=frozenset({"probe", "fact_ledger"}),
    reading=(
        "A name such as ctx.history may exist: only a value that tells something of the "
        "conversation is a breach. A skeleton handler may be given its own extension's sections. "
        "The page names a user's language, which the published SDK does not have; so that clause "
        "is advisory."
    ),
    clauses=(
        Clause(
            "services-given",
            "A chat function gets store, cache, http, ai, notify and secrets.",
            _surfaces,
            tuple(Partition(f"ctx.{name}", "asked for") for name in _SURFACES),
        ),
        Clause(
            "role-given",
            "A chat function gets the user's role.",
            _role,
            (Partition("the user's role", "asked for"),),
        ),
        Clause(
            "language-given",
            "A chat function gets the user's language.",
            _language,
            (Partition("the user's language", "asked for"),),
            contradictions=(
                Contradiction(
                    "SDK, User",
                    "a user has no field for a language, and allows no further ones.",
                    "The page names it among what a handler reads; so that is advice, and no "
                    "demand.",
                ),
            ),
            level="SHOULD",
        ),
        Clause(
            "conversation-hidden",
            "Nothing in a handler gives a message, a reply or a result of an earlier turn, or "
            "another's section.",
            _hidden,
            (
                Partition("history", "names of a history"),
                Partition("prompt", "names of a prompt"),
                Partition("facts", "names of a ledger"),
                Partition("fields", "of objects that last as long as a user, or a session"),
                Partition("whole objects", "each that the page names, with all that is in it"),
                Partition("a call", "of a reader"),
                Partition("in a chat function", "asked there"),
                Partition("in a panel", "asked there"),
                Partition("in a tool", "asked there", "observed"),
                Partition("in a skeleton", "asked there", "observed"),
            ),
            contradictions=(
                Contradiction(
                    "SDK since 5.12, ctx.conversations",
                    "handlers are given the user's own threads.",
                    "The page says that a handler never sees the user's history; this one name is "
                    "not asked for, so that a kernel with such an SDK is not blamed for it.",
                ),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
