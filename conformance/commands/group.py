"""The command group. It names the commands and imports one only when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from ...reports.console.click_names import NamingGroup

_COMMANDS = {
    "run": ("conformance.commands.run", "Judge a kernel."),
    "merge": ("conformance.commands.merge", "Judge shards or parts of a run together."),
    "audit": ("conformance.commands.audit", "Judge recorded conversations."),
    "list": ("conformance.commands.list", "List the invariants and their clauses."),
    "explain": ("conformance.commands.explain", "Explain an invariant."),
    "traceability": (
        "conformance.commands.traceability",
        "Show which clause judges which promise.",
    ),
    "schema": ("conformance.commands.schema", "Print the JSON Schema of a document."),
    "replay": ("conformance.commands.replay", "Run counterexamples again."),
    "shrink": ("conformance.commands.shrink", "Make a failing scenario smaller."),
    "waive": ("conformance.commands.waive", "Write a waiver into fedcheck.toml."),
    "diff": ("conformance.commands.diff", "Compare the records of two releases."),
    "config": ("conformance.commands.config", "Show every setting and where it came from."),
    "smoke": ("conformance.commands.smoke", "Check that an adapter speaks the protocol."),
    "tools": ("conformance.commands.tools", "Serve an agent's tools on standard streams."),
    "adapter": ("conformance.commands.adapter", "Start a new adapter."),
    "invariant": ("conformance.commands.invariant", "Start a new invariant."),
    "report": ("reports.commands.report", "Render a record."),
    "compare": ("reports.commands.compare", "Compare the records of several kernels."),
    "history": ("reports.commands.history", "Show verdicts across releases."),
    "catalog": ("conformance.commands.catalog", "Export the catalog of invariants."),
    "keygen": ("reports.commands.keygen", "Create a key pair for signing."),
    "sign": ("reports.commands.sign", "Sign a record."),
    "bundle": ("conformance.commands.bundle", "Pack the evidence of a run."),
    "verify": ("conformance.commands.verify", "Check a signature or a bundle."),
    "lint": ("lint.commands.lint", "Find breaches in extension code."),
    "rule": ("lint.commands.rule", "Start a new lint rule."),
    "lsp": ("lint.commands.lsp", "Serve an editor."),
}
"""Name → (module that holds ``command``, one line of help)."""

USAGE, NOT_JUDGED = 2, 3

_LAST_WORDS = 40
ARGUMENTS = "fedcheck.arguments"
"""Key of the whole command line, in the ``meta`` of click's contexts."""


class _LazyGroup(NamingGroup):
    """Imports a command's module only when the command is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _ = _COMMANDS[cmd_name]
        return importlib.import_module(f"...{module}", __package__).command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from ... import __version__

        click.echo(f"fedcheck {__version__}")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
def cli() -> None:
    """Say, with evidence, whether an AI kernel keeps its promises.

    Exit codes: 0 conformant, 1 violations, 2 wrong usage or configuration,
    3 the kernel could not be judged.
    """


def run() -> None:
    """Run the command line; every error that is meant for people ends as one message."""
    try:
        sys.exit(cli.main(standalone_mode=False))
    except click.exceptions.Abort:
        click.echo("Stopped.", err=True)
        sys.exit(NOT_JUDGED)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except Exception as error:  # noqa: BLE001 - see told
        sys.exit(told(error))


def told(error: Exception) -> int:
    """Say what has ended a command; return the exit code.

    Python's own, 1, would say that a promise is broken.
    """
    from ...invariants.vocabulary.errors import FedcheckError, KernelError
    from ...reports.console.escape import printable_lines

    if isinstance(error, FedcheckError):
        tell(f"Error: {error}")
        if isinstance(error, KernelError) and error.stderr_tail:
            words = printable_lines(error.stderr_tail, lines=_LAST_WORDS)
            tell("\n".join(["stderr of the kernel:", *(f"  | {line}" for line in words)]))
        return NOT_JUDGED if isinstance(error, KernelError) else USAGE
    if isinstance(error, OSError):
        tell(f"Error: {_trouble(error)}")
        return USAGE
    import traceback

    traceback.print_exception(error)
    tell("fedcheck made a mistake: please report what is shown above")
    return NOT_JUDGED


def _trouble(error: OSError) -> str:
    """Say what the system says against a file that no command has expected to be a trouble."""
    import os

    try:
        os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    except OSError:
        return "the current folder is gone; go to one that exists"
    named = f"{error.filename}: " if error.filename else ""
    return f"{named}{error.strerror or error}; name another file or folder, or free it"


def tell(text: str) -> None:
    """Print a message on stderr; no line of it is a command to a terminal or a CI system."""
    from ...reports.console.escape import inert, printable

    for line in text.split("\n"):
        click.echo(inert(printable(line, limit=None)), err=True)
