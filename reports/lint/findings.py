"""What the linter found: the types that every renderer of findings reads."""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["error", "warning", "info"]
"""error: proved for the target version; warning: likely or advisory; info: documents and code
disagree, the code never runs, or the SDK's validator only advises."""

Safety = Literal["safe", "unsafe"]

FailOn = Literal["error", "warning", "info", "never"]
"""The least severity that makes a run fail."""


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base: immutable, named fields only."""


class Span(_Part, frozen=True, kw_only=True):
    """A stretch of source; lines and columns count from 1, columns in characters.

    Attributes:
        end_line: line of the character after the last one …
        end_column: … and its column.
    """

    line: int
    column: int
    end_line: int
    end_column: int


class ChainStep(_Part, frozen=True, kw_only=True):
    """One place on the way from a handler to the finding, outermost first."""

    path: str
    span: Span
    note: str


class Edit(_Part, frozen=True, kw_only=True):
    """Replaces a stretch of the file as it was linted; an empty span inserts."""

    span: Span
    replacement: str


class Fix(_Part, frozen=True, kw_only=True):
    """How a finding can be mended.

    Attributes:
        title: what it does, as an imperative.
        safety: ``safe`` keeps every behaviour but the breach; ``unsafe`` needs a person.
        edits: in the finding's own file; they do not overlap.
    """

    title: str
    safety: Safety
    edits: tuple[Edit, ...]


class Finding(_Part, frozen=True, kw_only=True):
    """One finding.

    Attributes:
        path: of the file, as the user named it, with ``/``.
        span: what is marked.
        code: of the rule, ``FED101``.
        rule: name of the rule, ``nonexistent-fact-ledger``.
        severity: how certain it is.
        message: what happens, in one line.
        advice: why, and what to write instead; may be empty.
        invariant: id of the federal invariant that the rule serves; may be empty.
        chain: from the handler to the finding.
        fix: if there is one.
        fingerprint: stable name without line numbers; equal findings of one file are
            numbered.
        suppressed: how it was suppressed: empty, ``inline``, ``file``, ``config`` or
            ``baseline``.
        justification: the reason given with the suppression.
        sdk: the release by which its extension was judged; empty if no release had a say in it.
        cause: what it shares with the findings of its file that have the same cause; may be empty.
        also: the other places of the same cause, where one finding tells of them all.
    """

    path: str
    span: Span
    code: str
    rule: str
    severity: Severity
    message: str
    advice: str = ""
    invariant: str = ""
    chain: tuple[ChainStep, ...] = ()
    fix: Fix | None = None
    fingerprint: str = ""
    suppressed: Literal["", "inline", "file", "config", "baseline"] = ""
    justification: str = ""
    sdk: str = ""
    cause: str = ""
    also: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        """The message with what stands below it, as one text of several lines."""
        return f"{self.message}\n{self.advice}" if self.advice else self.message


class RuleText(_Part, frozen=True, kw_only=True):
    """What a report says of a rule.

    Attributes:
        markdown: the rule's whole page.
    """

    code: str
    name: str
    summary: str
    severity: Severity
    invariant: str = ""
    markdown: str = ""


class LintReport(_Part, frozen=True, kw_only=True):
    """A whole run of the linter.

    Attributes:
        version: of fedcheck.
        sdk: the target version of the SDK.
        findings: sorted by path, line, column, code; the suppressed ones among them.
        notes: what could not be linted, and why; one line each.
        rules: those that were on.
        files: number of files looked at.
        fail_on: findings of at least this severity make the exit code 1.
        exit_code: 0 nothing, 1 findings, 2 wrong usage, 3 something could not be linted.
    """

    version: str
    sdk: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    rules: tuple[RuleText, ...] = ()
    files: int = 0
    fail_on: FailOn = "warning"
    exit_code: int = 0
