"""Sequences whose items are looked up whenever they are asked for.

Each counterexample of a record holds a trace. As objects those of a long record take several times
the memory that a report may take, and no report looks at more than one at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast, overload

T = TypeVar("T")


class OnDemand(Sequence[T]):  # noqa: PLW1641  its items may have no hash
    """A sequence that holds no items; equal to any sequence with the same ones.

    Args:
        look_up: returns the item at a place; called each time that one is asked for.
        places: of the items, in their order.
    """

    def __init__(self, look_up: Callable[[int], T], places: Sequence[int]) -> None:
        self._look_up = look_up
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> OnDemand[T]: ...
    def __getitem__(self, index: int | slice) -> T | OnDemand[T]:
        if isinstance(index, slice):
            return OnDemand(self._look_up, self._places[index])
        return self._look_up(self._places[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        items = cast("Sequence[Any]", other)
        return len(self) == len(items) and all(map(_equal, self, items))

    def __repr__(self) -> str:
        return f"OnDemand({list(self)!r})"


def _equal(one: object, other: object) -> bool:
    return one == other
