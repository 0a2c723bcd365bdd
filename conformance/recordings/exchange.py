"""Steps of an audit: what one makes for others lies in temporary files, or travels as bytes.

A step is a function that is called with a number, with the blocks that earlier steps made for this
number, and with a folder; it makes blocks for other numbers and tells something small. So nobody
holds more at once than what belongs to one number, however much was recorded. The same functions
work on this machine and on the workers of a cluster (`dasked.py`).
"""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from .compressing import compressor
from .workers import Workers

_BUFFERED = 24 * 2**20
"""Bytes that wait in memory to be compressed."""

_SIZE = 4

L = TypeVar("L")


class Stored(NamedTuple):
    """Compressed blocks in a temporary file of this machine: where each begins, and its size."""

    path: str
    places: tuple[tuple[int, int], ...]


Part = Sequence[Stored | bytes]
"""Blocks of one number: those that lie in files, or compressed bytes themselves."""


class Spill(NamedTuple):
    """A temporary file, and where in it the blocks of each number lie.

    Attributes:
        path: of the file; empty where nothing was written.
        numbers: of each block, ascending.
        starts, sizes: likewise its place in the file, and its size.
        pieces: what was put into it.
    """

    path: str
    numbers: array[int]
    starts: array[int]
    sizes: array[int]
    pieces: int

    def of(self, number: int) -> list[Stored]:
        """Return where the blocks of a number lie; nothing if there are none."""
        low, high = bisect_left(self.numbers, number), bisect_right(self.numbers, number)
        places = tuple(zip(self.starts[low:high], self.sizes[low:high], strict=True))
        return [Stored(self.path, places)] if places else []


class Made(NamedTuple):
    """What a step made of a number: blocks for other numbers, and what it tells of it."""

    spills: tuple[Spill, ...]
    told: Any


Step = Callable[..., Made]
"""Is called with a number, the parts of it, a folder, and what all numbers share."""

Told = Callable[[Any], None]


class Exchange(Protocol[L]):
    """Takes steps; a lot is what one of them made for others."""

    def step(
        self, step: Step, lots: Sequence[L], outputs: int, told: Told, *shared: object
    ) -> list[L]:
        """Take a step for each number of some lots.

        Args:
            step: the function.
            lots: of which it gets what belongs to the number.
            outputs: how many lots it makes.
            told: is called with what it tells of each number, in any order.
            shared: what it gets besides.
        """
        ...

    def joined(self, step: Step, lot: L, size: int, count: int) -> object:
        """Take a step that tells bytes; return all of them where every worker may read them.

        Args:
            step: the function.
            lot: of which it gets what belongs to the number.
            size: bytes that it tells of a number; of one of which nothing is known, zeros stand.
            count: how many numbers there are.
        """
        ...

    def parts(self, lot: L) -> Iterator[Part]:
        """Yield the part of each number of a lot, in their order."""
        ...


def with_size(data: bytes) -> bytes:
    """Return data with their length before them, as ``framed`` reads them."""
    return len(data).to_bytes(_SIZE, "big") + data


class Sink:
    """Takes data for some numbers and writes them to one file, compressed."""

    def __init__(self, path: Path, numbers: int) -> None:
        self._path = path
        self._buffers: list[bytearray] = [bytearray() for _ in range(numbers)]
        self._limit = max(16_384, _BUFFERED // numbers)
        self._blocks: list[tuple[int, int, int]] = []
        self._file: Any = None
        self._pieces = 0
        self._compress, _ = compressor()

    def put(self, number: int, data: bytes) -> None:
        """Add data, as they are."""
        buffer = self._buffers[number]
        buffer += data
        self._pieces += 1
        if len(buffer) > self._limit:
            self._flush(number)

    def put_framed(self, number: int, data: bytes) -> None:
        """Add data with their length before them."""
        self.put(number, with_size(data))

    def _flush(self, number: int) -> None:
        if self._file is None:
            self._file = tempfile.NamedTemporaryFile(  # noqa: SIM115  closed when all is in it
                dir=self._path.parent, prefix=f"{self._path.name}-", delete=False
            )  # a name of its own, for a part that is done twice because its worker seemed lost
        block = self._compress(bytes(self._buffers[number]))
        self._blocks.append((number, self._file.tell(), len(block)))
        self._file.write(block)
        self._buffers[number].clear()

    def close(self) -> Spill:
        """Write what waits; return where everything lies."""
        for number, buffer in enumerate(self._buffers):
            if buffer:
                self._flush(number)
        if self._file is None:
            return NOTHING
        self._file.close()
        numbers, starts, sizes = (
            array("Q", column) for column in zip(*sorted(self._blocks), strict=True)
        )
        return Spill(self._file.name, numbers, starts, sizes, self._pieces)


NOTHING = Spill("", array("Q"), array("Q"), array("Q"), 0)


def one_block(path: Path, number: int, data: bytes) -> Spill:
    """Write data for a single number; return where they lie."""
    if not data:
        return NOTHING
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}-", delete=False) as file:
        size = file.write(compressor()[0](data))
    return Spill(file.name, array("Q", [number]), array("Q", [0]), array("Q", [size]), 1)


def compressed(part: Part) -> Iterator[bytes]:
    """Yield the blocks of a part as they lie there."""
    for each in part:
        if isinstance(each, bytes):
            yield each
            continue
        with Path(each.path).open("rb") as file:
            for start, size in each.places:
                file.seek(start)
                yield file.read(size)


def blocks(part: Part) -> Iterator[bytes]:
    """Yield the blocks of a part, one at a time."""
    _, decompress = compressor()
    return map(decompress, compressed(part))


def framed(part: Part) -> Iterator[memoryview]:
    """Yield what was put into a part with its length before it."""
    for block in blocks(part):
        data = memoryview(block)
        at = 0
        while at < len(data):
            size = int.from_bytes(data[at : at + _SIZE], "big")
            at += _SIZE
            yield data[at : at + size]
            at += size


class OnDisk:
    """Temporary files of this machine, and the workers that read and write them.

    Args:
        workers: who does the work.
        folder: where the files may lie.
    """

    def __init__(self, workers: Workers, folder: str) -> None:
        self._workers, self._folder = workers, folder

    def step(
        self,
        step: Step,
        lots: Sequence[list[Spill]],
        outputs: int,
        told: Told,
        *shared: object,
    ) -> list[list[Spill]]:
        """Take a step for each number of some lots; see ``Exchange``."""
        found: list[list[Spill]] = [[] for _ in range(outputs)]
        for made in self._each(step, lots, shared):
            for lot, spill in zip(found, made.spills, strict=True):
                if spill.path:
                    lot.append(spill)
            told(made.told)
        return found

    def _each(
        self, step: Step, lots: Sequence[list[Spill]], shared: tuple[object, ...]
    ) -> Iterator[Made]:
        numbers = sorted({n for lot in lots for spill in lot for n in spill.numbers})
        items = ((number, [part_of(lot, number) for lot in lots]) for number in numbers)
        task = partial(_taken, step=step, folder=self._folder, shared=shared)
        return self._workers.each(task, items)

    def joined(self, step: Step, lot: list[Spill], size: int, count: int) -> object:
        """Write what a step tells of each number to one file, which workers map; its name."""
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.truncate(size * count)
            for made in self._each(step, [lot], ()):
                number, data = made.told
                file.seek(size * number)
                file.write(data)
        return file.name

    def parts(self, lot: list[Spill]) -> Iterator[Part]:
        """Yield the part of each number of a lot, in their order."""
        for number in sorted({n for spill in lot for n in spill.numbers}):
            yield part_of(lot, number)


def part_of(lot: Iterable[Spill], number: int) -> Part:
    """Return where the blocks of a number lie."""
    return [stored for spill in lot for stored in spill.of(number)]


def _taken(
    item: tuple[int, list[Part]], *, step: Step, folder: str, shared: tuple[object, ...]
) -> Made:
    number, parts = item
    return step(number, parts, folder, *shared)


@contextmanager
def readable(shared: object) -> Generator[bytes | mmap]:
    """Give the bytes that ``Exchange.joined`` returned, mapped from their file or as they came."""
    if isinstance(shared, bytes):
        yield shared
        return
    with Path(str(shared)).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        yield data
