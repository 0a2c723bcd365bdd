"""What became of turns that were delivered again, stopped, or taken up by a new process.

A fact is found by a word that no other data and no text of the scenario holds. How often a prompt
shows such a word is compared with how often it shows that of the same call in a turn of the same
calls that nothing befell, so that no way of showing facts is blamed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from msgspec import UNSET

from ..vocabulary.scenario import Call, Turn
from ..vocabulary.trace import (
    AuditRecord,
    ClassifierPrompt,
    Digest,
    NarratorPrompt,
    Reply,
    ToolResult,
    prompt_text,
)
from ..vocabulary.trace_view import StepView, TraceView

Kind = Literal["retried", "cancelled", "restarted"]

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{5,39}")
_NUMBERED = re.compile(r"[0-9]")
"""A word with a digit in it is in no prompt by itself."""
_LINE_ROOM, _SAFETY = 80, 2
"""Characters that the rest of a line may take; how far below a cap is certainly below it."""


class Marked(NamedTuple):
    """A successful call with the word that tells of it: its place in the turn, and in the trace."""

    step: StepView
    place: int
    call: Call
    mark: str


class Turned(NamedTuple):
    """A turn with what the next prompt of its session shows.

    Attributes:
        step: the turn's step.
        turn: what was given.
        marked: its calls that succeeded and have a word of their own, those included that must not
            run any more.
        later: the next classifier's prompt in the session; ``None`` if there is none.
    """

    step: StepView
    turn: Turn
    marked: tuple[Marked, ...]
    later: str | None

    @property
    def kind(self) -> Kind | None:
        """What befell it."""
        return None if self.turn.interrupted is UNSET else self.turn.interrupted.kind

    @property
    def after(self) -> int:
        """How many of its calls had come back."""
        return 0 if self.turn.interrupted is UNSET else max(self.turn.interrupted.after, 0)

    @property
    def done(self) -> tuple[Marked, ...]:
        """The calls that came back: all, unless the turn was stopped."""
        if self.kind != "cancelled":
            return self.marked
        return tuple(one for one in self.marked if one.place < self.after)

    @property
    def undone(self) -> tuple[Marked, ...]:
        """The calls that had not begun when the turn was stopped."""
        return tuple(one for one in self.marked if one not in self.done)

    @property
    def moment(self) -> str:
        """When it happened, as the partitions name it."""
        if self.after <= 0:
            return BEFORE
        return AFTER if self.after >= len(self.turn.calls) else BETWEEN

    @property
    def owners(self) -> tuple[tuple[str, str, str], ...]:
        """Whose its calls are, and what became of them, as far as they came back."""
        calls = self.turn.calls[: self.after] if self.kind == "cancelled" else self.turn.calls
        return tuple((call.app, call.function, call.status) for call in calls)


BEFORE, BETWEEN, AFTER = "before its calls", "between its calls", "after its calls"


class Interruptions(NamedTuple):
    """The turns of a trace, in order."""

    turns: tuple[Turned, ...]

    def of(self, kind: Kind) -> list[Turned]:
        """Return the turns that this befell."""
        return [turned for turned in self.turns if turned.kind == kind]

    def usual(self, turned: Turned, one: Marked) -> int:
        """Return how often a turn of the same calls that nothing befell shows this one; 0 if none.

        Of a turn that was stopped these are the calls that came back.
        """
        counts = [
            times_shown(like, other)
            for other in self.turns
            if other.kind is None and other.later is not None
            if other.owners == turned.owners
            for like in other.marked
            if like.place == one.place
        ]
        return max(counts) if counts and min(counts) else 0


def read_interruptions(view: TraceView) -> Interruptions:
    """Read the turns of a trace; use it through ``view.reading``."""
    given = [(step, step.stimulus) for step in view.steps if isinstance(step.stimulus, Turn)]
    words = _words(turn for _, turn in given)
    turns: list[Turned] = []
    for place, (step, turn) in enumerate(given):
        marked = tuple(_marked(step, turn, words)) if _is_small(turn, view) else ()
        others = (other for other, _ in given[place + 1 :])
        turns.append(Turned(step, turn, marked, _later(step, others)))
    return Interruptions(tuple(turns))


def times_shown(one: Marked, turned: Turned) -> int:
    """Return how often the next prompt of the session shows a call."""
    return (turned.later or "").count(one.mark)


def told_in(step: StepView) -> Iterator[tuple[str, str]]:
    """Yield all that a kernel showed in a step, with the name of what it is."""
    for event in step.events:
        if isinstance(event, (ClassifierPrompt, NarratorPrompt)):
            who = "classifier" if isinstance(event, ClassifierPrompt) else "narrator"
            yield f"the {who}'s prompt", prompt_text(event)
        elif isinstance(event, Reply):
            yield "the reply", event.text
        elif isinstance(event, Digest):
            yield "a digest", event.data_facts_json
        elif isinstance(event, ToolResult):
            yield "a result", event.data_json
        elif isinstance(event, AuditRecord) and event.args_json is not UNSET:
            yield "an audit record", event.args_json


def _words(turns: Iterable[Turn]) -> Counter[str]:
    """Count in how many texts of the scenario each word stands."""
    counts: Counter[str] = Counter()
    for turn in turns:
        texts = [turn.message, turn.draft]
        for call in turn.calls:
            texts += [call.data_json, call.summary, call.error, call.app, call.function]
        for text in texts:
            counts.update(set(_WORD.findall(text)))
    return counts


def _marked(step: StepView, turn: Turn, words: Counter[str]) -> Iterator[Marked]:
    for index, call in enumerate(turn.calls):
        found = filter(_NUMBERED.search, _WORD.findall(call.data_json))
        own = [word for word in found if words[word] == 1]
        whole = [word for word in own if not any(word in one for one in words if one != word)]
        if call.status == "success" and whole:
            yield Marked(step, index, call, max(whole, key=len))


def _is_small(turn: Turn, view: TraceView) -> bool:
    """Whether nothing of a turn's facts can have been cut."""
    sizes = [len(call.data_json) + _LINE_ROOM for call in turn.calls]
    caps = view.parameters
    fits = caps.call_cap is None or all(_SAFETY * size <= caps.call_cap for size in sizes)
    return fits and _SAFETY * sum(sizes) <= caps.turn_cap


def _later(step: StepView, others: Iterable[StepView]) -> str | None:
    home = step.user, step.session
    nearest = next((one for one in others if (one.user, one.session) == home), None)
    prompt = nearest.first(ClassifierPrompt) if nearest else None
    return prompt_text(prompt) if prompt else None
