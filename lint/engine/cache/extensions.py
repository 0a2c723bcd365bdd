"""Caches the findings of each extension under a digest of all their inputs.

Every run reads every file; only the judging is saved where all inputs are equal byte for byte.
Stamps are not used.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from ..results import Found, Inputs
from .dependencies import content_at, installed_of, is_young, linter_files, places_of_distributions
from .kept_runs import STARTED, contents, stamp_of, trusted_folder
from .store import EXTENSION_SUFFIX, is_repeatable, mark_as_used, remove_old, write

MAGIC = b"fedcheck-lint-extension-1"
_OWN = __name__.rpartition(".engine.")[0] + "."


class KnownExtensions:
    """The findings of extensions by their inputs: in this process, and in a folder.

    Args:
        folder: of the files; None to cache in this process only.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._linter: _Linter | None = None
        self._earlier: dict[str, Found] = {}
        self._found: dict[str, Found] = {}
        self._fresh: set[str] = set()

    def __call__(self, inputs: Inputs, lint: Callable[[], Found]) -> Found:
        """Return the cached findings of equal inputs, else those of ``lint``."""
        key = self._key(inputs)
        if not key:
            return lint()
        found = self._earlier.get(key) or self._read(key)
        if found is None:
            found = lint()
            if not is_repeatable(found.notes):
                return found
            self._fresh.add(key)
        self._found[key] = found
        return found

    def _key(self, inputs: Inputs) -> str:
        """Return the key of some inputs; empty if the findings may depend on more."""
        try:
            if self._linter is None:
                self._linter = _Linter()
            if self._linter.is_known and all(map(_is_own, _checks(inputs))):
                return _digest(self._linter.digest, inputs)
        except Exception:  # noqa: BLE001 - whatever is wrong, the linter can run
            return ""
        return ""

    def save(self) -> None:
        """Write the new findings of this run. Raises nothing."""
        self._earlier, self._found = self._found, {}
        fresh, self._fresh = self._fresh, set()
        if self._folder is None or self._linter is None or not fresh:
            return
        with contextlib.suppress(Exception):
            if self._linter.is_unchanged():
                for key in fresh & self._earlier.keys():
                    _write(self._folder, key, self._earlier[key])
                remove_old(self._folder)

    def _read(self, key: str) -> Found | None:
        if self._folder is None:
            return None
        path = str(self._folder / f"{key}{EXTENSION_SUFFIX}")
        try:
            data = contents(path)
            found = None if data is None else _decoded(key, data)
        except Exception:  # noqa: BLE001 - whatever is wrong with the file, the linter can run
            return None
        if found is not None:
            with contextlib.suppress(OSError):
                mark_as_used(path)
        return found


def known_extensions(words: Sequence[str], chosen: Path | None) -> KnownExtensions:
    """Return the cache in the trusted folder for a command line.

    Args:
        words: the command line behind ``fedcheck lint``.
        chosen: the folder that was asked for, if one was.
    """
    folder: str | None = None
    with contextlib.suppress(Exception):  # no folder is no reason not to lint
        folder = trusted_folder(words, None if chosen is None else str(chosen))
    return KnownExtensions(None if folder is None else Path(folder))


class _Linter:
    """The linter's own code, as a part of the key.

    Attributes:
        digest: of its files, of the installed packages, and of Python.
        is_known: whether it is unchanged since this process began.
    """

    def __init__(self) -> None:
        self._files = linter_files()
        self._stamps = self._now()
        self.is_known = __file__ in self._files and not any(
            stamp.startswith("-") or is_young(stamp, STARTED) for stamp in self._stamps
        )
        self.digest = self._digest() if self.is_known else ""

    def is_unchanged(self) -> bool:
        """Tell whether it is still unchanged: some modules are loaded late."""
        return self._now() == self._stamps

    def _digest(self) -> str:
        python = (sys.version, sys.flags, sys.path)
        packages = [installed_of(path) for path in places_of_distributions()]
        code = list(map(_content, self._files, self._stamps))
        return sha256(
            repr((python, packages, code)).encode("utf-8", "backslashreplace")
        ).hexdigest()

    def _now(self) -> list[str]:
        return [stamp_of(path) for path in self._files]


def _content(path: str, stamp: str) -> tuple[str, str]:
    """Return (path, digest of its content).

    Raises:
        OSError: it cannot be read.
    """
    content = content_at(path, stamp)
    if content.startswith("-"):
        raise OSError(content)
    return path, content


def _checks(inputs: Inputs) -> Iterator[object]:
    for rule in inputs.rules:
        yield from (rule.check, rule.check_project, rule.screen)


def _is_own(check: object) -> bool:
    """Tell whether a rule is one of ours; others may read further files."""
    return check is None or str(getattr(check, "__module__", "")).startswith(_OWN)


def _digest(linter: str, inputs: Inputs) -> str:
    """Return the digest of linter and inputs; each part is prefixed with its size."""
    whole = sha256()

    def add(about: object, data: bytes) -> None:
        head = repr((about, len(data))).encode("utf-8", "backslashreplace")
        whole.update(b"%d " % len(head))
        whole.update(head)
        whole.update(data)

    extent = (inputs.sdk, inputs.all_files, inputs.exhaustive, len(inputs.files))
    rules = [rule.code for rule in inputs.rules]
    add((linter, str(inputs.root), extent, rules), inputs.manifest.encode("utf-8", "surrogatepass"))
    linted = {path: number for number, path in enumerate(inputs.linted)}
    for path, source in inputs.files.items():
        role = (linted.get(path), path in inputs.named, source.name in inputs.excluded)
        add((str(path), source.name, role), source.data)
    for name, icon in inputs.icons.items():
        add(("icon", name, icon and icon.size), icon.data if icon else b"")
    return whole.hexdigest()


def _write(folder: Path, key: str, found: Found) -> None:
    """Write the findings, unless they do not read back equal."""
    body = msgspec.json.encode(found)
    if msgspec.json.decode(body, type=Found) == found:
        head = b"%s %s %s\n" % (MAGIC, key.encode(), sha256(body).hexdigest().encode())
        write(folder, f"{key}{EXTENSION_SUFFIX}", head + body)


def _decoded(key: str, data: bytes) -> Found | None:
    head, _, body = data.partition(b"\n")
    if head != b"%s %s %s" % (MAGIC, key.encode(), sha256(body).hexdigest().encode()):
        return None
    return msgspec.json.decode(body, type=Found)
