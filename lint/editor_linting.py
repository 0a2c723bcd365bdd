"""Which files an editor's document is linted with, and by what, for ``fedcheck lsp``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pygls.uris import to_fs_path

from .files.walking import is_extension_root
from .linting import Linter
from .options import Options
from .running import make_linter
from .settings import find_settings


def linter_of(path: Path, texts: Mapping[Path, str]) -> Linter:
    """Return what lints the open documents, by the settings as they now are."""
    return make_linter(Options(paths=tuple(texts), jobs=1), find_settings([path]))


def extension_of(path: Path) -> Path:
    """Return the root of the extension that a file belongs to, or its folder."""
    return next((folder for folder in path.parents if is_extension_root(folder)), path.parent)


def path_of(uri: str) -> Path | None:
    """Return the file of a document; ``None`` for one that was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)
