"""Traces of what each layer sees, built by hand, and what one clause says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.readings.marks import mark
from fedcheck.invariants.scenarios.facts import EXPOSED, call
from fedcheck.invariants.vocabulary.scenario import (
    AnyStep,
    CacheGet,
    CacheSet,
    Call,
    Environment,
    Extension,
    RenderPanel,
    Section,
    StoreSet,
    Turn,
)
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    AnyEvent,
    CacheOutcome,
    ClassifierPrompt,
    Given,
    KernelDescription,
    NarratorPrompt,
    PanelRendered,
    Reply,
    StoreOutcome,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Violation

HI, SECRET, OTHER, NOW = mark(1), mark(2), mark(3), mark(4)
Step = tuple[AnyStep, Sequence[AnyEvent]]

ENVIRONMENT = Environment(
    extensions=(
        Extension(
            app="alpha",
            sections=(Section(returns_json=(f'{{"x":"{SECRET}"}}',)),),
            panel_json=f'{{"x":"{SECRET}"}}',
        ),
    )
)


def trace_of(*steps: Step, exposed: bool = False) -> TraceView:
    """A trace of these steps, by a kernel that claims everything."""
    events: list[AnyEvent] = []
    for index, (given, shown) in enumerate(steps):
        who: dict[str, Any] = {"step": index, "user": given.user, "session": given.session}
        events.append(Given(**who, stimulus=given))
        events.extend(replace(event, **who) for event in shown)
    described = KernelDescription(kernel="toy", version="1", capabilities=tuple(CAPABILITIES))
    where = replace(ENVIRONMENT, flags=EXPOSED.flags) if exposed else ENVIRONMENT
    return TraceView(Trace(events=tuple(events), kernel=described, environment=where))


def judged(clause: str, *steps: Step, exposed: bool = False) -> tuple[int, set[str]]:
    """How often a clause compared something, and the kinds of its violations."""
    findings = list(clauses(catalog())[clause][1].judge(trace_of(*steps, exposed=exposed)))
    kinds = {each.kind for each in findings if isinstance(each, Violation)}
    return sum(isinstance(each, Compared) for each in findings), kinds


def turn(
    message: str = HI,
    *calls: Call,
    narrator: str | None = None,
    classifier: str = "",
    reply: str = "Done.",
    draft: str = "Done.",
    events: Sequence[AnyEvent] = (),
    **who: str,
) -> Step:
    """A turn; unless told otherwise its prompts show its message."""
    return Turn(message=message, calls=calls, draft=draft, **who), [
        ClassifierPrompt(prompt=f"{classifier} {message}"),
        NarratorPrompt(prompt=message if narrator is None else narrator),
        Reply(text=reply),
        *events,
    ]


def cached(value: str, handler: Any = "panel", key: str = "k", **who: str) -> list[Step]:
    """A set of a value and its get, which hits."""
    text = f'{{"x":"{value}"}}'
    hit = CacheOutcome(outcome="hit", value_json=text)
    return [
        (
            CacheSet(key=key, value_json=text, handler=handler, **who),
            [CacheOutcome(outcome="accepted")],
        ),
        (CacheGet(key=key, handler=handler, **who), [hit]),
    ]


RESULT = call({"in": [{"x": SECRET}]}, summary=OTHER)
EARLIER = turn(HI, RESULT, narrator=f"{HI} {SECRET} {OTHER}")
KEPT: Step = (
    StoreSet(key="k", value_json=f'{{"x":"{SECRET}"}}'),
    [StoreOutcome(outcome="accepted")],
)
RENDERED: Step = (
    RenderPanel(),
    [PanelRendered(app="alpha", panel="board", value_json=f'["{SECRET}"]')],
)
LEAK = turn(NOW, narrator=f"{NOW} {SECRET}", classifier=SECRET)
QUIET = turn(NOW)
