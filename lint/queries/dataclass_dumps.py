"""What ``dataclasses.asdict()`` makes a dict of: nobody holds its fields against their types."""

from __future__ import annotations

import ast

from ..model.arguments import callee_of
from ..model.evaluator import Evaluator
from ..model.fields import sets_by_name, writes_constructor
from ..model.values import Class, External, Made
from ..model.written import Written

_ASDICT = "dataclasses.asdict"
MADE_BY_ASDICT = Made(_ASDICT)
_OTHER_ORDER = frozenset({"kw_only", "KW_ONLY", "InitVar", "init"})


def copied_object(evaluator: Evaluator, at: Written, call: ast.Call) -> ast.expr | None:
    """Return what ``asdict(deal)`` copies; None for other calls, and with a factory for dicts."""
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return None
    found = [item.value for item in evaluator.values(at.module, call.func, at.frame)]
    return call.args[0] if found == [External(_ASDICT)] else None


def keeps_what_it_is_given(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a dataclass whose objects hold what its calls and defaults say."""
    decorators = [
        [item.value for item in evaluator.values(cls.module, callee_of(each))]
        for each in cls.node.decorator_list
    ]
    return (
        decorators == [[External("dataclasses.dataclass")]]
        and not cls.node.bases
        and not writes_constructor([cls])
        and not sets_by_name(cls.node)
    )


def position_of(cls: Class, name: str) -> int:
    """Return where a call of a dataclass gives a field without its name; -1 for nowhere plain."""
    if not _OTHER_ORDER.isdisjoint(_words(cls.node)):
        return -1
    names = [
        item.target.id
        for item in cls.node.body
        if isinstance(item, ast.AnnAssign)
        and isinstance(item.target, ast.Name)
        and "ClassVar" not in ast.unparse(item.annotation)
    ]
    return names.index(name)


def _words(cls: ast.ClassDef) -> set[str]:
    parts = list(ast.walk(cls))
    return {
        getattr(part, "arg", None) or getattr(part, "attr", None) or getattr(part, "id", "")
        for part in parts
    }
