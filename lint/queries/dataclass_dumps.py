"""Dataclasses whose fields become a dict: nobody holds those against their types."""

from __future__ import annotations

import ast

from ..model.arguments import callee_of
from ..model.evaluator import Evaluator
from ..model.fields import annotated_fields, sets_by_name, writes_constructor
from ..model.values import Class, External, only_value

_OTHER_ORDER = frozenset({"kw_only", "KW_ONLY", "InitVar", "init"})


def keeps_what_it_is_given(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a dataclass whose objects hold what its calls and defaults say."""
    decorators = cls.node.decorator_list
    made_by = [only_value(evaluator.values(cls.module, callee_of(each))) for each in decorators]
    return (
        made_by == [External("dataclasses.dataclass")]
        and not cls.node.bases
        and not writes_constructor([cls])
        and not sets_by_name(cls.node)
    )


def position_of(cls: Class, name: str) -> int:
    """Return where a call of a dataclass gives a field without its name; -1 for nowhere plain."""
    if not _OTHER_ORDER.isdisjoint(_words(cls.node)):
        return -1
    fields = annotated_fields(cls.node)
    names = [each for each, it in fields if "ClassVar" not in ast.unparse(it.annotation)]
    return names.index(name)


def has_no_dict(cls: Class) -> bool:
    """Tell whether the objects of a dataclass have no ``__dict__``, so that ``vars()`` fails."""
    return not _words(cls.node).isdisjoint({"slots", "__slots__"})


def _words(cls: ast.ClassDef) -> set[str]:
    parts = list(ast.walk(cls))
    return {
        getattr(part, "arg", None) or getattr(part, "attr", None) or getattr(part, "id", "")
        for part in parts
    }
