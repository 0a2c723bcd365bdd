"""Pydantic models whose fields become the data of a result, and what the fields hold then.

``ActionResult.to_dict()`` of every release dumps a model that is data itself by ``model_dump()``;
that call and ``.dict()`` leave each value as it is unless they are told ``mode="json"``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard
from weakref import WeakKeyDictionary

import msgspec

from ..model.arguments import argument_at, callee_of
from ..model.attributes import class_chain
from ..model.evaluator import Evaluator
from ..model.fields import is_remade, writes_constructor
from ..model.module import FUNCTIONS, Module, last_name
from ..model.values import Class, External, Frame, Instance, Value
from ..model.written import Written, constants, instance_of, written
from .field_types import FieldType, field_type

_BASES = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel"})
_OF_SDK = "imperal_sdk.sdl."
_BESIDE = frozenset({"typing.Generic", "abc.ABC", "object"})
_DUMPS = frozenset({"model_dump", "dict"})
_UNCHECKED = frozenset({"model_copy", "copy", "model_construct", "construct"})
"""Methods that make an object whose fields may hold what their types do not say."""
_SPARSE = frozenset({"exclude_unset", "exclude_defaults"})
_KNOWN = _SPARSE | {
    "mode", "exclude", "include", "by_alias", "exclude_none", "round_trip", "warnings",
}  # fmt: skip
_SERIALIZERS = frozenset({"field_serializer", "serializer"})
_OVERALL = frozenset({"model_serializer", "__get_pydantic_core_schema__", *_DUMPS, "__setattr__"})
_SETTING = frozenset({"setattr", "__setattr__", "__dict__"})
_NAMES = (ast.Name, ast.Attribute)
_UNTOLD = (Value, External)
_POSSIBLE = (ast.Name, ast.Attribute, ast.Call, ast.Await, ast.IfExp, ast.BoolOp, ast.NamedExpr)


class Dump(msgspec.Struct, frozen=True, eq=False):
    """The dict that is made of a model.

    Attributes:
        at: the call of ``model_dump``, or the model that is dumped later.
        cls: of the model.
        made: the call of the class, if it is known.
        is_call: whether the code itself calls ``model_dump``.
        alone: whether the data can be nothing else here.
        single: whether it can be nothing else, whichever way the code takes.
        left_out: fields that the call excludes.
        only: fields that it includes; None for all.
        sparse: whether only fields that were given stand in it.
        is_json: whether it is made with ``mode="json"``, so that only texts and the like stay.
    """

    at: Written
    cls: Class
    made: Written | None
    is_call: bool
    alone: bool = True
    left_out: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    sparse: bool = False
    single: bool = True
    is_json: bool = False


class DumpedField(msgspec.Struct, frozen=True, eq=False):
    """A field of a dumped model.

    Attributes:
        type: what its annotation says.
        given: what the call of the class gives to it.
        known: whether the code shows whether it is given anything.
        default: its default; None if it has none, so that it must be given.
        is_factory: whether the default is what makes it: ``default_factory=…``.
    """

    name: str
    type: FieldType
    given: Written | None
    known: bool
    default: Written | None
    is_factory: bool


def dumps_of(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None, *, bare: bool
) -> tuple[Dump, ...]:
    """Return the dumps that an expression may be worth.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: the expression.
        frame: the call in which it is to be read.
        bare: whether a model itself counts, since something dumps it later.
    """
    if not isinstance(node, _POSSIBLE):
        return ()
    known = _DUMPED.setdefault(evaluator, {})
    key = (node, frame, bare)
    if key not in known:
        known[key] = tuple(_dumps(evaluator, module, node, frame, bare=bare))
    return known[key]


def _dumps(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None, *, bare: bool
) -> Iterator[Dump]:
    found = evaluator.values(module, node, frame)
    if not any(type(item.value) in _UNTOLD or isinstance(item.value, Instance) for item in found):
        return
    places = written(evaluator, module, node, frame)
    here = module.function(node)
    for at in places:
        single = len(places) == 1
        alone = single or at.module.function(at.node) is not here
        if isinstance(at.node, ast.Call) and last_name(at.node.func) in _DUMPS:
            dump = _of_call(evaluator, at, at.node)
        else:
            cls, made = _model(evaluator, at, at.node) if bare else (None, None)
            dump = Dump(at, cls, made, is_call=False) if cls is not None else None
        if dump is not None:
            yield msgspec.structs.replace(dump, alone=alone, single=single)


def dump_of_field(evaluator: Evaluator, cls: Class, given: Written | None) -> Dump | None:
    """Return the dump of a model that a field of another model holds."""
    if given is not None:
        found, made = _model(evaluator, given, given.node)
        if found is not None:
            return Dump(given, found, made, is_call=True)
    if not _keeps_values(evaluator, cls) or _is_extended(evaluator, cls):
        return None
    return Dump(Written(cls.module, cls.node.bases[0]), cls, None, is_call=True)


def dumped_fields(evaluator: Evaluator, dump: Dump) -> Iterator[DumpedField]:
    """Yield the fields of a dump; ask ``is_replaced`` of those in which something is found."""
    for field in _fields(evaluator, dump.cls):
        if field.name in dump.left_out or not (dump.only is None or field.name in dump.only):
            continue
        given, known = _given(dump.made, field.name)
        if not (dump.sparse and known and given is None):
            yield msgspec.structs.replace(field, given=given, known=known)


_FIELDS: WeakKeyDictionary[Evaluator, dict[ast.ClassDef, list[DumpedField]]] = WeakKeyDictionary()
_DUMPED: WeakKeyDictionary[
    Evaluator, dict[tuple[ast.expr, Frame | None, bool], tuple[Dump, ...]]
] = WeakKeyDictionary()
_REPLACED: WeakKeyDictionary[Evaluator, dict[tuple[ast.ClassDef, str], bool]] = WeakKeyDictionary()
_KEEPING: WeakKeyDictionary[Evaluator, dict[ast.ClassDef, bool]] = WeakKeyDictionary()


def _fields(evaluator: Evaluator, cls: Class) -> list[DumpedField]:
    """Return the fields of a class that its dump holds, as if nothing gave them a value."""
    known = _FIELDS.setdefault(evaluator, {})
    if cls.node not in known:
        found: dict[str, DumpedField | None] = {}
        for owner in class_chain(evaluator, cls):
            for item in owner.node.body:
                if _is_field(item) and ast.unparse(item.target) not in found:
                    field = None if _is_hidden(item) else _field(evaluator, owner, item)
                    found[ast.unparse(item.target)] = field
        known[cls.node] = [field for field in found.values() if field is not None]
    return known[cls.node]


def _is_field(item: ast.stmt) -> TypeGuard[ast.AnnAssign]:
    return (
        isinstance(item, ast.AnnAssign)
        and isinstance(item.target, ast.Name)
        and not item.target.id.startswith("_")
        and "ClassVar" not in ast.unparse(item.annotation)
    )


def _is_hidden(item: ast.AnnAssign) -> bool:
    """``token: str = Field(exclude=True)``, also within ``Annotated``."""
    parts = [item.annotation, *([item.value] if item.value is not None else ())]
    return any(
        given.arg is not None and given.arg.startswith("exclude")
        for part in parts
        for call in ast.walk(part)
        if isinstance(call, ast.Call)
        for given in call.keywords
    )


def _field(evaluator: Evaluator, owner: Class, item: ast.AnnAssign) -> DumpedField:
    default, is_factory = _default(item)
    return DumpedField(
        ast.unparse(item.target),
        field_type(evaluator, Written(owner.module, item.annotation)),
        None,
        known=False,
        default=Written(owner.module, default) if default is not None else None,
        is_factory=is_factory,
    )


def _given(made: Written | None, name: str) -> tuple[Written | None, bool]:
    """Return (what the call of a class gives to a field, whether the call shows that)."""
    call = made.node if made is not None else None
    if made is None or not isinstance(call, ast.Call):
        return None, False
    value = argument_at(call, name, -1)
    if value is not None:
        return Written(made.module, value, made.frame), True
    return None, not call.args and all(item.arg for item in call.keywords)


def _default(item: ast.AnnAssign) -> tuple[ast.expr | None, bool]:
    value = item.value
    if isinstance(value, ast.Call) and last_name(value.func) in {"Field", "field"}:
        factory = argument_at(value, "default_factory", -1)
        if factory is not None:
            return factory, True
        value = argument_at(value, "default", 0)
    is_required = isinstance(value, ast.Constant) and value.value is ...
    return (None if is_required else value), False


# ---- which model -----------------------------------------------------------------------------


def _of_call(evaluator: Evaluator, at: Written, call: ast.Call) -> Dump | None:
    """Return what ``note.model_dump(exclude={"body"})`` makes; None if that is not known."""
    if not isinstance(call.func, ast.Attribute) or call.args:
        return None
    given = {item.arg: item.value for item in call.keywords}
    if not set(given) <= _KNOWN:
        return None
    mode = constants(evaluator, at, given["mode"]) if "mode" in given else ["python"]
    if mode not in (["python"], ["json"]):
        return None
    left_out = _names(given["exclude"]) if "exclude" in given else frozenset[str]()
    only = _names(given["include"]) if "include" in given else None
    cls, made = _model(evaluator, at, call.func.value)
    if cls is None or left_out is None or (only is None and "include" in given):
        return None
    return Dump(
        at,
        cls,
        made,
        is_call=True,
        left_out=left_out,
        only=only,
        sparse=bool(_SPARSE & set(given)),
        is_json=mode == ["json"],
    )


def _names(node: ast.expr) -> frozenset[str] | None:
    """Return ``{"a", "b"}`` and the keys of ``{"a": True}``; None for what is not written out."""
    if isinstance(node, ast.Dict):
        parts: list[ast.expr | None] = [*node.keys]
    elif isinstance(node, ast.Set | ast.List | ast.Tuple):
        parts = [*node.elts]
    else:
        return None
    found = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    names = [name for name in found if isinstance(name, str)]
    return frozenset(names) if len(names) == len(found) else None


def _model(
    evaluator: Evaluator, at: Written, node: ast.expr
) -> tuple[Class | None, Written | None]:
    """Return (class of a model, the call that made it) if its dump shows what its fields hold."""
    cls = instance_of(evaluator, at, node)
    if cls is None or not _keeps_values(evaluator, cls):
        return None, None
    made: list[Written] = []
    for place in written(evaluator, at.module, node, at.frame):
        call = place.node
        if not isinstance(call, ast.Call):
            continue
        if last_name(call.func) in _UNCHECKED:
            return None, None
        callee = [item.value for item in evaluator.values(place.module, call.func, place.frame)]
        if len(callee) == 1 and isinstance(callee[0], Class):
            made.append(place)
    if len(made) == 1:
        return cls, made[0]
    return (None if _is_extended(evaluator, cls) else cls), None


def _keeps_values(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a model that dumps its fields as pydantic does."""
    known = _KEEPING.setdefault(evaluator, {})
    if cls.node not in known:
        outer = [base for base in evaluator.bases(cls) if not isinstance(base, Class)]
        names = [base.name if isinstance(base, External) else "" for base in outer]
        chain = list(class_chain(evaluator, cls))
        known[cls.node] = (
            all(name in _BASES | _BESIDE or name.startswith(_OF_SDK) for name in names)
            and any(name in _BASES or name.startswith(_OF_SDK) for name in names)
            and not writes_constructor(chain)
            and not any(map(_is_own, chain))
        )
    return known[cls.node]


def _is_extended(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether an object of a class may be one of another class, which dumps it otherwise."""
    name = cls.node.name
    return any(
        last_name(base) == name
        for module in evaluator.project.naming(name)
        for node in module.nodes(ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Name | ast.Attribute)
    )


def _is_own(owner: Class) -> bool:
    """Tell whether a class says itself how it is dumped."""
    if owner.node.decorator_list or owner.node.keywords:
        return True
    methods = [item for item in owner.node.body if isinstance(item, FUNCTIONS)]
    return any(
        item.name in _OVERALL
        or any(_called(each) in _OVERALL or _is_earlier(each) for each in _decorators(item))
        or _sets_all(item)
        for item in methods
    )


def _is_earlier(decorator: ast.expr) -> bool:
    """``model_validator(mode="before")`` gets all fields at once, and may change any."""
    if _called(decorator) == "root_validator":
        return True
    return _called(decorator) == "model_validator" and "'after'" not in ast.unparse(decorator)


def _sets_all(method: ast.AST) -> bool:
    """Tell whether a method sets attributes whose names it does not write out."""
    return any(last_name(part) in _SETTING for part in ast.walk(method) if isinstance(part, _NAMES))


def _decorators(method: ast.AST) -> list[ast.expr]:
    return getattr(method, "decorator_list", [])


def _called(decorator: ast.expr) -> str:
    return last_name(callee_of(decorator))


# ---- what replaces the value of a field ------------------------------------------------------


def is_replaced(evaluator: Evaluator, dump: Dump, name: str) -> bool:
    """Tell whether code of the tree may put another value into a field, or into its dump."""
    known = _REPLACED.setdefault(evaluator, {})
    place = (dump.cls.node, name)
    if place not in known:
        known[place] = _is_replaced(evaluator, list(class_chain(evaluator, dump.cls)), name)
    return known[place]


def _is_replaced(evaluator: Evaluator, chain: list[Class], name: str) -> bool:
    return (
        is_remade(evaluator, chain, name)
        or any(_is_serialized(owner, name) for owner in chain)
        or any(owner.module.assigned_to_self(owner.node, name) for owner in chain)
        or any(_is_stored(module, name) for module in evaluator.project.naming(name))
    )


def _is_serialized(owner: Class, name: str) -> bool:
    return any(
        _called(decorator) in _SERIALIZERS
        and any(
            isinstance(part, ast.Constant) and part.value in {name, "*"}
            for part in ast.walk(decorator)
        )
        for item in owner.node.body
        if isinstance(item, FUNCTIONS)
        for decorator in _decorators(item)
    )


def _is_stored(module: Module, name: str) -> bool:
    """``note.when = str(note.when)``, whatever ``note`` is."""
    if any(not _is_self(node.value) for node in module.stored(name)):
        return True
    return any(
        len(call.args) > 1 and getattr(call.args[1], "value", None) == name
        for setter in ("setattr", "__setattr__")
        for call in module.calls.get(setter, ())
    )


def _is_self(owner: ast.expr) -> bool:
    return isinstance(owner, ast.Name) and owner.id == "self"
