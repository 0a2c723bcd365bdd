"""What an agent runtime was given in each turn, and what its requests to the model show of it.

A call is told from others by the arguments with which the model asked for it; the ``ref`` that the
suite puts among them is no part of them, and only tells equal calls apart. So nothing hangs on how
a runtime names calls in later turns.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from ..vocabulary.json_values import is_list, is_object, parse
from ..vocabulary.messages import Message, Prompt, ToolCall
from ..vocabulary.scenario import AgentTurn, Call, Confirm, Turn
from ..vocabulary.text import shorten
from ..vocabulary.trace import (
    AgentFailed,
    CallDispatched,
    ConfirmationCard,
    ModelRequest,
    Reply,
    ToolResult,
)
from ..vocabulary.trace_view import StepView, TraceView
from .embedded_values import canonical, values_in
from .roles import is_result

REF = "ref"
"""The argument that the suite adds to those of the scenario."""

WHOSE = (
    "A red verdict is the runtime's, unless its wiring does this itself: it may call the tools, "
    "keep the history, or write the messages."
)
"""Whose a breach may be, where the wiring could do the same."""

THEIRS = "A red verdict is the runtime's: no wiring stands between the model's answer and this."
"""Whose a breach is, where the wiring has no part in it."""

_REF = re.compile(r'"ref"\s*:\s*"t\d+c(\d+)"')

_BROKEN = re.compile(
    r"([<\[])(?:[\u200b-\u200d\u2060\ufeff]|\\u200[b-d]|\\u2060|\\ufeff)(?=[|\uff5c/<\[A-Za-z])"
)
"""A token of a chat template with a character without width behind its first one."""

_REMEMBERED = 4096

Owner = tuple[str, str]
"""User and session."""


@lru_cache(maxsize=_REMEMBERED)
def may_mean(name: str, app: str, function: str) -> bool:
    """Whether a name on the wire may mean this function, whatever stands before it."""
    flat = name.replace("__", "_").replace(".", "_").replace("-", "_")
    return flat.endswith(f"{app}_{function}") or flat == function


@dataclass(eq=False)
class AgentCall:
    """A call that our model asks for.

    Attributes:
        turn: the turn.
        index: index of the call inside the turn.
        call: the call, with what its tool returns.
        arguments: the text of the arguments as the scenario has it.
        is_cut: whether the arguments end in the middle.
        ran: what reached the tool, each time that it was called.
        recorded_id: its id, which recordings tell; empty in a run of ours.
        is_bound: whether a request was seen to show the call.
    """

    turn: AgentStep
    index: int
    call: Call
    arguments: str
    is_cut: bool
    ran: list[CallDispatched] = field(default_factory=list[CallDispatched])
    recorded_id: str = ""
    is_bound: bool = False

    @property
    def name(self) -> str:
        """The call for people."""
        return f"call {self.index}, {self.call.app}.{self.call.function}"

    @property
    def succeeded(self) -> bool:
        """Whether its tool was called, and returned a result."""
        return bool(self.ran) and self.call.status == "success"

    @cached_property
    def is_whole(self) -> bool:
        """Whether its arguments are a whole JSON object."""
        return not self.is_cut and is_object(_parsed(self.arguments))

    @cached_property
    def data(self) -> Any:
        """What its tool returns, parsed."""
        return parse(self.call.data_json)

    def is_called(self, name: str) -> bool:
        """Whether a name on the wire may mean its function."""
        return may_mean(name, self.call.app, self.call.function)


@dataclass(eq=False)
class AgentStep:
    """A turn of an agent: what was given, and its requests to the model.

    Attributes:
        step: its step.
        turn: what was given.
        agent: what our model does in it.
        number: its place among the turns of the trace.
        group: the same for turns that run at the same time, and larger for later ones.
        overlaps: whether another turn runs at the same time.
        calls: what our model asks for.
        requests: what the runtime sent to our model.
        answers: steps in which somebody answered what waits in it; what happened then is its, too.
    """

    step: StepView
    turn: Turn
    agent: AgentTurn
    number: int
    group: int
    overlaps: bool
    calls: list[AgentCall] = field(default_factory=list[AgentCall])
    requests: list[AgentRequest] = field(default_factory=list["AgentRequest"])
    answers: list[StepView] = field(default_factory=list["StepView"])

    @property
    def owner(self) -> Owner:
        """Whose turn it is."""
        return self.step.user, self.step.session

    @property
    def reply(self) -> Reply | None:
        """What the user saw."""
        return self.step.first(Reply)

    @property
    def failed(self) -> bool:
        """Whether it ended with an error."""
        return self.step.first(AgentFailed) is not None

    @property
    def waits(self) -> bool:
        """Whether it waits for its user still, as far as its own answers tell."""
        own = [step for step in self.answers if (step.user, step.session) == self.owner]
        ends = [
            event
            for step in (self.step, *own)
            for event in step.events
            if isinstance(event, (Reply, AgentFailed, ConfirmationCard))
        ]
        return bool(ends) and isinstance(ends[-1], ConfirmationCard)

    @property
    def ended(self) -> bool:
        """Whether the model was asked for all calls, and said its last word."""
        cuts = len(self.agent.cut)
        batches = len(self.calls) if self.agent.one_by_one else min(len(self.calls), 1) + cuts
        last = (x.event for x in self.requests if x.event.answered == "text")
        return self.reply is not None and any(each.number >= batches for each in last)

    def met(self, fault: str) -> bool:
        """Whether our model answered with this fault in it."""
        return any(each.event.answered == fault for each in self.requests)

    @property
    def streams(self) -> bool:
        """Whether it asked for streams."""
        return any(each.event.stream for each in self.requests)


@dataclass(frozen=True)
class ShownCall:
    """A call as a message asks for it; ``given`` is ours, if it is one of ours."""

    ask: ToolCall
    given: AgentCall | None
    place: int


@dataclass(frozen=True)
class ShownResult:
    """A message with the result of a call.

    Attributes:
        message: the message.
        call_id: the id that it names.
        of: the call that has this id and stands before it, if there is one.
        place: index of the message in the request.
    """

    message: Message
    call_id: str
    of: ShownCall | None
    place: int

    @property
    def given(self) -> AgentCall | None:
        """The call of ours whose result it is to be."""
        return self.of.given if self.of else None


@dataclass(eq=False)
class AgentRequest:
    """A request to the model.

    Attributes:
        turn: the turn in which it was sent.
        event: the request.
        after: the request before it, if this one begins with all that it shows, and so with all
            that was read of it; only recordings are read so, which tell the ids of calls.
        calls: the calls that it shows, in order.
        results: the results that it shows in messages of their own, in order.
        places: the calls of ours whose results are shown, by identity, each with the index of the
            first; one for all requests that go on from one another.
        has_several: whether one of its messages asks for several calls.
        of_turn: the index of the first result that no earlier turn was read to show.
    """

    turn: AgentStep
    event: ModelRequest
    after: AgentRequest | None = None
    calls: list[ShownCall] = field(default_factory=list[ShownCall])
    results: list[ShownResult] = field(default_factory=list[ShownResult])
    places: dict[int, int] = field(default_factory=dict[int, int])
    has_several: bool = False
    of_turn: int = 0

    @property
    def messages(self) -> tuple[Message, ...]:
        """Its messages; a prompt of one text is a message of the user."""
        prompt = self.event.prompt
        return (Message(role="user", content=prompt),) if isinstance(prompt, str) else prompt

    @property
    def others(self) -> Iterator[Message]:
        """The messages that are no results."""
        return (each for each in self.messages if not is_result(each))

    @cached_property
    def alike(self) -> Counter[str]:
        """How many calls it shows with the same arguments."""
        asks = (ask for message in self.messages for ask in message.asks_for)
        return Counter(_signature(ask.arguments) for ask in asks)

    @cached_property
    def unpaired(self) -> list[Message]:
        """The messages that are no results, and those whose call nobody knows."""
        paired = {each.place for each in self.results if each.given}
        return [each for place, each in enumerate(self.messages) if place not in paired]

    @property
    def new_calls(self) -> list[ShownCall]:
        """The calls that the request before it did not show."""
        return self.calls[len(self.after.calls) :] if self.after else self.calls

    @property
    def new_results(self) -> list[ShownResult]:
        """The results that the request before it did not show."""
        return self.results[len(self.after.results) :] if self.after else self.results

    @property
    def results_anew(self) -> list[ShownResult]:
        """The results that were not read before, as results of this turn or of an earlier one."""
        if self.after is None or self.after.turn is self.turn:
            return self.new_results
        return self.results[self.after.of_turn :]

    def shows(self, call: AgentCall) -> bool:
        """Whether the result of a call stands in a message of its own."""
        return self.places.get(id(call), len(self.results)) < len(self.results)

    @cached_property
    def told(self) -> frozenset[str]:
        """The JSON values that stand in texts which are no result of a call that is known."""
        return frozenset[str]().union(*(values_in(each.content_text) for each in self.unpaired))

    def knows(self, call: AgentCall) -> bool:
        """Whether it shows that a call was made, by the call, its result or its failure."""
        if self.tells(call) or any(shown.given is call for shown in self.calls):
            return True
        error = call.call.error
        return bool(error) and any(error in each.content_text for each in self.messages)

    def tells(self, call: AgentCall) -> bool:
        """Whether the result of a call stands in it, in whatever form."""
        if self.shows(call) or canonical(call.data) in self.told:
            return True
        if isinstance(call.data, str) and any(call.data in x.content_text for x in self.unpaired):
            return True
        return any(_written(call.data) in each.content_text for each in self.messages)


def _written(data: Any) -> str:
    """A value as Python writes it: not as it should be, but there."""
    return repr(data) if (is_object(data) or is_list(data)) and data else "\0"


def read_agent(view: TraceView) -> list[AgentStep]:
    """Read every turn of an agent; use it through ``view.reading``."""
    turns: list[AgentStep] = []
    for step in view.steps:
        turn = step.stimulus
        if isinstance(turn, Confirm):
            _answered(step, turn, turns)
        if isinstance(turn, Turn) and turn.agent is not UNSET:
            if turns and turn.agent.overlaps:
                turns[-1].overlaps = True
            turns.append(_given(step, turn, turn.agent, turns))
    reader = _Requests(_Known(turns))
    for turn in turns:
        steps = (turn.step, *turn.answers)
        for event in (event for step in steps for event in step.all(ModelRequest)):
            turn.requests.append(reader.read(turn, event))
    return turns


def _given(step: StepView, turn: Turn, agent: AgentTurn, before: list[AgentStep]) -> AgentStep:
    group = before[-1].group + (not agent.overlaps) if before else 0
    found = AgentStep(step, turn, agent, len(before), group, agent.overlaps)
    for index, call in enumerate(turn.calls):
        text = agent.arguments[index] if index < len(agent.arguments) else "{}"
        found.calls.append(AgentCall(found, index, call, text, index in agent.cut))
    _add_runs(step, found)
    for event in step.all(ToolResult):
        if event.id and event.call is not None and 0 <= event.call < len(found.calls):
            found.calls[event.call].recorded_id = event.id
    return found


def _answered(step: StepView, answer: Confirm, turns: list[AgentStep]) -> None:
    for turn in turns:
        if turn.turn.message == answer.message:
            turn.answers.append(step)
            _add_runs(step, turn)


def _add_runs(step: StepView, turn: AgentStep) -> None:
    """Note which calls of a turn have run in a step: its own, or that of an answer to it."""
    for event in step.all(CallDispatched):
        if event.call is not None and 0 <= event.call < len(turn.calls):
            turn.calls[event.call].ran.append(event)


class _Requests:
    """Reads requests, one after the other; of one that goes on from the last only what is new.

    Args:
        known: the calls of the trace.
    """

    def __init__(self, known: _Known) -> None:
        self._known = known
        self._sent: Prompt = ""
        self._last: AgentRequest | None = None
        self._is_settled = False
        self._by_id: dict[str, ShownCall] = {}
        self._met: set[int] = set()

    def read(self, turn: AgentStep, event: ModelRequest) -> AgentRequest:
        """Read the next request."""
        shared = self._shared(event.prompt)
        sent = self._unbroken(event, shared)
        last = self._last if shared and self._is_settled else None
        if last is None:
            found = AgentRequest(turn, sent)
            self._by_id, self._met, self._is_settled = {}, set(), True
        else:
            found = AgentRequest(
                turn,
                sent,
                after=last,
                calls=[*last.calls],
                results=[*last.results],
                places=last.places,
                has_several=last.has_several,
                of_turn=last.of_turn if last.turn is turn else len(last.results),
            )
        self._sent, self._last = event.prompt, found
        messages = found.messages
        for place in range(shared if last else 0, len(messages)):
            self._add(found, messages[place], place)
        return found

    def _shared(self, prompt: Prompt) -> int:
        """Return the number of messages of the last prompt, if this one begins with all of them."""
        sent = self._sent
        if isinstance(prompt, str) or isinstance(sent, str) or prompt[: len(sent)] != sent:
            return 0
        return len(sent)

    def _unbroken(self, event: ModelRequest, shared: int) -> ModelRequest:
        """Return a request with the tokens of chat templates as they were.

        A runtime may put a character without width inside of them, so that no tokeniser takes them
        for its own; that defence is no change of what somebody said.
        """
        if isinstance(event.prompt, str):
            return replace(event, prompt=_whole_tokens(event.prompt))
        before = self._last.messages[:shared] if self._last else ()
        return replace(event, prompt=before + tuple(map(_unbroken_message, event.prompt[shared:])))

    def _add(self, found: AgentRequest, message: Message, place: int) -> None:
        for ask in message.asks_for:
            given = self._known.find(ask, found.turn, self._met, found)
            self._met.add(id(given))
            self._by_id[ask.id] = ShownCall(ask, given, place)
            found.calls.append(self._by_id[ask.id])
            self._is_settled &= self._known.is_settled(ask, found.turn)
        found.has_several |= len(message.asks_for) > 1
        if is_result(message):
            call_id = message.tool_call_id or ""
            shown = ShownResult(message, call_id, self._by_id.get(call_id), place)
            if shown.given is not None:
                found.places.setdefault(id(shown.given), len(found.results))
            found.results.append(shown)


def _unbroken_message(message: Message) -> Message:
    content = message.content
    if isinstance(content, str):
        content = _whole_tokens(content)
    else:
        content = tuple(
            replace(part, text=_whole_tokens(part.text)) if isinstance(part.text, str) else part
            for part in content
        )
    asked = tuple(replace(ask, arguments=_whole_tokens(ask.arguments)) for ask in message.asks_for)
    return replace(message, content=content, tool_calls=asked or message.tool_calls)


def _whole_tokens(text: str) -> str:
    return _BROKEN.sub(r"\1", text) if not text.isascii() or "\\u20" in text else text


class _Known:
    """The calls of a trace, found by what a request shows of them."""

    def __init__(self, turns: list[AgentStep]) -> None:
        self._found: dict[tuple[str, str], AgentCall | None] = {}
        self._by_text: dict[str, AgentCall] = {}
        self._by_id: dict[str, AgentCall] = {}
        self._of_turn: defaultdict[tuple[str, int], deque[AgentCall]] = defaultdict(deque)
        self._of_owner: defaultdict[tuple[str, Owner], list[AgentCall]] = defaultdict(list)
        self._of_all: defaultdict[str, list[AgentCall]] = defaultdict(list)
        self._broken: defaultdict[Owner, list[AgentCall]] = defaultdict(list)
        self._recorded: dict[str, AgentCall | None] = {}
        for turn in turns:
            for call in turn.calls:
                if call.recorded_id:
                    twice = call.recorded_id in self._recorded
                    self._recorded[call.recorded_id] = None if twice else call
                    continue
                text = _signature(call.arguments)
                self._of_turn[text, turn.number].append(call)
                self._of_owner[text, turn.owner].append(call)
                self._of_all[text].append(call)
            self._broken[turn.owner] += [call for call in turn.calls if not call.is_whole]

    def find(
        self, ask: ToolCall, turn: AgentStep, met: set[int], request: AgentRequest
    ) -> AgentCall | None:
        """Return the call that a request shows.

        Args:
            ask: what it shows.
            turn: the turn of the request.
            met: the calls that it has shown already.
            request: the request.
        """
        if ask.id in self._recorded:
            return self._recorded[ask.id]
        key = (ask.id, ask.arguments)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._new(ask, turn, met, request)
        if found is not None and (not found.is_whole or _REF.search(ask.arguments)):
            self._by_text[ask.arguments] = found
        if found is not None and not found.is_whole:
            self._by_id[ask.id] = found
        return found

    def is_settled(self, ask: ToolCall, turn: AgentStep) -> bool:
        """Whether what a request of a turn shows is the same call in every request behind it."""
        call = self._recorded.get(ask.id)
        return ask.id in self._recorded and (call is None or call.turn.number <= turn.number)

    def _new(
        self, ask: ToolCall, turn: AgentStep, met: set[int], request: AgentRequest
    ) -> AgentCall | None:
        if ask.arguments in self._by_text:
            return self._by_text[ask.arguments]
        text, ref = _signature(ask.arguments), _REF.search(ask.arguments)
        index = int(ref[1]) if ref else None
        owned = self._of_owner.get((text, turn.owner), [])
        for call in self._candidates(text, turn):
            if not call.is_bound and index in (None, call.index) and call.is_called(ask.name):
                call.is_bound = True
                return call
        for call in _backwards(self._broken[turn.owner], turn):
            if not call.is_bound and call.is_called(ask.name) and ref is None:
                call.is_bound = True
                return call
        broken = self._by_id.get(ask.id)
        if broken is not None and ref is None and broken.is_called(ask.name):
            return broken  # some show nothing, or another text, in place of what is no JSON
        newest = islice(_backwards(owned, turn), request.alike[text])
        known = [x for x in newest if id(x) not in met]
        return next((x for x in reversed(known) if x.is_called(ask.name)), None)

    def _candidates(self, text: str, turn: AgentStep) -> Iterator[AgentCall]:
        """Yield the calls with these arguments that a request may show, likely ones first.

        The first one of a turn shows none of its own calls: they are asked for in answer to it.
        """
        own = self._of_turn.get((text, turn.number), deque[AgentCall]())
        owned = self._of_owner.get((text, turn.owner), [])
        every = self._of_all.get(text, [])
        for call in chain(own, _backwards(owned, turn), _backwards(every, turn)):
            if turn.requests or call.turn is not turn:
                yield call


def _backwards(calls: list[AgentCall], turn: AgentStep) -> Iterator[AgentCall]:
    """Yield calls that are not of later turns, the newest first."""
    return (call for call in reversed(calls) if call.turn.number <= turn.number)


@lru_cache(maxsize=_REMEMBERED)
def _signature(text: str) -> str:
    value = _parsed(text)
    if not is_object(value):
        return text.strip()
    try:
        return canonical({name: item for name, item in value.items() if name != REF})
    except RecursionError:
        return text.strip()


def _parsed(text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


def told(message: Message) -> str:
    """Return a message for people."""
    return f"a message of {message.role}: {shorten(message.content_text) or 'nothing'}"
