"""Makes the table of reach: what each possible breach would change in a gate, and who sees it.

``python -m fedcheck.conformance.reach --write`` writes ``docs/reach.md``, which people read, and
``fixtures/breaches/reach.json``, which the tests ask. That is for whoever changes scenarios,
judges or possible breaches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import msgspec

from ..fixtures.breaches import BREACHES
from ..fixtures.breaches.agents import WHY
from .audit.reach import LEAST_SCENARIOS, LEAST_VALUES, TRIALS, Reach, reaches

_ROOT = Path(__file__).resolve().parent.parent
DATA = _ROOT / "fixtures" / "breaches" / "reach.json"
PAGE = _ROOT / "docs" / "reach.md"

_HEAD = f"""# Reach

The kill table shows that every broken kernel that somebody thought of is caught
([traceability.md](traceability.md)). This table asks what nobody thought of: {{count}} *possible
breaches*, each a function of the reference kernel that goes wrong on some of its inputs alone. The
reference kernel is driven through one gate with what its functions were given written down. That
tells how many distinct inputs (*values*) each breach would have changed, and in how many
scenarios. Then a kernel that has the breach is judged on at most {TRIALS} of those scenarios. A
breach counts as *reached* if it changes at least {LEAST_VALUES} values in at least
{LEAST_SCENARIOS} scenarios, and as *judged* if a clause sees it. The channels *agent …* ask the
same of the reference agent and its gate, where one value is enough: turns of real agents are slow,
so that most things are tried once. What an agent does in several steps, such as running a call
twice, is no function of a value; for that there are broken agents.

The file is generated: `python -m fedcheck.conformance.reach --write`. The breaches are in
`fixtures/breaches/`, one module for each channel, with the sentence that forbids them.
"""


def known() -> list[Reach]:
    """Return what the file says of each possible breach."""
    return msgspec.json.decode(DATA.read_bytes(), type=list[Reach])


def page(found: Sequence[Reach]) -> str:
    """Return the table as Markdown."""
    return "\n".join([_HEAD.format(count=len(found)), *_sections(found)]) + "\n"


def _sections(found: Sequence[Reach]) -> Iterator[str]:
    channels: dict[str, list[Reach]] = {}
    for reach in found:
        channels.setdefault(reach.channel, []).append(reach)
    yield from _summary(channels)
    yield from _left("Not reached", [each for each in found if not each.is_reached])
    yield from _left("Not judged", [each for each in found if not each.clause])
    whys: dict[str, list[str]] = {}
    for name, why in WHY.items():
        whys.setdefault(why, []).append(name)
    yield "\nWhere agents are not judged by purpose:\n"
    for why, names in whys.items():
        yield f"- {', '.join(f'`{name}`' for name in names)}: {why}."
    for channel, of_channel in channels.items():
        yield f"\n## {channel.capitalize()}\n"
        yield from _table(("breach", "values", "scenarios", "seen by"), map(_row, of_channel))


def _summary(channels: dict[str, list[Reach]]) -> Iterator[str]:
    together = [reach for of_channel in channels.values() for reach in of_channel]
    yield from _table(
        ("channel", "breaches", "reached", "judged", "values", "scenarios"),
        (_sums(name, each) for name, each in [*channels.items(), ("all", together)]),
    )


def _sums(name: str, found: Sequence[Reach]) -> tuple[object, ...]:
    return (
        name,
        len(found),
        sum(each.is_reached for each in found),
        sum(bool(each.clause) for each in found),
        sum(each.values for each in found),
        sum(each.scenarios for each in found),
    )


def _left(title: str, found: Iterable[Reach]) -> Iterator[str]:
    yield f"\n{title}: {', '.join(f'`{each.breach}`' for each in found) or 'none'}."


def _row(reach: Reach) -> tuple[object, ...]:
    seen = f"`{reach.clause}`" if reach.clause else "**not judged**"
    return reach.breach.partition("/")[2], reach.values, reach.scenarios, seen


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def counted(workers: int) -> list[Reach]:
    """Count and confirm every possible breach, in the order of their table."""
    if workers == 1:
        return list(reaches(BREACHES.values()))
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    shares = [list(BREACHES)[place::workers] for place in range(workers)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        found = {each.breach: each for share in pool.map(_share, shares) for each in share}
    return [found[name] for name in BREACHES]


def _share(names: Sequence[str]) -> list[Reach]:
    return list(reaches(BREACHES[name] for name in names))


@click.command("reach")
@click.option("-n", "--workers", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--write", is_flag=True, help="Write the page and its data.")
def command(workers: int, write: bool) -> None:
    """Count what each possible breach would change in a gate; show those that none would see."""
    found = counted(workers)
    for reach in found:
        if not (reach.is_reached and reach.clause):
            where = f"{reach.values} values, {reach.scenarios} scenarios"
            click.echo(f"{reach.breach}: {where}, {reach.clause or 'not judged'}")
    click.echo(
        f"{len(found)} possible breaches: {sum(each.is_reached for each in found)} reached, "
        f"{sum(bool(each.clause) for each in found)} judged"
    )
    if write:
        text = json.dumps(msgspec.to_builtins(found), indent=1) + "\n"
        DATA.write_text(text, encoding="ascii", newline="\n")
        PAGE.write_text(page(found), encoding="utf-8", newline="\n")
        click.echo(f"Written: {DATA}, {PAGE}")


if __name__ == "__main__":
    command()
