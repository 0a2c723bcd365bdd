"""The options of the commands that judge a kernel, and where each value came from.

A flag wins over the configuration, which wins over the default. Each option is named as its
key in the configuration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click
from click.core import ParameterSource

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.click_names import NamingChoice
from ...reports.formats.writing import ReportParam, ReportRequest
from ..settings.options import (
    DEFAULT_KERNEL,
    DEFAULT_SET,
    DEFAULT_TIMEOUT,
    EXPLORE_EXAMPLES,
    GATE_EXAMPLES,
    GATE_SEED,
    RunOptions,
)
from .group import ARGUMENTS
from .param_types import Duration, FileName, Reduction, ShardOf, Size

if TYPE_CHECKING:
    from ...reports.record.model import Setting
    from ..settings.configuration import Configuration
    from ..settings.waiver_entries import Waiver

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_COUNTEREXAMPLES = ".fedcheck/counterexamples"

_FILE = FileName(path_type=Path)
_TABLE: dict[str, Callable[[Any], Any]] = {
    "kernel": click.option(
        "--kernel",
        default=DEFAULT_KERNEL,
        show_default=True,
        metavar="REF",
        help="reference, mutant:NAME, style:NAME, imperal-sdk, package.module:attribute, "
        "exec:COMMAND, agent:module:attribute, agent:exec:COMMAND, http://…, https://…, "
        "or the name of a plug-in's kernel.",
    ),
    "select": click.option(
        "--select", multiple=True, metavar="ID", help="Judge only these ids or globs."
    ),
    "ignore": click.option(
        "--ignore", multiple=True, metavar="ID", help="Leave these ids or globs out."
    ),
    "must_claim": click.option(
        "--must-claim",
        multiple=True,
        metavar="NAME,…",
        help="Fail if the kernel does not claim these capabilities.",
    ),
    "require": click.option(
        "--require",
        default=DEFAULT_SET,
        show_default=True,
        metavar="SET",
        help="The requirement set that decides: its name, or a file SET.json.",
    ),
    "profile": click.option(
        "--profile",
        type=NamingChoice(["gate", "explore"]),
        default="gate",
        show_default=True,
        help="gate: same seed, same verdicts. explore: random.",
    ),
    "examples": click.option(
        "--examples",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Scenarios to explore per invariant [gate: {GATE_EXAMPLES}, "
        f"explore: {EXPLORE_EXAMPLES}].",
    ),
    "time": click.option(
        "--time",
        type=Duration(),
        metavar="DURATION",
        help="What the run may take; it explores until then, whatever --examples says: 90s, 10m.",
    ),
    "seed": click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Seed of the exploration [gate: {GATE_SEED}, explore: random].",
    ),
    "shard": click.option(
        "--shard",
        type=ShardOf(),
        default="",
        metavar="I/N",
        help="Run one of N shares of the scenarios; `fedcheck merge` judges all together.",
    ),
    "resume": click.option(
        "--resume",
        type=_FILE,
        metavar="RECORD",
        help="Do what an interrupted run, whose record this is, has left; what is not given is "
        "as it was there. `fedcheck merge` judges both together.",
    ),
    "fail_fast": click.option(
        "-x",
        "--fail-fast",
        is_flag=True,
        help="End as soon as a clause that decides is seen to fail.",
    ),
    "max_failures": click.option(
        "--max-failures",
        type=click.IntRange(min=1),
        metavar="N",
        help="End as soon as so many are.",
    ),
    "reduce": click.option(
        "--reduce",
        type=Reduction(),
        metavar="off|N",
        help="Scenarios that making one failure small may take  [default: 600, and together a "
        "third of the run]",
    ),
    "workers": click.option(
        "-n",
        "--workers",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Processes to spread the invariants over.",
    ),
    "dask": click.option(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="Spread them over the Dask cluster of this scheduler: tcp://scheduler:8786.",
    ),
    "timeout": click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=DEFAULT_TIMEOUT,
        show_default=True,
        metavar="SECONDS",
        help="Deadline of one call to the kernel.",
    ),
    "memory_limit": click.option(
        "--memory-limit",
        type=Size(),
        metavar="SIZE",
        help="Memory that the kernel's process may have: 512M, 2G.",
    ),
    "pass_env": click.option(
        "--pass-env",
        multiple=True,
        metavar="NAME",
        help="Give the kernel's process this variable; others but the usual ones are withheld.",
    ),
    "sandbox": click.option(
        "--sandbox",
        type=NamingChoice(["auto", "on", "off"]),
        default="auto",
        show_default=True,
        help="Namespaces for the kernel, so that nothing of it outlives the run: where the system "
        "permits it, in any case, or no protection at all.",
    ),
    "python": click.option(
        "--python",
        default="",
        metavar="PATH",
        help="The interpreter that agent:module:attribute runs in, such as .venv/bin/python.",
    ),
    "in_process": click.option(
        "--in-process",
        is_flag=True,
        help="Host package.module:attribute in this process, to debug it.",
    ),
    "scenarios": click.option(
        "--scenarios",
        metavar="DIR",
        help="Run the scenarios and counterexamples of a folder too.",
    ),
    "counterexamples": click.option(
        "--counterexamples",
        metavar="DIR",
        default=DEFAULT_COUNTEREXAMPLES,
        show_default=True,
        help="Write every failure into a file here; '' writes none.",
    ),
    "record": click.option(
        "--record", type=_FILE, metavar="FILE", help="Write the run record (NDJSON)."
    ),
    "report": click.option(
        "--report",
        multiple=True,
        type=ReportParam(),
        metavar="FORMAT=FILE",
        help="Write a report; may be given several times.",
    ),
    "junit": click.option("--junit", type=_FILE, metavar="FILE", help="Write a JUnit report."),
    "organisation": click.option(
        "--organisation",
        default="",
        metavar="NAME",
        help="On whose behalf the run is made; it stands in the record.",
    ),
    "person": click.option(
        "--person",
        default="",
        metavar="NAME",
        help="Who answers for the run; it stands in the record.",
    ),
    "plugins": click.option(
        "--plugins/--no-plugins", default=True, show_default=True, help="Load installed plug-ins."
    ),
    "allow_broken_plugins": click.option(
        "--allow-broken-plugins", is_flag=True, help="Go on without plug-ins that cannot be loaded."
    ),
    "waivers": click.option(
        "--waivers/--no-waivers",
        "use_waivers",
        default=True,
        show_default=True,
        help="Apply the waivers of the configuration.",
    ),
    "config": click.option(
        "--config", type=_FILE, metavar="FILE", help="Read this configuration, and no other."
    ),
    "no_config": click.option("--no-config", is_flag=True, help="Read no configuration."),
}
_SOURCES = ("config", "no_config")
_KERNEL = ("kernel", "timeout", "memory_limit", "pass_env", "sandbox", "python", "in_process")
_PLUGINS = ("plugins", "allow_broken_plugins")

KERNEL_OPTIONS = (*_KERNEL, *_PLUGINS, *_SOURCES)
"""What a command needs to reach a kernel and to read its configuration."""

RUN_OPTIONS = tuple(_TABLE)
"""Everything that a run can be told."""


def options(*names: str) -> Callable[[F], F]:
    """Give a command these options, in this order."""

    def decorate(command: F) -> F:
        for name in reversed(names):
            command = _TABLE[name](command)
        return command

    return decorate


class Chosen(NamedTuple):
    """A resolved setting: its value, the value in words for the record, where it came from."""

    value: Any
    plain: Any
    source: str


@dataclass(frozen=True)
class Choice:
    """All settings of a command, and the configuration that they were taken from."""

    settings: dict[str, Chosen]
    configuration: Configuration

    def __getitem__(self, name: str) -> Any:
        return self.settings[name].value


def chosen(ctx: click.Context) -> Choice:
    """Resolve every option of a command.

    Raises:
        UsageError: the configuration is wrong.
    """
    found = _configuration(ctx.params["config"], none=ctx.params["no_config"])
    settings: dict[str, Chosen] = {}
    for param in ctx.command.params:
        name = param.name or ""
        if name in _TABLE and name not in _SOURCES:
            settings[name] = _chosen(ctx, param, name, found)
    if _value(settings, "resume"):
        settings = _as_there(settings)
    return Choice(_with_profile(settings), found)


def _configuration(named: Path | None, *, none: bool) -> Configuration:
    from ..settings.configuration import Configuration, configuration, named_configuration

    if none and named is not None:
        raise UsageError("--config and --no-config contradict each other; leave one of them out")
    if none:
        return Configuration()
    return configuration() if named is None else named_configuration(named)


def _chosen(ctx: click.Context, param: click.Parameter, name: str, found: Configuration) -> Chosen:
    from ..settings.configuration import near

    if ctx.get_parameter_source(name) not in {ParameterSource.DEFAULT, None}:
        value, source = ctx.params[name], "flag"
    elif name in found.settings and found.file is not None:
        value, source = param.type_cast_value(ctx, found.settings[name]), str(near(found.file))
    else:
        value, source = ctx.params[name], "default"
    return Chosen(value, _plain(value), source)


def _with_profile(settings: dict[str, Chosen]) -> dict[str, Chosen]:
    """Fill in what depends on the profile."""
    import secrets

    profile = settings["profile"].value if "profile" in settings else "gate"
    gate, source = profile == "gate", f"default of the profile {profile}"
    defaults: dict[str, Callable[[], int]] = {
        "examples": lambda: GATE_EXAMPLES if gate else EXPLORE_EXAMPLES,
        "seed": lambda: GATE_SEED if gate else secrets.randbelow(2**32),
    }
    if not gate and _value(settings, "seed") is None and _value(settings, "shard"):
        raise UsageError(
            "--shard: each shard would explore from a seed of its own; give all of them one --seed"
        )
    for name, default in defaults.items():
        if name in settings and _value(settings, name) is None:
            value = default()
            settings[name] = Chosen(value, value, source)
    return settings


def _as_there(settings: dict[str, Chosen]) -> dict[str, Chosen]:
    """Return the settings, those that no flag names as they were in the run that is resumed."""
    from ...reports.record.redact import MASK
    from ..driving.resumed import earlier_of
    from ..running.merging import OWN_OF_PARTS, OWN_SETTINGS

    own = {"use_waivers", *OWN_SETTINGS, *OWN_OF_PARTS}
    path: Path = settings["resume"].value
    there = earlier_of(path).header.configuration
    found = dict(settings)
    for name, setting in settings.items():
        if name in own or setting.source == "flag" or name not in there:
            continue
        plain: Any = there[name].value
        if MASK in str(plain):
            raise UsageError(
                f"--resume: the record does not hold {name} in full, for it is secret; "
                f"give --{name.replace('_', '-')} again"
            )
        value: Any = tuple(cast("list[Any]", plain)) if isinstance(plain, list) else plain
        found[name] = Chosen(value, plain, f"record {path.name}")
    return found


def _value(settings: dict[str, Chosen], name: str) -> Any:
    return settings[name].value if name in settings else None


def _plain(value: Any) -> Any:
    """A value as it may stand in a record: plain, and without secrets."""
    from ...reports.record.redact import redact

    if isinstance(value, ReportRequest):
        return redact(f"{value.format}={value.path}")
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return redact(str(value)) if isinstance(value, (str, Path)) else value


def recorded(choice: Choice) -> dict[str, Setting]:
    """Return the settings as a record's header holds them."""
    from ...reports.record.model import Setting

    return {
        name: Setting(value=setting.plain, source=setting.source)
        for name, setting in choice.settings.items()
    }


def _recorded_waivers(ctx: click.Context, choice: Choice, waivers: tuple[Waiver, ...]) -> Setting:
    """Return which waivers a run is given, and who says so."""
    from ...reports.record.model import Setting
    from ..settings.waiver_entries import told

    by_flag = ctx.get_parameter_source("use_waivers") is ParameterSource.COMMANDLINE
    file = choice.configuration.file
    source = "flag" if by_flag else str(file) if file and waivers else "default"
    return Setting(value=told(waivers), source=source)


def run_options(ctx: click.Context, choice: Choice) -> RunOptions:
    """Return what a run is asked to do; what the command has no option for has its default.

    Raises:
        UsageError: the configuration is wrong.
    """
    fields = {
        "kernel": "kernel",
        "select": "select",
        "ignore": "ignore",
        "must_claim": "must_claim",
        "examples": "examples",
        "seed": "seed",
        "profile": "profile",
        "time": "seconds",
        "shard": "shard",
        "resume": "resume",
        "fail_fast": "fail_fast",
        "max_failures": "max_failures",
        "reduce": "reduce",
        "timeout": "timeout",
        "memory_limit": "memory_limit",
        "pass_env": "pass_env",
        "sandbox": "sandbox",
        "python": "python",
        "workers": "workers",
        "dask": "dask",
        "in_process": "in_process",
        "require": "requirement_set",
        "scenarios": "scenarios",
        "organisation": "organisation",
        "person": "person",
        "plugins": "plugins",
        "allow_broken_plugins": "allow_broken_plugins",
    }
    given = {
        field: choice[name]
        for name, field in fields.items()
        if name in choice.settings and choice[name] is not None
    }
    if "resume" in given:
        given["resume"] = str(given["resume"])
    waivers = choice.configuration.waivers if ctx.params.get("use_waivers") else ()
    claims: tuple[str, ...] = tuple(given.pop("must_claim", ()))
    demanded = ",".join(claims).split(",")
    if claims and not all(name.strip() for name in demanded):
        raise UsageError("--must-claim: a name is empty; is a variable not set?")
    return RunOptions(
        **given,
        must_claim=tuple(name.strip() for name in demanded if name.strip()),
        waivers=waivers,
        configuration={**recorded(choice), "waivers": _recorded_waivers(ctx, choice, waivers)},
        arguments=ctx.meta.get(ARGUMENTS, ()),
    )
