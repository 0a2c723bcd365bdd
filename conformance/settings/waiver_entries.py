"""Waivers as they stand in the configuration: breaches that are accepted for now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated

import msgspec

from ...reports.record.approval import LONGEST_DAYS, addresses, same_person

Text = Annotated[str, msgspec.Meta(min_length=1)]
"""A text that says something."""


class WaiverEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry ``[[waivers]]`` of the configuration.

    Attributes:
        clause: id of the clause that the kernel breaks.
        kernel: name of the kernel, as it describes itself.
        versions: range of its versions: ``*``, or constraints such as ``>=1.2, <2``.
        reason: why the breach is accepted for now.
        requested_by: who asked for it, with an e-mail address.
        approved_by: who allowed it; somebody else, with another address.
        ticket: where the mending is followed.
        expires: last day on which it holds (UTC), at most 366 days away.
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
        """Whether the same person asked and allowed, as far as their addresses tell."""
        return same_person(self.requested_by, self.approved_by)


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


def told(waivers: Iterable[Waiver]) -> list[dict[str, str]]:
    """Return which waivers a run was given, as its record's settings hold them."""
    return [{"id": waiver.id, "clause": waiver.entry.clause} for waiver in waivers]


def default_id(entry: WaiverEntry) -> str:
    """Return the name of a waiver that has none: the same for the same subject."""
    subject = (entry.clause, entry.fingerprint, entry.kernel, entry.counterexample)
    digest = hashlib.sha256("\0".join(subject).encode("utf-8", "surrogatepass"))
    return f"W-{digest.hexdigest()[:8]}"


def today() -> date:
    """Return the date in UTC."""
    return datetime.now(timezone.utc).date()


def mistake(entry: WaiverEntry, now: date) -> str:
    """Return what in an entry cannot stand, with the edit to make; empty if it can."""
    for name in ("requested_by", "approved_by"):
        if not addresses(person := getattr(entry, name)):
            return (
                f"{name} {person!r} has no e-mail address, which tells people apart; change the "
                f'line to `{name} = "{person.replace(chr(34), "")} <NAME@EXAMPLE.COM>"`, with the '
                "person's own address"
            )
    last = now + timedelta(days=LONGEST_DAYS)
    if entry.expires > last:
        return (
            f"it ends on {entry.expires}, and {LONGEST_DAYS} days from now is the longest; change "
            f"the line to `expires = {last}`, or an earlier day"
        )
    return ""
