"""Keys of the cache whose letters the code tests before it uses them."""

from __future__ import annotations

import pytest

from fedcheck.lint.inference.flow.text_tests import admits_safe_only


@pytest.mark.parametrize(
    ("pattern", "method", "admits"),
    [
        (r"[\w:-]+", "fullmatch", False),
        (r"[A-Za-z0-9_:\-]+", "fullmatch", True),
        (r"(?P<a>[a-z]+)(?:_\d)?", "fullmatch", False),
        (r"(?P<a>[a-z]+)(?:_[0-9])?", "fullmatch", True),
        (r"a|b", "fullmatch", True),
        (r"a|b$", "match", False),
        (r"(a|b)$", "match", True),
        (r"[a-z]+", "match", False),
        (r"[a-z]+\$", "match", False),
        (r"^[a-z]+$", "search", True),
        (r"[a-z]+$", "search", False),
        (r"(?!x)[a-z]+", "fullmatch", False),
        (r"[^ /]+", "fullmatch", False),
        (r"[a-zä]+", "fullmatch", False),
        (r"[a-z.]+", "fullmatch", False),
        (r"a\.b", "fullmatch", False),
        (r"\x41", "fullmatch", False),
        (r"[z-a]", "fullmatch", False),
    ],
)
def test_what_a_pattern_admits(pattern: str, method: str, admits: bool) -> None:
    """Each of its parts matches safe characters only, and both ends of the text are bound."""
    assert admits is admits_safe_only(pattern, method)


def test_ascii_narrows_the_classes() -> None:
    """With the flag re.ASCII no letter of another script is a word character."""
    assert admits_safe_only(r"[\w:-]+\d", "fullmatch", is_ascii=True)
