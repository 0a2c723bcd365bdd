"""FED301: a call passes a key that the cache rejects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ....reports.lint.findings import Severity
from ...inference.flow.text_tests import is_looked_into, looks_into
from ...inference.texts.text_values import FREE, UNSAFE, Text
from ...inference.texts.texts import Describer
from ...inference.values.values import Alternative, Class, Const
from ...rule import Example, Hit, Rule
from ...sdk_use.certainty import is_alone, is_bounded
from ...view import FileView
from .support.cache_calls import CacheCall, cache_calls

_LONGEST = 128
_INSTEAD = "Hash free parts: hashlib.sha256({}.encode()).hexdigest()[:32]."
_REJECTED = re.compile(r"[^A-Za-z0-9_:-]+")


def _check(view: FileView) -> Iterator[Hit]:
    describer = Describer(view.evaluator)
    for call in cache_calls(view, "get", "set", "delete", "get_or_fetch"):
        key = call.arguments.get("key")
        if key is not None:
            yield from _key(view, call, key, describer)


def _key(view: FileView, call: CacheCall, key: ast.expr, describer: Describer) -> Iterator[Hit]:
    whole = describer.joined(view.module, key, None)
    found = describer.describe(view.module, key)
    if whole.chars in {FREE, UNSAFE} and not any(text.chars == UNSAFE for text, _ in found):
        if whole.chars == FREE and _is_tested(view, key, whole):
            return
        found = [(whole, call.item)]
    for text, item in found:
        judged = _judged(item, text)
        if judged is not None:
            severity, what = judged
            alone = (
                not is_bounded(view, key) if text is whole else _is_alone(view, key, item, found)
            )
            certain = call.certain and alone
            yield Hit(
                node=key,
                message=f"cache key: {_first(what)} {_effect(view, call, severity)} "
                f"{_advice(call, item, text)}",
                severity=severity if severity != "error" or certain else "warning",
                chain=view.chain(call.item) + view.chain(item),
            )
            return


_HELD = "; it may hold"


def _first(what: str) -> str:
    """Return a breach with what is known of the characters on a line of its own."""
    first, held, rest = what.rpartition(_HELD)
    return f"{first}\nIt may hold{rest}." if held else f"{what}\n"


def _is_tested(view: FileView, key: ast.expr, text: Text) -> bool:
    """Tell whether code around a call checks the key's text: ``re.fullmatch(…, params.q)``.

    A test for presence or length proves nothing about the characters.
    """
    names = {part.id for part in ast.walk(key) if isinstance(part, ast.Name)}
    names.update(text.why.partition(said)[0] for said in (" is free text", " may be "))
    chosen = (part.test for part in ast.walk(key) if isinstance(part, ast.IfExp))
    return is_looked_into(view.evaluator, view.module, key, names) or any(
        looks_into(test, names) for test in chosen
    )


def _is_alone(
    view: FileView, key: ast.expr, item: Alternative, found: list[tuple[Text, Alternative]]
) -> bool:
    """Tell whether every other possible key is rejected too."""
    rejected = [other for text, other in found if (_judged(other, text) or ("", ""))[0] == "error"]
    return is_alone(view, key, item, lambda other: other is item or other in rejected)


def _effect(view: FileView, call: CacheCall, severity: Severity) -> str:
    """Say that the call raises, or may raise; for an info name the release only."""
    raises = f"{call.method} raises ValueError in {view.sdk}"
    told = {"error": f"So {raises}.", "warning": f"With that {raises}."}
    return told.get(severity, f"Judged for {view.sdk}.")


def _advice(call: CacheCall, item: Alternative, text: Text) -> str:
    """Return what to write instead."""
    if isinstance(item.value, Class):
        return f"Give the key first: {call.method}(key, …)."
    if isinstance(item.value, Const):
        return _advice_for(item.value.value, text)
    if text.why.startswith("join() may have two parts"):
        return 'Join the parts with ":" or "-".'
    if "email" in text.why:
        return "Use ctx.user.imperal_id, which is safe."
    if text.why.isascii() and text.why.startswith(("it holds ", "a float holds ")):
        return 'Put ":", "-" or "_" in its place.'
    if " may be " in text.why:
        return "Replace what is not allowed, or name the choice without it."
    named, is_named, _ = text.why.partition(" is free text")
    return _INSTEAD.format(named if is_named else "text")


def _advice_for(value: object, text: Text) -> str:
    """Return what to write instead of a known value."""
    if value == "":
        return 'Name what is kept: "list".'
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    elif isinstance(value, str) and (text.chars != UNSAFE or text.sample is None):
        return _INSTEAD.format("text")
    shown = str(value).strip()
    clean = _REJECTED.sub("_", shown)
    tells = shown.isascii()  # letters of other scripts would all become the same sign
    return f'Write "{clean}".' if tells and 0 < len(clean) <= _LONGEST else _INSTEAD.format("text")


def _judged(item: Alternative, text: Text) -> tuple[Severity, str] | None:
    """Return severity and breach; None if nothing is proved."""
    value = item.value
    if isinstance(value, Const) and not (isinstance(value.value, str) and value.value):
        said = "it is empty" if value.value == "" else f"{value.value!r} is no text"
        return ("error", said) if value.value is not None else None
    if isinstance(value, Class):
        return "error", f"{value.node.name} is a class and no text"
    if text.sample is not None and text.sample.endswith("\n") and text.why == "it holds '\\n'":
        return "info", "it ends in a newline, which documents forbid and the code lets pass"
    if text.chars == UNSAFE:
        return "error", f"{text.why}, and only A-Z a-z 0-9 _ - : are allowed"
    if text.shortest > _LONGEST:
        return "error", f"it has at least {text.shortest} characters, and {_LONGEST} are allowed"
    if text.chars == FREE:
        may = f"; it may hold {text.refused}" if text.is_typed else ""
        return "warning", f"{text.why}{may}"
    return None


RULE = Rule(
    code="FED301",
    name="invalid-cache-key",
    summary="The cache rejects this key.",
    severity="error",
    invariant="I-CACHE-KEY-SAFETY",
    since="1.6.0",
    triggers=("cache",),
    check=_check,
    what="""
Follows the key of each cache call through constants, helpers and f-strings. Errors: a character
that is proved to be outside `[A-Za-z0-9_:-]` (also `ctx.user.email`), more than 128 characters,
an empty key, a class in the place of the key, bytes, the JSON of a model. Warnings: free text,
also behind `str.isalnum()` or `re.sub(r"\\W+", …)`, which let all scripts through, or
`base64`, which writes `=`; choices of a `Literal` that hold such a character; and parts of which
nobody knows the number, joined by one.
""",
    why="""
The call raises ValueError. Where that is caught, the cache never works for the users concerned,
often only for those who write in another script.
""",
    example='await ctx.cache.get(f"profile:{ctx.user.email}", Profile)',
    instead='await ctx.cache.get(f"profile:{ctx.user.imperal_id}", Profile)',
    references=("Cache vs store", "SDK sources: cache/client.py"),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await cached(ctx, Count, "count")


async def cached(ctx, model, key):
    return await ctx.cache.get(model, key)
""",
            holds="Count is a class and no text",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx, page=1):
    await ctx.cache.get("list/{}".format(page), Count)
""",
            holds="it holds '/'",
        ),
        Example(
            """
from datetime import datetime


@ext.panel("p")
async def p(ctx):
    await ctx.cache.get(f"p:{datetime.now():%d.%m}", Count)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx, page=1):
    key = "first"
    if page > 1:
        key = "page/next"
    await ctx.cache.get(key, Count)
""",
            severity="warning",
        ),
        Example("""
@ext.panel("p")
async def p(ctx):
    await ctx.cache.get("a b", Count)
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx, price=1.0):
    await ctx.cache.get(f"p-{price:.2f}", Count)
""",
            holds="a float holds",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.get(f"u:{ctx.user.email}", Count)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.delete("k" * 129)
""",
            holds="129",
        ),
        Example(
            """
KEY = "/all"


def key(part):
    return "list:" + part


@ext.panel("p")
async def p(ctx):
    await ctx.cache.get(key(KEY), Count)
"""
        ),
        Example(
            """
class Params(BaseModel):
    query: str = ""


@chat.function("f", "Finds")
async def f(ctx, params: Params):
    safe = "".join(c if c.isalnum() else "_" for c in params.query)[:80]
    await ctx.cache.get(f"q:{safe}", Count)
""",
            severity="warning",
        ),
        Example(
            """
from collections import namedtuple

Slot = namedtuple("Slot", "ttl key", defaults=["all notes"])
SLOT = Slot(60)


@ext.panel("p")
async def p(ctx):
    await ctx.cache.get(SLOT.key, Count)
""",
            holds="it holds ' '",
        ),
        Example(
            """
from typing import NamedTuple


class Slot(NamedTuple):
    key: str
    ttl: int = 60


KEY, TTL = Slot("all/notes")


@ext.panel("p")
async def p(ctx):
    await ctx.cache.get(KEY, Count)
""",
            holds="it holds '/'",
        ),
        Example(
            """
from functools import partial


@ext.panel("p")
async def p(ctx):
    load = partial(ctx.cache.get, "all notes")
    await load(Count)
    await load(model=Count)
""",
            holds="get raises ValueError",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.get("all\\n", Count)
""",
            severity="info",
        ),
    ),
    good=(
        Example(
            """
import re
from datetime import datetime


class Params(BaseModel):
    query: str = ""


@chat.function("f", "Finds")
async def f(ctx, params: Params):
    if not re.fullmatch("[a-z]+", params.query):
        return ActionResult.error("No letters")
    await ctx.cache.get(f"q:{params.query}", Count)
    await ctx.cache.get("at:{}:{}".format(datetime.now().strftime("%Y-%m-%d"), 1), Count)
"""
        ),
        Example(
            """
import hashlib
import re


@ext.panel("p")
async def p(ctx, query="", number=1):
    digest = hashlib.sha256(query.encode()).hexdigest()[:32]
    await ctx.cache.get(f"a:{digest}:{int(number)}:{ctx.user.imperal_id}", Count)
    await ctx.cache.get("a:" + re.sub(r"[^A-Za-z0-9]", "-", query)[:60], Count)
    await ctx.cache.get(f"detail_{number}", Count)
    await ctx.cache.get("a-b_c:9", Count)
"""
        ),
        Example(
            """
import functools
from collections import namedtuple

Slot = namedtuple("Slot", "key title")
SLOT = Slot(key="notes", title="All notes")
KEY, TITLE = SLOT


@ext.panel("p")
async def p(ctx):
    functools.partial(ctx.cache.get, "never called")
    load = functools.partial(ctx.cache.get, model=Count)
    await load(SLOT.key)
    await load(SLOT[0])
    await load(KEY)
    return functools.partial(print, "all notes")()
"""
        ),
        Example("""
def read(cache):
    return cache.get('a b')
"""),
    ),
)
