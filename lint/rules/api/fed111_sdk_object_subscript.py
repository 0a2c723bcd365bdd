"""FED111: an SDK object that is read like a dict or a list."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...inference.syntax.module import block_of
from ...inference.values.values import Alternative, Const, Display, Sdk, is_same_way
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED, in_words
from ...sdk_use.guards import caught
from ...sdk_use.sdk_objects import has, has_special, is_certain, operand_of, source_of
from ...view import FileView

_CLASSES = tuple(sorted(CLOSED | {"Context"}))
_INSTEAD = {
    "Page": "Leave the test out: its rows are in {0}.data.",
    "Document": "Leave the test out: its fields are in {0}.data.",
    "HTTPResponse": "Leave the test out: its content is in {0}.json().",
}
_BUILTINS = frozenset({"list", "dict", "tuple", "str", "set", "bytes"})
_METHODS: dict[type[ast.expr_context], str] = {
    ast.Load: "__getitem__",
    ast.Store: "__setitem__",
    ast.Del: "__delitem__",
}
_HINTS = {
    "Document": "Write {0}.data[{1}], and save it with ctx.store.update(collection, {0}.id, "
    "{0}.data).",
    "Page": "Its rows are in .data: {0}.data[{1}].",
    "HTTPResponse": "Read the body first: {0}.json()[{1}].",
    "ActionResult": "The fields are in .data: {0}.data[{1}].",
    "CompletionResult": "The answer is {0}.text.",
    "CacheClient": "Write await {0}.get(key, Model).",
    "StoreClient": "Write await {0}.get(collection, doc_id).",
    "ConfigClient": "Write {0}.get({1}).",
    "SecretClient": "Write await {0}.get({1}).",
}


_ELEMENTS = {
    "Document": 'Its fields are in {0}.data: take the one with the list, {0}.data["items"].',
    "HTTPResponse": "Read the body first: {0}.json().",
    "ActionResult": "What it holds is in {0}.data.",
}


def _check(view: FileView) -> Iterator[Hit]:
    for node in view.module.nodes(ast.Subscript):
        if not isinstance(node.value, (ast.Constant, ast.List, ast.Dict, ast.JoinedStr)):
            yield from _subscript(view, node)
    for call in view.module.nodes(ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == "isinstance" and len(call.args) == 2:
            yield from _asked(view, call)
    for node, builtin in _walks(view):
        yield from _walked(view, node, builtin)


def _asked(view: FileView, call: ast.Call) -> Iterator[Hit]:
    """Find ``page if isinstance(page, list) else []``, whose test is never true."""
    if not _builtins(call.args[1]) or not _loses(view, call):
        return
    found = view.sdk_values(call.args[0], *_CLASSES)
    known = [item for owner, item in found if owner.certain]
    others = [item for item in view.values(call.args[0]) if item.value != Const(None)]
    if len(known) != len(others) or len({_class_of(item) for item in known}) != 1:
        return
    cls, object_ = _class_of(known[0]), call.args[0]
    asked = _negated(view, call)
    how = "never" if asked is call else "always"
    instead = _INSTEAD.get(cls, "Leave the test out.").format(operand_of(object_))
    yield Hit(
        node=asked,
        message=f"{source_of(asked)} is {how} true, so what it leads to {how} runs\n"
        f"{source_of(object_)} is {in_words(cls)} in {view.sdk}. {instead}",
        severity="warning",
        chain=view.chain(known[0]),
    )


def _loses(view: FileView, call: ast.Call) -> bool:
    """Tell whether the code goes on with an empty value or a constant, since the test fails."""
    test = _negated(view, call)
    negated, parent = test is not call, view.module.parents.get(test)
    if isinstance(parent, ast.IfExp) and parent.test is test:
        return _is_empty(parent.body if negated else parent.orelse)
    if not isinstance(parent, ast.If) or parent.test is not test:
        return False
    if negated:
        return _gives_nothing(parent.body[0])
    text = source_of(call.args[0])
    block = block_of(view.module.parents[parent], parent)
    before = (
        block[block.index(parent) - 1] if block[0] is not parent else view.module.parents[parent]
    )
    left = _left(block[block.index(parent) :], text)
    return not _asks(before, text) and not _is_verdict(left) and _gives_nothing(left)


def _negated(view: FileView, call: ast.Call) -> ast.expr:
    """Return the call with the ``not`` before it, if there is one."""
    parent = view.module.parents.get(call)
    return parent if isinstance(parent, ast.UnaryOp) else call


def _left(block: Sequence[ast.stmt], text: str) -> ast.stmt | None:
    """Return the first statement that runs if no test for a builtin type holds."""
    for statement in block:
        if not _asks(statement, text):
            return statement
        if isinstance(statement, ast.If) and statement.orelse:
            return _left(statement.orelse, text)
    return None


def _asks(statement: ast.AST, text: str) -> bool:
    """Tell whether a statement is an ``if`` that tests the object for builtin types."""
    test = statement.test if isinstance(statement, ast.If) else None
    return (
        isinstance(test, ast.Call)
        and source_of(test.func) == "isinstance"
        and len(test.args) == 2
        and source_of(test.args[0]) == text
        and bool(_builtins(test.args[1]))
    )


def _builtins(asked: ast.expr) -> list[str]:
    """Return the builtins in ``(list, tuple)``; nothing if another class stands among them."""
    parts = asked.elts if isinstance(asked, ast.Tuple) else [asked]
    names = [item.id for item in parts if isinstance(item, ast.Name) and item.id in _BUILTINS]
    return names if len(names) == len(parts) else []


def _is_verdict(statement: ast.stmt | None) -> bool:
    """Tell whether a block only returns the outcome of the test: ``return False``."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.Return)) else None
    return isinstance(value, ast.Constant) and (value.value is False or bool(value.value))


def _gives_nothing(statement: ast.stmt | None) -> bool:
    return isinstance(statement, (ast.Assign, ast.Return)) and _is_empty(statement.value)


def _is_empty(node: ast.expr | None) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return not node.elts
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Dict) and not node.keys)


def _subscript(view: FileView, node: ast.Subscript) -> Iterator[Hit]:
    method = _METHODS[type(node.ctx)]
    for owner, item in view.sdk_values(node.value, *_CLASSES):
        if not owner.certain or has_special(view, owner.cls, method):
            continue
        if caught(view.module, node, "TypeError") or not _is_told(view, node.value, item):
            return
        hint = _HINTS.get(owner.cls) or _attribute(view, owner.cls, node.slice)
        key = _key(node.slice, "0" if owner.cls == "Page" else "")
        has_no = "cannot be read" if method == "__getitem__" else "cannot be changed"
        yield Hit(
            node=node,
            message=f"{source_of(node)} raises TypeError: {in_words(owner.cls)} {has_no} with [ ]\n"
            f"Judged for {view.sdk}. {hint.format(operand_of(node.value), key)}",
            severity=None if is_certain(view, node.value, item) else "warning",
            chain=view.chain(item),
        )
        return


def _attribute(view: FileView, cls: str, index: ast.expr) -> str:
    name = index.value if isinstance(index, ast.Constant) else ""
    is_there = isinstance(name, str) and name and has(view.surface, cls, name)
    return f"Write {{0}}.{name}." if is_there else "Write {0}.name for its attribute name."


def _key(index: ast.expr, of_text: str) -> str:
    """Return the key in the brackets; for a constant text ``of_text``, if that is given."""
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return of_text or f'"{index.value}"'
    return source_of(index)


def _is_told(view: FileView, node: ast.expr, item: Alternative) -> bool:
    """Tell whether the only alternative to the object is a literal, as in ``found or {}``.

    If the object is one of several, the code may have told them apart before.
    """
    return is_certain(view, node, item) or all(
        isinstance(other.value, Display) or getattr(other.value, "cls", "") == _class_of(item)
        for other in view.values(node)
        if is_same_way(item, other) and other.value != Const(None)
    )


def _class_of(item: Alternative) -> str:
    return item.value.cls if isinstance(item.value, Sdk) else ""


_WALKING = frozenset({"list", "tuple", "set", "sorted", "enumerate", "sum", "min", "max", "zip"})
_COUNTING = _WALKING | {"len"}


def _walked(view: FileView, node: ast.expr, builtin: str) -> Iterator[Hit]:
    """Report a loop over, or ``len`` of, an object that has no elements."""
    for owner, item in view.sdk_values(node, *_CLASSES):
        error = _error(view, owner, builtin) if owner.certain else ""
        if not error:
            continue
        if not caught(view.module, node, error, "LookupError") and _is_told(view, node, item):
            cls = _class_of(item)
            text = f"{builtin}({source_of(node)})" if builtin else f"for … in {source_of(node)}"
            instead = _ELEMENTS.get(cls, "Walk through one of its attributes.")
            yield Hit(
                node=node,
                message=f"{text} raises {error}: {in_words(cls)} is no list\n"
                f"Judged for {view.sdk}. {instead.format(operand_of(node))}",
                severity=None if is_certain(view, node, item) else "warning",
                chain=view.chain(item),
            )
        return


def _walks(view: FileView) -> Iterator[tuple[ast.expr, str]]:
    """Yield (expression, builtin) of the iterables of loops and arguments of ``len`` and so on."""
    for kind in (ast.For, ast.comprehension):
        yield from ((node.iter, "") for node in view.module.nodes(kind))
    for name in sorted(_COUNTING):
        for call in view.module.calls.get(name, ()):
            alone = len(call.args) == 1 and not isinstance(call.args[0], ast.Starred)
            is_builtin = (
                isinstance(call.func, ast.Name)
                and not view.extension.project.lookup(view.module, call.func)[1]
            )
            if alone and is_builtin:
                yield call.args[0], name


def _error(view: FileView, owner: Sdk, builtin: str) -> str:
    """Return the exception that a use raises; empty if the object supports it."""
    has = {name: has_special(view, owner.cls, f"__{name}__") for name in ("len", "iter", "getitem")}
    bases = view.surface.member(owner.cls, "(bases)")
    if bases is not None and "BaseModel" in bases.text and builtin != "len":
        return ""  # pydantic's models give their fields
    if builtin == "len":
        return "" if has["len"] else "TypeError"
    if has["iter"]:
        return ""
    return "KeyError" if has["getitem"] else "TypeError"


RULE = Rule(
    code="FED111",
    name="sdk-object-subscript",
    summary="Objects of the SDK are no dicts and no lists: most of them take no `[ ]`.",
    severity="error",
    check=_check,
    what="""
Finds `x[…]` where `x` is an object of the SDK that is neither a dict nor a list: a `Page`, an
`HTTPResponse`, an `ActionResult`, a client, the context. A `Document` can be read with `["key"]`,
but not changed: `document["key"] = …` is found too. Code that catches `TypeError` is left alone.
`for row in document` and `len(document)` are found as well.
`page if isinstance(page, list) else []` and the like are warnings: the test is never true, so the
empty value always takes the object's place.
""",
    why="The call before it has run and cost its time; then `TypeError` ends the handler.",
    example='page = await ctx.store.query("notes")\nfirst = page[0]',
    instead='page = await ctx.store.query("notes")\nfirst = page.data[0]',
    references=("SDK sources: types/pagination.py Page", "imperal_sdk.ActionResult"),
    bad=(
        Example(
            """
@ext.tool("t")
async def t(ctx):
    page = await ctx.store.query("notes")
    return page[0]
""",
            holds="page.data[0]",
        ),
        Example(
            """
async def fetch(ctx):
    return await ctx.http.get("https://x")


@ext.panel("p")
async def p(ctx):
    return (await fetch(ctx))["items"]
""",
            holds="HTTPResponse",
        ),
        Example(
            """
def result() -> ActionResult:
    return ActionResult.success({"n": 1}, "x")


@ext.tool("t")
async def t(ctx):
    return result()["n"], ctx["user"]
""",
            holds="ActionResult cannot be read",
        ),
        Example(
            """
@chat.function("done", "Marks a task as done", action_type="write")
async def done(ctx, params):
    task = await ctx.store.get("tasks", params.task_id)
    if not task:
        return ActionResult.error("No such task")
    task["column"] = "Done"
    return ActionResult.success({"id": task.id}, "Done")
""",
            holds="a Document cannot be changed",
        ),
        Example(
            """
@ext.panel("board")
async def board(ctx):
    found = await ctx.store.query("tasks")
    tasks = found if isinstance(found, (list, tuple)) else []
    return len(tasks)
""",
            severity="warning",
            holds="its rows are in found.data",
        ),
        Example(
            """
def parse(found):
    if isinstance(found, list):
        return found
    if isinstance(found, dict):
        for key in ("items", "results"):
            if key in found:
                return found[key]
    return []


@ext.panel("p")
async def p(ctx):
    return parse(await ctx.http.get("https://x"))
""",
            severity="warning",
            holds="its content is in found.json()",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    page = await ctx.store.query("tasks")
    if isinstance(page, list):
        rows = page
    elif isinstance(page, dict):
        rows = page.values()
    else:
        rows = []
    return rows
""",
            severity="warning",
            holds="isinstance(page, list) is never true",
        ),
        Example(
            """
@ext.tool("t")
async def t(ctx):
    found = await ctx.store.get("lists", "videos")
    if found is None:
        return []
    return [video["title"] for video in found]
""",
            holds="for … in found raises KeyError",
        ),
        Example(
            """
@ext.tool("t")
async def t(ctx):
    found = await ctx.store.get("lists", "videos") or []
    return len(found)
""",
            severity="warning",
            holds="len(found) raises TypeError",
        ),
    ),
    good=(
        Example(
            """
@ext.tool("t")
async def t(ctx):
    page = await ctx.store.query("notes")
    found = await ctx.store.get("lists", "videos")
    rows = found.data["items"] if found else []
    answer = await ctx.http.get("https://x")
    try:
        listed = list(answer)
    except TypeError:
        listed = list(answer.json())
    return len(page), [row for row in page], [row for row in rows], listed
"""
        ),
        Example(
            """
from imperal_sdk import Context


@ext.tool("t")
async def t(ctx: Context):
    page = await ctx.store.query("notes")
    row = await ctx.store.get("notes", "1")
    found = await ctx.http.get("https://x")
    result = ActionResult.success({"n": 1}, "x")
    return page.data[0], row["title"], found.json()["items"], result.data["n"]


def typed(result: ActionResult[Count], ctx: dict):
    return ctx["n"]


@ext.tool("u")
async def u(ctx):
    page = await ctx.store.query("notes")
    if isinstance(page, list):
        return page[0]
    rows = getattr(page, "data", page)
    if rows:
        return rows[0]
    if not isinstance(page, dict):
        page = {"data": page.data}
    page["total"] = 1
    try:
        return page["data"]
    except (KeyError, TypeError):
        return None
"""
        ),
    ),
)
