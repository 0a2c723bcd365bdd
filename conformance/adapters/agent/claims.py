"""What an agent says of itself, and what of it a kernel's description holds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

import msgspec

from ....invariants.vocabulary.errors import ProtocolError
from ....invariants.vocabulary.near_names import did_you_mean
from ....invariants.vocabulary.parameters import Parameters
from ....invariants.vocabulary.trace import KernelDescription


class Claims(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The claims of the ready line; what is left out is not claimed.

    Attributes:
        name: the agent's name; its reference if it is empty.
        version: its version.
        commit: source revision, if known.
        users: it keeps the sessions of two users apart, also where their ids are the same.
        restart: a new process continues the sessions that ``FEDCHECK_STATE`` holds.
        overlap: it takes turns of several sessions at the same time.
        streams: it takes a turn by its streaming interface where it is told to.
        confirm: it holds what is destructive until its user has answered.
        turns: earlier turns of the session that its model is sent; ``None`` if all.
        failed_turns: whether it keeps a turn that ended with an error.
    """

    name: str = ""
    version: str = "unknown"
    commit: str = ""
    users: bool = False
    restart: bool = False
    overlap: bool = False
    streams: bool = False
    confirm: bool = False
    turns: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None
    failed_turns: Literal["kept", "dropped"] | None = None


def described(claims: Any, reference: str) -> KernelDescription:
    """Return claims as a kernel's description.

    Args:
        claims: as they stand in the ready line.
        reference: the string that names the agent.

    Raises:
        ProtocolError: a claim is unknown, or has a wrong value.
    """
    try:
        read = msgspec.convert(claims, Claims)
    except msgspec.ValidationError as error:
        raise ProtocolError(f"claims: {error}{_meant(claims)}") from None
    names = ("users", "restart", "overlap", "streams", "confirm")
    claimed = {"recall": read.turns != 0, **{name: getattr(read, name) for name in names}}
    return KernelDescription(
        kernel=read.name or reference,
        version=read.version,
        commit=read.commit,
        capabilities=("agent", *(f"agent_{name}" for name, yes in claimed.items() if yes)),
        parameters=Parameters(agent_turns=read.turns, agent_failed_turns=read.failed_turns),
    )


def _meant(claims: Any) -> str:
    known = Claims.__struct_fields__
    given: list[object] = (
        list(cast("dict[object, object]", claims)) if isinstance(claims, dict) else []
    )
    unknown = [str(name) for name in given if name not in known]
    return (
        f"; {did_you_mean(unknown[0], known, 'known are ' + ', '.join(known))}" if unknown else ""
    )
