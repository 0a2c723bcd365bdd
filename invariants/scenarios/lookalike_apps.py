"""Extensions that careless code takes for one another, and how they are alike.

An extension is its id: two with one id are one extension. What may coincide is the name that
people read, the beginning of an id, or an id with what is written behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from ..vocabulary.invariant import Partition
from ..vocabulary.scenario import APPS, Environment, Extension, Section
from ..vocabulary.trace_view import TraceView
from .facts import EXPOSED

NOTES = ("note", "notes", "notes-list")
"""Ids of which each begins the next."""

NAMESAKES = ("jotter", "scribe")
"""Ids of extensions that people know by one name."""

ALIKE = (*NOTES, *NAMESAKES)
DISPLAY_NAME = "Notes"

BEGIN_ALIKE = "ids of which one begins the other"
ONE_NAME = "one display name"

_DYNAMIC = frozenset({"dynamic_extensions"})
_SEPARATORS = ("", "-", "_", ":", ".", "/")

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
    return one != other and any(gap.join(one) == gap.join(other) for gap in _SEPARATORS)


def alike_owners(key: str) -> tuple[tuple[str, list[tuple[str, str, str]]], ...]:
    """Return user, extension and key of owners that careless code takes for one another.

    First extensions that are alike; then owners whose addresses are one text when they are
    joined with the key, and with the user. Each group has a name.
    """
    named = [("u1", app, key) for app in ALIKE]
    with_key = [
        *(("u1", "notes", f"list-{key}"), ("u1", "notes-list", key)),
        *(("u1", "note", f"s-{key}"), ("u1", "notes", f"-{key}")),
    ]
    with_user = [("list-u1", "notes", key), ("u1", "notes-list", key)]
    return (("names", named), ("keys", with_key), ("users", with_user))


def alike_environment(
    sections: Mapping[str, tuple[Section, ...]] | None = None, *, exposed: bool = True
) -> Environment:
    """Return an environment of extensions that are alike, with these sections."""
    own = sections or {}
    extensions = tuple(
        Extension(
            app=app,
            display_name=DISPLAY_NAME if app in NAMESAKES else "",
            sections=own.get(app, (Section(),)),
        )
        for app in ALIKE
    )
    return Environment(flags=EXPOSED.flags if exposed else {}, extensions=extensions)


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
