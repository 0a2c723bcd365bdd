"""What ``isinstance(x, …)`` says of a value."""

from __future__ import annotations

import ast

from .enums import is_member
from .evaluator import Evaluator
from .foreign_classes import is_special
from .module import Module
from .values import (
    Class,
    Const,
    Display,
    EnumMember,
    External,
    Instance,
    Made,
    Sdk,
    SdkClass,
    Value,
)

_BUILTIN = {"dict": dict, "list": list, "str": str, "int": int, "float": float, "bool": bool,
            "tuple": tuple, "set": set, "bytes": bytes}  # fmt: skip


def is_instance(evaluator: Evaluator, module: Module, types: ast.expr, value: Value) -> bool | None:
    """Tell whether a value is of one of the types; None if that is not known."""
    parts = types.elts if isinstance(types, ast.Tuple) else [types]
    answers = [_is_of(evaluator, module, part, value) for part in parts]
    if any(answer is None for answer in answers):
        return None
    return any(answers)


def _is_of(evaluator: Evaluator, module: Module, part: ast.expr, value: Value) -> bool | None:
    found = evaluator.values(module, part)
    wanted = found[0].value if len(found) == 1 else None
    if isinstance(wanted, Instance):  # ``isinstance(x, cls)`` in a classmethod
        wanted = wanted.cls
    if isinstance(value, Sdk) and isinstance(wanted, SdkClass):
        return wanted.cls == value.cls
    if isinstance(value, Sdk):
        return False if isinstance(wanted, External | Class) else None
    told = _is_member_of(evaluator, value, wanted)
    return _is_other(value, wanted) if told is None else told


def _is_other(value: Value, wanted: Value | None) -> bool | None:
    """Tell it of values that are no objects of the SDK and no members of an Enum."""
    builtin = _BUILTIN.get(wanted.name) if isinstance(wanted, External) else None
    if isinstance(value, Made):
        return _is_made(value, wanted, builtin)
    if builtin is None and not _is_model(wanted):
        return None
    if isinstance(value, Const):
        return isinstance(value.value, builtin) if builtin else False
    if isinstance(value, Display):
        return _display_is(value.node, builtin)
    return False if isinstance(value, Instance) and builtin else None


def _is_member_of(evaluator: Evaluator, value: Value, wanted: Value | None) -> bool | None:
    """Tell what ``isinstance(x, Colour)`` and ``isinstance(x, str)`` say of ``Colour.RED``."""
    if not isinstance(value, EnumMember | Instance) or not is_member(evaluator, value):
        return None
    if isinstance(wanted, Class):
        own = value.cls.node
        return True if wanted.node is own else None
    if isinstance(wanted, External) and wanted.name.startswith("enum."):
        return True
    is_builtin = isinstance(wanted, External) and wanted.name in _BUILTIN
    return False if is_builtin and isinstance(value, EnumMember) else None


def _is_made(value: Made, wanted: Value | None, builtin: type | None) -> bool | None:
    """Tell what ``isinstance(x, datetime)`` says of ``datetime.now()``."""
    if isinstance(wanted, External) and (
        value.of == wanted.name or value.of.startswith(f"{wanted.name}.")
    ):
        return None if "()" in value.of else True
    own = _BUILTIN.get(value.of)
    if own in {dict, list, set, tuple} and isinstance(wanted, External) and is_special(wanted.name):
        return False
    return False if own and builtin and not issubclass(own, builtin) else None


def _is_model(wanted: Value | None) -> bool:
    """Tell whether a class is one of which no display and no constant is an instance."""
    if isinstance(wanted, External):
        return is_special(wanted.name)
    return isinstance(wanted, Class | SdkClass)


def _display_is(node: ast.expr, builtin: type | None) -> bool | None:
    kinds: dict[type[ast.expr], type] = {
        ast.Dict: dict, ast.DictComp: dict, ast.List: list, ast.ListComp: list, ast.Set: set,
        ast.SetComp: set, ast.Tuple: tuple, ast.JoinedStr: str,
    }  # fmt: skip
    own = kinds.get(type(node))
    return None if own is None else own is builtin
