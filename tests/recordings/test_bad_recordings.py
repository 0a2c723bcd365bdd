"""Files that are damaged or hostile: a counted remark with its place, or a clear error."""

from __future__ import annotations

import gzip
import re
import tracemalloc
from pathlib import Path

import pytest

from fedcheck.conformance.recordings import files, importers, leaks
from fedcheck.conformance.recordings.mapping import Mapping, read_mapping
from fedcheck.invariants.vocabulary.errors import DocumentError, UsageError

from .made import Audited, audited, generator, seen


def _remarks(found: Audited) -> dict[str, list[str]]:
    places = found.judged.remarks.places
    return {what: [str(x).rpartition("/")[2] for x in places[what]] for what in places}


def _with(tmp_path: Path, *lines: bytes) -> Audited:
    sound = [line.encode() for line in generator().made(1, plant_every=0).lines]
    (tmp_path / "spans.jsonl").write_bytes(b"\n".join([sound[0], *lines, *sound[1:]]))
    return audited(tmp_path / "spans.jsonl")


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Each by file and line; what stands around it is judged."""
    deep = b'{"resourceSpans":' + b"[" * 100_000
    found = _with(
        tmp_path, b"{nonsense}", b'{"resourceSpans":"\xff\xfe"}', deep, b'{"some":"JSON"}'
    )

    assert {
        "not JSON": ["spans.jsonl:2"],
        "not UTF-8": ["spans.jsonl:3"],
        "nested too deeply to be read": ["spans.jsonl:4"],
        "JSON, but no OTLP: neither resourceSpans nor resourceLogs": ["spans.jsonl:5"],
    } == _remarks(found)
    assert 5 <= seen(found)["values-kept"][0]


def test_a_line_that_is_too_long_costs_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is skipped and counted; the next one is read."""
    monkeypatch.setattr(files.lines, "__defaults__", (200_000,))
    found = _with(tmp_path, b'{"a":"' + b"x" * 300_000 + b'"}')

    assert {"a line of more than 64 MB": ["spans.jsonl:2"]} == _remarks(found)
    assert 5 <= seen(found)["values-kept"][0]


def test_a_cut_file_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    """The rest of a compressed file is missing."""
    lines = generator().made(2, plant_every=0).lines
    whole = gzip.compress("\n".join(lines).encode())
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) * 3 // 4])
    found = audited(tmp_path / "cut.gz")

    assert any(what.startswith("the file is cut or damaged") for what in _remarks(found))


def test_lone_surrogates_and_long_numbers_are_read(tmp_path: Path) -> None:
    """Half a pair, and thirty digits, are values like others."""
    line = generator().made(1, plant_every=0, turns=(1, 1)).lines[0]
    digits = "123456789012345678901234567890"
    changed = line.replace("Done with", "Done\\ud800 with")
    for quote in ('\\"', '\\\\\\"'):  # the result itself, and inside of a prompt
        more = f"{quote}n{quote}: {digits}, {quote}total{quote}: "
        changed = changed.replace(f"{quote}total{quote}: ", more)
    (tmp_path / "spans.jsonl").write_text(changed)
    found = audited(tmp_path / "spans.jsonl")

    assert 2 <= changed.count(digits)
    assert (1, 0, 0) == seen(found)["values-kept"]
    assert {} == _remarks(found)


def test_ids_that_collide_are_told(tmp_path: Path) -> None:
    """Another span of the same ids is judged too, and said."""
    made = generator().made(1, plant_every=0)
    other = made.lines[1].replace("found.", "found, more or less.")
    found = _with(tmp_path, other.encode())

    assert "another span with the same ids; both are judged" in _remarks(found)


def test_a_clock_that_runs_backwards_blames_nobody(tmp_path: Path) -> None:
    """Later turns come first by their time: less is judged, nothing is broken."""
    made = generator()
    lines = made.made(2, plant_every=0).lines
    times = [str(made.START + number) for number in range(len(lines))]
    turned = [
        re.sub('(?<="startTimeUnixNano": ")[0-9]+', time, line)
        for line, time in zip(lines, reversed(times), strict=True)
    ]
    (tmp_path / "spans.jsonl").write_text("\n".join(turned))

    assert {0} == {broken for _, broken, _ in seen(audited(tmp_path / "spans.jsonl")).values()}


def test_a_mapping_says_where_things_stand(tmp_path: Path) -> None:
    """Without it there is no user; with it there is; a key that there is not is named."""
    line = generator().made(1, plant_every=0, turns=(1, 1)).lines[0]
    (tmp_path / "spans.jsonl").write_text(line.replace('"metadata"', '"acme.who"'))
    (tmp_path / "right.toml").write_text('user = ["acme.who/user.id"]\n')
    (tmp_path / "wrong.toml").write_text('usr = ["acme.who/user.id"]\n')
    spans = tmp_path / "spans.jsonl"

    assert (0, 0, 1) == seen(audited(spans))["own-values-only"]
    right = read_mapping(tmp_path / "right.toml")
    assert (1, 0, 0) == seen(audited(spans, mapping=right))["own-values-only"]
    with pytest.raises(DocumentError, match="usr"):
        read_mapping(tmp_path / "wrong.toml")
    assert Mapping() == Mapping(separator="__")


@pytest.mark.parametrize(
    ("mapping", "named"),
    [
        (Mapping(user=("acme.who",), status=("gen_ai.operation.name",)), "user, which .*acme.who"),
        (Mapping(session=("acme.thread", "acme.talk")), "session, .*acme.thread, acme.talk"),
        (Mapping(status=("acme.state",)), "status, .*acme.state"),
    ],
)
def test_a_mapping_that_fits_nothing_is_a_wrong_use(
    tmp_path: Path, mapping: Mapping, named: str
) -> None:
    """The message names the entry; conversations that are put together wrong are not judged."""
    lines = generator().made(1, plant_every=0, turns=(2, 2)).lines
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))

    with pytest.raises(UsageError, match=f"fits nothing: no span of the recording holds {named}"):
        audited(tmp_path / "spans.jsonl", mapping=mapping)


def test_an_entry_of_a_mapping_that_finds_nothing_is_told(tmp_path: Path) -> None:
    """Where another entry fits: a recording without failures holds no status."""
    lines = generator().made(1, plant_every=0, turns=(2, 2)).lines
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    mapping = Mapping(user=("metadata/user.id",), status=("acme.state",))

    assert {
        "no span holds what the mapping names: status, which names acme.state": ["--mapping"]
    } == _remarks(audited(tmp_path / "spans.jsonl", mapping=mapping))


def test_nothing_to_read_is_a_wrong_use(tmp_path: Path) -> None:
    """Neither a glob nor a folder may silently hold nothing."""
    with pytest.raises(UsageError, match="no such file"):
        audited(tmp_path / "*.json")


def test_the_importers_have_names() -> None:
    """By which a remark or an entry point may speak of them."""
    assert ["fedcheck", "otlp-protobuf", "otlp-json"] == [x.name for x in importers.importers()]


def test_a_moment_that_no_clock_shows_is_none(tmp_path: Path) -> None:
    """A time of forty digits keeps its span from nothing else."""
    line = generator().made(1, plant_every=0, turns=(1, 1)).lines[0]
    late = re.sub('(?<="startTimeUnixNano": ")', "9" * 30, line)
    (tmp_path / "spans.jsonl").write_text(late)

    assert (1, 0, 0) == seen(audited(tmp_path / "spans.jsonl"))["values-kept"]


@pytest.mark.parametrize("compress", ["gzip", "zstandard"])
def test_what_a_cut_file_still_holds_is_judged(tmp_path: Path, compress: str) -> None:
    """All lines before the cut; that the rest is missing is said, of zstd too."""
    made = "\n".join(generator().made(20, plant_every=0, turns=(3, 3)).lines)
    whole = pytest.importorskip(compress).compress(made.encode())
    (tmp_path / "spans").write_bytes(whole[: len(whole) // 2])
    found = audited(tmp_path / "spans")
    [file] = found.files

    assert 10 < file.lines < 60
    assert (True, len(whole) // 2) == (file.is_cut, file.size)


def test_a_plain_file_may_be_cut_in_a_line(tmp_path: Path) -> None:
    """Nobody knows how much is missing behind it; a bad line before the last is one line."""
    lines = generator().made(3, plant_every=0, turns=(3, 3)).lines
    (tmp_path / "cut").write_text("\n".join(lines)[:-100])
    (tmp_path / "bad").write_text("\n".join([lines[0], lines[1][:-100], *lines[2:]]) + "\n")
    cuts = [audited(tmp_path / name).files[0] for name in ("cut", "bad")]

    assert [(8, True), (8, False)] == [(file.lines, file.is_cut) for file in cuts]


def test_a_bad_line_before_a_cut_is_told_too(tmp_path: Path) -> None:
    """Both are: the line that is no JSON, and that the file breaks off behind it."""
    rest = "\n".join(generator().made(1, plant_every=0).lines)
    whole = gzip.compress(f'{{"resourceSpans":oops}}\n{rest}'.encode())
    (tmp_path / "cut.gz").write_bytes(whole[:-12])

    assert {"not JSON", "the file is cut or damaged"} == {
        what.partition(":")[0] for what in _remarks(audited(tmp_path / "cut.gz"))
    }


def test_frames_of_zstd_follow_one_another(tmp_path: Path) -> None:
    """An exporter that flushes writes many."""
    zstandard = pytest.importorskip("zstandard")
    lines = generator().made(3, plant_every=0, turns=(3, 3)).lines
    frames = [zstandard.compress(f"{line}\n".encode()) for line in lines]
    (tmp_path / "spans").write_bytes(b"".join(frames))
    [file] = audited(tmp_path / "spans").files

    assert (9, False) == (file.lines, file.is_cut)


def test_blank_space_hides_nothing(tmp_path: Path) -> None:
    """Two megabytes of blank lines before the first span."""
    lines = generator().made(1, plant_every=0, turns=(3, 3)).lines
    (tmp_path / "spans.jsonl").write_text("\n" * 2**21 + "\n".join(lines))

    assert 3 == audited(tmp_path / "spans.jsonl").judged.turns


@pytest.mark.parametrize("compress", ["gzip", "zstandard"])
def test_a_compressed_bomb_costs_no_memory(tmp_path: Path, compress: str) -> None:
    """A line of 128 MB in some kilobytes is passed over; what follows it is read."""
    packed = pytest.importorskip(compress)
    lines = "\n".join(generator().made(1, plant_every=0, turns=(3, 3)).lines)
    bomb = packed.compress(bytes(2**27))
    (tmp_path / "spans").write_bytes(bomb + packed.compress(f"\n{lines}".encode()))
    tracemalloc.start()
    found = audited(tmp_path / "spans")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 3 == found.judged.turns
    assert {"a line of more than 64 MB": ["spans:1"]} == _remarks(found)
    assert most < 2**28


def test_half_a_surrogate_pair_is_compared_as_it_is_kept() -> None:
    """What no UTF-8 can hold is the same value in a result and in a text that is looked through."""
    assert leaks.digest("order \ufffd-77") == leaks.digest("order \ud800-77")
