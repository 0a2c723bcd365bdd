"""The suite's own qualification, as every record carries it: kill table and tolerance table.

``python -m fedcheck.conformance.qualify --write`` writes ``fixtures/qualification.json`` anew
from the tables of broken kernels and conforming styles; with ``--measure`` every kernel of
both is judged first, and nothing is written unless each of them does what its table says.
It also searches scenarios that catch new broken kernels, and those whose scenario no longer
does, and writes them into ``fixtures/mutants/catches.json``, which the tests drive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click
from msgspec.structs import replace

from ..fixtures.catches import Catches, known_catches
from ..fixtures.embedded import AGENT, REFERENCE
from ..fixtures.mutants import MUTANTS
from ..fixtures.styles import STYLES
from ..invariants.vocabulary.codec import to_json
from ..invariants.vocabulary.errors import CatalogError
from ..reports.record.model import Qualification
from ..reports.record.suite import QUALIFICATION, suite_identity
from ..reports.record.surroundings import utc_now
from .audit.catches import renewed, write_catches
from .audit.qualification import broken_clauses

EXAMPLES = 1
"""Scenarios to explore per invariant and kernel when measuring, beyond the fixed ones.

More would find no other survivor and show more clauses that state the same promise twice."""

T = TypeVar("T")


def demanded() -> Qualification:
    """Return what the tables of this suite demand: each clause with its broken kernels."""
    killed: dict[str, list[str]] = {}
    for mutant in sorted(MUTANTS.values(), key=lambda entry: entry.name):
        for clause in mutant.trips:
            killed.setdefault(clause, []).append(mutant.name)
    return Qualification(
        suite_digest=suite_identity().digest,
        killed={clause: tuple(killed[clause]) for clause in sorted(killed)},
        tolerated=(AGENT, REFERENCE, *sorted(STYLES)),
    )


def measured(trials: Iterable[tuple[str, dict[str, tuple[str, ...]]]]) -> Qualification:
    """Return what the tables demand, after every kernel was seen to do it.

    Args:
        trials: reference of each kernel of both tables, with the clauses that it broke.

    Raises:
        CatalogError: a kernel does not do what its table says; all of them are named.
    """
    wrong = [line for reference, broken in trials for line in _wrong(reference, set(broken))]
    if wrong:
        raise CatalogError("The suite is not qualified:\n" + "\n".join(wrong))
    return replace(demanded(), measured=utc_now())


def _wrong(reference: str, broken: set[str]) -> Iterator[str]:
    mutant = MUTANTS.get(reference.removeprefix("mutant:"))
    demanded_of_it = mutant.trips if mutant else frozenset[str]()
    allowed = demanded_of_it | mutant.also if mutant else demanded_of_it
    if survived := sorted(demanded_of_it - broken):
        yield f"{reference}: not caught by {', '.join(survived)}"
    if alarmed := sorted(broken - allowed):
        yield f"{reference}: unexpectedly broken: {', '.join(alarmed)}"


def references() -> tuple[str, ...]:
    """Return the references of all kernels of both tables."""
    return (
        *(f"mutant:{name}" for name in sorted(MUTANTS)),
        AGENT,
        REFERENCE,
        *(f"style:{name}" for name in sorted(STYLES)),
    )


def trial(reference: str) -> dict[str, tuple[str, ...]]:
    """Judge a kernel, given by its reference; return the clauses that it is seen to break."""
    return broken_clauses(reference, examples=EXAMPLES)


def _tried(workers: int) -> Iterator[tuple[str, dict[str, tuple[str, ...]]]]:
    return zip(references(), _in_processes(workers, trial, references()), strict=True)


def _all_catches(workers: int) -> dict[str, Catches]:
    """Return what catches each broken kernel.

    Raises:
        CatalogError: a clause that a kernel is said to break is not caught by any one scenario.
    """
    names, known = sorted(MUTANTS), known_catches()
    entries = [known.get(name, {}) for name in names]
    found = dict(zip(names, _in_processes(workers, renewed, names, entries), strict=True))
    wrong = [
        f"mutant:{name}: no fixed scenario alone shows that it breaks {clause}; write one, or "
        "take the clause out of what the kernel trips"
        for name, catches in found.items()
        for clause in sorted(MUTANTS[name].trips - set(catches))
    ]
    if wrong:
        raise CatalogError("The suite is not qualified:\n" + "\n".join(wrong))
    return found


def _in_processes(
    workers: int, work: Callable[..., T], names: Sequence[str], *more: Sequence[object]
) -> Iterator[T]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for number, done in enumerate(pool.map(work, names, *more), 1):
            click.echo(f"{number}/{len(names)} {names[number - 1]}", err=True)
            yield done


@click.command("qualify")
@click.option("--measure", is_flag=True, help="Judge every kernel of both tables first.")
@click.option("-n", "--workers", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--write", is_flag=True, help="Write the packaged files instead of printing one.")
def command(measure: bool, workers: int, write: bool) -> None:
    """Show, or write anew, how this version of the suite was tested itself."""
    if write:  # first, for the digest of the suite covers it
        write_catches(_all_catches(workers))
    told = measured(_tried(workers)) if measure else demanded()
    text = to_json(told, indent=1) + "\n"
    if not write:
        click.echo(text, nl=False)
        return
    path = Path(__file__).resolve().parent.parent / QUALIFICATION
    path.write_text(text, encoding="ascii", newline="\n")
    click.echo(f"Written: {path}")


if __name__ == "__main__":
    command()
