"""FED404: facts that stand only in the summary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ...inference.syntax.bindings import sole_value
from ...inference.syntax.module import last_name
from ...inference.values.values import External, Sdk, SdkField
from ...payloads.payloads import ResultCall, result_calls, type_of
from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from ..extension.support.chat_functions import chat_functions
from .support.results import changes

_DEEPEST = 8
_CONFIRMING = frozenset({"confirmation", "detail", "details", "error", "errors", "hint", "message",
                         "messages", "msg", "notice", "reason", "status",
                         "status_code"})  # fmt: skip
"""Names under which a service says what it did."""
_WORDING = re.compile(
    "config|i18n|label|lang|locale|phrase|prompt|setting|templ|transl", re.IGNORECASE
)
"""What an extension asks for its own words by."""
_TELLING = frozenset({"len", "str", "int", "float", "round", "abs", "sum", "min", "max", "sorted",
                      "list", "set", "dict", "next", "map", "zip", "enumerate"})  # fmt: skip
"""Builtins whose result tells of what they are given."""
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Attribute: ("value",),
    ast.BinOp: ("left", "right"),
    ast.BoolOp: ("values",),
    ast.FormattedValue: ("value",),
    ast.GeneratorExp: ("elt",),
    ast.IfExp: ("body", "orelse"),
    ast.JoinedStr: ("values",),
    ast.ListComp: ("elt",),
    ast.Starred: ("value",),
    ast.Subscript: ("value",),
    ast.Tuple: ("elts",),
}
"""Kind of expression → where that stands of which its value tells."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is None or call.summary is None:
            continue
        what = "is empty" if _is_empty(view, call.data) else _sentence(view, call)
        fact = _fact_in(view, call.summary) if what else None
        if fact is not None and not changes(view, call):
            yield Hit(
                node=call.node,
                message=f"data {what} and the summary holds facts ({source_of(fact)}): the fact "
                "ledger keeps data only, so the next turn does not know them. Write them into data "
                f"too: {_entry(view, fact)}.",
            )


def _is_empty(view: FileView, data: ast.expr) -> bool:
    if isinstance(data, ast.Call) and not data.args and not data.keywords:
        return [External("dict")] == [item.value for item in view.values(data.func)]
    if isinstance(data, ast.Dict):
        return not data.keys
    return isinstance(data, ast.Constant) and data.value is None


def _sentence(view: FileView, call: ResultCall) -> str:
    """Say that a read function gives the summary itself as data; empty if it does not."""
    data, function = call.data, view.module.function(call.node)
    is_same = isinstance(data, ast.Dict) and {*map(ast.dump, data.values)} == {
        ast.dump(call.summary) if call.summary else ""
    }
    reads = any(it.function is function and it.action == "read" for it in chat_functions(view))
    return "is the sentence alone" if is_same and reads else ""


def _fact_in(view: FileView, summary: ast.expr) -> ast.expr | None:
    """Return the first part of a text that shows what was fetched; a text alone is its own part."""
    text = summary
    if isinstance(text, ast.Name):
        text = sole_value(view.extension.project.lookup(view.module, text)[1]) or text
    if isinstance(text, ast.JoinedStr | ast.BinOp):
        parts = [*_shown(text)]
    elif isinstance(text, ast.Call) and getattr(text.func, "attr", "") in {"format", "join"}:
        parts = [*text.args, *(it.value for it in text.keywords)]
    else:
        parts = [] if isinstance(text, ast.Await) else [text]
    return next((part for part in parts if _is_fetched(view, part)), None)


def _shown(text: ast.AST) -> Iterator[ast.expr]:
    """Yield what ``f"{a}"``, ``"x" + a`` and ``"%s" % (a, b)`` show."""
    for part in _parts(text):
        is_text = isinstance(part, ast.JoinedStr | ast.BinOp | ast.FormattedValue | ast.Tuple)
        if is_text:
            yield from _shown(part)
        elif isinstance(part, ast.expr):
            yield part


def _is_fetched(view: FileView, node: ast.AST, depth: int = _DEEPEST) -> bool:
    """Tell whether a value tells of something that was awaited in this function."""
    if isinstance(node, ast.Await):
        return not _WORDING.search(ast.unparse(node))
    if depth == 0 or (isinstance(node, ast.expr) and _named(node).lower() in _CONFIRMING):
        return False
    inner: Iterable[ast.AST | None] = _parts(node)
    if isinstance(node, ast.Name):
        found = view.extension.project.lookup(view.module, node)[1]
        is_known = len(found) == 1 and found[0].kind in {"assign", "for"}
        inner = [found[0].value or getattr(found[0].node, "iter", None)] if is_known else []
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = [node.func.value, *(node.args if node.func.attr == "join" else ())]
    elif isinstance(node, ast.Call) and last_name(node.func) in _TELLING:
        inner = node.args
    return any(part is not None and _is_fetched(view, part, depth - 1) for part in inner)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    for name in _PARTS.get(type(node), ()):
        value = getattr(node, name)
        yield from value if isinstance(value, list) else (value,)


def _named(node: ast.expr) -> str:
    """Return the field or key that an expression takes; empty if there is none."""
    name: object = last_name(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        first = node.args[0] if node.args and node.func.attr == "get" else None
        name = first.value if isinstance(first, ast.Constant) else node.func.attr
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        name = node.slice.value
    return name if isinstance(name, str) else ""


def _entry(view: FileView, fact: ast.expr) -> str:
    """Return a dict that holds a fact; what JSON may not carry is left to the author."""
    name = _named(fact)
    key = name if re.fullmatch(r"[A-Za-z_]\w*", name) else "value"
    values = [item.value for item in view.values(fact)]
    is_open = any(isinstance(it, ast.Await | ast.GeneratorExp) for it in ast.walk(fact)) or any(
        isinstance(value, Sdk | SdkField) and not type_of(view, value) for value in values
    )
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
f-string, `%`, `.format`, `+` or `.join`, or alone: `completion.text`. In a read function data that
repeats the summary and holds nothing else is found too: `{"text": told}`. Fixed acknowledgements,
the caller's own parameters, and what a service says under `message` are fine.
""",
    why="""
The fact ledger reads data, never the summary. In the next turn nothing is left of the facts, and
the narrator makes them up.
""",
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
@chat.function("f", "Lists")
async def f(ctx, params):
    page = await ctx.store.query("notes")
    lines = [f"- {row.id}" for row in page.data]
    return ActionResult.success({}, "\\n".join(lines))
""",
            holds='{"lines": lines}',
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    return ActionResult.success(data={}, summary=f"You have {total} notes")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    told = "You have " + str(total) + " notes"
    return ActionResult.success({}, told)
""",
            holds="(total)",
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    told = "You have %d notes" % total
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
    if not response.ok:
        return ActionResult.error(response.text())
    return ActionResult.success({}, response.json()["message"])
"""
        ),
        Example(
            """
@chat.function("f", "Drops")
async def f(ctx, params):
    for name in params.names:
        await ctx.store.delete("notes", name)
    return ActionResult.success({}, "Deleted " + ", ".join(params.names))
"""
        ),
        Example(
            """
@chat.function("f", "Goes")
async def f(ctx, params):
    return ActionResult.success({}, "Previous track")
"""
        ),
        Example(
            """
@chat.function("f", "Drops")
async def f(ctx, params):
    return ActionResult.success({}, f"Bot {params.name} deleted.")
"""
        ),
        Example(
            """
@chat.function("f", "Drops")
async def f(ctx, params):
    name = params.name
    return ActionResult.success({}, f"Bot {name} deleted.")
"""
        ),
        Example(
            """
@chat.function("f", "Drops")
async def f(ctx, params):
    told = "Bot %s deleted." % params.name
    if params.twice:
        told = "Bot {0} deleted twice.".format(params.name)
    return ActionResult.success({}, told)
"""
        ),
    ),
)
