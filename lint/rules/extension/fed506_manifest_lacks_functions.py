"""FED506: the manifest lacks functions that the code declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sized

from ...files.plain_text import plain_text
from ...rule import Example, ManifestHit, Rule
from ...view import ProjectView

_LISTS_FUNCTIONS = "4.0.0"
"""Release from which ``imperal build`` writes functions into the manifest."""
_REFUSES_ROUTERS = "5.0.0"
_ROUTER = re.compile(r"tool_.+_chat")
_DECLARED = re.compile(
    rb"""\.\s*(function|tool)\s*\((?:\s*(?:name\s*=\s*)?["']([^"'\\\n]{1,200})["']\s*[,)])?"""
)
"""Matches a declaration, and its name if that is the first argument and a literal."""


def _check(view: ProjectView) -> Iterator[ManifestHit]:
    manifest = view.project.manifest
    if manifest is None or "app_id" not in manifest:
        return
    listed = _names(view)
    functions = (
        _missing(view, "function", listed) if view.surface.at_least(_LISTS_FUNCTIONS) else []
    )
    lists_tools = bool(listed) and view.surface.at_least(_REFUSES_ROUTERS)
    tools = _missing(view, "tool", listed) if lists_tools else []
    missing = [*functions, *tools]
    if missing:
        shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        effect = (
            "the platform does not offer what it does not list"
            if view.surface.at_least(_REFUSES_ROUTERS)
            else "only the extension's own chat router finds what it does not list"
        )
        written = re.search(r'"tools"\s*:', view.project.manifest_text)
        counted = " and ".join(
            _counted(names, noun)
            for names, noun in ((functions, "function"), (tools, "tool"))
            if names
        )
        yield ManifestHit(
            needle=written.group() if written else "{",
            message=f"the manifest lists {_counted(view.project.listed('tools'), 'tool')} and "
            f"lacks {counted} of the code\n{effect[:1].upper()}{effect[1:]}: {shown}. Build it "
            "again: imperal build.",
        )
    for name in sorted(listed) if view.surface.at_least(_REFUSES_ROUTERS) else ():
        if _ROUTER.fullmatch(name):
            yield ManifestHit(
                needle=f'"{name}"',
                message=f"{name}: the validator refuses a manifest that lists it\n"
                "It is the entry of the old chat router, which went with SDK 5.0.0 (V25). Build "
                "it again: "
                "imperal build.",
            )


def _counted(items: Sized, noun: str) -> str:
    return f"{len(items)} {noun}{'s' * (len(items) != 1)}"


def _names(view: ProjectView) -> frozenset[str]:
    """Return the names in the manifest's list of tools."""
    names = (item.get("name") for item in view.project.listed("tools"))
    return frozenset(name for name in names if isinstance(name, str))


def _missing(view: ProjectView, kind: str, listed: frozenset[str]) -> list[str]:
    """Return the known handlers of a kind that the manifest does not list.

    ``imperal build`` leaves out tools whose names begin with two underscores, and the validator
    refuses the entry of the old chat router.
    """
    if not _may_miss(view, kind, listed):
        return []
    return sorted(
        {
            role.name
            for _, _, role in view.handlers(kind)
            if role.kind == kind
            and role.name not in {"", *listed}
            and not (
                kind == "tool" and (role.name.startswith("__") or _ROUTER.fullmatch(role.name))
            )
        }
    )


def _may_miss(view: ProjectView, kind: str, listed: frozenset[str]) -> bool:
    """Tell whether a file's text declares what the manifest may lack; only then it is parsed."""
    known = {name.encode(errors="replace") for name in listed}
    return any(
        found == kind.encode() and name not in known
        for path in view.project.reachable
        for found, name in _DECLARED.findall(plain_text(view.project.sources[path]))
    )


RULE = Rule(
    code="FED506",
    name="manifest-lacks-functions",
    summary="The manifest lists the functions of the code.",
    severity="warning",
    check_project=_check,
    what="""
Compares the names of `@chat.function` handlers with those in `tools` of `imperal.json`, from 5.0.0
on those of `@ext.tool` too if the manifest lists any, and finds the entry of the old chat router
(`tool_…_chat`). A name that the code does not show is left out.
""",
    why="The platform offers what the manifest lists: a function that is missing there is never "
    "called. Before SDK 5.0.0 the chat router of the extension still found it, and chains did not.",
    example='{"app_id": "notes", "tools": []}',
    instead='{"app_id": "notes", "tools": [{"name": "list_notes"}]}',
    references=("SDK sources: manifest_schema.py V25",),
    bad=(
        Example(
            """
NAME = "list_notes"


@chat.function(description="Lists", name=f"{NAME}_all")
async def f(ctx, p):
    ...


@ext.tool("sync")
async def g(ctx):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "other"}]}'},
            holds="lacks 1 function and 1 tool of the code",
        ),
        Example(
            """
@chat.function("list_notes", "Lists")
async def f(ctx, p):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "other"}]}'},
            holds="not list: list_notes.",
        ),
        Example(
            """
@chat.function("list_notes", "Lists")
async def f(ctx, p):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "tool_notes_chat"}]}'},
            sdk="4.0.0",
            holds="chat router finds",
        ),
    ),
    good=(
        Example(
            """
@chat.function(load_name(), "Lists")
async def f(ctx, p):
    ...


@ext.tool("__sync__")
async def g(ctx):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "other"}]}'},
        ),
        Example(
            """
@chat.function("list_notes", "Lists")
async def f(ctx, p):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "list_notes"}]}'},
        ),
        Example(
            """
@chat.function("list_notes", "Lists")
async def f(ctx, p):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "tool_notes_chat"}]}'},
            sdk="3.7.0",
        ),
    ),
)
