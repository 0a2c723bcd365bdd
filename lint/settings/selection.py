"""Which rules are on: codes, names, families and globs of the command line and the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.near_names import closest
from ..rule import Rule
from ..rules.retired import RENAMED, retired

ALL = "ALL"


def matching(pattern: str, rules: Iterable[Rule], origin: str) -> frozenset[str]:
    """Return the codes that a pattern names.

    Args:
        pattern: a code, a name, the beginning of codes (``FED2``), a glob, or ``ALL``.
        rules: those that there are.
        origin: where the pattern stands, for the message.

    Raises:
        UsageError: it names no rule; the message gives the closest one.
    """
    known = list(rules)
    found = _found(pattern, known) or _found(RENAMED.get(pattern, pattern), known)
    gone = "" if found else retired(pattern)
    if gone:
        raise UsageError(f"{origin}: {gone}; leave it out")
    if not found:
        near = _nearest(pattern, known)
        hint = f"; did you mean {near}?" if near else "; `fedcheck rule list` shows all"
        raise UsageError(f"{origin}: there is no lint rule {pattern!r}{hint}")
    return found


def _found(pattern: str, rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(rule.code for rule in rules if _names(pattern, rule))


def _nearest(pattern: str, rules: Sequence[Rule]) -> str:
    """Return the code, beginning of codes or name that may be meant; empty if none is near."""
    upper = pattern.upper()
    if any(_names(upper, rule) for rule in rules):
        return upper
    if any(len(pattern) < len(rule.code) and pattern[:2] == rule.code[:2] for rule in rules):
        return ""  # the beginning of codes, of which there are none: any would be a guess
    return closest(pattern, [x for rule in rules for x in (rule.code, rule.name)])


def selected(
    rules: Sequence[Rule],
    *,
    select: Sequence[str],
    extend: Sequence[str],
    ignore: Sequence[str],
    origin: str,
    base: frozenset[str] | None = None,
) -> frozenset[str]:
    """Return the codes of the rules that are on.

    Args:
        rules: all of them.
        select: what to run instead of ``base``; empty for that.
        extend: what to run besides.
        ignore: what to leave out of both.
        origin: where the patterns stand, for messages: a file and ``: lint``, or other words.
        base: codes to begin with; by default those of the default rules.

    Raises:
        UsageError: a pattern names no rule.
    """
    on = {rule.code for rule in rules if rule.default} if base is None else set(base)
    if select:
        place = _place(origin, "select")
        on = set[str]().union(*(matching(pattern, rules, place) for pattern in select))
    for pattern in extend:
        on |= matching(pattern, rules, _place(origin, "extend-select"))
    for pattern in ignore:
        on -= matching(pattern, rules, _place(origin, "ignore"))
    return frozenset(on)


def _place(origin: str, key: str) -> str:
    """Return where a pattern stands: a key of the settings, or an option."""
    return f"{origin}.{key}" if origin.endswith(": lint") else f"--{key} of {origin}"


def _names(pattern: str, rule: Rule) -> bool:
    if pattern in {ALL, rule.code, rule.name}:
        return True
    if any(character in pattern for character in "*?["):
        return fnmatchcase(rule.code, pattern) or fnmatchcase(rule.name, pattern)
    return len(pattern) > 1 and pattern.isupper() and rule.code.startswith(pattern)
