"""FED401: the data of a result is no dict."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.evaluator import Alternatives
from ...inference.values.origins import Written, written
from ...inference.values.values import is_same_way
from ...payloads.dumps import dumped_as
from ...payloads.payloads import ResultCall, given_at, kept_calls, type_of
from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.results import changes, is_undecided, left

_WRONG = frozenset({"a text", "an int", "a float", "a bool", "bytes"})
_LISTED = frozenset({"a list", "a tuple"})


def _check(view: FileView) -> Iterator[Hit]:
    for call, given in kept_calls(view):
        for data in (given, *_put_later(view, call)):
            found = view.values(data)
            kinds = [type_of(view, item.value) for item in found]
            is_dumped = dumped_as(view, Written(view.module, data)) == "a text"
            wrong = "a text" if is_dumped else next((kind for kind in kinds if kind in _WRONG), "")
            if not wrong and kinds and _LISTED.issuperset(kinds) and not _is_empty(data):
                yield from _list(view, call, data, kinds[0])
            if not wrong or left(view, call) is not data:
                continue
            places = written(view.evaluator, view.module, data)
            texts = [at for at in places if _kinds(view, at) & _WRONG]
            if _is_undecided(view, places, texts):
                continue
            alone = is_dumped or _is_alone(found, kinds)
            instead = '….model_dump(mode="json")' if is_dumped else '{"field": value}'
            yield Hit(
                node=data,
                message=f"data is {wrong}: the classifier finds no field in it next turn\n"
                f"{source_of(data)} is {wrong}, and the contract of {view.sdk} wants a dict. "
                f"Write ActionResult.success({instead}, summary).",
                severity=None if alone else "warning",
                chain=given_at(view, data, texts[0]) if texts else (),
            )


def _put_later(view: FileView, call: ResultCall) -> list[ast.expr]:
    """Return what replaces the whole data of a result: ``result.data = text``."""
    found = (it.value for it in changes(view, call) if it.keys is None and it.module is view.module)
    return [value for value in found if value is not None]


def _is_empty(data: ast.expr) -> bool:
    return isinstance(data, ast.List | ast.Tuple) and not data.elts


def _list(view: FileView, call: ResultCall, data: ast.expr, kind: str) -> Iterator[Hit]:
    """Warn about a list, which the ledger keeps with the fields of its items."""
    if left(view, call) is data:
        yield Hit(
            node=data,
            message=f"data is {kind}: the contract wants a dict\n"
            f"ActionResultModel of {view.sdk} refuses it, and nothing says what it holds or how "
            f'many there are. Write {{"items": {source_of(data)}, "total": …}}.',
            severity="warning",
        )


def _is_alone(found: Alternatives, kinds: list[str]) -> bool:
    """Tell whether a wrong value is the only one that arrives through its chain of calls."""
    rows = list(zip(kinds, found, strict=True))
    return any(
        kind in _WRONG
        and all(other in _WRONG or not is_same_way(item, each) for other, each in rows)
        for kind, item in rows
    )


def _is_undecided(view: FileView, places: list[Written], texts: list[Written]) -> bool:
    """Tell whether a call returns text only for arguments of a type that is not known here."""
    has_others = any(_kinds(view, at) - _WRONG for at in places)
    return has_others and bool(texts) and all(is_undecided(view.evaluator, at) for at in texts)


def _kinds(view: FileView, at: Written) -> set[str]:
    found = view.evaluator.values(at.module, at.node, at.frame)
    return {type_of(view, item.value) for item in found}


RULE = Rule(
    code="FED401",
    name="result-data-is-scalar",
    summary="`ActionResult.data` is a dict or a model.",
    severity="error",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds texts, numbers and bytes as the data of a successful `ActionResult`, also where
`result.data = …` puts them in later. What only `@ext.expose` returns is left alone: another
extension gets the object itself. A list is a warning: `ActionResultModel` refuses it too, but the
fact ledger keeps its items with their fields. An empty one is left alone.
""",
    why="""
The wire contract allows an object only, and the fact ledger keeps data verbatim: prose in it has no
fields that a later turn could refer to.
""",
    example='return ActionResult.success("36 tasks", "36 tasks")',
    instead='return ActionResult.success({"total": 36}, "36 tasks")',
    references=("Fact-ledger: What you do not do", "SDK sources: types/contracts.py"),
    bad=(
        Example(
            """
@chat.function("f", "Asks")
async def f(ctx, p):
    answer = await ctx.ai.complete("Sum up")
    return ActionResult.success(answer.text, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    count = Count(total=1)
    return ActionResult.success(count.model_dump_json(), "x")
""",
            holds='Write ActionResult.success(….model_dump(mode="json"), summary)',
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    return ActionResult.success("36", "x")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    text = f"{p} tasks"
    return ActionResult.success(data=text, summary="x")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    result = ActionResult.success({}, "x")
    result.data = f"{p} tasks"
    return result
""",
            holds="data is a text",
        ),
        Example(
            """
import orjson


@chat.function("f", "Counts")
async def f(ctx, p):
    return ActionResult.success(orjson.dumps({"total": 1}), "x")
""",
            holds="data is bytes",
        ),
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, p):
    page = await ctx.store.query("notes")
    return ActionResult.success([doc.data for doc in page.data], "x")
""",
            severity="warning",
            holds='Write {"items": [doc.data for doc in page.data], "total": …}',
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    return ActionResult.success(Count(total=1) if p else {}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    return ActionResult.success(Count(total=1).model_dump(mode="json"), "x")
"""
        ),
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, p):
    return ActionResult.success([], "none")
"""
        ),
    ),
)
