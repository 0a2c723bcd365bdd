"""What the callers of a function give to its parameters."""

from __future__ import annotations

import ast

from .call_sites import all_sites
from .calling import argument
from .evaluator import Evaluator
from .handed.keys import Site
from .module import FunctionNode, Module
from .rows import given_rows
from .values import Alternative, Frame, Step


def from_callers(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg
) -> list[Alternative]:
    """Return what the calls in the tree give to a parameter, each with the calls as its way."""
    name = evaluator.project_name(module, function)
    found: list[Alternative] = []
    for site in all_sites(evaluator, module, function):
        frame = site.entering(function, site.frame)
        steps = (*way_of(evaluator, site.module, site.frame), Step(site.module, site.call, name))
        found += [
            Alternative(item.value, (*item.via, *steps), item.origin, item.frame)
            for item in argument(evaluator, module, function, arg, frame)
            if not site.is_own or _is_own(site, item)
        ]
    if isinstance(function, ast.Lambda):
        found += given_rows(evaluator, module, function)
    return found


def _is_own(site: Site, item: Alternative) -> bool:
    """Tell whether the caller got a value as a handler, or from nobody."""
    return item.origin is None or item.origin[1] is site.module.function(site.call)


def way_of(evaluator: Evaluator, module: Module, frame: Frame | None) -> tuple[Step, ...]:
    """Return the calls that lead to a place in a file, outermost first."""
    steps: list[Step] = []
    inner = module
    while frame is not None:
        name = evaluator.project_name(inner, frame.function)
        steps.append(Step(frame.module, frame.call, name))
        inner, frame = frame.module, frame.outer
    return tuple(reversed(steps))
