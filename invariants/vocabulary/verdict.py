"""What judges say of a trace, and what a run says of a clause."""

from __future__ import annotations

from enum import Enum

import msgspec


class Compared(msgspec.Struct, frozen=True):
    """A judge compared something: one piece of evidence.

    Attributes:
        partitions: names of the clause's partitions to which the compared input belongs.
        step: index of the step whose outcome was compared, if the judge says so.
    """

    partitions: tuple[str, ...] = ()
    step: int | None = None


class Violation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge found a broken promise.

    Attributes:
        clause: id of the clause, filled in when the judge's findings are collected.
        kind: the kind of difference; with the clause it is the fingerprint of the bug.
        step: index of the step at which it shows.
        expected: what the promise demands, for people.
        got: what the kernel did, for people.
    """

    clause: str = ""
    kind: str
    step: int
    expected: str
    got: str

    @property
    def fingerprint(self) -> str:
        """Clause and kind of difference: two violations with one fingerprint are one bug."""
        return f"{self.clause} {self.kind}"


class Undecided(msgspec.Struct, frozen=True):
    """A recording does not tell enough: what it shows may be a breach, or may be as declared.

    Attributes:
        reason: what it does not tell.
        step: index of the step.
    """

    reason: str
    step: int


Finding = Compared | Violation | Undecided


class Verdict(str, Enum):
    """What a run says of one clause. Only pass, not claimed and waived are not red."""

    PASS = "pass"
    FAIL = "fail"
    FLAKY = "flaky"
    TIMEOUT = "timeout"
    CRASH = "crash"
    ERROR = "error"
    NOT_EXERCISED = "not_exercised"
    NOT_CLAIMED = "not_claimed"
    WAIVED = "waived"

    @property
    def red(self) -> bool:
        """Whether a required clause with this verdict makes the run non-conformant."""
        return self not in _GREEN

    @property
    def broken(self) -> bool:
        """Whether a breach was seen."""
        return self in _BROKEN

    @property
    def seen(self) -> bool:
        """Whether the promise was seen to be kept or broken, so that there is evidence of it."""
        return self is Verdict.PASS or self in _BROKEN


_BROKEN = frozenset({Verdict.FAIL, Verdict.FLAKY})
_GREEN = frozenset({Verdict.PASS, Verdict.NOT_CLAIMED, Verdict.WAIVED})
