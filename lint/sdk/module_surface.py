"""The SDK's modules in each of its releases, read from ``modules.json`` when somebody asks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from .releases import version_key, versions
from .surface import PACKAGE, UNREAD_MODULES, Signature, at, signature

_ALIASES = 10

_Spans = dict[str, list[list[str]]]


class Callee(msgspec.Struct, frozen=True):
    """A function or a class of the SDK in one release.

    Attributes:
        path: where it is defined, below the package: ``ui.interactive.Button``.
        text: how it may be called, as in ``modules.json``.
        later: [first version, text] of what newer releases make of it.
    """

    path: str
    text: str
    later: tuple[tuple[str, str], ...]

    @property
    def is_class(self) -> bool:
        """Whether it is a class, a model or not."""
        return self.text.startswith(("c", "m"))

    @property
    def is_model(self) -> bool:
        """Whether it is a model of pydantic: wrong fields raise ``ValidationError``."""
        return self.text.startswith("m")

    @property
    def signature(self) -> Signature | None:
        """How it may be called, if that is known."""
        return _signature(self.text)

    def since(self, parameter: str) -> str:
        """Return the newer release that brings a parameter; empty if none does."""
        for version, text in self.later:
            spec = _signature(text)
            if spec is not None and parameter in spec.names:
                return version
        return ""


def _signature(text: str) -> Signature | None:
    return signature(text[text.index("(") :]) if "(" in text else None


class ModuleSurface:
    """What the modules of one release hold.

    Attributes:
        key: orders releases.
        is_known: whether the table reaches to the release: a newer one may have more names.
    """

    def __init__(self, version: str) -> None:
        self.key = version_key(version)
        self.is_known = self.key <= version_key(versions()[-1])
        self._read: dict[str, dict[str, str]] = {}
        self._callees: dict[str, Callee | None] = {}
        self._absent: dict[str, tuple[str, str] | None] = {}

    def names(self, module: str) -> dict[str, str]:
        """Return public name → text; nothing for a module that the release does not have."""
        if module not in self._read:
            found = ((name, at(spans, self.key)[1]) for name, spans in _spans(module).items())
            self._read[module] = {name: text for name, text in found if text}
        return self._read[module]

    def offered(self, module: str) -> list[str]:
        """Return the names that an extension may mean: functions, classes, modules, aliases."""
        return sorted(name for name, text in self.names(module).items() if text != "v")

    def named(self, dotted: str) -> Callee | None:
        """Return what ``imperal_sdk.sdl.Entity`` names, if that is a function or a class."""
        package, _, path = dotted.partition(".")
        return self.callee(path) if package == PACKAGE else None

    def history(self, module: str, name: str) -> list[list[str]]:
        """Return [first version, text] for each change of a name; ``""`` is its removal."""
        return _spans(module).get(name, [])

    def is_module(self, path: str) -> bool:
        """Tell whether the release has a module of that path below the package."""
        return bool(self.names(path))

    def absent(self, path: str) -> tuple[str, str] | None:
        """Return (module, name) of the first part of a dotted path that does not exist.

        ``None`` if all exists or if it is not known: private names, open modules, what hangs on
        a function or a class.
        """
        if path not in self._absent:
            self._absent[path] = self._first_absent(path)
        return self._absent[path]

    def _first_absent(self, path: str) -> tuple[str, str] | None:
        parts = path.split(".")
        if (
            not self.is_known
            or parts[0] in UNREAD_MODULES
            or any(part.startswith("_") for part in parts)
        ):
            return None
        for index, name in enumerate(parts[1:], 1):
            module = ".".join(parts[:index])
            names = self.names(module)
            if not names or "(open)" in names:
                return None
            if name not in names:
                return module, name
            if not self.is_module(f"{module}.{name}"):
                return None
        return None

    def callee(self, path: str) -> Callee | None:
        """Return the function or class that a path below the package means, aliases followed."""
        if path not in self._callees:
            self._callees[path] = self._callee(path)
        return self._callees[path]

    def _callee(self, path: str) -> Callee | None:
        for _ in range(_ALIASES):
            module, _, name = path.rpartition(".")
            text = self.names(module).get(name, "")
            if not text.startswith("="):
                break
            path = text[1:]
        else:
            return None
        if not text or text[0] not in "afcm":
            return None
        later = tuple((since, new) for since, new in self.history(module, name)
                      if version_key(since) > self.key)  # fmt: skip
        return Callee(path, text, later)


@cache
def _table() -> dict[str, msgspec.Raw]:
    data = (Path(__file__).parent / "modules.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, msgspec.Raw])


@cache
def _spans(module: str) -> _Spans:
    raw = _table().get(module)
    return msgspec.json.decode(raw, type=_Spans) if raw is not None else {}


@cache
def modules(version: str) -> ModuleSurface:
    """Return the modules of a release; of one that is newer than the file, the newest known."""
    return ModuleSurface(version)
