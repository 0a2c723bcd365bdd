"""Content blocks: the lists in which providers and runtimes hand on a text or a JSON value.

A recording cannot tell whether the tool or the runtime wrapped a result so. Hence results and what
prompts show of them are both opened before they are compared; a list in which anything else
stands beside the texts and values is no envelope, and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

import msgspec

from ...invariants.readings.embedded_values import canonical
from ...invariants.vocabulary.json_values import parse

_LIST = re.compile(r'\s*\[\s*\{\s*"(?:text|json|type|annotations|meta|_meta)"')
_OBJECT = re.compile(r'\s*\{\s*"(?:toolUseId|status|content|isError|_?meta|structuredContent)"')
_TEXT_KINDS = frozenset({None, "text", "input_text", "output_text"})
_JSON_KINDS = frozenset({None, "json"})
_BESIDE = frozenset({"content", "toolUseId", "status", "isError"})
"""What an object around a list of blocks may tell of it: Bedrock's ``toolResult``, MCP's result."""

_Block = dict[str, msgspec.Raw]
_BLOCKS = msgspec.json.Decoder(list[_Block])
_HOLDER = msgspec.json.Decoder(_Block)


def shown(text: str) -> str:
    """Return what a message shows of a result: the text in its blocks; other text as it is."""
    texts = texts_in(text) if _LIST.match(text) else []
    return joined(texts) if texts else text


def texts_in(text: str) -> list[str]:
    """Return the texts of a list of content blocks, JSON values as they are written in it.

    A text that is no such list holds none, nor does one with anything else in it.
    """
    try:
        if _LIST.match(text):
            return _all(_BLOCKS.decode(text))
        if _OBJECT.match(text):
            held = {name: raw for name, raw in _HOLDER.decode(text).items() if _says(raw)}
            if "content" in held and held.keys() <= _BESIDE:
                return _all(_BLOCKS.decode(held["content"]))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass
    return []


def held(text: str, prompts: Iterable[str]) -> str:
    """Return what a result holds that was recorded as content blocks; another as it is.

    Args:
        text: the result as it was recorded.
        prompts: what messages show of it. Several blocks may be joined in several ways: the one
            that a message shows counts.
    """
    texts = texts_in(text)
    if len(texts) < 2:
        return texts[0] if texts else text
    ways = ("\n".join(texts), "".join(texts), _as_list(texts), text)
    seen = {_plain(each) for each in prompts}
    return next((way for way in ways if _plain(way) in seen), joined(texts))


def joined(texts: list[str]) -> str:
    """Return blocks as one text; JSON values among several of them in one form."""
    return texts[0] if len(texts) == 1 else "\n".join(map(_plain, texts))


def same(one: str, other: str) -> bool:
    """Return whether two recordings of a result tell the same value."""
    return one == other or len({_plain(held(text, ())) for text in (one, other)}) == 1


def _all(blocks: list[_Block]) -> list[str]:
    """The texts of blocks; none if one of them holds something else."""
    texts = [_one(block) for block in blocks]
    return [] if None in texts else cast("list[str]", texts)


def _one(block: _Block) -> str | None:
    said = {name: raw for name, raw in block.items() if name == "json" or _says(raw)}
    kind: Any = msgspec.json.decode(said.pop("type", msgspec.Raw(b"null")))
    if said.keys() == {"json"} and kind in _JSON_KINDS:
        return bytes(said["json"]).decode()
    if said.keys() != {"text"} or kind not in _TEXT_KINDS:
        return None
    text: Any = msgspec.json.decode(said["text"])
    return text if isinstance(text, str) else None


def _says(raw: msgspec.Raw) -> bool:
    """Whether a field holds anything; some write out what they leave open."""
    return bytes(raw) != b"null"


def _as_list(texts: list[str]) -> str:
    """Blocks as the list of values that a tool returned, of which each became a block."""
    values = [(_container(text), text) for text in texts]
    return canonical([text if value is None else value for value, text in values])


def _plain(text: str) -> str:
    """The one text of all JSON lists and objects that are equal; other text as it is."""
    value = _container(text)
    return text if value is None else canonical(value)


def _container(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None
