"""How much of a text is a leading part of some serialisation of a value."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedcheck.invariants.scenarios.payloads import document, json_values
from fedcheck.invariants.vocabulary.json_prefix import leading

ESCAPE = len("\\u044f")
MARKERS = ("", "\ue000", "\ue000[truncated 12 chars]", "\ue000" * 50, "\n\ue000", " \ue000 more")
"""No document holds U+E000, so what begins with it continues no data."""

_values = st.one_of(json_values(), st.builds(document, st.integers(0, 15), st.integers(0, 12)))
_writers: st.SearchStrategy[Callable[[Any], str]] = st.builds(
    lambda only_ascii, separators, sort: (
        json.JSONEncoder(ensure_ascii=only_ascii, separators=separators, sort_keys=sort).encode
    ),
    st.booleans(),
    st.sampled_from([(",", ":"), (", ", ": "), (",", ": "), (" , ", " : "), (",\t", ":\t")]),
    st.booleans(),
)


@settings(max_examples=200)
@given(value=_values, write=_writers, marker=st.sampled_from(MARKERS), data=st.data())
def test_a_cut_is_found_within_one_escape_and_never_beyond(
    value: Any, write: Callable[[Any], str], marker: str, data: st.DataObject
) -> None:
    """Whatever the dialect, the marker begins where the data ends."""
    text = write(value)
    cut = data.draw(st.integers(0, len(text)))

    found, is_whole = leading(text[:cut] + marker, value)

    assert cut - ESCAPE <= found <= cut
    assert (cut == len(text)) == is_whole or _ends_early(text, cut)


def _ends_early(text: str, cut: int) -> bool:
    """Whether a number has lost only its zeros: what is left of it has the same value."""
    return cut < len(text) and text[cut:].strip(".0") == "" and "." in text[: cut + 1]


@settings(max_examples=200)
@given(value=_values, write=_writers, data=st.data())
def test_an_altered_value_matches_up_to_the_alteration(
    value: Any, write: Callable[[Any], str], data: st.DataObject
) -> None:
    """What stands behind the first character that differs is never taken for data."""
    other = _altered(value, data.draw)
    text, altered = write(value), write(other)
    same = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, altered, strict=False))
    )

    found, is_whole = leading(altered, value)

    assert found <= same
    assert not is_whole


def _altered(value: Any, draw: Callable[[st.SearchStrategy[Any]], Any]) -> Any:
    """The value with one leaf changed, and all keys kept."""
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: _altered(value[key], draw)}
    if isinstance(value, list) and value:
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], _altered(value[place], draw), *value[place + 1 :]]
    if isinstance(value, bool) or value is None:
        return "yes" if value else 7
    if isinstance(value, str):
        place = draw(st.integers(0, len(value)))
        return f"{value[:place]}\ue001{value[place + 1 :]}"
    return 8 if isinstance(value, (dict, list)) else _other_number(value)


def _other_number(value: float) -> float:
    return -value - 1 if abs(value) < 2**53 else -value


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ('{"a": "x\\/y"}', {"a": "x/y"}, None),
        ('{"a":"\\u003Cb\\u003E"}', {"a": "<b>"}, None),
        ('{"a": "\\uD83D\\uDE00"}', {"a": "😀"}, None),
        ('{"a": "\\ud83d…', {"a": "😀"}, 13),
        ('{"a": "😀…', {"a": "😀"}, 8),
        ('{"a":"\\u000a\\n"}', {"a": "\n\n"}, None),
        ('{"b":2,"a":1}', {"a": 1, "b": 2}, None),
        ('{"\\u0061":1}', {"a": 1}, None),
        ("[1E+21,1e21,1000000000000000000000]", [1e21, 1e21, 1e21], None),
        ("[0.0000001]", [1e-7], None),
        ("[1,-0]", [1.0, 0.0], None),
        ("[12…", [123], 3),
        ("[12...", [123], 3),
        ("[tru…", [True], 4),
        ("[True]", [True], 1),
        ('["a" "b"]', ["a", "b"], 4),
        ('{"a": 1, "c": 2}', {"a": 1, "b": 2}, 10),
        ('{"a": 1, "a": 1}', {"a": 1, "b": 2}, 10),
        ('{"n": 1}', {"n": True}, 5),
        ('{"n": true}', {"n": 1}, 5),
        ("[1, …", [1, 2], 3),
        ('{"a": 1, …', {"a": 1, "b": 2}, 8),
        ("", {"a": 1}, 0),
        ("…", {"a": 1}, 0),
        ('"\ud800"', "\ud800", None),
        ('"\\ud800"', "\ud800", None),
    ],
)
def test_dialects(text: str, value: Any, found: int | None) -> None:
    """Escapes of any kind, any order, any number format; None means all of it."""
    assert ((len(text), True) if found is None else (found, False)) == leading(text, value)


def test_a_key_of_many_characters_may_be_cut() -> None:
    """The cut may fall into a key."""
    value = {"k" * 5000: 1, "kk": 2}

    assert (1002, False) == leading('{"' + "k" * 1000 + "…", value)
