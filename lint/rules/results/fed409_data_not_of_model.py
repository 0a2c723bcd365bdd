"""FED409: the data of a result does not fit the model that its function declares."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ...inference.syntax.arguments import argument_at, callee_of
from ...inference.syntax.module import FUNCTIONS, last_name
from ...inference.values.attributes import class_chain, declared_fields
from ...inference.values.classes import is_base_model
from ...inference.values.models import is_model
from ...inference.values.values import Class, External
from ...payloads.payloads import result_calls
from ...rule import Example, Hit, Rule
from ...sdk.module_surface import modules
from ...view import FileView
from ..extension.support.chat_functions import ChatFunction, chat_functions
from .support.results import changes

_OPENING = frozenset({"extra", "alias", "alias_generator", "validation_alias"})
"""Settings by which a model takes other keys than its fields."""
_BESIDE = frozenset({"typing.Generic", "abc.ABC", "object"})
"""Bases that bring no fields."""
_VALIDATING = frozenset({"model_validator", "root_validator"})
"""Decorators of methods that may make the fields of other keys."""


class _Shape(msgspec.Struct, frozen=True):
    """The fields of a model, and those without a default."""

    name: str
    fields: frozenset[str]
    required: frozenset[str]


def _check(view: FileView) -> Iterator[Hit]:
    declared = {it.function: it for it in chat_functions(view)}
    for call in result_calls(view):
        function = declared.get(view.module.function(call.node))  # pyright: ignore[reportArgumentType]
        data = call.data
        if function is None or not isinstance(data, ast.Dict) or not data.keys:
            continue
        shape = _model(view, function)
        if shape is None or changes(view, call):
            continue
        keys = [key.value for key in data.keys if isinstance(key, ast.Constant)]
        given = {key for key in keys if isinstance(key, str)}
        is_whole = len(keys) == len(data.keys)
        lacking = sorted(shape.required - given) if is_whole else []
        other = [key for key in keys if isinstance(key, str) and key not in shape.fields]
        if lacking or other:
            yield Hit(node=data, message=_message(shape, lacking, other))


def _message(shape: _Shape, lacking: list[str], other: list[str]) -> str:
    said = [f"lacks {_listed(lacking)}"] if lacking else []
    said += [f"has {_listed(other)} besides"] if other else []
    return (
        f"data is no {shape.name}: it {' and '.join(said)}\n"
        f"A chain refers to the fields that {shape.name} declares. Write them as they are named "
        f"there: {_listed(sorted(shape.fields), 8)}; or declare what data has."
    )


def _listed(names: list[str], most: int = 2) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _model(view: FileView, item: ChatFunction) -> _Shape | None:
    """Return the fields of the model that a function declares; None if they are not known."""
    written = item.arguments.get("data_model")
    returned = item.function.returns
    if written is None and isinstance(returned, ast.Subscript):
        written = returned.slice if last_name(returned.value) == "ActionResult" else None
    found = [each.value for each in view.values(written)] if written is not None else []
    cls = found[0] if len(found) == 1 else None
    if not isinstance(cls, Class) or is_model(view.evaluator, cls) is not True:
        return None
    inherited = _inherited(view, cls)
    if inherited is None:
        return None
    names, required = inherited
    for owner in reversed([*class_chain(view.evaluator, cls)]):
        if _takes_others(owner.node):
            return None
        for name, field in declared_fields(owner.node):
            names.add(name)
            (required.add if _is_required(field) else required.discard)(name)
    return _Shape(cls.node.name, frozenset(names), frozenset(required)) if names else None


def _inherited(view: FileView, cls: Class) -> tuple[set[str], set[str]] | None:
    """Return (fields, required fields) of the SDK's models below a class; None if unknown."""
    names: set[str] = set()
    required: set[str] = set()
    for base in view.evaluator.bases(cls):
        path = base.name if isinstance(base, External) else ""
        if isinstance(base, Class) or is_base_model(path) or path in _BESIDE:
            continue
        known = modules(view.surface.version).named(path)
        spec = known.signature if known is not None and known.is_model else None
        if spec is None:
            return None
        names.update(spec.names)
        required.update(spec.required)
    return names, required


def _is_required(field: ast.AnnAssign) -> bool:
    value = field.value
    if isinstance(value, ast.Call) and last_name(value.func) == "Field":
        if argument_at(value, "default_factory", -1) is not None:
            return False
        value = argument_at(value, "default", 0)
    return value is None or (isinstance(value, ast.Constant) and value.value is ...)


def _takes_others(cls: ast.ClassDef) -> bool:
    """Tell whether a model may take other keys than the names of its fields."""
    if cls.keywords or any(last_name(callee_of(it)) != "cache_model" for it in cls.decorator_list):
        return True
    for node in ast.walk(cls):
        if isinstance(node, ast.keyword) and node.arg in _OPENING:
            return True
        if isinstance(node, ast.Constant | ast.Name):
            written = node.value if isinstance(node, ast.Constant) else node.id
            if written in _OPENING:
                return True
        if isinstance(node, FUNCTIONS) and any(
            last_name(callee_of(each)) in _VALIDATING
            for each in getattr(node, "decorator_list", [])
        ):
            return True
    return False


RULE = Rule(
    code="FED409",
    name="data-not-of-model",
    summary="Data has the fields of the model that the function declares.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    since="5.0.1",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds dicts that `ActionResult.success` gets as data in a chat function whose `data_model=` or
`-> ActionResult[Model]` is a pydantic model of the extension: dicts that lack a field without a
default, or have a key that is no field. A model with aliases, `extra=` or a validator of its own is
left alone, and so is data that comes from elsewhere.
""",
    why="The planner reads the model and refers to its fields in the next step of a chain; data "
    "under another name is not found. The SDK only logs a mismatch, so nobody sees it before.",
    example='@chat.function("count", "Counts", data_model=Count)\n'
    "async def count(ctx, params):\n"
    '    return ActionResult.success({"n": 3}, "Counted")',
    instead='@chat.function("count", "Counts", data_model=Count)\n'
    "async def count(ctx, params):\n"
    '    return ActionResult.success({"total": 3}, "Counted")',
    references=("SDK sources: types/action_result.py validate_against",),
    bad=(
        Example(
            """
@chat.function("f", "Counts", data_model=Count)
async def f(ctx, params):
    return ActionResult.success({"n": 3}, "Counted")
""",
            holds="data is no Count: it lacks total and has n besides",
        ),
        Example(
            """
class Note(BaseModel):
    note_id: str
    title: str = ""


@chat.function("f", "Shows")
async def f(ctx, params) -> ActionResult[Note]:
    return ActionResult.success({"note_id": "1", "name": "Milk"}, "Note")
""",
            holds="it has name besides",
        ),
    ),
    good=(
        Example(
            """
class Open(BaseModel, extra="allow"):
    total: int


class Wide(BaseModel):
    model_config = {"extra": "allow"}
    total: int


from pydantic import Field


class Named(BaseModel):
    total: int = Field(alias="n")


@chat.function("f", "Counts", data_model=Count)
async def f(ctx, params):
    more = {"total": 3}
    if params:
        return ActionResult.success({**more}, "Counted")
    result = ActionResult.success({"n": 3}, "Counted")
    result.data["total"] = 3
    return result


@chat.function("g", "Counts", data_model=Open)
async def g(ctx, params):
    return ActionResult.success({"total": 3, "n": 3}, "Counted")


@chat.function("h", "Counts", data_model=Wide)
async def h(ctx, params):
    return ActionResult.success({"total": 3, "n": 3}, "Counted")


@chat.function("i", "Counts", data_model=Named)
async def i(ctx, params):
    return ActionResult.success({"n": 3}, "Counted")
"""
        ),
    ),
)
