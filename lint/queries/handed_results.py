"""Calls of functions that only hand what they get on to ``ActionResult.success``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.arguments import shows_all
from ..model.module import Module
from ..model.project import mentions
from ..model.values import SdkMethod
from ..view import FileView, ProjectView
from .forwarded_calls import forwarded

_RESULT, _SUCCESS = "ActionResult", "success"


class HandedResult(msgspec.Struct, frozen=True, eq=False):
    """A call ``ok({"a": 1}, "Done")`` of ``def ok(*a): return ActionResult.success(*a)``.

    Attributes:
        module: the file of the site.
        site: the outermost call that gives something.
        made: what the call of ``success`` becomes by it.
        maker: the call of ``success`` as it is written.
    """

    module: Module
    site: ast.Call
    made: ast.Call
    maker: ast.Call


def handed_results(view: FileView) -> tuple[HandedResult, ...]:
    """Return the calls in a file that become results, in source order of what makes these."""
    found = view.extension.once(_all_results)
    return tuple(each for each in found if each.module is view.module)


def makers(view: FileView) -> frozenset[ast.Call]:
    """Return the calls of ``success`` that are judged where others give their arguments."""
    return frozenset(each.maker for each in view.extension.once(_all_results))


def _all_results(extension: ProjectView) -> tuple[HandedResult, ...]:
    return tuple(_found(extension))


def _found(extension: ProjectView) -> Iterator[HandedResult]:
    for module in extension.project.naming(_SUCCESS):
        view = FileView(extension, module)
        for call in module.calls.get(_SUCCESS, ()):
            if not shows_all(call) and _is_returned(module, call) and _is_success(view, call):
                for each in forwarded(view, call):
                    first, *rest = each.way
                    site = first.node
                    is_plain = all(_is_returned(step.module, step.node) for step in rest)
                    if is_plain and isinstance(site, ast.Call) and _is_told(first.module):
                        yield HandedResult(first.module, site, each.call, call)


def _is_told(module: Module) -> bool:
    """Tell whether the rules of results look at a file: one of their triggers stands in it."""
    return any(mentions(module.source, word) for word in (_RESULT, _SUCCESS))


def _is_returned(module: Module, call: ast.AST) -> bool:
    """Tell whether a function returns the result of a call as it is."""
    return isinstance(module.parents.get(call), ast.Return)


def _is_success(view: FileView, call: ast.Call) -> bool:
    found = [item.value for item in view.values(call.func)]
    return bool(found) and all(
        isinstance(value, SdkMethod) and (value.owner.cls, value.name) == (_RESULT, _SUCCESS)
        for value in found
    )
