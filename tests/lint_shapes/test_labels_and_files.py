"""Texts that look like secrets or addresses: labels of fields, names of files."""

from __future__ import annotations

import pytest

from fedcheck.lint.queries.sensitive import is_secret_entry, personal_data_in


@pytest.mark.parametrize(
    "text",
    [
        "logo@2x.png", "icons/logo@3x.WEBP", "style@1.2.min.css", "chart.js@4.min.js",
        "tool@1.2.beta", "notes@v2.0.next", "photo@home.jpeg", "see logo@2x.png and a@2x.svg",
    ],
)  # fmt: skip
def test_names_of_files_and_versions_are_no_addresses(text: str) -> None:
    """No top-level domain is called like a kind of file."""
    assert "" == personal_data_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "ada@lovelace.engine", "li.wei@163.com", "ada@3m.com", "ada@lovelace.md", "ada@2x.io",
        "ada@png.engine", "ada@analytical.rs", "logo@2x.png, ada@lovelace.engine", "ada@1und1.de",
    ],
)  # fmt: skip
def test_addresses_with_digits_and_short_names_are_found(text: str) -> None:
    """A domain may begin with a digit, and a country may be called like a kind of file."""
    assert "an e-mail address" == personal_data_in(text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("password", "Password"), ("api_key", "API key"), ("api_key", "API-Key"),
        ("client_secret", "Client secret:"), ("access_token", "ACCESS_TOKEN"),
    ],
)  # fmt: skip
def test_a_label_of_a_field_is_no_secret(key: str, text: str) -> None:
    """A table of labels says what the fields are called."""
    assert not is_secret_entry(key, text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("password", "Passw0rd1"), ("password", "hunter2hunter2"), ("api_key", "apikey-of-ada"),
        ("client_secret", "clientsecret9"), ("db_password", "password"),
    ],
)  # fmt: skip
def test_a_secret_that_resembles_its_key_is_one(key: str, text: str) -> None:
    """Only the words of the key itself are a label."""
    assert is_secret_entry(key, text)
