"""Finds the invariants: every module of `judges/` named ``i_…`` or ``c_…``, and plug-ins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from . import judges
from .plugins import enabled, invariant_plugins
from .vocabulary.errors import CatalogError, UsageError
from .vocabulary.invariant import Clause, Invariant
from .vocabulary.near_names import did_you_mean


def catalog() -> tuple[Invariant, ...]:
    """Return every invariant that this installation knows, in the order of their ids.

    Raises:
        CatalogError: two invariants share an id, or a module holds none.
    """
    return _catalog(enabled())


@cache
def own_invariants() -> tuple[Invariant, ...]:
    """Return the invariants that come with fedcheck, in the order of their ids. Raises as above."""
    found: list[tuple[str, Invariant]] = []
    for module in walk_packages(judges.__path__, f"{judges.__name__}."):
        if not module.name.rpartition(".")[2].startswith(("i_", "c_")):
            continue
        home = f"{module.name.partition('.')[2].replace('.', '/')}.py"
        invariant = getattr(import_module(module.name), "INVARIANT", None)
        if not isinstance(invariant, Invariant):
            raise CatalogError(
                f"{home}: INVARIANT is missing or is no Invariant; define it at module level"
            )
        found.append((home, invariant))
    return _sorted(found)


@cache
def _catalog(with_plugins: bool) -> tuple[Invariant, ...]:
    if not with_plugins:
        return own_invariants()
    found = [("fedcheck itself", invariant) for invariant in own_invariants()]
    for plugin in invariant_plugins():
        found += [(plugin.label, invariant) for invariant in plugin.invariants]
    return _sorted(found)


def _sorted(found: Sequence[tuple[str, Invariant]]) -> tuple[Invariant, ...]:
    """The invariants in the order of their ids; refuses an id that two places give."""
    homes: dict[str, str] = {}
    for home, invariant in found:
        if invariant.id in homes:
            raise CatalogError(
                f"{home}: the id {invariant.id} exists already, in {homes[invariant.id]}; "
                "rename one of them, uninstall the plug-in, or give --no-plugins"
            )
        homes[invariant.id] = home
    return tuple(sorted((invariant for _, invariant in found), key=lambda each: each.id))


def catalog_digest() -> str:
    """Return the SHA-256 of the catalog: all that its invariants say, and the plug-ins' code."""
    told = [
        [
            [each.id, each.statement, each.severity, sorted(each.capabilities)],
            [str(source) for source in each.sources],
            [_told(clause) for clause in each.clauses],
        ]
        for each in catalog()
    ]
    plugins = [[x.group, x.name, x.version, x.digest, x.problem] for x in invariant_plugins()]
    text = json.dumps([told, plugins], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _told(clause: Clause) -> list[object]:
    partitions = [[x.name, x.description, x.kind] for x in clause.partitions]
    return [clause.name, clause.sentence, clause.level, sorted(clause.capabilities), partitions]


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
                f"{pattern!r} names no clause and no invariant; {_nearest(pattern, ids)}"
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
    raise UsageError(f"There is no invariant {invariant_id!r}; {_nearest(invariant_id, ids)}")


def _invariant(clause_id: str) -> str:
    return clause_id.partition("/")[0]


def _nearest(name: str, ids: tuple[str, ...]) -> str:
    known = [*map(_invariant, ids), *ids]
    if any(fnmatchcase(each, name.upper()) for each in known):
        known.append(name.upper())
    return f"{did_you_mean(name, known, '`fedcheck list` shows all of them.')}{broken_plugins()}"


def broken_plugins() -> str:
    """What to know when something is not found: plug-ins that could not be loaded."""
    return "".join(f" {x.label} {x.problem}." for x in invariant_plugins() if x.problem)
