"""Counterexamples, incidents and the run's own problems as lines of text.

The reports only lay these lines out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.trace import Trace
from ..console.escape import printable, printable_lines
from ..record.model import ClauseResult, Counterexample, Incident, RunRecord
from ..record.outcome import nothing_exercised
from ..record.redact import MASK
from .scenario_text import environment_lines, step_texts

STDERR_LINES = 20
"""Lines of a kernel's last words that are shown."""

INCIDENTS_SHOWN = 3
"""Incidents of one kind and invariant that are shown in full."""

NAME_LIMIT = 120
"""Characters shown of a name."""

_ENDED = {
    "failures": "the run ended at its first failures, as --fail-fast or --max-failures demands; "
    "what it had not tried is not exercised",
    "time": "the time was up (--time) before all scenarios were done; what was not tried is not "
    "exercised",
}
_UNREDUCED = {
    "off": "Not made smaller (--reduce off).",
    "share": "There may be a smaller one: reducing had its share of the run. `fedcheck shrink` "
    "goes on.",
    "time": "There may be a smaller one: the time was up. `fedcheck shrink` goes on.",
    "stopped": "Not made smaller: the run was stopped.",
}

Role = Literal["title", "plain", "step", "broken", "expected", "got", "command"]


class Told(NamedTuple):
    """One printable line: what it is, and how far it is indented."""

    role: Role
    text: str
    indent: int = 0


def tell_clause(result: ClauseResult) -> Iterator[Told]:
    """Tell what a clause promises and where the documents say so."""
    yield Told("plain", printable(result.sentence))
    if result.sources:
        yield Told("plain", f"Source: {printable('; '.join(result.sources))}")
    for line in result.contradictions:
        yield Told("plain", f"Contradicted by {printable(line)}")


def tell_counterexample(example: Counterexample) -> Iterator[Told]:
    """Tell the smallest scenario of a bug, what was expected and got, and how to see it again."""
    kind, found_in = printable(example.kind, limit=NAME_LIMIT), printable(example.found_in)
    yield Told("title", f"{kind} ({printable(example.id, limit=NAME_LIMIT)}, found in {found_in})")
    if example.attempts:
        yield Told("plain", f"reproduced {example.reproduced} of {example.attempts} times", 2)
    if example.cause:
        named = printable(example.cause, limit=NAME_LIMIT)
        yield Told(
            "plain", f"It has the cause of {named}: one change of the scenario ends both.", 2
        )
    else:
        yield from _scenario(example.scenario, example.trace, example.violation.step)
        if example.unreduced:
            yield Told("plain", _UNREDUCED[example.unreduced], 2)
    yield Told("expected", f"Expected: {printable(example.violation.expected)}", 2)
    yield Told("got", f"Got:      {printable(example.violation.got)}", 2)
    if example.other_trace is not None:
        yield Told("plain", "In another run of the same scenario the promise was kept.", 2)
    yield from _command(example.command)


def tell_incidents(incidents: Iterable[Incident]) -> Iterator[Iterator[Told]]:
    """Tell each message once, at most three of a kind and clause, and how many more there are."""
    told: Counter[tuple[str, str]] = Counter()
    again: dict[tuple[str, str], Counter[str]] = {}
    more: Counter[tuple[str, str]] = Counter()
    for incident in incidents:
        what = (incident.kind, _judged(incident))
        same = (incident.kind, incident.message)
        if same in again:
            again[same][what[1]] += 1
        elif told[what] < INCIDENTS_SHOWN:
            told[what] += 1
            again[same] = Counter()
            yield tell_incident(incident)
        else:
            more[what] += 1
    for (kind, message), where in again.items():
        if where:
            clauses = ", ".join(map(printable, filter(None, where)))
            about = f", while judging {clauses}" if clauses else ""
            line = f"the same {kind} {where.total()} more times{about}: {printable(message)}"
            yield iter([Told("plain", line)])
    for (kind, judged), number in more.items():
        about = f" while judging {printable(judged)}" if judged else ""
        line = f"and {number} more of kind {kind}{about}: see the record"
        yield iter([Told("plain", line)])


def _judged(incident: Incident) -> str:
    return incident.clause or incident.invariant


def tell_incident(incident: Incident) -> Iterator[Told]:
    """Tell what kept the suite from judging, and the last words of the kernel."""
    judged = _judged(incident)
    about = f" while judging {printable(judged)}" if judged else ""
    yield Told("title", f"{incident.kind.upper()}{about}: {printable(incident.message)}")
    if incident.exit_status is not None:
        yield Told("plain", f"Its process ended with status {incident.exit_status}.", 2)
    if incident.scenario is not None:
        yield from _scenario(incident.scenario, None, incident.step)
    if last_words := printable_lines(incident.stderr_tail, lines=STDERR_LINES):
        yield Told("plain", "The kernel's last words on stderr:", 2)
        yield from _plain((f"| {line}" for line in last_words), 4)
    yield from _command(incident.command)


def run_problems(record: RunRecord) -> list[str]:
    """Return what is wrong with the run as a whole, whatever its clauses say."""
    problems = [
        f"the kernel declares {printable(name, limit=NAME_LIMIT)} = {_value(declared)}, "
        f"the documents say {_value(documented)}"
        for name, (documented, declared) in record.header.deviations.items()
    ]
    problems += [
        f"waiver {printable(waiver.id, limit=NAME_LIMIT)} is {waiver.state}: "
        f"{printable(waiver.message)}"
        for waiver in record.waivers
        if waiver.state != "applied"
    ]
    problems += [
        f"the kernel does not claim {name}, which --must-claim or the requirement set demands"
        for name in record.header.unclaimed
    ]
    if record.summary.interrupted:
        problems.append("the run was interrupted before its end")
    if record.summary.ended:
        problems.append(_ENDED[record.summary.ended])
    if record.header.shard:
        problems.append(
            f"this is shard {record.header.shard} of a run: what only the others try is not "
            "exercised here; `fedcheck merge` gives the verdict of all together"
        )
    if record.header.resumes:
        problems.append(
            "this goes on with an earlier run: what that one did is not exercised here; "
            "`fedcheck merge` gives the verdict of all parts together"
        )
    if nothing_exercised(record.clauses):
        what = "nothing could be judged" if record.header.is_audit else "the kernel was not judged"
        problems.append(f"no required clause was exercised: {what}")
    return problems


def run_notes(record: RunRecord) -> list[str]:
    """Return what a reader has to know of the run as a whole although it makes nothing red."""
    ignored = record.header.ignored
    if not ignored:
        return []
    names = printable(", ".join(ignored), limit=None)
    return [f"--ignore left out {counted(len(ignored), 'required clause')}: {names}"]


def _scenario(scenario: Scenario, trace: Trace | None, mark: int | None) -> Iterator[Told]:
    yield from _plain(environment_lines(scenario), 2)
    for step in step_texts(scenario, trace):
        broken = step.number == mark
        line = f"{'>' if broken else ' '} {step.number}  {step.who}  {step.deed}"
        yield Told("broken" if broken else "step", line, 2)
        yield from _plain(step.details, 7)


def _command(command: str) -> Iterator[Told]:
    if command:
        yield Told("plain", "Reproduce it with:", 2)
        yield Told("command", printable(command, limit=None), 4)
        if MASK in command:
            yield Told("plain", f"with your own value for each {MASK}: it was masked", 2)


def _plain(lines: Iterable[str], indent: int) -> Iterator[Told]:
    return (Told("plain", line, indent) for line in lines)


def _value(value: object) -> str:
    return printable(repr(value), limit=NAME_LIMIT)
