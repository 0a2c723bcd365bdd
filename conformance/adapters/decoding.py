"""From what a kernel said, as plain values, to typed events and descriptions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast, get_args

import msgspec

from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.errors import ProtocolError
from ...invariants.vocabulary.near_names import did_you_mean
from ...invariants.vocabulary.trace import CLAIMABLE, AnyEvent, Event, Given, KernelDescription

KINDS: dict[str, type[Event]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent) if kind is not Given
}
"""The events that a kernel may send, by name; ``given`` is the suite's own."""

PARAMETER_BOUNDS: dict[str, tuple[int, int]] = {
    "window": (1, 1000),
    "turn_cap": (1, 1_000_000),
    "call_cap": (1, 1_000_000),
    "key_max_length": (1, 100_000),
    "ttl_max_seconds": (60, 1_000_000_000),
    "value_max_bytes": (8192, 8_000_000),
    "section_fields": (1, 10_000),
    "section_list_items": (1, 10_000),
    "retry_budget": (0, 50),
    "agent_turns": (0, 1000),
}
"""Least and greatest value of each number that a kernel may declare: scenarios are made to fit
it, and beyond these nobody could make or send them."""


DESCRIPTION_BYTES = 16_384
"""Largest description of itself, as JSON: it stands in every report and every signature."""


def event_from(plain: object, where: str) -> AnyEvent:
    """Turn a plain mapping into an event; ``where`` opens the message of an error.

    Raises:
        ProtocolError: naming ``where`` and the field.
    """
    if not isinstance(plain, dict):
        raise ProtocolError(f"{where}: expected an event, got {type(plain).__name__}")
    kind = cast("dict[str, object]", plain).get("event")
    known = KINDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise ProtocolError(f"{where}: {_unknown_kind(kind)}")
    try:
        return cast("AnyEvent", msgspec.convert(plain, known))
    except msgspec.ValidationError as error:
        raise ProtocolError(f"{where} ({kind}): {error}") from None


def description_from(plain: object, where: str) -> KernelDescription:
    """Turn a plain mapping into a kernel's description of itself.

    Raises:
        ProtocolError: naming ``where`` and the field, an unknown capability, a parameter
            beyond ``PARAMETER_BOUNDS``, or a size beyond ``DESCRIPTION_BYTES``.
    """
    try:
        description = msgspec.convert(plain, KernelDescription)
    except msgspec.ValidationError as error:
        raise ProtocolError(f"{where}: {error}") from None
    if (size := len(to_json(description))) > DESCRIPTION_BYTES:
        raise ProtocolError(
            f"{where}: the description takes {size:,} bytes, of which {DESCRIPTION_BYTES:,} are "
            "the most; describe the kernel by a name, a version and what it claims"
        )
    for name in description.capabilities:
        if name not in CLAIMABLE:
            # A misspelt claim would otherwise read "not claimed", which is green.
            raise ProtocolError(
                f"{where}: unknown capability {name!r}{_meant(name, CLAIMABLE)}; "
                f"known are {', '.join(CLAIMABLE)}"
            )
    for name, (least, most) in PARAMETER_BOUNDS.items():
        value = getattr(description.parameters, name)
        if value is not None and not least <= value <= most:
            raise ProtocolError(
                f"{where}: parameter {name} is {value}; expected {least:,} to {most:,}, for which "
                "scenarios can be made"
            )
    return description


def _unknown_kind(kind: object) -> str:
    if kind is None:
        return "the field `event`, which names the kind of event, is missing"
    if kind == "given":
        return "`given` events are the suite's own; a kernel sends what it showed"
    return f"unknown event {kind!r}{_meant(str(kind), KINDS)}"


def _meant(name: str, known: Iterable[str]) -> str:
    hint = did_you_mean(name, known, "")
    return f" ({hint})" if hint else ""
