"""Rules about ignores and baselines, run by the command and not by the engine."""

from __future__ import annotations

from ....invariants.vocabulary.errors import CatalogError
from ...rule import Rule

_REFERENCES = ("docs/lint.md: Ignoring a finding",)

UNUSED_IGNORE = Rule(
    code="FED001",
    name="unused-ignore",
    summary="An ignore comment hides nothing.",
    severity="warning",
    what="Finds codes in `# fedcheck: ignore[…]` and `ignore-file[…]` that hide no finding of this "
    "run, also those of retired rules. Codes of rules that were not on are left alone.",
    why="The breach is gone, or the comment stands at the wrong line. Left behind, it will hide "
    "the next breach that somebody makes there.",
    example='label = "done"  # fedcheck: ignore[FED101] the old SDK has it',
    instead='label = "done"',
    safety="The fix removes the code, or the comment when no code is left. It is safe.",
    references=_REFERENCES,
    bad=(),
    good=(),
)

IGNORE_WITHOUT_REASON = Rule(
    code="FED002",
    name="ignore-without-reason",
    summary="An ignore comment gives no reason.",
    severity="warning",
    what="Finds ignore comments with nothing, or with `TODO`, behind the bracket. The finding that "
    "they hide stays hidden.",
    why="A reviewer, and an auditor a year later, cannot tell a decision from an oversight.",
    example="await ctx.notify.push(text)  # fedcheck: ignore[FED101]",
    instead="await ctx.notify.push(text)  # fedcheck: ignore[FED101] our kernel attaches push",
    references=_REFERENCES,
    bad=(),
    good=(),
)

MALFORMED_IGNORE = Rule(
    code="FED003",
    name="malformed-ignore",
    summary="An ignore comment names no rule, or one that does not exist.",
    severity="warning",
    what="Finds ignore comments without codes in brackets, with codes that no rule has, and "
    "misspelt ones. They hide nothing.",
    why="The author believes that a finding is dealt with, and it is not.",
    example="await ctx.notify.push(text)  # fedcheck: ignore",
    instead="await ctx.notify.push(text)  # fedcheck: ignore[FED101] our kernel attaches push",
    references=_REFERENCES,
    bad=(),
    good=(),
)

STALE_BASELINE = Rule(
    code="FED004",
    name="stale-baseline-entry",
    summary="An entry of the baseline matches no finding any more.",
    severity="error",
    what="Finds entries of the file given with `--baseline` whose finding is gone. Entries for "
    "files that were not linted, and for rules that were not on, are left alone.",
    why="The baseline is a list of debts. An entry for a paid one would hide the same breach when "
    "it comes back.",
    example="fedcheck lint --baseline lint-baseline.json",
    instead="fedcheck lint --baseline lint-baseline.json --update-baseline",
    safety="There is no automatic fix; `--update-baseline` drops stale entries.",
    references=("docs/lint.md: Starting with a baseline",),
    bad=(),
    good=(),
)

META_RULES = (UNUSED_IGNORE, IGNORE_WITHOUT_REASON, MALFORMED_IGNORE, STALE_BASELINE)


def every_rule() -> tuple[Rule, ...]:
    """Return all rules by code: these, ours and installed ones.

    Raises:
        CatalogError: two rules share a code or a name, or a plug-in is not a rule.
    """
    from ...rules import all_rules

    rules = all_rules()
    taken = {rule.code for rule in META_RULES} & {rule.code for rule in rules}
    if taken:
        raise CatalogError(f"{min(taken)} is one of our own rules; give the other one another code")
    return (*META_RULES, *rules)
