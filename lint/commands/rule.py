"""``fedcheck rule``: list the lint rules, write their pages, start a new one."""

from __future__ import annotations

from pathlib import Path

import click

from ...reports.console.click_names import NamingGroup
from ...reports.console.files import writing


@click.group("rule", cls=NamingGroup)
def command() -> None:
    """List the lint rules, write their pages, or start a rule of your own."""


@command.command("list")
def list_rules() -> None:
    """List every lint rule, also those of installed packages."""
    from ...reports.console.terminal import say
    from ..engine.ignores.meta_rules import every_rule

    for rule in every_rule():
        off = "" if rule.default else " (off by default)"
        say(f"{rule.code}  {rule.severity:7}  {rule.name}{off}: {rule.summary}")


@command.command("docs")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def docs(folder: Path) -> None:
    """Write a page for each of our rules into FOLDER."""
    from ..authoring.pages import write_pages

    with writing(folder, "name another folder"):
        write_pages(folder)


@command.command("new")
@click.argument("code")
@click.option("--name", metavar="NAME", help="Name of the rule, in words with hyphens.")
@click.option(
    "--into",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Folder in which the package is made, or the checkout; by default the current one.",
)
@click.option(
    "--in-tree",
    is_flag=True,
    help="Write a rule of fedcheck's own into its checkout, and say what else to touch.",
)
def new(code: str, name: str | None, folder: Path, in_tree: bool) -> None:
    """Start a rule of your own: a package with the rule, its tests and its entry point.

    CODE is 2 to 10 capitals and 3 or 4 digits, ACME101. The codes that begin with FED are ours:
    with --in-tree, FED549 starts such a rule, in the room of lint/rules that its digit 5 names.
    """
    from ..authoring.scaffold import new_own_rule, new_rule

    if in_tree:
        with writing(folder, "go to the root of fedcheck's checkout"):
            written, told = new_own_rule(code, name, folder)
        for path in written:
            click.echo(f"Written: {path}")
        click.echo(told)
        return
    with writing(folder, "give --into a folder that you may write"):
        made = new_rule(code, name, folder)
    click.echo(f"{made} holds a rule that works, with its tests. Next:")
    click.echo(f"  cd {made} && python -m pip install -e . pytest && python -m pytest")
    click.echo(f"  fedcheck explain {code}")
