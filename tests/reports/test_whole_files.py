"""What a command writes is there whole or not at all, and never over what it reads."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.conformance.counterexamples.documents import keep, of_record, write_file
from fedcheck.invariants.vocabulary.errors import FedcheckError, UsageError
from fedcheck.reports.console.files import write_atomically, write_output
from fedcheck.reports.record.sample import failing_record, sample_record
from fedcheck.reports.record.writer import RecordWriter, write_record


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a file system of 64 KiB."""
    folder = tmp_path / "full"
    folder.mkdir()
    mount = shutil.which("mount")
    made = (
        mount
        and not subprocess.run(
            [mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder],
            capture_output=True,
            check=False,
        ).returncode
    )
    if not made:
        pytest.skip("needs the right to mount a small file system")
    yield folder
    subprocess.run([str(shutil.which("umount")), folder], check=True)


def test_a_full_disk_leaves_what_was_there(full: Path) -> None:
    """The old content stays, and nothing half written lies beside it."""
    path = full / "out"
    write_atomically(path, b"old")
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"x" * 100_000)
    assert ([path], b"old") == (list(full.iterdir()), path.read_bytes())


def test_pieces_that_end_early_leave_what_was_there(tmp_path: Path) -> None:
    """A report is written while it is rendered; one that fails on the way is not written."""
    path = tmp_path / "out"
    write_atomically(path, iter([b"o", b"ld"]))

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        write_atomically(path, broken())
    assert ([path], b"old") == (list(tmp_path.iterdir()), path.read_bytes())


def test_commands_say_that_the_disk_is_full(full: Path, tmp_path: Path) -> None:
    """Reports, bundles and records; none of them is half there."""
    record = tmp_path / "run.ndjson"
    write_record(record, sample_record())
    (full / "filler").write_bytes(b"x" * 60_000)
    html = CliRunner().invoke(cli, ["report", str(record), "--report", f"html={full / 'r.html'}"])
    assert 2 == html.exit_code
    assert "No space left" in html.stderr
    bundle = CliRunner().invoke(cli, ["bundle", str(record), "-o", str(full / "e.zip")])
    assert isinstance(bundle.exception, UsageError)
    run = ["run", "--examples", "0", "--record", str(full / "r"), "--select", "C-LEDGER-*"]
    judged = CliRunner().invoke(cli, run)
    assert isinstance(judged.exception, UsageError)
    assert {"filler", "r.part"} == {path.name for path in full.iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
@pytest.mark.parametrize("before", [None, 0o644])
def test_what_a_kernel_said_is_for_its_owner_alone(tmp_path: Path, before: int | None) -> None:
    """The record, also while it grows, and the counterexamples, whatever lay there before."""
    record, folder = tmp_path / "run.ndjson", tmp_path / "found"
    part = record.with_name("run.ndjson.part")
    (example,) = of_record(failing_record())
    if before is not None:
        for path in (record, part, write_file(example, tmp_path)):
            path.write_bytes(b'{"format":"fedcheck-record/1"}')  # an old record is written over
            path.chmod(before)
    with RecordWriter(record, failing_record().header):
        assert 0o600 == stat.S_IMODE(part.stat().st_mode)
    write_record(record, failing_record())
    assert [] == keep(failing_record(), folder, "fedcheck replay")[1:]
    kept = [record, write_file(example, tmp_path), *folder.iterdir()]
    assert [0o600] * 3 == [stat.S_IMODE(path.stat().st_mode) for path in kept]


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    """By whatever name."""
    path, link = tmp_path / "in", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    for target in (path, link):
        with pytest.raises(UsageError, match="is what the command reads"):
            write_output(target, b"new", inputs=[None, path])
    assert b"old" == path.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        "report RUN --since OLD --report html=OLD",
        "bundle RUN --since OLD -o OLD",
        "bundle RUN -o RUN",
        "sign RUN --key KEY -o KEY",
        "history RUN OLD -o OLD --format json",
    ],
)
def test_a_command_refuses_an_output_that_it_reads(words: str, tmp_path: Path) -> None:
    """And leaves it as it was."""
    files = {name: tmp_path / name for name in ("RUN", "OLD", "KEY")}
    for name in ("RUN", "OLD"):
        write_record(files[name], sample_record())
    assert 0 == CliRunner().invoke(cli, ["keygen", str(tmp_path / "pair")]).exit_code
    files["KEY"].write_bytes((tmp_path / "pair.key").read_bytes())
    before = {name: path.read_bytes() for name, path in files.items()}
    for name, path in files.items():
        words = words.replace(name, str(path))
    result = CliRunner().invoke(cli, words.split())
    assert isinstance(result.exception, FedcheckError) or result.exit_code
    assert before == {name: path.read_bytes() for name, path in files.items()}
