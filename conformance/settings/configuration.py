"""The configuration: ``fedcheck.toml``, or ``[tool.fedcheck]`` in ``pyproject.toml``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import UNSET, UnsetType

from ...invariants.requirements import is_file_name
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.json_values import is_list, is_object
from ...invariants.vocabulary.near_names import closest
from ...invariants.vocabulary.toml_file import OWN_FILE, SHARED_FILE, read_toml
from ...reports.record.protection import Sandbox
from ...reports.record.record_parts import Count
from ...reports.record.versions import constraints
from .waiver_entries import Waiver, WaiverEntry, mistake, today

LINT = "lint"
"""The table of the linter, which reads it itself."""

_PATHS = frozenset({"record", "junit", "counterexamples", "scenarios"})
_HEADING = re.compile(r"\s*\[\[\s*(?:tool\s*\.\s*fedcheck\s*\.\s*)?waivers\s*\]\]")

_Positive = Annotated[int, msgspec.Meta(ge=1)]
_Duration = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]*[smh]?$")]
_Size = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]*[KMG]?$")]
_Name = Annotated[str, msgspec.Meta(max_length=200)]
_Seconds = Annotated[float, msgspec.Meta(gt=0)]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the configuration may say. Flags of the command line win.

    Attributes:
        kernel: kernel reference.
        select: judge only these ids or globs.
        ignore: leave these ids or globs out.
        must_claim: capabilities that the kernel has to claim.
        require: name of the requirement set that decides, or path of a file that holds one.
        profile: ``gate`` (same seed, same verdicts) or ``explore`` (random).
        examples: scenarios to explore per invariant.
        time: how long the run may take: ``90s``, ``10m``, ``1h``.
        seed: what exploration draws from.
        fail_fast: end as soon as a clause that decides is seen to fail.
        max_failures: end as soon as so many are.
        reduce: scenarios that making one failure small may take, or ``off``.
        workers: processes to spread the invariants over.
        timeout: deadline of one call to the kernel, in seconds.
        memory_limit: memory that the kernel's process may have: ``512M``, ``2G``.
        pass_env: variables that the kernel's process gets beside the usual ones.
        sandbox: whether that process gets namespaces of its own: ``auto``, ``on`` or ``off``.
        python: the interpreter of an agent's module.
        in_process: host a Python kernel in the suite's process, to debug it.
        scenarios: folder of fixed, named scenarios to run beside generation.
        counterexamples: folder for counterexample files; empty writes none.
        record: file for the run record.
        junit: file for a JUnit report.
        report: reports to write, each ``FORMAT=FILE``.
        plugins: whether installed plug-ins take part.
        allow_broken_plugins: go on without plug-ins that cannot be loaded.
        organisation: on whose behalf the run is made; it stands in the record.
        person: who answers for it; likewise.
        waivers: breaches that are accepted for now.
        lint: settings of the linter.
    """

    kernel: str | UnsetType = UNSET
    select: list[str] | UnsetType = UNSET
    ignore: list[str] | UnsetType = UNSET
    must_claim: list[str] | UnsetType = UNSET
    require: str | UnsetType = UNSET
    profile: Literal["gate", "explore"] | UnsetType = UNSET
    examples: Count | UnsetType = UNSET
    time: _Duration | UnsetType = UNSET
    seed: Count | UnsetType = UNSET
    fail_fast: bool | UnsetType = UNSET
    max_failures: _Positive | UnsetType = UNSET
    reduce: Literal["off"] | Count | UnsetType = UNSET
    workers: _Positive | UnsetType = UNSET
    timeout: _Seconds | UnsetType = UNSET
    memory_limit: _Size | UnsetType = UNSET
    pass_env: list[str] | UnsetType = UNSET
    sandbox: Sandbox | UnsetType = UNSET
    python: str | UnsetType = UNSET
    in_process: bool | UnsetType = UNSET
    scenarios: str | UnsetType = UNSET
    counterexamples: str | UnsetType = UNSET
    record: str | UnsetType = UNSET
    junit: str | UnsetType = UNSET
    report: list[str] | UnsetType = UNSET
    plugins: bool | UnsetType = UNSET
    allow_broken_plugins: bool | UnsetType = UNSET
    organisation: _Name | UnsetType = UNSET
    person: _Name | UnsetType = UNSET
    waivers: list[WaiverEntry] | UnsetType = UNSET
    lint: dict[str, Any] | UnsetType = UNSET


@dataclass(frozen=True)
class Configuration:
    """A configuration that was read.

    Attributes:
        file: where it stands; ``None`` if there is none.
        settings: what it sets, by key; paths are as seen from the current folder.
        waivers: its waivers, in their order.
    """

    file: Path | None = None
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    waivers: tuple[Waiver, ...] = ()


def configuration(file: Path | None = None) -> Configuration:
    """Read the configuration that holds here.

    Args:
        file: the file to read; by default it is looked for, see ``find_file``.

    Raises:
        UsageError: a file cannot be read, a key is unknown or a value is wrong; the message
            names file and key.
    """
    file = file or find_file(Path.cwd())
    if file is None:
        return Configuration()
    table = _table(file)
    _refuse_unknown(table, file)
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise UsageError(f"{file}: {error}; `fedcheck schema config` tells what fits") from None
    given = {
        name: _rebased(name, getattr(settings, name), file.parent)
        for name in Settings.__struct_fields__
        if getattr(settings, name) is not UNSET and name not in {LINT, "waivers"}
    }
    entries = () if settings.waivers is UNSET else tuple(settings.waivers)
    return Configuration(file, given, tuple(_waivers(entries, file)))


def named_configuration(file: Path) -> Configuration:
    """Read a configuration that was asked for by name.

    Raises:
        UsageError: as ``configuration``, and if a ``pyproject.toml`` says nothing of fedcheck.
    """
    found = configuration(file)
    if file.name == SHARED_FILE and found == Configuration(file):
        raise UsageError(f"{file}: holds no [tool.fedcheck]; name a file that does")
    return found


def find_file(folder: Path) -> Path | None:
    """Return the configuration of a folder: its own, or that of the nearest folder above.

    The search ends at the root of a Git checkout. A ``pyproject.toml`` counts if it holds
    ``[tool.fedcheck]`` with more than the linter's table.

    Raises:
        UsageError: a folder holds two configurations.
    """
    for place in (folder, *folder.parents):
        own, shared = place / OWN_FILE, place / SHARED_FILE
        has_own = os.path.isfile(own)  # noqa: PTH113  of Path, a folder without access raises
        in_shared = os.path.isfile(shared) and bool(set(_table(shared)) - {LINT})  # noqa: PTH113
        if has_own and in_shared:
            raise UsageError(
                f"{near(own)} and [tool.fedcheck] in {near(shared)} both configure fedcheck; "
                "move everything into one of them"
            )
        if has_own or in_shared:
            return near(own if has_own else shared)
        if os.path.exists(place / ".git"):  # noqa: PTH110  likewise
            return None
    return None


def _table(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise UsageError(f"{file}: there is no such file; --config names an existing one")
    document = read_toml(file)
    if file.name != SHARED_FILE:
        return document
    for key in ("tool", "fedcheck"):
        inner = document.get(key, {})
        if not isinstance(inner, dict):
            raise UsageError(f"{file}: [tool.fedcheck] must be a table; write it as one")
        document = cast("dict[str, Any]", inner)
    return document


def _refuse_unknown(table: dict[str, Any], file: Path) -> None:
    _refuse_keys(table, Settings.__struct_fields__, str(file))
    waivers: object = table.get("waivers")
    for number, entry in enumerate(waivers if is_list(waivers) else (), start=1):
        if is_object(entry):
            _refuse_keys(entry, WaiverEntry.__struct_fields__, f"{file}: waiver {number}")


def _refuse_keys(table: dict[str, Any], known: Iterable[str], where: str) -> None:
    for key in table:
        if key not in known:
            near = closest(key.replace("-", "_"), known)
            hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(known)}"
            raise UsageError(f"{where}: the key {key!r} is unknown; {hint}")


def _rebased(name: str, value: Any, folder: Path) -> Any:
    """The value of a setting; a path is as seen from the current folder."""
    if name in _PATHS and value:
        return str(near(folder / value))
    if name == "report":
        parts = [text.partition("=") for text in cast("list[str]", value)]
        return [f"{form}{sign}{near(folder / path)}" for form, sign, path in parts]
    return str(near(folder / value)) if name == "require" and is_file_name(value) else value


def near(path: Path) -> Path:
    """Return a path as seen from the current folder."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # on another drive
        return path


def _waivers(entries: tuple[WaiverEntry, ...], file: Path) -> Iterator[Waiver]:
    lines = waiver_lines(file.read_text("utf-8")) if entries else []
    known = lines if len(lines) == len(entries) else [0] * len(entries)
    taken: dict[str, str] = {}
    for entry, line in zip(entries, known, strict=True):
        waiver = Waiver(entry=entry, file=file, line=line)
        if waiver.id in taken:
            raise UsageError(
                f"{waiver.place}: a waiver {waiver.id!r} stands at {taken[waiver.id]} already; "
                "delete one of them, or give each an id of its own"
            )
        if wrong := mistake(entry, today()):
            raise UsageError(f"{waiver.place}: {wrong}")
        try:
            constraints(entry.versions)
        except UsageError as error:
            raise UsageError(f"{waiver.place}: {error}") from None
        taken[waiver.id] = waiver.place
        yield waiver


def waiver_lines(text: str) -> list[int]:
    """Return the lines, from 1, on which a waiver's heading stands."""
    return [n for n, line in enumerate(text.splitlines(), start=1) if _HEADING.match(line)]
