"""Finds the invariants: every module of this folder named ``i_…`` or ``c_…``."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from .errors import CatalogError, UsageError
from .model import Clause, Invariant


@cache
def catalog() -> tuple[Invariant, ...]:
    """Return every invariant that this installation knows, in the order of their ids.

    Raises:
        CatalogError: two invariants share an id, or a module holds none.
    """
    package = __name__.rpartition(".")[0]
    found: dict[str, Invariant] = {}
    for module in iter_modules(import_module(package).__path__):
        if not module.name.startswith(("i_", "c_")):
            continue
        invariant = getattr(import_module(f"{package}.{module.name}"), "INVARIANT", None)
        if not isinstance(invariant, Invariant):
            raise CatalogError(
                f"invariants/{module.name}.py: INVARIANT is missing or is no Invariant; "
                "define it at module level"
            )
        if invariant.id in found:
            raise CatalogError(f"invariants/{module.name}.py: the id {invariant.id} exists already")
        found[invariant.id] = invariant
    return tuple(found[key] for key in sorted(found))


def clauses(invariants: tuple[Invariant, ...]) -> dict[str, tuple[Invariant, Clause]]:
    """Return the clauses of the invariants by clause id."""
    return {
        clause_id: (invariant, clause)
        for invariant in invariants
        for clause_id, clause in zip(invariant.clause_ids, invariant.clauses, strict=True)
    }


def matching(patterns: tuple[str, ...], ids: tuple[str, ...]) -> set[str]:
    """Return the clause ids that a pattern names: an id, an invariant's id, or a glob.

    Raises:
        UsageError: a pattern names nothing; the message lists the nearest ids.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        hits = {x for x in ids if fnmatchcase(x, pattern) or fnmatchcase(_invariant(x), pattern)}
        if not hits:
            raise UsageError(
                f"{pattern!r} names no clause and no invariant.{_nearest(pattern, ids)}"
            )
        chosen |= hits
    return chosen


def find(invariant_id: str) -> Invariant:
    """Return one invariant by its id.

    Raises:
        UsageError: there is none; the message lists the nearest ids.
    """
    for invariant in catalog():
        if invariant.id == invariant_id:
            return invariant
    ids = tuple(invariant.id for invariant in catalog())
    raise UsageError(f"There is no invariant {invariant_id!r}.{_nearest(invariant_id, ids)}")


def _invariant(clause_id: str) -> str:
    return clause_id.partition("/")[0]


def _nearest(name: str, ids: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [*ids, *{_invariant(x) for x in ids}], n=3, cutoff=0.5)
    if near:
        return f" Nearest: {', '.join(near)}."
    return " `fedcheck list` shows all of them."
