"""Texts that are credentials, and all that only looks like one."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from fedcheck.lint.queries.payment_numbers import payment_number_in
from fedcheck.lint.queries.sensitive import credential_in, is_secret_entry

DIGEST = hashlib.sha512(b"no credential").digest()
LETTERS = re.sub(r"\W", "", base64.b64encode(DIGEST).decode())
"""No credential stands in this file: each is put together when it is asked for."""
CAPITALS = LETTERS.upper()
HEX = DIGEST.hex()
SHAPES = {
    "AKIA" + CAPITALS[:16]: "an AWS access key",
    "ASIA" + CAPITALS[:16]: "an AWS access key",
    "ghp_" + LETTERS[:36]: "a GitHub token",
    "github_pat_" + LETTERS[:22] + "_" + LETTERS[:36]: "a GitHub token",
    "glpat-" + LETTERS[:20]: "a GitLab token",
    "sk-" + LETTERS[:40]: "an API key",
    "sk-proj-" + LETTERS[:9] + "-" + LETTERS[:30]: "an API key",
    "sk-ant-api03-" + LETTERS[:9] + "_" + LETTERS[:30]: "an API key",
    "sk_live_" + LETTERS[:24]: "an API key",
    "rk_live_" + LETTERS[:24]: "an API key",
    "AIza" + LETTERS[:35]: "an API key",
    "SG." + LETTERS[:22] + "." + LETTERS[:43]: "an API key",
    "xoxb-123456789012-" + LETTERS[:24]: "a Slack token",
    "xapp-1-A0123456-1234567890-" + HEX[:40]: "a Slack token",
    "https://hooks.slack.com/services/T01AB2CD3/B04EF5GH6/" + LETTERS[:24]: "a Slack webhook",
    "GOCSPX-" + LETTERS[:28]: "a Google secret",
    "ya29." + LETTERS[:50]: "a Google secret",
    "whsec_" + LETTERS[:32]: "a Stripe webhook secret",
    "shpat_" + HEX[:32]: "a Shopify token",
    "1234567890:AA" + LETTERS[:33]: "a Telegram bot token",
    "npm_" + LETTERS[:36]: "a package registry token",
    "-----BEGIN RSA PRIVATE KEY-----\n" + LETTERS[:40]: "a private key",
    "-----BEGIN PRIVATE KEY-----\\n" + LETTERS[:40]: "a private key",
    "eyJ" + LETTERS[:20] + ".eyJ" + LETTERS[:20] + "." + LETTERS[:20]: "a signed token",
    "https://admin:Zx81kLmQ@db.acme.io/x": "a password in a URL",
    "see postgres://svc:Zx81kLmQ@db:5432/app": "a password in a URL",
    "redis://:Zx81kLmQ@cache.acme.io:6379/0": "a password in a URL",
    "https://svc:Zx81%40kLmQ@users.acme.io": "a password in a URL",
}


@pytest.mark.parametrize("text", SHAPES)
def test_shapes_of_credentials(text: str) -> None:
    """Alone, and within a sentence."""
    assert SHAPES[text] == credential_in(text)
    assert SHAPES[text] == credential_in(f"Use {text} for it")


@pytest.mark.parametrize(
    "text",
    [
        "https://user:pass@host/x",
        "https://user:password@db.acme.io",
        "https://myuser:mypassword@db.acme.io",
        "https://login:secret@db.acme.io",
        "https://admin:admin@db.acme.io",
        "https://name:key@db.acme.io",
        "https://foo:bar@db.acme.io",
        "https://svc:****@db.acme.io",
        "https://svc:••••@db.acme.io",
        "https://svc:xxxx@db.acme.io",
        "https://bot:TOKEN@db.acme.io",
        "https://${USER}:${PASS}@db.acme.io",
        "https://{user}:{word}@db.acme.io",
        "https://<name>:<word>@db.acme.io",
        "redis://:%(word)s@db.acme.io",
        "https://svc:Zx81kLmQ@example.com/x",
        "https://svc:Zx81kLmQ@api.example.org",
        "https://svc:Zx81kLmQ@localhost:8080",
        "https://svc:Zx81kLmQ@127.0.0.1",
        "https://svc:Zx81kLmQ@hostname/x",
        "https://api.acme.io:8080/@me",
        "https://acme.io/@52.5:13.4",
        "git@github.com:acme/notes.git",
    ],
)
def test_logins_of_nobody(text: str) -> None:
    """Placeholders, masked words, example hosts, URLs without a login."""
    assert "" == credential_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "AKIA" + "0" * 16,
        "AKIAIOSFODNN7EXAMPLE",
        "AKIA" + "X" * 16,
        "ghp_" + "x" * 36,
        "ghp_…",
        "github_pat_your_token_goes_here_please",
        "glpat-" + "x" * 20,
        "sk-your-key",
        "sk-...",
        "sk_live_" + "x" * 24,
        "sk_live_••••••••",
        "sk_test_" + LETTERS[:24],
        "pk_live_" + LETTERS[:24],
        "xoxb-your-token-here",
        "xoxb-" + "0" * 12 + "-" + "0" * 12,
        "whsec_...",
        "1234567890:AABBBCCC_abc...",
        "https://hooks.slack.com/services/T000/B000/XXXX",
        "-----BEGIN PUBLIC KEY-----\n" + LETTERS[:40],
        "-----BEGIN PRIVATE KEY-----\n...",
        "It starts with -----BEGIN PRIVATE KEY-----",
        "eyJ...",
        "task-" + LETTERS[:30],
        "risk-assessment-of-the-whole-project",
        "npm_config_registry",
        HEX[:32],
        HEX[:40],
        "550e8400-e29b-41d4-a716-446655440000",
        "1.22.333-rc4",
        "1234567890",
    ],
)
def test_what_only_looks_like_a_credential(text: str) -> None:
    """Placeholders, masked values, test keys, hashes, ids and versions."""
    assert "" == credential_in(text)


@pytest.mark.parametrize("key", ["secret_access_key", "aws_secret_access_key", "bot_token"])
def test_keys_that_name_a_secret(key: str) -> None:
    """What stands beside them is one, if it does not say that it is none."""
    assert is_secret_entry(key, LETTERS[:40])
    assert not is_secret_entry(key, "not_configured")
    assert not is_secret_entry("token_kind", LETTERS[:40])


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("", "DE44500105175407324931", "the number of a bank account"),
        ("iban", "DE44500105175407324931", "the number of a bank account"),
        ("iban", "DE45500105175407324931", ""),
        ("iban", "DE89370400440532013000", ""),
        ("card_number", "4242424242424242", ""),
        ("card_number", "5555 5555 5555 4444", ""),
        ("card_number", "378282246310005", ""),
    ],
)
def test_numbers_without_groups_and_those_for_tests(key: str, text: str, expected: str) -> None:
    """An account needs no groups; what a provider publishes for tests is nobody's."""
    assert expected == payment_number_in(key, text)
