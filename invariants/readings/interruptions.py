"""What became of turns that were delivered again, stopped, or taken up by a new process.

To the ledger such a turn is one turn, with the calls that came back: read so, each prompt from
then on owes what it owes in any other conversation. What a call that must not run would have
returned is known by a word that no other text of the scenario holds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from ..vocabulary.scenario import Call, Turn
from ..vocabulary.trace import (
    AuditRecord,
    ClassifierPrompt,
    Digest,
    Given,
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

BEFORE, BETWEEN, AFTER = "before its calls", "between its calls", "after its calls"


class Undone(NamedTuple):
    """A call that had not begun when its turn was stopped.

    Attributes:
        step: the step of the turn.
        place: its place in the turn.
        call: what was given.
        words: what tells of it, wherever it stands.
    """

    step: StepView
    place: int
    call: Call
    words: frozenset[str]


class Turned(NamedTuple):
    """A turn.

    Attributes:
        step: the turn's step.
        turn: what was given.
        began: the step of the first turn that runs at the same time; its own if none does.
        whole: the turn with the calls that came back alone.
    """

    step: StepView
    turn: Turn
    began: int
    whole: Turn

    @property
    def kind(self) -> Kind | None:
        """What befell it."""
        return None if self.turn.interrupted is UNSET else self.turn.interrupted.kind

    @property
    def after(self) -> int:
        """How many of its calls had come back."""
        return 0 if self.turn.interrupted is UNSET else max(self.turn.interrupted.after, 0)

    @property
    def moment(self) -> str:
        """When it happened, as the partitions name it."""
        if self.after <= 0:
            return BEFORE
        return AFTER if self.after >= len(self.turn.calls) else BETWEEN


class Interruptions(NamedTuple):
    """The turns of a trace.

    Attributes:
        turns: in order.
        undone: the calls that must not run any more.
        told_of: the words that only texts of each user hold, those of tools and replies.
        whole: the trace in which each turn is one turn with the calls that came back.
    """

    turns: tuple[Turned, ...]
    undone: tuple[Undone, ...]
    told_of: dict[str, frozenset[str]]
    whole: TraceView

    @property
    def first(self) -> int:
        """The step from which on something may have befallen a turn."""
        return min((one.began for one in self.turns if one.kind), default=len(self.whole.steps))

    def latest(self, step: int) -> Turned | None:
        """Return what befell a turn last: before this step, in it, or at the same time."""
        now = next((one.began for one in self.turns if one.step.index == step), step)
        befallen = [one for one in self.turns if one.kind and one.began <= now]
        mine = [one for one in befallen if one.step.index == step]
        return mine[0] if mine else befallen[-1] if befallen else None


def read_interruptions(view: TraceView) -> Interruptions:
    """Read the turns of a trace; use it through ``view.reading``."""
    turns: list[Turned] = []
    for step in view.steps:
        turn = step.stimulus
        if isinstance(turn, Turn):
            together = turn.overlaps is True and turns
            began = turns[-1].began if together else step.index
            turns.append(Turned(step, turn, began, _whole(turn)))
    words = _words(one.turn for one in turns)
    undone = [
        Undone(one.step, place, call, _own(call, words))
        for one in turns
        for place, call in enumerate(one.turn.calls)
        if place >= len(one.whole.calls)
    ]
    return Interruptions(tuple(turns), tuple(undone), _told_of(turns), _as_whole(view))


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


def words_in(text: str) -> set[str]:
    """Return the words of a text that no prompt holds by itself."""
    return set(filter(_NUMBERED.search, _WORD.findall(text)))


def _whole(turn: Turn) -> Turn:
    if turn.interrupted is UNSET:
        return turn
    stopped = turn.interrupted.kind == "cancelled"
    calls = turn.calls[: max(turn.interrupted.after, 0)] if stopped else turn.calls
    return replace(turn, calls=calls, interrupted=UNSET)


def _as_whole(view: TraceView) -> TraceView:
    events = (
        replace(event, stimulus=_whole(event.stimulus))
        if isinstance(event, Given) and isinstance(event.stimulus, Turn)
        else event
        for event in view.trace.events
    )
    return TraceView(replace(view.trace, events=tuple(events)))


def _words(turns: Iterable[Turn]) -> Counter[str]:
    """Count in how many texts of the scenario each word stands."""
    texts = chain.from_iterable(_texts(turn) for turn in turns)
    return Counter(chain.from_iterable(words_in(text) for text in texts))


def _texts(turn: Turn) -> Iterator[str]:
    yield from (turn.message, turn.draft)
    for call in turn.calls:
        yield from (call.data_json, call.summary, call.error, call.app, call.function)


def _own(call: Call, words: Counter[str]) -> frozenset[str]:
    """Return the words of a call's data that no other text holds, not even as a part."""
    own = (word for word in words_in(call.data_json) if words[word] == 1)
    return frozenset(w for w in own if not any(w in other for other in words if other != w))


def _told_of(turns: list[Turned]) -> dict[str, frozenset[str]]:
    """Return by user the words of tools and replies that no text of another user holds."""
    every: dict[str, set[str]] = defaultdict(set)
    told: dict[str, set[str]] = defaultdict(set)
    for one in turns:
        texts = (one.turn.draft, *(call.data_json for call in one.turn.calls))
        told[one.step.user].update(*map(words_in, texts))
        every[one.step.user].update(*map(words_in, _texts(one.turn)))
    found: dict[str, frozenset[str]] = {}
    for user, words in told.items():
        others = set[str]().union(*(each for who, each in every.items() if who != user))
        found[user] = frozenset(
            word for word in words if not any(word in other for other in others)
        )
    return found
