"""Requirement sets: frozen, named lists of clauses, kept as data in the package or in a file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import msgspec

from .vocabulary import codec
from .vocabulary.errors import DocumentError, UsageError
from .vocabulary.invariant import Clause, Invariant
from .vocabulary.parameters import CLAIMED_ELSEWHERE, Parameters, deviations
from .vocabulary.regular_files import refuse_irregular

IGNORED = "ignored"
"""The reason of a clause that ``--ignore`` left out."""


_NAME = re.compile(r"[a-z0-9.-]{1,80}")
"""Names look the same to everybody, and two of them never look like one."""


class RequirementList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A requirement set as it stands in its file.

    Attributes:
        name: name of the set, of ``a-z0-9.-``; the file has the same.
        title: what it demands, in one line.
        clauses: ids of the clauses that must hold.
        parameters: the values that the set demands.
        allowed_deviations: parameters that a kernel may declare differently.
        must_claim: capabilities that a kernel has to claim.
        extends: name of a set of the package, all of which is demanded too; a file of one's own
            then takes its parameters from there.
        origins: clause → name of the set that brought it, filled in when it is read.
        digest: SHA-256 of the file, filled in when it is read; of a file of one's own that
            extends a set, of both.
        files: text of its file, then of the set that it extends, and so on; filled in likewise.
    """

    name: str
    title: str
    clauses: tuple[str, ...]
    parameters: Parameters = Parameters()
    allowed_deviations: tuple[str, ...] = ()
    must_claim: tuple[str, ...] = ()
    extends: str = ""
    origins: dict[str, str] = {}
    digest: str = ""
    files: tuple[str, ...] = ()


def requirement_set(name: str) -> RequirementList:
    """Return a requirement set by name, or read it from a file ``….json``.

    Raises:
        UsageError: there is none of that name; the message lists them.
        DocumentError: the file cannot be read or is no requirement set.
    """
    return _of_file(Path(name)) if is_file_name(name) else _of_package(name)


def requirement_set_of(files: Sequence[str]) -> RequirementList:
    """Return a requirement set from the texts that it was read from (its ``files``).

    Raises:
        DocumentError: one of them is no requirement set, is not the one that the text before it
            extends, or bears the name of a set of the package and is another.
    """
    own, *rest = [_decoded(text.encode("utf-8"), "a requirement set") for text in files]
    for found, base in zip([own, *rest], [*rest, None], strict=True):
        if found.extends != (base.name if base else ""):
            raise DocumentError(f"requirement set {found.name}: what it extends is not with it")
    if own.name in _names() and own.digest != _of_package(own.name).digest:
        raise DocumentError(
            f"requirement set {own.name}: its text is not that of the set of this name"
        )
    if not rest:
        return own
    base = requirement_set_of(files[1:])
    return _extended(own, base) if own.name in _names() else _own_extended(own, base)


def forbidden_deviations(
    requirements: RequirementList, declared: Parameters
) -> dict[str, tuple[object, object]]:
    """Return the parameters that differ and may not, as name → (documented, declared)."""
    demanded = {clause.partition("/")[0] for clause in requirements.clauses}
    allowed = set(requirements.allowed_deviations)
    allowed |= {name for name, owner in CLAIMED_ELSEWHERE.items() if owner not in demanded}
    return {name: pair for name, pair in deviations(declared).items() if name not in allowed}


def ignored_clauses(
    requirements: RequirementList,
    excluded: Mapping[str, str],
    known: Mapping[str, tuple[Invariant, Clause]],
) -> tuple[str, ...]:
    """Return the clauses that would decide, had ``--ignore`` not left them out.

    Args:
        requirements: what is demanded.
        excluded: the clauses that were left out, each with the reason.
        known: every clause that there is.
    """
    return tuple(
        name
        for name in requirements.clauses
        if excluded.get(name) == IGNORED and known[name][1].level == "MUST"
    )


def is_file_name(name: str) -> bool:
    """Return whether a requirement set is named by its file."""
    return name.endswith(".json")


def _of_package(name: str) -> RequirementList:
    folder = files(__package__ or __name__).joinpath("requirement_sets")
    known = _names()
    if name not in known:
        raise UsageError(f"There is no requirement set {name!r}; there are: {', '.join(known)}.")
    data = folder.joinpath(f"{name}.json").read_bytes()
    found = _decoded(data, f"requirement set {name}")
    return _extended(found, _of_package(found.extends)) if found.extends else found


def _of_file(path: Path) -> RequirementList:
    try:
        refuse_irregular(path)
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(
            f"{path}: the requirement set cannot be read: {error.strerror}"
        ) from None
    found = _decoded(data, str(path))
    if found.name in _names():
        raise DocumentError(
            f"{path}: the name {found.name!r} is that of a set of the package; give another one"
        )
    if not found.extends:
        return found
    return _own_extended(found, _of_package(found.extends))


def _own_extended(found: RequirementList, base: RequirementList) -> RequirementList:
    """A set of one's own, which takes its parameters from the set of the package."""
    both = hashlib.sha256(f"{base.digest}{found.digest}".encode("ascii")).hexdigest()
    extended = _extended(found, base)
    return msgspec.structs.replace(extended, parameters=base.parameters, digest=both)


def _extended(found: RequirementList, base: RequirementList) -> RequirementList:
    return msgspec.structs.replace(
        found,
        clauses=tuple(dict.fromkeys((*base.clauses, *found.clauses))),
        allowed_deviations=(*base.allowed_deviations, *found.allowed_deviations),
        must_claim=(*base.must_claim, *found.must_claim),
        origins={**found.origins, **base.origins},
        files=(*found.files, *base.files),
    )


def _names() -> list[str]:
    folder = files(__package__ or __name__).joinpath("requirement_sets")
    return sorted(f.name[: -len(".json")] for f in folder.iterdir() if f.name.endswith(".json"))


def _decoded(data: bytes, where: str) -> RequirementList:
    found = codec.decode(data, RequirementList, where)
    if not _NAME.fullmatch(found.name):
        raise DocumentError(
            f"{where}: the name {found.name[:80]!a} is none for a requirement set; write it with "
            "the letters a to z, digits, full stops and hyphens"
        )
    origins = dict.fromkeys(found.clauses, found.name)
    digest = hashlib.sha256(data).hexdigest()
    text = data.decode("utf-8")
    return msgspec.structs.replace(found, origins=origins, digest=digest, files=(text,))
