"""FED215: a skeleton section with a value that JSON cannot encode."""

from __future__ import annotations

from collections.abc import Iterator

from ...inference.flow.branches import live_returns
from ...inference.values.origins import Written, is_changed
from ...payloads.refusals import advice, said, sent_refusals
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...view import FileView
from .support.skeletons import TRIGGER, skeleton_handlers

_WHOLE = "the result"


def _check(view: FileView) -> Iterator[Hit]:
    for function, role in skeleton_handlers(view):
        if is_changed(view.evaluator, view.module, function) or not is_proved(view, role):
            continue
        for returned in live_returns(view.evaluator, view.module, function):
            for refusal in sent_refusals(view.evaluator, Written(view.module, returned), _WHOLE):
                if refusal.certain and refusal.where != _WHOLE:
                    place = refusal.where.replace(f"{_WHOLE}['response']", "response")
                    told = said(refusal).replace(refusal.where, place, 1)
                    yield Hit(
                        node=returned,
                        message=f"section {role.name!r}: {told}: JSON cannot carry it\n"
                        "The kernel stores a section as JSON, so that this refresh fails and the "
                        f"classifier keeps what is old. {advice(refusal)}.",
                    )


RULE = Rule(
    code="FED215",
    name="skeleton-response-not-json",
    summary="A skeleton section holds only what JSON can carry.",
    severity="warning",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    since="1.6.0",
    what="Finds datetimes, sets, bytes, documents of the store, models and other values that JSON "
    "cannot carry in what a skeleton handler returns, however deep, by the same search as FED402.",
    why="The kernel puts each section into the prompt of the classifier and serialises it as JSON. "
    "It is a warning, since no release of the SDK does that itself.",
    example='@ext.skeleton("notes")\nasync def notes(ctx):\n'
    '    return {"response": {"at": datetime.now()}}',
    instead='@ext.skeleton("notes")\nasync def notes(ctx):\n'
    '    return {"response": {"at": datetime.now().isoformat()}}',
    references=("Skeletons", "Context channels: Channel 1"),
    bad=(
        Example(
            """
from datetime import datetime


@ext.skeleton("notes")
async def notes(ctx):
    return {"response": {"total": 1, "at": datetime.now()}}
""",
            holds="section 'notes': response['at'] is a datetime",
        ),
        Example(
            """
@ext.skeleton("notes")
async def notes(ctx):
    page = await ctx.store.query("notes", limit=5)
    out = {"total": len(page.data)}
    out["newest"] = page.data[0]
    return {"response": out}
""",
            holds="a Document",
        ),
        Example(
            """
def tags():
    return {"a", "b"}


@ext.skeleton("notes")
async def notes(ctx):
    return {"response": {"total": 1, "tags": tags()}}
""",
            holds="Write sorted(tags())",
        ),
    ),
    good=(
        Example("""
from datetime import datetime


@ext.skeleton("notes")
async def notes(ctx):
    page = await ctx.store.query("notes", limit=5)
    names = {doc.data["title"] for doc in page.data}
    return {
        "response": {
            "total": len(page.data),
            "at": datetime.now().isoformat(),
            "names": sorted(names),
            "newest": page.data[0].data,
        }
    }
"""),
        Example("""
from datetime import datetime


@ext.tool("now")
async def now(ctx):
    return {"at": datetime.now()}
"""),
    ),
)
