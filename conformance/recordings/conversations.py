"""From the pieces of a conversation to a trace that judges read, and what is missing of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from ...invariants.readings.recorded_results import is_python_literal
from ...invariants.vocabulary.codec import decode
from ...invariants.vocabulary.errors import DocumentError
from ...invariants.vocabulary.json_values import is_list, is_object
from ...invariants.vocabulary.messages import Message, ToolCall
from ...invariants.vocabulary.parameters import Parameters
from ...invariants.vocabulary.scenario import AgentTurn, Call, Environment, Turn
from ...invariants.vocabulary.trace import (
    AgentFailed,
    AnyEvent,
    CallDispatched,
    Given,
    KernelDescription,
    ModelRequest,
    Reply,
    ToolResult,
    Trace,
)
from . import kernel_spans
from .blocks import held
from .calls import Asked, asked_for, reached, split_name, with_results
from .conventions import is_unnamed
from .messages import CUT, NO_CONTENT, CutText, Told, parsed, told
from .pieces import Piece, Window
from .spans import Place, Remarks

RECORDED = KernelDescription(kernel="recording", version="", capabilities=("agent",))
"""Stands for whatever ran: of it only the recording is known."""

_RECALLING = (*RECORDED.capabilities, "agent_recall")
"""What is claimed of a system that declares how far it looks back."""

STRINGIFIED, NO_USER = "stringified", "no user"
NO_RESULT, GAP, TWICE = "a call without its result", "gap", "a call id used twice"
TWO_RESULTS, NO_ARGUMENTS = "a call with two results", "arguments not told"

_TOLD_ALWAYS = {
    GAP: "a turn that speaks of a call which its session does not hold: the call of another "
    "session is not told from one that was not recorded",
    TWICE: "a turn with a call id used twice: a second run is not told from another call",
}
"""What is told of a recording whichever clauses judge it."""

_APART = (
    "a session that several unnamed services or processes tell: each is judged alone; set "
    "service.name"
)
_TOLD_TWICE = "a request as a second instrumentation tells it"

_NANO = 1e9


@dataclass
class Where:
    """Where a turn was recorded: trace and span, file and line, time in nanoseconds."""

    trace: str
    span: str
    place: Place
    start: int


@dataclass
class Conversation:
    """A conversation as it can be judged.

    Attributes:
        name: its session or trace, and whose it is.
        service: the system that recorded its requests, or the kernel that was run; empty if
            that is not told.
        trace: what judges read; each turn is a step.
        gaps: for each turn what is missing of it.
        where: for each turn where it was recorded.
        is_described: whether the trace tells what its kernel is, claims and was asked.
    """

    name: str
    service: str
    trace: Trace
    gaps: list[set[str]]
    where: list[Where]
    is_described: bool = False


@dataclass
class _Request:
    piece: Piece
    prompt: Told
    output: tuple[Message, ...]

    @property
    def calls(self) -> list[ToolCall]:
        """What the model asked for in its answer."""
        return [call for message in self.output for call in message.asks_for]

    @property
    def lacks_prompt(self) -> bool:
        """Whether its prompt is not told, or not whole."""
        return not self.prompt.messages or bool(self.prompt.gaps)

    @property
    def has_failed(self) -> bool:
        """Whether there is no answer, because something went wrong."""
        return bool(self.piece.failed) and not self.output


@dataclass
class _Turn:
    requests: list[_Request] = field(default_factory=list[_Request])
    results: list[Piece] = field(default_factory=list[Piece])
    user: str = ""
    gaps: set[str] = field(default_factory=set[str])

    @property
    def has_dropped(self) -> bool:
        """Whether an SDK left out something of a span, which may be any of it."""
        return any(x.dropped for x in (*self.results, *(y.piece for y in self.requests)))

    def shown(self, call: str) -> Iterator[str]:
        """Yield what its requests show as the result of a call that one of them asked for."""
        for request in self.requests[1:]:
            for message in reversed(request.prompt.messages):
                if message.role == "tool" and (message.tool_call_id or "") == call:
                    yield message.content_text
                if any(each.id == call for each in message.asks_for):
                    break


def conversations(
    pieces: Iterable[Piece], remarks: Remarks, kernel: KernelDescription = RECORDED
) -> Iterator[Conversation]:
    """Yield the conversations of a partition, in the order of their names.

    The same id of a session means another conversation in another system: one that shares no
    trace with the first.
    """
    grouped: dict[str, list[Piece]] = {}
    for piece in pieces:
        grouped.setdefault(piece.conversation, []).append(piece)
    for name in sorted(grouped):
        yield from _of_name(name, grouped.pop(name), remarks, kernel)


def _of_name(
    name: str, own: list[Piece], remarks: Remarks, kernel: KernelDescription
) -> Iterator[Conversation]:
    if own[0].kind == "log" and own[0].name == "fedcheck":
        yield from _own(name, own[0], remarks)
        return
    if own[0].kind == "step":
        yield _of_steps(name, own, remarks)
        return
    systems = _systems(own)
    if len(systems) > 1 and any(is_unnamed(piece.service) for piece in own):
        remarks.add(_APART, Place(own[0].file, own[0].line))
    for some in systems:
        if any(piece.kind != "whose" for piece in some):
            made = _conversation(name, some, remarks, kernel)
            if made is not None:
                yield made


def _systems(pieces: list[Piece]) -> list[list[Piece]]:
    """Return the pieces of each system: of services that recorded in one trace."""
    if len({piece.service for piece in pieces}) == 1:
        return [pieces]
    joined: list[tuple[set[str], set[str]]] = []  # services, traces
    for service, trace in sorted({(x.service, x.trace) for x in pieces}):
        services, traces = {service}, {trace}
        for each in [x for x in joined if service in x[0] or trace in x[1]]:
            joined.remove(each)
            services |= each[0]
            traces |= each[1]
        joined.append((services, traces))
    found = [[x for x in pieces if x.service in services] for services, _ in joined]
    return sorted(found, key=lambda some: min(x.service for x in some))


def _own(name: str, piece: Piece, remarks: Remarks) -> Iterator[Conversation]:
    """A trace that fedcheck wrote itself."""
    place = Place(piece.file, piece.line)
    try:
        trace = decode(piece.prompt, Trace, str(place))
    except DocumentError:
        remarks.add("no trace of fedcheck that this version reads", place)
        return
    given = [event for event in trace.events if isinstance(event, Given)]
    steps = max((event.step for event in given), default=-1) + 1
    starts = {event.step: int((event.at or 0) * _NANO) for event in given}
    yield Conversation(
        name,
        trace.kernel.kernel,
        trace,
        [{GAP} if step < trace.complete_from else set() for step in range(steps)],
        [Where("", "", place, starts.get(step, 0)) for step in range(steps)],
        is_described=trace.origin != "recording",
    )


def _of_steps(name: str, pieces: list[Piece], remarks: Remarks) -> Conversation:
    """What a kernel told of its steps, as spans."""
    trace, kept, is_whole = kernel_spans.assembled(pieces, name, remarks)
    return Conversation(
        name,
        kept[0].service or trace.kernel.kernel,
        trace,
        [{*filter(None, (*each.told.split("\n"), "" if is_whole else GAP))} for each in kept],
        [Where(x.trace, x.span, Place(x.file, x.line), x.start) for x in kept],
        is_described=True,
    )


def _conversation(
    name: str, pieces: list[Piece], remarks: Remarks, kernel: KernelDescription
) -> Conversation | None:
    limit = max((piece.longest for piece in pieces), default=0)
    kept = _once(pieces, remarks)
    requests = _told_once(_requests(kept, _prompts(pieces)), remarks)
    turns = _turns(requests, [x for x in kept if x.kind == "result"])
    if not turns:
        return None
    _give_users(turns, pieces, remarks)
    told = "+".join(sorted({x.service for x in pieces if x.service}))
    named = f"{name} of {told}" if told else name
    declaring = next((x for x in pieces if x.window != ""), None)
    if declaring is not None:
        kernel = _looking_back(kernel, declaring.window)
    made = _Assembly(named, name.partition(" ")[2], turns, limit, kernel).conversation()
    for gaps, where in zip(made.gaps, made.where, strict=True):
        for gap in _TOLD_ALWAYS.keys() & gaps:
            remarks.add(_TOLD_ALWAYS[gap], where.place)
    return made


def _looking_back(kernel: KernelDescription, window: Window) -> KernelDescription:
    turns = window if isinstance(window, int) else None
    return replace(kernel, capabilities=_RECALLING, parameters=Parameters(agent_turns=turns))


def _once(pieces: list[Piece], remarks: Remarks) -> list[Piece]:
    """Each piece once, by time; what is seen twice is counted."""
    pieces.sort(key=lambda x: (x.start, x.file, x.line, x.key))
    seen: dict[tuple[str, ...], Piece] = {}
    kept: list[Piece] = []
    for piece in pieces:
        if piece.kind == "whose":
            continue
        also = (piece.name, piece.prompt) if piece.kind == "log" else ()
        before = seen.setdefault((piece.kind, piece.trace, piece.span, *also), piece)
        if before is piece:
            kept.append(piece)
            continue
        same = (before.start, before.result, before.output, before.call) == (
            piece.start, piece.result, piece.output, piece.call,
        )  # fmt: skip
        place = Place(piece.file, piece.line)
        if same:
            remarks.add("a span that was recorded before", place)
        else:
            remarks.add("another span with the same ids; both are judged", place)
            kept.append(piece)
    return kept


def _prompts(pieces: Sequence[Piece]) -> dict[str, Told]:
    """The prompt of each request, by the key of its piece; they share what they begin with.

    Instructions are told beside the messages, and may be others in each request.
    """
    found: dict[str, Told] = {}
    spoken: dict[str, Told] = {}
    instructions: dict[str, Message] = {}
    for piece in sorted((x for x in pieces if x.kind == "request"), key=_by_key):
        own = told(piece.prompt, piece.form) if piece.prompt != "[]" else Told()
        if piece.base:
            base = spoken.get(piece.base)
            if base is None:
                own = Told((), frozenset({CUT}))
            else:
                own = Told(base.messages + own.messages, base.gaps | own.gaps)
        spoken[piece.key] = found[piece.key] = own
        if piece.system:
            first = instructions.get(piece.system)
            if first is None:
                first = Message(role="system", content=_system(piece.system))
                instructions[piece.system] = first
            found[piece.key] = Told((first, *own.messages), own.gaps)
    return found


def _by_key(piece: Piece) -> tuple[int, int]:
    number, _, ordinal = piece.key.partition("#")
    return int(number), int(ordinal)


def _system(text: str) -> str:
    value = parsed(text) if text.startswith("[") else text
    if is_list(value):
        return "\n".join(str(x.get("content", "")) for x in value if is_object(x))
    return text


def _requests(kept: Sequence[Piece], prompts: dict[str, Told]) -> list[_Request]:
    """The requests with their prompts, of which log records may tell the messages."""
    logged: dict[tuple[str, str], list[Piece]] = {}
    for piece in kept:
        if piece.kind == "log":
            logged.setdefault((piece.trace, piece.span), []).append(piece)
    found: list[_Request] = []
    for piece in kept:
        if piece.kind == "request":
            logs = logged.pop((piece.trace, piece.span), [])
            found.append(_request(piece, prompts[piece.key], logs))
    nothing = Told((), frozenset({NO_CONTENT}))
    found += [_request(logs[0], nothing, logs) for logs in logged.values()]
    found.sort(key=_by_time)
    return found


def _request(piece: Piece, prompt: Told, logs: Sequence[Piece]) -> _Request:
    output = told(piece.output, piece.form or "chat").messages if piece.output else ()
    whole = next((x for x in logs if x.form == "genai"), None)
    if whole is not None:
        output = output or told(whole.output, "genai").messages
        piece.is_cut |= whole.is_cut
        if not prompt.messages:
            prompt = told(whole.prompt, "genai")
            if whole.system:
                first = Message(role="system", content=_system(whole.system))
                prompt = Told((first, *prompt.messages), prompt.gaps)
    elif logs and not prompt.messages:
        prompt = told(f"[{','.join(x.prompt for x in logs if x.name != 'gen_ai.choice')}]", "chat")
        chosen = [x.prompt for x in logs if x.name == "gen_ai.choice"]
        output = told(f"[{','.join(chosen)}]", "chat").messages if chosen else output
    return _Request(piece, prompt, output)


def _told_once(requests: list[_Request], remarks: Remarks) -> list[_Request]:
    """Each request once, of which two instrumentations tell: a framework's and its client's.

    What the inner one tells is nearer to what was sent, so that counts if it holds the prompt.
    """
    running: dict[str, list[_Request]] = {}
    left: set[int] = set()
    for inner in sorted(requests, key=lambda x: (x.piece.start, -x.piece.end)):
        before = running.get(inner.piece.trace, [])
        some = [each for each in before if each.piece.end >= inner.piece.start]
        outer = next((each for each in reversed(some) if _is_one(each, inner)), None)
        one = inner
        if outer is not None:
            remarks.add(_TOLD_TWICE, Place(inner.piece.file, inner.piece.line))
            some = [each for each in some if each is not outer]
            one, other = (outer, inner) if inner.lacks_prompt else (inner, outer)
            one.output = one.output or other.output
            one.piece.is_cut |= other.piece.is_cut
            left.add(id(other))
        running[inner.piece.trace] = [*some, one]
    return [each for each in requests if id(each) not in left]


def _is_one(outer: _Request, inner: _Request) -> bool:
    """Whether a request within another is the same one: they ask and answer the same."""
    if not outer.piece.holds(inner.piece) or outer.has_failed != inner.has_failed:
        return False
    ids = [[call.id for call in each.calls] for each in (outer, inner)]
    if all(ids) and all(map(all, ids)):
        return ids[0] == ids[1]
    asked = [each.prompt.messages[-1] for each in (outer, inner) if each.prompt.messages]
    said = ["\n".join(x.text for x in each.output).strip() for each in (outer, inner)]
    both = len(asked) == 2 and all(said)
    if len({*filter(None, said)}) > 1 or (asked and not _ask_alike(asked[0], asked[-1])):
        return False
    return both or inner.piece.parent == outer.piece.span


def _ask_alike(one: Message, other: Message) -> bool:
    if one.role == other.role == "tool" and one.tool_call_id and other.tool_call_id:
        return one.tool_call_id == other.tool_call_id
    return one.content_text.strip() == other.content_text.strip()


def _by_time(request: _Request) -> tuple[int, int, str]:
    return request.piece.start, len(request.prompt.messages), request.piece.key


def _turns(requests: Sequence[_Request], results: Sequence[Piece]) -> list[_Turn]:
    """Group by trace; in one trace, a question after an answer begins another turn.

    Where nothing is around the spans of a turn, each is a trace of its own: what carries a call
    on that the turn before asked for belongs to it.
    """
    found: list[_Turn] = []
    latest: dict[str, _Turn] = {}
    things: list[tuple[int, int, _Request | Piece]] = [(x.piece.start, 1, x) for x in requests]
    things += [(x.start, 0, x) for x in results]
    for _, _, thing in sorted(things, key=lambda x: x[:2]):
        trace = thing.piece.trace if isinstance(thing, _Request) else thing.trace
        turn = latest.get(trace)
        if turn is None and found and _goes_on(thing, found[-1]):
            turn = latest[trace] = found[-1]
        if turn is None or (isinstance(thing, _Request) and _begins(thing, turn)):
            turn = latest[trace] = _Turn()
            found.append(turn)
        if isinstance(thing, _Request):
            turn.requests.append(thing)
        else:
            turn.results.append(thing)
    return found


def _goes_on(thing: _Request | Piece, turn: _Turn) -> bool:
    """Whether something carries on a call that a turn's last request asked for."""
    if not turn.requests:
        return False
    if isinstance(thing, _Request):
        last = thing.prompt.messages[-1:]
        call = next((x.tool_call_id for x in last if x.tool_call_id is not UNSET), "")
    else:
        call = thing.call
    return bool(call) and any(each.id == call for each in turn.requests[-1].calls)


def _begins(request: _Request, turn: _Turn) -> bool:
    """Whether a request asks something new after its turn was answered."""
    if not turn.requests or not request.prompt.messages:
        return False
    before = turn.requests[-1]
    answered = before.output and not any(message.asks_for for message in before.output)
    return bool(answered) and request.prompt.messages[-1].role == "user"


def _give_users(turns: Sequence[_Turn], pieces: Sequence[Piece], remarks: Remarks) -> None:
    """Say whose each turn is: by its trace, else by the only user of the conversation."""
    by_trace: dict[str, set[str]] = {}
    for piece in pieces:
        if piece.user:
            by_trace.setdefault(piece.trace, set()).add(piece.user)
    everybody = {user for users in by_trace.values() for user in users}
    for turn in turns:
        first = turn.requests[0].piece if turn.requests else turn.results[0]
        own = by_trace.get(first.trace, everybody)
        if len(own) == 1:
            turn.user = next(iter(own))
            continue
        turn.gaps.add(NO_USER)
        if own:
            remarks.add("a trace of several users", Place(first.file, first.line))


def _recorder(turns: Sequence[_Turn]) -> str:
    requests = [x.piece.service for turn in turns for x in turn.requests]
    every = requests or [x.service for turn in turns for x in turn.results]
    return min(filter(None, every), default="")


class _Assembly:
    """Makes the trace of a conversation, turn by turn."""

    def __init__(
        self,
        name: str,
        session: str,
        turns: Sequence[_Turn],
        limit: int,
        kernel: KernelDescription,
    ) -> None:
        self._name, self._turns, self._limit, self._kernel = name, turns, limit, kernel
        self._session = session
        self._events: list[AnyEvent] = []
        self._gaps: list[set[str]] = []
        self._where: list[Where] = []
        self._known: set[str] = set()
        self._asked_before: set[str] = set()
        self._last: tuple[Message, ...] = ()

    def conversation(self) -> Conversation:
        for index, turn in enumerate(self._turns):
            self._add(index, turn)
        trace = Trace(
            events=tuple(self._events),
            kernel=self._kernel,
            scenario=self._name,
            environment=Environment(extensions=()),
            origin="recording",
            complete_from=len(self._turns) if self._gaps and GAP in self._gaps[0] else 0,
        )
        return Conversation(self._name, _recorder(self._turns), trace, self._gaps, self._where)

    def _add(self, index: int, turn: _Turn) -> None:
        first = turn.requests[0].piece if turn.requests else turn.results[0]
        gaps = turn.gaps
        asked = self._asked(turn, gaps)
        for request in turn.requests:
            gaps |= request.prompt.gaps
            self._look_back(request, gaps)
        if not turn.requests:
            gaps.add(GAP)
        if turn.has_dropped:
            gaps.add(CUT)
        calls: list[Call] = []
        arguments: list[str] = []
        results: list[AnyEvent] = []
        common: dict[str, Any] = {"step": index, "user": turn.user, "session": self._session}
        for number, each in enumerate(asked):
            call, known = self._call(each, turn, gaps)
            calls.append(call)
            arguments.append(each.arguments or "{}")
            if not known:
                continue
            results += _ran(each, call, {**common, "call": number}, gaps)
        message, reply = _said(turn)
        at = first.start / _NANO if first.start else None
        stimulus = Turn(
            user=turn.user,
            session=self._session,
            message=message,
            calls=tuple(calls),
            draft=reply,
            agent=AgentTurn(
                arguments=tuple(arguments),
                cut=tuple(number for number, each in enumerate(asked) if each.is_cut),
            ),
        )
        self._events.append(Given(**common, at=at, stimulus=stimulus))
        self._events += results
        self._events += (_sent(x, {**common, "number": n}) for n, x in enumerate(turn.requests))
        if reply:
            self._events.append(Reply(**common, text=reply))
        elif turn.requests and turn.requests[-1].has_failed:
            self._events.append(AgentFailed(**common, message="the last request failed"))
        self._gaps.append(gaps)
        self._where.append(
            Where(first.trace, first.span, Place(first.file, first.line), first.start)
        )

    def _asked(self, turn: _Turn, gaps: set[str]) -> list[Asked]:
        """The calls of a turn in the order in which they were asked for, with their results."""
        found = list(asked_for((x.calls, x.piece.is_cut) for x in turn.requests))
        with_results(found, turn.results)
        ids = [each.id for each in found if each.id]
        if len({*ids}) < len(ids) or self._known.intersection(ids):
            gaps.add(TWICE)
        if any(each.has_two_results for each in found):
            gaps.add(TWO_RESULTS)
        self._known.update(ids)
        return found

    def _look_back(self, request: _Request, gaps: set[str]) -> None:
        """Tell if a prompt speaks of a call that the recording does not hold."""
        messages = request.prompt.messages
        shared = len(self._last)
        if not (shared and len(messages) >= shared and messages[shared - 1] is self._last[-1]):
            shared = 0
        for message in messages[shared:]:
            for call in message.asks_for:
                if call.id not in self._known:
                    gaps.add(GAP)
            if message.role != "tool":
                continue
            if (message.tool_call_id or "") not in self._known:
                gaps.add(GAP)
            if self._limit and len(message.content) >= self._limit and not _is_whole(message):
                gaps.add(CUT)  # nothing of the recording is longer: the exporter may have cut it
        self._last = messages

    def _call(self, asked: Asked, turn: _Turn, gaps: set[str]) -> tuple[Call, bool]:
        """The call as the recording tells it, and whether its result is known."""
        result = asked.result
        if result is None:
            gaps.add(NO_RESULT)
            app, function = split_name(asked.name)
            return Call(app=app, function=function, data_json="null"), False
        app, function = result.app, result.name
        if not app:
            app, function = split_name(asked.name) if asked.name else ("", result.name)
        inner = None if result.result is None else held(result.result, turn.shown(asked.id))
        if result.failed:
            text = result.told or inner or ""
            return Call(app=app, function=function, status="error", error=text), True
        if inner is None:
            gaps.add(NO_CONTENT)
            return Call(app=app, function=function, data_json="null"), False
        data, gap = truth(inner, self._limit if inner == result.result else 0)
        if gap:
            gaps.add(gap)
        return Call(app=app, function=function, data_json=data), gap != CUT


def _ran(
    each: Asked, call: Call, common: dict[str, Any], gaps: set[str]
) -> Iterator[CallDispatched | ToolResult]:
    """The runs of a call, and what it gave."""
    asked_for = each.arguments or "{}"
    common |= {"app": call.app, "function": call.function}
    for run in each.runs:
        text = reached(each, run)
        if text is None:
            gaps.add(NO_ARGUMENTS)
        at = run.start / _NANO if run.start else None
        yield CallDispatched(**common, at=at, args_json=text or asked_for)
    at = each.runs[0].start / _NANO if each.runs[0].start else None
    yield ToolResult(
        **common, at=at, status=call.status, data_json=call.data_json, id=each.id or UNSET
    )


def _sent(request: _Request, common: dict[str, Any]) -> ModelRequest:
    """A request as a trace tells it."""
    start = request.piece.start
    return ModelRequest(
        **common,
        at=start / _NANO if start else None,
        prompt=request.prompt.messages,
        answered="calls" if request.calls else "text",
    )


def truth(text: str, limit: int = 0) -> tuple[str, str]:
    """Return the JSON text of a result as it was recorded, and what is wrong with it, if anything.

    A text that is no JSON is a result that is a text.

    Args:
        text: the result as it was recorded.
        limit: length of the longest text that was recorded with it; 0 if that is not known.
    """
    value = parsed(text)
    if value is not CutText:
        return text, ""
    if limit and len(text) >= limit:
        return _string(text), CUT  # nothing of the recording is longer: it may be cut
    if text.lstrip()[:1] in ("{", "[", "("):
        return _string(text), STRINGIFIED if is_python_literal(text) else CUT
    return _string(text), ""


def _is_whole(message: Message) -> bool:
    """Whether a message is a JSON text that ends where it has to."""
    text = message.content_text
    return text.lstrip()[:1] in ("{", "[", '"') and parsed(text) is not CutText


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)


def _said(turn: _Turn) -> tuple[str, str]:
    """What the user said last before the turn, and what the model answered at its end."""
    message = reply = ""
    if turn.requests:
        spoken = [x for x in turn.requests[0].prompt.messages if x.role == "user"]
        message = spoken[-1].content_text if spoken else ""
        reply = "\n".join(
            x.content_text for x in turn.requests[-1].output if not x.asks_for and x.content
        )
    return message, reply
