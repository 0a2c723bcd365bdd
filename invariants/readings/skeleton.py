"""Which sections stand in each classifier prompt, and what a kernel owes there.

Sections are found by *marks*: words of their scripted values that stand nowhere else in the
scenario. Nothing of a prompt's layout is presumed. What is stored is known from the refreshes
that the suite asked for and from what an earlier prompt showed: a kernel may refresh more
often than it must, so times and values are only known between bounds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

from msgspec import UNSET

from ..vocabulary.json_values import leaves
from ..vocabulary.scenario import Advance, DisableExtension, SkeletonRefresh, Turn
from ..vocabulary.trace import ClassifierPrompt, SkeletonStored, prompt_text
from ..vocabulary.trace_view import StepView, TraceView
from .roles import own_text, read_quoting_roles
from .skeleton_marks import Mark, Script, Spot, scripts, told_scripts
from .skeleton_text import Block, apart, named, named_in_full

_NEVER = float("-inf")
_HANDLER = 15.0
"""Seconds that a handler may take: a recording tells when a refresh began."""


class Sighting(NamedTuple):
    """A section as a prompt shows it.

    Attributes:
        mark: the mark of the newest value that stands there.
        step: index of the step.
        session: in which session.
        now: seconds since the first step, on the suite's clock.
        since: when the same value was first seen, if it cannot have come a second time.
    """

    mark: Mark
    step: int
    session: str
    now: float
    since: float


class Refresh(NamedTuple):
    """A refresh that the suite asked for."""

    step: int
    now: float


@dataclass
class Place:
    """What is known of one section of one user when a prompt is written.

    Attributes:
        script: what the section's handler returns.
        refreshes: the refreshes asked for so far.
        reported: the moment after which the kernel reported its last refresh, if it reports any.
        least: how many refreshes there must have been by now, in every reading of "every ttl".
        counted: the moment at which the last of those was over.
        seen: how earlier prompts showed it.
        removed: index of the step that disabled its extension.
        shown: how this prompt shows it.
        marks: all marks of the section that stand in this prompt.
        overdue: seconds since its last refresh, where a recording tells none for longer than its
            period.
    """

    script: Script
    refreshes: tuple[Refresh, ...] = ()
    reported: float | None = None
    least: int = 0
    counted: float = 0.0
    seen: tuple[Sighting, ...] = ()
    removed: int | None = None
    shown: Sighting | None = None
    marks: tuple[Mark, ...] = ()
    overdue: float | None = None

    @property
    def value(self) -> Any:
        """The scripted value that is shown."""
        return self.script.values[self.shown.mark.nth] if self.shown else None

    def last_before(self, step: int) -> Sighting | None:
        """Return the last sighting before a step."""
        return next((s for s in reversed(self.seen) if s.step < step), None)

    def last_until(self, now: float) -> Sighting | None:
        """Return the last sighting up to a moment."""
        return next((s for s in reversed(self.seen) if s.now <= now), None)


@dataclass
class PromptReading:
    """A classifier prompt and the sections in it.

    Attributes:
        step: the turn's step.
        first: whether it is the first prompt of its turn.
        text: the prompt as one text, its lines separated by line feeds.
        own: what of it the kernel says; others speak in the rest, each in a role of its own.
        now: seconds since the first step.
        known_for: seconds since the user's first turn.
        steps: steps that the user has taken, this one included.
        disabled: whether anybody has disabled an extension so far.
        waits: how often the clock was moved since the user's last turn.
        waited_by: whose step moved it last.
        places: the user's sections.
        failed: extensions of which a call of the user has failed.
    """

    step: StepView
    first: bool
    text: str
    own: str
    now: float
    known_for: float
    steps: int
    disabled: bool
    waits: int
    waited_by: str
    places: dict[Spot, Place]
    failed: frozenset[str]

    @cached_property
    def lines(self) -> list[str]:
        """The prompt's lines; one that holds several sections is several lines."""
        marks = [(p.shown.mark.word, named(p.script.spot)) for p in self.places.values() if p.shown]
        lines: list[str] = []
        for line in self.text.split("\n"):
            here = [each for each in marks if each[0] in line]
            lines += apart(line, here) if here else [line]
        return lines

    @property
    def showing(self) -> list[Place]:
        """The sections that it shows."""
        return [place for place in self.places.values() if place.shown]

    def row(self, place: Place) -> int:
        """Return the line in which the section's mark stands."""
        return self._rows[place.script.spot]

    def begin(self, place: Place) -> int:
        """Return the line in which the section begins."""
        return self._block(place, self.row(place)).first

    def labels(self, place: Place) -> list[str]:
        """Return, for each line with the section's mark, what the section has before it."""
        word = place.shown.mark.word if place.shown else ""
        found: list[str] = []
        for row in [n for n, line in enumerate(self.lines) if word in line]:
            begin = self._block(place, row).first
            found.append("\n".join([*self.lines[begin:row], self.lines[row].split(word)[0]]))
        return found

    def age(self, place: Place) -> float | None:
        """Return the age that stands with a section, in seconds, or ``None``."""
        word = place.shown.mark.word if place.shown else ""
        noise = [x for x in leaves(place.value) if isinstance(x, str) and x != word and x]
        return self._block(place, self.row(place)).age(word, noise)

    def _block(self, place: Place, row: int) -> Block:
        others = frozenset(self._rows.values()) - {self.row(place)}
        spot = place.script.spot
        return Block(self.lines, row, others, named(spot), named_in_full(spot))

    @cached_property
    def _rows(self) -> dict[Spot, int]:
        return {
            place.script.spot: next(
                n for n, line in enumerate(self.lines) if place.shown.mark.word in line
            )
            for place in self.places.values()
            if place.shown
        }


@dataclass
class SkeletonReading:
    """All prompts of a trace that has sections with marks, and who was told to have what.

    Attributes:
        prompts: the prompts, in order.
        owners: distinctive word → the sections in whose scripts it stands.
        held: mark → users for whom the kernel reported its value as stored, each with the
            first step. It only ever excuses a user, or tells whose value a foreign one is.
        stored: user and section → index of the step in which the kernel first reported it as
            stored.
    """

    prompts: list[PromptReading] = field(default_factory=list[PromptReading])
    owners: dict[str, set[Spot]] = field(default_factory=dict[str, set[Spot]])
    held: dict[str, dict[str, int]] = field(
        default_factory=lambda: defaultdict[str, dict[str, int]](dict)
    )
    stored: dict[tuple[str, Spot], int] = field(default_factory=dict[tuple[str, Spot], int])

    def words(self, value: Any, spot: Spot) -> list[str]:
        """Return the words of a part of a section that stand in that section alone."""
        found = Counter(leaf for leaf in leaves(value) if isinstance(leaf, str))
        return [w for w, count in found.items() if count == 1 and self.owners.get(w) == {spot}]


def read_skeleton(view: TraceView) -> SkeletonReading:
    """Return the sections of all prompts. Use it as ``view.reading(read_skeleton)``.

    In a recording they are those of which it tells what their handlers returned.
    """
    reading = SkeletonReading()
    if view.trace.complete_from > 0:
        return reading
    quoting = view.reading(read_quoting_roles)
    walk: _Walk | None = None
    if view.trace.origin == "recording":
        told = told_scripts(view, reading.owners)
        if any(told.values()) and all(step.at is not None for step in view.steps):
            walk = _ToldWalk(reading, told, quoting)
    elif found := list(scripts(view, reading.owners)):
        walk = _Walk(reading, found, quoting)
    if walk is not None:
        for step in view.steps:
            walk.take(step)
    return reading


class _Walk:
    """Takes the steps in order and writes down what each prompt owes and shows."""

    def __init__(
        self, reading: SkeletonReading, scripts: list[Script], quoting: frozenset[str]
    ) -> None:
        self._reading = reading
        self._quoting = quoting
        self._scripts = {script.spot: script for script in scripts}
        self._now = 0.0
        self._before = 0.0
        self._met: dict[str, float] = {}
        self._steps: Counter[str] = Counter()
        self._disabled = False
        self._waits: Counter[str] = Counter()
        self._waited_by = ""
        self._places: dict[str, dict[Spot, Place]] = {}
        self._failed: defaultdict[str, set[str]] = defaultdict(set)

    def take(self, step: StepView) -> None:
        given = step.stimulus
        self._steps[step.user] += 1
        self._before = self._now
        if isinstance(given, Advance):
            self._advance(step, given.seconds)
        elif isinstance(given, DisableExtension):
            self._disable(step)
        elif isinstance(given, SkeletonRefresh):
            self._refresh(step, (given.app, given.section))
        elif isinstance(given, Turn):
            self._met.setdefault(step.user, self._now)
            self._count(step.user)
            self._read_prompts(step)
            self._failed[step.user] |= {c.app for c in given.calls if c.status == "error"}
        for stored in step.all(SkeletonStored):
            self._note(stored)

    def _advance(self, step: StepView, seconds: float) -> None:
        self._now += seconds
        self._waited_by = step.user
        self._waits.update(self._steps.keys())

    def _user(self, user: str) -> dict[Spot, Place]:
        if user not in self._places:
            self._places[user] = {s: Place(script) for s, script in self._scripts.items()}
        return self._places[user]

    def _refresh(self, step: StepView, spot: Spot) -> None:
        place = self._user(step.user).get(spot)
        if place:
            place.refreshes = (*place.refreshes, Refresh(step.index, self._now))
            place.least, place.counted = place.least + 1, self._now

    def _count(self, user: str) -> None:
        """By a user's turn every section is refreshed whose period is over."""
        for place in self._user(user).values():
            if self._now - max(place.counted, self._met[user]) >= place.script.patience:
                place.least, place.counted = place.least + 1, self._now

    def _disable(self, step: StepView) -> None:
        self._disabled = True
        given = cast("DisableExtension", step.stimulus)
        for spot, place in self._user(step.user).items():
            if spot[0] == given.app:
                place.removed = step.index

    def _read_prompts(self, step: StepView) -> None:
        for count, prompt in enumerate(step.all(ClassifierPrompt)):
            text = prompt_text(prompt)
            own = own_text(prompt, text, self._quoting).replace("\r\n", "\n")
            text = text.replace("\r\n", "\n")
            reading = PromptReading(
                step=step,
                first=count == 0,
                text=text,
                own=own,
                now=self._now,
                known_for=self._now - self._met[step.user],
                steps=self._steps[step.user],
                disabled=self._disabled,
                waits=self._waits[step.user],
                waited_by=self._waited_by if self._waits[step.user] else "",
                places={s: self._shown(text, step, p) for s, p in self._user(step.user).items()},
                failed=frozenset(self._failed[step.user]),
            )
            self._reading.prompts.append(reading)
            if count == 0:
                self._remember(reading)
        self._waits[step.user] = 0

    def _shown(self, text: str, step: StepView, place: Place) -> Place:
        marks = tuple(m for m in dict.fromkeys(place.script.marks) if m.word in text)
        shown = None
        if marks:
            mark = max(marks, key=lambda m: m.nth)
            last = place.seen[-1] if place.seen else None
            same = last is not None and last.mark.nth == mark.nth and mark.sure
            since = last.since if last is not None and same else self._now
            shown = Sighting(mark, step.index, step.session, self._now, since)
        return replace(place, shown=shown, marks=marks)

    def _remember(self, reading: PromptReading) -> None:
        for spot, place in reading.places.items():
            if place.shown:
                kept = self._user(reading.step.user)[spot]
                kept.seen = (*kept.seen, place.shown)

    def _note(self, stored: SkeletonStored) -> None:
        spot = (stored.app, stored.section)
        self._reading.stored.setdefault((stored.user, spot), stored.step)
        if spot in self._scripts:
            self._user(stored.user)[spot].reported = self._before
        self._hold(stored, self._scripts.get(spot))

    def _hold(self, stored: SkeletonStored, script: Script | None) -> None:
        for mark in script.marks if script else ():
            if mark.word in stored.value_json:
                self._reading.held[mark.word].setdefault(stored.user, stored.step)


class _ToldWalk(_Walk):
    """The same of a recording: the clock is the kernel's, and every refresh is told."""

    def __init__(
        self, reading: SkeletonReading, told: dict[str, list[Script]], quoting: frozenset[str]
    ) -> None:
        super().__init__(reading, [], quoting)
        self._told = told
        self._begin: float | None = None

    def take(self, step: StepView) -> None:
        if self._begin is None:
            self._begin = step.at
        self._now = self._since(step.at)
        super().take(step)

    def _since(self, at: float | None) -> float:
        return (at or 0.0) - (self._begin or 0.0)

    def _advance(self, step: StepView, seconds: float) -> None:
        """Nobody moves the clock of a recording."""

    def _user(self, user: str) -> dict[Spot, Place]:
        if user not in self._places:
            own = self._told.get(user, ())
            self._places[user] = {script.spot: Place(script) for script in own}
        return self._places[user]

    def _shown(self, text: str, step: StepView, place: Place) -> Place:
        """Its age is known, up to the time that its handler took."""
        place = super()._shown(text, step, place)
        if not place.refreshes:
            return place
        last = place.refreshes[-1].now
        if place.shown:
            newest = leaves(place.script.values[len(place.refreshes) - 1])
            since = min(self._now, last + _HANDLER) if place.shown.mark.word in newest else _NEVER
            if self._comes(step, place.script.spot):
                since = self._now  # the prompt may show what came in the turn itself
            place = replace(place, shown=place.shown._replace(since=since))
        waited = self._now - max(last, self._met[step.user])
        is_due = waited >= place.script.patience and not self._comes(step, place.script.spot)
        return replace(place, overdue=waited if is_due else None)

    def _comes(self, step: StepView, spot: Spot) -> bool:
        """Whether a section is refreshed in the turn itself."""
        return any((x.app, x.section) == spot for x in step.all(SkeletonStored))

    def _refresh(self, step: StepView, spot: Spot) -> None:
        """What is asked for counts when it is told that it came."""

    def _note(self, stored: SkeletonStored) -> None:
        spot = (stored.app, stored.section)
        self._reading.stored.setdefault((stored.user, spot), stored.step)
        place = self._user(stored.user).get(spot)
        if place is not None and stored.returned_json is not UNSET:
            now = self._now if stored.at is None else self._since(stored.at)
            place.refreshes = (*place.refreshes, Refresh(stored.step, now))
            place.least, place.counted, place.reported = place.least + 1, now, now
            place.removed = None
            self._hold(stored, place.script)
