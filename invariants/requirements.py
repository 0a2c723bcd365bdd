"""Requirement sets: frozen, named lists of clauses, kept as data in the package."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import msgspec

from . import codec
from .errors import UsageError
from .parameters import Parameters


class RequirementList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A requirement set as it stands in its file.

    Attributes:
        name: name of the set; the file has the same.
        title: what it demands, in one line.
        clauses: ids of the clauses that must hold.
        parameters: the values that the set demands.
        allowed_deviations: parameters that a kernel may declare differently.
        digest: SHA-256 of the file, filled in when it is read.
    """

    name: str
    title: str
    clauses: tuple[str, ...]
    parameters: Parameters = Parameters()
    allowed_deviations: tuple[str, ...] = ()
    digest: str = ""


def requirement_set(name: str) -> RequirementList:
    """Return a requirement set by name.

    Raises:
        UsageError: there is none of that name; the message lists them.
    """
    folder = files(__package__ or __name__).joinpath("requirement_sets")
    known = sorted(f.name[: -len(".json")] for f in folder.iterdir() if f.name.endswith(".json"))
    if name not in known:
        raise UsageError(f"There is no requirement set {name!r}; there are: {', '.join(known)}.")
    data = folder.joinpath(f"{name}.json").read_bytes()
    found = codec.decode(data, RequirementList, f"requirement set {name}")
    return msgspec.structs.replace(found, digest=hashlib.sha256(data).hexdigest())
