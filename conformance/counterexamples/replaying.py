"""Replays many counterexamples, from files, folders and records, each on its kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from ...fixtures.embedded import is_embedded
from ...invariants.catalog import catalog, clauses
from ...invariants.vocabulary.errors import DocumentError, UsageError
from ...reports.console.escape import printable
from ...reports.console.files import reading
from ...reports.record.outcome import CONFORMANT, NOT_JUDGED, VIOLATIONS
from ..driving.plan import plan_run
from ..settings.options import RunOptions
from .documents import CounterexampleFile, files_in, of_record, read_file
from .recorded import FOUND_IN_RECORDING, judged_again
from .replay import Outcome, Replayed, replay

_SDK = "imperal-sdk"

RECORDING = "a recording"
"""What is named in the place of a kernel, where none is run."""


class Case(NamedTuple):
    """A counterexample to replay: its name, what it is, or why it cannot be read."""

    name: str
    example: CounterexampleFile | None
    problem: str = ""


class Told(NamedTuple):
    """What became of a case, and on which kernel."""

    case: Case
    kernel: str
    replayed: Replayed


def cases(target: Path) -> list[Case]:
    """Return the counterexamples of a file, a folder or a run record.

    A file that cannot be read is a case of its own in a folder, which must not hide it.

    Raises:
        UsageError: there is no such file or folder, or nothing in it.
        DocumentError: the file is neither a counterexample nor a record.
    """
    if target.is_dir():
        return [_case(path) for path in files_in(target)]
    if _is_record(target):
        from ...reports.record.reader import read_record

        found = of_record(read_record(target))
        if not found:
            raise UsageError(f"{printable(str(target))}: the run found no failure to replay")
        return [Case(example.id, example) for example in found]
    return [Case(target.name, read_file(target))]


def replay_all(
    every: Iterable[Case], options: RunOptions, *, kernel: str, repetitions: int = 0
) -> Iterator[Told]:
    """Replay cases, those of one kernel together.

    Args:
        every: what to replay.
        options: how to reach kernels.
        kernel: reference of the kernel; empty takes the one that each file names.
        repetitions: runs of each; 0 leaves it to the file.

    Raises:
        UsageError: a file names a kernel that it may not start by itself.
        KernelError: a kernel cannot be reached.
    """
    by_kernel: dict[str, list[tuple[Case, CounterexampleFile]]] = {}
    for case in every:
        if case.example is None:
            yield Told(case, kernel, Replayed(Outcome.CANNOT_JUDGE, case.problem))
        elif case.example.found_in == FOUND_IN_RECORDING:
            yield Told(case, RECORDING, judged_again(case.example))
        else:
            reference = kernel or _own_kernel(case, case.example)
            by_kernel.setdefault(reference, []).append((case, case.example))
    for reference, group in by_kernel.items():
        with plan_run(replace(options, kernel=reference)) as plan:
            known = clauses(catalog())
            for case, example in group:
                told = replay(plan.session, example, known, repetitions=repetitions)
                yield Told(case, reference, told)


def exit_code(told: Iterable[Told]) -> int:
    """Return 1 if a failure shows, else 3 if one cannot be judged, else 0."""
    outcomes = {each.replayed.outcome for each in told}
    if outcomes & {Outcome.STILL_FAILS, Outcome.FLAKY}:
        return VIOLATIONS
    return NOT_JUDGED if Outcome.CANNOT_JUDGE in outcomes or not outcomes else CONFORMANT


def _case(path: Path) -> Case:
    try:
        return Case(path.name, read_file(path))
    except DocumentError as error:
        return Case(path.name, None, str(error))


def _is_record(path: Path) -> bool:
    with reading(path), path.open("rb") as file:
        head = file.read(65_536).partition(b"\n")[0]
    return b'"type":"header"' in head


def _own_kernel(case: Case, example: CounterexampleFile) -> str:
    """The kernel that a file names. A file, which may come from anywhere, starts no program."""
    reference = example.kernel.reference
    if reference == _SDK or is_embedded(reference):
        return reference
    named = f"was found on {reference!r}" if reference else "names no kernel"
    raise UsageError(
        f"{printable(case.name)} {printable(named)}; say on which kernel to run it: --kernel REF"
    )
