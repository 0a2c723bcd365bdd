"""Judges the conversations of a partition; the one place at which recordings meet clauses."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ...invariants.recorded import ISOLATION, Clauses, judges_turns, needs, recorded_clauses
from ...invariants.vocabulary.errors import Unjudgeable
from ...invariants.vocabulary.trace_view import TraceView
from ...invariants.vocabulary.verdict import Compared, Finding, Undecided, Violation
from ..driving.judging import judge_view
from .conversations import Conversation, conversations
from .leaks import owned_and_watched, pack
from .pieces import Piece
from .spreading import compressor
from .tallies import Breach, Judged, Tally, breach, packed_breaches

UNSURE = ("no content", "cut")
"""What may itself be the reason of a difference: it breaks nothing."""


class JudgedPartition(NamedTuple):
    """What was seen of a partition, and what its conversations hold for the search for leaks.

    Attributes:
        number: of the partition.
        judged: counts, and the breaches that are kept.
        values: packed and compressed.
        watched: likewise what is looked through.
        every: all breaches, packed and compressed, where they are wanted.
    """

    number: int
    judged: Judged
    values: bytes
    watched: bytes
    every: bytes = b""


def judge_pieces(
    pieces: Iterable[Piece],
    number: int,
    names: tuple[str, ...] | None = None,
    *,
    keep_all: bool = False,
) -> JudgedPartition:
    """Judge the conversations of a partition.

    Args:
        pieces: all of them.
        number: of the partition.
        names: ids of the clauses to judge; ``None`` for all.
        keep_all: whether all breaches are wanted.
    """
    judged = Judged()
    every: list[tuple[str, Breach]] = []
    rows: set[bytes] = set()
    watched: list[bytes] = []
    for conversation in conversations(pieces, judged.remarks):
        view = TraceView(conversation.trace)
        known = recorded_clauses(_capabilities(conversation))
        chosen = {x: pair for x, pair in known.items() if names is None or x in names}
        judged.capabilities |= _capabilities(conversation)
        broken, found = _judge(conversation, view, chosen, judged, number)
        every += found if keep_all else ()
        if ISOLATION in chosen and not conversation.is_described:
            _watch(conversation, view, judged, rows, watched)
        _count_days(conversation, broken, judged)
    compress, _ = compressor()
    return JudgedPartition(
        number,
        judged,
        compress(b"".join(sorted(rows))),
        compress(b"".join(watched)),
        compress(packed_breaches(every)) if keep_all else b"",
    )


def _judge(
    conversation: Conversation, view: TraceView, clauses: Clauses, judged: Judged, number: int
) -> tuple[set[int], list[tuple[str, Breach]]]:
    """Judge a conversation by every clause.

    Returns:
        The turns in which a MUST is broken, and all breaches.
    """

    def failed(clause: str, error: Unjudgeable) -> None:
        judged.errors.setdefault(clause, Counter())[str(error)] += 1

    alone = conversation.is_described  # its users are known without looking at others
    others = {x: pair for x, pair in clauses.items() if x != ISOLATION or alone}
    found = judge_view(view, others, failed)
    judged.conversations += 1
    judged.systems[conversation.service] += 1
    judged.turns += len(conversation.gaps)
    broken: set[int] = set()
    every: list[tuple[str, Breach]] = []
    for clause in others:
        tally = judged.tallies.setdefault(clause, Tally())
        some = _count(clause, conversation, found.get(clause, []), tally, number)
        broken |= {x.step for x in some} if others[clause][1].level == "MUST" else set()
        every += ((clause, each) for each in some)
    return broken, every


def _capabilities(conversation: Conversation) -> frozenset[str]:
    if not conversation.is_described:
        return frozenset()
    return frozenset(conversation.trace.kernel.capabilities)


def _count(
    clause: str, conversation: Conversation, findings: list[Finding], tally: Tally, number: int
) -> list[Breach]:
    """Count what a judge found in a conversation; return the breaches."""
    steps = range(len(conversation.gaps))
    missing = [sorted(gaps & {*needs(clause)}) for gaps in conversation.gaps]
    if not judges_turns(clause) and any(missing):
        missing = [sorted({*reason}.union(*missing)) for reason in missing]
    for each in findings:
        if isinstance(each, Undecided) and 0 <= each.step < len(missing):
            missing[each.step] = sorted({*missing[each.step], each.reason})
    compared = {x.step for x in findings if isinstance(x, Compared)}
    everywhere = None in compared
    broken: set[int] = set()
    every: list[Breach] = []
    for each in findings:
        if not isinstance(each, Violation) or not 0 <= each.step < len(missing):
            continue
        unsure = UNSURE if judges_turns(clause) else missing[each.step]
        if {*unsure} & {*missing[each.step]}:
            continue
        broken.add(each.step)
        where = conversation.where[each.step]
        made = breach(
            each.kind,
            conversation.name,
            each.step,
            trace=where.trace,
            span=where.span,
            place=where.place,
            start=where.start,
            expected=each.expected,
            got=each.got,
            partition=number,
        )
        tally.add(made)
        every.append(made)
    kept = {
        step
        for step in steps
        if step not in broken and not missing[step] and (everywhere or step in compared)
    }
    reasons = {step: missing[step] for step in steps if step not in broken and missing[step]}
    _add(tally, len(missing), broken, kept, reasons)
    return every


def _add(
    tally: Tally, turns: int, broken: set[int], kept: set[int], reasons: dict[int, list[str]]
) -> None:
    tally.turns += turns
    tally.turns_broken += len(broken)
    tally.turns_kept += len(kept)
    tally.turns_open += len(reasons)
    for each in reasons.values():
        tally.reasons.update(each)
    tally.conversations += 1
    if broken:
        tally.conversations_broken += 1
    elif kept:
        tally.conversations_kept += 1
    elif reasons:
        tally.conversations_open += 1


def _watch(
    conversation: Conversation,
    view: TraceView,
    judged: Judged,
    rows: set[bytes],
    watched: list[bytes],
) -> None:
    """Count what can be judged of isolation as kept; a leak that is found later changes that."""
    steps = range(len(conversation.gaps))
    reasons = {
        step: missing
        for step in steps
        if (missing := sorted(conversation.gaps[step] & {*needs(ISOLATION)}))
    }
    kept = {step for step in steps if step not in reasons}
    tally = judged.tallies.setdefault(ISOLATION, Tally())
    _add(tally, len(conversation.gaps), set(), kept, reasons)
    judgeable = {step: step in kept for step in steps}
    own, seen = owned_and_watched(view, conversation, judgeable, judged=bool(kept))
    rows |= own
    if seen.turns:
        watched.append(pack(seen))


def _count_days(conversation: Conversation, broken: set[int], judged: Judged) -> None:
    for step, where in enumerate(conversation.where):
        if where.start:
            judged.day(day_of(where.start), 1, int(step in broken))


def day_of(start: int) -> str:
    """Return the day of a moment in nanoseconds since the Unix epoch, UTC."""
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(start // 10**9))
    except (OverflowError, OSError, ValueError):
        return "unknown"
