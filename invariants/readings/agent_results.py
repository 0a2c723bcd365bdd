"""How a message shows what a tool returned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..vocabulary.json_values import Difference, differences, leaves, parse, parse_at
from ..vocabulary.messages import Message
from ..vocabulary.trace_view import TraceView
from .agents import AgentCall, AgentRequest, ShownResult, read_agent
from .embedded_values import canonical, values_in
from .envelopes import unwrapped
from .recorded_results import is_python_literal

_REMEMBERED = 4096
_SAYS_ERROR = (
    "error",
    "fail",
    "exception",
    "not run",
    "invalid",
    "refused",
    "declined",
    "could not",
)
_LEAST_CUT = 8
_CONTINUING = frozenset("_.+-[]{}\"'")
"""What next to a value makes it a part of another one."""
_MARK = re.compile(r'"(?:isError|is_error)"\s*:\s*(?:true|false)')
_MARKED = re.compile(r'"(?:isError|is_error)"\s*:\s*true')


@dataclass(frozen=True)
class Shown:
    """What a result shows of the value that its tool returned.

    Attributes:
        is_kept: whether it is that value.
        is_json: whether it is JSON at all, or the text itself.
        difference: the first place where another JSON value differs.
        is_cut: whether it is the beginning of what the tool returned.
    """

    is_kept: bool = False
    is_json: bool = True
    difference: Difference | None = None
    is_cut: bool = False


@dataclass(frozen=True)
class ResultRead:
    """A result of a call of ours that succeeded, at its first request, and in later turns.

    Attributes:
        request: the request that shows it.
        result: the message.
        call: the call.
        shown: what it shows.
        exchanged: another call of the turn, if it shows what that one returned.
    """

    request: AgentRequest
    result: ShownResult
    call: AgentCall
    shown: Shown
    exchanged: AgentCall | None = None

    @property
    def is_later(self) -> bool:
        """Whether a turn after its own shows it."""
        return self.call.turn is not self.request.turn


def read_results(view: TraceView) -> list[ResultRead]:
    """Read each result, once for each content that it has; use it through ``view.reading``."""
    found: list[ResultRead] = []
    met: set[tuple[int, bool, tuple[str, ...]]] = set()
    recorded = view.trace.origin == "recording"
    for turn in view.reading(read_agent):
        for request in turn.requests:
            for result in request.results_anew:
                call = result.given
                if call is None or not call.succeeded or (recorded and _is_printed(call.data)):
                    continue
                texts = contents(result.message)
                key = (id(call), call.turn is not turn, texts)
                if key not in met:
                    met.add(key)
                    shown = compared(texts, call.call.data_json)
                    other = None if shown.is_kept else _exchanged(call, texts)
                    found.append(ResultRead(request, result, call, shown, other))
    return found


def _is_printed(data: object) -> bool:
    """Whether a recording holds what Python printed, in place of what the tool returned."""
    return isinstance(data, str) and is_python_literal(data)


def _exchanged(call: AgentCall, texts: tuple[str, ...]) -> AgentCall | None:
    """Return the call of the same turn whose result this is."""
    found = frozenset[str]().union(*map(values_in, texts))
    others = (x for x in call.turn.calls if x is not call and x.succeeded and _tells_much(x))
    return next((x for x in others if canonical(x.data) in found or x.data in texts), None)


def _tells_much(call: AgentCall) -> bool:
    """Whether what it returned is not by chance part of another result."""
    return len(call.call.data_json) >= _LEAST_CUT


@lru_cache(maxsize=_REMEMBERED)
def compared(texts: tuple[str, ...], data_json: str) -> Shown:
    """Compare what a message may say with what a tool returned."""
    data = parse(data_json)
    if data_json in texts:
        return Shown(is_kept=True)  # as nearly all are: byte for byte
    read: list[Shown] = []
    for text in (each for one in texts for each in (*unwrapped(one), one)):
        if text == data:
            return Shown(is_kept=True)
        try:
            difference = next(differences(data, parse(text)), None)
        except (ValueError, RecursionError):
            if _holds(text, data, data_json):
                return Shown(is_kept=True)
            begins = len(text) >= _LEAST_CUT and data_json.startswith(text[: -_LEAST_CUT // 2])
            read.append(Shown(is_json=False, is_cut=begins))
            continue
        if difference is None:
            return Shown(is_kept=True)
        read.append(Shown(difference=difference))
    return next((each for each in read if each.is_json or each.is_cut), read[0])


def _holds(text: str, data: object, data_json: str) -> bool:
    """Whether a text that is no JSON has words of its own around the value."""
    at = text.find(data_json)
    around = (text[at - 1 : at], text[at + len(data_json) :][:1]) if at >= 0 else ("0",)
    if not any(each.isalnum() or each in _CONTINUING for each in filter(None, around)):
        return True
    begin = min((x for x in map(text.find, '{["') if x >= 0), default=-1)
    if begin < 0 or not isinstance(data, (dict, list)):
        return False
    try:
        value, _ = parse_at(text, begin)
    except (ValueError, RecursionError):
        return False
    return next(differences(data, value), None) is None


def meant(message: Message) -> Iterator[str]:
    """Yield what a message may say: its contents, and what they are envelopes around."""
    for text in contents(message):
        yield text
        yield from unwrapped(text)


def words_of(message: Message) -> Iterator[str]:
    """Yield what a message may say, and the texts in it where that is JSON."""
    for text in meant(message):
        yield text
        try:
            inside = leaves(parse(text))
        except (ValueError, RecursionError):
            continue
        yield from (each for each in inside if isinstance(each, str))


def contents(message: Message) -> tuple[str, ...]:
    """Return a message's content as it stands there, then as its parts alone may mean it."""
    return tuple(dict.fromkeys(_contents(message))) or ("",)


def _contents(message: Message) -> Iterator[str]:
    if not isinstance(message.content, str):
        texts = [part.text for part in message.content if isinstance(part.text, str)]
        yield "".join(texts)
        yield from texts
        yield from (part.json for part in message.content if isinstance(part.json, str))
    yield message.content_text


def says_error(message: Message, error: str = "") -> bool:
    """Whether a message tells the model of a failure, by its mark or in words."""
    text = message.content_text
    if message.is_error is True or _MARKED.search(text):
        return True
    if error and any(error in each for each in words_of(message)):
        return True
    text = _MARK.sub("", text)
    return any(word in text.lower() for word in _SAYS_ERROR)
