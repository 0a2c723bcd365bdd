"""What ``fedcheck lsp`` offers to do about findings: fixes, and ignores with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls.workspace import TextDocument

from ...reports.lint.findings import Edit, Finding, Span
from ...reports.lint.shared import split_lines
from ..engine.fixes.adding_ignores import comment_edit, comment_lines
from ..engine.fixes.fixing import Change, Fixer
from ..engine.ignores.directives import directives
from ..engine.ignores.meta_rules import META_RULES
from ..engine.run import Outcome
from ..files.source import SourceFile
from .session import BOM, Server, encoded, extension_of, linter_of, path_of

PLACEHOLDER = "TODO: why"
"""What an inserted ignore says until somebody writes the reason; it counts as none."""

FIX_ALL = "source.fixAll.fedcheck"
_QUICK_FIX = types.CodeActionKind.QuickFix.value


def actions_for(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return what may be done about what is found in a range of a document."""
    document = server.workspace.get_text_document(params.text_document.uri)
    wanted = _wanted(params.context.only)
    actions = _quick_fixes(server, document, params.range) if _QUICK_FIX in wanted else []
    return actions + (_fix_all(server, document) if FIX_ALL in wanted else [])


def _quick_fixes(
    server: Server, document: TextDocument, place: types.Range
) -> list[types.CodeAction]:
    found = server.findings_at(document.uri, place)
    fixes = [_fix(server, document, finding) for finding in found if finding.fix is not None]
    meta = {rule.code for rule in META_RULES}
    hidden = {(it.code, it.span.line): it for it in found if it.code not in meta}
    return fixes + [_ignore(server, document, finding) for finding in hidden.values()]


def _wanted(kinds: Sequence[types.CodeActionKind | str] | None) -> set[str]:
    """Return those of our kinds that a client wants: it names them, or kinds above them."""
    if not kinds:
        return {_QUICK_FIX}
    names = [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in kinds]
    ours = (_QUICK_FIX, FIX_ALL)
    return {own for own in ours for name in names if not name or f"{own}.".startswith(f"{name}.")}


def _fix(server: Server, document: TextDocument, finding: Finding) -> types.CodeAction:
    assert finding.fix is not None  # noqa: S101  the caller has looked
    safe = finding.fix.safety == "safe"
    return types.CodeAction(
        title=f"{finding.code}: {finding.fix.title}{'' if safe else ' (look at it)'}",
        kind=types.CodeActionKind.QuickFix,
        is_preferred=safe,
        edit=server.edit(document, finding.fix.edits),
    )


def _ignore(server: Server, document: TextDocument, finding: Finding) -> types.CodeAction:
    text = document.source
    line = comment_lines(text).get(finding.span.line, finding.span.line)
    present = next(
        (d for d in directives(text) if d.span.line == line and not d.whole_file and not d.problem),
        None,
    )
    line_text = split_lines(text)[line - 1]
    edit = comment_edit(line_text, line, [finding.code], PLACEHOLDER, present)
    return types.CodeAction(
        title=f"{finding.code}: Ignore here; write the reason behind it",
        kind=types.CodeActionKind.QuickFix,
        edit=server.edit(document, [edit]),
    )


def _fix_all(server: Server, document: TextDocument) -> list[types.CodeAction]:
    path = path_of(document.uri)
    if path is None:
        return []
    try:
        change = _all_fixed(server, path)
    except Exception as error:  # noqa: BLE001  an editor asks on each save; its log is the place
        server.tell(error)
        return []
    if change is None:
        return []
    lines = split_lines(document.source)
    whole = Span(line=1, column=1, end_line=len(lines), end_column=len(lines[-1]) + 1)
    mark = BOM if document.source.startswith(BOM) else ""
    new = mark + SourceFile(path, str(path), change.after).text
    edit = server.edit(document, [Edit(span=whole, replacement=new)])
    return [types.CodeAction(title="fedcheck: Make all safe fixes", kind=FIX_ALL, edit=edit)]


def _all_fixed(server: Server, path: Path) -> Change | None:
    texts = {
        file: other.source for file, other in server.open_documents(extension_of(path)).items()
    }
    known = server.known.get(extension_of(path))
    if known is not None and known.texts == texts and not _any_safe_fix(known.outcome, path):
        return None  # asked on each save: an editor does not wait for long
    overlay = {file: encoded(text) for file, text in texts.items()}
    linter = linter_of(path, texts)
    return Fixer(linter).fix(linter.lint(overlay), overlay).changes.get(path.as_posix())


def _any_safe_fix(outcome: Outcome, path: Path) -> bool:
    return any(
        it.fix is not None and it.fix.safety == "safe" and Path(it.path).absolute() == path
        for it in outcome.findings
    )
