"""``fedcheck shrink``: make a failing scenario smaller."""

from __future__ import annotations

from pathlib import Path

import click

from .run_options import KERNEL_OPTIONS, chosen, options, run_options


@click.command("shrink")
@click.argument("file", type=click.Path(path_type=Path))
@options(*KERNEL_OPTIONS)
@click.option("--clause", default="", metavar="ID", help="Keep this clause broken.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=600,
    show_default=True,
    metavar="N",
    help="Runs that it may take.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the result here instead of to stdout.",
)
@click.pass_context
def command(
    ctx: click.Context, file: Path, clause: str, budget: int, output: Path | None, **_: object
) -> None:
    """Make the scenario of FILE smaller while it still breaks the same clause on the kernel.

    FILE is a counterexample, a scenario, or a recorded trace, whose stimulus is taken.
    """
    from ...invariants.vocabulary.codec import to_json
    from ...reports.console.files import write_output
    from ..counterexamples.documents import read_file
    from ..counterexamples.shrinking import shrink
    from ..driving.plan import plan_run

    example = read_file(file)
    with plan_run(run_options(ctx, chosen(ctx))) as plan:
        shrunk = shrink(plan, example, clause=clause, budget=budget)
    text = to_json(shrunk.example, indent=2) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write_output(output, text.encode("ascii"), inputs=[file])
    before, after = (len(to_json(x.scenario)) for x in (example, shrunk.example))
    end = "no single simplification fails any more" if shrunk.minimal else "the budget is used up"
    click.echo(
        f"{shrunk.example.clause}: {before:,} to {after:,} characters in {shrunk.runs} runs; {end}",
        err=True,
    )
