"""What ``model_dump()`` leaves of a field of a pydantic model, by its written type."""

from __future__ import annotations

import ast
from typing import Literal

import msgspec

from ..model.enums import is_plain
from ..model.evaluator import Evaluator
from ..model.models import is_model
from ..model.module import Module, last_name
from ..model.spelling import is_none
from ..model.values import Class, External, Value, only_value
from ..model.written import Written
from .not_json import MEMBER, NOT_JSON, keeps_members

_DEEPEST = 6
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
    """A written type.

    Attributes:
        kind: ``refused``: JSON cannot carry any value; ``open``: what is given stays as it is;
            ``many`` and ``mapping``: a list or dict of the inner type; ``other``: not known.
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
    """Return what an annotation says of the values of its field."""
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
    return _named(evaluator, at) if isinstance(node, ast.Name | ast.Attribute) else _OTHER


def _parsed(node: ast.Constant) -> ast.expr | None:
    """Read a quoted type; only names, whose places in the file do not matter."""
    try:
        found = ast.parse(str(node.value), mode="eval").body
    except SyntaxError:
        return None
    return ast.copy_location(found, node) if isinstance(found, ast.Name) else None


def _value(evaluator: Evaluator, module: Module, node: ast.expr) -> Value | None:
    """Return what the name of a type stands for; a quoted one is looked up among the globals."""
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
    """``datetime | None``; of other unions the type that a value has is not known."""
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
    """Return what stands between the brackets of a type; ``tuple[()]`` has one part, of nothing."""
    several = isinstance(node.slice, ast.Tuple) and node.slice.elts
    return several or [node.slice]


def _is_harmless(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) in _HARMLESS
    return isinstance(node, ast.Constant)
