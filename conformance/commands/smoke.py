"""``fedcheck smoke``: does an adapter speak the protocol?"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from .run_options import KERNEL_OPTIONS, chosen, options

if TYPE_CHECKING:
    from ...invariants.vocabulary.scenario import Scenario
    from ...invariants.vocabulary.trace import AnyEvent, KernelDescription
    from ..running.smoke import Exchange

_FAULTS = {
    "kernel": "the kernel broke the protocol",
    "unreachable": "the kernel could not be reached",
    "ours": "fedcheck made a mistake",
}
_ADVICE = {
    "": "The adapter speaks the protocol. `fedcheck run` tells if the kernel keeps its promises.",
    "kernel": "The kernel broke the protocol: docs/adapters.md shows each step and event, and "
    "`fedcheck schema trace` all fields.",
    "unreachable": "The kernel could not be reached, so nothing is known of its adapter.",
    "ours": "fedcheck made a mistake, not the kernel: please report what is shown above.",
}
_FAULTS_OF_AGENTS = {
    "kernel": "this is not wired",
    "unreachable": "the agent could not be started",
    "ours": _FAULTS["ours"],
}
_ADVICE_ON_AGENTS = {
    "": "The agent is wired. `fedcheck run` tells if it keeps its promises.",
    "kernel": "The agent is not wired as it must be: each line with > above says what is missing. "
    "docs/adapters.md tells how a turn is taken, and where model and tools are.",
    "unreachable": "The agent could not be started, so nothing is known of its wiring.",
    "ours": "fedcheck made a mistake, not the agent: please report what is shown above.",
}
_EXIT_CODES = {"": 0, "kernel": 1, "unreachable": 3, "ours": 3}


@click.command("smoke")
@options(*(name for name in KERNEL_OPTIONS if name != "allow_broken_plugins"))
@click.pass_context
def command(ctx: click.Context, **_: object) -> None:
    """Check in seconds that an adapter speaks the protocol, or that an agent is wired.

    Nothing is judged. A step of each kind that is claimed is sent; what comes back is shown, event
    by event, and if something is wrong, whose fault it is.

    Exit codes: 0 nothing is wrong, 1 the kernel broke the protocol or the agent is not wired,
    2 wrong usage, 3 it could not be reached, or fedcheck made a mistake.
    """
    from ...invariants.plugins import kept_out
    from ...reports.console.escape import printable
    from ..adapters.own_process import Hosting
    from ..adapters.reference import open_kernel
    from ..running.agent_smoke import expected_time
    from ..running.smoke import smoke

    choice = chosen(ctx)
    faults: set[str] = set()
    taken: list[tuple[Scenario, float]] = []
    is_agent = choice["kernel"].startswith("agent")
    with (
        kept_out(not choice["plugins"]),
        open_kernel(
            choice["kernel"],
            timeout=choice["timeout"],
            in_process=choice["in_process"],
            hosting=Hosting(
                choice["memory_limit"],
                tuple(choice["pass_env"]),
                choice["sandbox"],
                choice["python"],
            ),
        ) as adapter,
    ):
        for exchange in smoke(adapter):
            faults.add(exchange.fault)
            if exchange.scenario is not None and not exchange.skipped:
                taken.append((exchange.scenario, exchange.seconds))
            described = exchange.name == "describe" and not exchange.fault
            is_agent = is_agent or (described and "agent" in adapter.describe().capabilities)
            click.echo("\n".join(_lines(exchange, _FAULTS_OF_AGENTS if is_agent else _FAULTS)))
            if described:
                click.echo("\n".join(_description(adapter.describe(), adapter.transport)))
        for line in adapter.wiring() if "unreachable" not in faults else ():
            click.echo(f"note  {printable(line, limit=None)}")
        if adapter.transport in {"exec", "hosted"} and faults != {""}:
            click.echo("\n".join(_withheld(choice["pass_env"], "agent" if is_agent else "kernel")))
        time = expected_time(adapter.describe(), taken) if is_agent and faults == {""} else ""
    worst = next(fault for fault in ("ours", "kernel", "unreachable", "") if fault in faults)
    click.echo(f"\n{(_ADVICE_ON_AGENTS if is_agent else _ADVICE)[worst]}")
    if time:
        click.echo(f"It takes {time}.")
    sys.exit(_EXIT_CODES[worst])


def _withheld(wanted: Iterable[str], whom: str) -> Iterator[str]:
    from ...invariants.vocabulary.text import counted
    from ...reports.console.escape import printable
    from ..adapters.passed_environment import withheld

    if names := withheld(wanted):
        told, listed = counted(len(names), "variable"), printable(", ".join(names), limit=None)
        yield f"note  {told} of your environment did not reach the {whom}, as is usual. If it"
        yield f"      needs one of them, add --pass-env NAME: {listed}"


def _description(description: KernelDescription, transport: str) -> Iterator[str]:
    from ...invariants.vocabulary.trace import AGENT_CAPABILITIES, CAPABILITIES
    from ...reports.console.escape import printable

    claimed = description.capabilities
    name = printable(f"{description.kernel} {description.version}")
    yield f"      {name}, {description.protocol}, {transport}"
    yield f"      claims {', '.join(claimed) or 'nothing, so nothing can be judged'}"
    known = AGENT_CAPABILITIES if "agent" in claimed else CAPABILITIES
    if missing := [each for each in known if each not in claimed]:
        yield f"      does not claim {', '.join(missing)}"


def _lines(exchange: Exchange, faults: Mapping[str, str]) -> Iterator[str]:
    from ...reports.console.escape import printable, printable_lines

    if exchange.skipped:
        yield f"skip  {exchange.name}: {printable(exchange.skipped)}"
        return
    fault = f": {faults[exchange.fault]}" if exchange.fault else ""
    yield f"{'FAIL' if exchange.fault else 'ok':<6}{exchange.name}{fault}"
    yield from _steps(exchange)
    for step, problem in exchange.problems:
        if step is None:
            yield from (f"      {printable(line, limit=None)}" for line in problem.split("\n"))
    for note in exchange.notes:
        yield f"      note: {note}"
    if exchange.stderr_tail:
        yield "      its last words on stderr:"
        yield from (f"        {line}" for line in printable_lines(exchange.stderr_tail, lines=10))


def _steps(exchange: Exchange) -> Iterator[str]:
    from ...invariants.vocabulary.trace import Given
    from ...reports.console.escape import printable
    from ...reports.wording.scenario_text import step_texts

    if exchange.scenario is None or exchange.trace is None:
        return
    for place, step in enumerate(step_texts(exchange.scenario)):
        problems = [problem for index, problem in exchange.problems if index == place]
        yield f"      {place} {step.deed}"
        for event in exchange.trace.events:
            if event.step == place and not isinstance(event, Given):
                yield f"          {_event(event, problems)}"
        for problem in problems:
            yield f"        > {printable(problem, limit=None)}"


def _event(event: AnyEvent, problems: Sequence[str]) -> str:
    """An event on one line, without what its step or a problem says already."""
    import msgspec

    from ...invariants.vocabulary.trace import AgentFailed, ModelRequest
    from ...reports.console.escape import printable

    plain: dict[str, object] = msgspec.to_builtins(event)
    if isinstance(event, ModelRequest):
        plain["prompt"] = f"{len(event.prompt)} messages"
        plain["tools"] = len(event.tools or ())
    shown = " ".join(
        f"{name}={printable(str(value), limit=60)}"
        for name, value in plain.items()
        if name not in {"event", "step", "user", "session"} and value is not None
        if not (isinstance(event, AgentFailed) and any(str(value) in x for x in problems))
    )
    return f"{plain['event']} {shown}".rstrip()
