"""C-LEDGER-NO-PROSE: neither summary nor preview nor reply ever feeds the facts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...readings.facts import read_facts
from ...readings.given import GivenTurn
from ...readings.pairs import shown_pairs
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace import Digest
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

PREVIEW = 1500
"""Characters of the prose preview that fed the ledger once (fact-ledger page)."""

_WORD = re.compile(r"[A-Za-z]{8,}\d*")
_MOST_WORDS = 400
_LONG = " ".join(f"lengthysummary{n}" for n in range(140))


def _telling(prose: str, turn_: GivenTurn) -> list[str]:
    """Words of the prose that no data of the turn holds."""
    if not prose:
        return []
    data = "\n".join(given.call.data_json for given in turn_.calls).casefold()
    words = list(dict.fromkeys(_WORD.findall(prose)))[:_MOST_WORDS]
    return [word for word in words if word.casefold() not in data]


def _found(words: list[str], text: str) -> str:
    """Return a word of the prose that stands in the text as a word of its own."""
    there = set(_WORD.findall(text)) if words else set[str]()
    return next((word for word in words if word in there), "")


def _no_summary_in_facts(view: TraceView) -> Iterator[Finding]:
    for shown in shown_pairs(view):
        summary = shown.given.call.summary
        words = _telling(summary, shown.given.turn)
        if not words:
            continue
        yield Compared(tuple(_classes(summary, shown.given.data)))
        word = _found(words, shown.payload.text)
        if word:
            yield _violation(shown.prompt.step.index, "summary", "FACTS line", shown.payload.text)


def _classes(summary: str, data: object) -> Iterator[str]:
    yield "longer than the preview" if len(summary) > PREVIEW else "a short summary"
    if data in ({}, [], "", None):
        yield "without any data"


def _no_reply_in_facts(view: TraceView) -> Iterator[Finding]:
    for shown in shown_pairs(view):
        turn_ = shown.given.turn
        words = [
            word
            for word in _telling(turn_.turn.draft, turn_)
            if word not in shown.given.call.summary
        ]
        if not words:
            continue
        yield Compared(("a reply with its own words",))
        if _found(words, shown.payload.text):
            yield _violation(shown.prompt.step.index, "reply", "FACTS line", shown.payload.text)


def _no_summary_in_digests(view: TraceView) -> Iterator[Finding]:
    for turn_ in view.reading(read_facts).turns:
        digests = turn_.step.all(Digest)
        if not digests:
            continue
        words = [word for given in turn_.calls for word in _telling(given.call.summary, turn_)]
        for digest in digests if words else ():
            yield Compared(("a digest of a call with a summary",))
            if _found(words, digest.data_facts_json):
                yield _violation(turn_.step.index, "summary", "digest", digest.data_facts_json)


def _violation(step: int, prose: str, place: str, got: str) -> Violation:
    return Violation(
        kind=f"{prose} in a {place}",
        step=step,
        expected=f"the {place} holds data, nothing of the {prose}",
        got=shorten(got),
    )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    short = "Splendidly sorted paperwork"
    yield fact_scenario(
        "no-prose-short",
        "short summaries beside data of every kind",
        turn("one", call({"n": 1}, summary=short), call("text", app=APPS[1], summary=short)),
        turn(
            "two",
            call({}, summary=short),
            call(None, app=APPS[1], summary=short),
            call([], app=APPS[2], summary=short),
            draft="Marvellous outcome altogether.",
        ),
        turn("three", call("", summary=short), call({"data_summary": None}, app=APPS[1])),
    )
    yield fact_scenario(
        "no-prose-long",
        "summaries longer than the 1,500-character preview",
        turn("one", call({}, summary=_LONG), call({"n": 1}, app=APPS[1], summary=_LONG)),
        turn("two", call(None, summary=_LONG), call({"in": {"n": 2}}, app=APPS[1], summary=_LONG)),
    )


_SUMMARIES = (
    Partition("a short summary", "it would fit anywhere"),
    Partition("longer than the preview", "more than 1,500 characters"),
    Partition("without any data", "the summary is all that the call returned"),
)

INVARIANT = Invariant(
    id="C-LEDGER-NO-PROSE",
    title="Prose never feeds the facts",
    statement=(
        "Neither ActionResult.summary nor its 1,500-character preview nor the reply ever stands "
        "in the facts, not even where the data is empty."
    ),
    sources=(
        fact_ledger("The essence"),
        fact_ledger("Why it exists"),
        context_channels("Channel 3 — Fact-ledger (verbatim cross-turn recall)"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading="Words of eight letters that stand in the prose and in no data of the turn tell.",
    clauses=(
        Clause(
            name="no-summary-in-facts",
            sentence="No word that only the summary holds stands in a FACTS line.",
            judge=_no_summary_in_facts,
            partitions=_SUMMARIES,
        ),
        Clause(
            name="no-reply-in-facts",
            sentence="No word that only the reply holds stands in a FACTS line.",
            judge=_no_reply_in_facts,
            partitions=(Partition("a reply with its own words", "no tool returned them"),),
        ),
        Clause(
            name="no-summary-in-digests",
            sentence="No word that only a summary holds stands in a digest.",
            judge=_no_summary_in_digests,
            partitions=(Partition("a digest of a call with a summary", "in the same turn"),),
            capabilities=frozenset({"digest"}),
            sources=(fact_ledger("What it stores"),),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
