"""The same audit by workers of Dask; what is judged is the same, digest for digest.

A cluster on this machine does what plain processes do, with the same temporary files. On others
partitions travel as compressed bytes between workers, so that no disk is shared; a worker that is
lost is replaced by doing its part again. The files must be reachable there under the names that
were given.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar, cast

from ...invariants.vocabulary.errors import UsageError
from ..driving.cluster import joined, submitted
from ..settings.extras import extra
from .auditing import Asked, Audited, Progress, in_order, judge, partitions_for
from .conversations import Conversation, conversations
from .exchange import Part, Spill, Step, Told, compressed
from .files import STDIN, expand
from .mapping import MAPPING, Mapping, unfit
from .spans import ReadFile, Remarks
from .spreading import pieces_of, resolved, spread_file
from .tallies import Judged
from .workers import AHEAD, lost

T = TypeVar("T")
R = TypeVar("R")

Blocks = dict[int, list[bytes]]
"""Compressed blocks by number."""

Lot = list[list[Any]]
"""What a step made for others: for each group of numbers the futures of its blocks."""

_GROUPS_EACH = 4


class Sent(NamedTuple):
    """What a step made of some numbers: of each lot the blocks of each group; what it told."""

    lots: list[list[Blocks]]
    told: list[Any]


def _grouped(spill: Spill, groups: int) -> list[Blocks]:
    found: list[Blocks] = [{} for _ in range(groups)]
    for number in sorted({*spill.numbers}):
        found[number % groups][number] = list(compressed(spill.of(number)))
    return found


def spread_there(file: str, number: int, mapping: Mapping, partitions: int, groups: int) -> Sent:
    """Read and spread a file on a worker."""
    with tempfile.TemporaryDirectory(prefix="fedcheck-audit-") as folder:
        spread = spread_file(file, number, folder, mapping, partitions)
        lots = [_grouped(spread.conversations, groups), _grouped(spread.traces, groups)]
        return Sent(lots, [(spread.remarks, spread.file)])


def step_there(
    step: Step, inputs: list[list[Blocks]], outputs: int, groups: int, *shared: object
) -> Sent:
    """Take a step for each number of a group, on a worker."""
    lots = [_merged(parts) for parts in inputs]
    found: list[list[list[Blocks]]] = [[[] for _ in range(groups)] for _ in range(outputs)]
    told: list[Any] = []
    for number in sorted({number for lot in lots for number in lot}):
        with tempfile.TemporaryDirectory(prefix="fedcheck-audit-") as folder:
            made = step(number, [lot.get(number, []) for lot in lots], folder, *shared)
            for lot, spill in zip(found, made.spills, strict=True):
                for group, some in zip(lot, _grouped(spill, groups), strict=True):
                    group.append(some)
        told.append(made.told)
    return Sent([[_merged(group) for group in lot] for lot in found], told)


def joined_there(told: list[list[tuple[int, bytes]]], size: int, count: int) -> bytes:
    """Put together what was told of each number."""
    every = dict(pair for some in told for pair in some)
    return b"".join(every.get(number, bytes(size)) for number in range(count))


def blocks_there(parts: list[Blocks], number: int) -> list[bytes]:
    """Return the blocks of one number."""
    return _merged(parts).get(number, [])


def numbers_there(parts: list[Blocks]) -> list[int]:
    """Return the numbers of which there are blocks."""
    return [*_merged(parts)]


def lot_there(sent: Sent, lot: int, group: int) -> Blocks:
    """Return what was made for a group of numbers."""
    return sent.lots[lot][group]


def told_there(sent: Sent) -> list[Any]:
    """Return what was told."""
    return sent.told


def _merged(parts: Iterable[Blocks]) -> Blocks:
    found: Blocks = {}
    for blocks in parts:
        for number, some in blocks.items():
            found.setdefault(number, []).extend(some)
    return found


class DaskWorkers:
    """The workers of a cluster; what one did not end that is lost, another does.

    Args:
        client: of the cluster.
        count: how many there are.
    """

    def __init__(self, client: Any, count: int) -> None:
        self._client, self.count = client, count

    def submit(self, function: Callable[..., object], *words: object) -> Any:
        """Have a function called, and return its future."""
        return submitted(self._client, function, *words)

    def results(self, futures: list[Any]) -> Iterator[Any]:
        """Yield what futures hold, as soon as they do.

        Raises:
            KernelError: workers were lost again and again.
        """
        distributed = cast("Any", extra("distributed", "dask"))
        try:
            for future in distributed.as_completed(futures, loop=self._client.loop):
                yield future.result()
        except distributed.KilledWorker:
            raise lost() from None

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield what a function returns for each of some items, in any order.

        Raises:
            KernelError: workers were lost again and again.
        """
        waiting = iter(items)
        first = [self.submit(function, item) for item in islice(waiting, AHEAD * self.count)]
        distributed = cast("Any", extra("distributed", "dask"))
        running = distributed.as_completed(first, loop=self._client.loop)
        try:
            for future in running:
                yield future.result()
                for item in islice(waiting, 1):
                    running.add(self.submit(function, item))
        except distributed.KilledWorker:
            raise lost() from None


class OnCluster:
    """Takes steps on the workers of a cluster, which send each other what these make.

    Args:
        workers: of the cluster.
        groups: in how many groups numbers are: what is in one is done one after the other.
    """

    def __init__(self, workers: DaskWorkers, groups: int) -> None:
        self._workers, self._groups = workers, groups

    def step(
        self, step: Step, lots: Sequence[Lot], outputs: int, told: Told, *shared: object
    ) -> list[Lot]:
        """Take a step for each number of some lots; see ``Exchange``."""
        sent = self._sent(step, lots, outputs, *shared)
        made = self.lots(sent, outputs)
        futures = [self._workers.submit(told_there, each) for each in sent]
        for some in self._workers.results(futures):
            for each in some:
                told(each)
        return made

    def _sent(self, step: Step, lots: Sequence[Lot], outputs: int, *shared: object) -> list[Any]:
        return [
            self._workers.submit(
                step_there, step, [lot[group] for lot in lots], outputs, self._groups, *shared
            )
            for group in range(self._groups)
        ]

    def lots(self, sent: Sequence[Any], outputs: int) -> list[Lot]:
        """Return what workers made, by lot and group."""
        return [
            [
                [self._workers.submit(lot_there, each, lot, group) for each in sent]
                for group in range(self._groups)
            ]
            for lot in range(outputs)
        ]

    def joined(self, step: Step, lot: Lot, size: int, count: int) -> object:
        """Put together what a step tells of each number; each worker gets it once."""
        told = [self._workers.submit(told_there, x) for x in self._sent(step, [lot], 0)]
        return self._workers.submit(joined_there, told, size, count)

    def parts(self, lot: Lot) -> Iterator[Part]:
        """Yield the part of each number of a lot, in their order."""
        futures = [self._workers.submit(numbers_there, parts) for parts in lot]
        for number in sorted(n for future in futures for n in future.result()):
            yield self.part(lot, number)

    def part(self, lot: Lot, number: int) -> Part:
        """Return the blocks of a number."""
        return self._workers.submit(blocks_there, lot[number % self._groups], number).result()


class ClusterAudit:
    """An audit on the workers of a cluster."""

    def __init__(self, asked: Asked, client: Any, progress: Progress) -> None:
        self._asked, self._told = asked, progress
        self._files = expand(asked.targets)
        if STDIN in self._files:
            raise UsageError("standard input cannot be read by workers; name files")
        self._partitions = asked.partitions or partitions_for(self._files)
        self._workers = DaskWorkers(client, max(1, len(client.scheduler_info()["workers"])))
        self._groups = min(self._partitions, _GROUPS_EACH * self._workers.count)
        self._exchange = OnCluster(self._workers, self._groups)
        self._pieces: Lot = []

    def run(self) -> Audited:
        """Do it."""
        judged = Judged()
        submit, asked = self._workers.submit, self._asked
        read = [
            submit(spread_there, name, number, asked.mapping, self._partitions, self._groups)
            for number, name in enumerate(self._files)
        ]
        spread, traces = self._exchange.lots(read, 2)
        files = self._files_of(read, judged)
        for each in unfit(asked.mapping, files):
            judged.remarks.add(each, MAPPING)
        resolving = partial(resolved, partitions=self._partitions)
        [again] = self._exchange.step(resolving, [traces], 1, judged.remarks.merge)
        self._pieces = [[*old, *new] for old, new in zip(spread, again, strict=True)]
        audited = Audited(judged, in_order(files))
        judge(self._exchange, self._pieces, asked, self._partitions, audited, self._told)
        return audited

    def _files_of(self, read: list[Any], judged: Judged) -> list[ReadFile]:
        files: list[ReadFile] = []
        futures = [self._workers.submit(told_there, each) for each in read]
        for done, [(remarks, file)] in enumerate(self._workers.results(futures), 1):
            self._told("read", done, len(read))
            judged.remarks.merge(remarks)
            files.append(file)
        return files

    def conversations_of(self, partition: int) -> Iterator[Conversation]:
        """Yield the conversations of a partition once more."""
        return conversations(pieces_of(self._exchange.part(self._pieces, partition)), Remarks())


@contextmanager
def on_cluster(asked: Asked, address: str, progress: Progress) -> Generator[ClusterAudit]:
    """Join a cluster.

    Raises:
        UsageError: Dask is not installed, or the scheduler cannot be reached.
    """
    with joined(address) as client:
        yield ClusterAudit(asked, client, progress)


@contextmanager
def local_cluster(count: int) -> Generator[DaskWorkers]:
    """Start a cluster on this machine, which ends with the context, and which others cannot join.

    Args:
        count: how many workers it has, each a process.

    Raises:
        UsageError: Dask is not installed.
    """
    distributed = cast("Any", extra("distributed", "dask"))
    extra("cryptography", "dask")
    with (
        tempfile.TemporaryDirectory(prefix="fedcheck-audit-") as folder,
        cast("Any", extra("dask")).config.set({"temporary-directory": folder}),
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            security=True,
            dashboard_address=None,
            worker_dashboard_address=None,
            memory_limit=None,  # what is large lies in files
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield DaskWorkers(client, count)
