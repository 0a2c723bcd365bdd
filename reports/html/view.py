"""What the HTML report shows, taken from a record: everything but the results of the clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from msgspec import UNSET

from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Verdict
from ..record.meant import not_meant
from ..record.model import (
    ClauseResult,
    Distribution,
    Qualification,
    RunRecord,
    Severity,
    WaiverResult,
)
from ..record.outcome import counts
from ..record.protection import is_protected
from ..record.verdict_words import result_name, verdict_name
from ..wording.clause_text import seconds_spent
from ..wording.narrative import run_notes, run_problems
from .bars import verdict_shares
from .plots import Series, described, histogram, line_plot, number_text, share_bar

SOON = 30
"""Days before the end of a waiver from which on the summary names it."""

_CLAUSES_LISTED = 25
"""Red clauses that the summary lists."""


class Population(NamedTuple):
    """What was in the run and what was not: the equation, its bar, each reason with its clauses."""

    required: int
    parts: tuple[tuple[str, int], ...]
    advisory: tuple[tuple[str, int], ...]
    reasons: tuple[tuple[str, str, tuple[str, ...]], ...]
    excluded: tuple[tuple[str, tuple[str, ...]], ...]
    bar: str
    legend: tuple[tuple[str, str], ...]


class Traced(NamedTuple):
    """A sentence of the documents, or a section where none is known, and its clauses."""

    name: str
    text: str
    results: tuple[ClauseResult, ...]


class Plot(NamedTuple):
    """A distribution: its title, its picture, its words, its numbers."""

    title: str
    svg: str
    words: str
    values: tuple[str, ...]
    left_out: int


class Tested(NamedTuple):
    """How the suite was tested itself."""

    told: Qualification
    same_suite: bool
    broken: int
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    unproved: tuple[str, ...]


def anchor(name: str, prefix: str) -> str:
    """Return an id for a page that any name can be turned into; different names stay apart."""
    return prefix + re.sub(r"[^A-Za-z0-9.-]", lambda match: f"_{ord(match[0]):x}_", name)


def web_address(text: str) -> str:
    """Return an http(s) address that may be linked; empty for anything else."""
    return text if re.fullmatch(r"https?://[A-Za-z0-9._~:/?#@!$&()*+,;=%\[\]-]+", text) else ""


def population(record: RunRecord) -> Population:
    """Return which clauses were in the run, and why the others were not."""
    others = not_meant(record)
    numbers = counts(x for x in record.clauses if x.clause not in others)
    shares = verdict_shares(numbers.verdicts, recorded=record.header.is_audit)
    left_out: dict[str, list[str]] = {}
    for clause, reason in record.header.excluded.items():
        if clause not in others:
            left_out.setdefault(reason, []).append(clause)
    return Population(
        required=numbers.required,
        parts=_parts(numbers.verdicts, record),
        advisory=_parts(numbers.advisory, record),
        reasons=tuple(_reasons(record)),
        excluded=tuple((reason, tuple(names)) for reason, names in left_out.items()),
        bar=share_bar(shares),
        legend=tuple((f"{share.size:,} {share.name}", share.colour) for share in shares),
    )


def _parts(verdicts: dict[str, int], record: RunRecord) -> tuple[tuple[str, int], ...]:
    """Return the counts in the order of ``Verdict``, in words."""
    audit = record.header.is_audit
    named = ((verdict_name(v, recorded=audit), verdicts.get(v.value, 0)) for v in Verdict)
    return tuple((name, number) for name, number in named if number)


def _reasons(record: RunRecord) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield verdict, reason and clauses for everything that neither passed nor broke."""
    groups: dict[tuple[str, str], list[str]] = {}
    others = not_meant(record)
    for result in record.clauses:
        if not result.effective.seen and result.clause not in others:
            word = result_name(result)
            groups.setdefault((word, result.reason), []).append(result.clause)
    yield from ((word, reason, tuple(names)) for (word, reason), names in groups.items())


def red_clauses(record: RunRecord) -> tuple[tuple[ClauseResult, ...], int]:
    """Return the gravest red clauses, the worst first, and how many more there are."""
    every = [result for result in record.in_order() if result.red]
    every.sort(key=_gravity)
    return tuple(every[:_CLAUSES_LISTED]), max(len(every) - _CLAUSES_LISTED, 0)


def _gravity(result: ClauseResult) -> tuple[int, bool]:
    """Sort by severity; among the equally grave, a breach before what was not judged."""
    return get_args(Severity).index(result.severity), not result.verdict.broken


def slowest(record: RunRecord) -> tuple[str, ...]:
    """Return the invariants on which most time was spent, the slowest first."""
    spent = {name: seconds_spent(results) for name, results in record.by_invariant().items()}
    return tuple(sorted(spent, key=lambda name: -spent[name])[:_SLOWEST])


_SLOWEST = 10
"""Invariants that come first when the slowest are to."""


def matrix(record: RunRecord) -> tuple[Traced, ...]:
    """Return the sentences of the documents, each with the clauses that judge it."""
    groups: dict[tuple[str, str], list[ClauseResult]] = {}
    for result in record.in_order():
        named = result.sentences or dict.fromkeys(result.sources or ("no document",), "")
        for pair in named.items():
            groups.setdefault(pair, []).append(result)
    return tuple(Traced(*pair, tuple(groups[pair])) for pair in sorted(groups, key=_natural))


def _natural(pair: tuple[str, str]) -> list[tuple[str, int]]:
    """Sort ``FL-2`` before ``FL-12``."""
    parts = re.findall(r"(\D*)(\d{0,9})", pair[0])
    return [(text, int(number or 0)) for text, number in parts]


def plots(spreads: Sequence[Distribution]) -> tuple[Plot, ...]:
    """Return the distributions of what was tried."""
    return tuple(
        Plot(
            title=spread.measure.replace("_", " "),
            svg=histogram(spread),
            words=described(spread),
            values=tuple(f"{number_text(v)}: {n:,}" for v, n in spread.counts[:_VALUES]),
            left_out=max(len(spread.counts) - _VALUES, 0),
        )
        for spread in spreads
    )


_VALUES = 200
"""Values of a distribution that are listed."""


def over_time(record: RunRecord) -> Iterator[Plot]:
    """Yield what was recorded day by day, where a recording was judged."""
    recording = record.header.recording
    if recording is UNSET or not recording.days:
        return
    days = [day for day, *_ in recording.days]
    turns = Series("turns", [turns for _, turns, _ in recording.days], "open")
    broken = Series("broken turns", [broken for *_, broken in recording.days], "bad")
    yield Plot(
        title="turns, and turns in which a promise was broken, by day",
        svg=line_plot([turns, broken], days),
        words=f"{len(days):,} days, from {days[0]} to {days[-1]}",
        values=tuple(f"{day}: {n:,}, {bad:,} broken" for day, n, bad in recording.days[:_VALUES]),
        left_out=max(len(days) - _VALUES, 0),
    )


def tested(record: RunRecord) -> Tested | None:
    """Return how the suite was tested, and which judged clauses it was not seen to catch."""
    told = record.qualification
    if told is None or record.header.is_audit:
        return None
    judged = [result.clause for result in record.clauses]
    return Tested(
        told=told,
        same_suite=told.suite_digest == record.header.suite.digest,
        broken=len({name for names in told.killed.values() for name in names}),
        rows=tuple((clause, told.killed[clause]) for clause in judged if told.killed.get(clause)),
        unproved=tuple(clause for clause in judged if not told.killed.get(clause)),
    )


def ending_soon(record: RunRecord) -> tuple[WaiverResult, ...]:
    """Return the waivers that hold and end within ``SOON`` days."""
    return tuple(w for w in record.waivers if w.state == "applied" and w.days_left <= SOON)


def limitations(record: RunRecord) -> tuple[str, ...]:
    """Return what the reader must not conclude from this run, most specific first."""
    return (
        *run_problems(record),
        *run_notes(record),
        *_own_limits(record),
        *(_OF_AUDITS if record.header.is_audit else _OF_RUNS),
        _ALWAYS,
    )


_OF_AUDITS = (
    (
        "A pass says that no breach was found in what was recorded and could be judged. Numbers "
        "stand beside each verdict, with a bound that holds for conversations like these."
    ),
    (
        "The truth is the system's own word: what the recording says that a call gave is believed. "
        "Digests, cache, skeleton, store and panels cannot be seen in it."
    ),
)

_OF_RUNS = (
    (
        "A pass says that no breach was found in the scenarios that were run; it is no proof that "
        "none exists. The number of scenarios and the classes of input stand beside each verdict."
    ),
    (
        "The verdicts hold for the kernel version, parameters and configuration named above, "
        "reached in the way named above. What the kernel says of itself (name, version, commit, "
        "capabilities, parameters) is its own word."
    ),
    (
        "Only what a kernel shows through its adapter can be judged. A kernel that shows one thing "
        "and does another is out of reach of this suite."
    ),
)

_ALWAYS = (
    "Long texts are shortened here and secrets are masked in the record. The record holds the "
    "whole texts; its last line shows a cut or an accident, and only a signature proves that "
    "nobody changed it."
)


def _own_limits(record: RunRecord) -> Iterator[str]:
    effective = [result.effective for result in record.clauses if result.required]
    limits = {**_LIMITS, **(_LIMITS_OF_AUDITS if record.header.is_audit else {})}
    for verdict, told in limits.items():
        if number := effective.count(verdict):
            yield f"{counted(number, 'required clause')}: {told}"
    others = not_meant(record)
    if excluded := record.header.excluded.keys() - others:
        yield f"{counted(len(excluded), 'clause')} left out: nothing is said of that."
    if advisory := sum(not x.required for x in record.clauses if x.clause not in others):
        yield (
            f"{counted(advisory, 'clause')} outside the requirement set: "
            "what was found is shown and does not decide."
        )
    if not is_protected(record.summary.protection):
        yield (
            "Nothing is known to have kept processes of the kernel from outliving the run, or from "
            "reading and changing what the same user may."
        )
    if record.qualification is None and not record.header.is_audit:
        yield "The record does not say how this version of the suite was tested itself."


_LIMITS = {
    Verdict.FLAKY: "broke only sometimes: the kernel is not deterministic there.",
    Verdict.NOT_EXERCISED: "not exercised. That is no pass.",
    Verdict.NOT_CLAIMED: "about something that the kernel does not claim. That is no pass.",
    Verdict.WAIVED: "broken and waived. The breach is there.",
    Verdict.TIMEOUT: "could not be judged: the kernel did not answer in time.",
    Verdict.CRASH: "could not be judged: the kernel's process ended.",
    Verdict.ERROR: "could not be judged: what came back could not be read.",
}
_LIMITS_OF_AUDITS = {
    Verdict.NOT_EXERCISED: "too little of it could be judged. That is no pass.",
    Verdict.NOT_CLAIMED: "nothing in the recording is about it. That is no pass.",
}
