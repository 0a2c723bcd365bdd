"""The keys of a dict and their values, as far as they are known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ...sdk.module_surface import modules
from ..calls.keyword_arguments import READERS
from ..evaluator import Evaluator
from ..flow.branches import may_run
from ..syntax.arguments import callee_of
from ..syntax.blocks import branches, sequels
from ..syntax.module import FUNCTIONS, Module, block_of, last_name
from ..values.attributes import class_chain, declared_fields
from ..values.models import is_model
from ..values.origins import Holder, Written, constants, instance_of, written
from ..values.values import Class, External, Made, Value, only_value
from .shortened import cut, replaced_above, shortened

_LISTING = frozenset({"dataclasses.asdict", "vars", "dict"})
LISTED = frozenset(Made(name) for name in _LISTING)
"""What ``asdict(deal)``, ``vars(deal)`` and ``dict(note)`` are worth."""
_PLAIN = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
_UNLIKE = (ast.IsNot, ast.NotEq, ast.NotIn)


def sources_of(node: ast.expr) -> list[ast.expr]:
    """Return ``row`` of ``{**row}``, ``dict(row)``, ``row | {…}`` and a comprehension of it."""
    if isinstance(node, ast.Dict):
        return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Call) and last_name(node.func) == "dict":
        return [*node.args, *(item.value for item in node.keywords if item.arg is None)]
    source = copied(node) if isinstance(node, ast.DictComp) else None
    return [source] if source is not None else []


def copied(node: ast.DictComp) -> ast.expr | None:
    """Return ``row`` of ``{k: v for k, v in row.items() if v is not None}``.

    A condition on keys or types may leave out anything; then None.
    """
    loop, made = node.generators[0], (node.key, node.value)
    call = loop.iter
    if len(node.generators) > 1 or not isinstance(loop.target, ast.Tuple):
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    names = [part.id for part in (*loop.target.elts, *made) if isinstance(part, ast.Name)]
    is_same = len(names) == 4 and names[:2] == names[2:] and call.func.attr == "items"
    return call.func.value if is_same and all(_asks(it, names[1]) for it in loop.ifs) else None


def _asks(test: ast.expr, name: str) -> bool:
    """Tell whether a test only checks that a value is not empty: ``v``, ``v not in (None, "")``."""
    if isinstance(test, ast.Compare):
        others = [part for it in test.comparators for part in ast.walk(it)]
        is_plain = all(isinstance(it, _PLAIN) for it in others)
        return is_plain and isinstance(test.ops[0], _UNLIKE) and _asks(test.left, name)
    return isinstance(test, ast.Name) and test.id == name


def listed_object(evaluator: Evaluator, at: Written) -> tuple[ast.expr | None, str]:
    """Return (object, function) of ``vars(deal)``, ``asdict(deal)`` or ``deal.__dict__``.

    The object is None for other calls, and if ``asdict`` gets a ``dict_factory``.
    """
    node = at.node
    if isinstance(node, ast.Attribute):
        return (node.value, "vars") if node.attr == "__dict__" else (None, "")
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None, ""
    callee = only_value(evaluator.values(at.module, node.func, at.frame))
    if not isinstance(callee, External) or isinstance(node.args[0], ast.Starred):
        return None, ""
    return (node.args[0], callee.name.rpartition(".")[2]) if callee.name in _LISTING else (None, "")


_REMOVING = frozenset({"pop", "popitem", "clear"})


def removed(
    evaluator: Evaluator, holder: Holder, name: ast.Name, at: Written, keys: set[str]
) -> set[str]:
    """Return the keys that ``del data[…]``, ``pop``, ``popitem`` or ``clear`` may take out.

    Args:
        evaluator: of the extension.
        holder: what holds the dict.
        name: a mention of it.
        at: the dict.
        keys: its keys, of which each may go if the removed one is not known.
    """
    parent = holder.module.parents.get(name)
    key: ast.expr | None = None
    if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Del):
        key = parent.slice
    elif isinstance(parent, ast.Attribute) and parent.attr in _REMOVING:
        call = holder.module.parents.get(parent)
        key = call.args[0] if isinstance(call, ast.Call) and call.args else None
    else:
        return set()
    here = Written(holder.module, name, at.frame)
    names = constants(evaluator, here, key) if key is not None else []
    return {name for name in names if isinstance(name, str)} or set(keys)


def comes_by(holder: Holder, name: ast.Name) -> bool:
    """Tell whether control can flow from a mention of a dict to its use.

    Not if the mention's branch ends in ``return``, or the use is in an exclusive branch.
    """
    child: ast.AST = name
    for parent in holder.module.ancestors(name):
        if parent is holder.scope:
            break
        block = block_of(parent, child) if isinstance(child, ast.stmt) else []
        if block and not _holds(block[0], block[-1], holder.use):
            if isinstance(block[-1], (ast.Return, ast.Raise)):
                return False
            if isinstance(parent, ast.If) and _holds(parent, parent, holder.use):
                return False
        child = parent
    return True


def _holds(first: ast.stmt, last: ast.stmt, node: ast.expr) -> bool:
    return first.lineno <= node.lineno <= (last.end_lineno or last.lineno)


_MOST_MERGES = 8


class Fields(msgspec.Struct, eq=False):
    """The known keys and values of a dict.

    Attributes:
        values: key → the expressions that may stand there.
        together: the keys that can be present at the same time.
        sure: the keys that are always present.
        dynamic: whether unknown keys may be present.
        unnamed: the values of such keys, as far as the code shows them.
    """

    values: dict[str, list[Written]] = {}
    together: set[str] = set()
    sure: set[str] = set()
    dynamic: bool = False
    unnamed: list[Written] = []

    def add(self, key: str, value: Written) -> None:
        """Set a key, replacing its value."""
        self.values[key] = [value]
        self.together.add(key)
        self.sure.add(key)

    def merge(self, other: Fields) -> None:
        """Update with another dict; keys that it always has replace older ones."""
        lasting = set[str]() if other.dynamic else other.sure
        for key, values in other.values.items():
            older = [] if key in lasting else self.values.get(key, [])
            self.values[key] = [*older, *values]
        self.together |= other.together
        self.sure |= lasting
        self.dynamic = self.dynamic or other.dynamic
        self.unnamed += other.unnamed

    def drop(self, keys: set[str]) -> None:
        """Remove keys."""
        for key in keys:
            self.values.pop(key, None)
        self.sure -= keys


def fields_of(evaluator: Evaluator, at: Written, depth: int = 0) -> Fields | None:
    """Return the fields of a dict; None if the expression is no dict that the code shows."""
    found = _written_fields(evaluator, at, depth)
    if found is None or depth > _MOST_MERGES:
        return found
    return filled_fields(evaluator, at, found, depth)


def filled_fields(evaluator: Evaluator, at: Written, found: Fields, depth: int = 0) -> Fields:
    """Return the fields of a dict after later changes; ``found`` are those of its display."""
    for holder in reversed(at.holders):
        _mutate(evaluator, at, holder, found, depth)
    return found


def _written_fields(evaluator: Evaluator, at: Written, depth: int) -> Fields | None:
    node = at.node
    if isinstance(node, ast.Dict):
        return _display(evaluator, at, node, depth)
    if isinstance(node, ast.DictComp):
        return _copied(evaluator, at, node, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(evaluator, at, node, depth)
    if isinstance(node, ast.Call):
        return _made(evaluator, at, node, depth)
    return _listed(evaluator, at) if isinstance(node, ast.Attribute) else None


def _copied(evaluator: Evaluator, at: Written, node: ast.DictComp, depth: int) -> Fields:
    source = copied(node)
    if source is None:
        return Fields(dynamic=True, unnamed=[at.part(node.value)])
    found = Fields()
    _spread(evaluator, at, source, found, depth)
    if node.generators[0].ifs:
        found.together, found.sure = set(), set()
    return found


def _display(evaluator: Evaluator, at: Written, node: ast.Dict, depth: int) -> Fields:
    found = Fields()
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            _spread(evaluator, at, value, found, depth)
            continue
        names = constants(evaluator, at, key)
        if len(names) == 1 and isinstance(names[0], str):
            found.add(names[0], at.part(value))
        else:
            found.dynamic = True
            found.unnamed.append(at.part(value))
    return found


def _spread(evaluator: Evaluator, at: Written, value: ast.expr, found: Fields, depth: int) -> None:
    """Merge ``**value``."""
    places = written(evaluator, at.module, value, at.frame) if depth <= _MOST_MERGES else []
    inner = _one_of([fields_of(evaluator, item, depth + 1) for item in places])
    if inner is None:
        found.dynamic = True
    else:
        found.merge(inner)


def _one_of(shapes: list[Fields | None]) -> Fields | None:
    """Join the fields of alternative dicts; None if all are unknown."""
    known = [shape for shape in shapes if shape is not None]
    if len(shapes) == 1 or not known:
        return shapes[0] if shapes else None
    found = Fields(dynamic=len(known) < len(shapes) or any(shape.dynamic for shape in known))
    for shape in known:
        for key, values in shape.values.items():
            found.values[key] = [*found.values.get(key, []), *values]
    found.together = max((shape.together for shape in known), key=len)
    found.sure = set[str].intersection(*(shape.sure for shape in known))
    return found


def _union(evaluator: Evaluator, at: Written, node: ast.BinOp, depth: int) -> Fields | None:
    found = Fields()
    _spread(evaluator, at, node.left, found, depth)
    if found.dynamic and not found.values:
        return None
    _spread(evaluator, at, node.right, found, depth)
    return found


def _made(evaluator: Evaluator, at: Written, node: ast.Call, depth: int) -> Fields | None:
    """``dict(a=1)``, ``model.model_dump()`` and ``asdict(deal)``."""
    listed = _listed(evaluator, at)
    if listed is not None:
        return listed
    if isinstance(node.func, ast.Name):
        values = evaluator.values(at.module, node.func, at.frame)
        if any(item.value != External("dict") for item in values):
            return None
        return _arguments(evaluator, at, node, depth)
    if isinstance(node.func, ast.Attribute) and node.func.attr in {"model_dump", "dict"}:
        is_plain = not node.args and all(item.arg == "mode" for item in node.keywords)
        return _dumped(evaluator, at, node.func.value) if is_plain else None
    return None


def _listed(evaluator: Evaluator, at: Written) -> Fields | None:
    node, by = listed_object(evaluator, at)
    cls = instance_of(evaluator, at, node) if node is not None else None
    if node is None or cls is None:
        return None
    decorators = map(last_name, map(callee_of, cls.node.decorator_list))
    has_fields = by != "dict" and "dataclass" in decorators
    return _dumped(evaluator, at, node) if has_fields or is_model(evaluator, cls) else None


def _arguments(evaluator: Evaluator, at: Written, node: ast.Call, depth: int) -> Fields:
    """``dict(…)`` and ``….update(…)``: mappings, then keywords."""
    found = Fields()
    for item in node.args:
        _spread(evaluator, at, item, found, depth)
    for item in node.keywords:
        if item.arg is None:
            _spread(evaluator, at, item.value, found, depth)
        else:
            found.add(item.arg, at.part(item.value))
    return found


def _dumped(evaluator: Evaluator, at: Written, node: ast.expr) -> Fields | None:
    cls = instance_of(evaluator, at, node)
    if cls is None:
        return None
    found = Fields()
    for base in evaluator.bases(cls):
        for name in _fields_of_sdk(evaluator, base):
            found.add(name, Written(cls.module, cls.node.bases[0]))
        found.dynamic = found.dynamic or not (isinstance(base, Class) or _is_base_model(base))
    for owner in reversed([*class_chain(evaluator, cls)]):  # what is inherited is dumped first
        for name, item in declared_fields(owner.node):
            found.add(name, Written(owner.module, item.annotation))
        found.dynamic = found.dynamic or _adds_fields(owner.node)
    return found if found.values else None


def _fields_of_sdk(evaluator: Evaluator, base: Value) -> list[str]:
    """Return the fields of a model of the SDK, those first that it needs."""
    known = modules(evaluator.surface.version)
    model = known.named(base.name) if isinstance(base, External) else None
    spec = model.signature if model is not None and model.is_model else None
    return sorted(spec.names, key=lambda name: name not in spec.required) if spec else []


def _adds_fields(node: ast.ClassDef) -> bool:
    """Tell whether methods of a model may change what ``model_dump`` returns."""
    methods = (item for item in node.body if isinstance(item, FUNCTIONS))
    return any(
        last_name(callee_of(item)) in {"computed_field", "model_serializer", "model_validator"}
        for method in methods
        for item in getattr(method, "decorator_list", [])
    )


def _is_base_model(base: Value) -> bool:
    return isinstance(base, External) and base.name.endswith("BaseModel")


# ---- what happens to the dict between its display and its use --------------------------------


def _mutate(evaluator: Evaluator, at: Written, holder: Holder, found: Fields, depth: int) -> None:
    written_by: dict[ast.stmt, set[str]] = {}
    for name in holder.mentions(evaluator):
        statement = holder.module.statement(name)
        if statement is None or not may_run(evaluator, holder.module, name, at.frame):
            continue
        change = _change(evaluator, holder, name, depth, at)
        if change is None:
            found.values.update(shortened(evaluator, holder, name, found.values))
            continue
        if comes_by(holder, name):
            found.drop(removed(evaluator, holder, name, at, set(found.values)))
        _take(
            found,
            change,
            replaced_above(evaluator, holder, statement),
            is_final=_always_follows(holder, name, statement),
        )
        written_by.setdefault(statement, set()).update(change.together)
    for name in _written_inside(evaluator, holder):
        found.dynamic = True
        found.drop(_replaced_inside(evaluator, holder, name, at, set(found.values)))
    body = getattr(holder.scope, "body", [])
    if written_by and isinstance(body, list):
        found.together |= _together(body, written_by)  # pyright: ignore[reportUnknownArgumentType]
    for name in holder.mentions(evaluator):
        gone = removed(evaluator, holder, name, at, found.together)
        found.together -= gone
        found.sure -= gone


def _take(found: Fields, change: Fields, limit: int | None, *, is_final: bool) -> None:
    """Merge later writes; older values stay unless a write certainly replaces them."""
    for key, values in change.values.items():
        older = [] if is_final and key in change.sure else found.values.get(key, [])
        if limit is not None:
            older = [cut(value, limit) for value in older]
        found.values[key] = [*older, *values]
    found.sure |= change.sure if is_final else set()
    found.dynamic = found.dynamic or change.dynamic
    found.unnamed += change.unnamed


def _always_follows(holder: Holder, name: ast.Name, statement: ast.stmt) -> bool:
    """Tell whether a write to a dict always runs: it stands in the block that made the dict."""
    parents = holder.module.parents
    target = parents.get(name)
    if isinstance(statement, ast.Expr):
        is_update = isinstance(target, ast.Attribute) and target.attr == "update"
        is_set = is_update and target is getattr(statement.value, "func", None)
    else:
        is_set = isinstance(statement, ast.Assign) and target in statement.targets
    return is_set and holder.binding.node in block_of(parents[statement], statement)


def _change(
    evaluator: Evaluator, holder: Holder, name: ast.Name, depth: int, at: Written
) -> Fields | None:
    parent = holder.module.parents.get(name)
    here = Written(holder.module, name, at.frame)
    if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, (ast.Store, ast.Del)):
        return _item_change(evaluator, here, parent)
    call = holder.module.parents.get(parent) if isinstance(parent, ast.Attribute) else None
    if isinstance(call, ast.Call) and isinstance(parent, ast.Attribute) and call.func is parent:
        return _method_change(evaluator, here, parent.attr, call, depth)
    return Fields(dynamic=True) if escapes(holder.module, name) else None


def escapes(module: Module, name: ast.Name) -> bool:
    """Tell whether a dict is passed to other code here, which may write into it."""
    parent = module.parents.get(name)
    if isinstance(parent, ast.keyword):
        parent = module.parents.get(parent)
    if isinstance(parent, ast.Call):
        return parent.func is not name and last_name(parent.func) not in READERS
    return isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr))


def is_shared(evaluator: Evaluator, holder: Holder) -> bool:
    """Tell whether a function inside the holder's scope may write into the dict."""
    return any(True for _ in _written_inside(evaluator, holder))


def _written_inside(evaluator: Evaluator, holder: Holder) -> Iterator[ast.Name]:
    """Yield where functions inside the holder's scope may write into the dict."""
    return (node for node in holder.inside(evaluator) if _may_write(holder.module, node))


def _replaced_inside(
    evaluator: Evaluator, holder: Holder, name: ast.Name, at: Written, keys: set[str]
) -> set[str]:
    """Return the keys that a nested function may replace or remove before the use."""
    change = _change(evaluator, holder, name, 0, at)
    if change is None or change.unnamed:
        return keys if change else set()
    return removed(evaluator, holder, name, at, keys) | set(change.values)


def _may_write(module: Module, name: ast.Name) -> bool:
    parent = module.parents.get(name)
    if isinstance(parent, ast.Subscript):
        return not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Attribute):
        return parent.attr in {"update", "setdefault", "pop", "popitem", "clear"}
    return isinstance(name.ctx, ast.Store) or escapes(module, name)


def _item_change(evaluator: Evaluator, here: Written, target: ast.Subscript) -> Fields:
    names = constants(evaluator, here, target.slice)
    known = [name for name in names if isinstance(name, str)]
    parent = here.module.parents.get(target)
    value = parent.value if isinstance(parent, ast.Assign) else None
    if not known or len(known) != len(names) or isinstance(target.ctx, ast.Del):
        is_set = not isinstance(target.ctx, ast.Del)
        return Fields(dynamic=True, unnamed=[here.part(value or target)] if is_set else [])
    found = Fields()
    for name in known:
        found.add(name, here.part(value or target))
    if len(known) > 1 and not _is_walked(evaluator, here, target):  # one of them
        found.together, found.sure = set(known[:1]), set()
    return found


def _is_walked(evaluator: Evaluator, here: Written, target: ast.Subscript) -> bool:
    """``for name in ("a", "b"): found[name] = …``: each of the keys gets a value."""
    statement = here.module.statement(target)
    loop = here.module.parents.get(statement) if statement is not None else None
    if not isinstance(loop, ast.For) or statement not in loop.body:
        return False
    is_key = last_name(loop.target) == last_name(target.slice) != ""
    leaves = (isinstance(part, (ast.Break, ast.Continue, ast.Return)) for part in ast.walk(loop))
    walked = only_value(evaluator.values(here.module, loop.iter)) if is_key else None
    return walked is not None and not any(leaves)


def _method_change(
    evaluator: Evaluator, here: Written, method: str, call: ast.Call, depth: int
) -> Fields | None:
    if method == "update":
        return _arguments(evaluator, here, call, depth + 1)
    if method == "setdefault" and call.args:
        names = constants(evaluator, here, call.args[0])
        found = Fields(dynamic=not names)
        for name in names[:1]:
            if isinstance(name, str):
                found.add(name, here.part(call.args[-1]))
        return found
    return Fields(dynamic=True) if method in {"pop", "popitem", "clear"} else None


def _together(statements: list[ast.stmt], written_by: dict[ast.stmt, set[str]]) -> set[str]:
    """Return the keys that one run may write at most: of exclusive branches the largest set."""
    found: set[str] = set()
    for statement in statements:
        found |= written_by.get(statement, set())
        groups = [_together(block, written_by) for block in branches(statement)]
        found |= max(groups, key=len, default=set[str]())
        for block in sequels(statement):
            found |= _together(block, written_by)
    return found
