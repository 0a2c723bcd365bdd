"""FED407: an id in data is shortened or masked."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.syntax.module import last_name, own_nodes
from ...inference.values.values import Function
from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.ids import is_id


def _check(view: FileView) -> Iterator[Hit]:
    for node in view.module.nodes(ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if isinstance(name, str) and is_id(name) and _shortens(view, value):
                yield Hit(
                    node=value,
                    message=f"{name} is a shortened id: {source_of(value)}\n"
                    "Later turns take the id from data verbatim, and no call finds anything by a "
                    "part of it. Write the whole id; shorten it where a person reads it.",
                )


def _shortens(view: FileView, value: ast.expr) -> bool:
    """Tell whether a value is a marked part of an id, here or in a helper."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and len(value.args) == 1:
        found = [item.value for item in view.values(value.func)]
        helper = found[0] if len(found) == 1 else None
        return _is_id(value.args[0]) and isinstance(helper, Function) and _helps(helper)
    return any(_is_id(part) for part in _cut(value))


def _helps(helper: Function) -> bool:
    """Tell whether a function only returns marked parts of its argument."""
    node = helper.node
    if isinstance(node, ast.Lambda) or not node.args.args:
        return False
    name = node.args.args[-1].arg
    returns = [each.value for each in own_nodes(node) if isinstance(each, ast.Return)]
    return bool(returns) and all(
        each is not None and any(last_name(part) == name for part in _cut(each)) for each in returns
    )


def _cut(value: ast.expr) -> list[ast.expr]:
    """Return what ``x[:8] + "…"`` and ``f"{x[:6]}…"`` show a part of."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        parts = [value.left, value.right]
    elif isinstance(value, ast.JoinedStr):
        parts = [it.value if isinstance(it, ast.FormattedValue) else it for it in value.values]
    else:
        return []
    marks = any(_is_mark(part) for part in parts)
    sliced = [
        it for it in parts if isinstance(it, ast.Subscript) and isinstance(it.slice, ast.Slice)
    ]
    return [it.value for it in sliced] if marks else []


def _is_mark(part: ast.expr) -> bool:
    """Tell whether a text stands for what was left out: ``…``, ``...``, ``***``."""
    text = part.value if isinstance(part, ast.Constant) else None
    return isinstance(text, str) and text != "" and not text.strip("….*•xX")


def _is_id(node: ast.expr) -> bool:
    name: object = last_name(node)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        name = node.slice.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        name = getattr(node.args[0], "value", None) if node.func.attr == "get" else None
    elif isinstance(node, ast.Call) and last_name(node.func) == "str" and len(node.args) == 1:
        return _is_id(node.args[0])
    return isinstance(name, str) and is_id(name)


RULE = Rule(
    code="FED407",
    name="shortened-id",
    summary="Ids stand whole in data.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("_id", "id"),
    check=_check,
    what="Finds keys named as an id (`note_id`) whose value is a part of an id with a mark for the "
    'rest: `note["id"][:8] + "…"`, `f"{doc.id[:4]}***"`, or a helper that returns such a part.',
    why="The next turn takes the id from the data of this one, to open or delete what the user "
    "means. By a part of it nothing is found.",
    example='return {"note_id": note["id"][:8] + "…", "title": note["title"]}',
    instead='return {"note_id": note["id"], "title": note["title"]}',
    references=("Fact-ledger: The essence",),
    bad=(
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, params):
    notes = (await ctx.http.get("https://example.com/notes")).json()
    return ActionResult.success({"notes": [{"note_id": n["id"][:8] + "…"} for n in notes]}, "x")
""",
            holds="note_id is a shortened id",
        ),
        Example(
            """
def _short(value):
    return f"{value[:6]}…{value[-2:]}"


@chat.function("f", "Lists")
async def f(ctx, params):
    page = await ctx.store.query("notes")
    return ActionResult.success({"notes": [{"id": _short(doc.id)} for doc in page.data]}, "x")
""",
            holds="id is a shortened id: _short(doc.id)",
        ),
    ),
    good=(
        Example(
            """
import uuid


def _key(value):
    return value


@chat.function("f", "Lists")
async def f(ctx, params):
    page = await ctx.store.query("notes")
    rows = [
        {"id": doc.id, "say": doc.id[:8] + "…", "x_id": _key(doc.id), "p_id": doc.id[:4] + "-"}
        for doc in page.data
    ]
    return ActionResult.success({"notes": rows, "run_id": uuid.uuid4().hex[:8]}, "x")
"""
        ),
    ),
)
