"""The parts that the lines of a run record are made of."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

UtcTime = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")]
"""A moment in UTC, ISO 8601 with the suffix ``Z``."""

Count = Annotated[int, msgspec.Meta(ge=0)]
"""How many of something."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base of everything in a record: immutable, named fields only."""


class Suite(Part, frozen=True, kw_only=True):
    """The suite that judged: its name, its version, the SHA-256 of its code."""

    name: str
    version: str
    digest: str


class RequirementSet(Part, frozen=True, kw_only=True):
    """The named list of clauses against which was judged.

    Attributes:
        name: its name.
        digest: its SHA-256, see ``invariants.requirements``.
        files: the text of its file, then of the set that it extends, and so on.
    """

    name: str
    digest: str
    files: tuple[str, ...] = ()


class Surroundings(Part, frozen=True, kw_only=True):
    """Where the run took place: an allow-list, so that no secret of the machine gets in.

    Attributes:
        python: version of Python.
        platform: operating system and machine.
        packages: versions of the packages that the suite builds on.
    """

    python: str
    platform: str
    packages: dict[str, str] = {}


class Plugin(Part, frozen=True, kw_only=True):
    """A third party's contribution that took part in the run.

    Attributes:
        group: the entry point group, ``fedcheck.invariants`` or ``fedcheck.kernels``.
        name: name of the entry point.
        distribution: the package that brings it.
        version: version of that package.
        digest: SHA-256 of its files.
        problem: why it could not be loaded; empty if it was.
    """

    group: str
    name: str
    distribution: str
    version: str
    digest: str
    problem: str = ""


class Setting(Part, frozen=True, kw_only=True):
    """A resolved setting: its value, and where it came from (``default``, a file, a flag)."""

    value: Any
    source: str


class Origin(Part, frozen=True, kw_only=True):
    """Who ran it: as the settings say, and the CI job or else the user. Taken from an allow-list.

    Attributes:
        organisation: on whose behalf, as the settings name it.
        person: who answers for it, as the settings name them.
        user: name of the user, where no CI job is known.
        ci: name of the CI system.
        run_url: address of the CI run.
        commit: commit that the CI run had checked out.
        workflow: name of the CI job or workflow.
    """

    organisation: str = ""
    person: str = ""
    user: str = ""
    ci: str = ""
    run_url: str = ""
    commit: str = ""
    workflow: str = ""
