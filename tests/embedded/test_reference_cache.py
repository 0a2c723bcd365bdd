"""The reference kernel's cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fedcheck.invariants.vocabulary.scenario import (
    Advance,
    CacheDelete,
    CacheGet,
    CacheSet,
    StoreSet,
)
from fedcheck.invariants.vocabulary.trace import (
    CacheOutcome,
    StoreOutcome,
)

Play = Callable[..., Any]


def get(key: str = "k", **fields: Any) -> CacheGet:
    """Return a step that gets a key."""
    return CacheGet(key=key, **fields)


def put(key: str = "k", value: str = '{"n":1}', **fields: Any) -> CacheSet:
    """Return a step that sets a key."""
    return CacheSet(key=key, value_json=value, **fields)


@pytest.mark.parametrize("key", ["k", "A-z_0:9", "x" * 128])
def test_safe_key_is_kept(play: Play, key: str) -> None:
    """The alphabet, and both ends of the length."""
    player = play()
    assert "accepted" == player.one(CacheOutcome, put(key)).outcome
    assert '{"n":1}' == player.one(CacheOutcome, get(key)).value_json


@pytest.mark.parametrize("key", ["", "k\n", "k.k", "é", "a b", "k\x00", "x" * 129])
def test_unsafe_key_is_refused(play: Play, key: str) -> None:
    """Everywhere, and without storing."""
    player = play()
    steps = (put(key), get(key), CacheDelete(key=key))
    outcomes = [player.one(CacheOutcome, step) for step in steps]

    assert ["refused"] * 3 == [outcome.outcome for outcome in outcomes]
    assert ["CacheRefused"] * 3 == [outcome.error and outcome.error.name for outcome in outcomes]


@pytest.mark.parametrize(("life", "told"), [(None, 60), (5, 5), (300, 300)])
def test_life_within_bounds_is_accepted(play: Play, life: Any, told: float) -> None:
    """Sixty seconds unless given."""
    outcome = play().one(CacheOutcome, put(ttl_seconds=life))
    assert ("accepted", told) == (outcome.outcome, outcome.ttl_seconds)


@pytest.mark.parametrize("life", [4, 301, 0, -1, True, 60.0, "60"])
def test_other_life_is_refused(play: Play, life: Any) -> None:
    """Whole seconds from 5 to 300 alone."""
    player = play()
    assert "refused" == player.one(CacheOutcome, put(ttl_seconds=life)).outcome
    assert "miss" == player.one(CacheOutcome, get()).outcome


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ('"' + "x" * 65_534 + '"', "accepted"),
        ('"' + "x" * 65_535 + '"', "refused"),
        ('"' + "я" * 32_767 + '"', "accepted"),
        ('"' + "я" * 32_768 + '"', "refused"),
        ('{ "n" :  1' + " " * 70_000 + "}", "accepted"),
    ],
)
def test_size_is_bytes_of_compact_utf8(play: Play, value: str, outcome: str) -> None:
    """65,536 bytes, whatever spaces the text had."""
    assert outcome == play().one(CacheOutcome, put(value=value)).outcome


def test_entry_expires_with_the_clock(play: Play) -> None:
    """Served within its life, not after."""
    player = play()
    player.do(put(ttl_seconds=60))

    assert "hit" == player.one(CacheOutcome, Advance(seconds=59), get()).outcome
    assert "miss" == player.one(CacheOutcome, Advance(seconds=2), get()).outcome


def test_cache_is_shared_by_handlers_and_by_nobody_else(play: Play) -> None:
    """A panel finds what a chat function stored; other users and extensions do not."""
    player = play()
    player.do(put(handler="chat_function"))
    steps = (get(handler="panel"), get(user="u2"), get(app="beta"))

    assert ["hit", "miss", "miss"] == [player.one(CacheOutcome, step).outcome for step in steps]


def test_deleted_entry_is_gone(play: Play) -> None:
    """Delete works."""
    assert "miss" == play().one(CacheOutcome, put(), CacheDelete(key="k"), get()).outcome


def test_cache_and_store_reach_no_prompt(play: Play) -> None:
    """Neither is shown to the classifier."""
    player = play()
    stored = player.one(
        StoreOutcome, put(value='"canary"'), StoreSet(key="k", value_json='"canary"')
    )

    assert "accepted" == stored.outcome
    assert "canary" not in player.prompt()
