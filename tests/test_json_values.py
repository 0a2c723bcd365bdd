"""JSON values compared as the documents compare them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedcheck.invariants.scenarios.payloads import document, json_values, nested
from fedcheck.invariants.vocabulary.json_values import (
    Difference,
    DuplicateKey,
    depth,
    differences,
    equal,
    is_safe,
    kind_of,
    leaves,
    parse,
    parse_leading,
)

VALUES = json_values()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (-0.0, 0),
        (1e21, 10**21),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([], []),
        ("é", "\u00e9"),
        (2**64, 2**64),
        (10**400, parse("1E400")),
        (-(10**400), parse("-1e+400")),
    ],
)
def test_equal_values(left: Any, right: Any) -> None:
    """Numbers by value, keys in any order."""
    assert equal(left, right)
    assert equal(right, left)


@pytest.mark.parametrize(
    ("given_value", "got", "kind", "where"),
    [
        (1, True, "number as boolean", "$"),
        (False, 0, "boolean as number", "$"),
        (None, 0, "null as number", "$"),
        ("", None, "string as null", "$"),
        ({}, [], "object as list", "$"),
        (1, "1", "number as string", "$"),
        (2**53 + 1, float(2**53), "number changed", "$"),
        (2**64, 2**64 + 1, "number changed", "$"),
        (0.1, 0.10000001, "number changed", "$"),
        ("é", "e\u0301", "string changed", "$"),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1]}}, "item lost", "$.a.b[1]"),
        ([1], [1, 2], "item added", "$[1]"),
        ({"a": 1}, {}, "key lost", "$.a"),
        ({}, {"a": 1}, "key added", "$.a"),
        ({"Key": 1}, {"key": 1}, "key lost", "$.Key"),
        ([[[{}]]], [[[[]]]], "object as list", "$[0][0][0]"),
    ],
)
def test_the_first_difference_says_what_and_where(
    given_value: Any, got: Any, kind: str, where: str
) -> None:
    """The kind of difference is the fingerprint of a bug; the path leads to it."""
    first = next(differences(given_value, got))

    assert (kind, where) == (first.kind, first.where)


@given(VALUES)
def test_a_value_equals_itself_however_it_was_written(value: Any) -> None:
    """Writing and parsing changes nothing that counts."""
    for only_ascii in (True, False):
        text = json.dumps(value, ensure_ascii=only_ascii, sort_keys=True)

        assert equal(value, parse(text))
        assert (value, "…") == (parse_leading(f" {text}…")[0], parse_leading(f"{text} …")[1])


@given(VALUES, VALUES)
def test_values_are_equal_exactly_if_they_are_written_alike(left: Any, right: Any) -> None:
    """Once numbers are written by value, equality is equality of text."""
    assert (_canonical(left) == _canonical(right)) == equal(left, right)


def _canonical(value: Any) -> str:
    def number(leaf: Any) -> Any:
        whole = isinstance(leaf, float) and leaf.is_integer()
        return int(leaf) if whole else leaf

    def plain(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: plain(item) for key, item in node.items()}
        return [plain(item) for item in node] if isinstance(node, list) else number(node)

    return json.dumps(plain(value), sort_keys=True)


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "-Infinity", "[1,]", '{"a":1} x', "'a'", "01", "9" * 5000]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    """NaN and Infinity are no JSON, whatever Python thinks."""
    with pytest.raises(ValueError):  # noqa: PT011 - the standard library's own words
        parse(text)


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '[{"b":{"a":1,"a":2}}]'])
def test_a_repeated_key_is_refused(text: str) -> None:
    """Which of the two counts, nobody has said."""
    with pytest.raises(DuplicateKey, match="twice"):
        parse(text)


@pytest.mark.parametrize("text", ["", "…", "nul", "{…"])
def test_no_value_at_the_start_is_refused(text: str) -> None:
    """A marker alone is no value."""
    with pytest.raises(ValueError):  # noqa: PT011 - the standard library's own words
        parse_leading(text)


@pytest.mark.parametrize(
    ("value", "levels"),
    [
        (1, 0),
        ("text", 0),
        ({}, 1),
        ([], 1),
        ({"a": 1}, 1),
        ({"a": {}}, 2),
        ([[[]]], 3),
        ({"a": [1, {"b": 2}]}, 3),
        (nested(6), 7),
        (nested(60), 61),
    ],
)
def test_depth_counts_containers(value: Any, levels: int) -> None:
    """A leaf has none; an empty container is one all the same."""
    assert levels == depth(value)


@pytest.mark.parametrize("leaf", [None, True, 0, -999_999, "", "open", "a", "x" * 12])
def test_values_that_no_masking_may_touch(leaf: Any) -> None:
    """Booleans, null, small integers and short lower-case words."""
    assert is_safe(leaf)


@pytest.mark.parametrize("leaf", [10**6, 1.5, "Anna", "two words", "x" * 13, "a1", "é", "a\n"])
def test_values_that_masking_may_take_for_personal(leaf: Any) -> None:
    """Order numbers, capitals and longer texts are free."""
    assert not is_safe(leaf)


def test_with_safe_only_keys_that_look_personal_may_be_renamed() -> None:
    """A renamed key is then no added one; a plain key still counts."""
    data = {"sarah@example.com": 1, "n": 1}

    assert [] == list(differences(data, {"[email]": 1, "n": 1}, safe_only=True))
    assert ["key lost"] == [
        x.kind for x in differences(data, {"[email]": 1, "m": 1}, safe_only=True)
    ]
    assert ["key added"] == [
        x.kind for x in differences({"n": 1}, {"n": 1, "m": 1}, safe_only=True)
    ]


@pytest.mark.parametrize(
    ("expected", "got", "kind", "is_loss"),
    [
        ("a long text", "a long", "string changed", True),
        ("a long text", "a long…", "string changed", True),
        ("a long text", "prose", "string changed", False),
        (1, None, "key lost", True),
        (None, 1, "key added", False),
        (1, 2, "number changed", False),
    ],
)
def test_less_is_told_from_other(expected: Any, got: Any, kind: str, *, is_loss: bool) -> None:
    """A loss shows less of the data; anything else says something that is not so."""
    assert is_loss == Difference((), kind, expected, got).is_loss


@given(st.integers(0, 15), st.integers(0, 63))
def test_every_recipe_is_json_with_leaves(kind: int, size: int) -> None:
    """Documents survive the wire, and every leaf is found."""
    value = document(kind, size)

    assert equal(value, json.loads(json.dumps(value)))
    assert all(kind_of(leaf) not in ("object", "list") or not leaf for leaf in leaves(value))
