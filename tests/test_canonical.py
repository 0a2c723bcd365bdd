"""The fast way to canonical JSON: never other bytes than the slow one, and fast for what counts."""

from __future__ import annotations

import json
import math
import uuid
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedcheck.invariants.vocabulary.canonical import fast_json
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.reports.record.ids import URN, stable_uuid
from fedcheck.reports.record.sample import sample_counterexample

_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
)
_DOCUMENTS = st.recursive(
    _LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


def slow_json(document: Any) -> str:
    """Return the canonical JSON of the standard library; NaN becomes something visible."""
    return json.dumps(msgspec.to_builtins(document), sort_keys=True, separators=(",", ":"))


@given(_DOCUMENTS)
def test_the_fast_way_writes_the_same(document: Any) -> None:
    """Or nothing, and then the slow way is taken."""
    assert fast_json(document) in {None, slow_json(document)}


@pytest.mark.parametrize(
    "number", [math.nan, math.inf, -math.inf, 1e16, -1e16, 1e-5, 5e-324, 2.0**53]
)
def test_numbers_that_msgspec_writes_in_another_way(number: float) -> None:
    """They are found wherever they stand."""
    assert [None] * 3 == [fast_json(x) for x in (number, {"a": [number]}, ["\xcb", 1, number])]


@pytest.mark.parametrize(
    "number", [0.0, -0.0, 1.0, -0.5, 0.1, 1778865664.25, 2.0**53 - 1, 2.0**-13]
)
def test_usual_numbers_take_the_fast_way(number: float) -> None:
    """As Python writes them."""
    assert repr(number) == fast_json(number)


def test_what_every_record_holds_takes_the_fast_way() -> None:
    """Counterexamples are nearly all of a large record."""
    example = sample_counterexample("C/c", expected="ї 😀 \x7f \u2028 </script>", got="\x00\\")

    assert slow_json(example) == fast_json(example) == to_json(example)


@given(st.lists(st.text(st.characters(exclude_categories=()))))
def test_a_stable_uuid_is_an_ordinary_one(parts: list[str]) -> None:
    """Version 5, in a name space of our own, as the standard library makes it."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, URN)
    name = "".join(f"{len(part)}:{part}" for part in parts)
    readable = name.encode("utf-8", "backslashreplace").decode("utf-8")

    assert str(uuid.uuid5(space, readable)) == stable_uuid(*parts)
