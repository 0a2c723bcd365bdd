"""Nothing of a kernel outlives the run, and the record says what saw to it."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.conformance.adapters import reaping
from fedcheck.conformance.adapters.base import Adapter
from fedcheck.conformance.adapters.child import Child
from fedcheck.conformance.adapters.own_process import Hosting
from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.codec import convert
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.reports.record.model import RunRecord, Summary
from fedcheck.reports.record.protection import (
    Protection,
    is_protected,
    protection_words,
    weakest,
)
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.sample import sample_record
from fedcheck.reports.record.seal import encode_line

LOOKING = Path(__file__).parent.parent / "kernels" / "looking.py"
PATIENT = 60.0


@pytest.fixture(params=["", "pid-namespace"])
def _as_permitted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this system permits, and as if it permitted no namespaces."""
    if request.param:
        monkeypatch.setitem(reaping._refusals, request.param, "a test refuses it")


def looking(action: str, argument: object = "") -> Adapter:
    """Return a kernel that acts when it starts and tells what came of it."""
    words = [sys.executable, str(LOOKING), action, str(argument)]
    return open_kernel(f"exec:{shlex.join(words)}", timeout=PATIENT)


def seen(adapter: Adapter) -> Any:
    """Return what such a kernel tells."""
    return json.loads(adapter.describe().version)


def is_locked(path: Path) -> bool:
    """Tell whether a process holds the lock on a file."""
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@pytest.mark.usefixtures("_as_permitted")
def test_a_process_that_hides_does_not_outlive_the_kernel(tmp_path: Path) -> None:
    """Forked twice, in a session of its own, without any environment: gone when close returns."""
    path = tmp_path / "lock"
    with looking("escape", path) as adapter:
        assert "escaped" == seen(adapter)
        assert is_locked(path)
    if not is_protected(adapter.protection):
        pytest.skip("this system has no protection")
    assert not is_locked(path)


def test_a_kernel_in_a_namespace_sees_no_other_process() -> None:
    """Only itself and what started it, whose command line holds its own."""
    with looking("processes") as adapter:
        lines = seen(adapter)
    if adapter.protection != "pid-namespace":
        pytest.skip("this system permits no namespaces")
    assert 2 == len(lines)
    assert all(str(LOOKING) in line for line in lines)


@pytest.mark.usefixtures("_as_permitted")
def test_a_kernel_has_the_three_streams_and_nothing_else(tmp_path: Path) -> None:
    """Not the record, nor our output, nor the pipes of its supervisor, even if they may go on."""
    ours = [str(Path(f"/proc/self/fd/{fd}").readlink()) for fd in (1, 2)]
    with (tmp_path / "record").open("w") as record:
        os.set_inheritable(record.fileno(), True)
        with looking("descriptors") as adapter:
            found = seen(adapter)
    assert ["0", "1", "2"] == sorted(found)
    assert all(target.startswith("pipe:") for target in found.values())
    assert not {*ours, record.name} & set(found.values())


@pytest.mark.usefixtures("_as_permitted")
def test_a_kernel_writes_and_connects_as_its_user(tmp_path: Path) -> None:
    """Its files are ours, and the network of this machine is there."""
    path = tmp_path / "file"
    with looking("write", path) as adapter:
        assert "written" == seen(adapter)
    assert (os.geteuid(), os.getegid()) == (path.stat().st_uid, path.stat().st_gid)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        looking("connect", server.getsockname()[1]) as adapter,
    ):
        assert "connected" == seen(adapter)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may write what is another's")
@pytest.mark.usefixtures("_as_permitted")
def test_a_kernel_of_root_writes_where_root_may(tmp_path: Path) -> None:
    """The folder of another user, as a checkout in a container often is."""
    try:
        os.chown(tmp_path, 12345, 12345)
    except OSError:
        pytest.skip("this root may not give folders away")
    with looking("write", tmp_path / "file") as adapter:
        assert "written" == seen(adapter)


def test_python_does_not_change_the_locale_of_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started without a locale, the supervisor's interpreter sets one for itself."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    child = Child(["/bin/sh", "-c", "echo locale=$LC_CTYPE"])
    try:
        assert b"locale=" == child.read_line(float("inf"))
    finally:
        child.close()


def test_a_lost_supervisor_protects_nothing() -> None:
    """Something killed it: whatever held until then, nobody knows what is left."""
    with looking("descriptors") as adapter:
        assert isinstance(adapter, ProcessAdapter)
        adapter.describe()
        assert adapter.pid is not None
        os.kill(adapter.pid, signal.SIGKILL)
    assert "none" == adapter.protection


def test_a_namespace_that_is_demanded_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says why, and what to do."""
    monkeypatch.setitem(reaping._refusals, "pid-namespace", "a test refuses it")
    with pytest.raises(UsageError, match=r"--sandbox=on: .*\(a test refuses it\); permit"):
        open_kernel(f"exec:{sys.executable}", hosting=Hosting(sandbox="on")).describe()


@pytest.mark.parametrize("reference", ["reference", "http://127.0.0.1:1/"])
def test_a_namespace_for_what_is_not_started(reference: str) -> None:
    """It cannot be had for a server, nor for a kernel in our own process."""
    with pytest.raises(UsageError, match=r"--sandbox=on: .* no process that is started"):
        open_kernel(reference, hosting=Hosting(sandbox="on"))


KERNEL = """\
import fcntl
import uuid

held = open(f"locks/{uuid.uuid4()}", "w")
fcntl.flock(held, fcntl.LOCK_EX)


class Kernel:
    def cache_set(self, step):
        return {"event": "cache_outcome", "outcome": "refused"}

    def cache_get(self, step):
        return {"event": "cache_outcome", "outcome": "miss"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a kernel, each process of which holds a lock in ``locks``."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    (tmp_path / "locks").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def judged(*words: str) -> RunRecord:
    """Judge a kernel briefly, and return the record."""
    rest = ("--select", "I-CACHE-*", "--examples", "0", "--counterexamples", "", "--no-config")
    result = CliRunner().invoke(cli, ["run", "--record", "run.ndjson", *rest, *words])
    assert result.exit_code in {0, 1, 3}, result.output
    return read_record("run.ndjson")


def held() -> Protection:
    """Return the protection that this system permits."""
    with looking("descriptors") as adapter:
        adapter.describe()
    return adapter.protection


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_record_says_what_held(workers: str) -> None:
    """What the adapters saw, whether the run was spread or not."""
    assert held() == judged("--kernel", "kernel:Kernel", "-n", workers).summary.protection


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "protection"),
    [
        (("--kernel", "kernel:Kernel", "--sandbox", "off"), "none"),
        (("--kernel", "kernel:Kernel", "--in-process"), "none"),
        (("--kernel", "reference"), "not-needed"),
    ],
)
def test_a_record_without_protection(words: tuple[str, ...], protection: Protection) -> None:
    """It was not wanted, could not be had, or nobody needs it."""
    assert protection == judged(*words).summary.protection


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("how", ["sign", "bundle"])
@pytest.mark.parametrize(
    "words",
    [
        ("--kernel", "kernel:Kernel", "--sandbox", "off"),
        ("--kernel", "kernel:Kernel"),
        ("--kernel", "reference"),
    ],
)
def test_what_nothing_protected_is_signed_with_a_warning(words: tuple[str, ...], how: str) -> None:
    """And what was protected without one."""
    record, run = judged(*words), CliRunner().invoke
    assert 0 == run(cli, ["keygen", "signer"]).exit_code
    output = ["-o", "evidence.zip"] if how == "bundle" else []
    result = run(cli, [how, "run.ndjson", *output, "--key", "signer.key"])
    assert 0 == result.exit_code, result.output
    warned = "warning: run.ndjson: protection of the run: none: " in result.stderr
    assert (record.summary.protection == "none") == warned


def test_the_weakest_counts() -> None:
    """Of several kernels, the one that was least protected; parts without one do not count."""
    assert "subreaper" == weakest(["pid-namespace", "", "subreaper"])
    assert "none" == weakest(["not-needed", "none"])
    assert "" == weakest([""])


def test_a_record_of_before_does_not_tell() -> None:
    """Its summary lacks the field: nothing is said of what held, rather than the best or worst."""
    line = msgspec.json.decode(encode_line(sample_record().summary))
    del line["protection"]
    summary = convert(line, Summary, "summary")
    assert ("", "not told") == (summary.protection, protection_words(summary.protection))
    assert not is_protected(summary.protection)


def test_workers_end_with_their_parent(
    folder: Path, comes_true: Callable[[Callable[[], bool]], bool], is_gone: Callable[[int], bool]
) -> None:
    """Killed without a last word, it leaves neither workers nor kernels of theirs."""
    locks = folder / "locks"
    words = ["--kernel", "kernel:Kernel", "-n", "2", "--time", "5m", "--counterexamples", ""]
    with subprocess.Popen(
        [sys.executable, "-m", "fedcheck", "run", "--no-config", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as parent:
        assert comes_true(lambda: 3 <= sum(is_locked(path) for path in locks.iterdir()))
        parent.kill()
    assert comes_true(lambda: not any(is_locked(path) for path in locks.iterdir()))
    assert is_gone(parent.pid)
