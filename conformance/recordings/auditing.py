"""A whole audit: files spread, conversations judged, leaks found, breaches chosen."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from .conversations import Conversation, conversations
from .exchange import Exchange, OnDisk, Part, Spill, blocks, part_of
from .files import STDIN, expand
from .judged import Rows, judged_partition
from .leak_search import Leak, buckets_for, find_leaks
from .mapping import MAPPING, Mapping, unfit
from .spans import ReadFile, Remarks
from .spreading import Spread, pieces_of, resolved, spread_file
from .tallies import Breach, Judged, unpacked_breaches
from .workers import Alone, Workers

_EACH = 32 * 2**20
_FEWEST, _MOST = 8, 2_048
_COMPRESSED = {".gz": 9, ".zst": 18, ".zstd": 18}

L = TypeVar("L")

Progress = Callable[[str, int, int], None]
"""Is told a phase, what of it is done, and of how much."""


def silent(_phase: str, _done: int, _of: int) -> None:
    """Tell nobody how an audit goes on."""


@dataclass(frozen=True)
class Asked:
    """What is to be audited.

    Attributes:
        targets: as they were named.
        mapping: where user and session stand.
        clauses: ids of the clauses to judge; ``None`` for all.
        partitions: how many; 0 decides by the size of the files.
        keep_all: whether all breaches are wanted, not only those that a record keeps.
    """

    targets: tuple[str, ...]
    mapping: Mapping = field(default_factory=Mapping)
    clauses: tuple[str, ...] | None = None
    partitions: int = 0
    keep_all: bool = False


@dataclass
class Audited:
    """What an audit saw, and where what it kept can be read again.

    Attributes:
        judged: counts, by clause.
        files: those that were read, in the order of their numbers.
        left_out: values of others that are of a common shape, and blame nobody.
        leaks: those that were kept, for their counterexamples.
        every: yields all breaches of each partition, packed, where they are wanted.
    """

    judged: Judged
    files: list[ReadFile]
    left_out: int = 0
    leaks: list[Leak] = field(default_factory=list[Leak])
    every: Iterable[Part] = ()

    def breaches(self) -> Iterator[tuple[str, Breach]]:
        """Yield all breaches, each with its clause."""
        for part in self.every:
            for data in blocks(part):
                yield from unpacked_breaches(data)


class _File(NamedTuple):
    name: str
    number: int


class Audit:
    """An audit on this machine; a context, because it keeps temporary files.

    Args:
        asked: what is to be audited.
        workers: who does the work.
        progress: is told how it goes on.
    """

    def __init__(
        self, asked: Asked, workers: Workers | None = None, progress: Progress | None = None
    ) -> None:
        self._asked, self._workers = asked, workers or Alone()
        self._told = progress or silent
        self._files = expand(asked.targets)
        self._folder = tempfile.TemporaryDirectory(prefix="fedcheck-audit-")
        self._exchange = OnDisk(self._workers, self._folder.name)
        self._spills: list[Spill] = []
        self.partitions = asked.partitions or partitions_for(self._files)

    def __enter__(self) -> Audit:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def run(self) -> Audited:
        """Do it.

        Raises:
            UsageError: a file cannot be opened, or needs a package that is not installed.
        """
        judged = Judged()
        files: list[ReadFile] = []
        traces: list[Spill] = []
        for spread in self._spread():
            files += [spread.file] if spread.file else []
            judged.remarks.merge(spread.remarks)
            self._spills.append(spread.conversations)
            traces.append(spread.traces)
        for each in unfit(self._asked.mapping, files):
            judged.remarks.add(each, MAPPING)
        resolving = partial(resolved, partitions=self.partitions)
        [again] = self._exchange.step(resolving, [traces], 1, judged.remarks.merge)
        self._spills += again
        audited = Audited(judged, in_order(files))
        judge(self._exchange, self._spills, self._asked, self.partitions, audited, self._told)
        return audited

    def conversations_of(self, partition: int) -> Iterator[Conversation]:
        """Yield the conversations of a partition once more."""
        return conversations(pieces_of(part_of(self._spills, partition)), Remarks())

    def _spread(self) -> Iterator[Spread]:
        task = partial(
            _spread_task,
            folder=self._folder.name,
            mapping=self._asked.mapping,
            partitions=self.partitions,
        )
        files = [_File(name, number) for number, name in enumerate(self._files)]
        here = [each for each in files if each.name == STDIN]
        elsewhere = [each for each in files if each.name != STDIN]
        done = 0
        for some, workers in ((here, Alone()), (elsewhere, self._workers)):
            for spread in workers.each(task, some):
                done += 1
                self._told("read", done, len(files))
                yield spread


def _spread_task(file: _File, *, folder: str, mapping: Mapping, partitions: int) -> Spread:
    return spread_file(file.name, file.number, folder, mapping, partitions)


def judge(
    exchange: Exchange[L],
    pieces: L,
    asked: Asked,
    partitions: int,
    audited: Audited,
    told: Progress,
) -> None:
    """Judge all conversations and compare them with each other.

    Args:
        exchange: takes the steps.
        pieces: of all conversations.
        asked: what is to be judged.
        partitions: how many there are.
        audited: gets what is found.
        told: is told how it goes on.
    """
    values = done = 0

    def add(rows: Rows) -> None:
        nonlocal values, done
        audited.judged.merge(rows.judged)
        values += rows.values
        done += 1
        told("judged", done, partitions)

    task = partial(
        judged_partition,
        names=asked.clauses,
        keep_all=asked.keep_all,
        buckets=buckets_for(partitions),
    )
    owned, held, watched, every = exchange.step(task, [pieces], 4, add)
    told("judged", partitions, partitions)  # some may hold nothing
    found, leaking = find_leaks(
        exchange, (owned, held, watched), values, partitions, keep_all=asked.keep_all
    )
    audited.judged.merge(found.judged)
    audited.left_out = found.left_out
    audited.leaks = [found.kept[order] for order in sorted(found.kept)]
    audited.every = (part for lot in (every, *leaking) for part in exchange.parts(lot))


def in_order(files: Iterable[ReadFile]) -> list[ReadFile]:
    """Return files in the order of their numbers."""
    return sorted(files, key=lambda x: x.number)


def partitions_for(files: Iterable[str]) -> int:
    """Return how many partitions keep each of them small."""
    size = sum(_plain_size(name) for name in files)
    return min(_MOST, max(_FEWEST, size // _EACH))


def _plain_size(name: str) -> int:
    try:
        path = Path(name)
        return path.stat().st_size * _COMPRESSED.get(path.suffix, 1)
    except OSError:
        return _EACH


def size_of(files: Iterable[str]) -> int:
    """Return the bytes of files of this machine, as they lie there."""
    return sum(_size(name) for name in files)


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:
        return 0
