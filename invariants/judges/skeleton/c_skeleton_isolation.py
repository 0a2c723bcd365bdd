"""C-SKELETON-ISOLATION: sections belong to one user and one extension."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...readings.cache import read_json
from ...readings.likeness import PARTITIONS, likenesses
from ...readings.probes import CONTROL_PATH, READ_PATH, SkeletonRead, skeleton_reads
from ...readings.sharing import joined_with
from ...readings.skeleton import Place, PromptReading, SkeletonReading, read_skeleton
from ...readings.skeleton_marks import Mark, Spot
from ...scenarios.lookalike_apps import ALIKE
from ...scenarios.skeleton import (
    alike_sections,
    environment,
    refresh,
    refresh_alike,
    refresh_all,
    say,
    scenario,
    section,
    skeleton_scenarios,
    word,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import equal
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, SECTION, Probe, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace import SkeletonStored
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _per_user(view: TraceView) -> Iterator[Finding]:
    """A value is another's when this user cannot have come to it, and another has it."""
    reading = view.reading(read_skeleton)
    for prompt in reading.prompts:
        for place in prompt.places.values():
            for mark in place.script.marks:
                owner = _another_owner(reading, prompt, place, mark)
                if owner is None:
                    continue
                yield Compared((_own(place),))
                if mark in place.marks:
                    yield Violation(
                        kind="value of another user",
                        step=prompt.step.index,
                        expected=f"nothing of user {owner} in a prompt of user {prompt.step.user}",
                        got=f"{'.'.join(mark.spot)} with {owner}'s value {mark.word}",
                    )


def _another_owner(
    reading: SkeletonReading, prompt: PromptReading, place: Place, mark: Mark
) -> str | None:
    """Return who has the value, if the prompt's user cannot have it by refreshes of his own."""
    user, now = prompt.step.user, prompt.step.index
    held = reading.held.get(mark.word, {})
    if mark.nth < _most_refreshes(prompt, place) or held.get(user, now + 1) <= now:
        return None
    return next((other for other, since in held.items() if other != user and since < now), None)


def _most_refreshes(prompt: PromptReading, place: Place) -> float:
    """How often the section can have been refreshed: on each step, and often while time passes."""
    return len(place.refreshes) + prompt.steps + 4 * prompt.now / place.script.section.ttl_seconds


def _own(place: Place) -> str:
    return "a section of his own" if place.refreshes else "no section of his own"


def _read_per_user(view: TraceView) -> Iterator[Finding]:
    """Judged by what the kernel reports as stored: for the reader, and for others alone."""
    for read in view.reading(skeleton_reads).inside:
        own, others = _stored_until(view, read)
        foreign = [each for each in others if not any(equal(each, mine) for mine in own)]
        if not own or not foreign:
            continue
        yield Compared(("refreshed unequally often",))
        if any(read.shows(each) for each in foreign):
            yield Violation(
                kind="another user's section read",
                step=read.step,
                expected=f"a value of user {read.probe.user}, such as {shorten(own[-1])}",
                got=shorten(read.outcome.value_json or "nothing"),
            )


def _stored_until(view: TraceView, read: SkeletonRead) -> tuple[list[Any], list[Any]]:
    """The values of the section that were reported for the reader, and for other users.

    Of others, those of a section count too whose address runs together with the reader's.
    """
    own, others = list[Any](), list[Any]()
    for step in view.steps[: read.step]:
        for event in step.all(SkeletonStored):
            mine = event.user == read.probe.user
            me, owner = (read.probe.user, read.probe.app), (event.user, event.app)
            same = (event.app, event.section) == (read.probe.app, read.section)
            joined = not mine and joined_with(me, read.section, owner, event.section)
            if same or joined:
                (own if mine else others).append(read_json(event.value_json))
    return own, others


def _read_per_app(view: TraceView) -> Iterator[Finding]:
    """Judged by what the kernel reports as stored: for the reader's extension, and for others."""
    for read in view.reading(skeleton_reads).inside:
        own, others = _stored_in(view, read)
        foreign = {
            app: values
            for app, values in others.items()
            if not any(equal(each, mine) for each in values for mine in own)
        }
        if not own or not foreign:
            continue
        yield Compared(tuple({x for app in foreign for x in _kinship(view, app, read)}))
        for app, values in foreign.items():
            if any(read.shows(each) for each in values):
                yield Violation(
                    kind="another extension's section read",
                    step=read.step,
                    expected=f"a value of extension {read.probe.app}, such as {shorten(own[-1])}",
                    got=f"a value of extension {app}: {shorten(read.outcome.value_json or '')}",
                )


def _kinship(view: TraceView, app: str, read: SkeletonRead) -> Iterator[str]:
    yield "sections of one name"
    yield from likenesses(view, (app, read.probe.app))


def _stored_in(view: TraceView, read: SkeletonRead) -> tuple[list[Any], dict[str, list[Any]]]:
    """The user's values that were reported: for the reader's section, and for other extensions."""
    own, others = list[Any](), dict[str, list[Any]]()
    for step in view.steps[: read.step]:
        for event in step.all(SkeletonStored):
            if event.user != read.probe.user:
                continue
            value = read_json(event.value_json)
            if (event.app, event.section) == (read.probe.app, read.section):
                own.append(value)
            elif event.app != read.probe.app:
                others.setdefault(event.app, []).append(value)
    return own, others


def _per_app(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        if len(prompt.showing) < 2 and not any(p.refreshes for p in _unseen(prompt)):
            continue
        labels = {place.script.spot: prompt.labels(place) for place in prompt.showing}
        if labels:
            yield Compared((*_fill(prompt), *likenesses(view, {app for app, _ in labels})))
        for place in prompt.showing:
            spot = place.script.spot
            if _doubled(labels[spot], labels):
                where = f"{counted(len(labels[spot]), 'section')}: {' / '.join(labels[spot])}"
                yield _foreign("value in two sections", prompt, place, where)
            for label in labels[spot]:
                if any(_named(each, label) for each in prompt.places if _is_other(each, spot)):
                    yield _foreign("value under another extension", prompt, place, label)


def _named(spot: Spot, label: str) -> bool:
    """Whether a label holds the full name of a section, as a whole."""
    return re.search(rf"(?<![\w.-]){re.escape('.'.join(spot))}(?![\w-])", label) is not None


def _is_other(one: Spot, other: Spot) -> bool:
    """Whether two sections are of two extensions, and their full names can be told apart."""
    return one[0] != other[0] and ".".join(one) != ".".join(other)


def _unseen(prompt: PromptReading) -> list[Place]:
    return [place for place in prompt.places.values() if not place.shown]


def _doubled(own: list[str], labels: dict[tuple[str, str], list[str]]) -> bool:
    """Whether a value stands in several sections; a kernel may write its whole block twice."""
    return len(own) > 1 and (len(set(own)) > 1 or min(map(len, labels.values())) == 1)


def _fill(prompt: PromptReading) -> Iterator[str]:
    yield "some extensions" if len(prompt.showing) < len(prompt.places) else "all extensions"


def _foreign(kind: str, prompt: PromptReading, place: Place, where: str) -> Violation:
    return Violation(
        kind=kind,
        step=prompt.step.index,
        expected=f"the value of {'.'.join(place.script.spot)} in that section alone",
        got=f"it stands in {shorten(where)}",
    )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    many = [refresh(app) for app in APPS for _ in range(9)]
    yield scenario(
        "isolation-stranger",
        "a user who has refreshed nothing, beside one who has",
        *many,
        say(),
        say(user="u2"),
        say(user="u2", session="u1-s"),
        say(),
    )
    yield scenario(
        "isolation-two-users",
        "two users with the same sections, refreshed unequally often, in turns",
        *refresh_all("u2"),
        *many,
        say(user="u2"),
        say(),
        *refresh_all("u2"),
        say(user="u2"),
        say(),
    )
    yield scenario(
        "isolation-extensions",
        "extensions refreshed one after the other",
        *(step for app in APPS for step in (refresh(app), say())),
        refresh(),
        say(),
    )
    yield scenario(
        "isolation-reads",
        "two users whose skeleton handlers read a section that was refreshed unequally often",
        *(step for user in ("u1", "u2") for step in (_runs(user), refresh(user=user))),
        _reads("u1"),
        _reads("u2"),
        *[refresh()] * 2,
        _reads("u2"),
        _reads("u1"),
        *[refresh(user="u2")] * 4,
        _reads("u1"),
        _reads("u2"),
        _reads("u1"),
    )
    yield scenario(
        "isolation-reads-of-another-section-owner",
        "the same of another extension, the second user first",
        *(
            step
            for user in ("u2", "u1")
            for step in (_runs(user, APPS[1]), refresh(APPS[1], user=user))
        ),
        _reads("u2", APPS[1]),
        *[refresh(APPS[1], user="u2")] * 2,
        _reads("u1", APPS[1]),
        _reads("u2", APPS[1]),
    )
    alike = [{"total": 3, "mark": word("alike", app)} for app in APPS]
    yield scenario(
        "isolation-alike",
        "extensions whose values are alike but for one word",
        *refresh_all(),
        say(),
        where=environment(**{app: section([each]) for app, each in zip(APPS, alike, strict=True)}),
    )
    yield scenario(
        "isolation-reads-of-extensions",
        "each extension's skeleton handler reads the section of one name",
        *(step for app in APPS for step in (_runs("u1", app), refresh(app), _reads("u1", app))),
        *(_reads("u1", app) for app in APPS),
    )
    yield scenario(
        "isolation-extensions-alike",
        "extensions that are alike; each reads its own section",
        *(step for each in refresh_alike() for step in (each, say())),
        *(step for app in ALIKE for step in (_runs("u1", app), _reads("u1", app))),
        where=alike_sections(),
    )


def _runs(user: str, app: str = APPS[0]) -> Probe:
    return Probe(
        handler="skeleton", op="get", path=CONTROL_PATH, app=app, user=user, session=f"{user}-s"
    )


def _reads(user: str, app: str = APPS[0]) -> Probe:
    asked = json.dumps([SECTION])
    return Probe(
        handler="skeleton", op="call", path=READ_PATH, args_json=asked, app=app, user=user,
        session=f"{user}-s",
    )  # fmt: skip


INVARIANT = Invariant(
    id="C-SKELETON-ISOLATION",
    title="A section belongs to one user and one extension",
    statement=(
        "A user's prompts show no section of another user, and no section shows another "
        "extension's value."
    ),
    severity="critical",
    sources=(
        context_channels("The three channels at a glance"),
        context_channels("(1) Pre-turn — the intent classifier sees"),
    ),
    clauses=(
        Clause(
            "per-user",
            "No value of another user's section stands in the prompt.",
            _per_user,
            (
                Partition("no section of his own", "the user has refreshed nothing"),
                Partition("a section of his own", "the user has the same section"),
            ),
        ),
        Clause(
            "read-per-user",
            "A skeleton handler reads no value of another user's section.",
            _read_per_user,
            (Partition("refreshed unequally often", "the users' values differ"),),
            capabilities=frozenset({"probe"}),
        ),
        Clause(
            "read-per-extension",
            "A skeleton handler reads no value of another extension's section.",
            _read_per_app,
            (Partition("sections of one name", "each extension has one"), *PARTITIONS),
            capabilities=frozenset({"probe"}),
        ),
        Clause(
            "per-extension",
            "No section shows the value of another extension's section.",
            _per_app,
            (
                Partition("some extensions", "not all of them have been refreshed"),
                Partition("all extensions", "each of them has a section"),
                *PARTITIONS,
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger"}),
    reading=(
        "Users share the scripted values, in the order of refreshes. A value counts as another's "
        "when this user cannot have been refreshed that often, and the kernel reported it for "
        "the other one alone."
    ),
)
