"""The dicts that ``model_dump``, ``asdict`` and the like return."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from ..inference.containers.dicts import LISTED, fields_of, listed_object, sources_of
from ..inference.evaluator import Evaluator
from ..inference.syntax.arguments import argument_at, callee_of, spreads
from ..inference.syntax.memo import remembered
from ..inference.syntax.module import Module, last_name
from ..inference.values.attributes import class_chain, declared_fields
from ..inference.values.classes import owners
from ..inference.values.fields import (
    annotated_fields,
    changes_any,
    is_remade,
    sets_by_name,
    writes_constructor,
)
from ..inference.values.models import is_model
from ..inference.values.origins import Written, constants, instance_of, written
from ..inference.values.values import Class, External, Frame, Instance, SdkMethod, Value, only_value
from ..view import FileView
from .json_types import FieldType, field_type

_OTHER_ORDER = frozenset({"kw_only", "KW_ONLY", "InitVar", "init"})


def keeps_what_it_is_given(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a dataclass that stores arguments and defaults unchanged."""
    decorators = cls.node.decorator_list
    made_by = [only_value(evaluator.values(cls.module, callee_of(each))) for each in decorators]
    return (
        made_by == [External("dataclasses.dataclass")]
        and not cls.node.bases
        and not writes_constructor([cls])
        and not sets_by_name(cls.node)
    )


def position_of(cls: Class, name: str) -> int:
    """Return the position of a dataclass's field in a call; -1 if it has none."""
    if not _OTHER_ORDER.isdisjoint(_words(cls.node)):
        return -1
    fields = annotated_fields(cls.node)
    names = [each for each, it in fields if "ClassVar" not in ast.unparse(it.annotation)]
    return names.index(name)


def has_no_dict(cls: Class) -> bool:
    """Tell whether a dataclass has slots and no ``__dict__``, so that ``vars()`` fails."""
    return not _words(cls.node).isdisjoint({"slots", "__slots__"})


def _words(cls: ast.ClassDef) -> set[str]:
    parts = list(ast.walk(cls))
    return {
        getattr(part, "arg", None) or getattr(part, "attr", None) or getattr(part, "id", "")
        for part in parts
    }


_DUMPS = {"model_dump": "a dict", "dict": "a dict", "model_dump_json": "a text", "json": "a text"}
_CACHED = frozenset({"get", "get_or_fetch"})
"""Methods of the cache that give an object of the model that they are given."""


def dumped_as(view: FileView, at: Written) -> str:
    """Return in words what a ``model_dump()`` or the like behind an expression returns."""
    places = written(view.evaluator, at.module, at.node, at.frame)
    kinds = {_dump_of(view, place) for place in places}
    return kinds.pop() if len(kinds) == 1 else ""


def _dump_of(view: FileView, at: Written) -> str:
    callee = at.node.func if isinstance(at.node, ast.Call) else None
    if not isinstance(callee, ast.Attribute) or callee.attr not in _DUMPS:
        return ""
    owner = instance_of(view.evaluator, at, callee.value)
    of_model = owner is not None and is_model(view.evaluator, owner)
    return _DUMPS[callee.attr] if of_model or _is_cached(view, at.part(callee.value)) else ""


def _is_cached(view: FileView, at: Written) -> bool:
    """Tell whether a value certainly comes from the cache."""
    places = written(view.evaluator, at.module, at.node, at.frame)
    return bool(places) and all(
        isinstance(place.node, ast.Call) and _is_read(view, place, place.node.func)
        for place in places
    )


def _is_read(view: FileView, at: Written, callee: ast.expr) -> bool:
    found = [item.value for item in view.evaluator.values(at.module, callee, at.frame)]
    return bool(found) and all(
        isinstance(value, SdkMethod)
        and value.owner.cls == "CacheClient"
        and value.name in _CACHED
        and getattr(value.owner, "certain", False)
        for value in found
    )


_BASES = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel"})
_OF_SDK = "imperal_sdk.sdl."
_BESIDE = frozenset({"typing.Generic", "abc.ABC", "object"})
_OVERALL = frozenset({
    "model_serializer", "__get_pydantic_core_schema__", "model_dump", "dict", "__setattr__",
})  # fmt: skip


# ---- how a class is dumped -------------------------------------------------------------------


@remembered
def dumps_plainly(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a model without a serialiser of its own."""
    outer = [base for base in evaluator.bases(cls) if not isinstance(base, Class)]
    names = [base.name if isinstance(base, External) else "" for base in outer]
    models = [name for name in names if name in _BASES or name.startswith(_OF_SDK)]
    chain = list(class_chain(evaluator, cls))
    return (
        bool(models)
        and _BESIDE.issuperset(name for name in names if name not in models)
        and not writes_constructor(chain)
        and not any(map(_is_own, chain))
    )


def _is_own(owner: Class) -> bool:
    """Tell whether a class defines a serialiser of its own."""
    if owner.node.keywords or any(_called(it) != "cache_model" for it in owner.node.decorator_list):
        return True
    return any(
        item.name in _OVERALL
        or any(_called(each) in _OVERALL or changes_any(each) for each in item.decorator_list)
        or sets_by_name(item, by_vars=False)
        for item in _methods(owner)
    )


def _methods(owner: Class) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for item in owner.node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield item


def _called(decorator: ast.expr) -> str:
    return last_name(callee_of(decorator))


def is_extended(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether an object may be of a subclass, which may dump it otherwise."""
    name = cls.node.name
    return any(
        last_name(base) == name
        for module in evaluator.project.naming(name)
        for node in module.nodes(ast.ClassDef)
        for base in node.bases
    )


# ---- what replaces the value of a field ------------------------------------------------------


@remembered
def is_field_replaced(evaluator: Evaluator, cls: Class, name: str) -> bool:
    """Tell whether code may assign another value to a field, or to its key in the dump."""
    chain = list(class_chain(evaluator, cls))
    return (
        is_remade(evaluator, chain, name)
        or any(owner.module.assigned_to_self(owner.node, name) for owner in chain)
        or bool(owners(evaluator, name))  # whatever else they are
    )


_MODEL_DUMPS = frozenset({"model_dump", "dict"})
_UNCHECKED = frozenset({"model_copy", "copy", "model_construct", "construct"})
"""Methods that make an object whose fields may hold what their types do not say."""
_SPARSE = frozenset({"exclude_unset", "exclude_defaults"})
_ARGUMENTS = _SPARSE | {
    "mode", "exclude", "include", "by_alias", "exclude_none", "warnings",
}  # fmt: skip
"""Of a dump: those whose effect on the values is known."""
_GIVEN = FieldType("open")
_UNTOLD = (Value, External)
_POSSIBLE = (ast.Name, ast.Attribute, ast.Call, ast.Await, ast.IfExp, ast.BoolOp, ast.NamedExpr)


class Dump(msgspec.Struct, frozen=True, eq=False):
    """The dict made of a model or a dataclass.

    Attributes:
        at: the call of ``model_dump`` or ``asdict``, or the model that is dumped later; for a
            field known by its type alone a base of the class.
        cls: of the model.
        made: the call of the class, if it is known.
        is_call: whether the code itself calls ``model_dump`` or ``asdict``.
        alone: whether the expression has no other value on this call path.
        single: whether it has no other value on any call path.
        left_out: fields that the call excludes.
        only: fields that it includes; None for all.
        sparse: whether it holds only fields that were set.
        is_json: whether it is made with ``mode="json"``, so that JSON can carry it.
        source: ``dump`` if the fields hold what their types say; those of a dataclass need not,
            which ``asdict`` or ``vars`` lists.
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
    source: Literal["dump", "asdict", "vars"] = "dump"

    @property
    def is_checked(self) -> bool:
        """Whether the fields hold what their types say."""
        return self.source == "dump"


class DumpedField(msgspec.Struct, frozen=True, eq=False):
    """A field of a dumped model.

    Attributes:
        type: what its annotation says.
        given: the constructor argument.
        known: whether the constructor call is known.
        default: its default; None if it has none, so that it must be given.
        is_factory: whether ``default`` is a factory: ``default_factory=…``.
        is_unchecked: whether nothing validates the value against its type, as for computed fields.
    """

    name: str
    type: FieldType
    given: Written | None
    known: bool
    default: Written | None
    is_factory: bool
    is_unchecked: bool = False


@remembered
def dumps_of(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None, *, bare: bool
) -> tuple[Dump, ...]:
    """Return the dumps that an expression may evaluate to.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: the expression.
        frame: the call in which it is to be read.
        bare: whether a model itself counts, since the SDK dumps it later.
    """
    if not isinstance(node, _POSSIBLE):
        return ()
    return tuple(_dumps(evaluator, module, node, frame, bare=bare))


def _dumps(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None, *, bare: bool
) -> Iterator[Dump]:
    found = evaluator.values(module, node, frame)
    if not any(_may_be_dumped(item.value) for item in found):
        return
    places = written(evaluator, module, node, frame)
    here = module.function(node)
    for at in places:
        single = len(places) == 1
        alone = single or at.module.function(at.node) is not here
        listed, by = listed_object(evaluator, at)
        if listed is not None:
            dump = _of_listed(evaluator, at, listed, by)
        elif isinstance(at.node, ast.Call) and last_name(at.node.func) in _MODEL_DUMPS:
            dump = _of_call(evaluator, at, at.node)
        else:
            cls, made = _model(evaluator, at, at.node) if bare else (None, None)
            dump = Dump(at, cls, made, is_call=False) if cls is not None else None
        if dump is not None:
            yield msgspec.structs.replace(dump, alone=alone, single=single)


def _may_be_dumped(value: Value) -> bool:
    return type(value) in _UNTOLD or isinstance(value, Instance) or value in LISTED


def dump_of_field(evaluator: Evaluator, cls: Class, given: Written | None) -> Dump | None:
    """Return the dump of a model that a field of another model holds."""
    if given is not None:
        found, made = _model(evaluator, given, given.node)
        if found is not None:
            return Dump(given, found, made, is_call=True)
    if not dumps_plainly(evaluator, cls) or is_extended(evaluator, cls):
        return None
    return Dump(Written(cls.module, cls.node.bases[0]), cls, None, is_call=True)


def dumped_fields(evaluator: Evaluator, dump: Dump) -> Iterator[DumpedField]:
    """Yield the fields of a dump; whether code replaces one tells ``is_field_replaced``."""
    for field in _fields(evaluator, dump.cls):
        if field.name in dump.left_out or not (dump.only is None or field.name in dump.only):
            continue
        given, known = (None, False) if field.is_unchecked else _given(dump, field.name)
        if not dump.is_checked:
            kind = _GIVEN if given is not None else field.type
            field = msgspec.structs.replace(field, type=kind, is_unchecked=not known)  # noqa: PLW2901
        if not (dump.sparse and known and given is None):
            yield msgspec.structs.replace(field, given=given, known=known)


@remembered
def _fields(evaluator: Evaluator, cls: Class) -> list[DumpedField]:
    """Return the fields of a class that its dump holds, without arguments."""
    found: dict[str, DumpedField | None] = {}
    for owner in class_chain(evaluator, cls):
        for name, item in declared_fields(owner.node):
            if name not in found:
                found[name] = None if _is_hidden(item) else _field(evaluator, owner, name, item)
        for field in _computed(evaluator, owner):
            found.setdefault(field.name, field)
    return [field for field in found.values() if field is not None]


def _computed(evaluator: Evaluator, owner: Class) -> Iterator[DumpedField]:
    """Yield the computed fields of a class: ``@computed_field``."""
    for item in owner.node.body:
        if not isinstance(item, ast.FunctionDef):
            continue
        for decorator in item.decorator_list:
            if last_name(callee_of(decorator)) == "computed_field":
                given = [decorator] if isinstance(decorator, ast.Call) else []
                types = [argument_at(call, "return_type", -1) for call in given]
                written = next((it for it in types if it is not None), item.returns)
                if written is not None:
                    kind = field_type(evaluator, Written(owner.module, written))
                    yield DumpedField(item.name, kind, None, False, None, False, is_unchecked=True)


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


def _field(evaluator: Evaluator, owner: Class, name: str, item: ast.AnnAssign) -> DumpedField:
    default, is_factory = _default(item)
    return DumpedField(
        name,
        field_type(evaluator, Written(owner.module, item.annotation)),
        None,
        known=False,
        default=Written(owner.module, default) if default is not None else None,
        is_factory=is_factory,
    )


def _given(dump: Dump, name: str) -> tuple[Written | None, bool]:
    """Return (constructor argument of a field, whether the call shows that)."""
    made = dump.made
    if made is None or not isinstance(made.node, ast.Call):
        return None, False
    call = made.node
    value = argument_at(call, name, -1 if dump.is_checked else position_of(dump.cls, name))
    if value is not None:
        return made.part(value), True
    is_plain = not call.args or not (dump.is_checked or spreads(call.args))
    return None, is_plain and all(item.arg for item in call.keywords)


def _default(item: ast.AnnAssign) -> tuple[ast.expr | None, bool]:
    """Return (default or factory of a field, whether it is a factory)."""
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
    """Return the dump of ``note.model_dump(exclude={"body"})``; None if unknown."""
    if not isinstance(call.func, ast.Attribute) or call.args:
        return None
    given = {item.arg: item.value for item in call.keywords}
    if not set(given) <= _ARGUMENTS:
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


def _of_listed(evaluator: Evaluator, at: Written, node: ast.expr, by: str) -> Dump | None:
    """Return the dump of ``asdict(deal)``, ``vars(deal)`` or ``dict(note)``."""
    if by != "dict":
        cls, made = _model(evaluator, at, node, keeps_what_it_is_given)
        if cls is not None and by == "asdict":
            return Dump(at, cls, made, is_call=True, source="asdict")
        if cls is not None:
            is_slotted = has_no_dict(cls)
            return None if is_slotted else Dump(at, cls, made, is_call=True, source="vars")
    cls, made = _model(evaluator, at, node) if by != "asdict" else (None, None)
    if cls is None:
        return None
    computed = frozenset(
        field.name for owner in class_chain(evaluator, cls) for field in _computed(evaluator, owner)
    )
    return Dump(at, cls, made, is_call=True, left_out=computed)


def _names(node: ast.expr) -> frozenset[str] | None:
    """Return the literal names of ``{"a", "b"}`` or ``{"a": True}``; None if not literal."""
    if isinstance(node, ast.Dict):
        parts: list[ast.expr | None] = [*node.keys]
    elif isinstance(node, (ast.Set, ast.List, ast.Tuple)):
        parts = [*node.elts]
    else:
        return None
    found = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    names = [name for name in found if isinstance(name, str)]
    return frozenset(names) if len(names) == len(found) else None


def _model(
    evaluator: Evaluator,
    at: Written,
    node: ast.expr,
    is_plain: Callable[[Evaluator, Class], bool] = dumps_plainly,
) -> tuple[Class | None, Written | None]:
    """Return (class, constructor call) of a model that is dumped plainly."""
    cls = instance_of(evaluator, at, node)
    if cls is None or not is_plain(evaluator, cls):
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
    return (None if is_extended(evaluator, cls) else cls), None


def spread_dumps(evaluator: Evaluator, at: Written) -> Iterator[tuple[Dump, DumpedField]]:
    """Yield (dump, field) for the fields that a dict spreads and does not replace."""
    sources = sources_of(at.node)
    found = [
        dump
        for source in sources
        for dump in dumps_of(evaluator, at.module, source, at.frame, bare=False)
        if not dump.is_json
    ]
    fields = fields_of(evaluator, at) if found else None
    if fields is None or (fields.dynamic and at.is_mentioned(evaluator)):
        return
    for dump in found:
        for field in dumped_fields(evaluator, dump):
            kept = fields.values.get(field.name, [])
            if len(kept) == 1 and _is_annotation(kept[0]):
                yield dump, field


def _is_annotation(at: Written) -> bool:
    """Tell whether a value is known by the annotation of a field alone."""
    parent = at.module.parents.get(at.node)
    return isinstance(parent, ast.AnnAssign) and parent.annotation is at.node
