"""``fedcheck list``: the invariants and their clauses."""

from __future__ import annotations

import click


@click.command("list")
@click.option("--clauses/--no-clauses", default=True, help="Show the clauses too.")
def command(clauses: bool) -> None:
    """List the invariants and their clauses, in the order in which they are judged."""
    from ...invariants.catalog import catalog

    for invariant in catalog():
        click.echo(f"{invariant.id}  {invariant.title}")
        for clause in invariant.clauses if clauses else ():
            should = " (SHOULD)" if clause.level == "SHOULD" else ""
            click.echo(f"    {clause.name}{should}: {clause.sentence}")
