"""Makes the rows of aspects: as few as hold every pair of values of two dimensions.

``python -m fedcheck.conformance.rows --write`` writes the checked-in rows anew. That is for
whoever changes a table; runs read the rows and need no library for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ..invariants.rows import aspects, home_of
from ..invariants.vocabulary.aspect import JOIN, Apart, Aspect

HOME = Path(__file__).resolve().parent.parent / "invariants" / "aspects"


def made(aspect: Aspect) -> list[str]:
    """Return the names of rows that hold every pair, the plain row first, then by dimension."""
    covertable = import_module("covertable")
    factors = {each.name: [value.name for value in each.values] for each in aspect.dimensions}
    found: list[Mapping[str, str]] = covertable.make(
        factors, constraints=[_constraint(each) for each in aspect.apart]
    )
    places = {tuple(names.index(row[name]) for name, names in factors.items()) for row in found}
    plain = (0,) * len(factors)
    return [
        JOIN.join(names[place] for names, place in zip(factors.values(), row, strict=True))
        for row in sorted(places | {plain})
    ]


def _constraint(apart: Apart) -> dict[str, Any]:
    """Say to the library that one value or the other must be another one."""
    sides = [
        {"operator": "not", "condition": {"operator": "in", "left": name, "values": sorted(values)}}
        for name, values in (apart.one, apart.other)
    ]
    return {"operator": "or", "conditions": sides}


@click.command("rows")
@click.argument("names", metavar="[ASPECT]...", nargs=-1)
@click.option("--write", is_flag=True, help="Write the rows beside their tables.")
def command(names: tuple[str, ...], write: bool) -> None:
    """Make the rows of all aspects anew, or of some; show how many there are."""
    for aspect in aspects():
        if names and aspect.name not in names:
            continue
        found = made(aspect)
        if write:
            text = json.dumps(found, indent=1) + "\n"
            path = HOME / f"{home_of(aspect)}.json"
            path.write_text(text, encoding="ascii", newline="\n")
        click.echo(f"{aspect.name}: {len(found)} rows")


if __name__ == "__main__":
    command()
