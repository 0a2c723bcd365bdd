"""FED115: an attribute that the plain value of an SDK object's field does not have."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from ..model.conditions import conditions
from ..model.module import Module, last_name
from ..model.spelling import spelled
from ..model.values import Alternative, SdkField, SdkMethod
from ..queries.names_behind import is_about_same
from ..queries.patches import is_replaced
from ..queries.sdk_objects import Verdict, is_attached, missing, operand_of, source_of
from ..rule import Example, Hit, Rule
from ..sdk.surface import Member
from ..view import Access, FileView

_PLAIN = frozenset({"bool", "bytes", "dict", "float", "int", "list", "str"})
_NOTHING = frozenset({"None", ""})
_OPEN = frozenset({("HTTPResponse", "body"), ("HTTPResponse", "json")})
"""What a server sends may be any JSON, whatever is written."""
_KIND = frozenset({"callable", "isinstance", "issubclass", "type"})
"""What asks for the kind of a value."""
_TIMES = frozenset({"created_at", "now_local", "now_utc", "updated_at"})
"""Fields that hold a time as a text."""


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        if access.name.startswith("__"):
            continue
        found = view.values(access.owner)
        field = found[0].value if found else None
        if not isinstance(field, SdkField):
            continue
        types = [_lacking(view, item, access.name) for item in found]
        if all(types) and not _is_asked(view, access, found[0]):
            verdict = missing(view, access, found[0])
            place = f"{field.owner.cls}.{field.name}"
            yield _hit(view, access, found[0], place, types[0], verdict)
    yield from _of_results(view)


def _of_results(view: FileView) -> Iterator[Hit]:
    """Find ``(await ctx.store.delete(…)).id``, and the same by the only name that it gets."""
    for call, callees in view.sdk_calls.items():
        method = callees[0].value if len(callees) == 1 else None
        if not isinstance(method, SdkMethod) or (method.owner.cls, method.name) in _OPEN:
            continue
        member = view.surface.member(method.owner.cls, method.name)
        returned = _types(member.returns) if member is not None else ()
        for node in _reads(view.module, call, member) if member is not None and returned else ():
            types = _without(returned, node.attr)
            found = view.values(node.value) if types else ()
            if len(found) == 1 and not is_replaced(view, method.owner.cls, method.name):
                access = Access(node, node.value, node.attr, "read")
                if _is_asked(view, access, found[0]):
                    continue
                verdict = missing(view, access, found[0])
                place = f"{source_of(call.func)}()"
                yield _hit(view, access, callees[0], place, types, verdict)


def _reads(module: Module, call: ast.Call, method: Member) -> Iterator[ast.Attribute]:
    """Yield the attributes that are read of what a call returns."""
    result: ast.AST = module.parents[call] if method.is_async else call
    if method.is_async and not isinstance(result, ast.Await):
        return
    parent = module.parents.get(result)
    if isinstance(parent, ast.Attribute):
        yield parent
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    function = module.function(result)
    if not isinstance(target, ast.Name) or function is None:
        return
    if len(module.stores(function, target.id)) == 1:
        for read in module.reads(function, target.id):
            around = module.parents.get(read)
            if isinstance(around, ast.Attribute):
                yield around


def _is_asked(view: FileView, access: Access, item: Alternative) -> bool:
    """Tell whether the code asks what kind of value it has, here or where it hands it on."""
    owner = spelled(access.owner)
    return any(
        _asks_kind(view, view.module, call, access.owner)
        or (last_name(call.func) != "hasattr" and owner in map(spelled, call.args))
        for call in _calls_asked(view.module, access.node)
    ) or any(
        _asks_kind(view, step.module, call, step.node)
        for step in item.via
        for call in _calls_asked(step.module, step.node)
    )


def _asks_kind(view: FileView, module: Module, call: ast.Call, used: ast.AST) -> bool:
    """Tell whether a question is for the kind of what is used, or of what that comes from."""
    is_kind = last_name(call.func) in _KIND and bool(call.args)
    return is_kind and is_about_same(view, module, call.args[0], used)


def _calls_asked(module: Module, place: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in the conditions under which a place is reached."""
    for test, _ in conditions(module, place, rebound=False):
        yield from (part for part in ast.walk(test) if isinstance(part, ast.Call))


def _lacking(view: FileView, item: Alternative, name: str) -> tuple[str, ...]:
    """Return the builtin types of a field of the SDK, if none of them has an attribute."""
    field = item.value
    if not isinstance(field, SdkField) or (field.owner.cls, field.name) in _OPEN:
        return ()
    member = view.surface.member(field.owner.cls, field.name)
    types = _without(_types(member.returns), name) if member is not None else ()
    return () if types and is_attached(view, field.name, own=False) else types


def _types(written: str) -> tuple[str, ...]:
    """Return the builtin types that a written type names besides None; nothing for others."""
    inner = written.strip(" '\"").removeprefix("Optional[") if "Optional[" in written else written
    parts = [part.strip(" '\"]") for part in inner.split("|")]
    types = tuple(part.partition("[")[0] for part in parts if part not in _NOTHING)
    return types if _PLAIN.issuperset(types) else ()


def _without(types: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the types if none of them has an attribute."""
    return () if any(hasattr(getattr(builtins, each), name) for each in types) else types


def _hit(
    view: FileView,
    access: Access,
    item: Alternative,
    place: str,
    types: tuple[str, ...],
    verdict: Verdict,
) -> Hit:
    kinds = " or ".join(f"{'an' if name == 'int' else 'a'} {name}" for name in types)
    return Hit(
        node=access.node,
        message=f"{source_of(access.node)}: {place} is {kinds} in {view.sdk}, which has "
        f"no {access.name}; {verdict.text}{view.way(item)}. "
        f"{_advice(access, place.rpartition('.')[2], types)}",
        severity=verdict.severity,
        chain=view.chain(item),
    )


def _advice(access: Access, field: str, types: tuple[str, ...]) -> str:
    owner = operand_of(access.owner)
    if field in _TIMES:
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
`doc.data.title`, `response.headers.content_type`, `ctx.user.role.name`; and the same of what a
method returns: `(await ctx.secrets.get("key")).value`, `rows = await ctx.store.list("notes")` and
then `rows.data`. Fields whose type is no
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
    rows = await ctx.store.list("notes")
    return [row.id for row in rows.data]
""",
            holds="rows.data: ctx.store.list() is a list in imperal-sdk 6.3.7, which has no data",
        ),
        Example(
            """
ext.secret("key", "The user's key")


@ext.panel("p")
async def p(ctx):
    return (await ctx.secrets.get("key")).value
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

ext.secret("key", "The user's key")


@ext.panel("p")
async def p(ctx):
    rows = await ctx.store.list("notes")
    if not rows:
        rows = await ctx.store.query("notes")
        rows = rows.data
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
        (await ctx.store.list("notes")).copy(),
        (await ctx.secrets.get("key") or "").strip(),
        (await ctx.store.create("notes", {})).id,
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
