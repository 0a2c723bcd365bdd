"""Waivers as they stand in the configuration: breaches that are accepted for now."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec

Text = Annotated[str, msgspec.Meta(min_length=1)]
"""A text that says something."""

_ADDRESS = re.compile(r"[^\s<>()@]+@[^\s<>()@]+")


class WaiverEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry ``[[waivers]]`` of the configuration.

    Attributes:
        clause: id of the clause that the kernel breaks.
        kernel: name of the kernel, as it describes itself.
        versions: range of its versions: ``*``, or constraints such as ``>=1.2, <2``.
        reason: why the breach is accepted for now.
        requested_by: who asked for it.
        approved_by: who allowed it; somebody else.
        ticket: where the mending is followed.
        expires: last day on which it holds (UTC).
        counterexample: path of the counterexample file, from the configuration's folder.
        fingerprint: the kind of difference; by default that of the counterexample.
        id: name of the waiver; by default made of the other fields.
    """

    clause: Text
    kernel: Text
    versions: Text
    reason: Text
    requested_by: Text
    approved_by: Text
    ticket: Text
    expires: date
    counterexample: Text
    fingerprint: str = ""
    id: str = ""

    @property
    def self_approved(self) -> bool:
        """Whether the same person asked and allowed, as far as the two names tell."""
        return bool(_names(self.requested_by) & _names(self.approved_by))


class Waiver(msgspec.Struct, frozen=True, kw_only=True):
    """A waiver, and where it stands.

    Attributes:
        entry: what it says.
        file: the configuration that holds it.
        line: of its heading; 0 if that is not known.
    """

    entry: WaiverEntry
    file: Path
    line: int = 0

    @property
    def id(self) -> str:
        """The waiver's name."""
        return self.entry.id or default_id(self.entry)

    @property
    def counterexample(self) -> Path:
        """Where the counterexample lies."""
        return self.file.parent / self.entry.counterexample

    @property
    def place(self) -> str:
        """File and line, for people."""
        return f"{self.file}, line {self.line}" if self.line else str(self.file)


def default_id(entry: WaiverEntry) -> str:
    """Return the name of a waiver that has none: the same for the same subject."""
    subject = (entry.clause, entry.fingerprint, entry.kernel, entry.counterexample)
    digest = hashlib.sha256("\0".join(subject).encode("utf-8", "surrogatepass"))
    return f"W-{digest.hexdigest()[:8]}"


def _names(person: str) -> set[str]:
    """The ways in which a person is named: the whole text, and any address in it."""
    plain = " ".join(unicodedata.normalize("NFKC", person).casefold().split())
    return {plain, *_ADDRESS.findall(plain)}
