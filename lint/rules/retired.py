"""Rules that are gone. Their codes and names are never given to another rule."""

from __future__ import annotations

_SINCE = "fedcheck 0.2.0"
RETIRED = {
    "FED115": "plain-field-attribute",
    "FED116": "closed-object",
    "FED405": "sensitive-literal",
    "FED515": "repeated-name",
    "FED527": "lifecycle-signature",
    "FED533": "refused-argument",
    "FED534": "no-action-result",
    "FED535": "schedule-cron",
    "FED537": "lost-error",
    "FED538": "refused-ui-argument",
}
"""Code → name. No published extension ever had a finding of these."""


def retired(name: str) -> str:
    """Return what to say of a rule that is gone; empty if no rule was ever called so.

    Args:
        name: a code or a name.
    """
    rule = next((rule for rule in RETIRED.items() if name in rule), None)
    return f"{rule[0]} ({rule[1]}) was retired in {_SINCE}" if rule else ""
