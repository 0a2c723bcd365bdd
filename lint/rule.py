"""What a rule is. Read this before you write one.

A rule is one module ``lint/rules/ROOM/fedNNN_name.py`` (rooms by the first digit: CONTRIBUTING), or
an entry point of the group ``fedcheck.rules``, with a constant ``RULE``. Its examples are its
tests: every ``bad`` example yields a finding of this rule, every ``good`` one yields none. The
pages in ``docs/rules`` are made from its texts.

``check`` is called with each file whose text holds one of the ``triggers`` (all files with
``--exhaustive``), already parsed, as a ``FileView`` (see ``lint/view.py``). It yields ``Hit``
objects on ``ast`` nodes; the engine turns them into findings with exact spans. What it asks of the
file is answered by ``view.value(node)``: an abstract value (``lint/inference/values/values.py``)
that follows imports, helpers, closures, aliases and constants through the extension, lazily.

A trigger is the name of an attribute or keyword that must stand in each file in which the rule can
have a finding, however it is spelt, unless the object behind the attribute was handed on by another
file (``Project.hands_on`` sees to that, but for rules that mark only what is ``named_here``);
leave ``triggers`` empty if no text is certain. A rule about attributes adds ``COMPUTED_NAME``; one
that marks nothing but attributes of certain names has them as ``attributes`` instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from ..reports.lint.findings import ChainStep, Fix, RuleText, Severity

if TYPE_CHECKING:
    from .view import FileView, ProjectView


CODE = re.compile(r"[A-Z]{2,10}[0-9]{3,4}")
"""How the code of a rule is written."""
CODE_IN_WORDS = "2 to 10 capitals and 3 or 4 digits, such as ACME101"
COMPUTED_NAME = "(a computed name)"
"""Trigger of files that call getattr and the like with a name that is no plain literal."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A breach as a rule sees it.

    Attributes:
        node: what is marked.
        message: a first line of at most 100 characters that says what happens; behind a line
            break why, and one replacement. The chain is not told again.
        severity: if it differs from the rule's.
        chain: from the handler to the breach.
        fix: if there is one.
        cause: what hits of one file have in common that have one cause, so that reports tell them
            once; empty if each is its own.
    """

    node: ast.AST
    message: str
    severity: Severity | None = None
    chain: tuple[ChainStep, ...] = ()
    fix: Fix | None = None
    cause: str = ""


class ManifestHit(msgspec.Struct, frozen=True, kw_only=True):
    """A breach outside Python code: in ``imperal.json``.

    Attributes:
        needle: the text in the file that is marked; the file's first line if it is not found.
    """

    needle: str
    message: str
    severity: Severity | None = None


class Example(msgspec.Struct, frozen=True):
    """A small extension. Code that imports nothing of the SDK gets ``PREAMBLE`` first.

    Attributes:
        code: of ``main.py``.
        files: further files, name → text.
        severity: of the finding, if it is not the rule's.
        sdk: the target version; empty for the newest.
        holds: text that must stand in what is told of the finding, its chain included.
    """

    code: str
    files: Mapping[str, str] = {}
    severity: Severity | None = None
    sdk: str = ""
    holds: str = ""


PREAMBLE = """\
from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel

ext = Extension("notes", display_name="Notes", icon="note.svg", \
description="Keeps the notes of the user and finds them again")
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@ext.cache_model("count")
class Count(BaseModel):
    total: int


"""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of the linter.

    Attributes:
        code: ``FED101``; families by hundreds: 1 API, 2 skeleton, 3 cache, 4 ActionResult,
            5 extension.
        name: the rule in words with hyphens.
        summary: one sentence.
        invariant: id of the federal invariant that it serves; may be empty.
        severity: the highest that it reports.
        since: first SDK version for which it holds; empty for all.
        removed: first SDK version for which it no longer holds.
        triggers: texts of which one stands in each file with a finding.
        named_here: whether only what is written with a trigger is marked, so that what other
            files hand on can have no finding.
        attributes: names of attributes of which one is marked; each file with a finding holds
            one, or computes names.
        screen: tells from a file's bytes whether it can hold a finding; a cheap, necessary
            condition beyond the triggers.
        check: yields the hits of one file.
        check_project: yields the hits in the manifest of one extension.
        what, why, example, instead, safety: the page, in Markdown; code blocks without fences
            for ``example`` and ``instead``.
        references: documents and sections.
        bad, good: the tests.
        default: whether it is on when nothing is selected.
    """

    code: str
    name: str
    summary: str
    severity: Severity
    what: str
    why: str
    example: str
    instead: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    references: tuple[str, ...]
    screen: Callable[[bytes], bool] | None = None
    check: Callable[[FileView], Iterable[Hit]] | None = None
    check_project: Callable[[ProjectView], Iterable[ManifestHit]] | None = None
    invariant: str = ""
    since: str = ""
    removed: str = ""
    triggers: tuple[str, ...] = ()
    named_here: bool = False
    attributes: tuple[str, ...] = ()
    safety: str = "There is no automatic fix."
    default: bool = True

    def text(self) -> RuleText:
        """Return what reports say of the rule."""
        return RuleText(
            code=self.code,
            name=self.name,
            summary=self.summary,
            severity=self.severity,
            invariant=self.invariant,
            markdown=self.markdown(),
        )

    def markdown(self) -> str:
        """Return the rule's page."""
        facts = [f"Severity: {self.severity}"]
        if self.invariant:
            facts.append(f"Invariant: {self.invariant}")
        if self.since or self.removed:
            facts.append(f"SDK: from {self.since or 'the first'} to {self.removed or 'the newest'}")
        parts = [
            f"# {self.name} ({self.code})",
            self.summary,
            " · ".join(facts),
            f"## What it does\n\n{self.what.strip()}",
            f"## Why is this bad?\n\n{self.why.strip()}",
            f"## Example\n\n```python\n{self.example.strip()}\n```",
            f"## Use instead\n\n```python\n{self.instead.strip()}\n```",
            f"## Fix safety\n\n{self.safety.strip()}",
            "## References\n\n" + "\n".join(f"- {line}" for line in self.references),
        ]
        return "\n\n".join(parts) + "\n"
