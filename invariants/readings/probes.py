"""Reads of the skeleton from inside handlers, with the controls that make them tell something.

A handler that cannot run at all raises too. So a read counts only where the same kind of
handler gave the user's id, and a refusal only where the section exists and can be read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import UNSET

from ..vocabulary.scenario import Probe, SkeletonRefresh
from ..vocabulary.trace import ProbeOutcome, SkeletonStored
from ..vocabulary.trace_view import StepView, TraceView
from .cache import UNREADABLE, equal_but_marks, read_json

CONTROL_PATH = "user.imperal_id"
"""What every handler can get: the user's id."""

READ_PATH = "skeleton.get"

Handler = tuple[str, str, str]
"""User, extension and kind of handler."""


class SkeletonRead(NamedTuple):
    """A call of ``skeleton.get``.

    Attributes:
        step: index of the step.
        probe: what was asked.
        section: the section's name.
        outcome: what came of it.
        matches: whether it gave a value that the section's handler was scripted to return.
        stored: whether the section was refreshed before.
    """

    step: int
    probe: Probe
    section: str
    outcome: ProbeOutcome
    matches: bool
    stored: bool

    @property
    def handler(self) -> Handler:
        """The user, the extension and the kind of handler that read."""
        return (self.probe.user, self.probe.app, self.probe.handler)

    @property
    def home(self) -> tuple[str, str, str]:
        """The user, the extension and the section."""
        return (self.probe.user, self.probe.app, self.section)

    def shows(self, value: Any) -> bool:
        """Whether it gave this value, whatever the kernel keeps beside its fields."""
        got = read_json(self.outcome.value_json) if self.outcome.outcome == "value" else UNREADABLE
        if got is UNREADABLE or value is UNREADABLE:
            return False
        return equal_but_marks(value, got)


class ProbeReading(NamedTuple):
    """Reads that can be judged, apart from one another.

    Attributes:
        inside: reads in skeleton handlers that run, of sections that were refreshed before.
        outside: reads in other handlers that run: of sections that were read well inside, or,
            where skeleton handlers of the extension read well, of any that are not stored.
    """

    inside: tuple[SkeletonRead, ...]
    outside: tuple[SkeletonRead, ...]


def skeleton_reads(view: TraceView) -> ProbeReading:
    """Return the judgeable reads. Use it as ``view.reading(skeleton_reads)``.

    In a recording, a section may hold what it tells that its handler returned.
    """
    running = {
        (step.stimulus.user, step.stimulus.app, step.stimulus.handler)
        for step in view.steps
        if isinstance(step.stimulus, Probe) and _is_green_control(step.stimulus, step)
    }
    reads = [read for read in _reads(view) if read.handler in running]
    inside = tuple(r for r in reads if r.probe.handler == "skeleton" and r.stored)
    proven = {read.home for read in inside if read.matches}
    able = {app for _, app, _ in proven}
    return ProbeReading(
        inside,
        tuple(
            read
            for read in reads
            if read.probe.handler != "skeleton"
            and (read.home in proven if read.stored else read.probe.app in able)
        ),
    )


def _is_green_control(probe: Probe, step: StepView) -> bool:
    outcome = step.first(ProbeOutcome)
    return (
        (probe.op, probe.path) == ("get", CONTROL_PATH)
        and outcome is not None
        and outcome.outcome == "value"
        and isinstance(read_json(outcome.value_json), str)
    )


def _reads(view: TraceView) -> list[SkeletonRead]:
    is_recorded = view.trace.origin == "recording"
    refreshed: set[tuple[str, str, str]] = set()
    returned: dict[tuple[str, str, str], list[Any]] = {}
    found: list[SkeletonRead] = []
    for step in view.steps:
        given = step.stimulus
        for event in step.all(SkeletonStored) if is_recorded else ():
            if event.returned_json is not UNSET:
                home = (event.user, event.app, event.section)
                refreshed.add(home)
                returned.setdefault(home, []).append(read_json(event.returned_json))
        if isinstance(given, SkeletonRefresh) and not is_recorded:
            refreshed.add((given.user, given.app, given.section))
        if isinstance(given, Probe) and (given.op, given.path) == ("call", READ_PATH):
            section, outcome = _section(given), step.first(ProbeOutcome)
            if outcome is None or not section:
                continue
            stored = (given.user, given.app, section) in refreshed
            scripted = (
                returned.get((given.user, given.app, section), [])
                if is_recorded
                else _scripted(view, given.app, section)
            )
            matches = stored and _matches(outcome, scripted)
            found.append(SkeletonRead(step.index, given, section, outcome, matches, stored))
    return found


def _section(probe: Probe) -> str:
    match read_json(probe.args_json):
        case [str(section)]:
            return section
        case _:
            return ""


def _scripted(view: TraceView, app: str, section: str) -> list[Any]:
    """What the section may hold: which of its returns it is, is not this reading's concern."""
    return [
        read_json(text)
        for extension in view.trace.environment.extensions
        if extension.app == app
        for candidate in extension.sections
        if candidate.name == section
        for text in candidate.returns_json
    ]


def _matches(outcome: ProbeOutcome, scripted: list[Any]) -> bool:
    if outcome.outcome != "value":
        return False
    got = read_json(outcome.value_json)
    return any(equal_but_marks(value, got) for value in scripted)
