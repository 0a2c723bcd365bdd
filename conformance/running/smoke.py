"""Does an adapter speak the protocol? A few small exchanges, and whose fault a problem is.

Nothing is judged here: a kernel that breaks every promise may speak the protocol well.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ...invariants.vocabulary import codec
from ...invariants.vocabulary.errors import KernelError, KernelTimeout, KernelUnreachable
from ...invariants.vocabulary.protocol import problems, tag_of
from ...invariants.vocabulary.scenario import (
    DESTRUCTIVE,
    Advance,
    CacheDelete,
    CacheGet,
    CacheSet,
    Call,
    Confirm,
    DisableExtension,
    Interruption,
    Probe,
    RenderPanel,
    Scenario,
    SkeletonRefresh,
    StoreSet,
    Turn,
)
from ...invariants.vocabulary.trace import (
    AuditRecord,
    Digest,
    KernelDescription,
    PanelRefreshed,
    ProbeOutcome,
    StepFailed,
    Trace,
)
from ...invariants.vocabulary.trace_view import TraceView
from ..adapters.base import Adapter
from ..driving.drive import FreshIds, drive, runnable
from .agent_smoke import (
    CALL,
    UNANSWERED,
    agent_notes,
    agent_scenarios,
    badly_wired,
    is_answer,
)

Fault = Literal["", "kernel", "unreachable", "ours"]
"""Whose it is: nobody's, the kernel broke the protocol, there is no kernel, we made a mistake."""

_ASKED_FOR = (
    ("digest", Digest),
    ("audit", AuditRecord),
    ("panels", PanelRefreshed),
)
"""Events that the first turn should bring where they are claimed; judges decide over them."""

_HALF = "half: \ud83d"
"""Half a surrogate pair: JSON can say it, and some parsers stumble over it."""


@dataclass(frozen=True)
class Exchange:
    """One request and what came of it.

    Attributes:
        name: what was tried.
        scenario: what was sent; ``None`` for ``describe``.
        trace: what came back, if it could be read.
        fault: whose the problem is; empty if there is none.
        problems: what is wrong, as index of the step (or ``None``) and words.
        notes: what may be wrong.
        skipped: why it was not tried; empty if it was.
        stderr_tail: the last words of a kernel that failed.
        seconds: how long it took.
    """

    name: str
    scenario: Scenario | None = None
    trace: Trace | None = None
    fault: Fault = ""
    problems: tuple[tuple[int | None, str], ...] = ()
    notes: tuple[str, ...] = ()
    skipped: str = ""
    stderr_tail: str = ""
    seconds: float = 0.0


def scenarios() -> list[Scenario]:
    """Return small scenarios that together hold every kind of step."""
    two_turns = (
        Turn(message="list my tasks", calls=(CALL,), draft="You have 36 tasks."),
        Turn(message="\u0441\u043f\u0430\u0441\u0438\u0431\u043e \U0001f389", draft="Welcome."),
    )
    cache = (
        CacheSet(key="smoke", value_json='{"n":9007199254740993}', ttl_seconds=60),
        CacheGet(key="smoke"),
        CacheDelete(key="smoke"),
    )
    return [
        Scenario(id="turn", steps=two_turns),
        Scenario(id="cache", steps=cache),
        Scenario(id="half a character in a turn", steps=(Turn(message=_HALF),)),
        Scenario(id="half a character in a cache key", steps=(CacheGet(key=_HALF),)),
        Scenario(id="skeleton", steps=(SkeletonRefresh(),)),
        Scenario(
            id="removal",
            steps=(SkeletonRefresh(), DisableExtension(), Turn(message="what is left?")),
        ),
        Scenario(id="store", steps=(StoreSet(key="smoke", value_json='"kept"'),)),
        Scenario(id="probe", steps=(Probe(handler="tool", op="get", path="user.imperal_id"),)),
        Scenario(id="panel", steps=(RenderPanel(),)),
        Scenario(
            id="a card",
            steps=(
                Turn(message="drop it", calls=(CALL, Call(function=DESTRUCTIVE.name))),
                Confirm(message="drop it"),
            ),
        ),
        Scenario(
            id="two turns at the same time",
            steps=(
                Turn(message="one", calls=(CALL,)),
                Turn(message="two", user="u2", session="s2", calls=(CALL,), overlaps=True),
            ),
        ),
        *(
            Scenario(
                id=f"a turn that is {kind}",
                steps=(
                    Turn(message="do it", calls=(CALL, CALL), interrupted=interruption),
                    Turn(message="and now?"),
                ),
            )
            for kind, interruption in (
                ("delivered again", Interruption(kind="retried", after=1)),
                ("stopped", Interruption(kind="cancelled", after=1)),
                ("taken up again", Interruption(kind="restarted", after=1)),
            )
        ),
        Scenario(id="clock", steps=(Advance(seconds=60),)),
    ]


def smoke(adapter: Adapter) -> Iterator[Exchange]:
    """Try an adapter; yield each exchange as soon as it is over.

    Raises:
        UsageError: the kernel reference names nothing.
    """
    described = _described(adapter)
    if isinstance(described, Exchange):
        yield described
        return
    yield Exchange("describe")
    ids = FreshIds()
    of_agent = "agent" in described.capabilities
    for scenario in agent_scenarios() if of_agent else scenarios():
        started = time.monotonic()
        exchange = _exchanged(adapter, described, scenario, ids)
        yield replace(exchange, seconds=time.monotonic() - started)


def _described(adapter: Adapter) -> KernelDescription | Exchange:
    try:
        return adapter.describe()
    except KernelError as error:
        return _failed("describe", None, error)


def _exchanged(
    adapter: Adapter, description: KernelDescription, scenario: Scenario, ids: FreshIds
) -> Exchange:
    name = scenario.id
    reason = runnable(description, scenario)
    if reason is not None:
        of_agent = "agent" in description.capabilities
        told = reason.replace("the kernel", "the agent") if of_agent else reason
        return Exchange(name, scenario, skipped=told)
    try:
        sent = codec.decode(codec.to_json(scenario), Scenario, "our own scenario")
        if sent != scenario:
            return _ours(name, scenario, "our own scenario changes on its way")
        trace = drive(adapter, description, scenario, ids=ids)
        spared = _spared(trace)
        found = tuple((x.step, x.message) for x in problems(trace) if x.step not in spared)
    except KernelError as error:
        return _failed(name, scenario, error)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is not the kernel's
        return _ours(name, scenario, "".join(traceback.format_exception(error)[-2:]))
    found += (*_without_control(trace), *badly_wired(trace, {step for step, _ in found}))
    fault: Fault = "kernel" if found else ""
    return Exchange(name, scenario, trace, fault, found, tuple(_notes(trace)))


def _failed(name: str, scenario: Scenario | None, error: KernelError) -> Exchange:
    gone, hung = isinstance(error, KernelUnreachable), isinstance(error, KernelTimeout)
    found: list[tuple[int | None, str]] = [(None, str(error))]
    if hung and scenario is not None and any(map(is_answer, scenario.steps)):
        found.append((None, UNANSWERED))
    return Exchange(
        name,
        scenario,
        fault="unreachable" if gone else "kernel",
        problems=tuple(found),
        stderr_tail=error.stderr_tail,
    )


def _ours(name: str, scenario: Scenario, message: str) -> Exchange:
    return Exchange(name, scenario, fault="ours", problems=((None, message),))


def _without_control(trace: Trace) -> Iterator[tuple[int, str]]:
    """Yield a problem if the probe that must always give a value does not."""
    for step in TraceView(trace).steps:
        outcome = step.first(ProbeOutcome)
        if outcome is not None and outcome.value_json != f'"{step.user}"':
            got = f"{outcome.outcome} {outcome.value_json!a:.200}"
            message = f"get user.imperal_id must give the user's id {step.user!a}; got {got}"
            yield step.index, message


def _spared(trace: Trace) -> set[int]:
    """The steps that the kernel declined and that no scenario of a run of ours holds."""
    return {
        step.index
        for step in TraceView(trace).steps
        if isinstance(step.stimulus, CacheDelete) and step.first(StepFailed) is not None
    }


def _notes(trace: Trace) -> Iterator[str]:
    if _spared(trace):
        yield "cache_delete is not carried out; no scenario of ours needs it, one of yours may"
    yield from agent_notes(trace)
    first = TraceView(trace).steps[0]
    if not (isinstance(first.stimulus, Turn) and first.stimulus.calls):
        return
    for capability, kind in _ASKED_FOR:
        if capability in trace.kernel.capabilities and not first.all(kind):
            yield f"{capability} is claimed, but the first turn shows no {tag_of(kind)} event"
