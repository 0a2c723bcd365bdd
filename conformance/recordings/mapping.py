"""Where in a recording user, session, extension, function and status stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as ByName
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec

from ...invariants.vocabulary.codec import convert
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.json_values import is_object
from ...invariants.vocabulary.toml_file import read_toml
from .spans import Place, ReadFile, Span


class Mapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the values of a recording stand; the file of ``--mapping``.

    A place is the name of an attribute of a span. ``NAME/KEY`` looks into an attribute that
    holds an object, also as JSON text; ``resource:NAME`` is an attribute of the resource. The
    first place that holds something counts. What is not given is as here.

    Attributes:
        user: whose conversation it is.
        session: which conversation it is.
        service: which system recorded it; ids of sessions and users mean something in one alone.
        extension: which extension owns the function; else the function's name begins with it.
        function: the function that a call names.
        separator: stands between extension and function in such a name.
        status: what became of a call, where the span's own status does not tell.
        failed: the values of ``status`` that say that it failed.
        window: how many earlier turns of its session the system declares that it sends its model,
            or ``all``; without it nobody is blamed for a turn that is forgotten.
    """

    user: tuple[str, ...] = (
        "user.id",
        "enduser.id",
        "metadata/user.id",
        "metadata/user_id",
        "traceloop.association.properties.user_id",
        "langfuse.user.id",
    )
    session: tuple[str, ...] = (
        "gen_ai.conversation.id",
        "session.id",
        "traceloop.association.properties.session_id",
        "traceloop.association.properties.thread_id",
        "metadata/session_id",
        "metadata/thread_id",
        "langfuse.session.id",
    )
    service: tuple[str, ...] = ("resource:service.namespace", "resource:service.name")
    extension: tuple[str, ...] = ()
    function: tuple[str, ...] = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
    separator: str = "__"
    status: tuple[str, ...] = ("gen_ai.task.status",)
    failed: tuple[str, ...] = ("error", "failed", "failure")
    window: Annotated[int, msgspec.Meta(ge=0)] | Literal["", "all"] = ""

    def given(self) -> set[str]:
        """Return the entries that tell other places than ours."""
        usual = Mapping()
        return {name for name in _PLACES if getattr(self, name) != getattr(usual, name)}

    def fitting(self, span: Span, names: Iterable[str]) -> set[str]:
        """Return those of some entries that find something in a span."""
        return {name for name in names if found(span, getattr(self, name))}


MAPPING = Place("--mapping")
"""Where a remark on the mapping stands."""

_PLACES = ("user", "session", "service", "extension", "function", "status")
_DECIDING = frozenset({"user", "session"})


def unfit(mapping: Mapping, files: Sequence[ReadFile]) -> list[str]:
    """Return what is to be told of the entries of a mapping that find nothing in any file.

    Raises:
        UsageError: none of its entries finds anything, or that of user or session does not.
    """
    given = mapping.given()
    names = given.intersection(*(file.unfit for file in files))
    told = [f"{name}, which names {', '.join(getattr(mapping, name))}" for name in sorted(names)]
    if any(file.spans for file in files) and names and (names == given or names & _DECIDING):
        raise UsageError(
            f"the mapping fits nothing: no span of the recording holds {'; nor '.join(told)}; "
            "compare the names with those in the recording, or leave the entry out"
        )
    return [f"no span holds what the mapping names: {each}" for each in told]


def read_mapping(path: Path) -> Mapping:
    """Read the file of ``--mapping``.

    Raises:
        UsageError: it cannot be read.
        DocumentError: it is no mapping; the message names the key.
    """
    return convert(read_toml(path), Mapping, str(path))


def found(span: Span, places: Sequence[str]) -> str:
    """Return what the first of some places of a span holds; empty if none holds anything."""
    for place in places:
        value = _at(span, place)
        if value is not None and value != "" and not isinstance(value, (dict, list)):
            return str(value)
    return ""


def _at(span: Span, place: str) -> Any:
    if place in span.attributes:
        return span.attributes[place]
    if place.startswith("resource:"):
        return span.resource.get(place[len("resource:") :])
    name, sign, key = place.partition("/")
    if not sign or name not in span.attributes:
        return None
    held = span.attributes[name]
    if isinstance(held, str):
        if f'"{key}"' not in held:
            return None
        try:
            held = json.loads(held)
        except (ValueError, RecursionError):
            return None
    return cast("ByName[str, Any]", held).get(key) if is_object(held) else None
