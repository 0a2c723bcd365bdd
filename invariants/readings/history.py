"""What came before a prompt, gathered once for all prompts of a trace.

A trace may have thousands of turns: no prompt may cost more because more came before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, overload

from ..vocabulary.scenario import AnyStep
from ..vocabulary.trace_view import TraceView
from .given import GivenTurn

T = TypeVar("T")


class Leading(Sequence[T]):
    """The first items of a list that goes on growing, without a copy of them."""

    def __init__(self, items: list[T], length: int) -> None:
        self._items = items
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return (self._items[place] for place in range(self._length))

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> list[T]: ...

    def __getitem__(self, place: int | slice) -> T | list[T]:
        places = range(self._length)[place]
        return (
            [self._items[n] for n in places] if isinstance(places, range) else self._items[places]
        )


def said_before(
    turns: Iterable[GivenTurn], told: Callable[[GivenTurn], Iterable[str]]
) -> dict[int, frozenset[str]]:
    """Return, by the step of each turn, what the earlier turns of its session tell together."""
    sofar: dict[tuple[str, str], frozenset[str]] = {}
    found: dict[int, frozenset[str]] = {}
    for turn in turns:
        session = (turn.step.user, turn.step.session)
        known = found[turn.step.index] = sofar.get(session, frozenset())
        new = known.union(told(turn))
        sofar[session] = known if len(new) == len(known) else new
    return found


class Steps:
    """Where the steps of each kind stand, for everybody and for each user."""

    def __init__(self, view: TraceView) -> None:
        self._places: dict[tuple[type[AnyStep], str], list[int]] = defaultdict(list)
        for step in view.steps:
            for user in ("", step.user):
                self._places[type(step.stimulus), user].append(step.index)

    def between(self, kind: type[AnyStep], first: int, last: int, user: str = "") -> bool:
        """Whether a step of the kind, of a user or of anybody, stands between two steps."""
        places = self._places.get((kind, user), ())
        return bisect_right(places, first) < bisect_left(places, last)


def read_steps(view: TraceView) -> Steps:
    """Return where the steps stand. Use it as ``view.reading(read_steps)``."""
    return Steps(view)
