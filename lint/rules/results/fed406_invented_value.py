"""FED406: an id or a count in data falls back to something invented."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.syntax.module import last_name
from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.ids import assigned, is_count, is_id, result_fields

_INVENTING = frozenset({
    "uuid.uuid1", "uuid.uuid4", "uuid1", "uuid4", "random.randint", "random.randrange",
    "random.choice", "random.random", "randint", "randrange", "secrets.token_hex", "token_hex",
    "secrets.randbelow", "time.time", "time.time_ns", "time.monotonic",
})  # fmt: skip
_PLAIN = (0, 1)
"""Counts that say that there is nothing, or the one thing at hand."""


def _check(view: FileView) -> Iterator[Hit]:
    seen: set[ast.expr] = set()
    for name, value in result_fields(view):
        if not (is_id(name) or is_count(name)):
            continue
        for node in _fallbacks(view, value, counts=is_count(name)):
            if node in seen:
                continue
            seen.add(node)
            yield Hit(
                node=node,
                message=f"{name} falls back to {source_of(node)}, which is invented\n"
                "The fact ledger keeps it as what the service said, and later turns act on it. "
                "Return ActionResult.error(...) if the response lacks it, or None.",
            )


def _fallbacks(view: FileView, value: ast.expr, *, counts: bool) -> Iterator[ast.expr]:
    """Yield what stands in for a value that a response was to bring."""
    for node in (value, *assigned(view, _bare(value))):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            first, other = node.values[0], node.values[-1]
        elif isinstance(node, ast.IfExp):
            first, other = node.body, node.orelse
        else:
            continue
        if _is_read(first) and (_is_invented(other) or (counts and _is_number(other))):
            yield other
    name = _bare(value)
    if isinstance(name, ast.Name):
        yield from _put_later(view, name)


def _put_later(view: FileView, name: ast.Name) -> Iterator[ast.expr]:
    """Yield what ``if not name: name = …`` puts in place."""
    given = assigned(view, name)
    for value in given:
        statement = view.module.parents.get(value)
        test = view.module.parents.get(statement) if statement is not None else None
        if (
            len(given) > 1
            and _is_invented(value)
            and isinstance(test, ast.If)
            and isinstance(test.test, ast.UnaryOp)
            and isinstance(test.test.op, ast.Not)
            and last_name(test.test.operand) == name.id
        ):
            yield value


def _bare(value: ast.expr) -> ast.expr:
    """Return what ``str(x)`` and ``int(x)`` are given."""
    is_cast = isinstance(value, ast.Call) and last_name(value.func) in {"str", "int"}
    return value.args[0] if is_cast and value.args else value  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]


def _is_read(node: ast.expr) -> bool:
    """Tell whether a value is taken out of an object other than the caller's parameters."""
    roots = {part.id for part in ast.walk(_bare(node)) if isinstance(part, ast.Name)}
    return bool(roots) and "params" not in roots and not isinstance(node, ast.Constant)


def _is_invented(node: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Call) and ast.unparse(part.func) in _INVENTING
        for part in ast.walk(node)
    )


def _is_number(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and type(node.value) in {int, float}
        and node.value not in _PLAIN
    )


RULE = Rule(
    code="FED406",
    name="invented-value",
    summary="Ids and counts in data are those of the response.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds fields of a result's data, named as an id (`note_id`) or a count (`total_count`), that fall
back to a random number, a new UUID or the time when the response lacks them: `x or uuid4()`,
`x if known else randint(1, 9)`, `if not x: x = …`; a count also if it falls back to a number above
one. What is made of the caller's parameters is left alone.
""",
    why="The fact ledger keeps data verbatim, so that later turns have the real ids and numbers. "
    "An invented one is told to the user, and the next call with it fails or meets another thing.",
    example='return ActionResult.success({"note_id": note.get("id") or uuid4().hex}, "Added")',
    instead='return ActionResult.success({"note_id": note["id"]}, "Added")',
    references=("Fact-ledger: Why it exists",),
    bad=(
        Example(
            """
import uuid


@chat.function("f", "Adds", action_type="write")
async def f(ctx, params):
    note = (await ctx.http.post("https://example.com/notes")).json()
    return ActionResult.success({"note_id": note.get("id") or str(uuid.uuid4())}, "Added")
""",
            holds="note_id falls back to str(uuid.uuid4()), which is invented",
        ),
        Example(
            """
import time


@chat.function("f", "Adds", action_type="write")
async def f(ctx, params):
    note = (await ctx.http.post("https://example.com/notes")).json()
    note_id = note.get("id")
    if not note_id:
        note_id = f"note-{int(time.time())}"
    return ActionResult.success({"id": str(note_id)}, "Added")
""",
            holds="id falls back to",
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params):
    page = (await ctx.http.get("https://example.com/notes")).json()
    known = "total" in page
    return ActionResult.success({"total": int(page["total"]) if known else 50}, "Counted")
""",
            holds="total falls back to 50",
        ),
    ),
    good=(
        Example(
            """
import uuid


@chat.function("f", "Adds", action_type="write")
async def f(ctx, params):
    note_id = params.note_id or str(uuid.uuid4())
    note = (await ctx.http.post("https://example.com/notes", json={"id": note_id})).json()
    total = note.get("total") or 0
    return ActionResult.success(
        {"note_id": note_id, "total": total, "trace": note.get("trace") or uuid.uuid4().hex},
        "Added",
    )
"""
        ),
    ),
)
