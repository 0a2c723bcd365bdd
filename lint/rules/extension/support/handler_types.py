"""The annotations of a chat function as the SDK's ``typing.get_type_hints`` sees them.

``ChatExtension.function`` takes the first parameter, other than ``ctx`` and ``self``, whose type is
a pydantic class; the validator looks for ``ActionResult`` in the type of the result. Every answer
is ``None`` where the code does not prove it.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator

from ....inference.syntax.arguments import default_of
from ....inference.syntax.bindings import Binding, parameters
from ....inference.values.models import is_model
from ....inference.values.values import Class, Const, External, SdkClass, Value
from ....sdk_use.reach import is_for_type_checkers
from ....sdk_use.sdk_objects import is_small
from ....view import FileView

_RESULT = "ActionResult"
_KNOWN = sys.stdlib_module_names | {"pydantic", "imperal_sdk"}
"""Packages that hold no subclass of ActionResult under another name."""
_MODELS = ("pydantic.", "pydantic_settings.", "imperal_sdk.")
_NOT_PARAMS = frozenset({"ctx", "self"})
_SCALARS = frozenset({"bool", "float", "int", "str"})
_LONGEST = 60
"""Characters of fields that a message can hold."""
_HINTS = "5.0.1"
"""Since then parameters are resolved together; before, each alone."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def candidates(function: Function) -> list[ast.arg]:
    """Return the parameters among which the SDK looks for the model of the arguments."""
    return [arg for arg in parameters(function) if arg.arg not in _NOT_PARAMS]


def gives_result(view: FileView, function: Function) -> bool | None:
    """Tell whether V5 finds ActionResult in the return annotation; without one it does not."""
    if function.returns is None:
        return False
    if not is_small(function.returns):
        return None
    return _names_result(view, function.returns, quoted=False)


def is_model_type(view: FileView, node: ast.expr, *, quoted: bool = False) -> bool | None:
    """Tell whether an annotation is a pydantic class itself, no union or container of one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        inner = _parsed(node.value)
        return is_model_type(view, inner, quoted=True) if inner is not None else None
    if isinstance(node, ast.BinOp):
        is_union = isinstance(node.op, ast.BitOr) and is_small(node)
        return _is_model_union(view, [node.left, node.right], quoted=quoted) if is_union else None
    if isinstance(node, ast.Subscript):
        return _is_model_subscript(view, node, quoted=quoted)
    if isinstance(node, ast.Constant):
        return False
    found = [_is_model_value(view, value) for value in _values(view, node, quoted=quoted)]
    return True if True in found else None if None in found or not found else False


def declaration_line(view: FileView, function: Function) -> str:
    """Return the corrected first line of a function, as the validator accepts it."""
    words = function.name.removeprefix("fn_").split("_")
    new = "".join(part.capitalize() for part in words) + "Params"
    known = _first_model(view, *(arg.annotation for arg in candidates(function)))
    model = known or new
    made = "" if known else f" with class {model}(BaseModel): {_fields(function) or '…'}"
    inner = _first_model(view, function.returns)
    result = f"{_RESULT}[{inner}]" if inner else _RESULT
    if function.returns is not None and gives_result(view, function) is not False:
        result = ast.unparse(function.returns)
    owner = "self, " if any(arg.arg == "self" for arg in parameters(function)) else ""
    return f"async def {function.name}({owner}ctx, params: {model}) -> {result}:{made}"


def _fields(function: Function) -> str:
    """Return the body of a model with the parameters as its fields; empty if it is long.

    Empty too if a parameter without a plain type may be the model itself.
    """
    given = candidates(function)
    if not given:
        return "pass"
    lines: list[str] = []
    for arg in given:
        default = default_of(function, arg)
        if arg.annotation is None or not _is_builtin_type(arg.annotation):
            return ""
        if not isinstance(default, (ast.Constant, type(None))):
            return ""
        ending = f" = {ast.unparse(default)}" if default is not None else ""
        lines.append(f"{arg.arg}: {ast.unparse(arg.annotation)}{ending}")
    text = "; ".join(lines)
    private = any(arg.arg.startswith("_") for arg in given)
    return "" if private or len(text) > _LONGEST else text


def _is_builtin_type(node: ast.expr) -> bool:
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    plain = isinstance(node, (ast.Name, ast.BinOp, ast.Subscript))
    return plain and names <= _SCALARS | {"list"} and bool(names & _SCALARS)


def _first_model(view: FileView, *written: ast.expr | None) -> str:
    """Return the first model in some annotations, also in a union."""
    for node in written:
        for part in ast.walk(node) if node is not None and is_small(node) else ():
            is_name = isinstance(part, (ast.Name, ast.Attribute, ast.Subscript))
            if is_name and is_model_type(view, part):
                return ast.unparse(part)
    return ""


def unresolved_name(view: FileView, function: Function) -> tuple[str, str]:
    """Return a name in a quoted annotation that is undefined when the function is registered.

    Then ``typing.get_type_hints`` fails, and all quoted annotations stay strings.

    Returns:
        The name and the reason; two empty strings if nothing is proved.
    """
    if not view.surface.at_least(_HINTS) or getattr(function, "type_params", None):
        return "", ""
    table = view.evaluator.project.table(view.module.tree)
    alias: type[ast.AST] | None = getattr(ast, "TypeAlias", None)
    if alias is not None and view.module.nodes(alias):
        return "", ""
    if "*" in table or "globals" in view.module.calls:
        return "", ""
    for node in _text_annotations(view, function):
        for name in ast.walk(node) if is_small(node) else ():
            if isinstance(name, ast.Name) and not hasattr(builtins, name.id):
                reason = _absence(view, function, table.get(name.id, []))
                if reason:
                    return name.id, reason
    return "", ""


def is_text(view: FileView, node: ast.expr) -> bool:
    """Tell whether an annotation is a string at run time."""
    quoted = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return quoted or view.once(_has_text_annotations)


def _has_text_annotations(view: FileView) -> bool:
    return any(
        node.module == "__future__" and any(item.name == "annotations" for item in node.names)
        for node in view.module.nodes(ast.ImportFrom)
    )


def _text_annotations(view: FileView, function: Function) -> Iterator[ast.expr]:
    written = [arg.annotation for arg in parameters(function)]
    for node in (*written, function.returns):
        if node is not None and is_text(view, node):
            text = node.value if isinstance(node, ast.Constant) else None
            inner = _parsed(text) if isinstance(text, str) else node
            if inner is not None:
                yield inner


def _absence(view: FileView, function: Function, bindings: list[Binding]) -> str:
    nodes = [item.node for item in bindings]
    if all(is_for_type_checkers(view.module, node) for node in nodes):
        return "is imported for type checkers alone" if nodes else "is no global of the file"
    outer = [up for up in view.module.ancestors(function) if not isinstance(up, ast.ClassDef)]
    if len(outer) == 1 and all(getattr(node, "lineno", 0) > function.lineno for node in nodes):
        return "" if any(item.kind == "opaque" for item in bindings) else "is defined further down"
    return ""


def _names_result(view: FileView, node: ast.expr, *, quoted: bool) -> bool | None:
    if _RESULT in ast.unparse(node):
        return True
    if isinstance(node, ast.Constant):
        inner = _parsed(node.value) if isinstance(node.value, str) else None
        if inner is not None:
            return _names_result(view, inner, quoted=True)
        return None if isinstance(node.value, str) else False
    if isinstance(node, (ast.Name, ast.Attribute)):
        found = [_is_result(view, value) for value in _values(view, node, quoted=quoted)]
    else:
        parts = _parts(node)
        found = [_names_result(view, part, quoted=quoted) for part in parts]
    return True if True in found else None if None in found or not found else False


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Subscript):
        return [node.value, node.slice]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else []


def _is_result(view: FileView, value: Value) -> bool | None:
    if isinstance(value, SdkClass):
        return value.cls == _RESULT
    if isinstance(value, Class):
        bases = [_is_result(view, base) for base in _outside(view, value)]
        if _RESULT in value.node.name or True in bases:
            return True
        return None if None in bases else False
    if isinstance(value, External):
        root = value.name.partition(".")[0]
        known = root in _KNOWN or (root == value.name and hasattr(builtins, root))
        return True if _RESULT in value.name else False if known else None
    return False if isinstance(value, Const) else None


def _outside(view: FileView, cls: Class) -> list[Value]:
    return [base for base in view.evaluator.bases(cls) if not isinstance(base, Class)]


def _is_model_subscript(view: FileView, node: ast.Subscript, *, quoted: bool) -> bool | None:
    for value in _values(view, node.value, quoted=quoted):
        if isinstance(value, Class):
            return is_model(view.evaluator, value)
        if isinstance(value, External) and value.name in {"typing.Annotated", "typing.Union"}:
            return _is_model_wrapped(view, node.slice, value.name, quoted=quoted)
        if isinstance(value, External) and _is_plain(value.name):
            return False
    return None


def _is_model_wrapped(
    view: FileView, inner: ast.expr, wrapper: str, *, quoted: bool
) -> bool | None:
    """``Annotated[Model, …]`` is the model to ``get_type_hints``, ``Union[Model]`` always."""
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if wrapper == "typing.Union":
        return _is_model_union(view, parts, quoted=quoted)
    if len(parts) < 2 or not view.surface.at_least(_HINTS):
        return None
    return is_model_type(view, parts[0], quoted=quoted)


def _is_model_union(view: FileView, parts: list[ast.expr], *, quoted: bool) -> bool | None:
    """A union of one model with itself is that model."""
    if any(is_model_type(view, part, quoted=quoted) is False for part in parts):
        return False
    named = all(isinstance(part, ast.Name) for part in parts)
    values = [_values(view, part, quoted=quoted) for part in parts] if named else []
    known = all(len(found) == 1 and isinstance(found[0], Class) for found in values)
    return False if known and len({found[0] for found in values}) > 1 else None


def _is_model_value(view: FileView, value: Value) -> bool | None:
    if isinstance(value, Class):
        return is_model(view.evaluator, value)
    if isinstance(value, External) and not value.name.startswith(_MODELS):
        return False if _is_plain(value.name) else None
    if isinstance(value, SdkClass):
        return False if value.cls in {"Context", _RESULT} else None
    return False if isinstance(value, Const) else None


def _is_plain(name: str) -> bool:
    """Tell whether an external class is of the standard library, which has no models."""
    root = name.partition(".")[0]
    return root in sys.stdlib_module_names or (root == name and hasattr(builtins, root))


def _values(view: FileView, node: ast.expr, *, quoted: bool) -> list[Value]:
    """Return the values of a name; in a quoted annotation it is a global."""
    if not quoted:
        return [item.value for item in view.values(node)]
    if isinstance(node, ast.Name):
        known = [item.value for item in view.evaluator.global_name(view.module, node.id)]
        return known or ([External(node.id)] if hasattr(builtins, node.id) else [])
    if isinstance(node, ast.Attribute):
        owners = _values(view, node.value, quoted=True)
        if owners and all(isinstance(owner, External) for owner in owners):
            names = [owner.name for owner in owners if isinstance(owner, External)]
            return [view.evaluator.external(f"{name}.{node.attr}") for name in names]
    return []


def _parsed(text: str) -> ast.expr | None:
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return found if is_small(found) else None
