"""``fedcheck explain``: what an invariant promises and how it is judged, or a lint rule's page."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.invariant import Clause, Invariant

_INVARIANTS = ("I-", "C-")
"""How the ids of invariants begin; what begins otherwise may be a rule."""


@click.command("explain")
@click.argument("invariant_id", metavar="ID")
def command(invariant_id: str) -> None:
    """Explain an invariant, one clause of it, or a lint rule (FED101).

    Tells the statement, the clauses, the input classes, the sources, and the broken kernels
    that each clause is known to catch; of a rule, what it finds, why, and what to write instead.
    """
    if not invariant_id.startswith(_INVARIANTS):
        from ...lint.documentation import find_rule
        from ...lint.retired import retired

        rule = find_rule(invariant_id)
        if rule is not None:
            click.echo(rule.markdown(), nl=False)
            return
        if retired(invariant_id.upper()):
            raise UsageError(f"{retired(invariant_id.upper())}; no rule finds this any more.")
    wanted, _, clause_name = invariant_id.partition("/")
    for line in _explanation(_invariant(wanted), clause_name):
        click.echo(line)


def _invariant(wanted: str) -> Invariant:
    """Return an invariant by its id.

    Raises:
        UsageError: there is none; what does not begin like one is said to be no rule either.
    """
    from ...invariants.catalog import find

    try:
        return find(wanted)
    except UsageError as error:
        if wanted.startswith(_INVARIANTS):
            raise
        known = "`fedcheck rule list` shows all."
        raise UsageError(f"There is no lint rule {wanted!r}; {known} {error}") from error


def _explanation(invariant: Invariant, clause_name: str) -> Iterator[str]:
    chosen = [c for c in invariant.clauses if clause_name in ("", c.name)]
    if not chosen:
        names = ", ".join(c.name for c in invariant.clauses)
        raise UsageError(f"{invariant.id} has no clause {clause_name!r}; it has: {names}.")
    yield f"{invariant.id}: {invariant.title}"
    yield ""
    yield invariant.statement
    yield ""
    yield f"Severity: {invariant.severity}"
    yield f"Sources:  {'; '.join(str(source) for source in invariant.sources)}"
    yield f"Needs:    {', '.join(sorted(invariant.capabilities))}"
    if invariant.reading:
        yield f"Reading:  {invariant.reading}"
    for clause in chosen:
        yield ""
        yield from _clause_lines(invariant, clause)


def _clause_lines(invariant: Invariant, clause: Clause) -> Iterator[str]:
    from ...fixtures.mutants import MUTANTS

    yield f"{invariant.id}/{clause.name}  ({clause.level})"
    yield f"  {clause.sentence}"
    if clause.sources:
        yield f"  Sources: {'; '.join(str(source) for source in clause.sources)}"
    if clause.capabilities:
        yield f"  Needs: {', '.join(sorted(clause.capabilities))}"
    for partition in clause.partitions:
        mark = "input class" if partition.kind == "input" else "observed class"
        yield f"  {mark}: {partition.name} ({partition.description})"
    for mutant in MUTANTS.values():
        if f"{invariant.id}/{clause.name}" in mutant.trips:
            yield f"  broken kernel: mutant:{mutant.name} ({mutant.description})"
