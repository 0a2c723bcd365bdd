"""The protocol's messages: newline-delimited JSON-RPC 2.0, ASCII out, UTF-8 in.

    → {"jsonrpc":"2.0","id":1,"method":"describe","params":{}}
    ← {"jsonrpc":"2.0","id":1,"result":{"kernel":"…","version":"…","capabilities":[…]}}
    → {"jsonrpc":"2.0","id":2,"method":"run","params":{"scenario":{…}}}
    ← {"jsonrpc":"2.0","method":"event","params":{…}}        any number, optional
    ← {"jsonrpc":"2.0","id":2,"result":{"events":[…]}}       all events, those above included

What arrived as ``event`` notifications is kept when the result never comes.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeVar, cast

import msgspec

from ...invariants.vocabulary import codec
from ...invariants.vocabulary.errors import DocumentError, ProtocolError
from ...invariants.vocabulary.trace import AnyEvent, Given
from .decoding import event_from

NO_SUCH_KERNEL = -32001
"""Error code of our worker: the reference names no kernel; the user's mistake."""

CANNOT_START = -32002
"""Error code of our worker: the kernel's module could not be imported, or its making raised."""

BAD_ANSWER = -32003
"""Error code of our worker: the kernel's code gave something that is no event."""

METHOD_NOT_FOUND = -32601

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line that is read from a kernel."""

MAX_EVENTS = 20_000
"""Most events that a kernel may show of one scenario."""

EXCERPT_LENGTH = 200
"""Characters of a kernel's message that an error shows, escaped."""

T = TypeVar("T")


class RpcError(msgspec.Struct, frozen=True):
    """The error object of an answer."""

    code: int
    message: str
    data: Any = None


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a request: a result or an error."""

    jsonrpc: Literal["2.0"]
    id: int | None
    result: Any = msgspec.UNSET
    error: RpcError | msgspec.UnsetType = msgspec.UNSET


class Notification(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that is sent before the answer."""

    jsonrpc: Literal["2.0"]
    method: Literal["event"]
    params: dict[str, Any]


class RunResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of ``run``."""

    events: tuple[AnyEvent, ...]


def request_line(number: int, method: str, params_json: str) -> bytes:
    """Return a request as one line, line feed included."""
    return (
        f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params_json}}}\n'
    ).encode("ascii")


def result_line(number: object, result_json: str) -> bytes:
    """Return a successful answer as one line."""
    return f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"result":{result_json}}}\n'.encode("ascii")


def error_line(number: object, code: int, message: str) -> bytes:
    """Return a failed answer as one line."""
    error = {"code": code, "message": message}
    return (json.dumps({"jsonrpc": "2.0", "id": number, "error": error}) + "\n").encode("ascii")


def event_line(event_json: str) -> bytes:
    """Return a notification of one event as one line."""
    return f'{{"jsonrpc":"2.0","method":"event","params":{event_json}}}\n'.encode("ascii")


def message_from(line: bytes) -> Answer | Notification:
    """Read one line of a kernel.

    Raises:
        ProtocolError: it is not UTF-8, not JSON, or not a message; shows an excerpt.
    """
    try:
        return _message(codec.parse_json(line.decode("utf-8"), "message"))
    except UnicodeDecodeError as error:
        reason = f"message: byte {error.start} is not UTF-8"
    except (DocumentError, ProtocolError) as error:
        reason = str(error)
    raise ProtocolError(f"{reason}; got {excerpt(line)}. {_hint(line)}")


def _message(message: object) -> Answer | Notification:
    if not isinstance(message, dict):
        raise ProtocolError("message: expected a JSON object")
    if "method" not in message:
        return codec.convert(cast("object", message), Answer, "answer")
    notification = codec.convert(cast("object", message), Notification, "notification")
    event_from(notification.params, "notification")
    return notification


def outcome_of(answer: Answer, number: int, line: bytes) -> Any:
    """Return the result of an answer, or its ``RpcError``.

    Raises:
        ProtocolError: the answer is to another request, or has not exactly one outcome.
    """
    failed, done = answer.error is not msgspec.UNSET, answer.result is not msgspec.UNSET
    if answer.id != number and not (answer.id is None and failed):
        raise ProtocolError(
            f"the answer has id {answer.id}, the request had {number}; got {excerpt(line)}. "
            "Answer each request once, with its id"
        )
    if failed == done:
        raise ProtocolError(
            f"an answer has either `result` or `error`; got {excerpt(line)}. Send exactly one"
        )
    return answer.error if failed else answer.result


def events_from(result: object) -> tuple[AnyEvent, ...]:
    """Return the events of a result of ``run``.

    Raises:
        ProtocolError: the result does not fit; names the path in it and shows an excerpt.
    """
    try:
        events = codec.convert(result, RunResult, "result of run").events
    except DocumentError as error:
        raise ProtocolError(f"{error}; got {excerpt(json.dumps(result))}") from None
    check_count(len(events))
    if any(isinstance(event, Given) for event in events):
        raise ProtocolError(
            "result of run: `given` events are the suite's own; send only what the kernel showed"
        )
    return events


def check_count(events: int) -> None:
    """Raise ProtocolError if a kernel shows more events of a scenario than anybody can judge."""
    if events > MAX_EVENTS:
        raise ProtocolError(
            f"more than {MAX_EVENTS:,} events of one scenario. Send those that the step caused, "
            "each once"
        )


def excerpt(got: bytes | str) -> str:
    """Return the beginning of what a kernel sent, escaped, at most 200 characters."""
    start = got[: EXCERPT_LENGTH * 4]
    text = start.decode("utf-8", "surrogateescape") if isinstance(start, bytes) else start
    escaped = ascii(text)
    return escaped if len(escaped) <= EXCERPT_LENGTH else escaped[: EXCERPT_LENGTH - 3] + "..."


def _hint(line: bytes) -> str:
    if line.lstrip().startswith(b"{"):
        return "See `fedcheck schema trace` for the events and their fields"
    return "Write nothing but protocol messages to stdout, one per line; logs belong on stderr"
