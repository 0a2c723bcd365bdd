"""``fedcheck list``: the invariants and their clauses."""

from __future__ import annotations

import click


@click.command("list")
@click.option("--clauses/--no-clauses", default=True, help="Show the clauses too.")
def command(clauses: bool) -> None:
    """List the invariants and their clauses, in the order in which they are judged.

    [recordings] marks the clauses that `fedcheck audit` judges too; those whose invariant begins
    with C-RECORDED judge nothing else.
    """
    from ...invariants.catalog import catalog
    from ...invariants.plugins import invariant_plugins
    from ...invariants.recorded import RECORDED_ALONE, recorded_clauses
    from ...reports.console.escape import printable
    from ...reports.console.terminal import say

    recorded = recorded_clauses()
    for invariant in (*catalog(), *RECORDED_ALONE):
        say(f"{invariant.id}  {invariant.title}")
        for clause in invariant.clauses if clauses else ():
            should = " (SHOULD)" if clause.level == "SHOULD" else ""
            audited = " [recordings]" if f"{invariant.id}/{clause.name}" in recorded else ""
            say(f"    {clause.name}{should}{audited}: {clause.sentence}")
    for plugin in invariant_plugins():
        if plugin.problem:
            click.echo(printable(f"{plugin.label} {plugin.problem}", limit=None), err=True)
