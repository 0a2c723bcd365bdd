"""What third parties contribute: invariants and kernels, found through entry points.

A package that is installed beside fedcheck names them in its metadata::

    [project.entry-points."fedcheck.invariants"]
    reply-shown = "acme_fedcheck.reply_shown:INVARIANT"

    [project.entry-points."fedcheck.kernels"]
    acme = "acme_kernel.adapter:Kernel"

An invariant is imported when the catalog is needed. A kernel is never imported here: its
name is a kernel reference, and it is hosted like any ``package.module:attribute``.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import traceback
from collections.abc import Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from .vocabulary.errors import CatalogError, PluginError
from .vocabulary.invariant import Invariant

INVARIANTS, KERNELS = "fedcheck.invariants", "fedcheck.kernels"

OFF = "FEDCHECK_NO_PLUGINS"
"""Environment variable that keeps plug-ins out, in this process and those it starts."""

_SUFFIXES = frozenset({".py", ".json", ".toml"})
_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")
_CLAUSE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Plugin:
    """One entry point of a third party.

    Attributes:
        group: ``INVARIANTS`` or ``KERNELS``.
        name: of the entry point.
        target: ``package.module:attribute``.
        distribution: the package that brings it.
        version: of that package.
        digest: SHA-256 of the source files of the entry point's top-level package.
        invariants: what it contributes to the catalog.
        problem: why it could not be loaded; empty if it was.
    """

    group: str
    name: str
    target: str
    distribution: str
    version: str
    digest: str = ""
    invariants: tuple[Invariant, ...] = ()
    problem: str = ""

    @property
    def label(self) -> str:
        """The plug-in as messages name it."""
        return f"plug-in {self.name!r} of {self.distribution} {self.version}"


def enabled() -> bool:
    """Return whether plug-ins take part."""
    return not os.environ.get(OFF)


@contextmanager
def kept_out(unwanted: bool = True) -> Generator[None]:
    """Keep plug-ins out of this process, and of those that it starts, inside the block."""
    before = os.environ.get(OFF)
    if unwanted:
        os.environ[OFF] = "1"
    try:
        yield
    finally:
        if unwanted and before is None:
            del os.environ[OFF]


def invariant_plugins() -> tuple[Plugin, ...]:
    """Return the plug-ins that contribute invariants, loaded; none if they are kept out.

    One that cannot be loaded has a ``problem`` and no invariants; see ``refuse_broken``.
    """
    return _loaded() if enabled() else ()


def kernel_plugins() -> tuple[Plugin, ...]:
    """Return the plug-ins that contribute kernels; nothing of them is imported."""
    return _found(KERNELS) if enabled() else ()


def kernel_plugin(name: str) -> Plugin | None:
    """Return the plug-in kernel of a name, if there is one; nothing of it is imported.

    Raises:
        CatalogError: two installed packages give the name to a kernel.
    """
    found = [plugin for plugin in kernel_plugins() if plugin.name == name]
    if len(found) > 1:
        raise CatalogError(
            f"kernel {name!r}: {_both(*found[:2])} have it; uninstall one of them, or name "
            "the kernel as package.module:attribute"
        )
    return found[0] if found else None


def refuse_broken(plugins: tuple[Plugin, ...]) -> None:
    """Raise if a plug-in could not be loaded.

    Raises:
        PluginError: naming each with its problem.
    """
    broken = [f"{plugin.label}: {plugin.problem}" for plugin in plugins if plugin.problem]
    if broken:
        raise PluginError(
            "; ".join(broken) + "; what it contributes cannot be judged: mend or uninstall it, or "
            "go on without it: --allow-broken-plugins or --no-plugins"
        )


def _both(first: Plugin, second: Plugin) -> str:
    return f"{first.label} and {second.label}"


@cache
def _loaded() -> tuple[Plugin, ...]:
    return tuple(_load(plugin) for plugin in _found(INVARIANTS))


@cache
def _found(group: str) -> tuple[Plugin, ...]:
    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    return tuple(_plugin(point) for point in points)


def _plugin(point: EntryPoint) -> Plugin:
    package = point.dist
    return Plugin(
        group=point.group,
        name=point.name,
        target=point.value,
        distribution=package.name if package else "unknown",
        version=package.version if package else "unknown",
        digest=_digest(point.module.partition(".")[0]),
    )


def _load(plugin: Plugin) -> Plugin:
    try:
        point = EntryPoint(name=plugin.name, value=plugin.target, group=plugin.group)
        with redirect_stdout(sys.stderr):  # stdout belongs to the command
            invariants = tuple(_invariants(point.load()))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  whatever a stranger's module does
        return replace(plugin, problem=_told(error))
    return replace(plugin, invariants=invariants)


def _invariants(loaded: object) -> Iterator[Invariant]:
    """The invariants of what an entry point names: one, several, or a module's ``INVARIANT``."""
    value = getattr(loaded, "INVARIANT", loaded)
    if value == ():
        raise CatalogError("it names no invariant")
    for item in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
        if not isinstance(item, Invariant):
            raise CatalogError(
                f"it names {type(item).__name__}, not an Invariant; name an Invariant, a tuple "
                "of them, or a module with INVARIANT"
            )
        _check_names(item)
        yield item


def is_invariant_id(text: str) -> bool:
    """Return whether an invariant of a plug-in may have this id."""
    return _ID.fullmatch(text) is not None


def _check_names(invariant: Invariant) -> None:
    if not is_invariant_id(invariant.id):
        raise CatalogError(
            f"the id {invariant.id!r} is not allowed; use words of capital letters and digits "
            "joined by hyphens, such as ACME-REPLY-SHOWN"
        )
    for clause in invariant.clauses:
        if not _CLAUSE.fullmatch(clause.name):
            raise CatalogError(
                f"{invariant.id}: the clause name {clause.name!r} is not allowed; use words of "
                "small letters and digits joined by hyphens"
            )
    if len(set(invariant.clause_ids)) < len(invariant.clauses) or not invariant.clauses:
        raise CatalogError(f"{invariant.id}: each clause needs a name of its own, and there is one")


def _told(error: BaseException) -> str:
    last = traceback.format_exception_only(type(error), error)[-1].strip()
    return f"cannot be loaded: {last}"


def _digest(package: str) -> str:
    digest = hashlib.sha256()
    for name, path in _sources(package):
        digest.update(f"{name}\0".encode("utf-8", "surrogateescape"))
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(package: str) -> Iterator[tuple[str, Path]]:
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return
    for folder in map(Path, spec.submodule_search_locations or ()):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                yield path.relative_to(folder).as_posix(), path
    if not spec.submodule_search_locations and spec.origin and Path(spec.origin).is_file():
        yield Path(spec.origin).name, Path(spec.origin)
