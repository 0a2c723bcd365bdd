"""How blocks are compressed: by zstd where it is installed, else by zlib."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable
from typing import Any, cast


def compressor() -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
    """Return what compresses and decompresses: zstd where it is installed, else zlib."""
    try:
        zstandard = cast("Any", importlib.import_module("zstandard"))
    except ImportError:
        return (lambda data: b"z" + zlib.compress(data, 1)), _inflate
    made = zstandard.ZstdCompressor(level=1)
    return (lambda data: b"s" + made.compress(data)), _inflate


def _inflate(data: bytes) -> bytes:
    if data[:1] == b"z":
        return zlib.decompress(data[1:])
    zstandard = cast("Any", importlib.import_module("zstandard"))
    return zstandard.ZstdDecompressor().decompress(data[1:])
