"""``fedcheck explain``: what an invariant promises and how it is judged, or a lint rule's page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from ...invariants.rows import aspects, rows
from ...invariants.vocabulary.aspect import Aspect
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.invariant import Clause, Invariant
from ...invariants.vocabulary.near_names import did_you_mean

_KINDS = {"input": "input class", "observed": "observed class", "choice": "told, not judged"}


@click.command("explain")
@click.argument("invariant_id", metavar="ID")
def command(invariant_id: str) -> None:
    """Explain an invariant, one clause of it, or a lint rule (FED101).

    Tells the statement, the clauses, the input classes, the sources, the broken kernels that
    each clause is known to catch, and the tables of what its scenarios vary; of a rule, what it
    finds, why, and what to write instead.
    """
    from ...invariants.catalog import catalog
    from ...invariants.recorded import RECORDED_ALONE
    from ...reports.console.terminal import say

    wanted, _, clause_name = invariant_id.partition("/")
    known = {invariant.id: invariant for invariant in (*catalog(), *RECORDED_ALONE)}
    if wanted in known:
        for line in _explanation(known[wanted], clause_name):
            say(line)
    else:
        click.echo(_rule_page(invariant_id, known), nl=False)


def _rule_page(name: str, invariants: Iterable[str]) -> str:
    """Return the page of a lint rule.

    Raises:
        UsageError: there is none; the message names the nearest rules and invariants.
    """
    from ...invariants.catalog import broken_plugins
    from ...lint.authoring.pages import find_rule
    from ...lint.engine.ignores.meta_rules import every_rule
    from ...lint.rules.retired import renamed, retired

    rule = find_rule(name)
    if rule is not None:
        if remark := renamed(name.lower()):
            click.echo(remark, err=True)
        return rule.markdown()
    if retired(name.upper()):
        raise UsageError(f"{retired(name.upper())}; no rule finds this any more.")
    known = [*invariants, *(rule.name for rule in every_rule())]  # a near code is a mere guess
    listed = "`fedcheck list` shows all invariants, `fedcheck rule list` all rules."
    hint = did_you_mean(name, known, listed)
    raise UsageError(f"There is no invariant and no lint rule {name!r}; {hint}{broken_plugins()}")


def _explanation(invariant: Invariant, clause_name: str) -> Iterator[str]:
    chosen = [c for c in invariant.clauses if clause_name in ("", c.name)]
    if not chosen:
        names = [clause.name for clause in invariant.clauses]
        hint = did_you_mean(clause_name, names, f"it has: {', '.join(names)}.")
        raise UsageError(f"{invariant.id} has no clause {clause_name!r}; {hint}")
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
    judging = {f"{invariant.id}/{clause.name}" for clause in chosen}
    for aspect in aspects():
        if judging & set(aspect.clauses):
            yield ""
            yield from _table_lines(aspect)


def _table_lines(aspect: Aspect) -> Iterator[str]:
    yield f"{aspect.name}: {aspect.title}"
    yield f"  every pair of these values is in one of {len(rows(aspect))} scenarios"
    for dimension in aspect.dimensions:
        yield f"  {dimension.name}"
        width = max(len(value.name) for value in dimension.values)
        for value in dimension.values:
            plain = " (plain)" if value is dimension.plain else ""
            yield f"    {value.name:{width}}  {value.source}{plain}"
    for apart in aspect.apart:
        sides = (f"{name} {', '.join(sorted(names))}" for name, names in (apart.one, apart.other))
        yield f"  never together: {'; '.join(sides)} ({apart.why})"


def _recordings_line(clause: str) -> Iterator[str]:
    """Tell whether `fedcheck audit` judges a clause, and what must not be missing of a turn."""
    from ...invariants.recorded import (
        every_clause,
        judges_turns,
        needs,
        recorded_clauses,
        unshown,
    )

    if clause in recorded_clauses():
        where = "a turn" if judges_turns(clause) else "a conversation"
        yield f"  Judges recordings, unless {where} has: {', '.join(needs(clause))}"
    else:
        why = unshown(clause) if clause in every_clause() else ""
        because = f": in others, {why}" if why else ""
        yield f"  Judges no recordings but traces of fedcheck itself (run --record-traces){because}"


def _clause_lines(invariant: Invariant, clause: Clause) -> Iterator[str]:
    from ...fixtures.broken_names import known_to_break

    yield f"{invariant.id}/{clause.name}  ({clause.level})"
    yield f"  {clause.sentence}"
    yield from _recordings_line(f"{invariant.id}/{clause.name}")
    if clause.sources:
        yield f"  Sources: {'; '.join(str(source) for source in clause.sources)}"
    if clause.capabilities:
        yield f"  Needs: {', '.join(sorted(clause.capabilities))}"
    for contradiction in clause.contradictions:
        yield f"  Contradicted by {contradiction}"
    for partition in clause.partitions:
        mark = _KINDS[partition.kind]
        yield f"  {mark}: {partition.name} ({partition.description})"
    for mutant in known_to_break(f"{invariant.id}/{clause.name}"):
        yield f"  broken kernel: mutant:{mutant.name} ({mutant.description})"
