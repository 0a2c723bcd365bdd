"""Writes a waiver for a failure of a run into the configuration, whose text is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.toml_file import OWN_FILE, SHARED_FILE, parse_toml
from ...reports.console.escape import printable
from ...reports.console.files import write_atomically
from ...reports.record.model import RunRecord
from ..counterexamples.documents import CounterexampleFile, file_name, of_record, write_file
from ..settings.configuration import configuration
from ..settings.waiver_entries import WaiverEntry, mistake

FOLDER = "waivers"
"""Where the counterexamples of waivers lie, beside the configuration."""

_UNSAFE = re.compile(r'[\x00-\x1f\x7f"\\]')


def failures(record: RunRecord, clause: str, kind: str = "") -> list[CounterexampleFile]:
    """Return the failures of a clause that a run found, one for each kind of difference.

    Args:
        record: of the run.
        clause: its id.
        kind: only this kind of difference.

    Raises:
        UsageError: the run found none.
    """
    every = of_record(record)
    found = [x for x in every if x.clause == clause and kind in {"", x.kind}]
    if found:
        return found
    kinds = ", ".join(repr(x.kind) for x in every if x.clause == clause)
    if kinds:
        raise UsageError(f"{clause}: the run found no {kind!r}; it found: {printable(kinds)}")
    broken = ", ".join(dict.fromkeys(x.clause for x in every if x.clause)) or "none"
    raise UsageError(
        f"{printable(clause)}: the run found no counterexample of it, and only a failure that "
        f"can be replayed can be waived; it found failures of: {printable(broken)}"
    )


def check(entry: WaiverEntry, today: date) -> None:
    """Refuse a waiver that would not hold.

    Raises:
        UsageError: it has expired already, ends too late, was approved by whoever asked for it,
            or somebody's address is missing.
    """
    if wrong := mistake(entry, today):
        raise UsageError(printable(wrong, limit=None))
    if entry.self_approved:
        raise UsageError(
            f"{printable(entry.requested_by)} cannot approve a waiver of their own; "
            "--approved-by must name somebody else"
        )
    if entry.expires < today:
        raise UsageError(f"--expires {entry.expires} has passed; today is {today} (UTC)")


def write_waiver(file: Path, entry: WaiverEntry, example: CounterexampleFile) -> Path:
    """Append a waiver to the configuration, and write its counterexample beside it.

    Args:
        file: the configuration; it is made if it does not exist.
        entry: the waiver, whose ``counterexample`` is filled in here.
        example: what it waives.

    Returns:
        The counterexample's path.

    Raises:
        UsageError: the configuration covers this failure already, cannot be read or written,
            or has its waivers in a form to which nothing can be appended.
    """
    relative = f"{FOLDER}/{file_name(example)}"
    entry = msgspec.structs.replace(entry, counterexample=relative)
    before = configuration(file).waivers if file.exists() else ()
    for waiver in before:
        known = waiver.entry
        if (known.clause, known.counterexample) == (entry.clause, relative):
            raise UsageError(f"{waiver.place}: a waiver of this failure is there already")
    try:
        text = file.read_bytes().decode("utf-8") if file.exists() else ""
        grown = _appended(text, entry, file)
        (file.parent / FOLDER).mkdir(exist_ok=True)
        written = write_file(example, file.parent / FOLDER)
        _replace(file, grown)
    except OSError as error:
        raise UsageError(f"{error.filename or file}: cannot be written: {error.strerror}") from None
    return written


def _appended(text: str, entry: WaiverEntry, file: Path) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = list(_lines(entry, shared=file.name == SHARED_FILE))
    gap = "" if not text else line_end if text.endswith("\n") else 2 * line_end
    grown = text + gap + line_end.join(lines) + line_end
    try:
        fits = len(_waivers(grown, file)) == len(_waivers(text, file)) + 1
    except UsageError:
        fits = False
    if not fits:
        raise UsageError(
            f"{file}: its waivers are not written as [[waivers]] tables, so nothing can be "
            "appended; add by hand:\n" + "\n".join(lines)
        )
    return grown


def _waivers(text: str, file: Path) -> list[Any]:
    table = parse_toml(text, str(file))
    if file.name == SHARED_FILE:
        table = table.get("tool", {}).get("fedcheck", {})
    return table.get("waivers", [])


def _lines(entry: WaiverEntry, *, shared: bool) -> Iterator[str]:
    yield "[[tool.fedcheck.waivers]]" if shared else "[[waivers]]"
    for name, value in msgspec.structs.asdict(entry).items():
        if isinstance(value, date):
            yield f"{name} = {value.isoformat()}"
        elif value:
            yield f"{name} = {toml_string(value)}"


def toml_string(text: str) -> str:
    """Return a text as a TOML basic string.

    Raises:
        UsageError: it holds half a character, which no TOML file can.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{text!r} holds half a character and cannot be written") from None
    return f'"{_UNSAFE.sub(_escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"


def _replace(file: Path, text: str) -> None:
    """Put a new text in the file's place, whole or not at all."""
    write_atomically(file, text.encode("utf-8"))


def target_file(config: Path | None) -> Path:
    """Return the configuration to write to: the named one, that which holds here, or a new one.

    Raises:
        UsageError: the configuration cannot be read.
    """
    if config is not None:
        return config
    return configuration().file or Path(OWN_FILE)
