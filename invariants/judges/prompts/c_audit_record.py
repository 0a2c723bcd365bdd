"""C-AUDIT-RECORD: every action leaves a record in the audit ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...readings.likeness import PARTITIONS, likenesses
from ...scenarios.facts import CALIBRATION, call, fact_scenarios
from ...scenarios.facts import turn as turn_of
from ...scenarios.lookalike_apps import ALIKE, alike_environment
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario, Turn
from ...vocabulary.sources import context_channels
from ...vocabulary.text import counted
from ...vocabulary.trace import AuditRecord
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

Name = tuple[str, str]


def _turns(view: TraceView) -> Iterator[tuple[int, Turn, list[AuditRecord]]]:
    for step in view.steps:
        if isinstance(step.stimulus, Turn) and step.index >= view.trace.complete_from:
            yield step.index, step.stimulus, step.all(AuditRecord)


def _names(turn: Turn) -> Counter[Name]:
    return Counter((each.app, each.function) for each in turn.calls)


def _recorded(view: TraceView) -> Iterator[Finding]:
    for index, turn, records in _turns(view):
        if not turn.calls:
            continue
        alike = likenesses(view, {each.app for each in turn.calls})
        yield Compared((*_classes(turn), *alike))
        lost = _names(turn) - Counter((each.app, each.function) for each in records)
        for app, function in lost:
            failed = _all_failed(turn, (app, function))
            yield Violation(
                kind="failed action not recorded" if failed else "action not recorded",
                step=index,
                expected=f"{counted(_names(turn)[app, function], 'audit record')} of "
                f"{app}.{function}",
                got=f"{counted(len(records), 'record')}: {_told(records)}",
            )


def _all_failed(turn: Turn, name: Name) -> bool:
    return all(c.status == "error" for c in turn.calls if (c.app, c.function) == name)


def _told(records: list[AuditRecord]) -> str:
    return ", ".join(f"{each.app}.{each.function}" for each in records[:6]) or "none"


def _classes(turn: Turn) -> Iterator[str]:
    statuses = {each.status for each in turn.calls}
    yield from ("a failed call" if each == "error" else "a successful call" for each in statuses)
    if len(turn.calls) > 1:
        yield "several calls"
    if max(_names(turn).values()) > 1:
        yield "one function called twice"


def _nothing_else(view: TraceView) -> Iterator[Finding]:
    for index, turn, records in _turns(view):
        if not turn.calls and not records:
            continue
        yield Compared(("a turn with calls",) if turn.calls else ())
        names = _names(turn)
        strangers = [r for r in records if _is_call(r) and (r.app, r.function) not in names]
        if strangers:
            yield Violation(
                kind="record of no action",
                step=index,
                expected="records of this turn's calls alone",
                got=_told(strangers),
            )


def _is_call(record: AuditRecord) -> bool:
    """Whether it speaks of a chat function; a kernel may record other things besides."""
    return record.app in APPS and record.function in FUNCTIONS


def _once(view: TraceView) -> Iterator[Finding]:
    for index, turn, records in _turns(view):
        if not turn.calls:
            continue
        yield Compared(("several calls",) if len(turn.calls) > 1 else ())
        names = _names(turn)
        twice = Counter((r.app, r.function) for r in records if _is_call(r)) - names
        repeated = [name for name in twice if name in names]
        for app, function in repeated:
            yield Violation(
                kind="action recorded twice",
                step=index,
                expected=f"{counted(names[app, function], 'audit record')} of {app}.{function}",
                got=f"{counted(names[app, function] + twice[app, function], 'record')}",
            )


def _right_owner(view: TraceView) -> Iterator[Finding]:
    """An event without a user or a session is that of its step."""
    sessions: dict[str, set[str]] = {}
    for step in view.steps:
        sessions.setdefault(step.user, set()).add(step.session)
    for step in view.steps:
        records = step.all(AuditRecord) if isinstance(step.stimulus, Turn) else []
        if records and step.index >= view.trace.complete_from:
            several = {
                "several users": len(sessions) > 1,
                "several sessions of one user": len(sessions[step.user]) > 1,
            }
            yield Compared(tuple(name for name, holds in several.items() if holds))
        for record in records:
            if (record.user, record.session) != (step.user, step.session):
                whose = "user" if record.user != step.user else "session"
                yield Violation(
                    kind=f"action of another {whose}",
                    step=step.index,
                    expected=f"records of user {step.user}, session {step.session}",
                    got=f"{record.app}.{record.function} of {record.user}, {record.session}",
                )


def _told_apart(view: TraceView) -> Iterator[Finding]:
    """No document names the words; a failure must only not have that of a success."""
    for index, turn, records in _turns(view):
        words: dict[str, set[str]] = {"success": set(), "error": set()}
        for given in turn.calls:
            name = (given.app, given.function)
            if _names(turn)[name] == 1:
                found = {r.status for r in records if (r.app, r.function) == name}
                words[given.status] |= found
        if words["success"] and words["error"]:
            yield Compared(("both in one turn",))
            if words["success"] & words["error"]:
                yield Violation(
                    kind="failure recorded as success",
                    step=index,
                    expected="another status for a failed call than for a successful one",
                    got=", ".join(sorted(words["success"] & words["error"])),
                )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    failed = call({}, status="error", app=APPS[1])
    steps = (
        CALIBRATION,
        turn_of("one", call({"n": 1})),
        turn_of("two", failed),
        turn_of("three", call({"n": 3}), failed, call({"n": 4}, function=FUNCTIONS[2])),
        turn_of("four", call({"n": 5}), call({"n": 6}), call({}, app=APPS[2])),
        turn_of("five"),
        turn_of("six", call([], app=APPS[2], function=FUNCTIONS[1]), user="u2", session="s2"),
        turn_of("again", call({"n": 7}), session="s3"),
        turn_of("seven", call({}, status="error"), call({}, status="error", function=FUNCTIONS[1])),
        turn_of("eight", *(call({"n": n}, app=APPS[n % 3]) for n in range(7))),
    )
    yield Scenario(id="audit-actions", title="calls of every outcome", steps=steps)
    yield Scenario(
        id="audit-alike",
        title="calls of extensions that are alike",
        steps=(
            CALIBRATION,
            turn_of("one", *(call({"n": n}, app=app) for n, app in enumerate(ALIKE))),
            *(turn_of(f"ask {app}", call({}, app=app)) for app in ALIKE),
        ),
        environment=alike_environment(),
    )


INVARIANT = Invariant(
    id="C-AUDIT-RECORD",
    title="Every action is audited",
    statement="Each call of a turn, failed ones too, leaves one record with its extension and "
    "its function in the audit ledger.",
    sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
    capabilities=frozenset({"fact_ledger", "audit"}),
    reading=(
        "Records of other things than calls, their order and the words of a status are free. A "
        "kernel that records the start and the end of an action breaks only an advisory clause."
    ),
    clauses=(
        Clause(
            "every-action-recorded",
            "Each call has an audit record with its extension and function.",
            _recorded,
            (
                Partition("a successful call", "it has a record"),
                Partition("a failed call", "it has one too"),
                Partition("several calls", "each has its own"),
                Partition("one function called twice", "two records"),
                *PARTITIONS,
            ),
            contradictions=(
                Contradiction(
                    "action-types page",
                    "a read leaves no record.",
                    "The founding documents say it of the action, whatever its type: a record of "
                    "each is asked for.",
                ),
            ),
        ),
        Clause(
            "no-record-without-action",
            "No audit record speaks of a chat function that the turn did not call.",
            _nothing_else,
            (Partition("a turn with calls", "its calls have other names"),),
        ),
        Clause(
            "right-owner",
            "An audit record names the user and the session whose action it was.",
            _right_owner,
            (
                Partition("several users", "more than one acts"),
                Partition("several sessions of one user", "a user acts in two"),
            ),
        ),
        Clause(
            "one-record-per-action",
            "No call has a second audit record.",
            _once,
            (Partition("several calls", "two or more"),),
            level="SHOULD",
        ),
        Clause(
            "failure-told-apart",
            "A failed call's record does not have the status of a successful one's.",
            _told_apart,
            (Partition("both in one turn", "one succeeded, one failed"),),
            level="SHOULD",
        ),
    ),
    scenarios=_scenarios,
    strategy=fact_scenarios,
)
