"""The syntax trees of files, kept from one run of a server to its next."""

from __future__ import annotations

from pathlib import Path

from ...files.source import SourceFile
from .module import Module
from .parsing import parse

_MOST_BYTES = 1_000_000
"""Of the texts whose trees are kept: a tree takes some fifty times as much."""


class KeptTrees:
    """Parses files; a text that an earlier run parsed is not parsed again.

    Only what the text alone says is kept: its nodes, and what is remembered on them. What a run
    finds out about a file also hangs on others; that lies in its module, and each run has its own.

    Args:
        most: bytes of the texts whose trees are kept.
    """

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._modules: dict[Path, Module] = {}
        self._given: dict[Path, Module] = {}

    def parse(self, source: SourceFile) -> Module:
        """Return a parsed file.

        Raises:
            Unparsable: it is no Python.
        """
        path = source.path
        if path in self._given:
            return parse(source)  # two extensions of one run may not share the nodes of a file
        earlier = self._modules.get(path)
        if earlier is None or earlier.source.data != source.data:
            module = parse(source)
        else:
            module = earlier.again(source)
        self._given[path] = module
        return module

    def settle(self) -> None:
        """End a run, whatever came of it; the trees of its files go before those of others."""
        kept: dict[Path, Module] = {}
        left = self._most
        for path in dict.fromkeys((*self._given, *self._modules)):
            module = self._given.get(path) or self._modules[path]
            left -= len(module.source.data)
            if left < 0:
                break
            kept[path] = module.again(module.source) if path in self._given else module
        self._modules, self._given = kept, {}
