"""Scenarios as tables: what varies is a dimension with named values, combined pair by pair.

A breach seldom hangs on one input alone: a life is capped in chat functions and forgotten in
skeleton handlers. An *aspect* is one promise with the dimensions that may matter to it. Its
rows hold every pair of values of two dimensions at least once; they are data, made once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Generic, TypeVar, cast

from msgspec import UNSET
from msgspec.structs import replace

from .errors import CatalogError
from .parameters import Parameters
from .protocol import needed
from .scenario import AnyStep, Environment, Scenario, Turn

T = TypeVar("T")

JOIN = "+"
"""Stands between the names of values in the name of a row."""


@dataclass(frozen=True)
class Value(Generic[T]):
    """A named value of a dimension.

    Attributes:
        name: stable name inside the dimension, without spaces.
        value: what the scenario is built from.
        source: what is known to get it wrong, in a few words.
    """

    name: str
    value: T
    source: str


@dataclass(frozen=True)
class Dimension(Generic[T]):
    """One thing that varies.

    Attributes:
        name: stable name inside the aspect.
        values: what it may be; the first one is plain: no rule can be what a kernel minds.
    """

    name: str
    values: tuple[Value[T], ...]

    @property
    def plain(self) -> Value[T]:
        """The value that no kernel minds."""
        return self.values[0]


class Row:
    """A choice of one value for each dimension of an aspect."""

    def __init__(self, chosen: Mapping[str, Value[Any]]) -> None:
        self.chosen = dict(chosen)

    def __getitem__(self, dimension: Dimension[T]) -> T:
        """Return what was chosen in a dimension."""
        return cast("T", self.chosen[dimension.name].value)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the chosen values, in the order of the dimensions."""
        return tuple(value.name for value in self.chosen.values())

    @property
    def name(self) -> str:
        """The row's name inside its aspect."""
        return JOIN.join(self.names)


Choice = tuple[str, str]
"""A dimension and one of its values, by name."""

Pair = tuple[Choice, Choice]
"""Two choices, of two dimensions."""


@dataclass(frozen=True)
class Apart:
    """Values of two dimensions that make no scenario together; plain ones are never among them.

    Attributes:
        one: name of a dimension, and names of its values.
        other: the same of another dimension.
        why: the reason, for people.
    """

    one: tuple[str, frozenset[str]]
    other: tuple[str, frozenset[str]]
    why: str

    def forbids(self, names: Mapping[str, str]) -> bool:
        """Whether a choice, as dimension → value, holds two such values."""
        return all(names.get(dimension) in values for dimension, values in (self.one, self.other))


_STANDARD = Environment()


@dataclass(frozen=True)
class Scene:
    """What a row comes to.

    Attributes:
        steps: what to do.
        strained: indexes of the steps whose outcome the focus is about: a row in which none of
            them was compared shows nothing.
        environment: what is set up first.
    """

    steps: Sequence[AnyStep]
    strained: frozenset[int]
    environment: Environment = _STANDARD


@dataclass(frozen=True)
class Aspect:
    """One promise and what may matter to it.

    Attributes:
        name: stable name, such as ``cache.life``; its table lies in ``aspects/cache_life.py``.
        title: a few words.
        clauses: ids of the clauses that judge it; the first one's invariant runs its rows.
        focus: the dimension whose values strain the promise.
        context: dimensions that no conforming kernel minds.
        scene: builds a row for a kernel with these parameters. Whatever can be observed
            always is; a step that the kernel does not claim is left out, and a turn that is to be
            streamed is a plain one where no stream is claimed.
        apart: combinations that make no scenario.
        capabilities: what a kernel must claim for its rows to be run at all.
    """

    name: str
    title: str
    clauses: tuple[str, ...]
    focus: Dimension[Any]
    context: tuple[Dimension[Any], ...]
    scene: Callable[[Row, Parameters], Scene]
    apart: tuple[Apart, ...] = ()
    capabilities: frozenset[str] = frozenset()

    @property
    def dimensions(self) -> tuple[Dimension[Any], ...]:
        """All dimensions, the focus first."""
        return (self.focus, *self.context)

    def row(self, name: str) -> Row:
        """Return a row by its name.

        Raises:
            CatalogError: it does not name one value of each dimension.
        """
        names = name.split(JOIN)
        if len(names) != len(self.dimensions):
            raise CatalogError(f"{self.name}/{name}: want {len(self.dimensions)} values")
        chosen: dict[str, Value[Any]] = {}
        for dimension, wanted in zip(self.dimensions, names, strict=True):
            found = next((each for each in dimension.values if each.name == wanted), None)
            if found is None:
                raise CatalogError(f"{self.name}/{name}: {dimension.name} has no value {wanted!r}")
            chosen[dimension.name] = found
        return Row(chosen)

    def id_of(self, row: Row) -> str:
        """Return the id of a row's scenario."""
        return f"{self.name}/{row.name}"

    def scenario(self, row: Row, parameters: Parameters, capabilities: frozenset[str]) -> Scenario:
        """Return the scenario of a row for a kernel with these parameters and capabilities."""
        scene = self.scene(row, parameters)
        steps = (_as_claimed(step, capabilities) for step in scene.steps)
        return Scenario(
            id=self.id_of(row),
            title=f"{self.title}: {', '.join(self._strange(row)) or 'all plain'}",
            steps=tuple(step for step in steps if needed(step) <= capabilities),
            environment=scene.environment,
        )

    def pairs(self) -> Iterator[Pair]:
        """Yield every pair of values that must meet in a row."""
        for one, other in combinations(self.dimensions, 2):
            for a in one.values:
                for b in other.values:
                    names = {one.name: a.name, other.name: b.name}
                    if not any(each.forbids(names) for each in self.apart):
                        yield (one.name, a.name), (other.name, b.name)

    def uncovered(self, rows: Sequence[Row]) -> list[Pair]:
        """Return the pairs that meet in none of the rows."""
        met: set[Pair] = set()
        for row in rows:
            choices = [(name, value.name) for name, value in row.chosen.items()]
            met.update(combinations(choices, 2))
        return [pair for pair in self.pairs() if pair not in met]

    def triples(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Yield a row for each three values that meet in none of the rows, all others plain.

        Three values of which one is plain make a pair: those have rows.
        """
        met: set[tuple[Choice, ...]] = set()
        for row in rows:
            choices = [(name, value.name) for name, value in row.chosen.items()]
            met.update(combinations(choices, 3))
        plain = {each.name: each.plain for each in self.dimensions}
        for three in combinations(self.dimensions, 3):
            for values in product(*(each.values[1:] for each in three)):
                chosen = dict(zip((each.name for each in three), values, strict=True))
                names = {name: value.name for name, value in chosen.items()}
                if tuple(names.items()) in met or any(x.forbids(names) for x in self.apart):
                    continue
                yield Row({**plain, **chosen})

    def _strange(self, row: Row) -> Iterator[str]:
        for dimension in self.dimensions:
            name = row.chosen[dimension.name].name
            if name != dimension.plain.name:
                yield f"{dimension.name} {name}"


def _as_claimed(step: AnyStep, capabilities: frozenset[str]) -> AnyStep:
    if not isinstance(step, Turn) or step.agent is UNSET or "agent_streams" in capabilities:
        return step
    return replace(step, agent=replace(step.agent, streams=False)) if step.agent.streams else step
