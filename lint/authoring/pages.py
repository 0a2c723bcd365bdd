"""The pages of ``docs/rules``, made from what the rules say of themselves."""

from __future__ import annotations

from pathlib import Path

from ..engine.ignores.meta_rules import every_rule
from ..rule import Rule
from ..rules.retired import RENAMED, RETIRED, renamed, retired

INDEX = "README.md"

_FAMILIES = {
    "FED0": "Ignores and baselines",
    "FED1": "The SDK's API",
    "FED2": "The skeleton",
    "FED3": "The cache",
    "FED4": "Results",
    "FED5": "The extension",
}

_HEAD = """\
# Rules of `fedcheck lint`

These pages are made by `fedcheck rule docs docs/rules`; `fedcheck explain CODE` shows one.
*error*: proved for the target version of the SDK. *warning*: likely, or advisory. *info*: documents
and code disagree, the code never runs, or the SDK's validator only advises. The severity is the
highest that the rule reports.
"""


def find_rule(name: str) -> Rule | None:
    """Return the rule with a code or a name, old or new; ``None`` if there is none."""
    wanted = (name.upper(), name.lower(), RENAMED.get(name.lower(), name))
    return next((rule for rule in every_rule() if {rule.code, rule.name} & {*wanted, name}), None)


def pages() -> dict[str, str]:
    """Return file name → text of every page of our own rules."""
    from ..engine.ignores.meta_rules import META_RULES
    from ..rules import own_rules

    rules = (*META_RULES, *own_rules())
    return {INDEX: _index(rules), **{f"{rule.code}.md": rule.markdown() for rule in rules}}


def write_pages(folder: Path) -> None:
    """Write every page into a folder, and remove those of rules that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    written = pages()
    for old in folder.glob("FED*.md"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _index(rules: tuple[Rule, ...]) -> str:
    parts = [_HEAD.rstrip()]
    for family, title in _FAMILIES.items():
        own = [rule for rule in rules if rule.code.startswith(family)]
        if own:
            parts += [f"\n## {title}\n", "| rule | name | severity | what |", "|---|---|---|---|"]
            parts += [_row(rule) for rule in own]
    parts += ["\n## Retired\n", *(f"- {retired(code)}." for code in RETIRED)]
    parts += ["\n## Renamed\n", "An old name is still taken wherever a name is.\n"]
    parts += [f"- {renamed(name)}." for name in RENAMED]
    return "\n".join(parts) + "\n"


def _row(rule: Rule) -> str:
    off = "" if rule.default else " (off by default)"
    return (
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity}{off} "
        f"| {rule.summary.replace('|', chr(92) + '|')} |"
    )
