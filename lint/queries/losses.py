"""What comes of a coroutine that nobody can await, and which of several ends is the worst."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import msgspec

from ..model.module import Module
from .sdk_objects import source_of
from .uses import Place, Use

EFFECTS = {
    Use.ITEM: "[ ] raises TypeError",
    Use.LOOP: "the loop raises TypeError",
    Use.OPERATION: "the operation raises TypeError",
    Use.TEST: "a coroutine is always true",
    Use.EQUALITY: "the comparison is with the coroutine",
    Use.ORDER: "the comparison raises TypeError",
    Use.TEXT: 'the text shows "<coroutine …>"',
    Use.UNPACKING: "unpacking raises TypeError",
    Use.ENTERED: "with raises an error",
}
"""How a coroutine is taken → what comes of it."""


class Loss(msgspec.Struct, frozen=True):
    """What comes of a coroutine that nobody can await.

    Attributes:
        text: the effect that is worst.
        raises: whether it is an exception.
        asks: whether the code asks what it has, so that it may know several kinds of values.
        back: how many functions handed the coroutine back before.
        likely: whether it goes to code that is not known, which awaited its way to it.
    """

    text: str
    raises: bool = False
    asks: bool = False
    back: int = 0
    likely: bool = False


def effect_of(module: Module, place: Place) -> str:
    """Return what comes of a coroutine that is used so, in words."""
    parent = module.parents.get(place.node)
    if place.use is Use.ATTRIBUTE and isinstance(parent, ast.Attribute):
        owner = place.node.id if isinstance(place.node, ast.Name) else ""
        return f"{owner}.{parent.attr} raises AttributeError"
    if place.use is Use.COUNTED and isinstance(parent, ast.Call):
        return f"{source_of(parent.func)}() raises TypeError"
    return EFFECTS[place.use]


def worst(found: Iterable[Loss | None]) -> Loss | None:
    """Return the worst of several ends; None if one of them lets the coroutine out."""
    most, asks, likely = Loss(""), False, False
    for each in found:
        if each is None:
            return None
        asks, likely = asks or each.asks, likely or each.likely
        if _rank(each) > _rank(most):
            most = each
    return msgspec.structs.replace(most, asks=asks, likely=likely)


def placed(loss: Loss | None, where: str) -> Loss | None:
    """Return a loss to which another function leads; None where nothing is known to come of it."""
    if loss is None or not loss.text:
        return None
    if loss.back:
        return msgspec.structs.replace(loss, back=loss.back - 1)
    return msgspec.structs.replace(loss, text=where + loss.text)


def _rank(loss: Loss) -> tuple[bool, bool, bool]:
    """What only a guard lets through comes after the guard, which a coroutine never passes."""
    return loss.asks and bool(loss.text), loss.raises, bool(loss.text)
