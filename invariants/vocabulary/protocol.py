"""What a kernel owes for each kind of step: silence must never read as a pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import UNSET

from . import scenario as s
from . import trace as t
from .trace_view import StepView, TraceView


@dataclass(frozen=True)
class Required:
    """An event that a step must produce.

    Attributes:
        event: the kind of event.
        capability: owed only by a kernel that claims this.
        once: exactly one is owed; otherwise at least one.
    """

    event: type[t.Event]
    capability: str | None
    once: bool = True


@dataclass(frozen=True)
class Problem:
    """A step whose record cannot be judged.

    Attributes:
        step: index of the step.
        message: what is missing or failed, for people.
    """

    step: int
    message: str


REQUIRED_EVENTS: dict[type[s.Step], tuple[Required, ...]] = {
    s.Turn: (
        Required(t.ClassifierPrompt, "fact_ledger", once=False),
        Required(t.NarratorPrompt, "narrator", once=False),
        Required(t.Reply, "narrator"),
    ),
    s.Confirm: (Required(t.ConfirmOutcome, "confirm"),),
    s.CacheSet: (Required(t.CacheOutcome, "cache"),),
    s.CacheGet: (Required(t.CacheOutcome, "cache"),),
    s.CacheDelete: (Required(t.CacheOutcome, "cache"),),
    s.SkeletonRefresh: (Required(t.SkeletonStored, "skeleton", once=False),),
    s.StoreSet: (Required(t.StoreOutcome, "store"),),
    s.Probe: (Required(t.ProbeOutcome, "probe"),),
    s.RenderPanel: (Required(t.PanelRendered, "panels", once=False),),
    s.Advance: (Required(t.Advanced, "clock"),),
    s.DisableExtension: (Required(t.ExtensionDisabled, None),),
    s.Restart: (Required(t.Restarted, None),),
}
"""Digests and audit records are not listed: their absence is for judges to judge."""

_OF_INTERRUPTED = (
    Required(t.ClassifierPrompt, "fact_ledger", once=False),
    Required(t.TurnInterrupted, None),
)
"""A turn that is delivered again may be answered again, and one that was stopped need not be."""

_INTERRUPTING = {
    "retried": "turn_retry",
    "cancelled": "turn_cancel",
    "restarted": "turn_restart",
}

INTERRUPTING = frozenset(_INTERRUPTING.values())
"""What a kernel claims that takes turns in which something befalls them."""

_FITTING_OUTCOMES: dict[type[s.Step], frozenset[str]] = {
    s.CacheSet: frozenset({"accepted", "refused", "error"}),
    s.CacheGet: frozenset({"hit", "miss", "refused", "error"}),
    s.CacheDelete: frozenset({"accepted", "miss", "refused", "error"}),
}

_NEEDED: dict[type[s.Step], frozenset[str]] = {
    s.Turn: frozenset({"fact_ledger"}),
    s.Confirm: frozenset({"dispatch", "confirm"}),
    s.CacheSet: frozenset({"cache"}),
    s.CacheGet: frozenset({"cache"}),
    s.CacheDelete: frozenset({"cache"}),
    s.SkeletonRefresh: frozenset({"skeleton"}),
    s.StoreSet: frozenset({"store"}),
    s.Probe: frozenset({"probe"}),
    s.RenderPanel: frozenset({"panels"}),
    s.Advance: frozenset({"clock"}),
    s.DisableExtension: frozenset(),
    s.Restart: frozenset({"agent", "agent_restart"}),
}


def needed(step: s.AnyStep) -> frozenset[str]:
    """Return the capabilities without which a kernel cannot take a step."""
    kind = _NEEDED[type(step)]
    if isinstance(step, s.Probe) and (step.op == "set" or step.root == "ext"):
        return kind | {"probe_assign"}
    if isinstance(step, s.Turn) and step.agent is not UNSET:
        asked = {
            "agent_overlap": step.agent.overlaps,
            "agent_streams": step.agent.streams,
            "agent_confirm": destroys(step),
        }
        return frozenset({"agent", *(name for name, yes in asked.items() if yes)})
    if isinstance(step, s.Confirm) and s.is_agent(step):
        return frozenset({"agent", "agent_confirm"})
    if isinstance(step, s.Turn):
        if step.overlaps is True:
            kind |= {"turn_overlap"}
        if step.interrupted is not UNSET:
            kind |= {_INTERRUPTING[step.interrupted.kind]}
    if not s.is_dispatch(step):
        return kind
    waits = isinstance(step, s.Turn) and destroys(step)
    return kind | ({"dispatch", "confirm"} if waits else {"dispatch"})


def destroys(turn: s.Turn) -> bool:
    """Return whether a turn asks for what is destructive."""
    return any(call.function == s.DESTRUCTIVE.name for call in turn.calls)


def needs(scenario: s.Scenario) -> frozenset[str]:
    """Return the capabilities without which a kernel cannot take the scenario's steps."""
    found = frozenset[str]().union(*map(needed, scenario.steps))
    in_pool = all(_step_in_pool(step) for step in scenario.steps) and all(
        _extension_in_pool(extension) for extension in scenario.environment.extensions
    )
    if not in_pool:
        found |= {"dynamic_extensions"}
    if _overlap_in_a_session(scenario.steps) or _answered_by_namesake(scenario.steps):
        found |= {"agent_users"}
    sections = (each for ext in scenario.environment.extensions for each in ext.sections)
    if any(each.alert_says is not UNSET for each in sections):
        found |= {"alert_tools"}
    return found


def _overlap_in_a_session(steps: tuple[s.AnyStep, ...]) -> bool:
    """Whether turns run at the same time that users alone keep apart."""
    together: dict[str, str] = {}
    for step in steps:
        if not isinstance(step, s.Turn) or step.agent is UNSET:
            continue
        if not step.agent.overlaps:
            together = {}
        if together.setdefault(step.session, step.user) != step.user:
            return True
    return False


def _answered_by_namesake(steps: tuple[s.AnyStep, ...]) -> bool:
    """Whether another user answers an agent in a session of the same name."""
    agents = [step for step in steps if s.is_agent(step)]
    turns = [step for step in agents if isinstance(step, s.Turn)]
    return any(
        answer.session == turn.session and answer.user != turn.user
        for answer in agents
        if isinstance(answer, s.Confirm)
        for turn in turns
    )


def problems(trace: t.Trace) -> list[Problem]:
    """Return what keeps a trace from being judged: failed steps and events that are missing."""
    view = TraceView(trace)
    return [
        Problem(step.index, message)
        for step in view.steps
        for message in _problems_of(step, view.capabilities)
    ]


def _problems_of(step: StepView, capabilities: frozenset[str]) -> Iterator[str]:
    tag = tag_of(step.stimulus)
    failures = step.all(t.StepFailed)
    yield from (f"the kernel could not carry out {tag}: {each.message}" for each in failures)
    if failures:
        return
    if isinstance(step.stimulus, s.Turn) and step.stimulus.agent is not UNSET:
        yield from _of_agent(step, waits="agent_confirm" in capabilities)
        return
    if isinstance(step.stimulus, s.Confirm) and s.is_agent(step.stimulus):
        yield from _ended(step, waits=True)
        return
    owed = REQUIRED_EVENTS[type(step.stimulus)]
    for required in _OF_INTERRUPTED if s.is_interrupted(step.stimulus) else owed:
        if required.capability is None or required.capability in capabilities:
            yield from _missing(step, required)
    yield from _unaccounted(step)
    fitting = _FITTING_OUTCOMES.get(type(step.stimulus))
    for outcome in step.all(t.CacheOutcome) if fitting else ():
        if fitting and outcome.outcome not in fitting:
            expected = " or ".join(sorted(fitting))
            yield f"{tag} cannot come to {outcome.outcome!r}; expected {expected}"


def _of_agent(step: StepView, *, waits: bool) -> Iterator[str]:
    """Tell what a turn of an agent runtime owes: a request to the model, and one ending."""
    failure = step.first(t.AgentFailed)
    if failure is not None and not step.all(t.ModelRequest):
        yield f"the turn ended before the model was asked: {failure.message}"
    elif not step.all(t.ModelRequest):
        yield (
            "no request reached the model endpoint: does the agent read OPENAI_BASE_URL or "
            "ANTHROPIC_BASE_URL?"
        )
    yield from _ended(step, waits=waits)


def _ended(step: StepView, *, waits: bool) -> Iterator[str]:
    """Tell whether a step of an agent has no end: an error, a reply, or calls that wait."""
    if step.first(t.AgentFailed) or (waits and step.first(t.ConfirmationCard)):
        return
    yield from _missing(step, Required(t.Reply, "agent"))


def _unaccounted(step: StepView) -> Iterator[str]:
    """Tell of each call whose arguments are scripted, and of which the kernel says nothing."""
    turn = step.stimulus
    if not isinstance(turn, s.Turn) or not s.is_dispatch(turn):
        return
    told = {event.call for event in (*step.all(t.CallDispatched), *step.all(t.CallBlocked))}
    told |= {each.call for card in step.all(t.ConfirmationCard) for each in card.calls}
    for index in range(len(turn.calls)):
        if index not in told:
            yield (
                f"call {index} of the turn owes a call_dispatched, a call_blocked or a place on a "
                f'confirmation_card (the kernel claims dispatch); got none with "call": {index}'
            )


def _missing(step: StepView, required: Required) -> Iterator[str]:
    count = len(step.all(required.event))
    if count == 0 or (required.once and count > 1):
        wanted = "exactly one" if required.once else "at least one"
        claim = f" (the kernel claims {required.capability})" if required.capability else ""
        shown = ", ".join(tag_of(event) for event in step.events) or "nothing"
        yield (
            f"{tag_of(step.stimulus)} owes {wanted} {tag_of(required.event)} event{claim}; "
            f"got {shown}"
        )


def tag_of(node: s.Step | t.Event | type[t.Event]) -> str:
    """Return the name by which a step or an event goes in documents."""
    return str(node.__struct_config__.tag)


def _extension_in_pool(extension: s.Extension) -> bool:
    named = extension.app in s.APPS and not extension.display_name
    return named and all(each.name == s.SECTION for each in extension.sections)


def _step_in_pool(step: s.AnyStep) -> bool:
    if isinstance(step, s.Turn):
        # a scripted function that no extension has is one that the planner invented
        pool = s.FUNCTIONS if step.agent is UNSET else s.DISPATCHED
        known = (c.function in pool or s.is_dispatch(step) for c in step.calls)
        return all(known) and all(c.app in s.APPS for c in step.calls)
    if isinstance(step, (s.Advance, s.Confirm, s.Restart)):
        return True
    if isinstance(step, s.SkeletonRefresh) and step.section != s.SECTION:
        return False
    if isinstance(step, s.RenderPanel) and step.panel != s.PANEL:
        return False
    return step.app in s.APPS
