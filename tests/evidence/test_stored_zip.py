"""The container of a bundle: one way to write it, and nothing else is read."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest

from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.reports.proof.bundle import MANIFEST
from fedcheck.reports.proof.stored_zip import read_zip, write_zip

from .bundles import checked, zipped

HOSTILE_NAMES = [
    "../x",
    "/x",
    "a/../../x",
    "C:\\x",
    "a\\b",
    "",
    ".",
    "a//b",
    "./a",
    "a\x00b",
    "a\n",
    "a.",
    "a ",
    "nul.txt",
]


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=repr)
def test_a_path_that_leads_outside_is_refused(name: str) -> None:
    """When a bundle is written, and when it is read."""
    with pytest.raises(DocumentError, match="no path that a bundle may hold"):
        write_zip(io.BytesIO(), {name: b""})
    data = zipped({"x" * len(name.encode()): b"1"}) if name else zipped({"x": b"1"})
    with pytest.raises(DocumentError):
        read_zip(memoryview(data.replace(b"x" * max(len(name), 1), name.encode())), "z")


def test_names_that_collide_somewhere_are_refused() -> None:
    """When a bundle is written, and when it is read: unpacked, one would be lost."""
    with pytest.raises(DocumentError, match=r"a\.json and A\.json are one file on some systems"):
        write_zip(io.BytesIO(), {"a.json": b"1", "A.json": b"2"})
    data = zipped({"a.json": b"1", "b.json": b"2"}).replace(b"b.json", b"A.json")
    with pytest.raises(DocumentError, match=r"a\.json and A\.json are one file on some systems"):
        read_zip(memoryview(data), "z")


def packed(mode: int = 0o644, **options: Any) -> bytes:
    """Return a ZIP file of another program."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", **options) as archive:
        info = zipfile.ZipInfo(MANIFEST)
        info.external_attr = mode << 16
        archive.writestr(info, b"0" * 10_000_000, compress_type=options.get("compression"))
    return target.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        packed(),
        packed(compression=zipfile.ZIP_DEFLATED),
        packed(mode=0o120777),
        zipped({"a": b"1"})[: -22 - 47] + zipped({"a": b"1"}),
        b"",
        b"PK\x03\x04",
        b"PK\x05\x06" + b"\0" * 18,
        b"PK\x03\x04" + b"\xff" * 26,
    ],
    ids=["stored", "bomb", "symlink", "twice", "empty", "cut", "no file", "sizes"],
)
def test_a_zip_file_of_another_program_is_refused(data: bytes) -> None:
    """Bombs, links, files that come twice: nothing is unpacked to find out."""
    problems = checked(data).problems
    assert 1 == len(problems)
    assert problems[0].startswith("evidence.zip: ")


def test_overlapping_files_are_refused() -> None:
    """Two names for one range of bytes cannot be written into the directory."""
    data = bytearray(zipped({"a": b"12345", "b": b"67890"}))
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    data[second + 42 : second + 46] = struct.pack("<I", 0)
    with pytest.raises(DocumentError, match="the directory at the end"):
        read_zip(memoryview(bytes(data)), "z")


class Twice(dict[str, bytes]):
    """Files that come twice."""

    def items(self) -> Any:
        """Return each of them two times."""
        return [*super().items(), *super().items()]

    def __len__(self) -> int:
        return 2 * super().__len__()


def test_a_file_that_comes_twice_is_refused() -> None:
    """Two programs could read two different ones."""
    with pytest.raises(DocumentError, match=r"a\.txt comes twice"):
        read_zip(memoryview(zipped(Twice({"a.txt": b"1"}))), "z")
