"""FED404: facts that stand only in the summary."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.bindings import parameters
from ..model.module import FUNCTIONS, last_name
from ..model.values import Const, Display, External
from ..model.written import written
from ..queries.echoes import Echoes
from ..queries.fact_advice import line_for
from ..queries.payloads import ResultCall, result_calls
from ..queries.result_changes import changes
from ..queries.sdk_objects import source_of
from ..queries.shown_facts import fetched_rows
from ..queries.text_parts import formatted, inner_texts
from ..rule import Example, Hit, Rule
from ..view import FileView


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is None or not _is_empty(view, call.data):
            continue
        fact = _fact(view, call)
        if fact is not None and not changes(view, call):
            yield Hit(
                node=call.node,
                message=f"data is empty and the summary holds facts ({source_of(fact)}): the "
                "fact ledger keeps data only, so the next turn does not know them. Write them into "
                f"data too: {line_for(view, call.summary, fact)}.",
            )


def _is_empty(view: FileView, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        given = _only_value(view, node)
        return given is not None and _is_empty(view, given)
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        return [External("dict")] == [item.value for item in view.values(node.func)]
    found = view.values(node)
    only = found[0].value if len(found) == 1 else None
    if isinstance(only, Const):
        return only.value is None
    is_written = isinstance(only, Display) and only.node is node
    return is_written and isinstance(node, ast.Dict) and not node.keys


def _only_value(view: FileView, name: ast.Name) -> ast.expr | None:
    """Return what a name of a function is given, if it is used nowhere else."""
    scope, found = view.extension.project.lookup(view.module, name)
    named = view.module.names.get(name.id, ())
    uses = (part for part in named if scope in view.module.ancestors(part))
    is_plain = len(found) == 1 and found[0].kind == "assign" and not found[0].path
    if not isinstance(scope, FUNCTIONS) or not is_plain or len([*uses]) != 2:
        return None
    value = found[0].value
    return value if isinstance(value, ast.expr) else None


def _fact(view: FileView, call: ResultCall) -> ast.expr | None:
    """Return a part of the summary that neither the code nor the caller said before."""
    function = view.module.function(call.node)
    known = {arg.arg for arg in parameters(function)} if function is not None else set[str]()
    for at in written(view.evaluator, view.module, call.summary) if call.summary else ():
        if at.module is view.module and view.module.function(at.node) is function:
            for part in _parts(at.node):
                if not _is_known(view, part, known):
                    return part
    return fetched_rows(view.evaluator, view.module, call.summary) if call.summary else None


def _parts(text: ast.expr) -> Iterator[ast.expr]:
    """Yield what a text is made of besides what it says itself."""
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add):
        for side in (text.left, text.right):
            yield from _parts(side)
    elif isinstance(text, ast.JoinedStr | ast.BinOp):
        yield from inner_texts(text) or ()
    elif isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute):
        if text.func.attr == "format":
            yield from formatted(text)
    elif isinstance(text, ast.Call) and last_name(text.func) == "str":
        yield from text.args


def _is_known(view: FileView, node: ast.expr, known: set[str]) -> bool:
    if all(isinstance(item.value, Const) for item in view.values(node)):
        return True
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Await) for part in parts):
        return False
    names = {part.id: part for part in reversed(parts) if isinstance(part, ast.Name)}
    plain = bool(names) and all(_is_echo(view, name, known) for name in names.values())
    return plain or Echoes(view.evaluator).holds(view.module, node)


def _is_echo(view: FileView, name: ast.Name, known: set[str]) -> bool:
    """A parameter, a builtin, an error, or a variable that is made of those only."""
    if name.id in known:
        return True
    _, found = view.evaluator.project.lookup(view.module, name)
    if found and all(isinstance(item.node, ast.ExceptHandler) for item in found):
        return True
    values = [item.value for item in found if item.kind == "assign"]
    parts = [part for value in values if value for part in ast.walk(value)]
    return (
        len(values) == len(found)
        and not any(isinstance(part, ast.Await | ast.Call) for part in parts)
        and all(part.id in known for part in parts if isinstance(part, ast.Name))
    )


RULE = Rule(
    code="FED404",
    name="facts-only-in-summary",
    summary="Facts belong in data, not only in the summary.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds `ActionResult.success` with empty data whose summary shows values that were fetched or
computed, also rows that are joined, added up in a loop or made a text by a helper, and texts that
are handed over as they were read: `completion.text`, `response.json()["headline"]`,
`document.data["title"]`. Fixed acknowledgements, the caller's own parameters, texts of errors, and
what a service says under `message` are fine.
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
            holds="(page.data)",
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
    if params.short:
        return ActionResult.success({}, "%d notes" % total)
    return ActionResult.success({}, "You have {} notes".format(total))
"""
        ),
    ),
    good=(
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
