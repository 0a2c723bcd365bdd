"""What a run was asked to do."""

from __future__ import annotations

from typing import Literal

import msgspec

from ...reports.record.protection import Sandbox
from ...reports.record.record_parts import Setting
from ...reports.record.redact import redact
from .waiver_entries import Waiver
from .waiver_entries import told as waivers_told

Profile = Literal["gate", "explore"]

GATE_SEED = 0
GATE_EXAMPLES = 20
EXPLORE_EXAMPLES = 1000
DEFAULT_TIMEOUT = 10.0
DEFAULT_KERNEL = "reference"
DEFAULT_SET = "seeds-2026-11"
AGENT_SET = "agent-2026-11"
"""The set for what claims ``agent``, where none is named."""


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a run was asked to do, with every default resolved.

    Attributes:
        kernel: kernel reference.
        select: clauses to judge, as ids or globs; empty means all.
        ignore: clauses to leave out, as ids or globs.
        must_claim: capabilities that the kernel has to claim.
        examples: scenarios to explore per invariant, beyond the fixed ones.
        seed: what exploration draws from.
        profile: ``gate`` (deterministic) or ``explore`` (random).
        timeout: seconds that one call to the kernel may take.
        memory_limit: bytes of memory that the kernel's process may have; ``None`` for no limit.
        pass_env: variables that the kernel's process gets beside the usual ones.
        sandbox: whether that process gets namespaces of its own: where the system permits it
            (``auto``), in any case (``on``), or no protection at all (``off``).
        python: the interpreter of an agent's module; empty for ours.
        seconds: how long the run may take in all; it explores as long as there is time, whatever
            ``examples`` says. ``None`` counts examples.
        shard: which share of the scenarios is run, such as ``2/5``; empty for all.
        resume: path of the record of a run that did not do all, which this one goes on with.
        fail_fast: end as soon as a clause that decides is seen to fail.
        max_failures: end as soon as so many are; ``None`` for no limit.
        reduce: scenarios that making one failure small may take, 0 for none; ``None`` for the
            usual number, and for all together no more than a third of the run.
        workers: processes to spread the invariants over.
        dask: address of the scheduler of a cluster whose workers do so instead; empty for none.
        in_process: host a Python kernel in this process, to debug it.
        requirement_set: name of the requirement set, or path of a file that holds one; where the
            default is taken for an agent, ``AGENT_SET`` decides.
        record_traces: folder that gets all traces; empty for none.
        scenarios: folder of fixed, named scenarios to run beside generation; empty for none.
        organisation: on whose behalf the run is made.
        person: who answers for it.
        waivers: breaches that are accepted for now.
        plugins: whether installed plug-ins take part.
        allow_broken_plugins: go on without plug-ins that cannot be loaded.
        configuration: every resolved setting, for the record.
        arguments: the command line, for the record.
    """

    kernel: str = DEFAULT_KERNEL
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    must_claim: tuple[str, ...] = ()
    examples: int = GATE_EXAMPLES
    seed: int = GATE_SEED
    profile: Profile = "gate"
    seconds: float | None = None
    timeout: float = DEFAULT_TIMEOUT
    memory_limit: int | None = None
    pass_env: tuple[str, ...] = ()
    sandbox: Sandbox = "auto"
    python: str = ""
    shard: str = ""
    resume: str = ""
    fail_fast: bool = False
    max_failures: int | None = None
    reduce: int | None = None
    workers: int = 1
    dask: str = ""
    in_process: bool = False
    requirement_set: str = DEFAULT_SET
    record_traces: str = ""
    scenarios: str = ""
    organisation: str = ""
    person: str = ""
    waivers: tuple[Waiver, ...] = ()
    plugins: bool = True
    allow_broken_plugins: bool = False
    configuration: dict[str, Setting] = {}
    arguments: tuple[str, ...] = ()


def settings_of(options: RunOptions) -> dict[str, Setting]:
    """Return options that no command line gave as the settings that a record holds."""
    told = {
        "kernel": redact(options.kernel),
        "select": list(options.select),
        "ignore": list(options.ignore),
        "must_claim": list(options.must_claim),
        "require": options.requirement_set,
        "profile": options.profile,
        "examples": options.examples,
        "time": options.seconds,
        "seed": options.seed,
        "shard": options.shard,
        "resume": redact(options.resume),
        "fail_fast": options.fail_fast,
        "max_failures": options.max_failures,
        "reduce": options.reduce,
        "workers": options.workers,
        "dask": redact(options.dask),
        "timeout": options.timeout,
        "memory_limit": options.memory_limit,
        "pass_env": list(options.pass_env),
        "python": options.python,
        "in_process": options.in_process,
        "scenarios": options.scenarios,
        "organisation": redact(options.organisation),
        "person": redact(options.person),
        "waivers": waivers_told(options.waivers),
        "plugins": options.plugins,
        "allow_broken_plugins": options.allow_broken_plugins,
    }
    return {name: Setting(value=value, source="call") for name, value in told.items()}
