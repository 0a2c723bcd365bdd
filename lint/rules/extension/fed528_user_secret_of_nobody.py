"""FED528: a handler that runs for no user reads a secret that each user sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...files.plain_text import mentions
from ...inference.values.values import Alternative, Sdk
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import SdkCall, constants_of, sdk_calls
from ...sdk_use.declarations import Secret, declared_secrets
from ...sdk_use.reach import AS_SYSTEM, acts_for_a_user, owner_of, pseudo_user
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, ProjectView
from .support.secret_names import possible_names
from .support.system_user import names_pseudo_user
from .support.system_user_calls import possible_way
from .support.system_user_rows import client_calls, takes_method

_TRIGGER = "secrets"
_READING = ("get", "is_set")
_WRITTEN_BY_US = frozenset({"both", "extension"})
_SHARED = "5.9.2"
"""Release that added ``scope="app"``."""


def _check(view: FileView) -> Iterator[Hit]:
    if not mentions(view.module.source, _TRIGGER):
        return
    calls = list(sdk_calls(view, "SecretClient", *_READING))
    declared = view.extension.once(declared_secrets) if calls else None
    for call in calls if declared else ():
        name = call.arguments.get("name")
        found = (_as_nobody(view, call.node, item) for item in view.sdk_calls[call.node])
        item, user = next((each for each in found if each is not None), (None, ""))
        if name is None or item is None or declared is None:
            continue
        names = [text for text, _ in constants_of(view, name)]
        ours = [text for text in names if _is_of_each_user(view, declared, text, user)]
        if ours and len(ours) == len(view.values(name)):
            yield Hit(
                node=call.node,
                message=_message(view, call, str(ours[0]), declared, user),
                chain=view.chain(item),
            )


def _as_nobody(view: FileView, call: ast.Call, item: Alternative) -> tuple[Alternative, str] | None:
    """Return the callee that runs as a pseudo-user, and that user."""
    owner = owner_of(item.value)
    user = pseudo_user(owner) if owner is not None and owner.certain else ""
    if not user:
        return None
    callee = call.func
    is_method = isinstance(callee, ast.Attribute)
    way = possible_way(view.evaluator, view.module, callee, item) if is_method else item
    return (way, user) if way is not None else None


def _is_of_each_user(view: FileView, declared: dict[str, Secret], name: object, user: str) -> bool:
    """Tell whether each user writes their own value of a secret, and nobody else writes it."""
    secret = declared.get(name) if isinstance(name, str) else None
    if secret is None or secret.scope != "user":
        return False
    if secret.write_mode == "user":
        return True
    if secret.write_mode not in _WRITTEN_BY_US or names_pseudo_user(view.extension.project, user):
        return False
    written = view.extension.once(_set_by_others)
    return not any(who in {user, ""} and what in {name, ""} for who, what in written)


def _set_by_others(extension: ProjectView) -> frozenset[tuple[str, str]]:
    """Return (pseudo-user, secret) of each ``set``; an empty text stands for what is not known."""
    is_taken = takes_method(extension, _TRIGGER, "SecretClient", "set")
    found = {("", "")} if is_taken else set[tuple[str, str]]()
    for view, call, callee in client_calls(extension, _TRIGGER):
        if callee.attr == "set":
            owners = [owner_of(item.value) for item in view.values(callee)] or [None]
            others = [own for own in owners if not _is_of_users(own)]
            names = possible_names(view, call, "set") if others else ()
            users = {pseudo_user(own) if own and own.certain else "" for own in others}
            found.update((user, name) for user in users for name in names)
    return frozenset(found)


def _is_of_users(owner: Sdk | None) -> bool:
    return owner is not None and owner.certain and acts_for_a_user(owner)


def _message(
    view: FileView,
    call: SdkCall,
    name: str,
    declared: dict[str, Secret],
    user: str,
) -> str:
    is_entered = declared[name].write_mode == "user"
    of_users = (
        "Go through the users, with ctx.as_user(user_id).secrets"
        if user == AS_SYSTEM
        else "Take the secret of the user whose event it is: ctx.secrets.for_user(user_id)"
    )
    nothing = "None" if call.method == "get" else "False"
    return (
        f"{source_of(call.node.func)}({name!r}) always returns {nothing}\nIn {view.sdk} it runs as "
        f"{user}, each user keeps a value of their own, and nobody "
        f"{'enters' if is_entered else 'sets'} one for {user}. {of_users}"
        f"{_or_shared(view, name) if is_entered else ''}."
    )


def _or_shared(view: FileView, name: str) -> str:
    """Return the second advice, which only fits secrets that the developer sets."""
    if not view.surface.at_least(_SHARED):
        return f'; or require imperal-sdk>={_SHARED}, which has scope="app" for what all share'
    return (
        '; or declare it with scope="app" if it is yours and not the user\'s: '
        f'ext.secret("{name}", "What it is for", scope="app")'
    )


RULE = Rule(
    code="FED528",
    name="user-secret-without-user",
    summary="A schedule or webhook asks for a secret that each user has for themselves.",
    severity="warning",
    since="4.2.2",
    triggers=(_TRIGGER,),
    check=_check,
    what="""
Finds `ctx.secrets.get` and `is_set` that a handler of `@ext.webhook`, `@ext.schedule` or
`@ext.signal` reaches with its own context, through helpers too, for a secret with `scope="user"`,
the default. Left alone: secrets with `scope="app"`, those that the extension itself may also set
elsewhere than in handlers of users, calls behind `as_user` and `for_user`, and secrets whose
declarations cannot all be followed.
""",
    why="""
Such a secret is kept for each user, who enters it in the panel. Nobody is logged in when a
webhook arrives or a schedule runs: the pseudo-user has no secrets. A webhook that compares a
signature with it refuses every event; a schedule behaves as if nobody were connected.
""",
    example='ext.secret("hook_key", "Signs the events")\n\n\n@ext.webhook("/in")\n'
    "async def inbound(ctx, headers, body, query_params):\n"
    '    key = await ctx.secrets.get("hook_key")',
    instead='ext.secret("hook_key", "Signs the events", scope="app")\n\n\n@ext.webhook("/in")\n'
    "async def inbound(ctx, headers, body, query_params):\n"
    '    key = await ctx.secrets.get("hook_key")',
    references=("imperal_sdk.Extension.secret", "imperal_sdk.secrets.SecretSpec: scope"),
    bad=(
        Example(
            """
ext.secret("hook_key", "Signs the events")


async def key_of(ctx):
    return await ctx.secrets.get("hook_key")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    return await key_of(ctx)
""",
            holds="calls key_of",
        ),
        Example(
            """
NAME = "token"
ext.secret(name=NAME, description="The user's token", scope="user")


@ext.panel("p")
async def p(ctx):
    return await connected(ctx)


async def connected(ctx):
    return await ctx.secrets.is_set(NAME)


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    return await connected(ctx)
""",
            holds="as __system__",
        ),
        Example(
            """
ext.secret("hook_key", "Signs the events", write_mode="both")


@ext.panel("p")
async def p(ctx):
    await ctx.secrets.set("hook_key", "new")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    return await ctx.secrets.get("hook_key")
""",
            holds="nobody sets one for __webhook__. Take the secret of the user",
        ),
        Example(
            """
ext.secret("token", "The user's token")


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    return await ctx.secrets.get("token")
""",
            sdk="5.9.1",
            holds="require imperal-sdk>=5.9.2",
        ),
    ),
    good=(
        Example(
            """
ext.secret("hook_key", "Signs the events", scope="app")
ext.secret("token", "The user's token")
ext.secret("state", "Written by us", write_mode="both")


@ext.panel("p")
async def p(ctx):
    return await ctx.secrets.get("token")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await ctx.secrets.set("state", "seen")
    return await ctx.secrets.get("hook_key"), await ctx.secrets.get("state")


@ext.webhook("/out")
async def outbound(ctx, headers, body, query_params):
    return await ctx.secrets.get("state")


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    async for uid in ctx.store.list_users("accounts"):
        await ctx.as_user(uid).secrets.get("token")
"""
        ),
    ),
)
