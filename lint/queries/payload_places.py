"""Where a value is written that a call in another place hands over."""

from __future__ import annotations

import ast

from ...reports.lint.findings import ChainStep
from ..model.evaluator import Evaluator
from ..model.written import Written, written
from ..view import FileView, step_at
from .payload_entries import entries
from .payload_sizes import Measure
from .sdk_objects import source_of

_DEEPEST = 6


def given_at(
    view: FileView, node: ast.AST, at: Written | None, note: str = ""
) -> tuple[ChainStep, ...]:
    """Return the step to where a value is written; none if that is the function of the finding.

    Args:
        view: the file of the finding.
        node: what is marked.
        at: the value.
        note: what stands there; by default its text.
    """
    if at is None:
        return ()
    places = [it for it in written(view.evaluator, at.module, at.node, at.frame) if _is_real(it)]
    place = places[0] if len(places) == 1 else at
    here = place.module is view.module and place.module.function(place.node) is (
        view.module.function(node)
    )
    if here or not _is_real(place):
        return ()
    return (step_at(place.module, place.node, note or f"gives {source_of(place.node)}"),)


def with_place(
    view: FileView, steps: tuple[ChainStep, ...], node: ast.expr
) -> tuple[ChainStep, ...]:
    """Return the steps to a value, and where it is written if they do not end in that line."""
    given = given_at(view, node, Written(view.module, node))
    seen = {(step.path, step.span.line) for step in steps}
    more = (step for step in given if (step.path, step.span.line) not in seen)
    return tuple(dict.fromkeys((*steps, *more)))


def _is_real(at: Written) -> bool:
    """Tell whether an expression stands in the file, and was not made up for a question."""
    return at.node in at.module.parents


def largest(measure: Measure, evaluator: Evaluator, at: Written) -> Written:
    """Return the largest value of the dicts in which an expression is written, or itself."""
    for _ in range(_DEEPEST):
        places = written(evaluator, at.module, at.node, at.frame)
        at = places[0] if len(places) == 1 else at
        found = entries(evaluator, at) if isinstance(at.node, ast.Dict) else ()
        values = [entry.values[0] for entry in found if len(entry.values) == 1]
        if not values:
            break
        at = max(values, key=measure.of)
    return at
