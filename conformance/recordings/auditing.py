"""A whole audit: files spread, conversations judged, leaks found, breaches chosen."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ...invariants.recorded import ISOLATION
from .conversations import Conversation, conversations
from .files import STDIN, expand
from .judged import JudgedPartition, day_of, judge_pieces
from .leaks import Bitmap, Hit, Leak, hits, leaks
from .mapping import MAPPING, Mapping, unfit
from .pieces import Piece
from .spans import Place, ReadFile, Remarks
from .spreading import Spill, Spread, blocks_of, compressor, pieces_of, resolved, spread_file
from .tallies import Breach, Judged, Tally, breach, unpacked_breaches
from .workers import Alone, Workers

_EACH = 32 * 2**20
_FEWEST, _MOST = 8, 512
_COMPRESSED = {".gz": 9, ".zst": 18, ".zstd": 18}
_ROW_BYTES = 24

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
        every: all breaches of each partition, packed and compressed, where they are wanted …
        every_leak: … and those that only all conversations together show.
    """

    judged: Judged
    files: list[ReadFile]
    left_out: int = 0
    leaks: list[Leak] = field(default_factory=list[Leak])
    every: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    every_leak: list[Breach] = field(default_factory=list[Breach])

    def add(self, part: JudgedPartition) -> None:
        """Add what was seen of a partition."""
        self.judged.merge(part.judged)
        if part.every:
            self.every.append((part.number, part.every))

    def breaches(self) -> Iterator[tuple[str, Breach]]:
        """Yield all breaches, each with its clause."""
        _, decompress = compressor()
        for _, data in sorted(self.every):
            yield from unpacked_breaches(decompress(data))
        yield from ((ISOLATION, each) for each in sorted(self.every_leak))


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
        for spread in self._resolve(traces):
            judged.remarks.merge(spread.remarks)
            self._spills.append(spread.conversations)
        audited = Audited(judged, in_order(files))
        parts: list[tuple[int, bytes, bytes]] = []
        for part in self._judge():
            audited.add(part)
            parts.append((part.number, part.values, part.watched))
        parts.sort()
        find_leaks(parts, audited, self._workers)
        return audited

    def conversations_of(self, partition: int) -> Iterator[Conversation]:
        """Yield the conversations of a partition once more."""
        return conversations(self._pieces(partition), Remarks())

    def _pieces(self, partition: int) -> Iterator[Piece]:
        blocks = [block for spill in self._spills for block in blocks_of(spill, partition)]
        return pieces_of(blocks)

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

    def _resolve(self, traces: Sequence[Spill]) -> Iterator[Spread]:
        wanted = sorted({number for spill in traces for number in spill.blocks})
        task = partial(
            _resolve_task,
            spills=tuple(traces),
            folder=self._folder.name,
            partitions=self.partitions,
        )
        return self._workers.each(task, wanted)

    def _judge(self) -> Iterator[JudgedPartition]:
        wanted = sorted({number for spill in self._spills for number in spill.blocks})
        asked = self._asked
        task = partial(
            _judge_task,
            spills=tuple(self._spills),
            clauses=asked.clauses,
            keep_all=asked.keep_all,
        )
        for done, part in enumerate(self._workers.each(task, wanted), 1):
            self._told("judged", done, len(wanted))
            yield part


def _spread_task(file: _File, *, folder: str, mapping: Mapping, partitions: int) -> Spread:
    return spread_file(file.name, file.number, folder, mapping, partitions)


def _resolve_task(
    number: int, *, spills: tuple[Spill, ...], folder: str, partitions: int
) -> Spread:
    blocks = (block for spill in spills for block in blocks_of(spill, number))
    return resolved(blocks, folder, number, partitions)


def _judge_task(
    number: int, *, spills: tuple[Spill, ...], clauses: tuple[str, ...] | None, keep_all: bool
) -> JudgedPartition:
    blocks = (block for spill in spills for block in blocks_of(spill, number))
    return judge_pieces(pieces_of(blocks), number, clauses, keep_all=keep_all)


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


def find_leaks(parts: list[tuple[int, bytes, bytes]], audited: Audited, workers: Workers) -> None:
    """Compare what conversations show with the values of all users; count what is found.

    Args:
        parts: number, packed values and packed ``Watched`` of each partition, compressed.
        audited: gets the leaks.
        workers: who looks through what is shown.
    """
    _, decompress = compressor()
    rows = sum(len(decompress(values)) for _, values, _ in parts) // _ROW_BYTES
    if not rows:
        return
    bitmap = Bitmap(rows)
    for _, values, _ in parts:
        bitmap.add(decompress(values))
    every: list[Hit] = []
    wanted = [(number, watched) for number, _, watched in parts]
    for found in workers.each(partial(_hits_task, bitmap=bitmap), wanted):
        every += found
    every.sort(key=lambda x: (x.conversation, x.turn.step, x.kind, x.value))
    packed = ((number, decompress(values)) for number, values, _ in parts)
    found, audited.left_out = leaks(every, packed)
    _count_leaks(found, audited)


def _hits_task(part: tuple[int, bytes], *, bitmap: Bitmap) -> list[Hit]:
    number, watched = part
    return list(hits(compressor()[1](watched), bitmap, number))


def _count_leaks(found: Sequence[Leak], audited: Audited) -> None:
    tally = audited.judged.tallies.setdefault(ISOLATION, Tally())
    turns: set[tuple[str, int]] = set()
    names: set[str] = set()
    by_order: dict[str, Leak] = {}
    for leak in found:
        hit, turn = leak.hit, leak.hit.turn
        if (hit.conversation, turn.step) not in turns:
            turns.add((hit.conversation, turn.step))
            tally.turns_broken += 1
            if turn.judgeable:
                tally.turns_kept -= 1
            else:
                tally.turns_open -= 1
            if turn.start:
                audited.judged.day(day_of(turn.start), 0, 1)
        if hit.conversation not in names:
            names.add(hit.conversation)
            tally.conversations_broken += 1
            if hit.judged:
                tally.conversations_kept -= 1
            else:
                tally.conversations_open -= 1
        made = breach(
            f"in a message of the {hit.kind}",
            hit.conversation,
            turn.step,
            trace=turn.trace,
            span=turn.span,
            place=Place(turn.file, turn.line),
            start=turn.start,
            expected="nothing that only calls of other users gave",
            got=hit.value,
            partition=hit.partition,
        )
        tally.add(made)
        audited.every_leak.append(made)
        by_order[made.order] = leak
    kept = {each.order for some in tally.breaches.values() for each in some}
    audited.leaks = [leak for order, leak in by_order.items() if order in kept]
