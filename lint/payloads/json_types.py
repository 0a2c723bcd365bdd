"""Which types JSON cannot carry, by value and by annotation."""

from __future__ import annotations

import ast
import builtins
import math
from typing import Literal

import msgspec

from ..inference.evaluator import Evaluator
from ..inference.syntax.arguments import argument_at
from ..inference.syntax.module import Module, last_name
from ..inference.syntax.spelling import is_none
from ..inference.values.classes import is_outer_model
from ..inference.values.models import is_function, is_model
from ..inference.values.origins import Written, written
from ..inference.values.standard_types import SAME_DECIMAL, TIMES, class_name
from ..inference.values.tuples_and_enums import is_plain
from ..inference.values.values import (
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
    only_value,
)
from ..sdk.surface import DATACLASSES, MODELS, in_words

_DECIMAL = "decimal.Decimal"
_DEEPEST = 6
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)
"""With a Decimal on one side they make a Decimal or raise TypeError."""
COMPUTING = frozenset({"sum", "round", "abs"})
"""Builtins whose result is of the class of what they get."""


def is_decimal(evaluator: Evaluator, at: Written, depth: int = 0) -> bool:
    """Tell whether an expression certainly is a Decimal."""
    places = written(evaluator, at.module, at.node, at.frame) if depth < _DEEPEST else []
    return bool(places) and all(_is_decimal(evaluator, place, depth + 1) for place in places)


def _is_decimal(evaluator: Evaluator, at: Written, depth: int) -> bool:
    node = at.node
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.Call):
        parts = _kept(evaluator, at, node)
    elif isinstance(node, ast.Name):
        return _is_grown(evaluator, at, node, depth)
    if any(is_decimal(evaluator, at.part(part), depth) for part in parts):
        return True
    found = [item.value for item in evaluator.values(at.module, node, at.frame)]
    return bool(found) and all(
        isinstance(value, Made) and class_name(value.of) == _DECIMAL for value in found
    )


def _kept(evaluator: Evaluator, at: Written, call: ast.Call) -> list[ast.expr]:
    """Return the arguments whose type a call keeps: ``sum(prices, Decimal(0))``."""
    if isinstance(call.func, ast.Attribute):
        return [call.func.value] if call.func.attr in SAME_DECIMAL else []
    callee = only_value(evaluator.values(at.module, call.func, at.frame))
    start = argument_at(call, "start", 1) if callee == External("sum") else None
    rounded = callee == External("round") and len(call.args) == 2
    if rounded or callee == External("abs"):
        start = argument_at(call, "", 0)
    return [start] if start is not None else []


def _is_grown(evaluator: Evaluator, at: Written, name: ast.Name, depth: int) -> bool:
    """Tell whether a name starts as a Decimal and is changed by ``total += price`` only."""
    _, found = evaluator.project.lookup(at.module, name)
    grown = [it.node for it in found if isinstance(it.node, ast.AugAssign)]
    first = [it.value for it in found if it.kind == "assign" and not it.path]
    return (
        len(grown) + len(first) == len(found)
        and all(isinstance(node.op, _OPERATORS) for node in grown)
        and bool(first)
        and all(
            isinstance(value, ast.expr) and is_decimal(evaluator, at.part(value), depth)
            for value in first
        )
    )


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
    """Return the type of a value in words if JSON refuses it; else empty."""
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
    if isinstance(node, (ast.Set, ast.SetComp)):
        return "a set"
    return "a generator" if isinstance(node, ast.GeneratorExp) else ""


def _refused_object(value: Instance) -> str:
    """``refused`` for an instance of a class without bases and decorators."""
    names = {ast.unparse(item).partition("(")[0] for item in value.cls.node.decorator_list}
    plain = not value.cls.node.bases and names <= {"dataclass", "dataclasses.dataclass"}
    return f"an object of {value.cls.node.name}" if plain else ""


def refused_member(evaluator: Evaluator, value: Value) -> str:
    """``refused`` for a member of an Enum that is known by its class alone."""
    is_member = isinstance(value, Instance) and is_plain(evaluator, value.cls)
    return MEMBER if is_member and keeps_members(evaluator) else ""


def keeps_members(evaluator: Evaluator) -> bool:
    """Tell whether no model uses ``use_enum_values``."""
    return not any(True for _ in evaluator.project.naming("use_enum_values"))


def is_payload_model(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value is a model; ``to_dict()`` of the SDK dumps the top level only."""
    if isinstance(value, Sdk):
        return value.cls in MODELS
    if isinstance(value, Made):
        return is_outer_model(evaluator, External(value.of))
    return isinstance(value, Instance) and is_model(evaluator, value.cls) is True


def _exception(name: str) -> str:
    """Return the exception type in words, by its name."""
    found = getattr(builtins, name, None)
    return EXCEPTION if isinstance(found, type) and issubclass(found, BaseException) else ""


def _is_builtin_function(value: Value) -> bool:
    """Tell whether a value is a builtin function such as ``len``; types do not count."""
    found = getattr(builtins, value.name, None) if isinstance(value, External) else None
    return callable(found) and not isinstance(found, type)


def refused_constant(value: object) -> str:
    """Return the type of a constant in words if JSON refuses it; else empty."""
    if isinstance(value, bytes):
        return "bytes"
    if isinstance(value, complex):
        return "a complex number"
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return f"the number {value}"
    return "an Ellipsis" if value is ... else ""


_TYPES = {
    **{name: NOT_JSON[name] for name in (
        "datetime.datetime", "datetime.date", "datetime.time", "datetime.timedelta", "set",
        "frozenset", "bytes", "bytearray", "complex", "decimal.Decimal", "uuid.UUID",
        "pathlib.Path",
    )},
    **dict.fromkeys(("typing.Set", "typing.FrozenSet", "typing.AbstractSet"), "a set"),
    **dict.fromkeys(("re.Pattern", "typing.Pattern"), "a pattern"),
    **{f"pydantic.{name}Datetime": "a datetime" for name in ("Aware", "Naive", "Past", "Future")},
    **{f"pydantic.{name}Date": "a date" for name in ("Past", "Future")},
    **{f"pydantic.UUID{version}": "a UUID" for version in (1, 3, 4, 5)},
    **{f"pydantic.{name}Path": "a Path" for name in ("File", "Directory", "New")},
    **{f"pydantic.{name}Url": "a URL object" for name in ("Any", "AnyHttp", "Http")},
    "pydantic.SecretStr": "a SecretStr", "pydantic.SecretBytes": "a SecretBytes",
    "pathlib.PurePath": "a Path",
}  # fmt: skip
_LISTS = frozenset({
    "list", "tuple", "typing.List", "typing.Tuple", "typing.Sequence", "collections.abc.Sequence",
})  # fmt: skip
_MAPPINGS = frozenset({"dict", "typing.Dict", "typing.Mapping", "collections.abc.Mapping"})
_OPEN = frozenset({"typing.Any", "object"}) | _LISTS | _MAPPINGS
_TEXTS = frozenset({"str"})
_HARMLESS = frozenset({"Field", "field", "Doc"})
"""Makers of what may stand behind a type in ``Annotated`` and changes no value."""


class FieldType(msgspec.Struct, frozen=True, eq=False):
    """The meaning of an annotation for JSON.

    Attributes:
        kind: ``refused``: JSON cannot carry any value; ``open``: values are kept unchanged;
            ``many`` and ``mapping``: a list or dict of the inner type; ``other``: unknown.
        what: of ``refused``, in words.
        inner: of ``optional``, ``many`` and ``mapping``.
        cls: of ``model``.
    """

    kind: Literal["refused", "optional", "many", "mapping", "model", "text", "open", "other"]
    what: str = ""
    inner: FieldType | None = None
    cls: Class | None = None


_OTHER = FieldType("other")


def field_type(evaluator: Evaluator, at: Written, depth: int = 0) -> FieldType:
    """Return the meaning of an annotation."""
    node = at.node
    if depth > _DEEPEST:
        return _OTHER
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        inner = _parsed(node)
        return field_type(evaluator, at.part(inner), depth + 1) if inner is not None else _OTHER
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _optional(evaluator, at, [node.left, node.right], depth)
    if isinstance(node, ast.Subscript):
        return _subscripted(evaluator, at, node, depth)
    return _named(evaluator, at) if isinstance(node, (ast.Name, ast.Attribute)) else _OTHER


def _parsed(node: ast.Constant) -> ast.expr | None:
    """Parse a quoted type."""
    try:
        found = ast.parse(str(node.value), mode="eval").body
    except SyntaxError:
        return None
    return ast.copy_location(found, node) if isinstance(found, ast.Name) else None


def _value(evaluator: Evaluator, module: Module, node: ast.expr) -> Value | None:
    """Return the value of a type's name; a quoted one is looked up in the globals."""
    if isinstance(node, ast.Name) and node not in module.parents:
        found = evaluator.global_name(module, node.id)
        if not found:
            return External(node.id)
    else:
        found = evaluator.values(module, node)
    return only_value(found)


def _named(evaluator: Evaluator, at: Written) -> FieldType:
    value = _value(evaluator, at.module, at.node)
    if isinstance(value, Class):
        return _of_class(evaluator, value)
    name = value.name if isinstance(value, External) else ""
    if name in _TYPES:
        return FieldType("refused", what=_TYPES[name])
    if name in _TEXTS:
        return FieldType("text")
    return FieldType("open") if name in _OPEN else _OTHER


def _of_class(evaluator: Evaluator, cls: Class) -> FieldType:
    if is_plain(evaluator, cls):
        return FieldType("refused", what=MEMBER) if keeps_members(evaluator) else _OTHER
    return _OTHER if is_model(evaluator, cls) is False else FieldType("model", cls=cls)


def _optional(evaluator: Evaluator, at: Written, parts: list[ast.expr], depth: int) -> FieldType:
    """``datetime | None``; other unions are unknown."""
    kept = [part for part in parts if not is_none(part)]
    if len(kept) == len(parts) or len(kept) != 1:
        return _OTHER
    return FieldType("optional", inner=field_type(evaluator, at.part(kept[0]), depth + 1))


def _subscripted(evaluator: Evaluator, at: Written, node: ast.Subscript, depth: int) -> FieldType:
    value = _value(evaluator, at.module, node.value)
    name = value.name if isinstance(value, External) else ""
    parts = _parts(node)
    if name in _TYPES:
        return FieldType("refused", what=_TYPES[name])
    if name == "typing.Union":
        return _optional(evaluator, at, parts, depth)
    if name == "typing.Annotated":
        plain = all(_is_harmless(part) for part in parts[1:])
        return field_type(evaluator, at.part(parts[0]), depth + 1) if plain else _OTHER
    inner = field_type(evaluator, at.part(parts[-1]), depth + 1)
    if name == "typing.Optional":
        return FieldType("optional", inner=inner)
    if name in _LISTS and len(parts) == 2 and getattr(parts[1], "value", None) is ...:
        return FieldType("many", inner=field_type(evaluator, at.part(parts[0]), depth + 1))
    if name in _LISTS and len(parts) == 1:
        return FieldType("many", inner=inner)
    if name in _MAPPINGS and len(parts) == 2:
        return FieldType("mapping", inner=inner)
    return _OTHER


def _parts(node: ast.Subscript) -> list[ast.expr]:
    """Return the type arguments between brackets; ``tuple[()]`` has one."""
    several = isinstance(node.slice, ast.Tuple) and node.slice.elts
    return several or [node.slice]


def _is_harmless(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) in _HARMLESS
    return isinstance(node, ast.Constant)
