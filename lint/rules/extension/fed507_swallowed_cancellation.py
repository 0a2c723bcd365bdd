"""FED507: an ``except`` that swallows the user's cancel."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix, Safety, Span
from ...inference.syntax.module import last_name
from ...rule import Example, Hit, Rule
from ...sdk.module_surface import modules
from ...sdk_use.calls import SdkCall, sdk_calls
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, span_of
from .support.cancellations import NAME, Catcher, Swallowed, swallowed


def _check(view: FileView) -> Iterator[Hit]:
    """Report once for each handler, at the first call that it covers."""
    if NAME not in modules(view.surface.version).names("chat"):
        return  # 2.0.0 has no such exception that a handler could name
    reported: set[Catcher] = set()
    for call in sdk_calls(view, "Context", "progress", given=True):
        for found in swallowed(view, call.node):
            if found.catcher not in reported and not _ends_loop(view, found):
                reported.add(found.catcher)
                yield _hit(view, call, found)


def _hit(view: FileView, call: SdkCall, found: Swallowed) -> Hit:
    """Mark the call, or the handler in this file if it covers the call through other calls.

    A handler in another file is not marked: that file need not contain the trigger.
    """
    handler, is_here = found.catcher, found.module is view.module
    by = f"{source_of(found.at.func)} awaits " if found.item.via else ""
    typed = handler.type if isinstance(handler, ast.ExceptHandler) else None
    is_far = bool(found.item.via) and is_here
    return Hit(
        node=(typed or handler) if is_far else call.node,
        message=f"{_told(found, is_here=is_here)}\n"
        f"{by}{source_of(call.node.func)}{', which' if by else ''} raises TaskCancelled when the "
        f"user cancels, a plain Exception in {view.sdk}. {_way(found)}",
        chain=view.chain(found.item) if found.item.via else view.chain(call.item),
        fix=_fix(view, handler) if isinstance(handler, ast.ExceptHandler) and is_here else None,
    )


def _told(found: Swallowed, *, is_here: bool) -> str:
    handler = found.catcher
    place = "" if is_here else f" of {found.module.source.path.name}"
    if isinstance(handler, ast.Call):
        kept = last_name(handler.func) == "gather"
        what = "gather(…, return_exceptions=True)" if kept else source_of(handler)
        return f"{what} in line {handler.lineno}{place} drops the cancel, so the task goes on"
    caught = source_of(handler.type) if handler.type else "everything"
    return (
        f"the handler in line {handler.lineno}{place} catches {caught}, so the user's cancel is "
        "lost"
    )


def _way(found: Swallowed) -> str:
    """Return what to write instead."""
    handler = found.catcher
    if isinstance(handler, ast.Call):
        kept = last_name(handler.func) == "gather"
        return "Raise what it returns." if kept else "Take ctx.progress out of this block."
    return (
        "Put `except TaskCancelled: raise` before it (from imperal_sdk.chat import TaskCancelled)."
    )


def _fix(view: FileView, handler: ast.ExceptHandler) -> Fix | None:
    """Put ``except TaskCancelled: raise`` before the handler, and import the name."""
    source = view.module.source
    column = source.column(handler.lineno, handler.col_offset)
    indent = source.lines[handler.lineno - 1][: column - 1]
    edits = [_insertion(handler.lineno, f"{indent}except {NAME}:\n{indent}    raise\n")]
    if NAME not in view.extension.project.table(view.module.tree):
        line = _line_after_imports(view)
        if line is None:
            return None
        edits.insert(0, _insertion(line, f"from imperal_sdk.chat import {NAME}\n"))
    if indent.strip() or "\\" in source.lines[handler.lineno - 2]:
        return None
    may_be_meant = isinstance(handler.body[-1], ast.Return) and _is_for_cancel(view, handler)
    safety: Safety = "unsafe" if may_be_meant else "safe"
    return Fix(title=f"Let {NAME} through", safety=safety, edits=tuple(edits))


def _ends_loop(view: FileView, found: Swallowed) -> bool:
    """Tell whether a handler catches only the cancel and breaks the loop."""
    handler = found.catcher
    return (
        isinstance(handler, ast.ExceptHandler)
        and isinstance(handler.body[-1], ast.Break)
        and found.module is view.module
        and _is_for_cancel(view, handler)
    )


def _is_for_cancel(view: FileView, handler: ast.ExceptHandler) -> bool:
    """Tell whether a block awaits only ``ctx.progress``."""
    around = view.module.parents[handler]
    body = around.body if isinstance(around, ast.Try) else []
    waits = (ast.Await, ast.AsyncFor, ast.AsyncWith)
    found = [node for part in body for node in ast.walk(part) if isinstance(node, waits)]
    progress = {call.node for call in sdk_calls(view, "Context", "progress", given=True)}
    return all(isinstance(node, ast.Await) and node.value in progress for node in found)


def _insertion(line: int, text: str) -> Edit:
    return Edit(span=Span(line=line, column=1, end_line=line, end_column=1), replacement=text)


def _line_after_imports(view: FileView) -> int | None:
    """Return the line after the last import at the top of the file, if it ends its line."""
    last: ast.stmt | None = None
    for statement in view.module.tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            last = statement
        elif not isinstance(statement, ast.Expr) or last is not None:
            break
    if last is None:
        return None
    span = span_of(view.module, last)
    rest = view.module.source.lines[span.end_line - 1][span.end_column - 1 :].strip()
    return span.end_line + 1 if not rest or rest.startswith("#") else None


_SWALLOWING = """
@ext.tool("t")
async def t(ctx):
    try:
        await ctx.progress(10)
    except Exception:
        pass
"""
_WORKING = """
async def step(ctx):
    await ctx.progress(10)


@ext.tool("t")
async def t(ctx):
    try:
        await step(ctx)
"""

RULE = Rule(
    code="FED507",
    name="swallowed-cancellation",
    summary="An `except Exception` around `ctx.progress` swallows the user's cancel.",
    severity="warning",
    triggers=("progress",),
    since="1.2.0",
    check=_check,
    what="Finds `ctx.progress`, or the awaited call of a function that awaits it, inside a `try` "
    "whose `except`, `except Exception` or `except BaseException` neither raises again nor follows "
    "an `except TaskCancelled`, inside `contextlib.suppress(Exception)`, or inside "
    "`asyncio.gather(…, return_exceptions=True)` whose result nobody reads. The handlers of "
    "decorators count too. A block that awaits nothing but `ctx.progress` and leaves its loop by "
    "`break` is left alone: there the cancel ends the work.",
    why="""
A cancel reaches the extension as TaskCancelled, raised by `ctx.progress`. It is a plain Exception,
so a broad handler turns it into an error message, or into nothing, and the cancelled task goes on.
""",
    example='try:\n    await ctx.progress(10, "Reading")\n    rows = await load(ctx)\n'
    "except Exception as error:\n    return ActionResult.error(str(error))",
    instead='try:\n    await ctx.progress(10, "Reading")\n    rows = await load(ctx)\n'
    "except TaskCancelled:\n    raise\nexcept Exception as error:\n"
    "    return ActionResult.error(str(error))",
    safety="Safe: the handler keeps everything else; the import is added if it is missing. Unsafe "
    "where the block awaits nothing but `ctx.progress` and the handler ends in `return`: perhaps "
    "that is how a cancel is to end.",
    references=("imperal_sdk.Context.progress", "imperal_sdk.chat.TaskCancelled"),
    bad=(
        Example(
            _WORKING
            + """\
    except Exception as error:
        return ActionResult.error(str(error))
""",
            holds="step awaits ctx.progress, which raises TaskCancelled",
        ),
        Example(_SWALLOWING, sdk="1.2.0"),
        Example(
            """
from contextlib import suppress


async def tell(c, done):
    with suppress(Exception):
        await c.progress(done)


@ext.tool("t")
async def t(ctx):
    await tell(ctx, 10)
""",
            holds="suppress(Exception) in line",
        ),
        Example(_SWALLOWING),
        Example(
            "\nasync def work(c):\n    try:\n        try:\n            await c.progress(10)\n"
            "        except ValueError:\n            pass\n"
            "    except (OSError, BaseException) as e:\n"
            '        return str(e)\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            "    return await work(ctx)\n"
        ),
    ),
    good=(
        Example(
            f"\nimport asyncio\n\n{_WORKING}"
            """\
    except ValueError:
        return ActionResult.error("No number")
    await asyncio.gather(step(ctx), step(ctx))
"""
        ),
        Example(
            """
import contextlib


@ext.tool("t")
async def t(ctx):
    with contextlib.suppress(KeyError):
        await ctx.progress(10)
    with contextlib.suppress(Exception):
        await ctx.notify("done")
"""
        ),
        Example(
            "\nfrom imperal_sdk import Extension\nfrom imperal_sdk.chat import TaskCancelled\n\n"
            "ext = Extension('n')\n\n\n"
            '@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(10)\n'
            "    except TaskCancelled:\n        raise\n    except Exception:\n        pass\n"
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.progress(10)\n    try:\n'
            '        await ctx.ai.complete("x")\n'
            "    except Exception:\n        await ctx.progress(50)\n"
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(10)\n'
            "    except Exception as e:\n        raise RuntimeError('x') from e\n"
        ),
        Example(
            "\ndef show(bar):\n    try:\n        bar.progress(10)\n    except Exception:\n"
            "        pass\n"
        ),
        Example(_SWALLOWING, sdk="1.1.0"),
        Example(_SWALLOWING, sdk="2.0.0"),
    ),
)
