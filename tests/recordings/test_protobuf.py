"""OTLP as protobuf: one message, or many with their lengths before them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from .made import audited, generator, seen

trace_pb = pytest.importorskip(
    "opentelemetry.proto.trace.v1.trace_pb2", reason="needs the extra `audit`"
)


def _message(line: str) -> bytes:
    """The spans of a line of JSON as protobuf."""
    made = trace_pb.TracesData()
    scope = made.resource_spans.add().scope_spans.add()
    for told in json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        span = scope.spans.add()
        span.trace_id, span.span_id = bytes.fromhex(told["traceId"]), bytes.fromhex(told["spanId"])
        span.name, span.start_time_unix_nano = told["name"], int(told["startTimeUnixNano"])
        for attribute in told["attributes"]:
            pair = span.attributes.add()
            pair.key, pair.value.string_value = attribute["key"], attribute["value"]["stringValue"]
    return made.SerializeToString()


def test_protobuf_says_what_json_says(tmp_path: Path) -> None:
    """With lengths, as the collector writes a file; or a single message."""
    lines = generator().made(3, plant_every=4).lines
    messages = [_message(line) for line in lines]
    framed = b"".join(len(each).to_bytes(4, "big") + each for each in messages)
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    (tmp_path / "framed.pb").write_bytes(framed)
    (tmp_path / "one.pb").write_bytes(b"".join(messages))
    told = seen(audited(tmp_path / "spans.jsonl"))

    assert told == seen(audited(tmp_path / "framed.pb"))
    assert told == seen(audited(tmp_path / "one.pb"))


@pytest.mark.parametrize(
    ("field", "judgeable"),
    [
        ("dropped_links_count", True),  # no link is read
        ("dropped_attributes_count", False),
        ("dropped_events_count", False),
    ],
)
def test_a_turn_of_which_an_sdk_dropped_something_is_not_judgeable(
    field: str, judgeable: bool, tmp_path: Path
) -> None:
    """Of a sound recording and a broken one: what was dropped may be why a result is not shown."""
    for plant in ("", "a value that is cut"):
        talk = generator().Conversation(1, random.Random(5))  # noqa: S311
        data = trace_pb.TracesData.FromString(_message(talk.take(generator().START, plant)))
        for span in data.resource_spans[0].scope_spans[0].spans:
            setattr(span, field, 1)
        (tmp_path / "one.pb").write_bytes(data.SerializeToString())
        counts = seen(audited(tmp_path / "one.pb"))["values-kept"]

        expected = (0, 0, 1) if not judgeable else (0, 1, 0) if plant else (1, 0, 0)
        assert expected == counts


def test_a_message_that_is_cut_is_told(tmp_path: Path) -> None:
    """What came before it is judged."""
    messages = [_message(line) for line in generator().made(1, plant_every=0).lines]
    framed = b"".join(len(each).to_bytes(4, "big") + each for each in messages)
    (tmp_path / "framed.pb").write_bytes(framed[:-10])
    found = audited(tmp_path / "framed.pb")

    assert {"the last message is cut": 1} == found.judged.remarks.counts
    assert len(messages) - 1 == found.judged.turns
