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
from ..extension.support.chat_functions import WRITING, chat_functions
from .support.results import changes

_DEEPEST = 8
_CONFIRMING = frozenset({"detail", "details", "error", "errors", "hint", "message", "messages",
                         "msg", "notice", "reason", "status", "status_code"})  # fmt: skip
"""Names under which a service says what it did."""
_WORDS = re.compile(r"[^\W\d_]{2,}[:,]? +|[ \n][^\W\d_]{2,}|\w: ")
"""Words with blanks between them, as no id and no address has them."""
_ID = re.compile(r"(^|_)(id|uuid|key)$")
"""Names of what the next turn needs to mean the same thing."""
_COUNTING = frozenset({"len", "str", "int", "round", "sum", "sorted", "list"})
"""Builtins whose result tells of what they are given."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        what, texts = _lack(view, call)
        fact = next((fact for text in texts if (fact := _fact_in(view, text))), None)
        if fact is not None and not changes(view, call):
            yield Hit(
                node=call.node,
                message=f"data {what}: the next turn does not know {source_of(fact)}\n"
                "The fact ledger keeps the fields of data only, and the fact stands in a sentence. "
                f"Write it into data too: {_entry(fact)}.",
            )


def _lack(view: FileView, call: ResultCall) -> tuple[str, list[ast.expr]]:
    """Say what data lacks, and return the texts that may hold the facts; empty if it is whole.

    Of a read function data lacks them too if it only holds constants and sentences.
    """
    data = call.data
    told = [call.summary] if call.summary is not None else []
    if isinstance(data, ast.Constant) and data.value is None:
        return "is empty", told
    if not isinstance(data, ast.Dict):
        return "", []
    if not data.keys:
        return "is empty", told
    lacked = _lacked_id(view, call.summary, data)
    return ("holds no id", [lacked]) if lacked is not None else _lack_of(view, call, data)


def _lack_of(view: FileView, call: ResultCall, data: ast.Dict) -> tuple[str, list[ast.expr]]:
    """Say what the values of data lack."""
    told = [call.summary] if call.summary is not None else []
    function = view.module.function(call.node)
    actions = {it.action for it in chat_functions(view) if it.function is function}
    if actions & WRITING and all(isinstance(it, ast.Constant) for it in data.values):
        return "holds no facts", told
    if "read" not in actions:
        return "", []
    if call.summary is not None and {*map(ast.dump, data.values)} == {ast.dump(call.summary)}:
        return "is the sentence alone", told
    sentences = [value for value in data.values if _is_sentence(view, value)]
    if all(value in sentences or isinstance(value, ast.Constant) for value in data.values):
        return "holds no facts, only a sentence" if sentences else "holds no facts", [
            *sentences,
            *told,
        ]
    return "", []


def _lacked_id(view: FileView, summary: ast.expr | None, data: ast.Dict) -> ast.expr | None:
    """Return an id that the summary shows and that stands in no part of data.

    An id under any name in data is enough, and so is the whole object that has it.
    """
    text = _assigned(view, summary) or summary if summary is not None else None
    if None in data.keys or not isinstance(text, ast.JoinedStr):
        return None
    parts = [part for value in data.values for part in ast.walk(value)]
    if any(isinstance(part, ast.Call) and isinstance(part.func, ast.Name) for part in parts):
        return None  # a helper may put it there
    if any(isinstance(part, ast.expr) and _ID.search(_named(part)) for part in parts):
        return None
    if any(isinstance(key, ast.expr) and _ID.search(_text_of(key)) for key in data.keys):
        return None
    whole = {
        part.id
        for part in parts
        if isinstance(part, ast.Name)
        and not isinstance(view.module.parents.get(part), ast.Attribute | ast.Subscript)
    }
    for shown in _shown(text):
        names = {part.id for part in ast.walk(shown) if isinstance(part, ast.Name)}
        if _ID.search(_named(shown)) and not names & whole and _is_fetched(view, shown):
            return shown
    return None


def _text_of(key: ast.expr) -> str:
    return str(key.value) if isinstance(key, ast.Constant) else ""


def _is_sentence(view: FileView, node: ast.expr) -> bool:
    """Tell whether a text has words around what it shows: ``f"You have {n} tasks"``."""
    text = _assigned(view, node) or node
    if isinstance(text, ast.JoinedStr):
        words = "".join(str(it.value) for it in text.values if isinstance(it, ast.Constant))
        return bool(_WORDS.search(words))
    if isinstance(text, ast.BinOp):
        return _is_sentence(view, text.left) or _is_sentence(view, text.right)
    if isinstance(text, ast.Call) and last_name(text.func) in {"format", "join"}:
        parts = [getattr(text.func, "value", None), *text.args]
        return any(isinstance(it, ast.expr) and _is_sentence(view, it) for it in parts)
    if isinstance(text, ast.ListComp | ast.GeneratorExp):
        return _is_sentence(view, text.elt)
    return (
        isinstance(text, ast.Constant)
        and isinstance(text.value, str)
        and bool(_WORDS.search(text.value))
    )


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
finds data that only repeats the summary, `{"text": told}`, that is a sentence,
`{"answer": f"You have {total} tasks"}`, and in each chat function data of constants alone,
`{"ok": True}`, or without the id that the summary shows. Fixed words, the caller's
parameters, and what a service says under `message` are fine.
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
        Example(
            """
@chat.function("f", "Counts", action_type="read")
async def f(ctx, params):
    page = await ctx.store.query("tasks")
    return ActionResult.success({"answer": f"You have {len(page.data)} tasks"}, "Counted.")
""",
            holds="data holds no facts, only a sentence",
        ),
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, params):
    page = await ctx.store.query("tasks")
    lines = [f"- {doc.data['title']} is due {doc.data['due']}" for doc in page.data]
    return ActionResult.success({"ok": True}, "\\n".join(lines))
""",
            holds="data holds no facts",
        ),
        Example(
            """
@chat.function("f", "Adds", action_type="write")
async def f(ctx, params):
    doc = await ctx.store.create("tasks", {"title": params.title})
    return ActionResult.success({"created": True}, f"Task created: {params.title} (#{doc.id})")
""",
            holds='{"id": doc.id}',
        ),
        Example(
            """
@chat.function("f", "Adds", action_type="write")
async def f(ctx, params):
    note = (await ctx.http.post("https://example.com/notes")).json()
    return ActionResult.success({"title": note.get("title")}, f"Created (id {note.get('id')})")
""",
            holds="data holds no id",
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", "Adds", action_type="write")
async def f(ctx, params):
    note = (await ctx.http.post("https://example.com/notes")).json()
    if params.whole:
        return ActionResult.success({"note": note}, f"Created (id {note['id']})")
    return ActionResult.success({"note_id": note["id"]}, f"Created (id {note['id']})")


@chat.function("g", "Drops", action_type="destructive")
async def g(ctx, params):
    await ctx.store.delete("notes", params.name)
    return ActionResult.success({"ok": True}, f"Note {params.name} deleted.")
"""
        ),
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
@chat.function("f", "Opens")
async def f(ctx, params):
    answer = await ctx.ai.complete(params.question)
    doc = await ctx.store.get("notes", "1")
    if params.link:
        return ActionResult.success({"url": f"https://example.com/{doc.id}"}, "The link")
    return ActionResult.success({"text": answer.text}, "The answer")
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
