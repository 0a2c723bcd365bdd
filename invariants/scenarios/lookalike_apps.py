"""Extensions that careless code takes for one another, and how they are alike.

An extension is its id: two with one id are one extension. What may coincide is the name that
people read, the beginning of an id, or an id with what is written behind it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..vocabulary.scenario import Environment, Extension, Section
from .facts import EXPOSED

NOTES = ("note", "notes", "notes-list")
"""Ids of which each begins the next."""

NAMESAKES = ("jotter", "scribe")
"""Ids of extensions that people know by one name."""

ALIKE = (*NOTES, *NAMESAKES)
DISPLAY_NAME = "Notes"


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
