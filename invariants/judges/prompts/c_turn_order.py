"""C-TURN-ORDER: a turn is classified, then its tools run, then it is narrated."""

from __future__ import annotations

from collections.abc import Iterator

from ...scenarios.facts import CALIBRATION, call, fact_scenarios
from ...scenarios.facts import turn as turn_of
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario, Turn
from ...vocabulary.sources import context_channels
from ...vocabulary.trace import AnyEvent, ClassifierPrompt, NarratorPrompt, Reply, ToolResult
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _turns(view: TraceView) -> Iterator[StepView]:
    """Nobody vouches for the order of what was recorded."""
    for step in view.steps if view.trace.origin != "recording" else ():
        if isinstance(step.stimulus, Turn):
            yield step


def _places(step: StepView, *kinds: type[AnyEvent]) -> list[int]:
    return [place for place, event in enumerate(step.events) if isinstance(event, kinds)]


def _classified_first(view: TraceView) -> Iterator[Finding]:
    for step in _turns(view):
        asked, later = _places(step, ClassifierPrompt), _places(step, ToolResult, NarratorPrompt)
        if not asked or not later:
            continue
        yield Compared((_kind(step),))
        if later[0] < asked[0]:
            early = step.events[later[0]]
            what = "a tool's result" if isinstance(early, ToolResult) else "the narrator's prompt"
            yield Violation(
                kind=f"{what} before the classifier's prompt",
                step=step.index,
                expected="the classifier asked before anything else happens",
                got=f"{what} came first",
            )


def _narrated_last(view: TraceView) -> Iterator[Finding]:
    for step in _turns(view):
        asked, results = _places(step, NarratorPrompt), _places(step, ToolResult)
        replied = _places(step, Reply)
        if not asked or not replied:
            continue
        yield Compared((_kind(step), "results reported") if results else (_kind(step),))
        late = "a tool's result" if results and results[-1] > asked[0] else ""
        late = late or ("the narrator's prompt" if asked[0] > replied[0] else "")
        if late:
            after = "the narrator's prompt" if late == "a tool's result" else "the reply"
            yield Violation(
                kind=f"{late} after {after}",
                step=step.index,
                expected="all results, then the narrator's prompt, then the reply",
                got=f"{late} came after {after}",
            )


def _kind(step: StepView) -> str:
    given = step.stimulus
    calls = len(given.calls) if isinstance(given, Turn) else 0
    return "several calls" if calls > 1 else "one call" if calls else "no call"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield Scenario(
        id="turn-order",
        title="turns without calls, with one and with several, some of which fail",
        steps=(
            CALIBRATION,
            turn_of("hello"),
            turn_of("one", call({"n": 1})),
            turn_of("two", call({"n": 2}), call({}, status="error"), call({"n": 3}, app=APPS[1])),
            turn_of("three", call({}, status="error")),
            turn_of("uno", call({"n": 4}), user="u2", session="s2"),
        ),
    )


_KINDS = (
    Partition("no call", "talk alone"),
    Partition("one call", "one tool runs"),
    Partition("several calls", "two or more"),
)

INVARIANT = Invariant(
    id="C-TURN-ORDER",
    title="Classifier, tools, narrator",
    statement="The classifier is asked before a tool runs, and the narrator once all of them have.",
    sources=(
        context_channels("(1) Pre-turn — the intent classifier sees"),
        context_channels("(3) Post-turn — the narrator and the user see"),
    ),
    capabilities=frozenset({"fact_ledger", "narrator"}),
    reading=(
        "Judged by the order in which a kernel reports its events; one that reports no results is "
        "judged on its prompts and replies. Either model may be asked again."
    ),
    clauses=(
        Clause(
            "classified-first",
            "The classifier's prompt precedes the results of tools and the narrator's prompt.",
            _classified_first,
            _KINDS,
        ),
        Clause(
            "narrated-last",
            "The narrator's prompt follows the results of all tools, and the reply follows it.",
            _narrated_last,
            (*_KINDS, Partition("results reported", "the kernel tells of results", "observed")),
        ),
    ),
    scenarios=_scenarios,
    strategy=fact_scenarios,
)
