"""FED536: a request body with a value that JSON cannot encode."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...inference.values.origins import Written
from ...payloads.refusals import advice_for_sending, said, sent_refusals
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import CALLED, SdkCall, calls_of_any
from ...sdk_use.guards import refusal_expected
from ...sdk_use.sdk_objects import source_of
from ...view import FileView

_REST = "**"
"""Stands for the keyword arguments that are no parameters of the method."""
_SENT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "AIClient": {"complete": ("prompt", "model", _REST)},
    "AppsClient": {"update_settings": ("patch",)},
    "HTTPClient": dict.fromkeys(("delete", "get", "patch", "post", "put"), ("json",)),
    "NotifyClient": {CALLED: ("message", _REST), "send": ("message", "channel", _REST)},
    "RBACClient": dict.fromkeys(("create_role", "create_scope", "update_role"), (_REST,)),
    "StoreClient": {
        "count": ("where",),
        "create": ("data",),
        "query": ("where",),
        "set": ("data",),
        "update": ("data",),
    },
    "UsersClient": {"create": (_REST,), "update": (_REST,), "update_settings": ("patch",)},
}
"""Class → method → the parameters that it sends as JSON unchanged."""
_TRIGGERS = tuple(
    sorted({"notify", *(name for methods in _SENT.values() for name in methods)} - {CALLED})
)
_NUMBERS = "the number"
"""NaN and infinity, which httpx accepts before 0.28."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in calls_of_any(view, _SENT):
        for name, given in _sent(view, call):
            yield from _refused(view, call, name, given)


def _sent(view: FileView, call: SdkCall) -> Iterator[tuple[str, ast.expr]]:
    """Yield (name, argument) of what a call sends, if this file writes it out."""
    parameters = _SENT[call.owner][call.method]
    member = view.surface.member(call.owner, call.method)
    known = member.signature.names if member is not None and member.signature else ()
    for name, given in call.arguments.items():
        is_sent = name in parameters or (_REST in parameters and name not in known)
        if is_sent and given in view.module.parents:
            yield name, given


def _refused(view: FileView, call: SdkCall, name: str, given: ast.expr) -> Iterator[Hit]:
    for refusal in sent_refusals(view.evaluator, Written(view.module, given), name):
        is_number = refusal.what.startswith(_NUMBERS)
        if is_number and not refusal.certain:
            continue
        certain = call.certain and refusal.certain and not is_number
        expected = refusal_expected(view, call.node, "TypeError")
        yield Hit(
            node=given,
            message=f"{said(refusal)}: {source_of(call.node.func)} raises TypeError\n"
            f"It is sent as JSON in {view.sdk}, which cannot carry it"
            f"{f'; {expected} expects the error' if expected else ''}. "
            f"{advice_for_sending(refusal)}.",
            severity="info" if expected else None if certain else "warning",
            chain=view.chain(call.item),
        )
        if refusal.is_vague:
            return


RULE = Rule(
    code="FED536",
    name="request-body-not-json",
    summary="What the clients of the SDK send as JSON holds only what JSON can carry.",
    severity="error",
    triggers=_TRIGGERS,
    check=_check,
    since="1.0.0",
    what="""
Finds what JSON cannot carry in the `data` of `ctx.store.create`, `update` and `set`, in the
`where` of `query` and `count`, in the `json=` of `ctx.http`, in what `ctx.notify` and
`ctx.ai.complete` are given, in the fields of `ctx.users` and `ctx.rbac` and in the settings of
`ctx.users` and `ctx.apps`: datetimes, sets, bytes, Decimals, tuples as keys, members of an Enum,
functions, exceptions, coroutines, documents of the store and pydantic models, however deep, by the
same search as FED402. Infinite numbers are a warning: older releases of httpx write them, though
not as JSON.
""",
    why="""
The client gives the value to httpx as it is, which calls `json.dumps`: it raises TypeError before
anything is sent, so that the row is never stored. The mock of the SDK keeps any object and tests
stay green.
""",
    example='await ctx.store.create("notes", {"title": title, "at": datetime.now()})',
    instead='await ctx.store.create("notes", {"title": title, "at": datetime.now().isoformat()})',
    references=(
        "SDK sources: store/client.py, http/client.py, notify/client.py",
        "SDK sources: ai/client.py, users/client.py, rbac/client.py, apps/client.py",
    ),
    bad=(
        Example(
            """
from datetime import datetime


@ext.panel("p")
async def p(ctx):
    await ctx.store.create("notes", {"title": "x", "at": datetime.now()})
""",
            holds="which cannot carry it. Write datetime.now().isoformat().",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    note = await ctx.store.get("notes", "1")
    note["title"] = "y"
    await ctx.store.update("notes", note.id, note)
""",
            holds="which cannot carry it. Write note.data.",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.store.set("notes/1", Count(total=1))
""",
            holds='Write Count(total=1).model_dump(mode="json").',
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    rows = [Count(total=1), Count(total=2)]
    await ctx.http.post("https://example.com", json={"rows": rows})
""",
            holds="a pydantic model",
        ),
        Example(
            """
from datetime import date


@ext.panel("p")
async def p(ctx):
    return await saved(ctx, {"day": date.today()})


async def saved(ctx, row):
    return await ctx.store.query("notes", where=row)
""",
        ),
        Example(
            """
from datetime import datetime


@ext.panel("p")
async def p(ctx):
    await ctx.notify("Saved", channel="email", at=datetime.now())
""",
            holds="at is a datetime: ctx.notify raises",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.store.create("notes", {"share": float("inf")})
""",
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
from datetime import datetime


@ext.panel("p")
async def p(ctx, **params):
    note = await ctx.store.get("notes", "1")
    await ctx.store.update("notes", note.id, {**note.data, "at": datetime.now().isoformat()})
    await ctx.store.set("notes/1", Count(total=1).model_dump(mode="json"))
    await ctx.store.create("notes", params)
    row = {"at": datetime.now()}
    row["at"] = row["at"].isoformat()
    await ctx.store.create("notes", row)
    await ctx.http.post("https://example.com", json={"rows": [1, 2]}, data=b"x")
    await ctx.cache.set("count", Count(total=1), ttl_seconds=60)
    await ctx.notify("Saved", priority="low", at=datetime.now().isoformat())
    await ctx.users.update_settings("1", {"theme": "dark"})
"""
        ),
        Example(
            """
class Store:
    def create(self, collection, data):
        return data


@ext.panel("p")
async def p(ctx):
    return Store().create("notes", {1, 2})
"""
        ),
    ),
)
