"""One FACTS payload against the data of its call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fedcheck.invariants.readings.payload import MARKER_LIMIT, Payload, read_payload
from fedcheck.invariants.vocabulary.json_values import parse

DATA = {"id": "t-1", "text": "Привет / <b>", "n": 2**53 + 1, "in": [1.0, None, True]}
WHOLE = json.dumps(DATA)


def read(text: str, data: Any = DATA, *, safe_only: bool = False) -> Payload:
    """Read a payload."""
    return read_payload(text, data, safe_only=safe_only)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"  {WHOLE}\t",
        f"{WHOLE}\r",
        json.dumps(DATA, ensure_ascii=False, separators=(",", ":")),
        json.dumps(DATA, sort_keys=True),
        WHOLE.replace("/", "\\/").replace("<", "\\u003C"),
        WHOLE.replace("1.0", "1"),
        f"{WHOLE} …[some more]",
    ],
)
def test_the_data_in_any_dialect_is_intact(text: str) -> None:
    """Escaping, spacing, order of keys and 1 for 1.0 are free; a marker may follow."""
    payload = read(text)

    assert payload.intact
    assert () == payload.differences
    assert not payload.cut


@pytest.mark.parametrize("marker", ["", "…", "...", " [12 of 99 characters]", "x" * 195])
@pytest.mark.parametrize("size", [12, 40, len(WHOLE) - 1])
def test_a_leading_part_is_cut_and_what_follows_is_the_marker(marker: str, size: int) -> None:
    """The marker needs no declaration: it is what is no leading part any more."""
    payload = read(WHOLE[:size] + marker)

    assert payload.leading
    assert marker.endswith(payload.marker)
    assert size - 5 <= payload.shown <= size
    assert len(payload.text) - len(payload.remainder) == payload.shown


def test_too_long_a_rest_is_no_marker() -> None:
    """What is longer than a marker may be is something else, and counts as facts."""
    payload = read(WHOLE[:60] + "x" * (MARKER_LIMIT + 1))

    assert not payload.leading
    assert not payload.cut
    assert len(payload.text) - MARKER_LIMIT == payload.facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (WHOLE, len(WHOLE)),
        (f"{WHOLE}…", len(WHOLE)),
        (f"{WHOLE[:15]}…[cut]", 15),
        ("{truncated}", 0),
    ],
)
def test_a_marker_is_no_fact(text: str, facts: int) -> None:
    """The cap counts what is shown of the data."""
    assert facts == read(text).facts


@pytest.mark.parametrize("rest", ["", '"}', '"]} ', "\\", "\\u", "\\u04", "\\u041"])
def test_brackets_and_half_escapes_are_no_marker(rest: str) -> None:
    """They say nothing to the reader."""
    data = {"text": "ЯЯЯЯЯЯЯЯ"}
    start = json.dumps(data)[: len('{"text": "') + 3 * len("\\u042f")]

    assert "" == read(start + rest, data).marker
    assert "…" == read(f"{start}{rest}…", data).marker[-1:]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (json.dumps({**DATA, "n": 2**53}), "number changed"),
        (json.dumps({**DATA, "n": str(2**53 + 1)}), "number as string"),
        (json.dumps({**DATA, "in": [1.0, None, 1]}), "boolean as number"),
        (json.dumps({**DATA, "more": 1}), "key added"),
        (json.dumps("prose"), "object as string"),
    ],
)
def test_whole_json_that_says_something_else_is_altered(text: str, kind: str) -> None:
    """Altered is not cut: the first difference is named."""
    payload = read(text)

    assert kind == payload.differences[0].kind
    assert payload.altered
    assert payload.readable
    assert not payload.cut
    assert not payload.intact


@pytest.mark.parametrize(
    "text", [json.dumps({"id": "t-1"}), json.dumps({**DATA, "text": "Прив"}), "{}"]
)
def test_whole_json_that_says_less_is_a_loss(text: str) -> None:
    """A field or the end of a text is missing, and nothing is wrong."""
    payload = read(text)

    assert payload.differences
    assert not payload.altered


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "prose",
        "{'id': 't-1'}",
        '{"id": NaN}',
        '{"id": "t-1", "id": "t-1"}',
        "[" * 100_000,
        "9" * 5000,
        '{"id": 1E400}',
    ],
)
def test_what_cannot_be_read_is_not_the_data(text: str) -> None:
    """No text, however malformed, beats the reader."""
    assert not read(text).intact


def test_a_number_beyond_every_double_is_compared_as_written() -> None:
    """1E400 is read alike on both sides; a large integer stays exact."""
    assert read("1e+400", parse("1E400")).intact
    assert not read(str(10**400), 10**400 + 1).intact
    assert not read(f"{10**400}.0", 10**400 + 1).intact


def test_masking_may_change_what_is_not_safe() -> None:
    """With `safe_only`, strings that could be personal are free, and nothing else."""
    data = {"from": "sarah@example.com", "n": 3, "word": "open"}
    masked = {"from": "[email]", "n": 3, "word": "open"}

    assert read(json.dumps(masked), data, safe_only=True).intact
    assert not read(json.dumps(masked), data).intact
    assert not read(json.dumps({**masked, "n": 4}), data, safe_only=True).intact
    assert not read(json.dumps({**masked, "word": "shut"}), data, safe_only=True).intact
