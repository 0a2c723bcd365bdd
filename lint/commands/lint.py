"""``fedcheck lint``: find breaches in extension code."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from ...reports.console.click_names import NamingChoice
from ...reports.lint.formats import FORMATS
from ...reports.lint.silence import FAIL_ON

_CODES = "CODE"
_WORDS = "fedcheck.lint.words"
_FILE = click.Path(dir_okay=False, path_type=Path)


class _Command(click.Command):
    """Remembers its words: a result is kept under them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)


@click.command("lint", cls=_Command)
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--diff", is_flag=True, help="Show what --fix would do, and change nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="Also apply fixes that need a review.")
@click.option("--select", multiple=True, metavar=_CODES, help="Run only these rules.")
@click.option("--extend-select", multiple=True, metavar=_CODES, help="Run these rules besides.")
@click.option("--ignore", multiple=True, metavar=_CODES, help="Leave these rules out.")
@click.option(
    "--target-sdk",
    metavar="VERSION",
    help="Version of imperal-sdk, or `next` for the newest [default: what the extension asks for].",
)
@click.option("--all-files", is_flag=True, help="Also files that main.py and app.py do not import.")
@click.option("--exhaustive", is_flag=True, help="Parse every file, also those without a trigger.")
@click.option(
    "--fail-on",
    type=NamingChoice(FAIL_ON),
    help="Least severity that makes the exit code 1 [default: warning].",
)
@click.option("--baseline", type=_FILE, metavar="FILE", help="Hide the findings listed there.")
@click.option(
    "--update-baseline",
    is_flag=True,
    help="Write the findings into a new baseline; drop those that are gone from an old one.",
)
@click.option("--accept-new", is_flag=True, help="With --update-baseline: also add new findings.")
@click.option("--add-ignores", is_flag=True, help="Write an ignore comment at each finding.")
@click.option(
    "--reason", metavar="TEXT", default="", help="What --add-ignores gives as the reason."
)
@click.option("--stdin", is_flag=True, help="Lint the text on standard input.")
@click.option(
    "--stdin-filename",
    type=_FILE,
    metavar="FILE",
    default="stdin.py",
    help="Where the text of --stdin belongs.",
)
@click.option(
    "--format",
    "format_name",
    type=NamingChoice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How the findings are written.",
)
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Write them into a file.")
@click.option("--statistics", is_flag=True, help="Only count the findings of each rule.")
@click.option(
    "--group/--no-group",
    default=None,
    help="Group by rule, worst first [default: when there are many findings].",
)
@click.option("--show-suppressed", is_flag=True, help="Also list suppressed findings, in json.")
@click.option("--watch", is_flag=True, help="Lint again whenever a file changes.")
@click.option("--config", type=_FILE, metavar="FILE", help="Take the settings from this file.")
@click.option("--isolated", is_flag=True, help="Take no settings from any file.")
@click.option("--no-ignores", is_flag=True, help="Disregard all ignore comments.")
@click.option("--no-cache", is_flag=True, help="Look again even if nothing has changed.")
@click.option(
    "--cache-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where results are kept [default: fedcheck in the user's cache folder].",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="Processes that lint extensions at the same time [default: one for each core, at most 4].",
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], **options: Any) -> None:
    """Find breaches of the federal invariants in extension code, before a user does.

    PATHS are files and folders; by default the current folder. Nothing is imported or executed.
    CODE is a code (FED101), the beginning of codes (FED1), a rule's name or a glob; several are
    separated by commas.

    \b
    Exit codes: 0 nothing that fails the run
                1 findings of at least --fail-on
                2 wrong usage or settings
                3 something could not be linted
    """  # noqa: D301  click reads the \b
    from ..engine.cache.replay import replayed

    _refuse_without_effect(ctx, paths)
    words: tuple[str, ...] = ctx.meta[_WORDS]
    code = replayed(words)
    if code is not None:
        sys.exit(code)
    from ..cli.main import run
    from ..cli.options import Options
    from ..cli.preload import load

    load()
    for name in ("select", "extend_select", "ignore"):
        options[name] = _codes(name, options[name])
    sys.exit(run(Options(paths=paths or (Path(),), **options), words))


def _refuse_without_effect(ctx: click.Context, paths: tuple[Path, ...]) -> None:
    """Refuse options that would do nothing: who gives one believes that it does something.

    Raises:
        UsageError: an option needs another one, or cannot have any effect beside it.
    """
    given = {name for name, value in ctx.params.items() if _given(ctx, name) and value}
    empty = _empty(ctx.meta[_WORDS])
    lacking = (text for one, others, text in _NEEDS if one in given and not given & others)
    if empty:
        problem = f"{empty} has an empty value, as of an unset variable; leave it out, or give one"
    elif "stdin" in given and paths:
        problem = "--stdin lints one text; give its name with --stdin-filename, not as a path"
    elif "statistics" in given and ctx.params["format_name"] != "text":
        problem = f"--statistics counts as text; leave out --format {ctx.params['format_name']}"
    else:
        problem = next(lacking, "") or _shows_no_findings(given, ctx.params["format_name"])
    if problem:
        from ...invariants.vocabulary.errors import UsageError

        raise UsageError(problem)


def _empty(words: tuple[str, ...]) -> str:
    """Return the name of an option whose value is empty; empty if none is."""
    for before, word in pairwise(("", *words)):
        name, equals, value = word.partition("=")
        if name.startswith("--") and equals and not value:
            return name
        if before.startswith("-") and not word:
            return before
    return ""


def _shows_no_findings(given: set[str], format_name: str) -> str:
    """Say which option asks how findings are shown, where something else is; empty for none."""
    instead = next((text for names, text in _INSTEAD.items() if given.issuperset(names)), "")
    useless = given & {"statistics", "group", "show_suppressed"}
    if format_name in _FOR_PROGRAMS:
        useless |= {"format"}
    if "diff" not in given:  # a patch may go into a file
        useless |= given & {"output"}
    if not instead or not useless:
        return ""
    listed = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(useless))
    return f"{instead}, no findings; leave out {listed}"


_NEEDS: tuple[tuple[str, set[str], str], ...] = (
    (
        "stdin_filename",
        {"stdin"},
        "--stdin-filename needs --stdin: without it the text is read from disk",
    ),
    ("unsafe_fixes", {"fix", "diff"}, "--unsafe-fixes needs --fix, or --diff to see them first"),
    ("accept_new", {"update_baseline"}, "--accept-new needs --update-baseline"),
    ("reason", {"add_ignores"}, "--reason needs --add-ignores"),
)
"""Option, those of which it needs one, what to say if none is there."""
_FOR_PROGRAMS = frozenset(FORMATS) - {"text", "concise", "github"}
"""A program could not read what is shown instead; the others stand in aliases and the action."""
_INSTEAD = {
    ("diff",): "--diff shows a patch",
    ("stdin", "fix"): "--stdin with --fix writes the fixed text",
    ("update_baseline",): "--update-baseline writes a baseline",
    ("add_ignores",): "--add-ignores writes comments",
}
"""Options of runs that do not show findings → what they do instead."""


def _given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _codes(option: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes of an option.

    Raises:
        UsageError: it is given and names none, as by an empty variable of a script.
    """
    codes = tuple(code.strip() for value in values for code in value.split(",") if code.strip())
    if values and not codes:
        from ...invariants.vocabulary.errors import UsageError

        raise UsageError(f"--{option.replace('_', '-')} names no rule; leave it out, or give codes")
    return codes
