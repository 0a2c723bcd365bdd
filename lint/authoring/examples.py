"""Tries a rule on its own examples, for the tests of ours and of other people's rules."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from ...reports.lint.findings import Finding
from ...reports.lint.shared import with_chain
from ..engine.engine import Target, check
from ..engine.fixes.fixing import Fixer
from ..engine.ignores.meta_rules import every_rule
from ..engine.run import Linter
from ..rule import PREAMBLE, Example, Rule
from ..sdk.targets import newest
from ..settings.model import Settings


def problems(rule: Rule) -> list[str]:
    """Return what is wrong with a rule's examples; nothing if they all hold.

    Each bad example has a finding of the rule, with the severity and the words that it names, and
    what is fixed has nothing left to fix; no good one has a finding. The rule must be one of ours
    or installed.
    """
    found = [
        f"bad example {number}: {problem}\n{example.code}"
        for number, example in enumerate(rule.bad, start=1)
        for problem in _bad(rule, example)
    ]
    found += [
        f"good example {number}: it is reported: {finding.message}\n{example.code}"
        for number, example in enumerate(rule.good, start=1)
        for finding in _found(rule, example)
    ]
    if not rule.bad or not rule.good:
        found.append("a rule needs at least one bad and one good example")
    return found


def _bad(rule: Rule, example: Example) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = _written(example, Path(folder))
        findings = _check(rule, example, root)
        wanted = example.severity or rule.severity
        if not findings:
            yield "it is not reported"
        elif not any(
            f.severity == wanted and example.holds in " ".join(with_chain(f).split())
            for f in findings
        ):
            got = "; ".join(f"{finding.severity}: {finding.message}" for finding in findings)
            yield f"expected {wanted} with {example.holds!r}, got {got}"
        yield from _left_to_fix(rule, example, root)


def _left_to_fix(rule: Rule, example: Example, root: Path) -> Iterator[str]:
    on = frozenset({rule.code})
    linter = Linter([root], Settings(), every_rule(), on, wanted=example.sdk or newest())
    once = Fixer(linter).fix(linter.lint())
    for finding in once.outcome.findings:
        if finding.fix is not None and finding.fix.safety == "safe":
            yield f"after the fix it could be fixed again: {finding.message}"


def _found(rule: Rule, example: Example) -> tuple[Finding, ...]:
    with tempfile.TemporaryDirectory() as folder:
        return _check(rule, example, _written(example, Path(folder)))


def _check(rule: Rule, example: Example, root: Path) -> tuple[Finding, ...]:
    result = check([root], Target(sdk=example.sdk or newest()), codes=frozenset({rule.code}))
    return result.findings


def _written(example: Example, folder: Path) -> Path:
    root = folder / "extension"
    code = example.code if "from imperal_sdk" in example.code else PREAMBLE + example.code
    for name, text in {"main.py": code, **example.files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8", newline="")
    return root
