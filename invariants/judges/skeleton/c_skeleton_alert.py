"""C-SKELETON-ALERT: an alert on change, for the sections that asked for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...readings.alerts import AlertReading, Watched, read_alerts
from ...scenarios.skeleton import (
    environment,
    refresh,
    refresh_all,
    say,
    scenario,
    section,
    skeleton_scenarios,
    value,
    values,
    wait,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace import AlertRaised
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _raised(view: TraceView) -> Iterator[Finding]:
    for watched in view.reading(read_alerts).sections:
        if not watched.section.alert or not watched.always_changes:
            continue
        for change in watched.changes:
            how = "by the clock" if change.by_clock else "by hand"
            yield Compared((how, watched.difference), change.step)
            if not any(change.after < step < change.before for step in watched.alerts):
                yield Violation(
                    kind="no alert",
                    step=change.step,
                    expected=f"an alert of section {_told(watched)}, whose value has changed",
                    got=_alerts(watched),
                )


def _silent_without_change(view: TraceView) -> Iterator[Finding]:
    reading = view.reading(read_alerts)
    for watched in reading.sections:
        if not watched.section.alert or not watched.changes:
            continue
        if watched.never_changes:
            yield from _silence(reading, watched, _UNCALLED, watched.changes[0].after)
        elif watched.settles and len(watched.changes) > 1:
            yield Compared(("after a change",), watched.changes[1].step)
            yield from _silence(reading, watched, _UNCALLED, watched.changes[1].step - 1)


def _silent_unless_asked(view: TraceView) -> Iterator[Finding]:
    reading = view.reading(read_alerts)
    for watched in reading.sections:
        if not watched.section.alert and watched.changes and not watched.never_changes:
            yield from _silence(reading, watched, "alert that nobody asked for", -1)


def _silence(reading: AlertReading, watched: Watched, kind: str, after: int) -> Iterator[Finding]:
    """Silence counts only where the kernel has raised another alert that was called for."""
    wrong = [step for step in watched.alerts if step > after]
    if not wrong and not reading.alerts_work:
        return
    by_clock = any(change.by_clock for change in watched.changes)
    yield Compared(("by the clock" if by_clock else "by hand",), watched.changes[-1].step)
    if wrong:
        yield Violation(
            kind=kind,
            step=wrong[0],
            expected=f"no alert of section {_told(watched)}",
            got=_alerts(watched),
        )


def _one_line(view: TraceView) -> Iterator[Finding]:
    for step in view.steps:
        for alert in step.all(AlertRaised):
            yield Compared(("an alert",), step.index)
            lines = alert.text.strip().splitlines()
            if len(lines) != 1:
                yield Violation(
                    kind="alert of several lines" if lines else "alert without words",
                    step=step.index,
                    expected=f"one line about section {alert.app}.{alert.section}",
                    got=shorten(alert.text),
                )


_UNCALLED = "alert without change"


def _told(watched: Watched) -> str:
    return f"{watched.app}.{watched.section.name}"


def _alerts(watched: Watched) -> str:
    steps = ", ".join(map(str, watched.alerts))
    return f"alerts in steps {steps}" if steps else "no alert of that section at all"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    same: list[Any] = [value(APPS[1], 0)] * 12
    where = environment(
        alpha=section(values(APPS[0]), alert=True),
        beta=section(same, alert=True),
        gamma=section(values(APPS[2])),
    )
    yield scenario(
        "alert-by-hand",
        "one section changes and asked, one asked, one changes",
        *refresh_all(),
        *refresh_all(),
        say(),
        *refresh_all(),
        say(),
        where=where,
    )
    yield scenario(
        "alert-users",
        "two users with the same sections",
        *refresh_all(),
        *refresh_all("u2"),
        *refresh_all(),
        say(),
        *refresh_all("u2"),
        say(user="u2"),
        where=where,
    )
    yield scenario(
        "alert-users-by-clock",
        "the clock refreshes the sections of two users while one of them waits",
        say(user="u2"),
        *refresh_all("u2"),
        *refresh_all(),
        say(),
        wait(400),
        say(),
        say(user="u2"),
        where=where,
    )
    yield scenario(
        "alert-by-clock",
        "the sections are refreshed by the clock",
        *refresh_all(),
        say(),
        wait(400),
        say(),
        where=where,
    )
    to_and_fro = [value(APPS[2], n % 2) for n in range(12)]
    yield scenario(
        "alert-former-values",
        "a value that stays once it has changed, and one that returns",
        *(step for _ in range(4) for step in (refresh(APPS[1]), refresh(APPS[2]))),
        say(),
        where=environment(
            beta=section([value(APPS[1], 0), *[value(APPS[1], 1)] * 11], alert=True),
            gamma=section(to_and_fro, alert=True),
        ),
    )
    kinds: list[Any] = [1, True, "1", 0, False, "", None, [], {}, 0, False, [0]]
    yield scenario(
        "alert-types",
        "values that differ by their type alone, and values that differ deep down",
        *(step for _ in range(3) for step in (refresh(), refresh(APPS[1]), refresh(APPS[2]))),
        say(),
        where=environment(
            alpha=section([{"state": each} for each in kinds], alert=True),
            beta=section([{"a": {"b": [{"c": n}]}} for n in range(12)], alert=True),
            gamma=section([{"rows": [0] * n} for n in range(12)], alert=True),
        ),
    )


_HOW = (
    Partition("by hand", "the suite asks for the refresh"),
    Partition("by the clock", "the section's period is over", capabilities=frozenset({"clock"})),
)

INVARIANT = Invariant(
    id="C-SKELETON-ALERT",
    title="Alerts on change",
    statement=(
        "A section with alert=True raises an alert when a refresh changes its value, and only then."
    ),
    severity="medium",
    sources=(context_channels("Decision matrix — pick a channel"),),
    clauses=(
        Clause(
            "raised-on-change",
            "A section that asked for it raises an alert when its value has changed.",
            _raised,
            (
                *_HOW,
                Partition("another text or number", "values of the same types"),
                Partition("another type or depth", "1 and true, or a change deep down"),
            ),
        ),
        Clause(
            "one-line",
            "An alert is one line of text.",
            _one_line,
            (Partition("an alert", "one was raised"),),
        ),
        Clause(
            "silent-without-change",
            "It raises none when a refresh returns the same value.",
            _silent_without_change,
            (*_HOW, Partition("after a change", "the value has changed before, and stays")),
        ),
        Clause(
            "silent-unless-asked",
            "A section that did not ask raises none.",
            _silent_unless_asked,
            _HOW,
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "alerts"}),
    reading=(
        "Whether the first refresh alerts is open. Values are compared as JSON values: true is "
        "not 1, and the order of fields is no change; whether 1.0 for 1 is one is open. An alert "
        "may come until the next refresh. Its words are free; the documents do not say that it "
        "has to name old and new values."
    ),
)
