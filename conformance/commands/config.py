"""``fedcheck config``: every setting, and where it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from ...reports.commands.shared import format_option
from .run_options import RUN_OPTIONS, Choice, chosen, options


@click.command("config")
@options(*RUN_OPTIONS)
@format_option("text", "json")
@click.pass_context
def command(ctx: click.Context, form: str, **_: object) -> None:
    """Show every setting of `fedcheck run`, and where it came from.

    Takes the options of `fedcheck run`. Secrets are masked.
    """
    choice = chosen(ctx)
    lines = [_as_json(choice)] if form == "json" else _as_text(choice)
    for line in lines:
        click.echo(line)


def _as_text(choice: Choice) -> Iterator[str]:
    from ...reports.console.escape import printable

    file = choice.configuration.file
    yield f"configuration: {printable(str(file)) if file else 'none'}"
    width = max(map(len, choice.settings)) + 2
    for name, setting in choice.settings.items():
        value = "-" if setting.plain is None else json.dumps(setting.plain)
        yield f"{name:<{width}}{printable(value, limit=None)}  ({printable(setting.source)})"
    for waiver in choice.configuration.waivers:
        what = printable(f"{waiver.id}: {waiver.entry.clause} until {waiver.entry.expires}")
        yield f"waiver {what} ({printable(waiver.place)})"


def _as_json(choice: Choice) -> str:
    from msgspec import to_builtins

    waivers = [
        {"place": waiver.place, **to_builtins(waiver.entry), "id": waiver.id}
        for waiver in choice.configuration.waivers
    ]
    settings = {
        name: {"value": setting.plain, "source": setting.source}
        for name, setting in choice.settings.items()
    }
    file = choice.configuration.file
    document = {"file": file and str(file), "settings": settings, "waivers": waivers}
    return json.dumps(document, indent=2)
