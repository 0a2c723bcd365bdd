"""Named tuples and enums: their fields and members."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from ..evaluator import Evaluator
from ..syntax.arguments import argument_at, shows_all
from ..syntax.module import Module, last_name
from .fields import annotated_fields
from .values import UNKNOWN, Class, Const, EnumMember, External, Instance, Record, TupleClass, Value

MAKERS = frozenset({"collections.namedtuple", "typing.NamedTuple"})
"""What makes such a class when it is called."""
_TUPLES: WeakKeyDictionary[ast.Call, ast.Tuple] = WeakKeyDictionary()


def tuple_of(cls: TupleClass, module: Module, call: ast.Call) -> Value:
    """Return the value of a call of a named tuple's class; unknown if a field is not shown.

    Args:
        cls: the class.
        module: where it is called.
        call: ``Slot("notes", ttl=60)``.
    """
    names = _names(cls.node)
    if not names or not shows_all(call):
        return UNKNOWN
    if call not in _TUPLES:
        rest = _defaults(cls.node, names) if cls.module is module else {}
        found = [
            argument_at(call, name, place) or rest.get(name) for place, name in enumerate(names)
        ]
        elements = [item for item in found if item is not None]
        if len(elements) != len(names):
            return UNKNOWN
        made = ast.copy_location(ast.Tuple(elements, ast.Load()), call)
        module.parents[made] = module.parents[call]
        _TUPLES[call] = made
    return Record(module, _TUPLES[call], names)


def tuple_names(evaluator: Evaluator, cls: Class) -> tuple[str, ...]:
    """Return the fields of a class that extends ``typing.NamedTuple`` itself, in order."""
    if not any(last_name(base) == "NamedTuple" for base in cls.node.bases):
        return ()
    if not any(getattr(base, "name", "") == "typing.NamedTuple" for base in evaluator.bases(cls)):
        return ()
    return tuple(name for name, _ in annotated_fields(cls.node))


def _names(made: ast.Call) -> tuple[str, ...]:
    """Return the literal field names of a call of ``namedtuple`` or ``NamedTuple``."""
    fields = argument_at(made, "field_names", 1)
    if isinstance(fields, ast.Constant) and isinstance(fields.value, str):
        return tuple(fields.value.replace(",", " ").split())
    parts = fields.elts if isinstance(fields, (ast.List, ast.Tuple)) else []
    texts = [part.elts[0] if isinstance(part, ast.Tuple) and part.elts else part for part in parts]
    names = [it.value for it in texts if isinstance(it, ast.Constant) and isinstance(it.value, str)]
    return tuple(names) if len(names) == len(parts) else ()


def _defaults(made: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
    """Return name → default of the last fields: ``defaults=(60,)``."""
    given = next((item.value for item in made.keywords if item.arg == "defaults"), None)
    parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
    return dict(zip(names[len(names) - len(parts) :], parts, strict=False))


_PLAIN = frozenset({"enum.Enum", "enum.Flag"})
_KEEPING = frozenset({"unique", "verify"})
"""Decorators that return the Enum itself."""


def is_enum(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is an Enum of any kind."""
    bases = evaluator.bases(cls) if cls.node.bases else ()
    return any(isinstance(base, External) and base.name.startswith("enum.") for base in bases)


def is_plain(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is an Enum whose members certainly are no strings and no numbers.

    ``json`` refuses these; it writes members of ``str, Enum``, ``StrEnum`` and ``IntEnum``.
    """
    if not cls.node.bases or any(last_name(it) not in _KEEPING for it in cls.node.decorator_list):
        return False
    outer = [base for base in evaluator.bases(cls) if not isinstance(base, Class)]
    return bool(outer) and all(isinstance(base, External) and base.name in _PLAIN for base in outer)


def member(evaluator: Evaluator, cls: Class, value: Const) -> Const:
    """Return the value of ``Colour.RED``: a member if the class is a plain Enum."""
    return EnumMember(value.value, cls) if is_plain(evaluator, cls) else value


def is_member(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value certainly is a member of an Enum of the tree."""
    if isinstance(value, Instance):
        return is_enum(evaluator, value.cls)
    return isinstance(value, EnumMember)
