"""``fedcheck list``: the invariants and their clauses."""

from __future__ import annotations

import click


@click.command("list")
@click.option("--clauses/--no-clauses", default=True, help="Show the clauses too.")
def command(clauses: bool) -> None:
    """List the invariants and their clauses, in the order in which they are judged."""
    from ...invariants.catalog import catalog
    from ...invariants.plugins import invariant_plugins
    from ...reports.console.escape import printable
    from ...reports.console.terminal import say

    for invariant in catalog():
        say(f"{invariant.id}  {invariant.title}")
        for clause in invariant.clauses if clauses else ():
            should = " (SHOULD)" if clause.level == "SHOULD" else ""
            say(f"    {clause.name}{should}: {clause.sentence}")
    for plugin in invariant_plugins():
        if plugin.problem:
            click.echo(printable(f"{plugin.label} {plugin.problem}", limit=None), err=True)
