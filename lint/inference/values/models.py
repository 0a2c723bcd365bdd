"""Which classes are pydantic models, and which values are instances of no class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..evaluator import Evaluator
from .attributes import class_chain
from .classes import is_outer_model
from .fields import annotated_fields
from .known_calls import is_text_operation
from .origins import is_left_alone
from .standard_types import TIMES, class_name
from .values import Class, Const, Display, External, Function, Made, Sdk, SdkClass, Value

_NOT_MODELS = frozenset(
    {
        "object",
        "dict",
        "list",
        "str",
        "Exception",
        "enum.Enum",
        "typing.TypedDict",
        "typing.NamedTuple",
        "typing.Protocol",
        "abc.ABC",
    }
)


def is_model(evaluator: Evaluator, cls: Class) -> bool | None:
    """Tell whether a class is a pydantic model; None if a base is unknown."""
    unknown = False
    for base in evaluator.bases(cls):
        if is_outer_model(evaluator, base):
            return True
        if isinstance(base, Class) or (isinstance(base, External) and base.name in _NOT_MODELS):
            continue
        unknown = True
    if unknown:
        return None
    return _is_pydantic_dataclass(cls)


def _is_pydantic_dataclass(cls: Class) -> bool | None:
    """Tell whether a decorator makes a class a pydantic dataclass; None for unknown decorators."""
    names = {ast.unparse(item).partition("(")[0] for item in cls.node.decorator_list}
    others = {name for name in names if not name.endswith(".cache_model")}
    return None if others - {"dataclass", "dataclasses.dataclass"} else False


def fields(evaluator: Evaluator, cls: Class) -> Iterator[tuple[str, str]]:
    """Yield (name, written type) of a model's fields, inherited ones included."""
    for owner in class_chain(evaluator, cls):
        for name, item in annotated_fields(owner.node):
            yield name, ast.unparse(item.annotation)


_DISPLAYS: dict[type[ast.expr], str] = {
    ast.Dict: "a dict",
    ast.DictComp: "a dict",
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Tuple: "a tuple",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.GeneratorExp: "a generator",
    ast.JoinedStr: "a text",
    ast.Call: "a text",
}
_WORDS = {
    **TIMES, "dict": "a dict", "list": "a list", "tuple": "a tuple", "set": "a set",
    "str": "a text", "int": "an int", "float": "a float", "bool": "a bool", "bytes": "bytes",
}  # fmt: skip
"""Class → in words."""
_OF_SDK = {
    "ActionResult": "an ActionResult", "Document": "a Document", "HTTPResponse": "an HTTPResponse",
}  # fmt: skip


def known_type(value: Value) -> str:
    """Return the type of a value that certainly is no instance of a model; else empty."""
    if isinstance(value, Const):
        return "None" if value.value is None else _named(type(value.value).__name__)
    if isinstance(value, Display):
        text = "a text" if is_text_operation(value.node) else ""
        return _DISPLAYS.get(type(value.node), text)
    if isinstance(value, Made):
        return _WORDS.get(class_name(value.of), "")
    if is_function(value):
        return "a function"
    return _OF_SDK.get(value.cls, "") if isinstance(value, (Sdk, SdkClass)) else ""


def is_function(value: Value) -> bool:
    """Tell whether a value certainly is a function, without unknown decorators."""
    return isinstance(value, Function) and (
        isinstance(value.node, ast.Lambda) or is_left_alone(value.node)
    )


def _named(name: str) -> str:
    return _WORDS.get(name, name)
