"""Runs a recorded run again and compares the verdicts, as an auditor does.

The kernel is the one that the auditor names. The reference in a record may be a command, and
nothing that a record says is ever run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...reports.record.model import RunRecord
from ...reports.wording.clause_text import short
from ..adapters.own_process import USUAL, Hosting
from ..running.suite import Observer, run_suite
from ..settings.options import Profile, RunOptions
from .unrepeated import unrepeated

_DECIDING = ("level", "required", "missing_partitions")
"""What decides over the run beside the verdicts; waivers take no part in a second run."""

_SILENT = ("pass", "not_exercised")
"""Verdicts of a second run that saw nothing wrong; a replay may have seen more."""


@dataclass(frozen=True)
class Comparison:
    """What the second run came to.

    Attributes:
        record: of the second run.
        differences: clauses whose verdict is another one, one line each.
        notes: what else is different and may explain it, one line each.
    """

    record: RunRecord
    differences: list[str]
    notes: list[str]


def reperform(
    recorded: RunRecord,
    kernel: str,
    observer: Observer,
    requirement_set: str = "",
    hosting: Hosting = USUAL,
) -> Comparison:
    """Judge a kernel as a recorded run did: same clauses, seed, budget and requirement set.

    Args:
        recorded: the first run.
        kernel: kernel reference.
        observer: is told how the run goes on.
        requirement_set: name or file of the set, if it is not found by its recorded name.
        hosting: what the process of the kernel gets; a record names variables and interpreters
            of another machine, so that none of its own is taken.

    Raises:
        UsageError: this installation does not know a clause or the requirement set.
        KernelError: the kernel cannot be reached.
    """
    header = recorded.header
    profile: Profile = "explore" if header.profile == "explore" else "gate"
    options = RunOptions(
        kernel=kernel,
        select=header.selected,
        examples=header.examples,
        seed=header.seed,
        profile=profile,
        timeout=header.timeout,
        memory_limit=hosting.memory_limit,
        pass_env=hosting.pass_env,
        sandbox=hosting.sandbox,
        python=hosting.python,
        requirement_set=requirement_set or header.requirement_set.name,
    )
    again = run_suite(options, observer)
    left_out = unrepeated(recorded, again, options)
    differences = list(_differences(recorded, again, left_out.shown))
    return Comparison(again, differences, [*_notes(recorded, again), *left_out.notes])


def _differences(recorded: RunRecord, again: RunRecord, shown: Mapping[str, str]) -> Iterator[str]:
    now = {result.clause: result for result in again.clauses}
    for result in recorded.clauses:
        other = now.get(result.clause)
        found = other.verdict.value if other else "nothing"
        if found in _SILENT:
            found = shown.get(result.clause, found)
        if found != result.verdict.value:
            yield f"{short(result.clause)}: recorded {result.verdict.value}, now {found}"
        for field in _DECIDING if other else ():
            old, new = getattr(result, field), getattr(other, field)
            if old != new:
                yield f"{short(result.clause)}: recorded {field} {old}, now {new}"
    before, after = recorded.header, again.header
    if before.requirement_set.digest != after.requirement_set.digest:
        yield "the requirement set is not the recorded one"
    if before.deviations != after.deviations:
        yield f"recorded deviations {sorted(before.deviations)}, now {sorted(after.deviations)}"


def _notes(recorded: RunRecord, again: RunRecord) -> Iterator[str]:
    before, after = recorded.header, again.header
    pairs = {
        "the suite's code": (before.suite.digest, after.suite.digest),
        "the catalog": (before.catalog_digest, after.catalog_digest),
        "the kernel": (_kernel(recorded), _kernel(again)),
        "Python": (before.surroundings.python, after.surroundings.python),
    }
    for name, (old, new) in pairs.items():
        if old != new:
            yield f"{name} is not the recorded one: was {short(old)}, is {short(new)}"
    packages = before.surroundings.packages | after.surroundings.packages
    for name in sorted(packages):
        old = before.surroundings.packages.get(name, "none")
        new = after.surroundings.packages.get(name, "none")
        if old != new:
            yield f"{short(name)} is not the recorded one: was {short(old)}, is {short(new)}"


def _kernel(record: RunRecord) -> str:
    kernel = record.header.kernel
    return f"{kernel.kernel} {kernel.version} {kernel.commit}".strip()
