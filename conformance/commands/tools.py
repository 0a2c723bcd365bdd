"""``fedcheck tools``: the tools of an agent's run, by MCP on standard input and output."""

from __future__ import annotations

from urllib.parse import urlsplit

import click


@click.command("tools")
@click.option(
    "--url",
    envvar="FEDCHECK_TOOLS_MCP",
    default="",
    metavar="URL",
    help="Where the run serves them [the variable FEDCHECK_TOOLS_MCP].",
)
def command(url: str) -> None:
    """Serve the tools of a run to an agent that starts its tools as a program.

    To be given to an agent that fedcheck has started: its environment says where the tools are.
    """
    from ...invariants.vocabulary.errors import UsageError
    from ..adapters.agent.stdio_tools import main

    address = urlsplit(url)
    if address.hostname is None or address.port is None:
        raise UsageError(
            "FEDCHECK_TOOLS_MCP is not set: this command belongs into an agent that "
            "`fedcheck run --kernel agent:…` has started; give it the command in "
            "FEDCHECK_TOOLS_STDIO, which starts faster"
        )
    main(address.hostname, address.port, "/mcp-stdio")
