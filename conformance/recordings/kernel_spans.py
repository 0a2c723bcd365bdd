"""Reads the steps of a kernel: a span for each, and in it an event for each thing that happened.

Their words are those of fedcheck's own traces. The steps of one trace are numbered, so that one
that is missing is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from ...invariants.vocabulary.codec import convert, decode, parse_json, to_json
from ...invariants.vocabulary.errors import DocumentError
from ...invariants.vocabulary.json_values import is_object
from ...invariants.vocabulary.scenario import AnyStep, Environment
from ...invariants.vocabulary.trace import AnyEvent, Given, KernelDescription, Trace
from .conventions import service_of
from .mapping import Mapping, found
from .pieces import Piece
from .spans import Place, Remark, Remarks, Span

STEP = "fedcheck.step"
UNREADABLE = "unreadable"

_PREFIX, _JSON = "fedcheck.", ".json"
_TAGS = {kind.__struct_config__.tag for kind in get_args(AnyEvent)} - {"given"}
"""Names of events; what was asked for stands in the step itself."""

_MISSING = re.compile("missing required field `[a-z_]+`")
_NANO = 1e9


class _Stimulus(msgspec.Struct):
    """Lets one of many kinds be decoded by its tag."""

    stimulus: AnyStep


class _Events(msgspec.Struct):
    """Likewise."""

    events: tuple[AnyEvent, ...]


def is_step(span: Span) -> bool:
    """Return whether a span tells a step of a kernel."""
    return STEP in span.attributes and not span.is_log


def read(span: Span, mapping: Mapping) -> Iterator[Piece | Remark]:
    """Yield the piece of a step; what cannot be read of it is a remark."""
    told = span.resource | span.attributes
    try:
        kernel = _described(_text(told, "fedcheck.kernel"))
        environment = _surroundings(_text(told, "fedcheck.environment"))
        stimulus = convert(
            {"stimulus": parse_json(_text(told, STEP), STEP)}, _Stimulus, STEP
        ).stimulus
        given = Given(
            step=0,
            user=stimulus.user,
            session=stimulus.session,
            at=_moment(span),
            stimulus=stimulus,
        )
        to_json(given)
    except DocumentError as error:
        yield Remark(f"a step of a kernel that cannot be read: {_reason(error)}", span.place)
        return
    events: list[AnyEvent] = [given]
    is_whole = not span.dropped
    if span.dropped:
        yield Remark("a step of which its SDK dropped events or attributes", span.place, "")
    for name, fields in span.events:
        if not name.startswith(_PREFIX):
            continue
        try:
            events.append(_event(name.removeprefix(_PREFIX), fields, given))
        except DocumentError as error:
            is_whole = False
            what = f"an event of a step that cannot be read: {_reason(error)}"
            yield Remark(what, span.place, "")
    number = span.attributes.get("fedcheck.number")
    name = str(told.get("fedcheck.trace", "")) or found(span, mapping.session) or span.trace
    service = service_of(span, mapping)
    yield Piece(
        "step",
        trace=span.trace,
        span=span.span,
        start=span.start,
        file=span.place.file,
        line=span.place.line,
        session=f"{name} of {service}" if service else name,
        service=service,
        name=str(number) if type(number) is int and number >= 0 else "",
        prompt=f'{{"events":[{",".join(map(to_json, events))}]}}',
        system=kernel,
        arguments=environment,
        told="" if is_whole else UNREADABLE,
    )


def _text(told: dict[str, Any], name: str, where: str = "") -> str:
    text = told.get(name)
    if not isinstance(text, str):
        raise DocumentError(f"{where or name}: missing, or no JSON text")
    return text


def _reason(error: DocumentError) -> str:
    """Say what is wrong in one of few ways: without values, names and columns of a recording."""
    where, _, why = str(error).partition(": ")
    if field := _MISSING.search(why):
        return f"{where}: {field[0]}"
    if why.startswith(("missing", "an event of another name")):
        return f"{where}: {why}"
    return f"{where}: not as docs/schemas/trace.json has it"


@lru_cache(maxsize=8)
def _described(text: str) -> str:
    return to_json(decode(text, KernelDescription, "fedcheck.kernel"))


@lru_cache(maxsize=8)
def _surroundings(text: str) -> str:
    told: Any = parse_json(text, "fedcheck.environment")
    if is_object(told):
        told.setdefault("extensions", [])  # those of the suite's pool are not a recording's
    return to_json(convert(told, Environment, "fedcheck.environment"))


def _moment(span: Span) -> float | None:
    """Return the kernel's time at a step: as it says, else that of the span."""
    told = span.attributes.get("fedcheck.at")
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        return told
    return span.start / _NANO if span.start else None


def _event(tag: str, told: dict[str, Any], given: Given) -> AnyEvent:
    if tag not in _TAGS:
        raise DocumentError("fedcheck.*: an event of another name")
    where = f"{_PREFIX}{tag}"
    fields: dict[str, Any] = {"user": given.user, "session": given.session, "at": given.at}
    for name, value in told.items():
        plain = name.removesuffix(_JSON)
        fields[plain] = value if plain == name else parse_json(_text(told, name, where), where)
    fields |= {"event": tag, "step": 0}
    (event,) = convert({"events": [fields]}, _Events, where).events
    to_json(event)
    return event


def assembled(pieces: list[Piece], name: str, remarks: Remarks) -> tuple[Trace, list[Piece], bool]:
    """Return the trace that steps make, a piece for each of them, and whether none is missing."""
    kept = _once(pieces, remarks)
    first = kept[0]
    events: list[AnyEvent] = []
    for index, piece in enumerate(kept):
        told = decode(piece.prompt, _Events, name)
        events += (replace(event, step=index) for event in told.events)
    is_whole = _is_whole(kept, remarks)
    trace = Trace(
        events=tuple(events),
        kernel=decode(first.system, KernelDescription, name),
        scenario=name,
        environment=decode(first.arguments, Environment, name),
        origin="recording",
        complete_from=0 if is_whole else len(kept),
    )
    return trace, kept, is_whole


def _once(pieces: list[Piece], remarks: Remarks) -> list[Piece]:
    """Each step once, in order; what is seen twice is counted."""
    pieces.sort(
        key=lambda x: (int(x.name or -1), x.start, x.trace, x.span, x.prompt, x.file, x.line)
    )
    seen: set[tuple[str, ...]] = set()
    kept: list[Piece] = []
    for piece in pieces:
        same = (piece.name, piece.trace, piece.span, piece.prompt, piece.system, piece.arguments)
        if same in seen:
            remarks.add("a span that was recorded before", Place(piece.file, piece.line))
            continue
        seen.add(same)
        kept.append(piece)
    return kept


def _is_whole(kept: Sequence[Piece], remarks: Remarks) -> bool:
    """Whether a trace begins with its first step, has no gap, and is of one kernel."""
    for index, piece in enumerate(kept):
        place = Place(piece.file, piece.line)
        if piece.name != str(index):
            what = (
                "a step before which another is missing, or which is told in two ways, "
                "by fedcheck.number"
                if piece.name
                else "a step without fedcheck.number: whether others are missing is not told"
            )
        elif (piece.system, piece.arguments) != (kept[0].system, kept[0].arguments):
            what = "a step of another kernel or environment than the first of its trace"
        else:
            continue
        remarks.add(what, place)
        return False
    return True
