"""The aspects that there are, and their rows: made once, checked in, read here.

``python -m fedcheck.conformance.rows --write`` makes rows anew after a table has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from random import Random

from . import aspects as tables
from .vocabulary.aspect import Aspect, Row
from .vocabulary.errors import CatalogError
from .vocabulary.invariant import Invariant
from .vocabulary.parameters import Parameters
from .vocabulary.scenario import Scenario

MENDING = "python -m fedcheck.conformance.rows --write"
"""The command that makes the rows of every aspect anew; it needs the extra ``dev``."""


@cache
def aspects() -> tuple[Aspect, ...]:
    """Return every aspect, in the order of their names.

    Raises:
        CatalogError: a module holds none, or one that is named otherwise than its module.
    """
    found: list[Aspect] = []
    for module in iter_modules(tables.__path__, f"{tables.__name__}."):
        if module.ispkg:
            continue
        aspect = getattr(import_module(module.name), "ASPECT", None)
        home = module.name.rpartition(".")[2]
        if not isinstance(aspect, Aspect) or home_of(aspect) != home:
            raise CatalogError(f"aspects/{home}.py: want an ASPECT whose name gives this module's")
        found.append(aspect)
    return tuple(sorted(found, key=lambda each: each.name))


def home_of(aspect: Aspect) -> str:
    """Return the name of the module and of the rows of an aspect, without its ending."""
    return aspect.name.replace(".", "_").replace("-", "_")


@cache
def rows(aspect: Aspect) -> tuple[Row, ...]:
    """Return the rows of an aspect.

    Raises:
        CatalogError: they are missing, or name a value that the table does not have.
    """
    path = files(tables.__name__).joinpath(f"{home_of(aspect)}.json")
    try:
        names: list[str] = json.loads(path.read_text(encoding="ascii"))
        return tuple(aspect.row(name) for name in names)
    except (OSError, ValueError, CatalogError) as error:
        raise CatalogError(f"rows of {aspect.name}: {error}; make them anew: {MENDING}") from error


def fixed_scenarios(
    invariant: Invariant,
    planned: Sequence[Invariant],
    parameters: Parameters,
    capabilities: frozenset[str],
) -> Iterator[Scenario]:
    """Yield the fixed scenarios of an invariant: its own, then the rows of its aspects.

    An aspect is run once, by the first of its invariants that is planned.
    """
    yield from invariant.scenarios(parameters)
    for aspect in _run_by(invariant, planned, capabilities):
        yield from scenarios_of(aspect, parameters, capabilities)


def further_scenarios(
    invariant: Invariant,
    planned: Sequence[Invariant],
    parameters: Parameters,
    capabilities: frozenset[str],
    seed: int,
) -> Iterator[Scenario]:
    """Yield what lies beyond the rows of an invariant's aspects: three values that never met.

    Every triple comes once; the seed decides in which order.
    """
    triples = [
        (aspect, row)
        for aspect in _run_by(invariant, planned, capabilities)
        for row in aspect.triples(rows(aspect))
    ]
    Random(seed).shuffle(triples)  # noqa: S311 - the same scenarios each time
    for aspect, row in triples:
        yield aspect.scenario(row, parameters, capabilities)


def _run_by(
    invariant: Invariant, planned: Sequence[Invariant], capabilities: frozenset[str]
) -> Iterator[Aspect]:
    ids = [each.id for each in planned]
    for aspect in aspects():
        if not aspect.capabilities <= capabilities:
            continue
        judging = (clause.partition("/")[0] for clause in aspect.clauses)
        if invariant.id == next((each for each in judging if each in ids), None):
            yield aspect


def plainer(
    scenario: Scenario, parameters: Parameters, capabilities: frozenset[str]
) -> Iterator[Scenario]:
    """Yield the rows that differ from a row in one value, which is the plain one.

    Yields nothing for a scenario that is no row of an aspect, or is one no more.
    """
    name, _, chosen = scenario.id.partition("/")
    aspect = next((each for each in aspects() if each.name == name), None)
    if aspect is None:
        return
    try:
        row = aspect.row(chosen)
    except CatalogError:
        return
    if aspect.scenario(row, parameters, capabilities) != scenario:
        return
    for dimension in reversed(aspect.dimensions):
        if row.chosen[dimension.name] is not dimension.plain:
            other = Row({**row.chosen, dimension.name: dimension.plain})
            yield aspect.scenario(other, parameters, capabilities)


def scenarios_of(
    aspect: Aspect, parameters: Parameters, capabilities: frozenset[str]
) -> Iterator[Scenario]:
    """Yield the scenarios of an aspect; rows that come to the same for this kernel come once."""
    made: set[tuple[object, ...]] = set()
    for row in rows(aspect):
        scenario = aspect.scenario(row, parameters, capabilities)
        content = (scenario.steps, repr(scenario.environment))
        if content not in made:
            made.add(content)
            yield scenario
