"""What lies in place of a kept result costs nothing and hides nothing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.engine.cache import kept_runs

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
BAD, BAR = "bad(1)\n", "bar(1)\n"
"""Of equal size; the first has a finding."""


_BROKEN: list[Callable[[bytes], bytes]] = [
    lambda _data: b"",
    lambda data: data[: len(data) // 2],
    lambda data: data[:-1] + b"?",
    lambda data: bytes(len(data)),
    lambda data: data.replace(b"0", b"9", 1),
    lambda data: b"\x80\x04}q\x00." + data,
    lambda data: data.split(b"\n")[0] + b"\n",
    lambda _data: (kept_runs.MAGIC + " 0 0 0 99999999999999 0\n").encode(),
]


@pytest.mark.parametrize("spoil", _BROKEN)
def test_a_broken_record_costs_nothing(
    lint, looks, records, toy_extension, spoil: Callable[[bytes], bytes]
) -> None:
    """The linter runs, and the record is written anew."""
    toy_extension()
    first = lint("ext")
    (record,) = records()
    record.write_bytes(spoil(record.read_bytes()))

    assert [first] * 2 == [lint("ext"), lint("ext")]

    assert 2 == len(looks)


def test_a_record_of_another_run_in_its_place_is_not_believed(
    lint, records, tmp_path: Path
) -> None:
    """The name of a record is a mere checksum; what it was asked for stands in it."""
    (tmp_path / "clean.py").write_text(BAR)
    (tmp_path / "main.py").write_text(BAD)
    lint("main.py")
    (bad,) = records()
    lint("clean.py")
    (clean,) = set(records()) - {bad}
    bad.write_bytes(clean.read_bytes())

    assert 1 == lint("main.py").code


@pytest.mark.parametrize("inside", [".", "ext"])
def test_a_planted_record_hides_nothing(
    lint, looks, toy_extension, monkeypatch, tmp_path: Path, inside: str
) -> None:
    """Records in what is linted, or in the current folder, are not believed, nor written."""
    folder = toy_extension()
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    monkeypatch.setenv(name, str(tmp_path / inside / ".cache"))
    if inside == "ext":
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
    lint(str(folder))
    lint(str(folder))

    assert (2, []) == (len(looks), list((tmp_path / inside).rglob("*.fedcheck-run")))


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_is_not_believed(
    lint, looks, caches: Path, toy_extension, mode: int
) -> None:
    """Neither is one of another user; the tests cannot make one."""
    toy_extension()
    lint("ext")
    (caches / "fedcheck").chmod(mode)

    lint("ext")

    assert 2 == len(looks)


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may do it all")
def test_a_folder_that_cannot_be_written_costs_nothing(lint, caches: Path, toy_extension) -> None:
    """The run is as ever, and says nothing of it."""
    toy_extension()
    caches.chmod(0o500)

    done = lint("ext")

    assert (1, "") == (done.code, done.err)


def test_a_file_in_place_of_the_folder_costs_nothing(lint, caches: Path, toy_extension) -> None:
    """The same where there can be no folder."""
    toy_extension()
    (caches / "fedcheck").write_text("")

    done = lint("ext")

    assert (1, "") == (done.code, done.err)


def test_a_full_disk_costs_nothing(lint, records, toy_extension, monkeypatch) -> None:
    """And leaves nothing half written."""
    toy_extension()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fedcheck.lint.engine.cache.recording.encoded", full)
    done = lint("ext")

    assert (1, "", []) == (done.code, done.err, records())


def test_the_folder_can_be_chosen(lint, looks, records, toy_extension, tmp_path: Path) -> None:
    """Also inside of what is linted: who names it answers for it. It is marked as a cache."""
    toy_extension()
    for words in (("--cache-dir", "kept"), ("--cache-dir=kept",)):
        assert 1 == lint(*words, "ext").code
        assert 1 == lint(*words, "ext").code

    kept = tmp_path / "kept"
    assert (2, [], 2) == (len(looks), records(), len(records(kept)))
    assert (kept / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f0688")
    assert "*\n" == (kept / ".gitignore").read_text()


def test_a_chosen_folder_that_exists_gets_records_only(lint, toy_extension, tmp_path: Path) -> None:
    """It may be a folder of the user's; its files are left alone."""
    toy_extension()
    (tmp_path / "mine.run").write_text("x")
    os.utime(tmp_path / "mine.run", (1, 1))

    lint("--cache-dir", ".", "ext")

    assert ["ext", "mine.run"] == sorted(
        path.name for path in tmp_path.iterdir() if path.suffix != kept_runs.SUFFIX
    )


def test_old_records_are_removed(lint, records, toy_extension, monkeypatch) -> None:
    """Those that are old, and the oldest when all together are too large."""
    folder = toy_extension()
    lint("ext")
    (old,) = records()
    os.utime(old, (1, 1))
    lint("ext", "--select", "FED901")
    assert old not in records()

    (recent,) = records()
    os.utime(recent, (time.time() - 5, time.time() - 5))
    monkeypatch.setattr(
        "fedcheck.lint.engine.cache.store.MOST_BYTES", int(recent.stat().st_size * 1.5) * 4
    )
    for number in range(6):
        (folder / f"more{number}.py").write_text(BAR)
        lint("ext", "--select", f"FED90{number + 1}")
    assert recent not in records()
    assert len(records()) > 1
