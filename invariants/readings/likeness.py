"""How the extensions of a trace are alike, for careless code that takes one for another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from ..vocabulary.invariant import Partition
from ..vocabulary.scenario import APPS
from ..vocabulary.trace_view import TraceView

BEGIN_ALIKE = "ids of which one begins the other"
ONE_NAME = "one display name"

_DYNAMIC = frozenset({"dynamic_extensions"})

SEPARATORS = {
    "hyphen": "-",
    "nothing": "",
    "underscore": "_",
    "colon": ":",
    "colons": "::",
    "dot": ".",
    "slash": "/",
    "bar": "|",
    "comma": ",",
    "at": "@",
    "hash": "#",
    "blank": " ",
}
"""What programs write between the parts of an address, by name."""

PARTITIONS = (
    Partition(BEGIN_ALIKE, "extensions note, notes and notes-list", capabilities=_DYNAMIC),
    Partition(ONE_NAME, "two extensions that people know by one name", capabilities=_DYNAMIC),
)
"""Input classes of a clause that tells extensions apart."""


def together(what: str) -> Partition:
    """Return the input class of an id that runs together with what follows it."""
    return Partition(
        run_together(what),
        f"written one behind the other, the id and the {what} of two extensions are one text",
        capabilities=_DYNAMIC,
    )


def run_together(what: str) -> str:
    """Return the name of that input class."""
    return f"an id that runs together with the {what}"


def runs_together(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two pairs of texts are one text when they are joined, with whatever between."""
    if one == other or sum(map(len, one)) != sum(map(len, other)):
        return False
    return any(gap.join(one) == gap.join(other) for gap in SEPARATORS.values())


def display_names(view: TraceView) -> dict[str, str]:
    """Return the names that people read, by id. Use it through ``view.reading``."""
    return {e.app: e.display_name for e in view.trace.environment.extensions if e.display_name}


def likenesses(view: TraceView, apps: Iterable[str]) -> Iterator[str]:
    """Yield the input classes of extensions that meet in one place."""
    strange = {app for app in apps if app not in APPS}
    if len(strange) < 2:
        return
    names = view.reading(display_names)
    pairs = list(combinations(sorted(strange), 2))
    if any(other.startswith(one) for one, other in pairs):
        yield BEGIN_ALIKE
    if any(one in names and names[one] == names.get(other) for one, other in pairs):
        yield ONE_NAME
