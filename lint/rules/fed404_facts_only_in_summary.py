"""FED404: facts that stand only in the summary."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...reports.lint.findings import ChainStep
from ..model.bindings import sole_value
from ..model.module import FUNCTIONS
from ..model.values import Const, Display, External, Frame, only_value
from ..model.written import written
from ..queries.fact_advice import line_for
from ..queries.payloads import ResultCall, result_calls
from ..queries.result_changes import changes
from ..queries.sdk_objects import source_of
from ..queries.summary_facts import Fact, fact_in
from ..rule import Example, Hit, Rule
from ..view import FileView, step_at


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is None:
            continue
        is_given = not _is_empty(view, call.data)
        fact = fact_in(view, call, partial(_is_given_empty, view, call.data) if is_given else None)
        if fact is not None and not changes(view, call):
            yield _hit(view, call, fact, is_given=is_given)


def _hit(view: FileView, call: ResultCall, fact: Fact, *, is_given: bool) -> Hit:
    where, advice = view, "Write them into data too"
    chain: tuple[ChainStep, ...] = ()
    if fact.frame is not None:
        where = FileView(view.extension, fact.frame.module)
        name = view.evaluator.project_name(view.module, fact.frame.function)
        advice = f"Let {name} take them for data too"
        if is_given:
            advice = f"Give them to {name} as data too"
        chain = (step_at(fact.frame.module, fact.frame.call, "gives the text"),)
    return Hit(
        node=call.node,
        message=f"data is empty and the summary holds facts ({source_of(fact.node)}): the fact "
        f"ledger keeps data only, so the next turn does not know them. {advice}: "
        f"{line_for(where, fact.text, fact.node)}.",
        chain=chain,
    )


def _is_empty(view: FileView, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        given = _only_value(view, node)
        return given is not None and _is_empty(view, given)
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        return [External("dict")] == [item.value for item in view.values(node.func)]
    only = only_value(view.values(node))
    if isinstance(only, Const):
        return only.value is None
    is_written = isinstance(only, Display) and only.node is node
    return is_written and isinstance(node, ast.Dict) and not node.keys


def _is_given_empty(view: FileView, node: ast.expr, frame: Frame) -> bool:
    """Tell whether a call leaves data empty: ``ok(None, text)`` of ``data=data or {}``."""
    places = written(view.evaluator, view.module, node, frame)
    return bool(places) and all(
        not at.is_mentioned(view.evaluator)
        and _is_empty(FileView(view.extension, at.module), at.node)
        for at in places
    )


def _only_value(view: FileView, name: ast.Name) -> ast.expr | None:
    """Return what a name of a function is given, if it is used nowhere else."""
    scope, found = view.extension.project.lookup(view.module, name)
    named = view.module.names.get(name.id, ())
    uses = (part for part in named if scope in view.module.ancestors(part))
    return sole_value(found) if isinstance(scope, FUNCTIONS) and len([*uses]) == 2 else None


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
`document.data["title"]`. What callers give to a helper that makes the result counts as well, also
where they leave its data empty: `def ok(text, data=None)`. Fixed
acknowledgements, the caller's own parameters, texts of errors, and what a service says under
`message` are fine.
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
def done(text):
    return ActionResult.success({}, text)


@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    return done(f"You have {total} notes")
""",
            holds='Let done take them for data too: {"total": total}.',
        ),
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
def done(text):
    return ActionResult.success({}, text)


@chat.function("f", "Counts")
async def f(ctx, params):
    total = await ctx.store.count("n")
    return done(f"Deleted {params.name}" if total else "There are none")
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
