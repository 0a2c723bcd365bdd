"""Tells whether files are the recordings that an audit judged, by the SHA-256 of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from ...reports.record.record_parts import RecordedFile, Recording
from .files import Weighed, expand, raw


class Compared(NamedTuple):
    """How many files are those that were judged, and in what the rest differs, one line each."""

    same: int
    differences: list[str]


def compared(recording: Recording, targets: Sequence[str]) -> Compared:
    """Compare files with those that a record names.

    A file is known by what it holds, so that it may lie elsewhere under another name.

    Raises:
        UsageError: one of the targets names nothing, or cannot be opened.
    """
    there = [(name, _digest(name)) for name in expand(targets)]
    missing: list[RecordedFile] = []
    same = 0
    for wanted in recording.files:
        found = next((x for x in there if x[1] and x[1] == wanted.sha256), None)
        if found is None:
            missing.append(wanted)
        else:
            there.remove(found)
            same += 1
    differences = [_missing(each, there) for each in missing]
    named = {PurePath(each.file).name for each in missing}
    differences += [
        f"{name}: was not judged; the record names no file with SHA-256 {digest}"
        for name, digest in there
        if PurePath(name).name not in named
    ]
    return Compared(same, differences)


def _missing(wanted: RecordedFile, there: Sequence[tuple[str, str]]) -> str:
    if not wanted.sha256:
        return f"{wanted.file}: the record has no SHA-256 of it: it could not be read to its end"
    name = PurePath(wanted.file).name
    other = next((x for x in there if PurePath(x[0]).name == name), None)
    if other is None:
        return f"{wanted.file}: was judged, and is not among the files that were named"
    return (
        f"{other[0]}: is not the file that was judged: SHA-256 is {other[1]}, "
        f"the record says {wanted.sha256}"
    )


def _digest(name: str) -> str:
    with raw(name) as file:
        return Weighed(file).whole()
