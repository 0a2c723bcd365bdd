"""From hits to findings: spans, fingerprints that survive other lines, certain fixes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar, cast

import msgspec

from ...reports.lint.findings import Finding, Fix, Span
from ..files.source import SourceFile
from ..inference.syntax.module import Module
from ..rule import Hit, ManifestHit, Rule
from ..sdk_use.sdk_objects import is_small
from ..view import span_of

AnyHit = TypeVar("AnyHit", Hit, ManifestHit)

HEADLINE = 100
"""Characters of the first line of a finding."""


def checked(hit: object, kind: type[AnyHit]) -> AnyHit:
    """Return what a rule yielded, if it is a hit: a plug-in may yield anything.

    Raises:
        TypeError: It is none, or one of its fields is wrong.
    """
    if not isinstance(hit, kind):
        raise TypeError(f"it yielded {type(hit).__name__}, expected {kind.__name__}")
    try:
        return msgspec.convert(_fields(hit), kind)
    except msgspec.ValidationError as error:
        raise TypeError(f"a field of its hit is wrong: {error}") from error


def _fields(value: object) -> object:
    """Return a value with its fields as plain data, whose types can be checked."""
    if isinstance(value, msgspec.Struct):
        return {name: _fields(item) for name, item in msgspec.structs.asdict(value).items()}
    if isinstance(value, (list, tuple)):
        return [_fields(item) for item in cast("Iterable[object]", value)]
    return value


def numbered(module: Module, hits: list[tuple[Rule, Hit]], sdk: str) -> Iterator[Finding]:
    """Turn hits into findings with spans and fingerprints; equal ones get numbers.

    Args:
        module: where they are.
        hits: of each rule.
        sdk: the release of the SDK by which they were judged.
    """
    seen: dict[str, int] = {}
    nodes = [hit.node for _, hit in hits]
    spans = {node: span_of(module, node) for node in set(nodes)}
    crowd = _Crowd(module, nodes)
    reported: set[tuple[str, Span, str]] = set()
    for rule, hit in hits:
        span = spans[hit.node]
        if (rule.code, span, hit.message) in reported:
            continue
        reported.add((rule.code, span, hit.message))
        base = "\0".join((rule.code, module.qualified_name(hit.node), _normalised(hit.node)))
        ordinal = seen[base] = seen.get(base, 0) + 1
        digest = _digest(f"{base}\0{ordinal}")
        yield Finding(
            path=module.source.name,
            span=span,
            code=rule.code,
            rule=rule.name,
            severity=hit.severity or rule.severity,
            message=headline(hit.message),
            advice=_below(hit.message),
            invariant=rule.invariant,
            chain=hit.chain,
            fix=_certain_fix(module, hit, crowd),
            fingerprint=digest,
            sdk=sdk,
            cause=hit.cause,
        )


def headline(message: str) -> str:
    """Return the first line of what a rule says, cut to ``HEADLINE`` characters.

    What follows the last colon says what happens; it is kept, and the cut is before it.
    """
    first = message.partition("\n")[0]
    if len(first) <= HEADLINE:
        return first
    effect = first[first.rfind(": ") :] if ": " in first else ""
    if 0 < len(effect) <= HEADLINE // 2:
        kept = first[: HEADLINE - 1 - len(effect)]
        return f"{kept.rpartition(' ')[0] or kept}…{effect}"
    return f"{first[: HEADLINE - 1].rpartition(' ')[0] or first[: HEADLINE - 1]}…"


def _below(message: str) -> str:
    """Return what stands below the first line, with that line where it was cut."""
    first, _, rest = message.partition("\n")
    whole = "" if len(first) <= HEADLINE else first
    return "\n".join(part for part in (whole, rest) if part)


class _Crowd:
    """The number of hits at and below each node."""

    def __init__(self, module: Module, nodes: list[ast.AST]) -> None:
        self.at = Counter(map(id, nodes))
        self.within = Counter(id(up) for node in nodes for up in (node, *module.ancestors(node)))


def _certain_fix(module: Module, hit: Hit, crowd: _Crowd) -> Fix | None:
    """Return the fix of a hit; safe only if the same call has no other hit."""
    if hit.fix is None or hit.fix.safety == "unsafe":
        return hit.fix
    call = next(
        (up for up in (hit.node, *module.ancestors(hit.node)) if isinstance(up, ast.Call)), hit.node
    )
    here = crowd.at[id(hit.node)]
    if here > 1 or crowd.within[id(call)] > here:
        return Fix(title=hit.fix.title, safety="unsafe", edits=hit.fix.edits)
    return hit.fix


def _normalised(node: ast.AST) -> str:
    """Return a node's source without layout and comments, equal in all versions of Python.

    ``ast.unparse`` quotes f-strings otherwise since 3.12, so baselines would not survive a change.
    """
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if not is_small(node, 5_000):
        return type(node).__name__
    said: list[str] = []
    todo: list[object] = [node]
    while todo:
        item = todo.pop()
        if isinstance(item, ast.AST):
            said.append(type(item).__name__)
            todo.append(")")
            for name, value in reversed(list(ast.iter_fields(item))):
                if name not in _UNSAID and value is not None and value != []:
                    todo += _inner(value)
                    todo.append(f"({name}=")
        else:
            said.append(str(item))
    return "\0".join(said)


def _inner(value: object) -> list[object]:
    """Return what the field of a node holds, last first; plain values as text."""
    if isinstance(value, list):
        return list(reversed(cast("list[object]", value)))
    return [value if isinstance(value, ast.AST) else repr(value)]


_UNSAID = frozenset({"ctx", "kind", "type_comment"})
"""Fields of nodes that depend on the place, the spelling or the parser."""


def manifest_finding(source: SourceFile, rule: Rule, hit: ManifestHit, sdk: str) -> Finding:
    """Turn a breach in the manifest into a finding."""
    offset = max(source.text.find(hit.needle), 0)
    before = source.text[:offset]
    line = before.count("\n") + 1
    column = offset - (before.rfind("\n") + 1) + 1
    length = len(hit.needle) if source.text.startswith(hit.needle, offset) else 1
    return Finding(
        path=source.name,
        span=Span(line=line, column=column, end_line=line, end_column=column + length),
        code=rule.code,
        rule=rule.name,
        severity=hit.severity or rule.severity,
        message=headline(hit.message),
        advice=_below(hit.message),
        invariant=rule.invariant,
        fingerprint=_digest(f"{rule.code}\0{headline(hit.message)}"),
        sdk=sdk,
    )


def _digest(text: str) -> str:
    import hashlib  # it loads a large library, and most files have no finding

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
