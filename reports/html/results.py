"""The results of the clauses for the HTML report: groups, counterexamples, how much is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...invariants.vocabulary.verdict import Verdict
from ..console.escape import printable_lines
from ..record.model import ClauseResult, Counterexample, Incident, RunRecord
from ..wording.channels import channel
from ..wording.clause_text import seconds_spent
from ..wording.conversation import Conversation, conversation
from ..wording.narrative import INCIDENTS_SHOWN, STDERR_LINES
from ..wording.scenario_text import step_texts

EXAMPLES_SHOWN = 10
"""Kinds of difference of one clause that are named in its result."""

ROWS = 500
"""Rows of one table, and clauses in the results, that are printed on paper."""

CHARACTERS_SHOWN = 1_000_000
"""Characters of conversations in one report; what comes after is only named."""


class Example(NamedTuple):
    """A counterexample, and its conversation unless the report is full."""

    told: Counterexample
    talk: Conversation | None


class Result(NamedTuple):
    """A clause with its counterexamples."""

    told: ClauseResult
    examples: tuple[Example, ...]
    more: int


class Trouble(NamedTuple):
    """An incident: what the kernel was asked, and its last words."""

    told: Incident
    steps: tuple[str, ...]
    last_words: tuple[str, ...]


class Group(NamedTuple):
    """An invariant: its clauses, its first incidents, how many more there are."""

    invariant: str
    results: tuple[Result, ...]
    troubles: tuple[Trouble, ...]
    more_troubles: int

    @property
    def channel(self) -> str:
        """The channel that it is about."""
        return channel(result.told for result in self.results)

    @property
    def seconds(self) -> float:
        """Seconds spent on all of its clauses together."""
        return seconds_spent(result.told for result in self.results)

    @property
    def red(self) -> int:
        """Number of its clauses that are red."""
        return sum(result.told.red for result in self.results)

    @property
    def broken(self) -> int:
        """Number of its clauses that are not red and yet broken: waived, or advisory."""
        seen = (Verdict.FAIL, Verdict.FLAKY)
        return sum(r.told.verdict in seen and not r.told.red for r in self.results)


def groups(record: RunRecord, *, most: int | None = None) -> Iterator[Group]:
    """Yield the results by invariant; of more clauses than ``most``, the red ones first.

    Every clause gets the conversation of its first counterexample before any gets a second one.
    """
    talks = _conversations(record)
    known = record.by_invariant()
    if most is not None and len(record.clauses) > most:
        chosen = {each.clause for each in sorted(record.clauses, key=_not_red)[:most]}
        kept = {name: [x for x in every if x.clause in chosen] for name, every in known.items()}
    else:
        kept = known
    troubled = record.incidents_by_invariant()
    for name, results in kept.items():
        if results or name in troubled:
            yield _group(record, name, results, talks, troubled.get(name, []))
    loose = tuple(x for x in record.incidents if x.invariant not in known)
    if loose:
        shown = tuple(_trouble(x) for x in loose[:INCIDENTS_SHOWN])
        yield Group("", (), shown, len(loose) - len(shown))


def _conversations(record: RunRecord) -> dict[str, Conversation]:
    ranked = (
        example
        for place in range(EXAMPLES_SHOWN)
        for result in record.clauses
        for example in record.counterexamples_of(result)[place : place + 1]
    )
    room, talks = CHARACTERS_SHOWN, dict[str, Conversation]()
    for example in ranked:
        if room <= 0:
            break
        talks[example.id] = conversation(example)
        room -= talks[example.id].size
    return talks


def _not_red(result: ClauseResult) -> bool:
    return not result.red


def _group(
    record: RunRecord,
    invariant: str,
    results: list[ClauseResult],
    talks: dict[str, Conversation],
    own: list[Incident],
) -> Group:
    return Group(
        invariant,
        tuple(_result(record, result, talks) for result in results),
        tuple(_trouble(incident) for incident in own[:INCIDENTS_SHOWN]),
        max(len(own) - INCIDENTS_SHOWN, 0),
    )


def _result(record: RunRecord, result: ClauseResult, talks: dict[str, Conversation]) -> Result:
    examples = record.counterexamples_of(result)
    shown = tuple(Example(x, talks.get(x.id)) for x in examples[:EXAMPLES_SHOWN])
    return Result(result, shown, len(examples) - len(shown))


def _trouble(incident: Incident) -> Trouble:
    words = printable_lines(incident.stderr_tail, lines=STDERR_LINES)
    return Trouble(incident, tuple(_asked(incident)), tuple(words))


def _asked(incident: Incident) -> Iterator[str]:
    if incident.scenario is not None:
        for step in step_texts(incident.scenario):
            here = "  (here)" if step.number == incident.step else ""
            yield f"{step.number}  {step.who}  {step.deed}{here}"
