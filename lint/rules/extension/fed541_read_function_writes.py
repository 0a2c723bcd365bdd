"""FED541: a function that is declared ``read`` and writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...inference.syntax.memo import remembered
from ...inference.syntax.module import FunctionNode, Module, own_nodes
from ...inference.values.values import Function, Sdk, SdkMethod
from ...rule import Example, Hit, Rule
from ...sdk_use.import_errors import never_runs
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, step_at
from .support.chat_functions import ChatFunction, chat_functions

_WRITING: Mapping[str, frozenset[str]] = {
    "StoreClient": frozenset({"create", "update", "delete", "set"}),
    "StorageClient": frozenset({"upload", "delete"}),
    "SecretClient": frozenset({"set", "delete"}),
    "HTTPClient": frozenset({"put", "patch", "delete"}),
}
"""Class of the SDK → its methods that change what is kept, here or at a service.

A POST is none: many services take a search as one.
"""
Way = list[tuple[Module, ast.Call]]
"""Calls from a handler to a write, that last."""


def _check(view: FileView) -> Iterator[Hit]:
    for item in chat_functions(view):
        if item.action == "read":
            way = _way_to_write(view, item.function)
            if way:
                yield _hit(item, way)


def _way_to_write(view: FileView, function: FunctionNode) -> Way:
    """Return the way to a write of what the caller gave; empty if there is none.

    A read that keeps a token, a cache or where the user is gives the store other things than its
    parameters, or does so deep below.
    """
    names = {arg.arg for arg in [*function.args.args, *function.args.kwonlyargs][1:]}
    return _direct(view, function, names) or _through_helper(view, function, names)


def _direct(view: FileView, function: FunctionNode, names: set[str]) -> Way:
    """Return a write of a function itself that is given one of these names."""
    given = _derived(function, names)
    for call in _calls(function):
        if _mentions(call, given) and not never_runs(view, call):
            found = [item.value for item in view.values(call.func)]
            if found and all(map(_is_write, found)):
                return [(view.module, call)]
    return []


def _through_helper(view: FileView, function: FunctionNode, names: set[str]) -> Way:
    """Return the call of a helper that writes what it is given."""
    given = _derived(function, names)
    for call in _calls(function):
        if not _mentions(call, given) or never_runs(view, call):
            continue
        for item in view.values(call.func):
            if isinstance(item.value, Function):
                helper, inner = item.value, FileView(view.extension, item.value.module)
                taken = {arg for arg, node in _passed(helper, call) if _names(node) & given}
                is_one = bool(taken) and not _sends_by_method(inner, helper.node)
                way = _direct(inner, helper.node, taken) if is_one else []
                if way:
                    return [(view.module, call), *way]
    return []


def _sends_by_method(view: FileView, function: FunctionNode) -> bool:
    """Tell whether a helper reads and writes at a service, as its caller says."""
    names = {
        item.value.name
        for call in _calls(function)
        for item in view.values(call.func)
        if isinstance(item.value, SdkMethod)
        and isinstance(item.value.owner, Sdk)
        and item.value.owner.cls == "HTTPClient"
    }
    return len(names) > 1


def _passed(helper: Function, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield (parameter, argument) of a helper's call."""
    spec = helper.node.args
    names = [arg.arg for arg in [*spec.posonlyargs, *spec.args]][helper.bound is not None :]
    yield from zip(names, call.args, strict=False)
    yield from ((item.arg, item.value) for item in call.keywords if item.arg)


def _derived(function: FunctionNode, names: set[str]) -> set[str]:
    """Return these names and those that are made of them, without anything that was fetched."""
    found = set(names)
    for targets, parts in _made(function):
        if parts & found:
            found |= targets
    return found


@remembered
def _made(function: FunctionNode) -> list[tuple[set[str], set[str]]]:
    """Return (names, names that their value is made of), without what is fetched or called."""
    made: list[tuple[set[str], set[str]]] = []
    for node in own_nodes(function):
        if isinstance(node, ast.For) and not _holds(node.iter, ast.Await):
            made.append((_names(node.target), _names(node.iter)))
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and not _holds(node.value, (ast.Await, ast.Call)):
                made.append(({target.id}, _names(node.value)))
    return made


def _holds(node: ast.expr, kinds: type[ast.expr] | tuple[type[ast.expr], ...]) -> bool:
    return any(isinstance(part, kinds) for part in ast.walk(node))


@remembered
def _calls(function: FunctionNode) -> list[ast.Call]:
    return [node for node in own_nodes(function) if isinstance(node, ast.Call)]


def _mentions(call: ast.Call, names: set[str]) -> bool:
    return any(_names(node) & names for node in (*call.args, *(it.value for it in call.keywords)))


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _is_write(value: object) -> bool:
    return (
        isinstance(value, SdkMethod)
        and isinstance(value.owner, Sdk)
        and value.certain
        and value.name in _WRITING.get(value.owner.cls, ())
    )


def _hit(item: ChatFunction, way: Way) -> Hit:
    call = way[-1][1]
    return Hit(
        node=item.arguments.get("action_type", item.call),
        message=f"{item.role.label} is declared read and writes: {source_of(call.func)}\n"
        "A read runs without the confirmation that a write gets, in chains too, and the audit "
        'records no change. Write action_type="write", or "destructive" if it deletes.',
        chain=tuple(step_at(module, node, source_of(node)) for module, node in way),
    )


RULE = Rule(
    code="FED541",
    name="read-function-writes",
    summary="A function that writes is not declared `read`.",
    severity="warning",
    check=_check,
    what='Finds chat functions with `action_type="read"` (the default) that call '
    "`ctx.store.create`, `update`, `delete` or `set`, `ctx.storage.upload` or `delete`, or "
    "`ctx.secrets.set` or `delete`, or `ctx.http.put`, `patch` or `delete` with what the caller "
    "gave, also in a loop over it and in a helper that is given it. "
    "What a read keeps besides, such as a fresh token or the view that is open, is left alone.",
    why="The type decides whether the user is asked first and whether the audit sees a change: a "
    "write under `read` goes past both. It is a warning, for no release of the SDK refuses it.",
    example='@chat.function("drop_note", description="Deletes a note of the user")\n'
    "async def drop_note(ctx, params: NoteId) -> ActionResult:\n"
    '    await ctx.store.delete("notes", params.id)',
    instead='@chat.function("drop_note", description="Deletes a note of the user", '
    'action_type="destructive")\nasync def drop_note(ctx, params: NoteId) -> ActionResult:\n'
    '    await ctx.store.delete("notes", params.id)',
    references=("Action types", "SDK sources: chat/extension.py"),
    bad=(
        Example(
            """
@chat.function("drop", description="Deletes a note of the user", action_type="read")
async def drop(ctx, params: Count):
    await ctx.store.delete("notes", str(params.total))
    return ActionResult.success({"total": 0}, "Deleted")
""",
            holds="is declared read and writes: ctx.store.delete",
        ),
        Example("""
async def keep(ctx, row):
    return await ctx.store.create("notes", row)


@chat.function("add", description="Adds a note for the user")
async def add(ctx, params: Count):
    await keep(ctx, {"total": params.total})
    return ActionResult.success({"total": 1}, "Added")
"""),
        Example(
            """
class Ids(BaseModel):
    ids: list[str]


@chat.function("drop", description="Deletes notes of the user", action_type="read")
async def drop(ctx, params: Ids):
    for each in params.ids:
        await ctx.store.delete("notes", each)
    return ActionResult.success({"total": 0}, "Deleted")
""",
            holds="is declared read and writes: ctx.store.delete",
        ),
        Example(
            """
async def _patch(ctx, path, values):
    return await ctx.http.patch(f"https://example.com{path}", json=values)


@chat.function("open", description="Opens a note of the user", action_type="read")
async def open_note(ctx, params: Count):
    await _patch(ctx, f"/notes/{params.total}", {"archived": False})
    return ActionResult.success({"total": 0}, "Opened")
""",
            holds="is declared read and writes: ctx.http.patch",
        ),
    ),
    good=(
        Example("""
async def keep(ctx, row):
    return await ctx.store.create("notes", row)


@chat.function("add", description="Adds a note for the user", action_type="write")
async def add(ctx, params: Count):
    await keep(ctx, {"total": params.total})
    return ActionResult.success({"total": 1}, "Added")


async def send(ctx, method, path):
    if method == "DELETE":
        return await ctx.http.delete(f"https://example.com{path}")
    return await ctx.http.get(f"https://example.com{path}")


@chat.function("count", description="Counts the notes of the user")
async def count(ctx, params: Count):
    total = await ctx.store.count("notes", {"total": params.total})
    await ctx.store.set("last_count", {"total": total})
    await keep(ctx, {"kind": "counted"})
    await send(ctx, "GET", f"/notes/{params.total}")
    await ctx.cache.set("total", Count(total=total), ttl_seconds=60)
    await ctx.http.post("https://example.com/find", json={"total": params.total})
    for doc in (await ctx.store.query("notes", where={"total": params.total})).data:
        await ctx.store.update("notes", doc.id, {"seen": True})
    seen = {}
    seen.update(total=total)
    return ActionResult.success({"total": total}, "Counted")
"""),
    ),
)
