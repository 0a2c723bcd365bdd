"""A scenario as a conversation that people can read.

Only what differs from the defaults is told. Every text has been made printable; what to
quote and where to put it is up to the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from ...invariants.vocabulary.scenario import (
    Advance,
    AnyStep,
    CacheDelete,
    CacheGet,
    CacheSet,
    Call,
    Confirm,
    DisableExtension,
    Environment,
    Interruption,
    Planned,
    Probe,
    RenderPanel,
    Restart,
    Scenario,
    Section,
    SkeletonRefresh,
    StoreSet,
    Turn,
)
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.trace import (
    AnyEvent,
    CacheOutcome,
    ConfirmOutcome,
    ProbeOutcome,
    RaisedError,
    StepFailed,
    StoreOutcome,
    Trace,
)
from ..console.escape import distinct, printable

TEXT_LIMIT = 160
"""Characters shown of one message, value or key."""

_DEFAULT_DRAFT = Turn(message="").draft


class StepText(NamedTuple):
    """One step: its index in the scenario, who acts, what is done, and what else to say."""

    number: int
    who: str
    deed: str
    details: tuple[str, ...]


def environment_lines(scenario: Scenario) -> list[str]:
    """Return what is set up before the first step, as far as the scenario depends on it."""
    return [*_flag_lines(scenario.environment), *_section_lines(scenario)]


def step_texts(scenario: Scenario, trace: Trace | None = None) -> list[StepText]:
    """Return the steps of a scenario; with a trace, also what the kernel's outcome was."""
    outcomes: dict[int, list[str]] = {}
    for event in trace.events if trace else ():
        if told := _outcome(event):
            outcomes.setdefault(event.step, []).append(told)
    return [
        StepText(
            index,
            f"{_name(step.user)}/{_name(step.session)}",
            _deed(step),
            (*_details(step), *outcomes.get(index, ())),
        )
        for index, step in enumerate(scenario.steps)
    ]


def _deed(step: AnyStep) -> str:  # noqa: C901  one case for each kind
    match step:
        case Turn():
            meanwhile = "meanwhile " if step.overlaps is True else ""
            return f"{meanwhile}says {_quoted(step.message)}"
        case Confirm():
            answer = "yes" if step.decision == "accept" else "no"
            return f"answers {answer} to the card of the turn {_quoted(step.message)}"
        case CacheSet():
            ttl = "" if step.ttl_seconds is None else f" for {_text(repr(step.ttl_seconds))} s"
            value = f"{_text(step.value_json)}{ttl}"
            return f"cache.set {_key(step.key)} = {value}{_inside(step.app, step.handler)}"
        case CacheGet():
            return f"cache.get {_key(step.key)}{_inside(step.app, step.handler)}"
        case CacheDelete():
            return f"cache.delete {_key(step.key)}{_inside(step.app, step.handler)}"
        case SkeletonRefresh():
            return f"skeleton section {_name(step.section)} of {_name(step.app)} is refreshed"
        case StoreSet():
            value = _text(step.value_json)
            return f"store.set {_key(step.key)} = {value} [{_name(step.app)}]"
        case Probe():
            return f"{_probe(step)}{_inside(step.app, step.handler)}"
        case RenderPanel():
            return f"panel {_name(step.panel)} of {_name(step.app)} is rendered"
        case Advance():
            return f"the clock moves on by {step.seconds:g} s"
        case DisableExtension():
            return f"extension {_name(step.app)} is disabled"
        case Restart():
            return "the agent is started anew, with the same storage"


def _probe(step: Probe) -> str:
    if step.op == "import":
        return f"import {_text(step.path)}"
    arguments = f"({_text(step.args_json[1:-1])})" if step.op == "call" else ""
    root = "ext" if step.root == "ext" else "ctx"
    if step.op == "set":
        return f"{root}.{_text(step.path)} = {_text(step.args_json[1:-1])}"
    manner = "" if step.via == "direct" else f", {step.via}"
    return f"{step.op} {root}.{_text(step.path)}{arguments}{manner}"


def _inside(app: str, handler: str) -> str:
    return f" [in {_name(app)}'s {handler}]"


def _details(step: AnyStep) -> Iterator[str]:
    if isinstance(step, Turn):
        yield from map(_call, step.calls)
        if step.interrupted is not UNSET:
            yield _befallen(step.interrupted)
        if step.draft != _DEFAULT_DRAFT:
            who = "the narrator model drafts" if step.agent is UNSET else "the model answers"
            yield f"{who} {_quoted(step.draft)}"


def _befallen(interruption: Interruption) -> str:
    told = {
        "retried": "is delivered again",
        "cancelled": "is stopped by its user",
        "restarted": "is taken up by a new process",
    }[interruption.kind]
    return f"the turn {told} after {counted(interruption.after, 'call')}"


def _planned(planned: Planned) -> str:
    again = "".join(f", then {_text(each)}" for each in planned.attempts)
    return f" with {_text(planned.args_json)}{again}"


def _call(call: Call) -> str:
    name = f"calls {_name(call.app)}.{_name(call.function)}"
    if call.planned is not UNSET:
        name = f"{name}{_planned(call.planned)}"
        if call.planned.raises is not None:
            raised = call.planned.raises
            return f"{name} -> raises {_name(raised.name)} {_quoted(raised.message)}"
    summary = f", summary {_quoted(call.summary)}" if call.summary else ""
    if call.status == "error":
        return f"{name} -> error {_quoted(call.error)}{summary}{_panels(call)}"
    error = f", error {_quoted(call.error)}" if call.error else ""
    return f"{name} -> data {_text(call.data_json)}{summary}{error}{_panels(call)}"


def _panels(call: Call) -> str:
    named = ", ".join(map(_key, call.refresh_panels))
    return f", refresh_panels {named}" if named else ""


def _outcome(event: AnyEvent) -> str:
    match event:
        case CacheOutcome() | ProbeOutcome():
            value = f" {_text(event.value_json)}" if event.value_json is not None else ""
            return f"the kernel: {event.outcome}{value}{_raised(event.error)}"
        case StoreOutcome():
            return f"the kernel: {event.outcome}{_raised(event.error)}"
        case ConfirmOutcome():
            return f"the kernel: {event.outcome}"
        case StepFailed():
            return f"the kernel could not: {_text(event.message)}"
        case _:
            return ""


def _raised(error: RaisedError | None) -> str:
    return f" ({_text(error.name)}: {_text(error.message)})" if error else ""


def _flag_lines(environment: Environment) -> Iterator[str]:
    for name, value in sorted(environment.flags.items()):
        yield f"flag {_name(name)} = {_quoted(value)}"
    if environment.flags_matter and not environment.flags:
        yield "no flag is set"


def _section_lines(scenario: Scenario) -> Iterator[str]:
    if not any(isinstance(step, SkeletonRefresh) for step in scenario.steps):
        return
    for extension in scenario.environment.extensions:
        for section in extension.sections:
            if section != Section():
                values = ", then ".join(map(_text, section.returns_json))
                named = f"section {_name(section.name)} of {_name(extension.app)}"
                yield f"{named} returns {values}"
                if section.alert_says is None:
                    yield f"{named} has no alert tool"
                elif section.alert_says:
                    texts = ", then ".join(map(_quoted, section.alert_says))
                    yield f"the alert tool of {named} says {texts}"


def _quoted(text: str) -> str:
    return f'"{_text(text)}"'


def _key(key: str) -> str:
    return f'"{_name(key)}"'


def _name(name: str) -> str:
    return distinct(name, limit=TEXT_LIMIT)


def _text(text: str) -> str:
    return printable(text, limit=TEXT_LIMIT)
