"""A small engine with toy rules, so that what is around the engine is tested by itself.

- FED901 ``bad(...)``, error; the fix, ``good(...)``, is called safe, also where it is not.
- FED902 ``good()`` without arguments, warning; no fix.
- FED903 ``ugly(...)``, warning; the fix, ``nice(...)``, is unsafe.
- FED904 ``broken(...)``, error; the fix does not parse.
- FED905 ``stubborn(...)``, info; the fix leaves the finding in place.
- FED906 ``gone(...)``, error; the fix removes its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fedcheck.lint.engine.engine import CheckResult, Target
from fedcheck.lint.engine.extension_run import IGNORE_MARK
from fedcheck.lint.files.discovery import Tree
from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.rule import Rule
from fedcheck.reports.lint.findings import ChainStep, Edit, Finding, Fix, Safety, Severity, Span

_TABLE: dict[str, tuple[str, str, Severity, Safety | None, str]] = {
    "bad": ("FED901", "no-bad", "error", "safe", "good"),
    "ugly": ("FED903", "no-ugly", "warning", "unsafe", "nice"),
    "broken": ("FED904", "no-broken", "error", "safe", "((("),
    "stubborn": ("FED905", "no-stubborn", "info", "safe", "stubborn"),
    "gone": ("FED906", "no-gone", "error", "safe", ""),
    "good": ("FED902", "no-empty-good", "warning", None, ""),
}


def _rule(code: str, name: str, severity: Severity) -> Rule:
    return Rule(
        code=code,
        name=name,
        summary=f"Toy rule {name}.",
        severity=severity,
        invariant="I-TOY",
        what="Finds a toy.",
        why="Toys break.",
        example="bad(1)",
        instead="good(1)",
        references=("none",),
        bad=(),
        good=(),
        default=code != "FED905",
    )


TOY_RULES = tuple(
    sorted(
        (_rule(code, name, severity) for code, name, severity, _, _ in _TABLE.values()),
        key=lambda rule: rule.code,
    )
)


def check(
    root_paths: Sequence[Path],
    target: Target,
    *,
    codes: frozenset[str] | None = None,
    overlay: Mapping[Path, bytes] | None = None,
    recall: object = None,  # noqa: ARG001 - nothing of toys is remembered
    processes: int = 1,  # noqa: ARG001 - toys are quick
    trees: object = None,  # noqa: ARG001 - nor are they parsed twice
) -> CheckResult:
    """Lint as the real engine does, by the toy rules."""
    assert target.sdk_of is not None
    assert target.sdk_of(root_paths[0])
    tree = Tree(root_paths, overlay or {})
    findings: list[Finding] = []
    notes = list(tree.notes)
    for source in tree.sources.values():
        try:
            found = list(_findings(source))
        except (SyntaxError, ValueError) as error:
            notes.append(f"{source.name}: {error}")
            continue
        findings += [finding for finding in found if codes is None or finding.code in codes]
    findings.sort(key=lambda f: (f.path, f.span.line, f.span.column, f.code))
    named = {finding.path for finding in findings}
    sources = {
        source.name: source
        for source in tree.sources.values()
        if source.name in named or IGNORE_MARK in source.data
    }
    return CheckResult(
        tuple(findings), tuple(notes), frozenset(x.name for x in tree.sources.values()), sources
    )


def _findings(source: SourceFile) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for node in ast.walk(ast.parse(source.data)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        if name not in _TABLE or (name == "good" and (node.args or node.keywords)):
            continue
        code, rule, severity, safety, replacement = _TABLE[name]
        text = ast.unparse(node)
        seen[text] = seen.get(text, 0) + 1
        span = _span(source, node)
        yield Finding(
            path=source.name,
            span=span,
            code=code,
            rule=rule,
            severity=severity,
            message=f"{name} is a toy; write {replacement or 'an argument'}",
            invariant="I-TOY",
            chain=(ChainStep(path=source.name, span=span, note=f"calls {name}"),),
            fix=_fix(_fixed(source, node), safety, replacement) if safety else None,
            fingerprint=f"{code}:{text}:{seen[text]}",
        )


def _fixed(source: SourceFile, node: ast.Call) -> Span:
    if node.func.id == "gone":
        return Span(line=node.lineno, column=1, end_line=node.lineno + 1, end_column=1)
    return _span(source, node.func)


def _fix(span: Span, safety: Safety, replacement: str) -> Fix:
    edit = Edit(span=span, replacement=replacement)
    return Fix(title=f"Write {replacement}", safety=safety, edits=(edit,))


def _span(source: SourceFile, node: Any) -> Span:
    return Span(
        line=node.lineno,
        column=source.column(node.lineno, node.col_offset),
        end_line=node.end_lineno,
        end_column=source.column(node.end_lineno, node.end_col_offset),
    )
