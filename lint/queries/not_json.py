"""Which single values JSON cannot carry, in words."""

from __future__ import annotations

import ast
import builtins
import math

from ..model.enums import is_plain
from ..model.evaluator import Evaluator
from ..model.foreign_classes import is_outer_model
from ..model.models import is_function, is_model
from ..model.standard_types import TIMES, class_name
from ..model.values import (
    Class,
    Const,
    Coroutine,
    Display,
    EnumMember,
    External,
    Instance,
    Made,
    Sdk,
    SdkMethod,
    Value,
)
from ..sdk.surface import DATACLASSES, MODELS, in_words

NOT_JSON = {
    **TIMES,
    "set": "a set", "frozenset": "a set", "bytes": "bytes", "bytearray": "bytes",
    "memoryview": "bytes", "complex": "a complex number", "object": "an object",
    "decimal.Decimal": "a Decimal", "uuid.UUID": "a UUID", "pathlib.Path": "a Path",
    "re.Pattern": "a pattern", "range": "a range", "collections.deque": "a deque",
    "collections.abc.Iterator": "an iterator",
    **{f"collections.abc.{name}View": "a view of a dict" for name in ("Keys", "Values", "Items")},
    **dict.fromkeys(("map", "filter", "zip", "reversed", "enumerate"), "an iterator"),
}  # fmt: skip
"""Class → in words what JSON refuses of its objects."""


MEMBER = "a member of an Enum"
EXCEPTION = "an exception"
OBJECTS = {"Context": "the context", **{cls: in_words(cls) for cls in sorted(DATACLASSES)}}
"""Classes of the SDK that are no pydantic models, so that nothing turns them into dicts."""


def refused(value: Value) -> str:
    """Return in words what JSON refuses of a value, whatever it holds; empty if nothing."""
    if isinstance(value, Const):
        is_member = isinstance(value, EnumMember)
        return MEMBER if is_member else refused_constant(value.value)
    if isinstance(value, Made):
        return NOT_JSON.get(class_name(value.of)) or _exception(value.of)
    if isinstance(value, Display):
        return _refused_display(value.node)
    if isinstance(value, Coroutine):
        return "a coroutine that nobody awaits"
    if is_function(value) or isinstance(value, SdkMethod) or _is_builtin_function(value):
        return "a function"
    if isinstance(value, Class):
        return "a class"
    if isinstance(value, Instance):
        return _refused_object(value)
    return OBJECTS.get(value.cls, "") if isinstance(value, Sdk) else ""


def _refused_display(node: ast.expr) -> str:
    if isinstance(node, ast.DictComp):
        return "a dict with tuples as keys" if isinstance(node.key, ast.Tuple) else ""
    if isinstance(node, ast.Set | ast.SetComp):
        return "a set"
    return "a generator" if isinstance(node, ast.GeneratorExp) else ""


def _refused_object(value: Instance) -> str:
    """Of a class that extends nothing; what a decorator makes of it is not known."""
    names = {ast.unparse(item).partition("(")[0] for item in value.cls.node.decorator_list}
    plain = not value.cls.node.bases and names <= {"dataclass", "dataclasses.dataclass"}
    return f"an object of {value.cls.node.name}" if plain else ""


def refused_member(evaluator: Evaluator, value: Value) -> str:
    """Return the same of a member of an Enum that is known by its class alone."""
    is_member = isinstance(value, Instance) and is_plain(evaluator, value.cls)
    return MEMBER if is_member and keeps_members(evaluator) else ""


def keeps_members(evaluator: Evaluator) -> bool:
    """Tell whether no model keeps the values of an Enum in the place of its members."""
    return not any(True for _ in evaluator.project.naming("use_enum_values"))


def is_payload_model(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value is a model; ``to_dict()`` of the SDK dumps only data itself."""
    if isinstance(value, Sdk):
        return value.cls in MODELS
    if isinstance(value, Made):
        return is_outer_model(evaluator, External(value.of))
    return isinstance(value, Instance) and is_model(evaluator, value.cls) is True


def _exception(name: str) -> str:
    """Return what ``ValueError("x")`` makes in words."""
    found = getattr(builtins, name, None)
    return EXCEPTION if isinstance(found, type) and issubclass(found, BaseException) else ""


def _is_builtin_function(value: Value) -> bool:
    """Tell whether a value is ``len`` or the like; ``int`` beside a value often is its type."""
    found = getattr(builtins, value.name, None) if isinstance(value, External) else None
    return callable(found) and not isinstance(found, type)


def refused_constant(value: object) -> str:
    """Return in words what JSON refuses of a constant; empty if nothing."""
    if isinstance(value, bytes):
        return "bytes"
    if isinstance(value, complex):
        return "a complex number"
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return f"the number {value}"
    return "an Ellipsis" if value is ... else ""
