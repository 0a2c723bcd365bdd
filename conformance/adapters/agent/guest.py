"""Runs an agent's Python callable: a turn for each JSON line of standard input.

A program of its own, ``PYTHON guest.py MODULE:ATTRIBUTE``, which needs nothing but the standard
library, since the interpreter is the agent's. What the agent prints goes to standard error.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import json
import os
import sys
import threading
import traceback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _Departures:
    """Names of hosts beyond loopback that the interpreter was asked to connect to."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._new: list[str] = []
        sys.addaudithook(self._hear)

    def new(self) -> list[str]:
        new, self._new = self._new, []
        return new

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.getaddrinfo":
            self._note(arguments[0])
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            self._note(arguments[1][0])

    def _note(self, host: Any) -> None:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
        near = name.startswith("127.") or name in {"localhost", "::1", "None", "", "0.0.0.0"}  # noqa: S104
        if not near and name not in self._seen:
            self._seen.add(name)
            self._new.append(name)


class _Speaker:
    """Standard output as it was; whatever else writes there writes to standard error."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._lock = threading.Lock()
        self._departures = _Departures()

    def end(self, message: dict[str, Any]) -> None:
        """Say how a turn ended, and what left this machine."""
        left = self._departures.new()
        self.say({**message, "left": left} if left else message)

    def say(self, message: dict[str, Any]) -> None:
        """Write a line."""
        line = json.dumps(message).encode("ascii") + b"\n"
        with self._lock, contextlib.suppress(BrokenPipeError):
            self._out.write(line)
            self._out.flush()


def main(target: str) -> None:
    """Load the agent, say that it is ready, and take its turns until told to stop."""
    speaker = _Speaker()
    sys.path[0] = os.getcwd()  # noqa: PTH109 - a path as text
    module_name, _, path = target.partition(":")
    try:
        module = importlib.import_module(module_name)
        chat: Any = module
        for name in path.split("."):
            chat = getattr(chat, name)
        claims = getattr(chat, "claims", None) or getattr(module, "claims", {})
        confirm = getattr(chat, "confirm", None) or getattr(module, "confirm", None)
        speaker.say({"ready": True, "claims": claims})
    except BaseException:
        speaker.say({"ready": False, "error": traceback.format_exc(limit=-3)})
        raise
    if _is_async(chat):
        asyncio.run(_serve_async(_Agent(chat, confirm), speaker))
    else:
        _serve(_Agent(chat, confirm), speaker, in_threads=bool(claims.get("overlap")))


def _is_async(chat: Any) -> bool:
    return inspect.iscoroutinefunction(chat) or inspect.iscoroutinefunction(
        getattr(chat, "__call__", None)  # noqa: B004 - an object may be called too
    )


def _requests() -> Any:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["op"] == "stop":
            return
        yield request


class _Agent:
    """The agent's callables: one takes turns, the other the answers on which turns wait."""

    def __init__(self, chat: Callable[..., Any], confirm: Callable[..., Any] | None) -> None:
        self._chat = chat
        self._confirm = confirm

    def answer(self, request: dict[str, Any]) -> Any:
        """Call the one that a request is for; return its reply, or what is to be awaited."""
        if request["op"] == "confirm":
            if self._confirm is None:
                raise NotImplementedError("write confirm(approve, *, session, user) beside chat")
            return self._confirm(request["approve"], **_named(self._confirm, request))
        return self._chat(request["message"], **_named(self._chat, request))


def _serve(agent: _Agent, speaker: _Speaker, *, in_threads: bool) -> None:
    """Take turns one after the other, or each in a thread where they may overlap."""
    for request in _requests():
        if in_threads:
            threading.Thread(target=_turn, args=(agent, request, speaker), daemon=True).start()
        else:
            _turn(agent, request, speaker)


def _turn(agent: _Agent, request: dict[str, Any], speaker: _Speaker) -> None:
    try:
        reply = agent.answer(request)
        if inspect.isawaitable(reply):
            reply = asyncio.run(_awaited(reply))
        speaker.end(_answer(request, reply))
    except BaseException as error:  # noqa: BLE001 - also SystemExit ends no more than the turn
        speaker.end(_failure(request, error))


async def _awaited(reply: Any) -> Any:
    return await reply


async def _serve_async(agent: _Agent, speaker: _Speaker) -> None:
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[Any] = asyncio.Queue()

    def read() -> None:
        try:
            for request in _requests():
                loop.call_soon_threadsafe(waiting.put_nowait, request)
        finally:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(waiting.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    running: set[asyncio.Task[None]] = set()
    while (request := await waiting.get()) is not None:
        task = loop.create_task(_turn_async(agent, request, speaker))
        running.add(task)
        task.add_done_callback(running.discard)


async def _turn_async(agent: _Agent, request: Any, speaker: _Speaker) -> None:
    try:
        reply = agent.answer(request)
        speaker.end(_answer(request, await reply if inspect.isawaitable(reply) else reply))
    except BaseException as error:
        speaker.end(_failure(request, error))
        if isinstance(error, asyncio.CancelledError):
            raise


def _named(chat: Callable[..., Any], request: dict[str, Any]) -> dict[str, Any]:
    """Session, user and whether to stream, as far as the agent has a notion of them."""
    parameters = inspect.signature(chat).parameters.values()
    names = {each.name for each in parameters}
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
    given = {name: request[name] for name in ("session", "user")}
    given["stream"] = request.get("stream", False)
    return {name: value for name, value in given.items() if takes_all or name in names}


def _answer(request: dict[str, Any], reply: Any) -> dict[str, Any]:
    if isinstance(reply, str):
        return {"id": request["id"], "reply": str.__str__(reply)}
    kind = type(reply).__name__
    if isinstance(reply, dict) and "pending" in reply:
        return {"id": request["id"], "pending": reply["pending"]}
    wanted = 'the reply as text, or {"pending": [...]}'
    return {"id": request["id"], "error": f"expected {wanted}, got {kind}"}


def _failure(request: dict[str, Any], error: BaseException) -> dict[str, Any]:
    traceback.print_exception(type(error), error, error.__traceback__)
    return {"id": request["id"], "error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(sys.argv[1])
