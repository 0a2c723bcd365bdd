"""What is kept of a span: what the judges need, small, and fit to be sent to another process."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Kind = Literal["request", "result", "log", "whose", "step"]
Form = Literal["", "genai", "chat"]
Window = int | Literal["", "all"]
"""How many earlier turns a request holds; empty if nobody declares it."""

LONE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair."""


class Piece(msgspec.Struct, array_like=True):
    """A request to a model, the result of a call, a log record, whose a trace is, or a step.

    Attributes:
        kind: which of these it is.
        key: unique in a whole audit: number of the file, and of the piece in it.
        trace: id of its trace.
        span: id of its span.
        start: when it began, nanoseconds since the Unix epoch.
        file: where it was read …
        line: … and on which line.
        session: which conversation it belongs to, if it says so.
        user: whose it is, if it says so.
        service: which system recorded it, if it says so.
        form: how the messages of a prompt are told.
        prompt: JSON text of the messages; with ``base`` of those only that follow its messages.
        base: the key of an earlier request whose whole prompt this one begins with.
        system: what was told apart from the messages, as text.
        output: JSON text of the messages that the model answered.
        name: of the function that was called, or of a log record.
        app: the extension that owns the function.
        call: id of the call.
        arguments: text of its arguments.
        result: text of its result; ``None`` if it is not told.
        failed: whether it failed; ``None`` if nothing is said.
        told: what is said of a failure.
        end: when it ended, nanoseconds since the Unix epoch; 0 if that is not told.
        is_cut: whether the model's answer ended at its limit of tokens.
        window: how many earlier turns of its session a request holds, where that is declared.
        longest: length of the longest text of the span, by which a limit of lengths is seen.
    """

    kind: Kind
    key: str = ""
    trace: str = ""
    span: str = ""
    start: int = 0
    file: str = ""
    line: int = 0
    session: str = ""
    user: str = ""
    service: str = ""
    form: Form = ""
    prompt: str = ""
    base: str = ""
    system: str = ""
    output: str = ""
    name: str = ""
    app: str = ""
    call: str = ""
    arguments: str = ""
    result: str | None = None
    failed: bool | None = None
    told: str = ""
    longest: int = 0
    end: int = 0
    is_cut: bool = False
    window: Window = ""

    @property
    def conversation(self) -> str:
        """The conversation: its session, or where none is told the trace; of any system."""
        if self.kind == "step":
            return f"steps {self.session}"
        return f"session {self.session}" if self.session else f"trace {self.trace}"


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Piece)


def packed(piece: Piece) -> bytes:
    """Return a piece as bytes. Half of a surrogate pair stands in it as JSON escapes it."""
    try:
        return _ENCODER.encode(piece)
    except UnicodeEncodeError:
        for name in Piece.__struct_fields__:
            value = getattr(piece, name)
            if isinstance(value, str):
                setattr(piece, name, LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", value))
        return _ENCODER.encode(piece)


def unpacked(data: bytes | memoryview) -> Piece:
    """Return the piece of these bytes."""
    return _DECODER.decode(data)
