r"""Canonical JSON by msgspec, several times faster, where it writes what the standard library does.

The canonical bytes are those of ``json.dumps`` with sorted keys and without spaces. msgspec
leaves characters beyond ASCII as they are, writes NaN as null, and very large and very small
numbers in another way. Its MessagePack shows every floating-point number as CB and eight bytes,
so that the numbers in question are found there without a walk through the document. Whatever
looks like one sends the document the slow way; nothing is ever taken for harmless wrongly.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

_JSON = msgspec.json.Encoder(order="sorted")
_PACKED = msgspec.msgpack.Encoder()

_ZERO = rb"[\x00\x80]\x00{7}"
_FROM_2_TO_THE_MINUS_13 = rb"[\x3f\xbf][\x20-\xff]"
_FROM_2 = rb"[\x40-\x42\xc0-\xc2]"
_BELOW_2_TO_THE_53 = rb"[\x43\xc3][\x00-\x3f]"
_PLAIN = rb"|".join((_ZERO, _FROM_2_TO_THE_MINUS_13, _FROM_2, _BELOW_2_TO_THE_53))
_OTHER_NUMBER = re.compile(rb"\xcb(?!%s)" % _PLAIN, re.DOTALL)
_ESCAPED = re.compile("[^\x00-\x7e]")


def fast_json(document: Any) -> str | None:
    """Return a typed document as canonical JSON, or nothing if that takes the slow way."""
    try:
        if _OTHER_NUMBER.search(_PACKED.encode(document)):
            return None
        data = _JSON.encode(document)
    except (UnicodeEncodeError, OverflowError, ValueError, RecursionError):
        return None
    if data.isascii() and b"\x7f" not in data:
        return data.decode("ascii")
    return _ESCAPED.sub(_escape, data.decode("utf-8"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
