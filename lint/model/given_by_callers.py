"""What the callers of a function give to its parameters."""

from __future__ import annotations

import ast

from .call_sites import call_sites, entering_calls
from .calling import argument
from .evaluator import Evaluator
from .limits import CALLERS
from .module import FunctionNode, Module
from .rows import given_rows
from .values import UNKNOWN, Alternative, Step


def from_callers(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg
) -> list[Alternative]:
    """Return what the calls in the tree give to a parameter, each with the calls as its way."""
    if len(call_sites(evaluator, module, function)) > CALLERS:
        return [Alternative(UNKNOWN)]
    name = evaluator.project_name(module, function)
    found: list[Alternative] = []
    for frame in entering_calls(evaluator, module, function):
        step = Step(frame.module, frame.call, name)
        found += [
            Alternative(item.value, (*item.via, step), item.origin, item.frame)
            for item in argument(evaluator, module, function, arg, frame)
        ]
    if isinstance(function, ast.Lambda):
        found += given_rows(evaluator, module, function)
    return found
