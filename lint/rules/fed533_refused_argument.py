"""FED533: an argument that a client of the SDK refuses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ..model.conditions import conditions
from ..model.narrowing import asks_about
from ..model.spelling import spelled
from ..model.values import Class, SdkField, Value
from ..queries.guards import unless_expected
from ..queries.refused_arguments import Limit, Refused, one_of, refused_arguments
from ..queries.sdk_calls import SdkCall, calls_of_any
from ..queries.sdk_objects import source_of
from ..rule import Example, Hit, Rule
from ..view import FileView

_SYSTEM = "__system__"
_AS_SYSTEM = frozenset({"schedule", "signal"})
"""Kinds of handlers whose own user is that one."""
_FORBIDDEN = re.compile(r"[:\*\?\[\]\s/]")
"""As in store/client.py."""
_MOST_ROWS = 10_000
_COLLECTION = Limit(
    lambda value: not _FORBIDDEN.search(value), "a name without blanks and : * ? [ ] /"
)
_ROWS = Limit(lambda value: 1 <= value <= _MOST_ROWS, f"a number from 1 to {_MOST_ROWS}")
_USER = Limit(
    lambda value: value and value != _SYSTEM,
    "the id of a user: async for user_id in ctx.store.list_users(collection)",
)
_LIMITS: Mapping[str, Mapping[str, Mapping[str, Limit]]] = {
    "AppsClient": {
        "reject": {"reason": Limit(lambda value: value and value.strip(), "a reason")},
    },
    "Context": {
        "as_user": {"user_id": _USER},
        "oauth_authorize_url": {"provider": one_of("google", "microsoft", "yahoo")},
    },
    "StoreClient": {
        "list_users": {"collection": _COLLECTION, "page_size": _ROWS},
        "query_all": {"collection": _COLLECTION, "limit": _ROWS},
    },
}
"""Class → method → parameter → what it takes, in each release that has the method."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in calls_of_any(view, _LIMITS):
        if _is_own(view, call.method):
            continue
        for found in refused_arguments(view, call, call.owner, _LIMITS[call.owner][call.method]):
            yield _hit(view, call, found)
        own = _own_id(view, call) if call.method == "as_user" else None
        if own is not None:
            yield _hit(view, call, own)


def _is_own(view: FileView, method: str) -> bool:
    """Tell whether a class of the extension that extends one of the SDK has its own method."""
    return any(
        isinstance(cls := module.parents.get(node), ast.ClassDef)
        and bool(view.evaluator.sdk_base(Class(module, cls)))
        for module in view.extension.project.naming(method)
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef)
        for node in module.nodes(kind)
        if node.name == method
    )


def _own_id(view: FileView, call: SdkCall) -> Refused | None:
    """Return ``ctx.user.imperal_id`` where that is nobody: ``ctx.as_user(ctx.user.imperal_id)``."""
    given = call.arguments.get("user_id")
    values = [item.value for item in view.values(given)] if given is not None else []
    if given is None or not values or not all(map(_is_system, values)):
        return None
    if any(asks_about(test, spelled(given)) for test, _ in conditions(view.module, call.node)):
        return None
    shown = f'{source_of(given)}, here "{_SYSTEM}",'
    return Refused(given, "user_id", shown, _USER.raises, _USER.instead, certain=True)


def _is_system(value: Value) -> bool:
    return (
        isinstance(value, SdkField)
        and (value.owner.cls, value.name) == ("UserContext", "imperal_id")
        and value.owner.kind in _AS_SYSTEM
        and not value.owner.scoped
    )


def _hit(view: FileView, call: SdkCall, found: Refused) -> Hit:
    severity = None if call.certain and found.certain else "warning"
    known, severity = unless_expected(view, call.node, severity, found.raised)
    return Hit(
        node=found.node,
        message=f"{source_of(call.node.func)}() with {found.name}={found.value} raises "
        f"{found.raised} in {view.sdk}{view.way(call.item)}{known}. Write {found.instead}.",
        severity=severity,
        chain=view.chain(call.item),
    )


RULE = Rule(
    code="FED533",
    name="refused-argument",
    summary="A client of the SDK refuses what it is given.",
    severity="error",
    triggers=tuple(sorted(method for methods in _LIMITS.values() for method in methods)),
    check=_check,
    since="1.5.23",
    what=f"""
Finds arguments on which a call raises an exception:

- `ctx.oauth_authorize_url`: another provider than `google`, `microsoft` and `yahoo`. What
  `ext.oauth(provider)` declares has to be one of them as well to be asked for in this way.
- `ctx.as_user`: an empty id, `"{_SYSTEM}"`, and `ctx.user.imperal_id` in a schedule or a signal,
  which is just that.
- `ctx.store.list_users` and `query_all`: a collection with blanks or one of `: * ? [ ] /`, a
  `page_size` or `limit` that is not from 1 to {_MOST_ROWS:,}.
- `ctx.apps.reject`: an empty reason.

Where the value is one of several it is a warning, where the code catches the exception an info.
Timeouts are FED508's, keys and lives of the cache FED301's and FED302's, what declarations take
FED530's.
""",
    why="""
The client looks at the value before it asks the platform, so the call fails each time, on a path
that a test with a mock does not show.
""",
    example='url = await ctx.oauth_authorize_url("gmail")',
    instead='url = await ctx.oauth_authorize_url("google")',
    references=(
        "SDK sources: context.py oauth_authorize_url, as_user",
        "SDK sources: store/client.py list_users, query_all; apps/client.py reject",
    ),
    bad=(
        Example(
            """
@ext.panel("connect")
async def connect(ctx):
    return await ctx.oauth_authorize_url("github")
""",
            holds="with provider='github' raises ValueError in imperal-sdk 6.3.7 "
            '(@ext.panel("connect") connect). Write "google", "microsoft" or "yahoo".',
        ),
        Example(
            """
PROVIDERS = {"mail": "gmail"}


@ext.panel("connect")
async def connect(ctx):
    return await address(ctx, PROVIDERS["mail"])


async def address(ctx, provider):
    return await ctx.oauth_authorize_url(provider)
""",
        ),
        Example(
            """
@ext.schedule("daily", cron="0 6 * * *")
async def daily(ctx):
    return await ctx.as_user(ctx.user.imperal_id).store.query("notes")
""",
            holds='with user_id=ctx.user.imperal_id, here "__system__", raises ValueError',
        ),
        Example(
            """
@ext.schedule("daily", cron="0 6 * * *")
async def daily(ctx):
    async for user_id in ctx.store.list_users("all notes", page_size=500):
        ctx.as_user(user_id)
""",
            holds="collection='all notes'",
        ),
        Example(
            """
@ext.schedule("daily", cron="0 6 * * *")
async def daily(ctx):
    return await ctx.store.query_all("notes", limit=50_000)
""",
            holds="limit=50000 raises ValueError",
        ),
        Example(
            """
@ext.panel("connect")
async def connect(ctx, kind="google", **params):
    return await ctx.oauth_authorize_url("github" if params else "google")
""",
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
@ext.panel("connect")
async def connect(ctx, provider="google", **params):
    await ctx.oauth_authorize_url(provider)
    return await ctx.oauth_authorize_url("google", login_hint=None)


@ext.schedule("daily", cron="0 6 * * *")
async def daily(ctx):
    async for user_id in ctx.store.list_users("notes", page_size=10_000):
        mine = ctx.as_user(user_id)
        await mine.store.query("all notes", limit=50_000)
        ctx.as_user(mine.user.imperal_id)
"""
        ),
        Example(
            """
class Bus:
    async def query_all(self, collection, limit=0):
        return []


@ext.panel("rows")
async def rows(ctx):
    return await Bus().query_all("all notes", limit=0)
"""
        ),
    ),
)
