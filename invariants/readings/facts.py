"""What the classifier's prompts show of the fact ledger, matched to the calls that were given.

Readings of the documents: lines end at a line feed only; indentation is free; the current
user message may stand there raw; FACTS lines of the first prompt of all, which has no
history, are static examples; a turn is a completed exchange, with or without calls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..vocabulary.scenario import Turn
from ..vocabulary.trace import ClassifierPrompt, prompt_text
from ..vocabulary.trace_view import StepView, TraceView
from .alignment import Match, align
from .given import GivenCall, GivenTurn, ShownFact
from .history import Leading
from .names import has_hostile_names
from .roles import own_text, read_quoting_roles
from .shown import FACT, shown_facts

RENDERED = "I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER/every-call-rendered"
"""The clause without which there is no payload to compare."""

_FRAME = 20
"""Longest text behind a message that is taken for its frame: a quote, a closing tag."""

_LETTERS = re.compile(r"\w+")


class Order(NamedTuple):
    """In which order a kernel tells a history; the documents promise none.

    Attributes:
        latest_turn_first: whether the turns stand newest first.
        latest_call_first: whether the calls of each turn do.
    """

    latest_turn_first: bool = False
    latest_call_first: bool = False

    def calls_of(self, turns: Sequence[GivenTurn]) -> list[GivenCall]:
        """Return the calls of turns that belong in the ledger, in the order of their lines."""
        turn_step, call_step = (-1 if reverse else 1 for reverse in self)
        return [given for turn in turns[::turn_step] for given in turn.successful[::call_step]]


OLDEST_FIRST = Order()


@dataclass(eq=False)
class PromptReading:
    """One classifier prompt against what it must show.

    Attributes:
        step: the turn's step.
        text: the prompt.
        own: what of it the kernel says; others speak in the rest, each in a role of its own.
        retry: whether the turn had an earlier classifier prompt; such a prompt may show
            this turn's calls too, and count this turn in the window.
        turns: the turns inside the window, oldest first.
        older: the turns of this session before the window.
        results_before: whether one of those had a successful call.
        complete: whether nothing of the window is missing from the trace; only the beginning
            of a recording may be incomplete.
        order: the order in which turns and calls are taken to stand.
        pairs: lines matched to calls.
        missing: calls of the window without a line.
        extra: lines without a call.
        displaced: lines that show a call of the window, but out of order.
        again: messages of tools that show a call which has its FACTS line too.
    """

    step: StepView
    text: str
    own: str
    retry: bool
    turns: list[GivenTurn]
    older: Sequence[GivenTurn]
    results_before: bool
    complete: bool
    lines: list[ShownFact]
    order: Order = OLDEST_FIRST
    pairs: list[tuple[ShownFact, GivenCall]] = field(
        default_factory=list[tuple[ShownFact, GivenCall]]
    )
    missing: list[GivenCall] = field(default_factory=list[GivenCall])
    extra: list[ShownFact] = field(default_factory=list[ShownFact])
    displaced: list[tuple[ShownFact, GivenCall]] = field(
        default_factory=list[tuple[ShownFact, GivenCall]]
    )
    again: list[tuple[ShownFact, GivenCall]] = field(
        default_factory=list[tuple[ShownFact, GivenCall]]
    )

    @property
    def expected(self) -> list[GivenCall]:
        """Every call of the window that belongs in the ledger, in the order of its lines."""
        return self.order.calls_of(self.turns)

    @cached_property
    def recognised(self) -> bool:
        """Whether it shows what it has to: a fact, or the message where there are no facts.

        Nothing can be said of what is absent from a prompt that could not be read.
        """
        if self.expected:
            return bool(self.pairs or self.displaced)
        given = self.step.stimulus
        words = _LETTERS.findall(given.message) if isinstance(given, Turn) else []
        return bool(words) and max(words, key=len).casefold() in self.text.casefold()


@dataclass(eq=False)
class FactReading:
    """All classifier prompts of a trace, read."""

    prompts: list[PromptReading] = field(default_factory=list[PromptReading])
    turns: list[GivenTurn] = field(default_factory=list[GivenTurn])

    @property
    def unexplained(self) -> int:
        """How many lines do not show the call that is due there, and how many calls no line."""
        return sum(
            len(each.displaced)
            + len(each.extra)
            + len(each.missing)
            + sum(not call.shown_by(line) for line, call in each.pairs)
            for each in self.prompts
            if not each.retry
        )


def read_facts(view: TraceView) -> FactReading:
    """Read every classifier prompt of the trace; use it through ``view.reading``.

    The documents leave open whether turns, and the calls of a turn, stand oldest or newest
    first, so the order that explains more of all prompts is taken.
    """
    if view.reading(has_hostile_names):
        return FactReading()
    best = _read(view, OLDEST_FIRST)
    for order in _other_orders(best) if best.unexplained else ():
        other = _read(view, order)
        if other.unexplained < best.unexplained:
            best = other
    return best


def _other_orders(usual: FactReading) -> Iterator[Order]:
    """The orders in which some prompt would have to show its facts otherwise."""
    several_calls = any(len(turn.successful) > 1 for turn in usual.turns)
    several_turns = any(
        sum(bool(turn.successful) for turn in prompt.turns) > 1 for prompt in usual.prompts
    )
    if several_calls:
        yield Order(latest_call_first=True)
    if several_turns:
        yield Order(latest_turn_first=True)
    if several_calls and several_turns:
        yield Order(latest_turn_first=True, latest_call_first=True)


def _read(view: TraceView, order: Order) -> FactReading:
    reading = FactReading()
    histories: dict[tuple[str, str], list[GivenTurn]] = {}
    static: Counter[str] | None = None if view.trace.complete_from == 0 else Counter()
    for step in view.steps:
        if not isinstance(step.stimulus, Turn):
            continue
        cap = view.parameters.turn_cap
        given = _given_turn(step, step.stimulus, masked=not view.exposes_pii, cap=cap)
        history = histories.setdefault((step.user, step.session), [])
        for number, event in enumerate(step.all(ClassifierPrompt)):
            text = prompt_text(event)
            lines = shown_facts(view, event, text)
            if static is None:
                static = Counter(x.text for x in _foreign(lines, step.stimulus.message))
            lines = _without_static(lines, static)
            reading.prompts.append(
                _read_prompt(
                    view,
                    given,
                    (text, own_text(event, text, view.reading(read_quoting_roles))),
                    lines,
                    (history, reading.turns),
                    retry=number > 0,
                    order=order,
                )
            )
        history.append(given)
        reading.turns.append(given)
    return reading


def _is_complete(start: int, turns: list[GivenTurn], older: Sequence[GivenTurn]) -> bool:
    """Whether the trace holds the whole window; at its beginning, turns before it may count."""
    if start == 0:
        return True
    return bool(older) and all(turn.step.index >= start for turn in turns)


def _given_turn(step: StepView, turn: Turn, *, masked: bool, cap: int) -> GivenTurn:
    given = GivenTurn(step, turn, masked, cap)
    given.calls.extend(GivenCall(call, index, given) for index, call in enumerate(turn.calls))
    return given


def _foreign(lines: list[ShownFact], message: str) -> list[ShownFact]:
    """The lines that are not part of the current message, which may stand there raw."""
    if "FACTS:" not in message:
        return lines
    imitated = {line.strip() for line in message.split("\n")}
    last = message.rstrip().rpartition("\n")[2].strip()
    return [
        line
        for line in lines
        if line.text not in imitated and not (FACT.match(last) and _is_framed(line.text, last))
    ]


def _match(
    text: str,
    lines: list[ShownFact],
    calls: list[GivenCall],
    message: str,
    order: Order,
) -> Match:
    """Match lines to calls; the current message counts only where a call would be missing.

    The message may stand in the prompt as it is, and imitate the fact of a call that was
    rightly dropped.
    """
    start = text.rfind(message) if "FACTS:" in message else -1
    if start >= 0:
        end = start + len(message)
        outside = [line for line in lines if not start <= line.start < end]
        match = align(outside, calls, newest_first=order.latest_call_first)
        if not any(call.turn.small for call in match.missing):
            return match
    return align(lines, calls, newest_first=order.latest_call_first)


def _with_messages(
    reading: PromptReading, match: Match, calls: list[GivenCall], known: list[GivenTurn]
) -> Match:
    """Match messages of tools too; a call that has its FACTS line may have a message besides.

    What certainly shows another call of the trace is none of these, changed. Where not every call
    has such a message, one that shows no call for certain is somebody else's.
    """
    told = [line for line in reading.lines if not (line.written or line.failed)]
    told.sort(key=lambda line: line.order)
    foreign = [
        line
        for line in told
        if not any(call.shown_by(line) for call in calls)
        and any(call.shown_by(line) for turn in known for call in turn.calls)
    ]
    told = [line for line in told if line not in foreign]
    other = align(told, calls, newest_first=reading.order.latest_call_first)
    lacking = {id(call) for call in match.missing}
    besides = [pair for pair in (*other.pairs, *other.displaced) if id(pair[1]) not in lacking]
    is_whole = not (other.missing or other.extra)
    reading.again = [pair for pair in besides if is_whole or pair[1].shown_by(pair[0])]
    strange = [pair[0] for pair in besides if pair not in reading.again]
    return Match(
        [*match.pairs, *(pair for pair in other.pairs if id(pair[1]) in lacking)],
        [*match.displaced, *(pair for pair in other.displaced if id(pair[1]) in lacking)],
        [*match.extra, *other.extra, *strange, *foreign],
        [call for call in other.missing if id(call) in lacking],
    )


def _stray_failures(lines: list[ShownFact], turns: list[GivenTurn]) -> Iterator[ShownFact]:
    """Messages that are marked as errors, but tell of no call of the session that failed."""
    for line in lines:
        if line.failed and not any(
            call.call.status == "error" and call.owns(line) for turn in turns for call in turn.calls
        ):
            yield line


def _is_framed(text: str, last: str) -> bool:
    """Whether it is the last line of a message, with a closing quote or tag behind it."""
    return text.startswith(last) and len(text) - len(last) <= _FRAME


def _without_static(lines: list[ShownFact], static: Counter[str]) -> list[ShownFact]:
    if not static:
        return lines
    left = static.copy()
    kept: list[ShownFact] = []
    for line in lines:
        if left[line.text] > 0:
            left[line.text] -= 1
        else:
            kept.append(line)
    return kept


def _read_prompt(
    view: TraceView,
    given: GivenTurn,
    texts: tuple[str, str],
    lines: list[ShownFact],
    histories: tuple[list[GivenTurn], list[GivenTurn]],
    *,
    retry: bool,
    order: Order,
) -> PromptReading:
    history, known = histories
    edge = max(len(history) - view.parameters.window, 0)
    turns, older = history[edge:], Leading(history, edge)
    results_before = any(turn.successful for turn in older)
    complete = _is_complete(view.trace.complete_from, turns, older)
    reading = PromptReading(
        given.step, *texts, retry, turns, older, results_before, complete, lines, order
    )
    expected = order.calls_of(turns)
    written = [line for line in lines if line.written]
    match = _match(texts[0], written, expected, given.turn.message, order)
    own: list[GivenCall] = []
    if retry and (match.extra or len(written) < len(lines)):
        # it may be asked again after the tools have run
        own = order.calls_of([given])
        expected = order.calls_of([*turns, given])
        match = _match(texts[0], written, expected, given.turn.message, order)
    if len(written) < len(lines):
        match = _with_messages(reading, match, expected, [*known, given])
    reading.pairs = [
        (line, call)
        for line, call in match.pairs
        if call not in own and (complete or call.shown_by(line))
    ]
    reading.displaced = match.displaced
    reading.extra = _foreign(match.extra, given.turn.message)
    reading.extra += _stray_failures(lines, [*history, given])
    reading.missing = [] if retry else match.missing
    return reading
