"""From a span to what is kept of it, by the conventions that instrumentations follow.

A convention is a function that returns a piece for the spans that are its own. The first that
does so counts: OpenInference, OpenLLMetry's older names, the GenAI conventions old and new.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...invariants.vocabulary.json_values import is_list, is_object
from . import genai, openinference, traceloop
from .mapping import Mapping, found
from .pieces import Piece
from .spans import Span

Convention = Callable[[Span], Piece | None]

_FINISHED = (
    "gen_ai.response.finish_reasons",
    "gen_ai.completion.0.finish_reason",
    "llm.finish_reason",
)
"""Attributes that say why the model ended its answer."""

_AT_LIMIT = frozenset({"length", "max_tokens"})

_CONVENTIONS: tuple[Convention, ...] = (openinference.piece, traceloop.piece, genai.piece)


def piece_of(span: Span, mapping: Mapping) -> Piece | None:
    """Return what is to be kept of a span; ``None`` if it says nothing that is judged."""
    made = next((one for each in _CONVENTIONS if (one := each(span)) is not None), None)
    session, user = found(span, mapping.session), found(span, mapping.user)
    if made is None:
        if not (session or user):
            return None
        made = Piece("whose")
    made.trace, made.span, made.start = span.trace, span.span, span.start
    made.file, made.line = span.place.file, span.place.line
    made.session, made.user = session, user
    made.service = system_of(span, mapping)
    made.end, made.parent, made.window = span.end, span.parent, mapping.window
    made.dropped = span.dropped
    if made.kind == "result":
        _named(made, span, mapping)
    elif made.form:
        made.failed = True if span.failed else None
        made.is_cut = _is_cut(span, made)
    texts = [span.attributes, *(held for _, held in span.events)]
    made.longest = max(
        (len(value) for held in texts for value in held.values() if isinstance(value, str)),
        default=0,
    )
    if span.is_log:
        made.longest = max(made.longest, len(made.prompt))
    return made


def _is_cut(span: Span, made: Piece) -> bool:
    """Whether the model's answer ended at its limit of tokens."""
    told = [reason for name in _FINISHED for reason in _listed(span.attributes.get(name))]
    if '"finish_reason"' in made.output and any(word in made.output for word in _AT_LIMIT):
        messages = _listed(made.output)
        told += [x.get("finish_reason") for x in messages if is_object(x)]
    return any(isinstance(reason, str) and reason.casefold() in _AT_LIMIT for reason in told)


def _listed(value: Any) -> list[Any]:
    """Return a list that may be told as JSON text; of one value a list of it."""
    if isinstance(value, str) and value[:1] == "[":
        return genai.listed(value)
    return value if is_list(value) else [value]


UNNAMED = "unknown_service"
"""What an SDK calls a service to which nobody gave a name."""

_INSTANCES = ("service.instance.id", "process.pid")


def service_of(span: Span, mapping: Mapping) -> str:
    """Return the name of the system that recorded a span; empty where an SDK made one up."""
    name = found(span, mapping.service)
    return "" if is_unnamed(name) else name


def system_of(span: Span, mapping: Mapping) -> str:
    """Return what keeps the system that recorded a span apart from others.

    That is its name; where an SDK made one up, its instance or process stands behind that, as far
    as the resource tells it.
    """
    name = found(span, mapping.service)
    if not is_unnamed(name):
        return name
    told = next((x for x in _INSTANCES if span.resource.get(x)), "")
    host = span.resource.get("host.name", "") if told == "process.pid" else ""
    return f"{name} {host} {span.resource[told]}".replace("  ", " ") if told else name


def is_unnamed(service: str) -> bool:
    """Return whether an SDK made up the name of a system."""
    return service.startswith(UNNAMED)


def has_instance(service: str) -> bool:
    """Return whether an instance or process stands behind such a name."""
    return " " in service


def _named(made: Piece, span: Span, mapping: Mapping) -> None:
    """Say which function of which extension was called, and whether the call failed."""
    name = found(span, mapping.function) or made.name or span.name
    made.app = found(span, mapping.extension)
    made.name = name
    if not made.app and mapping.separator and mapping.separator in name:
        made.app, _, made.name = name.partition(mapping.separator)
    if made.failed is None:
        made.failed = True if span.failed else None
    status = found(span, mapping.status)
    if status in mapping.failed:
        made.failed = True
    if made.failed and not made.told:
        made.told = span.told or next(
            (str(a.get("exception.message", "")) for n, a in span.events if n == "exception"), ""
        )
