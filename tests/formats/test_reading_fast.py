"""The fast way to read a record is the slow way, only faster."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.reports.record import reader
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.reader import parse_record
from fedcheck.reports.record.seal import Seal, encode_line
from fedcheck.reports.record.writer import write_record

from .records import RECORDS


def lines(record: RunRecord, folder: Path) -> list[bytes]:
    """Return the lines of a record without its footer."""
    write_record(folder / "r", record)
    return (folder / "r").read_bytes().splitlines(keepends=True)[:-1]


def sealed(body: list[bytes]) -> bytes:
    """Return lines with the footer that fits them."""
    seal = Seal()
    for line in body:
        seal.add(line)
    return b"".join(body) + encode_line(seal.footer())


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_both_ways_read_the_same(
    record: RunRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a kernel said; and the fast way is taken wherever it can be."""
    data = sealed(lines(record, tmp_path))
    fast = parse_record(data, "r")
    slow: list[bytes] = []
    typed = reader._typed

    def counted(value: dict[str, object], kinds: object, where: str) -> object:
        slow.append(b"")
        return typed(value, kinds, where)  # type: ignore[arg-type]

    monkeypatch.setattr(reader, "_typed", counted)
    assert fast == parse_record(data, "r")
    assert bool(slow) == (record is RECORDS["hostile"]), "half a character: the slow way"
    slow.clear()
    monkeypatch.setattr(reader, "_quick", lambda _line, _kinds: None)
    assert fast == parse_record(data, "r") == record
    assert slow


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"type":"clause"', b'"type":"clause","type":"clause"', "stands twice"),
        (b'"type":"clause"', b'"type":"header"', "does not belong here"),
        (b'"seconds":0.25', b'"seconds":NaN', "not a JSON"),
        (b'"seconds":0.25', b'"seconds":"x"', "Expected `float`"),
    ],
)
def test_what_is_wrong_is_found_either_way(
    old: bytes, new: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same words, that of the slow way."""
    body = [line.replace(old, new, 1) for line in lines(RECORDS["pass"], tmp_path)]
    messages: list[str] = []
    for _ in range(2):
        with pytest.raises(DocumentError) as caught:
            parse_record(sealed(body), "r")
        messages.append(str(caught.value))
        monkeypatch.setattr(reader, "_quick", lambda _line, _kinds: None)
    assert messages[0] == messages[1]
    assert told in messages[0] or "is not a JSON object" in messages[0]


def test_fields_of_a_later_version_are_skipped(tmp_path: Path) -> None:
    """The fast way leaves such a line to the slow one."""
    body = [
        line.replace(b'"type":"clause"', b'"type":"clause","later":1', 1)
        for line in lines(RECORDS["pass"], tmp_path)
    ]
    assert RECORDS["pass"] == parse_record(sealed(body), "r")
