"""The same audit by workers of Dask; what is judged is the same, digest for digest.

A cluster on this machine does what plain processes do, with the same temporary files. On others
partitions travel as compressed bytes between workers, so that no disk is shared; a worker that is
lost is replaced by doing its part again. The files must be reachable there under the names that
were given.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar, cast

from ...invariants.vocabulary.errors import UsageError
from ..driving.cluster import joined, submitted
from ..settings.extras import extra
from .auditing import Asked, Audited, Progress, find_leaks, in_order, partitions_for
from .conversations import Conversation, conversations
from .files import STDIN, expand
from .judged import JudgedPartition, judge_pieces
from .mapping import MAPPING, Mapping, unfit
from .spans import ReadFile, Remarks
from .spreading import Spill, Spread, blocks_of, pieces_of, resolved, spread_file
from .tallies import Judged
from .workers import lost

T = TypeVar("T")
R = TypeVar("R")

Blocks = dict[int, list[bytes]]
"""Compressed blocks by partition."""

_GROUPS_EACH = 4


class Sent(NamedTuple):
    """What became of a file, in bytes: the blocks of each group of partitions, and the rest."""

    conversations: list[Blocks]
    traces: list[Blocks]
    remarks: Remarks
    file: ReadFile | None


def _sent(spread: Spread, groups: int) -> Sent:
    return Sent(
        _grouped(spread.conversations, groups),
        _grouped(spread.traces, groups),
        spread.remarks,
        spread.file,
    )


def _grouped(spill: Spill, groups: int) -> list[Blocks]:
    found: list[Blocks] = [{} for _ in range(groups)]
    for number in sorted(spill.blocks):
        found[number % groups][number] = blocks_of(spill, number)
    return found


def spread_there(file: str, number: int, mapping: Mapping, partitions: int, groups: int) -> Sent:
    """Read and spread a file on a worker."""
    with tempfile.TemporaryDirectory(prefix="fedcheck-audit-") as folder:
        return _sent(spread_file(file, number, folder, mapping, partitions), groups)


def resolve_there(parts: list[Blocks], partitions: int, groups: int) -> Sent:
    """Spread anew what was known by its trace alone, of a group of partitions."""
    merged = _merged(parts)
    found: list[Blocks] = [{} for _ in range(groups)]
    remarks = Remarks()
    with tempfile.TemporaryDirectory(prefix="fedcheck-audit-") as folder:
        for number in sorted(merged):
            sent = _sent(resolved(merged[number], folder, number, partitions), groups)
            remarks.merge(sent.remarks)
            found = [
                _merged([old, new]) for old, new in zip(found, sent.conversations, strict=True)
            ]
    return Sent(found, [], remarks, None)


def judge_there(
    parts: list[Blocks], names: tuple[str, ...] | None, keep_all: bool
) -> list[JudgedPartition]:
    """Judge a group of partitions on a worker."""
    merged = _merged(parts)
    return [
        judge_pieces(pieces_of(merged[number]), number, names, keep_all=keep_all)
        for number in sorted(merged)
    ]


def blocks_there(parts: list[Blocks], number: int) -> list[bytes]:
    """Return the blocks of one partition."""
    return _merged(parts).get(number, [])


def conversations_there(sent: Sent, group: int) -> Blocks:
    """Return the conversations of a group of partitions."""
    return sent.conversations[group]


def traces_there(sent: Sent, group: int) -> Blocks:
    """Return what is known by its trace alone, of a group of partitions."""
    return sent.traces[group]


def rest_there(sent: Sent) -> tuple[Remarks, ReadFile | None]:
    """Return what is told of the reading itself."""
    return sent.remarks, sent.file


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
        """Yield what a function returns for each of some items, in any order."""
        return self.results([self.submit(function, item) for item in items])


class ClusterAudit:
    """An audit on the workers of a cluster."""

    def __init__(self, asked: Asked, client: Any, progress: Progress) -> None:
        self._asked, self._told = asked, progress
        self._files = expand(asked.targets)
        if STDIN in self._files:
            raise UsageError("standard input cannot be read by workers; name files")
        self._partitions = asked.partitions or partitions_for(self._files)
        self._workers = DaskWorkers(client, max(1, len(client.scheduler_info()["workers"])))
        self._submit = self._workers.submit
        self._groups = min(self._partitions, _GROUPS_EACH * self._workers.count)
        self._parts: list[list[Any]] = []

    def run(self) -> Audited:
        """Do it."""
        judged = Judged()
        files: list[ReadFile] = []
        groups = range(self._groups)
        read = [
            self._submit(
                spread_there, name, number, self._asked.mapping, self._partitions, self._groups
            )
            for number, name in enumerate(self._files)
        ]
        traces = [[self._submit(traces_there, each, group) for each in read] for group in groups]
        again = [
            self._submit(resolve_there, some, self._partitions, self._groups) for some in traces
        ]
        everything = [*read, *again]
        self._parts = [
            [self._submit(conversations_there, each, group) for each in everything]
            for group in groups
        ]
        rest = [self._submit(rest_there, each) for each in everything]
        asked = self._asked
        judging = [
            self._submit(judge_there, parts, asked.clauses, asked.keep_all) for parts in self._parts
        ]
        for remarks, file in self._gathered(rest, "read"):
            judged.remarks.merge(remarks)
            files += [file] if file else []
        for each in unfit(self._asked.mapping, files):
            judged.remarks.add(each, MAPPING)
        audited = Audited(judged, in_order(files))
        kept: list[tuple[int, bytes, bytes]] = []
        for some in self._gathered(judging, "judged"):
            for part in cast("list[JudgedPartition]", some):
                audited.add(part)
                kept.append((part.number, part.values, part.watched))
        kept.sort()
        find_leaks(kept, audited, self._workers)
        return audited

    def conversations_of(self, partition: int) -> Iterator[Conversation]:
        """Yield the conversations of a partition once more."""
        parts = self._parts[partition % self._groups]
        blocks = self._submit(blocks_there, parts, partition).result()
        return conversations(pieces_of(blocks), Remarks())

    def _gathered(self, futures: list[Any], phase: str) -> Iterator[Any]:
        for done, result in enumerate(self._workers.results(futures), 1):
            self._told(phase, done, len(futures))
            yield result


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
