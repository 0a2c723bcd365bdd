"""Lints the extensions of a tree, in one or several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from .extension_run import ExtensionRun
from .processes import can_fork, shared_out
from .results import Found, Recall

_WORTH_A_PROCESS = 250_000
"""Bytes that take 0.3 seconds to lint; a process of its own takes a hundredth of a second."""


def in_turn(
    runs: Iterator[ExtensionRun], recall: Recall | None, processes: int
) -> Iterator[tuple[ExtensionRun, Found]]:
    """Yield (extension, result) in order.

    Args:
        runs: over the extensions.
        recall: knows what was found in extensions earlier.
        processes: how many may lint at the same time.
    """
    if processes > 1 and can_fork():
        yield from _Ahead(runs, recall, processes).in_turn()
        return
    for run in runs:
        yield run, _recalled(run, recall, run.found)
        del run  # and its trees are freed before the next ones are parsed


def _recalled(run: ExtensionRun, recall: Recall | None, lint: Callable[[], Found]) -> Found:
    return recall(run.inputs(), lint) if recall and run.has_sdk else lint()


class _Ahead:
    """Lints the following extensions in other processes, once one is not cached."""

    def __init__(self, runs: Iterator[ExtensionRun], recall: Recall | None, processes: int) -> None:
        self._runs = dict(enumerate(runs))
        self._recall = recall
        self._processes = processes
        self._found: dict[int, Found] | None = None

    def in_turn(self) -> Iterator[tuple[ExtensionRun, Found]]:
        for number in range(len(self._runs)):
            found = _recalled(self._runs[number], self._recall, partial(self._lint, number))
            yield self._runs.pop(number), found

    def _lint(self, number: int) -> Found:
        if self._found is None:
            self._found = self._shared_out()
        found = self._found.pop(number, None)
        return self._runs[number].found() if found is None else found

    def _shared_out(self) -> dict[int, Found]:
        sizes = {number: run.size for number, run in self._runs.items()}
        processes = min(self._processes, len(sizes), sum(sizes.values()) // _WORTH_A_PROCESS)
        if processes < 2:
            return {}
        for run in self._runs.values():
            run.inputs()  # now, so that what is judged is what it will be known by
        largest_first = sorted(sizes, key=lambda number: -sizes[number])
        return shared_out(self._judged, largest_first, processes)

    def _judged(self, number: int) -> Found:
        run = self._runs.pop(number)  # what it has parsed is freed with it
        return _recalled(run, self._recall, run.found)
