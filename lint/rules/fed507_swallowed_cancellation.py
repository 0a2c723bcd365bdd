"""FED507: a user's cancel that is swallowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reports.lint.findings import Edit, Fix, Span
from ..model.calling import own_nodes
from ..model.module import FUNCTIONS, last_name
from ..model.values import External
from ..queries.guards import exception_names
from ..queries.sdk_calls import sdk_calls
from ..queries.sdk_objects import source_of
from ..rule import Example, Hit, Rule
from ..sdk.module_surface import modules
from ..view import FileView, span_of

_NAME = "TaskCancelled"
_BROAD = frozenset({"Exception", "BaseException"})


def _check(view: FileView) -> Iterator[Hit]:
    """Report once for each handler, at the first call that it covers."""
    if _NAME not in modules(view.surface.version).names("chat"):
        return  # 2.0.0 has no such exception that a handler could name
    reported: set[ast.ExceptHandler | ast.Call] = set()
    for call in sdk_calls(view, "Context", "progress"):
        handler = _swallowing(view, call.node)
        if handler is None or handler in reported:
            continue
        reported.add(handler)
        yield Hit(
            node=call.node,
            message=f"{source_of(call.node.func)} raises TaskCancelled when the user cancels, a "
            f"plain Exception in {view.sdk}: {_told(handler)}",
            chain=view.chain(call.item),
            fix=_fix(view, handler) if isinstance(handler, ast.ExceptHandler) else None,
        )


def _told(handler: ast.ExceptHandler | ast.Call) -> str:
    if isinstance(handler, ast.Call):
        return (
            f"{source_of(handler)} in line {handler.lineno} drops it, so the cancelled task goes "
            "on. Take ctx.progress out of this block."
        )
    caught = source_of(handler.type) if handler.type else "everything"
    return (
        f"the handler in line {handler.lineno} catches {caught}, so the cancel is lost or reported "
        "as an error. Put `except TaskCancelled: raise` before it (from imperal_sdk.chat import "
        "TaskCancelled)."
    )


def _fix(view: FileView, handler: ast.ExceptHandler) -> Fix | None:
    """Put ``except TaskCancelled: raise`` before the handler, and import the name."""
    source = view.module.source
    column = source.column(handler.lineno, handler.col_offset)
    indent = source.lines[handler.lineno - 1][: column - 1]
    edits = [_insertion(handler.lineno, f"{indent}except {_NAME}:\n{indent}    raise\n")]
    if _NAME not in view.extension.project.table(view.module.tree):
        line = _line_after_imports(view)
        if line is None:
            return None
        edits.insert(0, _insertion(line, f"from imperal_sdk.chat import {_NAME}\n"))
    safe = not indent.strip() and "\\" not in source.lines[handler.lineno - 2]
    title = f"Let {_NAME} through"
    return Fix(title=title, safety="safe", edits=tuple(edits)) if safe else None


def _insertion(line: int, text: str) -> Edit:
    return Edit(span=Span(line=line, column=1, end_line=line, end_column=1), replacement=text)


def _line_after_imports(view: FileView) -> int | None:
    """Return the line after the last import at the top of the file, if it ends its line."""
    last: ast.stmt | None = None
    for statement in view.module.tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            last = statement
        elif not isinstance(statement, ast.Expr) or last is not None:
            break
    if last is None:
        return None
    span = span_of(view.module, last)
    rest = view.module.source.lines[span.end_line - 1][span.end_column - 1 :].strip()
    return span.end_line + 1 if not rest or rest.startswith("#") else None


def _swallowing(view: FileView, node: ast.AST) -> ast.ExceptHandler | ast.Call | None:
    """Return what catches TaskCancelled from a node and does not raise again."""
    child = node
    for parent in view.module.ancestors(node):
        if isinstance(parent, FUNCTIONS):
            break
        if isinstance(parent, ast.Try) and child in parent.body:
            handler = next((each for each in parent.handlers if _catches(each)), None)
            if handler is not None:
                return (
                    None if exception_names(handler.type) & {_NAME} or _raises(handler) else handler
                )
        if isinstance(parent, ast.With) and child in parent.body:
            for item in parent.items:
                if isinstance(item.context_expr, ast.Call) and _drops(view, item.context_expr):
                    return item.context_expr
        child = parent
    return None


def _drops(view: FileView, context: ast.Call) -> bool:
    """Tell whether a context is ``contextlib.suppress`` of what TaskCancelled is."""
    if not _BROAD & set(map(last_name, context.args)):
        return False
    found = view.values(context.func)
    return bool(found) and all(item.value == External("contextlib.suppress") for item in found)


def _catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or bool(exception_names(handler.type) & (_BROAD | {_NAME}))


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in own_nodes(handler))


RULE = Rule(
    code="FED507",
    name="swallowed-cancellation",
    summary="An `except Exception` around `ctx.progress` swallows the user's cancel.",
    severity="warning",
    triggers=("progress",),
    since="1.2.0",
    check=_check,
    what="Finds `ctx.progress` inside a `try` whose `except`, `except Exception` or `except "
    "BaseException` neither raises again nor follows an `except TaskCancelled`, or inside "
    "`contextlib.suppress(Exception)`.",
    why="""
A cancel reaches the extension as TaskCancelled, raised by `ctx.progress`. It is a plain Exception,
so a broad handler turns it into an error message, or into nothing, and the cancelled task goes on.
""",
    example='try:\n    await ctx.progress(10, "Reading")\n    rows = await load(ctx)\n'
    "except Exception as error:\n    return ActionResult.error(str(error))",
    instead='try:\n    await ctx.progress(10, "Reading")\n    rows = await load(ctx)\n'
    "except TaskCancelled:\n    raise\nexcept Exception as error:\n"
    "    return ActionResult.error(str(error))",
    safety="Safe: the handler keeps everything else; the import is added if it is missing.",
    references=("imperal_sdk.Context.progress", "imperal_sdk.chat.TaskCancelled"),
    bad=(
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(10)\n'
            "    except Exception:\n        pass\n",
            sdk="1.2.0",
        ),
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
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(10)\n'
            "    except Exception:\n        pass\n"
        ),
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
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(10)\n'
            "    except Exception:\n        pass\n",
            sdk="1.1.0",
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    try:\n        await ctx.progress(10)\n'
            "    except Exception:\n        pass\n",
            sdk="2.0.0",
        ),
    ),
)
