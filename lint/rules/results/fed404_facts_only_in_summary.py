"""FED404: facts stand only in a result's summary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...inference.syntax.module import last_name
from ...payloads.payloads import ResultCall, result_calls
from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from ..extension.support.chat_functions import chat_functions
from .support.results import changes

_DEEPEST = 8
_CONFIRMING = frozenset({"detail", "details", "error", "errors", "hint", "message", "messages",
                         "msg", "notice", "reason", "status", "status_code"})  # fmt: skip
"""Names under which a service says what it did."""
_COUNTING = frozenset({"len", "str", "int", "round", "sum", "sorted", "list"})
"""Builtins whose result tells of what they are given."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        what = _lack(view, call)
        fact = _fact_in(view, call.summary) if what and call.summary else None
        if fact is not None and not changes(view, call):
            yield Hit(
                node=call.node,
                message=f"data {what} and the summary holds facts ({source_of(fact)}): the fact "
                "ledger keeps data only, so the next turn does not know them. Write them into data "
                f"too: {_entry(fact)}.",
            )


def _lack(view: FileView, call: ResultCall) -> str:
    """Say that data is empty, or in a read function the summary itself; empty if it is neither."""
    data, function = call.data, view.module.function(call.node)
    if isinstance(data, ast.Constant) and data.value is None:
        return "is empty"
    if not isinstance(data, ast.Dict) or call.summary is None:
        return ""
    if not data.keys:
        return "is empty"
    is_same = {*map(ast.dump, data.values)} == {ast.dump(call.summary)}
    reads = any(it.function is function and it.action == "read" for it in chat_functions(view))
    return "is the sentence alone" if is_same and reads else ""


def _fact_in(view: FileView, summary: ast.expr) -> ast.expr | None:
    """Return the first part of a text that shows what was fetched; a text alone is its own part."""
    text = _assigned(view, summary) or summary
    parts = () if isinstance(text, ast.Await) else _shown(text)
    return next((part for part in parts if _is_fetched(view, part)), None)


def _assigned(view: FileView, node: ast.expr) -> ast.expr | None:
    """Return what a name is assigned, or goes through, if only one statement binds it."""
    if not isinstance(node, ast.Name):
        return None
    found = view.extension.project.lookup(view.module, node)[1]
    is_known = len(found) == 1 and found[0].kind in {"assign", "for"}
    value = found[0].value if is_known else None
    return value if isinstance(value, ast.expr) else None


def _shown(text: ast.expr) -> Iterator[ast.expr]:
    """Yield what ``f"{a}"``, ``"x" + a``, ``"%s" % a``, ``"{}".format(a)`` and a join show."""
    if isinstance(text, ast.JoinedStr):
        yield from (part.value for part in text.values if isinstance(part, ast.FormattedValue))
    elif isinstance(text, ast.BinOp):
        yield from (*_shown(text.left), *_shown(text.right))
    elif isinstance(text, ast.Call) and last_name(text.func) in {"format", "join"}:
        yield from text.args
    elif isinstance(text, ast.Tuple):
        yield from text.elts
    else:
        yield text


def _is_fetched(view: FileView, node: ast.expr | None, depth: int = _DEEPEST) -> bool:
    """Tell whether a value tells of something that was awaited in this function."""
    if isinstance(node, ast.Await):
        return True
    if node is None or depth == 0 or _named(node) in _CONFIRMING:
        return False
    inner: list[ast.expr | None] = [_assigned(view, node)]
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        inner = [node.value]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = [node.func.value]
    elif isinstance(node, ast.Call) and last_name(node.func) in _COUNTING:
        inner = [*node.args]
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        inner = [node.elt]
    elif isinstance(node, (ast.JoinedStr, ast.BinOp)):
        inner = [*_shown(node)]
    return any(_is_fetched(view, part, depth - 1) for part in inner)


def _named(node: ast.expr) -> str:
    """Return the field or key that an expression takes; empty if there is none."""
    name: object = last_name(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        first = node.args[0] if node.args and node.func.attr == "get" else None
        name = first.value if isinstance(first, ast.Constant) else node.func.attr
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        name = node.slice.value
    return name if isinstance(name, str) else ""


def _entry(fact: ast.expr) -> str:
    """Return a dict that holds a fact; what would be awaited twice is left to the author."""
    name = _named(fact)
    key = name if re.fullmatch(r"[A-Za-z_]\w*", name) else "value"
    is_open = any(isinstance(it, (ast.Await, ast.GeneratorExp)) for it in ast.walk(fact))
    return f'{{"{key}": {"…" if is_open else source_of(fact)}}}'


RULE = Rule(
    code="FED404",
    name="facts-only-in-summary",
    summary="Facts belong in data, not only in the summary.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds `ActionResult.success` with empty data whose summary shows what the function awaited: in an
f-string, `%`, `.format`, `+` or `.join`, or alone: `completion.text`. In a read function it also
finds data that only repeats the summary: `{"text": told}`. Fixed words, the caller's parameters,
and what a service says under `message` are fine.
""",
    why="The fact ledger reads data, never the summary. In the next turn nothing is left of the "
    "facts, and the narrator makes them up.",
    example='return ActionResult.success({}, f"You have {total} notes")',
    instead='return ActionResult.success({"total": total}, f"You have {total} notes")',
    references=("Fact-ledger: Why it exists",),
    bad=(
        Example(
            """
@chat.function("f", "Answers")
async def f(ctx, params):
    comp = await ctx.ai.complete(params.question)
    return ActionResult.success({}, comp.text)
""",
            holds='{"text": comp.text}',
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    told = f"You have {total} notes"
    return ActionResult.success({"text": told}, told)
""",
            holds="data is the sentence alone",
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    return ActionResult.success({"total": total}, f"You have {total} notes")
"""
        ),
        Example(
            """
@chat.function("f", "Sends")
async def f(ctx, params):
    response = await ctx.http.post("https://example.com/mails", json={"to": params.to})
    return ActionResult.success({}, response.json()["message"])
"""
        ),
        Example(
            """
@chat.function("f", "Drops")
async def f(ctx, params):
    await ctx.store.delete("notes", params.name)
    return ActionResult.success({}, f"Note {params.name} deleted.")
"""
        ),
    ),
)
