"""What one process holds at once does not grow with the recording; found is the same."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from fedcheck.conformance.recordings.auditing import Asked, Audit
from fedcheck.conformance.recordings.exchange import OnDisk, Spill, blocks, one_block
from fedcheck.conformance.recordings.leak_search import Leaks, buckets_for, find_leaks
from fedcheck.conformance.recordings.leaks import (
    ROW,
    Owned,
    Scanned,
    Watched,
    checksum,
    digest,
    kind_of,
    pack,
    spilled,
)
from fedcheck.conformance.recordings.workers import AHEAD, Alone, Processes

from .made import generator, told

_VALUES = 300


def _value(number: int, of: int) -> str:
    return f"{of}x{number}@user.example"


def _owned(partition: int) -> Owned:
    values = [_value(partition, of) for of in range(_VALUES)]
    owner = digest(f"user {partition}")
    return Owned({(digest(x), owner, kind_of(x), checksum(x, ""), 0): 0 for x in values}, set())


def _shown(partition: int, text: str) -> bytes:
    turn = Scanned(
        f"user {partition}", 0, "", "", "", 0, 0, True, False, [("assistant", text, False)]
    )
    return pack(Watched(f"session {partition}", "", 1, [turn], {}))


class _Weighing(Alone):
    """Weighs what goes to a worker, what it reads there, and what comes back.

    Attributes:
        sent, read, back: bytes of the largest.
    """

    def __init__(self) -> None:
        self.sent = self.read = self.back = 0

    def each(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """Do everything here."""
        for item in items:
            result = function(item)
            parts = item[1] if isinstance(item[1], list) else ()
            self.sent = max(self.sent, len(pickle.dumps((function, item))))
            self.read = max(self.read, sum(len(x) for part in parts for x in blocks(part)))
            self.back = max(self.back, len(pickle.dumps(result)))
            yield result


def _searched(folder: Path, partitions: int) -> tuple[Leaks, _Weighing]:
    """Search leaks among so many partitions, one of which is planted."""
    folder.mkdir()
    buckets = buckets_for(partitions)
    owned: list[Spill] = []
    watched: list[Spill] = []
    for number in range(partitions):
        owned.append(spilled(_owned(number), number, folder, buckets)[0])
        text = _value(3, 7) if number == 1 else _value(number, 5)
        watched.append(one_block(folder / "watched", number, _shown(number, text)))
    workers = _Weighing()
    exchange = OnDisk(workers, str(folder))
    found, _ = find_leaks(exchange, (owned, [], watched), partitions * _VALUES, partitions)
    return found, workers


def test_the_search_for_leaks_holds_a_bucket_at_a_time(tmp_path: Path) -> None:
    """Of four times the values no more is read or told at once; the planted one is found."""
    few, little = _searched(tmp_path / "few", 32)
    many, more = _searched(tmp_path / "many", 128)

    for found in (few, many):
        assert [(_value(3, 7), "session 1", 3)] == [
            (leak.hit.value, leak.hit.conversation, leak.partition) for leak in found.kept.values()
        ]
    assert 32 * _VALUES * ROW.size > 10 * little.read
    assert more.read < 1.5 * little.read
    assert more.back < 1.5 * little.back


def test_what_goes_with_a_task_is_small(tmp_path: Path) -> None:
    """Neither values nor bitmap: only where they lie, although the bitmap alone is larger."""
    generator().write(tmp_path / "spans", 60, 3, plant_every=5)
    (tmp_path / "spans" / "planted.json").unlink()
    workers = _Weighing()
    with Audit(Asked((str(tmp_path / "spans"),)), workers) as audit:
        assert audit.run().leaks
    assert workers.sent < 8_192


def test_processes_are_given_a_few_parts_at_a_time() -> None:
    """What waits in memory does not grow with the number of parts."""
    taken: list[int] = []
    processes = Processes(1)
    try:
        some = processes.each(abs, (taken.append(x) or x for x in range(100)))
        for done, _ in enumerate(some, 1):
            assert len(taken) <= done + AHEAD
    finally:
        processes.close()
    assert [*range(100)] == taken


def test_a_value_of_many_owners_blames_nobody(tmp_path: Path) -> None:
    """Also where the owner who is shown it is the last of them to be read."""
    draw = generator()
    lines: list[str] = []
    for number in range(14):
        talk = draw.Conversation(number, draw.random.Random(number))
        line = talk.take(draw.START + number)
        mail = talk.given[0]["items"][0]["owner"]
        lines.append(line.replace(mail, "office.77@shared.example"))
    talk = draw.Conversation(13, draw.random.Random(13))
    talk.take(draw.START)
    lines.append(talk.take(draw.START + 99, "leak in an answer", "office.77@shared.example"))
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    counted: list[object] = []
    for partitions in (1, 5, 16):
        with Audit(Asked((str(tmp_path),), partitions=partitions)) as audit:
            found = audit.run()
            counted.append((found.left_out, told(found)))

    assert (0, []) == (counted[0][0], found.leaks)  # type: ignore[index]
    assert all(counted[0] == each for each in counted)
