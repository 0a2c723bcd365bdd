"""Rules that are gone or have another name. Codes and names are never given to another rule."""

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

RENAMED = {
    "skeleton-back-door": "skeleton-private-access",
    "method-as-attribute": "method-not-called",
    "sdk-call-signature": "wrong-sdk-call-arguments",
    "await-mismatch": "missing-await",
    "constructor-signature": "wrong-constructor-arguments",
    "skeleton-too-large": "skeleton-response-too-large",
    "skeleton-alert-unpaired": "skeleton-alert-without-tool",
    "skeleton-section-repeated": "duplicate-skeleton-section",
    "cache-key": "invalid-cache-key",
    "cache-ttl": "invalid-cache-ttl",
    "data-plain-text": "result-data-is-scalar",
    "data-not-json": "result-data-not-json",
    "data-too-large": "result-data-too-large",
    "call-time-sibling-import": "import-inside-function",
    "http-timeout": "invalid-http-timeout",
    "error-code-shape": "invalid-error-code",
    "tool-name-length": "tool-name-too-long",
    "panel-slot": "invalid-panel-slot",
    "background-result": "wrong-background-task-result",
    "webhook-status": "webhook-status-ignored",
    "extension-declaration": "invalid-extension-declaration",
    "extension-icon": "missing-or-invalid-icon",
    "function-declaration": "invalid-function-declaration",
    "user-secret-of-nobody": "user-secret-without-user",
    "health-check-of-nobody": "user-data-in-health-check",
    "refused-declaration": "declaration-refused-by-sdk",
    "sent-value-not-json": "request-body-not-json",
}
"""Old name → new name. The old ones are taken wherever a name is, with a remark."""


def renamed(name: str) -> str:
    """Return the remark about an old name of a rule; empty if it is none."""
    return f"{name} is called {RENAMED[name]} since {_SINCE}" if name in RENAMED else ""


def retired(name: str) -> str:
    """Return what to say of a rule that is gone; empty if no rule was ever called so.

    Args:
        name: a code or a name.
    """
    rule = next((rule for rule in RETIRED.items() if name in rule), None)
    return f"{rule[0]} ({rule[1]}) was retired in {_SINCE}" if rule else ""
