"""What the field of a model is given: a list whose items show, something else than None."""

from __future__ import annotations

from typing import Literal

from ..model.evaluator import Evaluator
from ..model.values import Const, Display, Instance, Value
from ..model.written import Written
from .inner_changes import ANY
from .list_items import is_list, items_of
from .not_json import refused
from .payload_entries import containers


def shown_items(evaluator: Evaluator, given: Written | None) -> list[tuple[object, Written]] | None:
    """Return (index, item) of a list that the code shows."""
    if given is None:
        return None
    places = containers(evaluator, given.module, given.node, given.frame)
    if len(places) != 1 or not is_list(evaluator, places[0][0]):
        return None
    found = items_of(evaluator, places[0][0])
    return [("…" if index is ANY else index, item) for index, item in found]


def presence(evaluator: Evaluator, given: Written | None) -> Literal["always", "maybe", "never"]:
    """Tell whether a value is another than None."""
    if given is None:
        return "maybe"
    found = evaluator.values(given.module, given.node, given.frame)
    values: list[Value] = [item.value for item in found]
    nothing = [value == Const(None) for value in values]
    if values and all(nothing):
        return "never"
    known = all(refused(value) or isinstance(value, Const | Display | Instance) for value in values)
    return "always" if values and known and not any(nothing) else "maybe"
