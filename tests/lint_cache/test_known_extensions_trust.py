"""What lies in place of a kept extension costs nothing and hides nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from fedcheck.lint.engine.cache import dependencies, extensions, store

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
EMPTY = b'{"findings":[],"notes":[],"sources":[]}'


def _with_body(data: bytes, body: bytes) -> bytes:
    head = data.partition(b"\n")[0].split(b" ")
    return b" ".join([*head[:2], sha256(body).hexdigest().encode()]) + b"\n" + body


_BROKEN: list[Callable[[bytes], bytes]] = [
    lambda _data: b"",
    lambda data: data[: len(data) // 2],
    lambda data: data[:-1] + b"?",
    lambda data: bytes(len(data)),
    lambda data: data.replace(b"error", b"infos"),
    lambda data: data.partition(b"\n")[0] + b"\n" + EMPTY,
    lambda data: b"\x80\x04}q\x00." + data,
    lambda data: data.replace(extensions.MAGIC, b"fedcheck-lint-extension-0"),
    lambda data: _with_body(data, b'{"findings":[{}],"notes":[],"sources":[]}'),
    lambda data: _with_body(data, b'{"findings":[],"notes":[1],"sources":[]}'),
    lambda data: _with_body(data, b"[" * 100_000),
]


@pytest.mark.parametrize("spoil", _BROKEN)
def test_a_broken_file_costs_nothing(
    lint, judged: list[str], entries, spoil: Callable[[bytes], bytes]
) -> None:
    """The extension is judged, and the file is written anew."""
    cold = lint("one", "--no-cache", "--format", "json")
    lint("one")
    (file,) = entries()
    good = file.read_bytes()
    file.write_bytes(spoil(good))
    judged.clear()

    assert cold == lint("one", "--format", "json")

    assert (["one"], good) == (judged, file.read_bytes())


def test_a_file_of_another_extension_is_not_believed(lint, entries, tree: Path) -> None:
    """Its name does not make it one: the digest of its inputs stands in it."""
    (tree / "two" / "main.py").write_text("import imperal_sdk\n")
    lint("one")
    (bad,) = entries()
    lint("two")
    (clean,) = set(entries()) - {bad}
    bad.write_bytes(clean.read_bytes())

    assert lint("one", "--format", "json") == lint("one", "--format", "json", "--no-cache")
    assert "FED201" in lint("one").out


@posix
@pytest.mark.parametrize("kind", ["folder", "pipe", "dangling link", "unreadable"])
def test_what_is_no_file_costs_nothing(lint, judged: list[str], entries, kind: str) -> None:
    """Nothing waits for a pipe, nothing is written through a link."""
    lint("one")
    (path,) = entries()
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling link":
        path.symlink_to(path.with_name("elsewhere"))
    else:
        path.touch(0)
    judged.clear()

    assert lint("one", "--format", "json") == lint("one", "--format", "json", "--no-cache")

    assert ["one", "one"] == judged
    assert not path.with_name("elsewhere").exists()


@pytest.mark.parametrize("inside", [".", "one"])
def test_a_planted_file_hides_nothing(
    lint, judged: list[str], monkeypatch, tree: Path, caches: Path, inside: str
) -> None:
    """Files in what is linted, or in the current folder, are not believed, nor written."""
    lint(str(tree / "one"))
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    planted = tree / inside / ".cache"
    shutil.move(caches, planted)
    for file in planted.rglob(f"*{store.EXTENSION_SUFFIX}"):
        file.write_bytes(_with_body(file.read_bytes(), EMPTY))
    before = sorted(planted.rglob("*"))
    monkeypatch.setenv(name, str(planted))
    if inside == "one":
        (tree.parent / "elsewhere").mkdir()
        monkeypatch.chdir(tree.parent / "elsewhere")
    judged.clear()

    assert 1 == lint(str(tree / "one"), "--select", "FED").code

    assert (["one"], before) == (judged, sorted(planted.rglob("*")))


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_is_not_believed(
    lint, judged: list[str], caches: Path, mode: int
) -> None:
    """Neither is one of another user; the tests cannot make one."""
    lint("one")
    (caches / "fedcheck").chmod(mode)

    lint("one", "--format", "json")

    assert ["one", "one"] == judged


def test_a_folder_that_cannot_be_written_is_read(
    lint, judged: list[str], entries, monkeypatch
) -> None:
    """What is in it counts; that nothing can be added is nobody's trouble."""
    lint("one")
    os.utime(entries()[0], (time.time() - 9_999, time.time() - 9_999))

    def refuse(*_: object, **_more: object) -> None:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    monkeypatch.setattr("os.utime", refuse)
    done = lint("one", "two", "--format", "json")

    assert (["one", "two"], 1, "") == (judged, done.code, done.err)
    assert 1 == len(entries())


def test_a_full_disk_costs_nothing(lint, entries, monkeypatch) -> None:
    """And leaves nothing half written."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    done = lint("one")

    assert (1, "", []) == (done.code, done.err, entries())


def test_a_linter_that_cannot_be_read_costs_nothing(lint, entries, monkeypatch) -> None:
    """A module that is gone while it is looked at, say."""

    def fail(*_: str) -> tuple[str, str]:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(extensions, "_content", fail)
    done = lint("one")

    assert (1, "", []) == (done.code, done.err, entries())


def test_what_is_found_does_not_depend_on_the_terminal(
    lint, judged: list[str], monkeypatch
) -> None:
    """Where a whole run is not said again because of its streams, extensions still are known."""
    monkeypatch.setattr("fedcheck.lint.engine.cache.kept_runs._plain_streams", lambda: False)

    assert lint("one") == lint("one")

    assert ["one"] == judged


def test_the_folder_can_be_chosen(lint, judged: list[str], entries, tree: Path) -> None:
    """Also inside of what is linted: who names it answers for it."""
    for words in (("--cache-dir", "kept"), ("--cache-dir=kept", "--format", "json")):
        assert 1 == lint(*words, "one").code

    assert (["one"], []) == (judged, entries())
    assert 1 == len(list((tree / "kept").glob(f"*{store.EXTENSION_SUFFIX}")))


def test_no_cache_is_no_cache(lint, judged: list[str], entries) -> None:
    """Nothing is read and nothing is written."""
    lint("one", "--no-cache")
    assert [] == entries()
    lint("one")

    lint("one", "--no-cache")

    assert ["one"] * 3 == judged


def test_what_reads_back_otherwise_is_not_kept(lint, entries, monkeypatch) -> None:
    """A field of a type that JSON does not know would be lost without a word."""
    monkeypatch.setattr("msgspec.json.encode", lambda _found: EMPTY)

    lint("one")

    assert [] == entries()


def test_half_a_character_is_told_as_ever(lint, tree: Path) -> None:
    """A message may hold what is no text; it is not kept."""
    text = (tree / "one" / "helper.py").read_text().replace('"account"', '"\\ud800"')
    (tree / "one" / "helper.py").write_text(text)

    known = [lint("one", "--format", "sarif") for _ in range(2)]

    assert [lint("one", "--format", "sarif", "--no-cache")] * 2 == known


def test_old_files_are_removed(lint, entries, monkeypatch, tree: Path) -> None:
    """Those that nobody asked for, and the oldest when all together are too large."""
    lint("one")
    (old,) = entries()
    os.utime(old, (1, 1))
    into_file = ("-o", "found.txt")  # of such a run only what was found is kept, never the whole
    lint("two", *into_file)
    assert old not in entries()

    (used,) = entries()
    size = used.stat().st_size
    os.utime(used, (time.time() - 9_000, time.time() - 9_000))
    lint("two", *into_file, "--format", "json")
    monkeypatch.setattr(store, "MOST_BYTES", size * 20)
    for number in range(30):
        (tree / "one" / "helper.py").write_text(f"{'# x' * number}\n")
        for file in set(entries()) - {used}:
            os.utime(file, (time.time() - 5_000, time.time() - 5_000))
        lint("one", *into_file, "--select", "FED2")
    assert used in entries()
    assert sum(file.stat().st_size for file in used.parent.iterdir()) < size * 21


@pytest.mark.slow
def test_many_at_once_do_not_disturb_each_other(lint, tree: Path) -> None:
    """Whole files only, and each run says what it should."""
    command = [Path(sys.executable).with_name("fedcheck"), "lint", "--format"]
    for turn in range(2):
        (tree / "one" / "helper.py").write_text(f"# {turn}\n")
        running = [
            subprocess.Popen([*command, name], cwd=tree, stdout=subprocess.PIPE, text=True)
            for name in ("json", "concise", "json", "concise")
        ]
        said = [process.communicate(timeout=120)[0] for process in running]
        cold = [lint("--no-cache", "--format", name).out for name in ("json", "concise")]
        assert cold * 2 == said


def test_a_file_is_read_again_when_its_stamp_differs(tmp_path: Path) -> None:
    """And only then."""
    file = tmp_path / "a.py"
    file.write_bytes(b"1")
    first = dependencies.content_at(str(file), "1")
    file.write_bytes(b"2")

    assert first == dependencies.content_at(str(file), "1")
    assert dependencies.content_of(str(file)) == dependencies.content_at(str(file), "2") != first
