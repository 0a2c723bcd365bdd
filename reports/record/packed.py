"""The counterexamples of a record that was read: kept small, read one by one.

Each holds a trace. As objects those of a long record take several times the memory that a report
may take, and no report looks at more than one at once.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import overload

import msgspec

from .model import Counterexample

Kept = bytes | Counterexample
"""A counterexample's line as ``pack`` returns it; or the counterexample, where its line is not
written as this version writes it."""

_COUNTEREXAMPLE = msgspec.json.Decoder(Counterexample)
_FASTEST = 1


def pack(line: bytes) -> bytes:
    """Return a line of a record so that it takes little memory."""
    return zlib.compress(line, _FASTEST)


def unpack(packed: bytes) -> bytes:
    """Return a line that was packed."""
    return zlib.decompress(packed)


class PackedCounterexamples(Sequence[Counterexample]):
    """Counterexamples that are read when they are asked for.

    Args:
        kept: each of them; a line must have been read before, so that it can be read again.
    """

    def __init__(self, kept: Iterable[Kept]) -> None:
        self._kept = tuple(kept)

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, place: int) -> Counterexample: ...
    @overload
    def __getitem__(self, place: slice) -> PackedCounterexamples: ...
    def __getitem__(self, place: int | slice) -> Counterexample | PackedCounterexamples:
        if isinstance(place, slice):
            return PackedCounterexamples(self._kept[place])
        kept = self._kept[place]
        return _COUNTEREXAMPLE.decode(unpack(kept)) if isinstance(kept, bytes) else kept

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    def __hash__(self) -> int:
        return hash(self._kept)

    def __repr__(self) -> str:
        return f"PackedCounterexamples({tuple(self)!r})"
