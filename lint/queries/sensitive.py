"""Texts that are credentials or personal data by their look."""

from __future__ import annotations

import re

# The patterns are texts, which `re` compiles when they are first asked for: few runs ask for all.
_CREDENTIALS = (
    ("an AWS access key", r"\bA[KS]IA[0-9A-Z]{16}\b"),
    ("a GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{22,}"),
    ("a GitLab token", r"\bglpat-[\w-]{20,}"),
    (
        "an API key",
        (
            r"\bsk-(?:proj-|ant-|live-)?[A-Za-z0-9]{20,}|\bsk-(?:proj|svcacct|ant-api\d\d)-[\w-]{24,}"
            r"|\b[rs]k_live_[A-Za-z0-9]{16,}|\bAIza[0-9A-Za-z_-]{35}\b|\bSG\.[\w-]{22}\.[\w-]{43}\b"
        ),
    ),
    ("a Slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-\w{6,}-\d{6,}-\w{16,}"),
    ("a Slack webhook", r"\bhooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}"),
    ("a Google secret", r"\bGOCSPX-[\w-]{28}\b|\bya29\.[\w-]{30,}"),
    ("a Stripe webhook secret", r"\bwhsec_[A-Za-z0-9+/]{24,}"),
    ("a Shopify token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    ("a Telegram bot token", r"\b\d{8,10}:AA[\w-]{33}(?![\w-])"),
    (
        "a package registry token",
        r"\bnpm_[A-Za-z0-9]{36}\b|\bpypi-AgEIcHlwaS5vcmc[\w-]{40,}",
    ),
    (
        "a private key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)*(?:Proc-Type|[A-Za-z0-9+/=]{16})",
    ),
    ("a signed token", r"\beyJ[\w-]{10,999}\.eyJ[\w-]{10,999}\.[\w-]{10}"),
)
_EXAMPLE = r"(?i)example|x{6}|placeholder|your|user|\*\*\*|0{10}"
_URL = r"\w://([^/\s:@]*):([^/\s:@{}<>$()]{3,})@([\w.-]*)"
_NO_PASSWORD = (
    r"[A-Z_]+|(?i:\w*pass(?:wor)?d?|pwd|secret|token|\w*key|admin|root|guest|postgres|foo|bar|"
    r"changeme|\W+|xx+)"
)
_NO_HOST = r"(?i)(?:^|\.)(?:example(?:\.\w+)?|test|invalid|localhost)$|^(?:host(?:name)?|127\..*)$"
_SECRET_KEY = (
    r"(?i)(?:^|_)(?:password|passwd|secret|client_secret|api_?key|access_token|refresh_token|"
    r"private_key|auth_token|secret_(?:access_)?key|session_token|bot_token)$"
)
_PLACEHOLDER = (
    r"(?i)example|placeholder|redacted|hidden|masked|changeme|your|dummy|sample|test|[*•…<>{}\s]|\.\.\.|xxx|^\w{0,7}$"
    r"|^(?:not[_-])?(?:required|optional|missing|configured|provided|expired|revoked|invalid|"
    r"disabled|enabled|updated|changed|accepted|rejected|verified|incorrect|forgotten)$"
)
_EMAIL = r"\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[A-Za-z]{2,20})\b"
_ROLES = (
    r"(?i)info|support|hello|help|contact|sales|admin|office|team|no-?reply|donotreply|billing|privacy"
    r"|security|abuse|postmaster|webmaster|press|jobs|feedback|legal|hr|user|you|me|name|email"
    r"|someone|git"
)
_NOBODY = (
    r"(?i)(?:^|\.)(?:example\.\w+|test|invalid|localhost|domain\.\w+|email\.\w+|x\.com|b\.com|"
    r"y\.com)$"
)
_FILE = (
    r"(?i)\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico|css|scss|less|js|mjs|cjs|jsx|tsx?|json|xml"
    r"|ya?ml|toml|ini|html?|txt|csv|tsv|pdf|docx?|xlsx?|pptx?|wav|ogg|webm|mkv|avi|woff|ttf|otf|eot"
    r"|gz|tar|tgz|whl|exe|dll|sql|log|bak|tmp)$"
    r"|^v?\d+\.\d+\."
)
"""Ends of file names that are no top-level domains, and versions: ``logo@2x.png``, ``a@1.2.b``."""
_LOGIN = r"://[^\s/@]{1,200}@"
_PHONE = r"(?<![\w+])\+\d{1,3}[ (-]?\d[\d ()-]{6,}\d(?!\w)"


def credential_in(text: str) -> str:
    """Return in words what credential a text holds; empty if none."""
    for words, pattern in _CREDENTIALS:
        found = re.search(pattern, text)
        if found and not re.search(_EXAMPLE, found[0]):
            return words
    is_told = any(map(_is_password, re.finditer(_URL, text)))
    return "a password in a URL" if is_told else ""


def _is_password(found: re.Match[str]) -> bool:
    """Tell whether a login in a URL is nobody's example: ``user:pass@``, ``@example.com``."""
    user, password, host = found.groups()
    return (
        user != password
        and not re.search(_EXAMPLE, f"{user}:{password}")
        and not re.fullmatch(_NO_PASSWORD, password)
        and not re.search(_NO_HOST, host)
    )


def is_secret_entry(key: str, text: str) -> bool:
    """Tell whether a key names a secret and the text beside it looks like one."""
    return (
        bool(re.search(_SECRET_KEY, key))
        and not re.search(_PLACEHOLDER, text)
        and _letters(key) != _letters(text)
    )


def _letters(text: str) -> str:
    """Return a text without what tells a label from its key: ``API key`` and ``api_key``."""
    return re.sub(r"[\W_]", "", text).lower()


def personal_data_in(text: str) -> str:
    """Return in words what personal data a text holds; empty if none."""
    for found in re.finditer(_EMAIL, re.sub(_LOGIN, "://", text)):
        is_address = not re.search(_FILE, found[2])
        if is_address and not re.fullmatch(_ROLES, found[1]) and not re.search(_NOBODY, found[2]):
            return "an e-mail address"
    digits = [
        found[0]
        for found in re.finditer(_PHONE, text)
        if "555" not in found[0] and "000" not in found[0]
    ]
    return "a phone number" if digits else ""
