"""Names the releases of the SDK that the package index has and ``surface.json`` lacks.

    python -m fedcheck.lint.sdk.missing_releases

Ends with 0 if there are none, with 1 if there are, with 3 if the index could not be asked.
It asks by pip, as that is set up.
"""

from __future__ import annotations

import re
import subprocess
import sys

import click

from .releases import versions

_LISTED = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
_PIP = ("-m", "pip", "index", "versions", "imperal-sdk", "--disable-pip-version-check")


def missing(listed: str) -> list[str] | None:
    """Return the releases that pip lists and the file lacks, newest first; None without a list."""
    found = _LISTED.search(listed)
    if found is None:
        return None
    known = set(versions())
    return [each for each in found[1].split(", ") if each not in known]


@click.command()
def main() -> None:
    """Name the releases of the SDK that fedcheck does not know yet."""
    asked = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, *_PIP], capture_output=True, text=True, timeout=120, check=False
    )
    lacking = missing(asked.stdout)
    if lacking is None:
        click.echo(f"The index could not be asked: {asked.stderr.strip()}", err=True)
        raise SystemExit(3)
    click.echo("\n".join(lacking) if lacking else f"None: {versions()[-1]} is the newest.")
    raise SystemExit(1 if lacking else 0)


if __name__ == "__main__":
    main()
