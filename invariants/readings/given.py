"""What the suite gave in each turn, and how a line of a prompt fits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ..vocabulary.json_values import is_object, parse
from ..vocabulary.scenario import Call, Turn
from ..vocabulary.text import counted, shorten
from ..vocabulary.trace import Digest
from ..vocabulary.trace_view import StepView
from .envelopes import unwrapped
from .payload import Payload, read_payload, read_text

ENVELOPE = "_action_meta"

SHOWN = 1000
"""Agreement of a line that shows a call; so much more than the others that no number of
doubtful matches outweighs a certain one."""

_OTHER_OWNER, _OTHER_DATA = 3, 2
_LINE_ROOM, _SAFETY = 80, 2
"""Characters that the rest of a line may take; how far below the cap is certainly below it."""

_EMPTY = "{}"
"""What masking may leave of an object whose keys it takes away; no better than a part of it."""

REMEMBERED = 512
"""Texts of which a reading is kept: one payload stands in many prompts, and in many traces."""


class ShownFact(NamedTuple):
    """A fact as it stands in a prompt: what, whose, of which call, and where.

    Attributes:
        text: the FACTS line, or whose message it is and what it says.
        app: the extension that owns the function; ``None`` where the prompt does not tell.
        function: the function, likewise.
        payload: what it shows, as it stands there.
        start: where it begins in the prompt's text.
        end: where it ends.
        written: whether it is a FACTS line; else it is the message of a tool.
        others: what else it shows if the payload consists of parts.
        call_id: the call that the message names, if any.
        failed: whether it is marked as an error, and so is none of a success.
        place: where a message counts as standing: at its call, for calls run side by side.
    """

    text: str
    app: str | None
    function: str | None
    payload: str
    start: int
    end: int
    written: bool = True
    others: tuple[str, ...] = ()
    call_id: str = ""
    failed: bool = False
    place: int = -1

    @property
    def order(self) -> int:
        """Where it stands among the facts of its prompt."""
        return self.start if self.place < 0 else self.place


@dataclass(eq=False)
class GivenCall:
    """A call that the suite gave, in its turn."""

    call: Call
    index: int
    turn: GivenTurn

    @property
    def content(self) -> tuple[str, str, str]:
        """Extension, function and data: calls that share these have equal lines."""
        return self.call.app, self.call.function, self.call.data_json

    @cached_property
    def raw(self) -> Any:
        """The given data, parsed, envelope and all."""
        return _given_value(self.call.data_json)[0]

    @cached_property
    def data(self) -> Any:
        """The given data, parsed, without its ``_action_meta`` envelope."""
        return given_data(self.call.data_json)

    def owns(self, line: ShownFact) -> bool:
        """Whether the fact names this call's extension and function, or nobody else's."""
        call = self.call
        return line.app in (call.app, None) and line.function in (call.function, None)

    def payload(self, text: str) -> Payload:
        """Read a payload text against this call's data."""
        return _payload(text, self.call.data_json, self.turn.masked)

    def payload_of(self, fact: ShownFact) -> Payload:
        """Read what a fact shows against this call's data."""
        if fact.written:
            return self.payload(fact.payload)
        texts = (fact.payload, *fact.others)
        return _message_payload(texts, self.call.data_json, self.turn.masked)

    def shown_by(self, line: ShownFact) -> bool:
        """Whether the line names this call's owner and shows its data, whole or cut."""
        return self.agreement(line) >= SHOWN

    def agreement(self, line: ShownFact) -> int:
        """How well a line fits this call; 0 is not at all, ``SHOWN`` and more is certain."""
        payload = self.payload_of(line)
        if payload.intact:
            emptied = payload.text == _EMPTY and self.data != {}
            return SHOWN + (not emptied) if self.owns(line) else _OTHER_OWNER
        if payload.cut:
            return SHOWN if self.owns(line) else _OTHER_OWNER
        return _OTHER_DATA if self.owns(line) else 0


@dataclass(eq=False)
class GivenTurn:
    """A turn that the suite gave: its step and its calls."""

    step: StepView
    turn: Turn
    masked: bool
    cap: int
    calls: list[GivenCall] = field(default_factory=list[GivenCall])

    @cached_property
    def successful(self) -> list[GivenCall]:
        """The calls that belong in the ledger, in dispatch order."""
        return [given for given in self.calls if given.call.status == "success"]

    @cached_property
    def small(self) -> bool:
        """Whether the turn is so far below the cap that nothing of it can have been cut."""
        spent = sum(len(given.call.data_json) + _LINE_ROOM for given in self.successful)
        return _SAFETY * spent <= self.cap


def told_digests(digests: Sequence[Digest]) -> str:
    """Return for people which digests were written: their number, then the first of them."""
    shown = [f"{d.app_id}.{d.fn_name} {shorten(d.data_facts_json, 60)}" for d in digests[:6]]
    return f"{counted(len(digests), 'digest')}: {'; '.join(shown)}" if shown else "no digest"


def given_data(data_json: str) -> Any:
    """Return given data, parsed, without its ``_action_meta`` envelope; it must not be changed."""
    return _given_value(data_json)[1]


@lru_cache(maxsize=REMEMBERED)
def _given_value(data_json: str) -> tuple[Any, Any]:
    raw = parse(data_json)
    if is_object(raw) and ENVELOPE in raw:
        return raw, {key: value for key, value in raw.items() if key != ENVELOPE}
    return raw, raw


@lru_cache(maxsize=REMEMBERED)
def _payload(text: str, data_json: str, masked: bool) -> Payload:
    return read_payload(text, given_data(data_json), safe_only=masked)


@lru_cache(maxsize=REMEMBERED)
def _message_payload(texts: tuple[str, ...], data_json: str, masked: bool) -> Payload:
    """Read the text that shows the data best: a message may hold a text bare, or an envelope.

    An envelope itself may be meant only where the data are one.
    """
    data, is_one = given_data(data_json), bool(unwrapped(data_json))
    meant = [each for text in texts for each in _meant(text, is_one)]
    read = [_payload(text, data_json, masked) for text in meant]
    if isinstance(data, str):
        bare = [text for text in meant if not text.startswith('"') or data.startswith('"')]
        read += [read_text(text, data, safe_only=masked) for text in bare]
    return max(read, key=lambda payload: (payload.intact, payload.cut))


def _meant(text: str, is_one: bool) -> tuple[str, ...]:
    inside = unwrapped(text)
    return (text, *inside) if is_one or not inside else inside
