"""Declarations of which the SDK takes no second one under the same name: it raises."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.calling import constant_text
from ..model.handlers import EXTENSIONS, sdk_class
from ..model.project import mentions
from ..model.roles import Role
from ..model.values import SdkMethod
from ..view import FileView, ProjectView
from .repeated import Declared, Repetition, always_runs, is_same, repetitions
from .sdk_calls import applied_to, arguments

RAISED = {
    "secret": "SecretDeclarationConflict",
    "file_sink": "ValueError",
    "cache_model": "ValueError",
}
"""Method of Extension → what its second call with one name raises, in each version that has it."""
_NAMES = {"secret": "name", "file_sink": "tool", "cache_model": "name"}


def declared_again(view: FileView) -> Iterator[Repetition]:
    """Yield the declarations of a file at which loading the extension ends."""
    if not any(mentions(view.module.source, method) for method in RAISED):
        return
    everywhere = view.extension.once(_declarations)
    if len(everywhere) < 2:
        return
    own = [(node, role) for module, node, role in everywhere if module is view.module]
    yield from repetitions(view, own, lambda role: _alongside(role, everywhere), is_same)


def _alongside(role: Role, everywhere: tuple[Declared, ...]) -> Iterator[Declared]:
    """Yield the declarations that run whenever this one does, as far as the code shows.

    Around any other, ``if "x" not in ext.secrets`` and the like may keep the second one from
    running, and ``except`` may catch what it raises.
    """
    own = next(item for item in everywhere if item[2] is role)
    for other in everywhere:
        both_run = always_runs(*other[:2]) and always_runs(*own[:2])
        if other is not own and (both_run or _in_one_block(own, other)):
            yield other


def _in_one_block(one: Declared, other: Declared) -> bool:
    module, node, _ = one
    parent = module.parents.get(node)
    caught = any(isinstance(up, ast.Try | ast.With) for up in module.ancestors(node))
    return other[0] is module and module.parents.get(other[1]) is parent and not caught


def _declarations(extension: ProjectView) -> tuple[Declared, ...]:
    return tuple(
        declared
        for method in RAISED
        for module in extension.project.naming(method)
        for declared in _of_module(FileView(extension, module), method)
    )


def _of_module(view: FileView, method: str) -> Iterator[Declared]:
    for call in view.module.calls.get(method, ()):
        statement = view.module.statement(call)
        if statement is None or not isinstance(call.func, ast.Attribute):
            continue
        owners = [
            it.value.owner for it in view.values(call.func) if isinstance(it.value, SdkMethod)
        ]
        if not any(sdk_class(view.evaluator, owner) in EXTENSIONS for owner in owners):
            continue
        if method == "cache_model" and applied_to(view.module, call) is None:
            continue
        name = _only_text(view, arguments(view, call, "Extension", method).get(_NAMES[method]))
        if name is not None:
            label = f'{ast.unparse(call.func)}("{name}")'
            yield view.module, statement, Role(method, call, None, label, name)


def _only_text(view: FileView, node: ast.expr | None) -> str | None:
    return constant_text(view.evaluator, view.module, node) if node is not None else None
