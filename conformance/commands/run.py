"""``fedcheck run``: judge a kernel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..options import (
    DEFAULT_KERNEL,
    DEFAULT_SET,
    DEFAULT_TIMEOUT,
    EXPLORE_EXAMPLES,
    GATE_EXAMPLES,
    GATE_SEED,
    Profile,
    RunOptions,
)

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}

if TYPE_CHECKING:
    from ...reports.record import RunRecord


class Duration(click.ParamType[float]):
    """A number with a unit, in seconds: ``90s``, ``10m``, ``1h``."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds; a text that is no duration is a usage error."""
        text = str(value)
        number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
        if not number.isdecimal() or int(number) == 0:
            self.fail(f"{text!r} is no duration; give a whole number with s, m or h", param, ctx)
        return int(number) * _UNITS[unit]


@click.command("run")
@click.option(
    "--kernel",
    default=DEFAULT_KERNEL,
    show_default=True,
    metavar="REF",
    help="reference, mutant:NAME, style:NAME, imperal-sdk, package.module:attribute, or "
    "exec:COMMAND.",
)
@click.option("--select", multiple=True, metavar="ID", help="Judge only these ids or globs.")
@click.option("--ignore", multiple=True, metavar="ID", help="Leave these ids or globs out.")
@click.option(
    "--require",
    "requirement_set",
    default=DEFAULT_SET,
    show_default=True,
    metavar="SET",
    help="The requirement set that decides.",
)
@click.option(
    "--profile",
    type=click.Choice(["gate", "explore"]),
    default="gate",
    show_default=True,
    help="gate: same seed, same verdicts. explore: random.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Scenarios to explore per invariant [gate: {GATE_EXAMPLES}, "
    f"explore: {EXPLORE_EXAMPLES}].",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    metavar="DURATION",
    help="Explore until the time is up: 90s, 10m, 1h.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"What exploration draws from [gate: {GATE_SEED}, explore: random].",
)
@click.option(
    "-n",
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes to spread the invariants over.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="Deadline of one call to the kernel.",
)
@click.option(
    "--in-process", is_flag=True, help="Host package.module:attribute in this process, to debug it."
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the run record (NDJSON).",
)
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report."
)
def command(
    kernel: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    requirement_set: str,
    profile: Profile,
    examples: int | None,
    seconds: float | None,
    seed: int | None,
    workers: int,
    timeout: float,
    in_process: bool,
    record: Path | None,
    junit: Path | None,
) -> None:
    """Judge a kernel and say, clause by clause, whether it keeps its promises."""
    options = RunOptions(
        kernel=kernel,
        select=select,
        ignore=ignore,
        examples=_examples(profile) if examples is None else examples,
        seed=_seed(profile) if seed is None else seed,
        profile=profile,
        seconds=seconds,
        timeout=timeout,
        workers=workers,
        in_process=in_process,
        requirement_set=requirement_set,
        arguments=tuple(sys.argv[1:]),
    )
    judged = _judge(options, record)
    _report(judged, junit)
    sys.exit(judged.summary.exit_code)


def _examples(profile: Profile) -> int:
    return GATE_EXAMPLES if profile == "gate" else EXPLORE_EXAMPLES


def _seed(profile: Profile) -> int:
    import secrets

    return GATE_SEED if profile == "gate" else secrets.randbelow(2**32)


def _judge(options: RunOptions, record: Path | None) -> RunRecord:
    from ..progress import watching
    from ..suite import run_suite

    with watching(record) as observer:
        judged = run_suite(options, observer)
        observer.finish(judged.summary)
    return judged


def _report(judged: RunRecord, junit: Path | None) -> None:
    from rich.console import Console

    from ...reports.text import render_summary

    render_summary(judged, Console(soft_wrap=False))
    if junit is not None:
        from ...reports.junit import junit_xml
        from ...reports.safely import write_report

        problem = write_report(junit_xml, junit, judged)
        if problem is not None:
            click.echo(problem, err=True)
