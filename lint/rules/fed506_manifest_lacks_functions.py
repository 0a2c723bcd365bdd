"""FED506: functions that the manifest does not list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sized

from ..model.project import plain_text
from ..rule import Example, ManifestHit, Rule
from ..view import ProjectView

_LISTS_FUNCTIONS = "4.0.0"
"""Release from which ``imperal build`` writes functions into the manifest."""
_REFUSES_ROUTERS = "5.0.0"
_WRITTEN = re.compile(rb"""\.\s*function\s*\(\s*(?:name\s*=\s*)?["']([A-Za-z_]\w*)["']""")


def _check(view: ProjectView) -> Iterator[ManifestHit]:
    manifest = view.project.manifest
    if manifest is None or "app_id" not in manifest:
        return
    listed = _names(manifest)
    if view.surface.at_least(_LISTS_FUNCTIONS) and _suspects(view) - listed:
        missing = sorted(_functions(view) - listed)
        if missing:
            shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
            effect = (
                "the platform does not offer what it does not list"
                if view.surface.at_least(_REFUSES_ROUTERS)
                else "only the extension's own chat router finds what it does not list"
            )
            written = re.search(r'"tools"\s*:', view.project.manifest_text)
            yield ManifestHit(
                needle=written.group() if written else "{",
                message=f"the manifest lists {_counted(view.project.listed('tools'), 'tool')} and "
                f"lacks {_counted(missing, 'function')} of the code ({shown}): {effect}. "
                "Build it again: imperal build.",
            )
    for name in sorted(listed) if view.surface.at_least(_REFUSES_ROUTERS) else ():
        if re.fullmatch(r"tool_.+_chat", name):
            yield ManifestHit(
                needle=f'"{name}"',
                message=f"{name} is the entry of the old chat router, which went with SDK 5.0.0; "
                "since then its validator refuses a manifest that lists it (V25). Build it again: "
                "imperal build.",
            )


def _counted(items: Sized, noun: str) -> str:
    return f"{len(items)} {noun}{'s' * (len(items) != 1)}"


def _names(value: object) -> set[str]:
    """Return every ``name`` in the manifest's lists."""
    found: set[str] = set()
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            name: object = item.get("name")  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            if isinstance(name, str) and item is not value:
                found.add(name)
            stack.extend(item.values())  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(item, list):
            stack.extend(item)  # pyright: ignore[reportUnknownArgumentType]
    return found


def _suspects(view: ProjectView) -> set[str]:
    """Return names that look like functions in the text; only then are files parsed."""
    return {
        name.decode()
        for path in view.project.reachable
        for name in _WRITTEN.findall(plain_text(view.project.sources[path]))
    }


def _functions(view: ProjectView) -> set[str]:
    return {
        role.name
        for _, _, role in view.handlers("function")
        if role.kind == "function" and role.name
    }


RULE = Rule(
    code="FED506",
    name="manifest-lacks-functions",
    summary="The manifest lists the functions of the code.",
    severity="warning",
    check_project=_check,
    what="""
Compares the names of `@chat.function` handlers with those in `imperal.json`, and finds the entry of
the old chat router (`tool_…_chat`).
""",
    why="The platform offers what the manifest lists: a function that is missing there is never "
    "called. Before SDK 5.0.0 the chat router of the extension still found it, and chains did not.",
    example='{"app_id": "notes", "tools": []}',
    instead='{"app_id": "notes", "tools": [{"name": "list_notes"}]}',
    references=("SDK sources: manifest_schema.py V25",),
    bad=(
        Example(
            """
@chat.function("list_notes", "Lists")
async def f(ctx, p):
    ...
""",
            {"imperal.json": '{"app_id": "n", "tools": [{"name": "other"}]}'},
            holds="(list_notes): the platform does not offer",
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
