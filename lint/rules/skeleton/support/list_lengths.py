"""How long a list can be."""

from __future__ import annotations

import ast

from ....inference.containers.dicts import fields_of
from ....inference.evaluator import Evaluator
from ....inference.flow.conditions import split
from ....inference.flow.length_tests import limited, number, tested_length
from ....inference.syntax.arguments import argument_at
from ....inference.syntax.blocks import branches, sequels
from ....inference.syntax.memo import remembered
from ....inference.syntax.module import Module, last_name
from ....inference.values.known_calls import COLLECTING
from ....inference.values.origins import Holder, Written, written
from ....inference.values.values import Const, Display, External, Frame, SdkField

_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def kept_rounds(evaluator: Evaluator, at: Written, generator: ast.comprehension) -> int | None:
    """Return 5 for ``for i, row in enumerate(page) if i < 5``; None if no condition limits it.

    Args:
        evaluator: of the extension.
        at: the comprehension.
        generator: one of its loops.
    """
    call, target = generator.iter, generator.target
    if not isinstance(call, ast.Call) or last_name(call.func) != "enumerate":
        return None
    if not isinstance(target, ast.Tuple) or not isinstance(target.elts[0], ast.Name):
        return None
    given = argument_at(call, "start", 1)
    start = 0 if given is None else number(evaluator, at, given)
    if start is None:
        return None
    limits = [
        _limit(evaluator, at, part, target.elts[0].id)
        for test in generator.ifs
        for part, truth in split(test, truth=True)
        if truth
    ]
    return min((max(it - start, 0) for it in limits if it is not None), default=None)


def _limit(evaluator: Evaluator, at: Written, test: ast.expr, name: str) -> int | None:
    """Return the number below which a test keeps the index."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, right, kind = test.left, test.comparators[0], type(test.ops[0])
    if kind in _TURNED:
        left, right, kind = right, left, _TURNED[kind]
    if not isinstance(left, ast.Name) or left.id != name or kind not in {ast.Lt, ast.LtE}:
        return None
    most = number(evaluator, at, right)
    return None if most is None else most + (kind is ast.LtE)


_DEEPEST = 8
_DISPLAYS = (
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.Dict,
    ast.DictComp,
    ast.JoinedStr,
)
_SAME_LENGTH = frozenset(
    {"sorted", "list", "tuple", "set", "frozenset", "reversed", "enumerate", "filter"}
)


def longest(evaluator: Evaluator, at: Written, depth: int = 0) -> float | None:
    """Return the most entries that a list can have.

    Returns ``UNLIMITED`` if nothing limits it, and None if the expression is not known to be a
    list or its length depends on what the code does not show.
    """
    own = _own(evaluator, at, depth)
    if own is None or depth > _DEEPEST:
        return None
    if _keeps_last(evaluator, at):
        return own
    for holder in at.holders:
        added = _added(evaluator, at, holder, depth)
        if added is None:
            return None
        own += added
        if own:
            own = _tested(evaluator, at, holder, depth, own)
    return own


def _keeps_last(evaluator: Evaluator, at: Written) -> bool:
    """``deque(maxlen=5)`` drops its first entry for each one added."""
    return isinstance(at.node, ast.Call) and _maxlen(evaluator, at, at.node) is not None


def _maxlen(evaluator: Evaluator, at: Written, node: ast.Call) -> int | None:
    if last_name(node.func) != "deque" or _builtin(evaluator, at, node) != "collections.deque":
        return None
    return number(evaluator, at, argument_at(node, "maxlen", 1))


def _tested(evaluator: Evaluator, at: Written, holder: Holder, depth: int, most: float) -> float:
    """Return the most entries of a list by a test of its length, plus what is added later."""
    limit, test = tested_length(evaluator, holder)
    if test is None or limit >= most:
        return most
    later = _added(evaluator, at, holder, depth, test)
    return most if later is None else min(most, limit + later)


def _own(evaluator: Evaluator, at: Written, depth: int) -> float | None:
    node = at.node
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return _display(evaluator, at, node, depth)
    if isinstance(node, (ast.ListComp, ast.SetComp)):
        return _comprehension(evaluator, at, node, depth)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _slice(evaluator, at, node, node.slice, depth)
    if isinstance(node, ast.Call):
        return _call(evaluator, at, node, depth)
    if isinstance(node, ast.BinOp):
        return _combined(evaluator, at, node, depth)
    return None


def _combined(evaluator: Evaluator, at: Written, node: ast.BinOp, depth: int) -> float | None:
    """``first + second`` and ``["x"] * 6``, where one side is a list: other sums are numbers."""
    if _is_text(evaluator, at, node.left) or _is_text(evaluator, at, node.right):
        return None
    left, right = (_listed(evaluator, at, side, depth) for side in (node.left, node.right))
    if isinstance(node.op, ast.Add) and (left is not None or right is not None):
        left = iterable(evaluator, at, node.left, depth + 1) if left is None else left
        right = iterable(evaluator, at, node.right, depth + 1) if right is None else right
        return None if left is None or right is None else left + right
    if isinstance(node.op, ast.Mult) and left is not None:
        times = number(evaluator, at, node.right)
        return None if times is None else _product(left, max(times, 0))
    return None


def _listed(evaluator: Evaluator, at: Written, node: ast.expr, depth: int) -> float | None:
    """Return the most entries over all origins of a value; None if one may be no list."""
    places = written(evaluator, at.module, node, at.frame)
    if places and all(_is_page_data(evaluator, place) for place in places):
        return _most_rounds(evaluator, places, depth + 1)
    found = [longest(evaluator, place, depth + 1) for place in places]
    known = [each for each in found if each is not None]
    return max(known) if known and len(known) == len(found) else None


def _is_page_data(evaluator: Evaluator, at: Written) -> bool:
    """``(await ctx.store.query("c")).data``, which the SDK makes a list."""
    found = [item.value for item in evaluator.values(at.module, at.node, at.frame)]
    return bool(found) and all(
        isinstance(value, SdkField) and (value.owner.cls, value.name) == ("Page", "data")
        for value in found
    )


def _is_text(evaluator: Evaluator, at: Written, node: ast.expr) -> bool:
    found = [item.value for item in evaluator.values(at.module, node, at.frame)]
    return any(
        (isinstance(value, Const) and isinstance(value.value, str))
        or (isinstance(value, Display) and isinstance(value.node, ast.JoinedStr))
        for value in found
    )


def _display(
    evaluator: Evaluator, at: Written, node: ast.List | ast.Tuple | ast.Set, depth: int
) -> float | None:
    total = 0.0
    for item in node.elts:
        if not isinstance(item, ast.Starred):
            total += 1
            continue
        inner = iterable(evaluator, at, item.value, depth + 1)
        if inner is None:
            return None
        total += inner
    return total


def _comprehension(
    evaluator: Evaluator, at: Written, node: ast.ListComp | ast.SetComp, depth: int
) -> float | None:
    total = 1.0
    for generator in node.generators:
        inner = iterable(evaluator, at, generator.iter, depth + 1)
        kept = kept_rounds(evaluator, at, generator)
        if kept is not None:
            inner = kept if inner is None else min(kept, inner)
        if inner is None:
            return None
        total = _product(total, inner)
    return total


def _slice(
    evaluator: Evaluator, at: Written, node: ast.Subscript, cut: ast.Slice, depth: int
) -> float | None:
    """``x[:5]`` and ``x[-5:]``, of strings too."""
    lower = number(evaluator, at, cut.lower)
    upper = number(evaluator, at, cut.upper)
    if cut.upper is None and lower is not None and lower < 0:
        most = -lower
    elif upper is not None and upper >= 0 and (cut.lower is None or lower is not None):
        most = max(upper - max(lower or 0, 0), 0)
    else:
        return None
    if not any(_is_list(item) for item in written(evaluator, at.module, node.value, at.frame)):
        return None
    base = iterable(evaluator, at, node.value, depth + 1)
    return most if base is None else min(most, base)


def _is_list(at: Written) -> bool:
    node = at.node
    if isinstance(node, (ast.List, ast.Tuple, ast.ListComp)):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {"sorted", "list"}
    return _default(node) is not None


def _default(node: ast.expr) -> ast.List | None:
    """Return the default list of ``x.get("key", [])``, which shows that the value is a list."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"get", "pop"}
        and len(node.args) == 2
        and isinstance(node.args[1], ast.List)
    ):
        return node.args[1]
    return None


def _call(evaluator: Evaluator, at: Written, node: ast.Call, depth: int) -> float | None:
    name = _builtin(evaluator, at, node)
    if name in COLLECTING:
        return iterable(evaluator, at, node.args[0], depth + 1) if node.args else 0
    if _default(node) is not None:
        return limited(evaluator, at, node)
    if name == "collections.deque":
        return _maxlen(evaluator, at, node)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "most_common":
        return number(evaluator, at, node.args[0]) if node.args else None
    return None


def _builtin(evaluator: Evaluator, at: Written, node: ast.Call) -> str:
    for item in evaluator.values(at.module, node.func, at.frame):
        if isinstance(item.value, External):
            return item.value.name
    return ""


def bound(evaluator: Evaluator, places: list[Written]) -> float | None:
    """Return the most entries of a value over all its origins.

    None if it may be no list, or if its length depends on unknown values.
    """
    if all(longest(evaluator, item) is None for item in places):
        return None
    return _most_rounds(evaluator, places, 0)


def _product(left: float, right: float) -> float:
    return left * right if left and right else 0


# ---- what a loop runs over -------------------------------------------------------------------


def iterable(evaluator: Evaluator, at: Written, node: ast.expr, depth: int = 0) -> float | None:
    """Return the most iterations of a loop over an expression; None if unknown."""
    if depth > _DEEPEST:
        return None
    return _most_of(evaluator, at.module, node, at.frame, depth)


@remembered
def _most_of(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None, depth: int
) -> float | None:
    return _most_rounds(evaluator, written(evaluator, module, node, frame), depth)


def _most_rounds(evaluator: Evaluator, places: list[Written], depth: int) -> float | None:
    most = 0.0
    for item in places:
        found = _rounds(evaluator, item, depth)
        if found is None:
            return None
        most = max(most, found)
    return most


def _rounds(evaluator: Evaluator, at: Written, depth: int) -> float | None:
    known = longest(evaluator, at, depth + 1)
    if known is not None:
        return known
    node = at.node
    if isinstance(node, ast.Call):
        special = _rounds_of_call(evaluator, at, node, depth)
        if special is not None:
            return None if special < 0 else special
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _cut(evaluator, at, node.slice)
    if isinstance(node, ast.Constant):
        return 0 if node.value is None else None
    fields = fields_of(evaluator, at)
    if fields is not None:
        return None if fields.dynamic else len(fields.together)
    return None if isinstance(node, _DISPLAYS) else limited(evaluator, at, node)


def _cut(evaluator: Evaluator, at: Written, cut: ast.Slice) -> float | None:
    upper = number(evaluator, at, cut.upper)
    return upper if upper is not None and upper >= 0 else None


def _rounds_of_call(evaluator: Evaluator, at: Written, node: ast.Call, depth: int) -> float | None:
    """Return the iterations over a call's result; -1 if unknown, None if no known builtin."""
    name = _builtin(evaluator, at, node)
    if name == "range":
        numbers = [number(evaluator, at, item) for item in node.args]
        return (
            numbers[-1 if len(numbers) < 2 else 1]
            if all(item is not None for item in numbers)
            else -1
        )
    if name in _SAME_LENGTH and node.args:
        found = iterable(evaluator, at, node.args[-1 if name == "filter" else 0], depth + 1)
        return -1 if found is None else found
    if name.endswith(("islice", "nlargest", "nsmallest", "zip")):
        numbers = [number(evaluator, at, item) for item in node.args]
        return min((item for item in numbers if item is not None), default=-1)
    if isinstance(node.func, ast.Attribute) and node.func.attr in {
        "items",
        "keys",
        "values",
        "split",
    }:
        return -1
    return None


# ---- what happens to the list between its display and its use --------------------------------


def _added(
    evaluator: Evaluator, at: Written, holder: Holder, depth: int, after: ast.expr | None = None
) -> float | None:
    """Return how many entries are added to the list that a name holds; None if unknown."""
    counts: dict[ast.stmt, float] = {}
    for name in holder.mentions(evaluator):
        if after is not None and (name.lineno, name.col_offset) < (after.lineno, after.col_offset):
            continue
        added = _change(evaluator, at, holder, name, depth)
        statement = holder.module.statement(name)
        if added is None or statement is None:
            return None
        counts[statement] = counts.get(statement, 0) + added
    if any(_grows_in_place(node, holder) for node in holder.module.nodes(ast.AugAssign)):
        return None
    body = getattr(holder.scope, "body", [])
    return _sum(body, counts) if counts and isinstance(body, list) else 0  # pyright: ignore[reportUnknownArgumentType]


def _sum(statements: list[ast.stmt], counts: dict[ast.stmt, float]) -> float:
    """Add up what one run may add; of exclusive branches the largest count."""
    total = 0.0
    for statement in statements:
        total += counts.get(statement, 0)
        total += max((_sum(block, counts) for block in branches(statement)), default=0)
        total += sum(_sum(block, counts) for block in sequels(statement))
    return total


def _grows_in_place(node: ast.AugAssign, holder: Holder) -> bool:
    return (
        isinstance(node.target, ast.Name)
        and node.target.id == holder.use.id
        and holder.module.owner(node) is holder.scope
    )


def _change(
    evaluator: Evaluator, at: Written, holder: Holder, name: ast.Name, depth: int
) -> float | None:
    parent = holder.module.parents.get(name)
    if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, (ast.Store, ast.Del)):
        return None if isinstance(parent.slice, ast.Slice) else 0
    call = holder.module.parents.get(parent) if isinstance(parent, ast.Attribute) else None
    if not isinstance(parent, ast.Attribute) or not isinstance(call, ast.Call):
        return 0
    if parent.attr in {"clear", "pop", "remove"}:
        return None
    if parent.attr not in {"append", "insert", "extend", "add"}:
        return 0
    times = _rounds_around(evaluator, at, holder, call, depth)
    if times is None or parent.attr != "extend":
        return times
    inner = iterable(evaluator, _place(at, holder), call.args[0], depth + 1) if call.args else None
    return None if inner is None else _product(times, inner)


def _place(at: Written, holder: Holder) -> Written:
    return Written(holder.module, at.node, at.frame)


def _rounds_around(
    evaluator: Evaluator, at: Written, holder: Holder, node: ast.AST, depth: int
) -> float | None:
    """Return how often a node inside the holder's function runs."""
    total = 1.0
    for parent in holder.module.ancestors(node):
        if parent is holder.scope:
            break
        if isinstance(parent, ast.If) and _asks_length(parent, holder):
            return None
        if isinstance(parent, ast.While):
            return None
        if isinstance(parent, (ast.For, ast.AsyncFor)):
            if any(_ends(inner, holder) for inner in ast.walk(parent)):
                return None
            rounds = iterable(evaluator, _place(at, holder), parent.iter, depth + 1)
            if rounds is None:
                return None
            total = _product(total, rounds)
    return total


def _ends(node: ast.AST, holder: Holder) -> bool:
    """Tell whether a loop ends early: by ``break``, or by ``return`` once the list is long."""
    if isinstance(node, ast.If) and _asks_length(node, holder):
        return any(isinstance(last, ast.Return) for last in node.body)
    return isinstance(node, ast.Break)


def _asks_length(node: ast.If, holder: Holder) -> bool:
    return any(
        isinstance(inner, ast.Name) and inner.id == holder.use.id for inner in ast.walk(node.test)
    )
