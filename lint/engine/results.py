"""The inputs and the findings of one extension."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from ...reports.lint.findings import Finding
from ..files.icons import Icon
from ..files.source import SourceFile
from ..rule import Rule


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """All inputs of an extension's findings, except the linter itself.

    The engine reads nothing else while it lints: no file, no clock, no variable.

    Attributes:
        root: folder of the extension.
        files: absolute path → file; in an order that counts.
        linted: those that are linted; the others are only followed.
        named: those of them that the user named one by one.
        excluded: names of those that the settings leave out.
        manifest: text of ``imperal.json``; empty if there is none.
        icons: name → file of those that the code calls an icon; None for one that is not there.
        sdk: the target version.
        rules: those that run, in order.
        all_files: also files that the entry does not import.
        exhaustive: parse every file, without the prefilter.
    """

    root: Path
    files: Mapping[Path, SourceFile]
    linted: Sequence[Path]
    named: frozenset[Path]
    excluded: frozenset[str]
    manifest: str
    icons: Mapping[str, Icon | None]
    sdk: str
    rules: Sequence[Rule]
    all_files: bool
    exhaustive: bool


class Found(msgspec.Struct, frozen=True):
    """The result of one extension.

    Attributes:
        findings: unsuppressed, in the order in which they were found.
        notes: what could not be linted and why; one line each.
        sources: names of the files with findings or ignore comments.
    """

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    sources: tuple[str, ...]


Recall = Callable[[Inputs, Callable[[], Found]], Found]
"""Gets the inputs and what lints them; says what was found, now or when they were the same."""
