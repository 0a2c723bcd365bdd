"""Scenarios as recipes: a few whole numbers, which are quick to draw, each read as choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

_RANGE = 2**24
_SPREAD = 10_368_889  # odd, so that no two numbers meet; near the golden section of the range


class Recipe:
    """A number below 2**24, read as a row of choices.

    Hypothesis prefers small numbers; they are spread over the range, or most choices would
    be the first one.
    """

    def __init__(self, number: int) -> None:
        self._left = number * _SPREAD % _RANGE

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices; once the number is used up, the first one."""
        self._left, place = divmod(self._left, len(choices))
        return choices[place]


def from_recipes(build: Callable[[tuple[Recipe, ...]], T], count: int) -> SearchStrategy[T]:
    """Return the strategy for what ``build`` makes of ``count`` recipes."""
    from hypothesis import strategies as st

    numbers = st.tuples(*[st.integers(0, _RANGE - 1)] * count)
    return numbers.map(lambda drawn: build(tuple(Recipe(number) for number in drawn)))
