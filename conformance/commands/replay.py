"""``fedcheck replay``: run counterexamples again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...reports.commands.shared import format_option
from .run_options import KERNEL_OPTIONS, Choice, chosen, options, run_options

if TYPE_CHECKING:
    from ..counterexamples.replaying import Told


@click.command("replay")
@click.argument(
    "targets", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|DIR|RUN..."
)
@options(*KERNEL_OPTIONS)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run each so many times [5; 20 if it was flaky when it was found].",
)
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context, targets: tuple[Path, ...], repeat: int | None, form: str, **_: object
) -> None:
    """Run counterexamples again: FIXED, STILL FAILS, FLAKY or CANNOT JUDGE.

    Takes counterexample files, folders of them, and run records. Without --kernel, and without
    a kernel in the configuration, the embedded kernel that a file names is taken.

    Exit codes: 0 all fixed, 1 one still fails or is flaky, 3 one cannot be judged.
    """
    from ..counterexamples.replaying import cases, exit_code, replay_all

    choice = chosen(ctx)
    every = [case for target in targets for case in cases(target)]
    told: list[Told] = []
    for each in replay_all(
        every, run_options(ctx, choice), kernel=_kernel(choice), repetitions=repeat or 0
    ):
        told.append(each)
        if form == "text":
            click.echo("\n".join(_as_text(each)))
    code = exit_code(told)
    click.echo(_as_json(told, code) if form == "json" else _summary(told, code))
    sys.exit(code)


def _kernel(choice: Choice) -> str:
    setting = choice.settings["kernel"]
    return "" if setting.source == "default" else setting.value


def _as_text(told: Told) -> Iterator[str]:
    from ...reports.console.escape import printable

    replayed, example = told.replayed, told.case.example
    subject = f"{example.clause or example.breakdown}  {example.kind}" if example else ""
    yield f"{replayed.outcome.value.upper():<13}{printable(told.case.name)}"
    if subject.strip():
        yield f"    {printable(subject)}"
    yield f"    {printable(replayed.reason, limit=None)}"
    if replayed.violation is not None:
        yield f"    Expected: {printable(replayed.violation.expected)}"
        yield f"    Got:      {printable(replayed.violation.got)}"


def _summary(told: list[Told], code: int) -> str:
    from ...reports.console.escape import printable
    from ..counterexamples.replay import Outcome

    counts = {x: sum(each.replayed.outcome is x for each in told) for x in Outcome}
    parts = ", ".join(f"{number} {x.value}" for x, number in counts.items() if number)
    kernels = ", ".join(dict.fromkeys(each.kernel for each in told if each.kernel))
    return f"{printable(kernels) or 'no kernel'}: {parts} (exit code {code})"


def _as_json(told: list[Told], code: int) -> str:
    from ...invariants.vocabulary.codec import to_json

    rows = [
        {
            "name": each.case.name,
            "id": each.case.example.id if each.case.example else "",
            "clause": each.case.example.clause if each.case.example else "",
            "kind": each.case.example.kind if each.case.example else "",
            "kernel": each.kernel,
            "outcome": each.replayed.outcome.value,
            "reason": each.replayed.reason,
            "shown": each.replayed.shown,
            "attempts": each.replayed.attempts,
            "expected": each.replayed.violation.expected if each.replayed.violation else "",
            "got": each.replayed.violation.got if each.replayed.violation else "",
        }
        for each in told
    ]
    return json.dumps({"exit_code": code, "replayed": json.loads(to_json(rows))}, indent=2)
