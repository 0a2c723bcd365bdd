"""Enums of the linted tree: which of their members are texts or numbers themselves."""

from __future__ import annotations

from .evaluator import Evaluator
from .module import last_name
from .values import Class, Const, EnumMember, External, Instance, Value

_PLAIN = frozenset({"enum.Enum", "enum.Flag"})
_KEEPING = frozenset({"unique", "verify"})
"""Decorators that return the Enum itself."""


def is_enum(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is an Enum of any kind."""
    bases = evaluator.bases(cls) if cls.node.bases else ()
    return any(isinstance(base, External) and base.name.startswith("enum.") for base in bases)


def is_plain(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is an Enum whose members certainly are no texts and no numbers.

    ``json`` refuses these; it writes members of ``str, Enum``, ``StrEnum`` and ``IntEnum``.
    """
    if not cls.node.bases or any(last_name(it) not in _KEEPING for it in cls.node.decorator_list):
        return False
    outer = [base for base in evaluator.bases(cls) if not isinstance(base, Class)]
    return bool(outer) and all(isinstance(base, External) and base.name in _PLAIN for base in outer)


def member(evaluator: Evaluator, cls: Class, value: Const) -> Const:
    """Return what ``Colour.RED`` is worth: a member if the class is such an Enum."""
    return EnumMember(value.value, cls) if is_plain(evaluator, cls) else value


def is_member(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value certainly is a member of an Enum of the tree."""
    if isinstance(value, Instance):
        return is_enum(evaluator, value.cls)
    return isinstance(value, EnumMember)
