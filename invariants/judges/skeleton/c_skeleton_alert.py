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
    word,
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
        asked = watched.section.alert and not watched.has_no_tool
        if not asked or not watched.always_changes:
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
        if not watched.section.alert or watched.has_no_tool or not watched.changes:
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


def _silent_without_tool(view: TraceView) -> Iterator[Finding]:
    reading = view.reading(read_alerts)
    for watched in reading.sections:
        if watched.has_no_tool and watched.changes and not watched.never_changes:
            yield from _silence(reading, watched, "alert without its tool", -1)


def _tool_speaks(view: TraceView) -> Iterator[Finding]:
    """The kernel may add words of its own, and may run the tool without raising an alert."""
    for watched in view.reading(read_alerts).sections:
        texts = watched.section.alert_says or ()
        last, since = -1, -1
        for step, said in zip(watched.alerts, watched.said, strict=True) if texts else ():
            nth = max((n for n, text in enumerate(texts) if text in said), default=-1)
            yield Compared(("a later alert" if last >= 0 else "the first alert",), step)
            again = nth <= last < len(texts) - 1 and step > since
            if nth < 0 or again:
                yield Violation(
                    kind="alert of an earlier change" if nth >= 0 else "alert in other words",
                    step=step,
                    expected=f"{shorten(texts[min(last + 1, len(texts) - 1)])!r}, which the alert "
                    f"tool of section {_told(watched)} returned",
                    got=shorten(said),
                )
            last, since = max(last, nth), step


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
    tools = environment(
        alpha=section(values(APPS[0]), alert=True, alert_says=_texts(APPS[0])),
        beta=section(values(APPS[1]), alert=True, alert_says=None),
        gamma=section(values(APPS[2]), alert=True, alert_says=_texts(APPS[2])),
    )
    yield scenario(
        "alert-tools-by-hand",
        "two sections have an alert tool, one has none; two users",
        *(step for _ in range(3) for step in refresh_all()),
        say(),
        *(step for _ in range(3) for step in refresh_all("u2")),
        say(user="u2"),
        *refresh_all(),
        say(),
        where=tools,
    )
    yield scenario(
        "alert-tools-by-clock",
        "the clock refreshes sections with and without an alert tool",
        say(),
        *refresh_all(),
        wait(400),
        say(),
        wait(400),
        say(),
        where=tools,
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


def _texts(app: str) -> tuple[str, ...]:
    """What an extension's alert tool says, one run after the other."""
    return tuple(f"{word(app, 'alert', n)} has happened" for n in range(12))


_HOW = (
    Partition("by hand", "the suite asks for the refresh"),
    Partition("by the clock", "the section's period is over", capabilities=frozenset({"clock"})),
)

_TOOLS = frozenset({"alert_tools"})

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
        Clause(
            "tool-speaks",
            "An alert says what the section's alert tool returned for this change.",
            _tool_speaks,
            (
                Partition("the first alert", "of a section of a user"),
                Partition("a later alert", "of the same section, whose tool says something else"),
            ),
            capabilities=_TOOLS,
        ),
        Clause(
            "silent-without-tool",
            "A section that asked for alerts and has no alert tool raises none.",
            _silent_without_tool,
            _HOW,
            capabilities=_TOOLS,
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "alerts"}),
    reading=(
        "Whether the first refresh alerts is open. Values are compared as JSON values: true is "
        "not 1, and the order of fields is no change; whether 1.0 for 1 is one is open. An alert "
        "may come until the next refresh. Its words are those of the paired tool, and free where "
        "the scenario does not script them. That the tool is handed the old and the new value, and "
        "that an empty text raises no alert, is said by the SDK alone and not judged. A section "
        "whose tool is missing is refreshed like any other, which other clauses judge."
    ),
)
