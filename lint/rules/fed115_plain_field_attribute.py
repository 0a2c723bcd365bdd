"""FED115: an attribute that the plain value of an SDK object's field does not have."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from ..model.values import Alternative, SdkField
from ..queries.sdk_objects import is_attached, missing, operand_of, source_of
from ..rule import Example, Hit, Rule
from ..view import Access, FileView

_PLAIN = frozenset({"bool", "bytes", "dict", "float", "int", "list", "str"})
_NOTHING = frozenset({"None", ""})
_TIMES = frozenset({"created_at", "now_local", "now_utc", "updated_at"})
"""Fields that hold a time as a text."""


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        if access.name.startswith("__"):
            continue
        found = view.values(access.owner)
        types = [_lacking(view, item, access.name) for item in found]
        if found and all(types) and isinstance(found[0].value, SdkField):
            yield _hit(view, access, found[0], found[0].value, types[0])


def _lacking(view: FileView, item: Alternative, name: str) -> tuple[str, ...]:
    """Return the builtin types of a field of the SDK, if none of them has an attribute."""
    field = item.value
    if not isinstance(field, SdkField) or is_attached(view, field.name, own=False):
        return ()
    member = view.surface.member(field.owner.cls, field.name)
    written = [part.strip() for part in member.returns.split("|")] if member is not None else []
    types = tuple(part.partition("[")[0] for part in written if part not in _NOTHING)
    is_plain = bool(types) and _PLAIN.issuperset(types)
    return types if is_plain and not any(hasattr(_class(it), name) for it in types) else ()


def _class(name: str) -> type:
    return getattr(builtins, name)


def _hit(
    view: FileView, access: Access, item: Alternative, field: SdkField, types: tuple[str, ...]
) -> Hit:
    verdict = missing(view, access, item)
    kinds = " or ".join(f"{'an' if name == 'int' else 'a'} {name}" for name in types)
    place = f"{field.owner.cls}.{field.name}"
    return Hit(
        node=access.node,
        message=f"{source_of(access.node)}: {place} is {kinds} in {view.sdk}, which has "
        f"no {access.name}; {verdict.text}{view.way(item)}. "
        f"{_advice(access, field, types)}",
        severity=verdict.severity,
        chain=view.chain(item),
    )


def _advice(access: Access, field: SdkField, types: tuple[str, ...]) -> str:
    owner = operand_of(access.owner)
    if field.name in _TIMES:
        return f'Read the text first: datetime.fromisoformat({owner}.replace("Z", "+00:00")).'
    if types == ("dict",):
        return f'Write {owner}["{access.name}"] or {owner}.get("{access.name}").'
    if types == ("list",):
        return f"Ask one of its items: {owner}[0].{access.name}."
    return "Use the value itself."


RULE = Rule(
    code="FED115",
    name="plain-field-attribute",
    summary="A field of an SDK object holds a plain value, which does not have this attribute.",
    severity="error",
    check=_check,
    since="1.0.0",
    what="""
Finds attributes that a text, a number, a dict or a list does not have, where a field of the SDK
holds one in the target version: `ctx.time.now_utc.isoformat()`, `doc.created_at.strftime(…)`,
`doc.data.title`, `response.headers.content_type`, `ctx.user.role.name`. Fields whose type is no
builtin one, those that the extension itself sets, and what may be something else as well are left
alone.
""",
    why="""
Times come as texts and rows as dicts, for they come from JSON. The attribute raises AttributeError
at run time; a mock that holds a datetime or a namespace keeps tests green.
""",
    example="since = ctx.time.now_utc.isoformat()",
    instead="since = ctx.time.now_utc",
    references=("SDK sources: context.py TimeContext, types/models.py",),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.time.now_utc.isoformat()
""",
            holds="ctx.time.now_utc.isoformat: TimeContext.now_utc is a str in imperal-sdk 6.3.7, "
            "which has no isoformat; it raises AttributeError",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await titles(await ctx.store.query("notes"))


async def titles(page):
    return [note.data.title for note in page.data]
""",
            holds='Write note.data["title"] or note.data.get("title").',
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    page = await ctx.store.query("notes")
    return page.data.title
""",
            holds="Ask one of its items: page.data[0].title.",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    note = await ctx.store.get("notes", "1")
    note.data.title = "x"
""",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    now = ctx.time.now_utc
    return now.isoformat() if hasattr(now, "isoformat") else now
""",
            severity="info",
        ),
    ),
    good=(
        Example(
            """
from datetime import datetime


@ext.panel("p")
async def p(ctx):
    note = await ctx.store.get("notes", "1")
    answer = await ctx.http.get("https://example.com")
    return (
        ctx.time.now_utc.replace("Z", "+00:00"),
        datetime.fromisoformat(note.created_at).isoformat(),
        note.data.get("title").strip(),
        answer.headers.get("content-type"),
        answer.body.get("x"),
        ctx.user.email.lower(),
        ctx.user.scopes.copy(),
        ctx.time.hour_local.real,
    )
"""
        ),
        Example(
            """
class Clock:
    now_utc = None


@ext.panel("p")
async def p(ctx):
    ctx.time.now_utc = Clock()
    return ctx.time.now_utc.isoformat(), Clock().now_utc.isoformat()
"""
        ),
    ),
)
