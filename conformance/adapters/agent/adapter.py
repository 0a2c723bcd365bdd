"""Drives an agent runtime: its turns go in, what it asked model and tools for comes out."""

from __future__ import annotations

import contextlib
import itertools
import json
import secrets
import shlex
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET, structs

from ....invariants.vocabulary.codec import to_json
from ....invariants.vocabulary.errors import (
    KernelReferenceError,
    KernelUnreachable,
    ProtocolError,
)
from ....invariants.vocabulary.protocol import destroys, tag_of
from ....invariants.vocabulary.scenario import (
    DISPATCHED,
    AnyStep,
    Confirm,
    Restart,
    Scenario,
    Turn,
    is_agent,
)
from ....invariants.vocabulary.trace import (
    AgentFailed,
    AnyEvent,
    CallDispatched,
    CardCall,
    ConfirmationCard,
    KernelDescription,
    ModelRequest,
    Reply,
    Restarted,
    StepFailed,
)
from .. import wire
from ..base import same_description
from ..conversation import Link
from ..fatal import before_dying
from ..own_process import USUAL, Hosting
from ..process import ProcessAdapter
from ..stepping import as_objects, failed
from .claims import described
from .endpoint import Endpoint, Seen
from .traffic import departures
from .unmarking import unmarked_prompt

START_SECONDS = 60.0
"""How long an agent may take to be ready, and again for its first turn: many load for seconds."""

_STOP_SECONDS = 5.0
_GUEST = Path(__file__).with_name("guest.py")
_QUIET = {
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "AGNO_TELEMETRY": "false",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "ANONYMIZED_TELEMETRY": "false",
    "OTEL_SDK_DISABLED": "true",
    "DO_NOT_TRACK": "1",
    "NO_PROXY": "127.0.0.1,localhost",
    "no_proxy": "127.0.0.1,localhost",
}
"""Keeps runtimes from telling their makers, and from asking a proxy for what is on loopback."""

_folders: weakref.WeakSet[_StateFolder] = weakref.WeakSet()


K = TypeVar("K", bound=msgspec.Struct)


class _Ready(msgspec.Struct):
    """The first line of an agent."""

    ready: bool
    claims: dict[str, object] = {}
    error: str = ""


class _Pending(msgspec.Struct):
    """A call that waits for its user; its arguments as an object, or as the text of one."""

    name: str
    arguments: str | dict[str, Any] = {}


class _Ended(msgspec.Struct, forbid_unknown_fields=True):
    """The end of a turn: its reply, its error, or the calls on which it waits.

    ``left`` are hosts that were asked for beyond loopback.
    """

    id: int
    reply: str | None = None
    error: str | None = None
    pending: list[_Pending] | None = None
    left: list[str] = []


def agent_command(reference: str, hosting: Hosting = USUAL) -> list[str]:
    """Return the program, with its arguments, that an ``agent:`` reference names.

    Raises:
        KernelReferenceError: the command is empty or no command line, or the reference names no
            attribute of a module.
    """
    target = reference.removeprefix("agent:")
    if target.startswith("exec:"):
        try:
            words = shlex.split(target.removeprefix("exec:"))
        except ValueError as error:
            raise KernelReferenceError(f"{reference}: {error}; check the quotes") from None
        if not words or not words[0]:
            raise KernelReferenceError(
                f"{reference}: no command; write agent:exec:PROGRAM ARGUMENTS"
            )
        return words
    module, colon, attribute = target.partition(":")
    if not colon or not all(word.isidentifier() for word in f"{module}.{attribute}".split(".")):
        raise KernelReferenceError(
            f"{reference}: write agent:module:attribute for a callable "
            "chat(message, *, session, user), or agent:exec:COMMAND"
        )
    return [hosting.python or sys.executable, str(_GUEST), target]


class AgentAdapter(ProcessAdapter):
    """Starts the agent and our endpoint when they are first needed.

    Args:
        reference: ``agent:module:attribute`` or ``agent:exec:COMMAND``.
        timeout: seconds that each turn may take, or several that overlap; the first turn of a
            process, and its start, may take ``START_SECONDS``.
        hosting: what its process gets.
    """

    def __init__(self, reference: str, *, timeout: float = 10.0, hosting: Hosting = USUAL) -> None:
        command = agent_command(reference, hosting)
        super().__init__(reference, command, timeout=timeout, hosting=hosting)
        self.transport = "exec" if reference.startswith("agent:exec:") else "hosted"
        self.used: set[str] = set()
        self.wires: set[str] = set()
        self.left: set[str] = set()
        self._numbers = itertools.count(1)
        self._endpoint: Endpoint | None = None
        self._state: _StateFolder | None = None
        self._ready: Link | None = None
        self._warm = False
        self._answered = False
        self._never_answered = False  # and was waited for as long as a first turn may take
        self._allowed = timeout
        self._asked: dict[str, int] = {}  # message of a turn of this scenario: its number
        self._places: _Places = {}  # where what belongs to the turns of this scenario is told

    @property
    def endpoint(self) -> Endpoint:
        """The model and the tools of the run."""
        if self._endpoint is None:
            self._endpoint = Endpoint()
        return self._endpoint

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Take the steps; return what the agent asked for, and how each turn ended.

        Raises:
            KernelError: the agent crashed, hung or said what it must not.
        """
        if self._link is None:
            self._begun()
        self._note(to_json(scenario).encode("ascii"))
        self.endpoint.take()
        self._asked.clear()
        self._places.clear()
        done: list[AnyEvent] = []
        for together in _together(scenario.steps):
            done += self._taken(scenario, together, done)
        self._failures = max(0.0, self._failures - 0.1)
        return tuple(done)

    def wiring(self) -> Iterator[str]:
        """Tell which interfaces were used, and what left loopback."""
        left = self.left | (departures(self.pid) if self.pid else set[str]())
        told = ", ".join(sorted(left)) or "none that was seen"
        if self.wires:
            yield f"the model was asked by {', '.join(sorted(self.wires))}"
        else:
            yield from self._unasked(told if left else "")
        yield f"the tools were called by {', '.join(sorted(self.used)) or 'nobody'}"
        yield f"connections that left this machine: {told}"

    def _unasked(self, left: str) -> Iterator[str]:
        """Tell what to look at where no request has reached the model."""
        given = self.endpoint.environment()
        openai, anthropic = given["OPENAI_BASE_URL"], given["ANTHROPIC_BASE_URL"]
        yield f"no request reached the model{f', and the agent reached for {left}' if left else ''}"
        yield (
            f"what to do: have your agent read OPENAI_BASE_URL (now {openai}) or "
            f"ANTHROPIC_BASE_URL (now {anthropic}) where it makes its model or client, in place "
            "of an address in its code or of a variable of your own"
        )

    def close(self) -> None:
        """End the agent and all that it started, the endpoint, and the folder of its state."""
        super().close()
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.close()
        state, self._state = self._state, None
        if state is not None:
            state.remove()

    def _taken(
        self, scenario: Scenario, together: _Together, before: list[AnyEvent]
    ) -> list[AnyEvent]:
        index, step = together[0]
        if isinstance(step, Restart):
            self._restart()
            return [Restarted(step=index, user=step.user, session=step.session)]
        if not is_agent(step):
            why = f"an agent runtime takes turns and restarts, and has no step {tag_of(step)!r}"
            return [failed(index, step, why)]
        if isinstance(step, Confirm):
            return self._confirmed(scenario, index, step, before)
        return self._turns(scenario, cast("list[tuple[int, Turn]]", together), before)

    def _turns(
        self, scenario: Scenario, together: list[tuple[int, Turn]], before: list[AnyEvent]
    ) -> list[AnyEvent]:
        """Run turns that overlap, or one; return what happened, in order, and how each ended."""
        script = self.endpoint.script
        places: _Places = {next(self._numbers): place for place in together}
        if len(places) > 1:
            self.endpoint.have_meet(places)
        lines: list[str] = []
        asked: dict[int, int] = {}
        for number, (_, turn) in zip(places, together, strict=True):
            asked[_unforeseen()] = number
            lines.append(_line(next(reversed(asked)), script.begin(number, turn), turn))
            self._asked[turn.message] = number
            if destroys(turn):
                self._places[number] = places[number]
        return self._exchanged(scenario, places, "".join(lines), asked, before)

    def _confirmed(
        self, scenario: Scenario, index: int, step: Confirm, before: list[AnyEvent]
    ) -> list[AnyEvent]:
        """Tell the agent an answer; what runs of the turn from now on is told in this step."""
        number, each = self._asked.get(step.message), _unforeseen()
        if number is None:
            return [failed(index, step, "no turn before it has this message")]
        earlier = list(self._told_of(self.endpoint.take(), self._places))
        self._places[number] = (index, step)
        self.endpoint.script.resume(number)
        lines = json.dumps(
            {
                "id": each,
                "op": "confirm",
                "session": step.session,
                "user": step.user,
                "approve": step.decision == "accept",
            }
        )
        places: _Places = {number: (index, step)}
        told = self._exchanged(scenario, places, f"{lines}\n", {each: number}, [*before, *earlier])
        return [*earlier, *told]

    def _exchanged(
        self,
        scenario: Scenario,
        places: _Places,
        lines: str,
        asked: dict[int, int],
        before: list[AnyEvent],
    ) -> list[AnyEvent]:
        """Send lines, and wait until each is answered."""
        link = self._link or self._begun()[0]
        script = self.endpoint.script
        what = f"scenario {scenario.id!a}, step {next(iter(places.values()))[0]}"
        ends: list[AnyEvent] = []
        try:
            with self._watched(link, what) as streamed:
                try:
                    ends += self._replies(link, lines, asked, places)
                except BaseException:
                    seen = self._told_of(self.endpoint.take(), places)
                    streamed.extend(as_objects([*before, *seen]))
                    raise
        finally:
            for number in places:
                script.end(number)
        return [*self._told_of(self.endpoint.take(), places), *ends, *self._unjudgeable(places)]

    def _replies(
        self,
        link: Link,
        lines: str,
        asked: dict[int, int],
        places: _Places,
    ) -> Iterator[AnyEvent]:
        is_known = self._warm or self._never_answered
        self._allowed = self.timeout if is_known else max(self.timeout, START_SECONDS)
        deadline = time.monotonic() + self._allowed
        link.send(lines.encode("ascii"), deadline)
        waiting = dict(asked)
        while waiting:
            try:
                line = link.read_line(deadline)
            except TimeoutError:
                self._never_answered = not self._answered
                raise
            ended = _read(line, _Ended)
            self._answered, self._never_answered = True, False
            number = waiting.pop(ended.id, None)
            if number is None:
                raise ProtocolError(f"id {ended.id} is of no turn that runs; answer each turn once")
            if sum(x is not None for x in (ended.reply, ended.error, ended.pending)) != 1:
                raise ProtocolError(
                    "a turn ends with `reply`, `error` or `pending`; send exactly one"
                )
            self.endpoint.script.end(number)
            self.left |= set(ended.left)
            index, step = places[number]
            if ended.pending is not None:
                event = self._card(number, ended.pending)
            elif ended.reply is None:
                event = AgentFailed(message=ended.error or "")
            else:
                event = Reply(text=ended.reply)
            yield structs.replace(event, step=index, user=step.user, session=step.session)
        self._warm = True

    def _card(self, number: int, pending: list[_Pending]) -> ConfirmationCard | StepFailed:
        """Return the calls that wait as a card.

        Raises:
            ProtocolError: the agent does not claim to have calls wait, or names none.
        """
        if "agent_confirm" not in self.describe().capabilities:
            raise ProtocolError('a turn is `pending`, and "confirm" is not claimed; claim it')
        if not pending:
            raise ProtocolError("`pending` is empty; name the calls that wait, or send a `reply`")
        calls: list[CardCall] = []
        for each in pending:
            given = each.arguments
            text = given if isinstance(given, str) else json.dumps(given)
            found = self.endpoint.script.asked(number, each.name, text, {x.call for x in calls})
            if found is None:
                return StepFailed(
                    message=f"{each.name} is pending, and the model did not ask for it"
                )
            app, function = found.app, found.function
            action = DISPATCHED[function].action_type
            calls.append(
                CardCall(
                    call=found.call,
                    app=app,
                    function=function,
                    args_json=found.args_json,
                    action_type=action,
                )
            )
        return ConfirmationCard(calls=tuple(calls))

    def _told_of(self, seen: list[Seen], places: _Places) -> Iterator[AnyEvent]:
        """Return what was seen as events of the steps; what cannot be attributed fails a step."""
        self.used |= {each.transport for each in seen if each.transport}
        self.wires |= {_interface(each.event) for each in seen if not each.transport}
        numbers = self.endpoint.script.numbers
        known = {**self._places, **places}
        for each in seen:
            if each.turn is None:
                for index, turn in places.values():
                    yield failed(index, turn, _stray(each))
            elif each.turn in known:
                index, turn = known[each.turn]
                event = structs.replace(
                    each.event, step=index, user=turn.user, session=turn.session
                )
                if isinstance(event, ModelRequest):
                    event = structs.replace(event, prompt=unmarked_prompt(event.prompt, numbers))
                yield event

    def _unjudgeable(self, places: _Places) -> Iterator[AnyEvent]:
        """Return what keeps turns from being judged."""
        endpoint, index, turn = self.endpoint, *next(iter(places.values()))
        for fault in endpoint.faults:
            yield failed(index, turn, f"fedcheck made a mistake: {fault}")
        endpoint.faults.clear()
        for stray in endpoint.strays:
            yield failed(index, turn, f"a request was refused: {stray}")
        endpoint.strays.clear()
        for number, (place, each) in places.items():
            if endpoint.script.without_tools(number):
                yield failed(
                    place,
                    each,
                    "the model was offered no tool in this turn, so it could ask for none of "
                    "its calls: are the tools at FEDCHECK_TOOLS_MCP given to the agent?",
                )

    def _restart(self) -> None:
        """Stop the process, and start another one with the same state."""
        link = self._link
        if link is not None:
            with contextlib.suppress(TimeoutError, EOFError, BufferError, OSError):
                deadline = time.monotonic() + _STOP_SECONDS
                link.send(b'{"op":"stop"}\n', deadline)
                while True:
                    link.read_line(deadline)
        self._closed()
        self._begun()

    def _added(self) -> dict[str, str]:
        if self._state is None:
            self._state = _StateFolder()
        return {**_QUIET, **self.endpoint.environment(), "FEDCHECK_STATE": str(self._state.path)}

    def _described(self, link: Link) -> KernelDescription:
        """Read the ready line of a process that has just begun."""
        if self._ready is link and self._description is not None:
            return self._description
        self._allowed = max(self.timeout, START_SECONDS)
        with self._watched(link, "describe"):
            ready = _read(link.read_line(time.monotonic() + self._allowed), _Ready)
            told = described(ready.claims, self.reference)
            if ready.ready:
                self._description = same_description(self._description, told)
        if not ready.ready:
            self._closed()
            self._failures += 1
            raise KernelUnreachable(f"{self.reference}: the agent cannot be loaded:\n{ready.error}")
        self._ready, self._warm = link, False
        return told

    def _closed(self) -> int | None:
        self._ready = None
        return super()._closed()

    def _silence(self, link: Link) -> str:
        allowed, self.timeout = self.timeout, self._allowed
        try:
            return super()._silence(link)
        finally:
            self.timeout = allowed


_Together = Sequence[tuple[int, AnyStep]]
_Places = dict[int, tuple[int, Turn | Confirm]]
"""Numbers of turns, each with the step under way for it."""


def _together(steps: Sequence[AnyStep]) -> Iterator[_Together]:
    """Yield the steps with their indexes, those that overlap together."""
    group: list[tuple[int, AnyStep]] = []
    for index, step in enumerate(steps):
        agent = step.agent if isinstance(step, Turn) else UNSET
        if group and not (agent is not UNSET and agent.overlaps and is_agent(group[-1][1])):
            yield group
            group = []
        group.append((index, step))
    if group:
        yield group


def _unforeseen() -> int:
    """Return the id of a turn: none that an agent could answer before it is asked."""
    return secrets.randbelow(2**31)


def _line(number: int, message: str, turn: Turn) -> str:
    asked: dict[str, object] = {
        "id": number,
        "op": "turn",
        "message": message,
        "session": turn.session,
        "user": turn.user,
    }
    if turn.agent is not UNSET and turn.agent.streams:
        asked["stream"] = True
    return json.dumps(asked) + "\n"


def _read(line: bytes, kind: type[K]) -> K:
    try:
        value = json.loads(line)
        return msgspec.convert(value, kind)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(
            f"{error}; got {wire.excerpt(line)}. Write nothing but JSON lines to stdout: "
            '{"ready":true,"claims":{}}, then {"id":…,"reply":…} or {"id":…,"error":…}'
        ) from None


def _interface(event: ModelRequest | CallDispatched) -> str:
    if not isinstance(event, ModelRequest):
        return ""
    return f"{event.wire}{' (streamed)' if event.stream else ''}"


def _stray(seen: Seen) -> str:
    if isinstance(seen.event, ModelRequest):
        return (
            "a request to the model belongs to no turn: none of its messages has the mark that "
            f"our message had; got {wire.excerpt(seen.raw)}"
        )
    return (
        f"the tool {seen.event.app}_{seen.event.function} was called, and the model had not asked "
        f"for that; got {wire.excerpt(seen.raw)}"
    )


class _StateFolder:
    """A folder for what an agent keeps; gone when it is removed, or when we are ended."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="fedcheck-state-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        _folders.add(self)
        before_dying(_remove_folders)

    def remove(self) -> None:
        self._end()


def _remove_folders() -> None:
    for folder in list(_folders):
        folder.remove()
