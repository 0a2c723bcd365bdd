"""One module per rule, found by its file's name."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import get_args

from ...invariants.vocabulary.errors import CatalogError
from ...reports.lint.findings import Severity
from ..rule import CODE, CODE_IN_WORDS, Rule
from ..rule_plugins import GROUP, may_have_foreign_rules


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, ours and then installed ones, by code.

    Theirs are the last to look at a file: a slow one costs none of our findings.

    Raises:
        CatalogError: Two rules share a code or a name, or a plug-in is not a rule.
    """
    rules = {rule.code: rule for rule in own_rules()}
    for origin, rule in _foreign_rules():
        if rule.code in rules or any(rule.name == other.name for other in rules.values()):
            raise CatalogError(
                f"rule {rule.code} ({rule.name}) of {origin}: the code or the name is taken; "
                "give the rule another one"
            )
        rules[rule.code] = rule
    ours = own_rules()
    theirs = sorted(rules.keys() - {rule.code for rule in ours})
    return (*ours, *(rules[code] for code in theirs))


@cache
def own_rules() -> tuple[Rule, ...]:
    """Return the rules in the rooms of this folder, by code."""
    endings = (".py", ".pyc")  # pkgutil, which knows more, takes as long to load as ten rules
    found = (path for path in Path(__path__[0]).glob("*/fed*") if path.suffix in endings)
    names = sorted({(path.stem, path.parent.name) for path in found})
    return tuple(importlib.import_module(f".{room}.{name}", __name__).RULE for name, room in names)


def _foreign_rules() -> list[tuple[str, Rule]]:
    """Return (origin, rule) of each entry point."""
    if not may_have_foreign_rules():
        return []
    from importlib.metadata import entry_points

    found: list[tuple[str, Rule]] = []
    for point in entry_points(group=GROUP):
        origin = f"{point.value} ({point.dist.name if point.dist else 'unknown distribution'})"
        try:
            rule = point.load()
        except (Exception, SystemExit) as error:
            raise CatalogError(
                f"rule {origin}: it cannot be loaded: {type(error).__name__}: {error}; "
                "repair or uninstall it"
            ) from error
        if not isinstance(rule, Rule):
            raise CatalogError(f"rule {origin}: got {type(rule).__name__}, expected a Rule")
        if not CODE.fullmatch(rule.code):
            raise CatalogError(f"rule {origin}: its code is {rule.code!r}; write {CODE_IN_WORDS}")
        if rule.severity not in get_args(Severity):
            raise CatalogError(
                f"rule {origin}: its severity is {rule.severity!r}; "
                f"write one of {', '.join(get_args(Severity))}"
            )
        found.append((origin, rule))
    return found
