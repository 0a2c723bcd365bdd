"""When sections changed, and which alerts the kernel raised."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, cast

from msgspec import UNSET
from msgspec.structs import replace

from ..vocabulary.json_values import equal
from ..vocabulary.scenario import Advance, DisableExtension, Section, SkeletonRefresh, Turn
from ..vocabulary.trace import AlertRaised, SkeletonStored
from ..vocabulary.trace_view import StepView, TraceView
from .cache import read_json

_LATE, _GRACE = 1.1, 5.0
_NEVER = 10**9


class Change(NamedTuple):
    """A refresh that came after another one.

    Attributes:
        step: index of the step that brought it.
        after: index of the step of the refresh before.
        before: index of the step of the next refresh.
        by_clock: whether the section's period brought it.
    """

    step: int
    after: int
    before: int
    by_clock: bool


@dataclass
class Watched:
    """One section of one user.

    Attributes:
        user: whose section.
        app: its extension.
        section: its script.
        changes: the refreshes beyond the first that certainly took place.
        alerts: indexes of the steps in which an alert was raised for it.
        said: the text of each of those alerts.
    """

    user: str
    app: str
    section: Section
    changes: list[Change] = field(default_factory=list[Change])
    alerts: list[int] = field(default_factory=list[int])
    said: list[str] = field(default_factory=list[str])

    @property
    def has_no_tool(self) -> bool:
        """Whether it asked for alerts and has no alert tool."""
        return self.section.alert and self.section.alert_says is None

    @cached_property
    def always_changes(self) -> bool:
        """Whether each scripted value differs from the one before."""
        texts = self.section.returns_json
        values = {text: read_json(text) for text in texts}
        pairs = set(pairwise(texts))
        return bool(pairs) and not any(equal(values[a], values[b]) for a, b in pairs)

    @cached_property
    def never_changes(self) -> bool:
        """Whether all scripted values are the same, but for the order of fields."""
        texts = set(self.section.returns_json)
        return len(texts) == 1 or len({_written(read_json(text)) for text in texts}) == 1

    @cached_property
    def settles(self) -> bool:
        """Whether the second scripted value differs from the first, and stays."""
        first, *rest = (read_json(text) for text in self.section.returns_json)
        return len(rest) > 1 and not equal(first, rest[0]) and all(equal(rest[0], x) for x in rest)

    @cached_property
    def difference(self) -> str:
        """What tells the first two values apart."""
        first, second = (read_json(text) for text in self.section.returns_json[:2])
        return (
            "another text or number" if _shape(first) == _shape(second) else "another type or depth"
        )


class AlertReading(NamedTuple):
    """The sections that were refreshed more than once.

    Attributes:
        sections: one entry for each section of each user.
        alerts_work: whether any alert was raised that was called for.
    """

    sections: tuple[Watched, ...]
    alerts_work: bool


def read_alerts(view: TraceView) -> AlertReading:
    """Return what is known of alerts. Use it as ``view.reading(read_alerts)``.

    In a recording, sections are those of which it tells what their handlers returned.
    """
    scripted = {
        (extension.app, section.name): section
        for extension in view.trace.environment.extensions
        for section in extension.sections
    }
    if view.trace.origin == "recording":
        walk = _ToldWalk(scripted)
    elif _has_refreshes(view):
        walk = _Walk(scripted)
    else:
        return AlertReading((), alerts_work=False)
    for step in view.steps:
        walk.take(step)
    sections = tuple(walk.found.values())
    asked = [w for w in sections if w.section.alert and not w.has_no_tool]
    works = any(w.alerts and not w.never_changes for w in asked)
    return AlertReading(sections, works)


def _has_refreshes(view: TraceView) -> bool:
    return any(isinstance(step.stimulus, SkeletonRefresh) for step in view.steps)


def _written(value: Any) -> str:
    """Write a value in the one way that tells 1 from 1.0, and no order of fields from another."""
    return json.dumps(value, sort_keys=True, default=str)


def _shape(value: Any) -> Any:
    """The keys and types of a flat object; anything else has a shape of its own."""
    if not isinstance(value, dict):
        return object()
    items = cast("dict[str, Any]", value).items()
    if any(isinstance(item, (dict, list)) for _, item in items):
        return object()
    return [(key, type(item).__name__) for key, item in items]


class _Walk:
    _is_told = False

    def __init__(self, scripted: dict[tuple[str, str], Section]) -> None:
        self.found: dict[tuple[str, str, str], Watched] = {}
        self._scripted = scripted
        self._now = 0.0
        self._met: dict[str, float] = {}
        self._steps: Counter[str] = Counter()
        self._last: dict[tuple[str, str, str], tuple[int, float]] = {}
        self._open: dict[tuple[str, str, str], int] = defaultdict(int)

    def take(self, step: StepView) -> None:
        given = step.stimulus
        self._steps[step.user] += 1
        if isinstance(given, Advance):
            self._now += given.seconds
        elif isinstance(given, Turn):
            self._met.setdefault(step.user, self._now)
            self._due(step)
        elif isinstance(given, SkeletonRefresh):
            self._refreshed(step.index, (step.user, given.app, given.section), by_clock=False)
        elif isinstance(given, DisableExtension):
            for home in [h for h in self._last if h[:2] == (step.user, given.app)]:
                del self._last[home]
        self._note_alerts(step)

    def _note_alerts(self, step: StepView) -> None:
        for alert in step.all(AlertRaised):
            watched = self._watched((alert.user, alert.app, alert.section))
            if watched:
                watched.alerts.append(step.index)
                watched.said.append(alert.text)

    def _due(self, step: StepView) -> None:
        """A turn shows what the clock has brought: by then the refresh is over.

        The periods of a user begin with the first turn.
        """
        for home, (_, since) in list(self._last.items()):
            patience = self._scripted[home[1:]].ttl_seconds * _LATE + _GRACE
            begun = max(since, self._met[step.user])
            if home[0] == step.user and self._now - begun >= patience:
                self._refreshed(step.index, home, by_clock=True)

    def _refreshed(self, step: int, home: tuple[str, str, str], *, by_clock: bool) -> None:
        watched = self._watched(home)
        if watched is None:
            return
        last = self._last.get(home)
        if watched.changes and watched.changes[-1].before == _NEVER:
            watched.changes[-1] = watched.changes[-1]._replace(before=step)
        if last is not None and (self._is_told or self._may_still_change(watched)):
            watched.changes.append(Change(step, last[0], _NEVER, by_clock))
        self._last[home] = (step, self._now)

    def _may_still_change(self, watched: Watched) -> bool:
        """Whether the script cannot be used up, however often the kernel refreshes."""
        most = 2 * self._steps[watched.user] + 2 * self._now / max(1, watched.section.ttl_seconds)
        return watched.never_changes or most < 2 * len(watched.section.returns_json)

    def _watched(self, home: tuple[str, str, str]) -> Watched | None:
        section = self._scripted.get(home[1:])
        if section is not None and home not in self.found:
            self.found[home] = Watched(home[0], home[1], section)
        return self.found.get(home)


class _ToldWalk(_Walk):
    """The same of a recording, in which every refresh is told with what a handler returned."""

    _is_told = True

    def take(self, step: StepView) -> None:
        if isinstance(step.stimulus, DisableExtension):
            given = step.stimulus
            for home in [h for h in self._last if h[:2] == (step.user, given.app)]:
                del self._last[home]
        for stored in step.all(SkeletonStored):
            watched = self._watched((stored.user, stored.app, stored.section))
            if watched is None or stored.returned_json is UNSET:
                continue
            told = (*watched.section.returns_json, stored.returned_json)
            watched.section = replace(watched.section, returns_json=told)
            home = (stored.user, stored.app, stored.section)
            if self._last.get(home, (-1, 0.0))[0] != step.index:
                self._refreshed(step.index, home, by_clock=False)
        self._note_alerts(step)

    def _watched(self, home: tuple[str, str, str]) -> Watched | None:
        is_new = home not in self.found
        watched = super()._watched(home)
        if watched is not None and is_new:
            watched.section = replace(watched.section, returns_json=())
        return watched
