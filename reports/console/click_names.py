"""Groups and choices of the command line that name the nearest name for a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...invariants.vocabulary.near_names import did_you_mean

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:  # generic only from click 8.2 on
    _Choice = click.Choice


class NamingChoice(_Choice):
    """A choice of texts."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the value; any other is a usage error that names the nearest."""
        known = [str(choice) for choice in self.choices]
        if value in known:
            return str(value)
        hint = did_you_mean(str(value), known, f"choose from {', '.join(known)}")
        return self.fail(f"there is no {str(value)!r}; {hint}", param, ctx)


class NamingGroup(click.Group):
    """A group of commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named; no command is a usage error that names the nearest."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            listed = f"`{ctx.command_path} --help` lists them"
            hint = did_you_mean(name, self.list_commands(ctx), listed)
            ctx.fail(f"There is no command {name!r}; {hint}")
        return super().resolve_command(ctx, args)
