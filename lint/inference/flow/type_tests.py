"""What ``isinstance``, ``hasattr`` and the like prove about a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...sdk.surface import DATACLASSES, MODELS
from ..evaluator import Evaluator
from ..syntax.arguments import callee_of
from ..syntax.bindings import Binding
from ..syntax.memo import remembered
from ..syntax.module import COMPREHENSIONS, Module, last_name
from ..values.attributes import class_chain
from ..values.classes import is_abstract, is_base_model, is_special
from ..values.standard_types import StandardType, standard_class, standard_type
from ..values.tuples_and_enums import is_member
from ..values.values import (
    Class,
    Display,
    EnumMember,
    External,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
    SdkMethod,
    Value,
    only_value,
)
from .conditions import conditions
from .predicate_helpers import kept_answer

NameTest = tuple[ast.expr, bool, list[Binding]]
"""A test, whether it is true, and the bindings of the name that it looked at."""


@remembered
def tests_of(evaluator: Evaluator, module: Module, name: ast.Name) -> list[NameTest]:
    """Return the decided tests of a name at one use.

    A test is about the bindings that reach the test, not about later ones.
    """

    def spoken(part: ast.expr) -> list[ast.Name]:
        return list(_spoken_of(evaluator, module, kept_answer(evaluator, module, part)))

    found: list[NameTest] = []
    for part, truth in conditions(module, name, spoken=spoken):
        test = kept_answer(evaluator, module, part)
        for subject in _spoken_of(evaluator, module, test):
            if subject.id == name.id and subject in module.parents:
                found.append((test, truth, evaluator.project.lookup(module, subject)[1]))
                break
    return found


def _spoken_of(evaluator: Evaluator, module: Module, test: ast.expr) -> Iterator[ast.Name]:
    """Yield the names that a test is about, also ``rows`` for ``more = len(rows) - 5``."""
    yield from _subjects(test)
    for part in (test.left, *test.comparators) if isinstance(test, ast.Compare) else ():
        kept = kept_answer(evaluator, module, part)
        if kept is not part:
            yield from _subjects(kept)


def _subjects(test: ast.AST) -> Iterator[ast.Name]:
    """Yield the names that a test is about."""
    if isinstance(test, ast.Name):
        yield test
    for part in _parts(test):
        yield from _subjects(part)


def _parts(test: ast.AST) -> list[ast.expr]:
    if isinstance(test, ast.Call):
        owner = [test.func.value] if isinstance(test.func, ast.Attribute) else []
        return [*test.args, *owner]
    if isinstance(test, ast.NamedExpr):
        return [test.target, test.value]
    if isinstance(test, ast.Compare):
        return [test.left, *test.comparators]
    if isinstance(test, ast.BinOp):
        return [test.left, test.right]
    if isinstance(test, COMPREHENSIONS):
        return [test.generators[0].iter]
    if isinstance(test, ast.Subscript):
        return [test.value]
    return [test.operand] if isinstance(test, ast.UnaryOp) else []


_QUESTIONS = {
    "callable": External("collections.abc.Callable"),
    "inspect.isawaitable": External("collections.abc.Awaitable"),
    "inspect.iscoroutine": External("types.CoroutineType"),
    "asyncio.iscoroutine": External("types.CoroutineType"),
}
"""Functions that ask for one class."""
_ASKS_FOR_FIELDS = External("dataclasses.is_dataclass")
_BARE = frozenset({"object", "typing.Generic"})
"""What a class may extend that answers for no others."""
_MODEL = External("pydantic.BaseModel")
_OF_MODELS = frozenset(
    {"model_dump", "model_dump_json", "model_copy", "model_fields", "dict", "json", "copy"}
)
"""What each pydantic model has."""
_SEVERAL = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.BinOp)
_CALLED = (Function, Class, SdkClass, SdkMethod)


def is_instance(
    evaluator: Evaluator, module: Module, types: ast.expr, value: Value, *, exact: bool = False
) -> bool | None:
    """Return the result of ``isinstance(value, types)``; None if unknown.

    Args:
        evaluator: of the extension.
        module: the file of the test.
        types: the second argument.
        value: the first argument.
        exact: whether classes that extend one of the types do not count.
    """
    answers = {
        _is_of(evaluator, wanted, value) and not (exact and _extends(value, wanted))
        for wanted in _types(evaluator, module, types)
    }
    return True if True in answers else None if None in answers else False


def answered(evaluator: Evaluator, module: Module, call: ast.Call, value: Value) -> bool | None:
    """Return the result of ``callable(x)`` or ``inspect.isawaitable(x)``; None if unknown."""
    asked = only_value(evaluator.values(module, call.func))
    if asked == _ASKS_FOR_FIELDS:
        return _is_dataclass(evaluator, value)
    wanted = _QUESTIONS.get(asked.name) if isinstance(asked, External) else None
    if wanted is _QUESTIONS["callable"] and isinstance(value, _CALLED):
        return True
    return _is_of(evaluator, wanted, value) if wanted is not None else None


def _is_dataclass(evaluator: Evaluator, value: Value) -> bool | None:
    if isinstance(value, Sdk):
        return True if value.cls in DATACLASSES else False if value.cls in MODELS else None
    if isinstance(value, Instance):
        decorators = (
            it for cls in class_chain(evaluator, value.cls) for it in cls.node.decorator_list
        )
        return True if any(last_name(callee_of(it)) == "dataclass" for it in decorators) else None
    known = standard_type(value)
    return False if known is not None and known.exact else None


def has_attribute(evaluator: Evaluator, attribute: ast.expr, value: Value) -> bool:
    """Tell whether ``hasattr(x, "name")`` certainly is true of a value."""
    name = str(attribute.value) if isinstance(attribute, ast.Constant) else ""
    if isinstance(value, Sdk):
        is_of_model = value.cls in MODELS and name in _OF_MODELS
        return is_of_model or evaluator.surface.member(value.cls, name) is not None
    if name in {"value", "name"} and is_member(evaluator, value):
        return True
    if isinstance(value, Instance):
        return _is_defined(evaluator, value.cls, name)
    known = standard_type(value)
    return known is not None and hasattr(known.cls, name)


def _is_defined(evaluator: Evaluator, cls: Class, name: str) -> bool:
    """Tell whether a class, a base or pydantic's BaseModel has a method of that name."""
    if name in _OF_MODELS and _is_of_tree(evaluator, cls, _MODEL):
        return True
    return any(
        isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.name == name
        for owner in class_chain(evaluator, cls)
        for item in owner.node.body
    )


def _types(evaluator: Evaluator, module: Module, node: ast.expr) -> Iterator[Value | None]:
    """Yield the types of ``str``, ``(str, bytes)``, ``str | bytes``, or of a variable of them.

    For a table its keys, or the types in its rows.
    """
    if isinstance(node, _SEVERAL):
        for part in _tested_parts(node):
            yield from _types(evaluator, module, part)
        return
    wanted = only_value(evaluator.values(module, node))
    if isinstance(wanted, Display) and isinstance(wanted.node, _SEVERAL):
        yield from _types(evaluator, wanted.module, wanted.node)
    else:  # ``isinstance(x, cls)`` in a classmethod names an instance of the class
        yield wanted.cls if isinstance(wanted, Instance) else wanted


def _tested_parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else []


def _is_of(evaluator: Evaluator, wanted: Value | None, value: Value) -> bool | None:
    if isinstance(wanted, Class) and not _is_plain(evaluator, wanted):
        return (
            None if not isinstance(value, (Instance, EnumMember)) or value.cls != wanted else True
        )
    if isinstance(value, Sdk):
        return _is_of_sdk(value, wanted)
    told = _is_member_of(evaluator, value, wanted)
    if told is None and isinstance(value, Instance):
        return _is_of_tree(evaluator, value.cls, wanted)
    return _is_other(value, wanted) if told is None else told


def _extends(value: Value, wanted: Value | None) -> bool:
    """Tell whether the value's class certainly is, or extends, the wanted one."""
    if isinstance(value, (Instance, EnumMember)):
        return not isinstance(wanted, Class) or wanted.node is not value.cls.node
    if isinstance(value, Sdk):
        return not isinstance(wanted, SdkClass)
    own = standard_type(value)
    cls = standard_class(wanted.name) if isinstance(wanted, External) else None
    return own is not None and cls is not None and own.cls is not cls


def _is_plain(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether ``isinstance`` follows inheritance alone.

    Protocols, abstract classes and metaclasses may accept other objects.
    """
    own = any(
        item.arg in {"metaclass", None}
        for it in class_chain(evaluator, cls)
        for item in it.node.keywords
    )
    return not own and all(
        isinstance(base, (Class, SdkClass))
        or (isinstance(base, External) and (base.name in _BARE or not _is_open(base.name)))
        for base in (evaluator.bases(cls) if cls.node.bases else ())
    )


def _is_open(name: str) -> bool:
    return is_abstract(name) or name.startswith("abc.")


def _is_of_sdk(value: Sdk, wanted: Value | None) -> bool | None:
    """``is_instance`` for an object of the SDK."""
    if isinstance(wanted, SdkClass):
        return wanted.cls == value.cls
    if not isinstance(wanted, External):
        return False if isinstance(wanted, Class) else None
    if is_base_model(wanted.name):
        return value.cls in MODELS
    return None if is_abstract(wanted.name) else False


def _is_other(value: Value, wanted: Value | None) -> bool | None:
    """``is_instance`` for values that are neither SDK objects nor Enum members: not that class."""
    if isinstance(value, Made) and isinstance(wanted, External) and value.of == wanted.name:
        return True
    own = standard_type(value)
    return _is_standard(own, wanted) if own is not None else None


def _is_of_tree(evaluator: Evaluator, own: Class, wanted: Value | None) -> bool | None:
    """``is_instance`` for an object of a class of the extension or of a subclass."""
    bases = list(evaluator.bases(own)) if own.node.bases else []
    if wanted == own or (wanted in bases and type(wanted) is not Value):
        return True
    cls = standard_class(wanted.name) if isinstance(wanted, External) else None
    if cls is None:
        return None
    outer = {base.name: standard_class(base.name) for base in bases if isinstance(base, External)}
    if any(base is not None and issubclass(base, cls) for base in outer.values()):
        return True
    is_known = all(isinstance(base, (External, Class, SdkClass)) for base in bases) and all(
        base is not None or is_special(name) or is_abstract(name) for name, base in outer.items()
    )
    return False if is_known and _is_builtin(wanted) else None


def _is_standard(own: StandardType, wanted: Value | None) -> bool | None:
    if isinstance(wanted, (Class, SdkClass)):
        return False if own.exact else None
    if not isinstance(wanted, External):
        return None
    cls = standard_class(wanted.name)
    if cls is not None:
        return own.is_of(cls)
    return False if is_special(wanted.name) and not own.may_be_mixed else None


def _is_member_of(evaluator: Evaluator, value: Value, wanted: Value | None) -> bool | None:
    """``is_instance`` for ``Colour.RED``."""
    if not isinstance(value, (EnumMember, Instance)) or not is_member(evaluator, value):
        return None
    if isinstance(wanted, Class):
        own = value.cls.node
        return True if wanted.node is own else None
    if isinstance(wanted, External) and wanted.name.startswith("enum."):
        return True
    return False if _is_builtin(wanted) and isinstance(value, EnumMember) else None


def _is_builtin(wanted: Value | None) -> bool:
    """Tell whether a class is ``str`` or another one that ``object`` is not an instance of."""
    return isinstance(wanted, External) and wanted.name in _BUILTIN


_BUILTIN = frozenset({"dict", "list", "str", "int", "float", "bool", "tuple", "set", "bytes"})
