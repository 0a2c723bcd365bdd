"""FED113: code uses a private member that the SDK has removed."""

from __future__ import annotations

from collections.abc import Iterator

from ...inference.values.values import Sdk, SdkClass
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED, private_names
from ...sdk_use.sdk_objects import has, is_attached, missing, source_of
from ...view import FileView
from .support.private_paths import private_accesses

_OWNERS = CLOSED | {"Context", "Extension", "ChatExtension", "App"}
_HINTS = {
    ("ChatExtension", "_handle"): "The kernel calls each @chat.function itself: delete the tool "
    "around it.",
}


def _check(view: FileView) -> Iterator[Hit]:
    for access in private_accesses(view):
        name = access.name
        if access.how == "write":
            continue
        for item in view.values(access.owner):
            value = item.value
            cls = value.cls if isinstance(value, (Sdk, SdkClass)) else ""
            gone = _removed(view, cls, name) if cls in _OWNERS else ""
            if gone and not is_attached(view, name, read=access.node):
                verdict = missing(view, access, item)
                hint = _HINTS.get((cls, name), "Use the public API of the object.")
                yield Hit(
                    node=access.node,
                    message=f"{source_of(access.node)}: {verdict.text}\n{cls} has no {name} in "
                    f"{view.sdk} (a private part, removed in {gone}). {hint}",
                    severity=verdict.severity,
                    chain=view.chain(item),
                )
                break


def _removed(view: FileView, cls: str, name: str) -> str:
    """Return the release that removed a member; empty if the target still has it."""
    if has(view.surface, cls, name) or (cls == "App" and has(view.surface, "Extension", name)):
        return ""
    removals = [
        since
        for since, text in view.surface.history(cls, name)
        if not text and view.surface.at_least(since)
    ]
    return removals[-1] if removals else ""


RULE = Rule(
    code="FED113",
    name="removed-private-member",
    summary="A private part of an SDK object that the target version no longer has.",
    severity="error",
    attributes=private_names(gone=True),
    check=_check,
    what="""
Finds names with one underscore, such as `chat._handle`, that an SDK class once had and the target
version has not. Private names that still exist are reported by FED110.
""",
    why="The code worked with an older SDK. In the target version it raises `AttributeError`.",
    example='@ext.tool("tool_notes_chat")\nasync def chat_tool(ctx, message="", **kwargs):\n'
    "    return await chat._handle(ctx, message, **kwargs)",
    instead="# nothing: since SDK 5 the kernel calls each @chat.function itself",
    references=("SDK sources: chat/extension.py",),
    bad=(
        Example(
            """
@ext.tool("tool_notes_chat")
async def chat_tool(ctx, message="", **kwargs):
    return await chat._handle(ctx, message, **kwargs)
""",
            holds="removed in 5.0.0",
        ),
    ),
    good=(
        Example(
            """
@ext.tool("tool_notes_chat")
async def chat_tool(ctx, message="", **kwargs):
    return await chat._handle(ctx, message, **kwargs)
""",
            sdk="4.2.16",
        ),
        Example("\nregistry = ext._tools_registry\n", sdk="1.6.0"),
        Example(
            """
class Mine(ChatExtension):
    async def _handle(self, ctx, message):
        return message


mine = Mine(ext)


class Socket:
    def _handle(self):
        return self._build_messages


@ext.tool("t")
async def t(ctx, message=""):
    return await mine._handle(ctx, message), Socket()._handle(), chat._functions
"""
        ),
    ),
)
