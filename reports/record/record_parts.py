"""The parts that the lines of a run record are made of."""

from __future__ import annotations

import hashlib
import math
from typing import Annotated, Any, Literal

import msgspec

UtcTime = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")]
"""A moment in UTC, ISO 8601 with the suffix ``Z``."""

Count = Annotated[int, msgspec.Meta(ge=0)]
"""How many of something."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base of everything in a record: immutable, named fields only."""


class Suite(Part, frozen=True, kw_only=True):
    """The suite that judged: its name, its version, the SHA-256 of its code."""

    name: str
    version: str
    digest: str


class RequirementSet(Part, frozen=True, kw_only=True):
    """The named list of clauses against which was judged.

    Attributes:
        name: its name.
        digest: its SHA-256, see ``invariants.requirements``.
        files: the text of its file, then of the set that it extends, and so on.
    """

    name: str
    digest: str
    files: tuple[str, ...] = ()


class Surroundings(Part, frozen=True, kw_only=True):
    """Where the run took place: an allow-list, so that no secret of the machine gets in.

    Attributes:
        python: version of Python.
        platform: operating system and machine.
        packages: versions of the packages that the suite builds on.
    """

    python: str
    platform: str
    packages: dict[str, str] = {}


class Plugin(Part, frozen=True, kw_only=True):
    """A third party's contribution that took part in the run.

    Attributes:
        group: the entry point group, ``fedcheck.invariants`` or ``fedcheck.kernels``.
        name: name of the entry point.
        distribution: the package that brings it.
        version: version of that package.
        digest: SHA-256 of its files.
        problem: why it could not be loaded; empty if it was.
    """

    group: str
    name: str
    distribution: str
    version: str
    digest: str
    problem: str = ""


class Setting(Part, frozen=True, kw_only=True):
    """A resolved setting: its value, and where it came from (``default``, a file, a flag)."""

    value: Any
    source: str


class Origin(Part, frozen=True, kw_only=True):
    """Who ran it: as the settings say, and the CI job or else the user. Taken from an allow-list.

    Attributes:
        organisation: on whose behalf, as the settings name it.
        person: who answers for it, as the settings name them.
        user: name of the user, where no CI job is known.
        ci: name of the CI system.
        run_url: address of the CI run.
        commit: commit that the CI run had checked out.
        workflow: name of the CI job or workflow.
    """

    organisation: str = ""
    person: str = ""
    user: str = ""
    ci: str = ""
    run_url: str = ""
    commit: str = ""
    workflow: str = ""


class RecordedPlace(Part, frozen=True, kw_only=True):
    """Where something stands in a recording: file, and line or message in it, from 1."""

    file: str
    line: Count = 0


class RecordedFile(Part, frozen=True, kw_only=True):
    """A file that was read.

    Attributes:
        file: as it was named.
        bytes: as it lies there.
        sha256: of these; empty if it could not be read to its end.
        spans: spans, log records and traces of fedcheck in it.
        lines: lines or messages that hold them.
        unread: lines, messages and spans that could not be read or used.
        is_cut: whether something is missing of which nobody knows how much it is.
    """

    file: str
    bytes: Count = 0
    sha256: str = ""
    spans: Count = 0
    lines: Count = 0
    unread: Count = 0
    is_cut: bool = False


class RecordingRemark(Part, frozen=True, kw_only=True):
    """Something that could not be read or used: how often, and where first."""

    what: str
    times: Count
    places: tuple[RecordedPlace, ...] = ()


class Recording(Part, frozen=True, kw_only=True):
    """What was read of a recording, in place of a kernel that was run.

    Attributes:
        truth: whose word it is what calls gave: the system's own, always.
        targets: the files as they were named.
        files: those that were read.
        systems: conversations by the system that recorded them; empty where that is not told.
        conversations: how many there are.
        turns: and how many turns.
        remarks: what could not be read or used.
        left_out: values of other users in prompts that blame nobody, since their shape is common.
        days: for each day turns, and those in which a MUST clause is broken.
        evidence: how values appear: as digests with a key that is not kept, masked, or as they are.
        min_judgeable: share of what a clause is about that had to be judgeable.
        clauses_digest: SHA-256 of what the clauses say that judge recordings.
    """

    truth: Literal["the system's own word"] = "the system's own word"
    targets: tuple[str, ...] = ()
    files: tuple[RecordedFile, ...] = ()
    systems: dict[str, Count] = {}
    conversations: Count = 0
    turns: Count = 0
    remarks: tuple[RecordingRemark, ...] = ()
    left_out: Count = 0
    days: tuple[tuple[str, Count, Count], ...] = ()
    evidence: Literal["digest", "masked", "full"] = "digest"
    min_judgeable: float = 0.5
    clauses_digest: str = ""

    @property
    def files_digest(self) -> str:
        """The SHA-256 of what ``sha256sum`` says of the files, in the order of the record."""
        told = "".join(f"{each.sha256}  {each.file}\n" for each in self.files)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def is_cut(self) -> bool:
        """Whether something could not be read of which nobody knows how much it is."""
        return any(each.is_cut for each in self.files)

    @property
    def unread_turns(self) -> int:
        """About how many turns stand in what could not be read, where that can be said.

        Each such line counts as many turns as a line holds on average, and at least one.
        """
        unread, lines = sum(x.unread for x in self.files), sum(x.lines for x in self.files)
        return max(unread, math.ceil(unread * self.turns / max(lines, 1)))

    @property
    def share_read(self) -> float:
        """The share of the turns that could be read; 0 where nobody knows how much is missing."""
        every = self.turns + self.unread_turns
        return 0.0 if self.is_cut or not every else self.turns / every


class Shard(Part, frozen=True, kw_only=True):
    """A sealed record that a merged one was made from.

    Attributes:
        shard: which share of the run it holds, such as ``2/5``, or ``part 2/3`` of one that was
            resumed.
        run_id: of the record.
        sha256: of all its bytes.
        started: when that run began.
        surroundings: where it took place.
    """

    shard: str
    run_id: str
    sha256: str
    started: UtcTime
    surroundings: Surroundings


class Seen(Part, frozen=True, kw_only=True):
    """How many conversations or turns were seen, and what became of them.

    Those that are in none of the other numbers hold nothing that the clause is about.
    """

    seen: Count = 0
    kept: Count = 0
    broken: Count = 0
    not_judgeable: Count = 0

    @property
    def judgeable(self) -> int:
        """How many could be judged."""
        return self.kept + self.broken


class RecordedBreach(Part, frozen=True, kw_only=True):
    """A breach in a recording.

    Attributes:
        kind: kind of difference.
        conversation: its session, or else its trace.
        turn: index of the turn in the conversation.
        trace: id of the trace.
        span: id of the span.
        place: file and line.
        time: when it was recorded; empty if that is not told.
        expected: what was promised.
        got: what was found.
    """

    kind: str
    conversation: str
    turn: Count
    trace: str = ""
    span: str = ""
    place: RecordedPlace
    time: str = ""
    expected: str
    got: str


class Recorded(Part, frozen=True, kw_only=True):
    """What a recording shows of a clause.

    Attributes:
        conversations: of these a verdict speaks.
        turns: likewise.
        bound: share of conversations that may be broken with 95 % confidence, were they drawn at
            random: 3/n where nothing broke in n.
        reasons: why turns could not be judged, each with how many.
        kinds: breaches by kind of difference; all of them are counted.
        breaches: at most twenty of each kind.
    """

    conversations: Seen
    turns: Seen
    bound: float = 1.0
    reasons: dict[str, Count] = {}
    kinds: dict[str, Count] = {}
    breaches: tuple[RecordedBreach, ...] = ()
