"""Conversations in which something befalls a turn while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET
from msgspec.structs import replace

from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, FUNCTIONS, Call, Interruption, Scenario, Turn
from .drawing import Recipe, from_recipes
from .facts import EXPOSED, call, turn

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Kind = Literal["retried", "cancelled", "restarted"]


def marked(turn_: int, place: int, *, app: str = APPS[0], function: str = FUNCTIONS[0]) -> Call:
    """Return a call whose data hold a long word that no other call's do."""
    return call({"ref": f"zq{turn_}w{place}keptwhole", "n": place}, app=app, function=function)


def interrupted(turn_: Turn, kind: Kind, after: int) -> Turn:
    """Return the turn with what befalls it when so many of its calls have come back."""
    return replace(turn_, interrupted=Interruption(kind=kind, after=after))


def interruptions_of(kind: Kind) -> Callable[[Parameters], SearchStrategy[Scenario]]:
    """Return the strategy for conversations in which this befalls some turns."""

    def conversations(_parameters: Parameters) -> SearchStrategy[Scenario]:
        def build(recipes: tuple[Recipe, ...]) -> Scenario:
            drawn = [_drawn(kind, number, recipe) for number, recipe in enumerate(recipes)]
            kept = drawn[: 1 + recipes[0].pick(range(4))]
            ends = [turn("and then?"), turn("e poi?", user="u2", session="s2")]
            steps = (
                *(_twin(number, each) for number, each in enumerate(kept)),
                *ends,
                *kept,
                *ends,
                turn("do it", marked(20, 0)),
                *ends,
            )
            return Scenario(id="explore", steps=steps, environment=EXPOSED)

        return from_recipes(build, 4)

    return conversations


_WHO = (("u1", "s1"), ("u1", "s1"), ("u2", "s2"))


def _drawn(kind: Kind, number: int, recipe: Recipe) -> Turn:
    user, session = recipe.pick(_WHO)
    calls = tuple(
        marked(number, place, app=recipe.pick(APPS), function=recipe.pick(FUNCTIONS))
        for place in range(recipe.pick((1, 2, 3)))
    )
    said = turn(recipe.pick(("do it", "and now?", "again")), *calls, user=user, session=session)
    return interrupted(said, kind, recipe.pick(range(len(calls) + 1)))


def _twin(number: int, turn_: Turn) -> Turn:
    """Return a turn that does the same, and that nothing befalls."""
    done = turn_.calls
    if turn_.interrupted is not UNSET and turn_.interrupted.kind == "cancelled":
        done = done[: turn_.interrupted.after]
    calls = (
        marked(10 + number, place, app=each.app, function=each.function)
        for place, each in enumerate(done)
    )
    return turn(f"do {number}", *calls, user=turn_.user, session=turn_.session)
