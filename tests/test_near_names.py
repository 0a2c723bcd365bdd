"""The nearest names for a wrong one."""

from __future__ import annotations

import pytest

from fedcheck.invariants.vocabulary.near_names import closest, did_you_mean, near_names

KNOWN = ("I-CACHE-KEY-SAFETY", "I-CACHE-TTL-CAP-300S", "cache-key")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("i-cache-key-safety", ["I-CACHE-KEY-SAFETY"]),
        ("I-CACHE-KEY-SAFTY", ["I-CACHE-KEY-SAFETY", "cache-key"]),
        ("Cache-Key", ["cache-key"]),
        ("zebra", []),
    ],
)
def test_case_does_not_count(name: str, near: list[str]) -> None:
    """The best comes first; a name that differs in its case alone is the only one."""
    assert near == near_names(name, KNOWN)
    assert (near or [""])[0] == closest(name, KNOWN)


@pytest.mark.parametrize(
    ("name", "said"),
    [("AAAAB", "did you mean aaaa or aabb?"), ("Aaaa", "did you mean aaaa?"), ("zz", "look it up")],
)
def test_the_question_lists_what_is_near(name: str, said: str) -> None:
    """One, several, or what to do otherwise."""
    assert said == did_you_mean(name, ("aaaa", "aabb", "cccc"), "look it up")
