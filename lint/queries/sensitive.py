"""Texts that are credentials or personal data by their look."""

from __future__ import annotations

import re

_CREDENTIALS = (
    ("an AWS access key", re.compile(r"\bAKIA[0-9A-Z]{16}\b")),
    ("a GitHub token", re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,}\b")),
    (
        "an API key",
        re.compile(
            r"\bsk-(?:proj-|ant-|live-)?[A-Za-z0-9]{20,}|\b[rs]k_live_[A-Za-z0-9]{16,}|\bAIza[0-9A-Za-z_-]{35}\b"
        ),
    ),
    ("a Slack token", re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}")),
    (
        "a private key",
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)*(?:Proc-Type|[A-Za-z0-9+/=]{16})"
        ),
    ),
    ("a signed token", re.compile(r"\beyJ[\w-]{10,999}\.eyJ[\w-]{10,999}\.[\w-]{10}")),
    ("a password in a URL", re.compile(r"://[^/\s:@]+:[^/\s:@{}<>$]{3,}@")),
)
_EXAMPLE = re.compile(r"(?i)example|x{6}|placeholder|your|user|pass(?:wor)?d?@|secret@|:pw@|\*\*\*")
_SECRET_KEY = re.compile(
    r"(?i)(?:^|_)(?:password|passwd|secret|client_secret|api_?key|access_token|refresh_token|private_key|auth_token)$"
)
_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|redacted|hidden|masked|changeme|your|dummy|sample|test|[*•…<>{}\s]|\.\.\.|xxx|^\w{0,7}$"
    r"|^(?:not[_-])?(?:required|optional|missing|configured|provided|expired|revoked|invalid|"
    r"disabled|enabled|updated|changed|accepted|rejected|verified|incorrect|forgotten)$"
)
_EMAIL = re.compile(r"\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[A-Za-z]{2,20})\b")
_ROLES = re.compile(
    r"info|support|hello|help|contact|sales|admin|office|team|no-?reply|donotreply|billing|privacy"
    r"|security|abuse|postmaster|webmaster|press|jobs|feedback|legal|hr|user|you|me|name|email"
    r"|someone|git",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(?i)(?:^|\.)(?:example\.\w+|test|invalid|localhost|domain\.\w+|email\.\w+|x\.com|b\.com|y\.com)$"
)
_FILE = re.compile(
    r"(?i)\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico|css|scss|less|js|mjs|cjs|jsx|tsx?|json|xml"
    r"|ya?ml|toml|ini|html?|txt|csv|tsv|pdf|docx?|xlsx?|pptx?|wav|ogg|webm|mkv|avi|woff|ttf|otf|eot"
    r"|gz|tar|tgz|whl|exe|dll|sql|log|bak|tmp)$"
    r"|^v?\d+\.\d+\."
)
"""Ends of file names that are no top-level domains, and versions: ``logo@2x.png``, ``a@1.2.b``."""
_LOGIN = re.compile(r"://[^\s/@]{1,200}@")
_PHONE = re.compile(r"(?<![\w+])\+\d{1,3}[ (-]?\d[\d ()-]{6,}\d(?!\w)")


def credential_in(text: str) -> str:
    """Return in words what credential a text holds; empty if none."""
    for words, pattern in _CREDENTIALS:
        found = pattern.search(text)
        if found and not _EXAMPLE.search(found[0]):
            return words
    return ""


def is_secret_entry(key: str, text: str) -> bool:
    """Tell whether a key names a secret and the text beside it looks like one."""
    return (
        bool(_SECRET_KEY.search(key))
        and not _PLACEHOLDER.search(text)
        and _letters(key) != _letters(text)
    )


def _letters(text: str) -> str:
    """Return a text without what tells a label from its key: ``API key`` and ``api_key``."""
    return re.sub(r"[\W_]", "", text).lower()


def personal_data_in(text: str) -> str:
    """Return in words what personal data a text holds; empty if none."""
    for found in _EMAIL.finditer(_LOGIN.sub("://", text)):
        is_address = not _FILE.search(found[2])
        if is_address and not _ROLES.fullmatch(found[1]) and not _NOBODY.search(found[2]):
            return "an e-mail address"
    digits = [
        found[0]
        for found in _PHONE.finditer(text)
        if "555" not in found[0] and "000" not in found[0]
    ]
    return "a phone number" if digits else ""
