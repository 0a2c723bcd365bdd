"""Extensions are linted by several processes at the same time, and nobody sees a difference."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fedcheck.lint.engine.processes import cores, shared_out

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
PADDING = "# a line of a long file that says nothing\n" * 4_000
EXTENSION = """
from imperal_sdk import Extension

ext = Extension("app-{number}", display_name="App", description="An app of a test of processes")


@ext.panel("p")
async def p(ctx):
    return await ctx.notify.push("{number}")
"""

SCRIPT = """
import os, sys
from fedcheck.__main__ import main
forked, fork = [], os.fork
def counted():
    child = fork()
    if child:
        forked.append(child)
    elif {kills}:
        os.kill(os.getpid(), 9)
    return child
os.fork = counted
sys.argv = ["fedcheck", "lint", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    print(len(forked), "processes", file=sys.stderr)
    raise
"""


@pytest.fixture(name="tree")
def make_tree(tmp_path: Path) -> Path:
    """Return a folder with six extensions, each with one breach; one does not parse."""
    tree = tmp_path / "all"
    for number in range(6):
        folder = tree / f"app{number}"
        folder.mkdir(parents=True)
        (folder / "main.py").write_text(EXTENSION.format(number=number) + PADDING)
    (tree / "app3" / "broken.py").write_text("import imperal_sdk\nctx.notify.push(\n")
    (tree / "app3" / "main.py").write_text("import broken\n" + EXTENSION.format(number=3))
    return tree


def lint(tree: Path, *words: str, kills: bool = False) -> tuple[int, list[object], list[str]]:
    """Lint in a process that counts those that it starts; return exit code, findings and notes."""
    script = SCRIPT.format(kills=kills)
    command = [
        sys.executable,
        "-c",
        script,
        str(tree),
        "--select",
        "FED105",
        "--format",
        "json",
        *words,
    ]
    cache = {**os.environ, "XDG_CACHE_HOME": str(tree.parent / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=cache)
    return done.returncode, json.loads(done.stdout), done.stderr.splitlines()


@FORKS
def test_several_processes_find_what_one_finds(tree: Path) -> None:
    """Findings, notes and the exit code are the same; three processes did the work."""
    code, found, notes = lint(tree, "--no-cache", "-j", "1")
    assert (code, len(found), notes[-1]) == (1, 6, "0 processes")
    assert lint(tree, "--no-cache", "-j", "3") == (code, found, [*notes[:-1], "3 processes"])


@FORKS
def test_what_a_killed_process_owes_is_found_all_the_same(tree: Path) -> None:
    """Where every process is killed before it begins, the first one does the work."""
    code, found, notes = lint(tree, "--no-cache", "-j", "1")
    again = lint(tree, "--no-cache", "-j", "2", kills=True)
    assert again == (code, found, [*notes[:-1], "2 processes"])


@FORKS
def test_what_other_processes_found_is_kept(tree: Path) -> None:
    """The next run knows it, and starts no process."""
    code, found, _ = lint(tree, "-j", "2")
    again = lint(tree, "-j", "2", "--show-suppressed")  # other words: not the whole run again
    assert (again[0], again[1], again[2][-1]) == (code, found, "0 processes")


@FORKS
def test_a_changed_extension_alone_is_no_work_for_others(tree: Path) -> None:
    """A process of its own would take longer to start than it saves."""
    for number in range(1, 6):
        (tree / f"app{number}" / "main.py").write_text(EXTENSION.format(number=number))
    assert lint(tree, "--no-cache", "-j", "3")[2][-1] == "0 processes"


@FORKS
def test_one_extension_starts_no_process(tree: Path) -> None:
    """Its files need each other."""
    assert lint(tree / "app1", "--no-cache", "-j", "3")[2][-1] == "0 processes"


def test_no_jobs_are_wrong_usage(tree: Path) -> None:
    """-j 0 is refused."""
    command = [sys.executable, "-m", "fedcheck", "lint", str(tree), "-j", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "-j" in done.stderr) == (2, True)


def test_few_processes_start_by_themselves() -> None:
    """A container may see more cores than it may use."""
    assert 1 <= cores() <= 4


def squared(number: int) -> object:
    """Return the square; 3 raises, 4 cannot be told, 5 ends the process."""
    if number == 3:
        raise ValueError(number)
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return (lambda: number) if number == 4 else number * number


@FORKS
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_work_that_fails_is_missing_alone(processes: int) -> None:
    """What raises or cannot be told takes nothing else with it."""
    assert shared_out(squared, [1, 3, 2, 4], processes) == {1: 1, 2: 4}


@FORKS
def test_a_killed_process_takes_its_own_work_with_it() -> None:
    """What the others did is there, and nothing is wrong."""
    found = shared_out(squared, [5, 1, 2], 2)
    assert {number: number * number for number in found} == found
    assert 5 not in found


@FORKS
def test_more_numbers_than_fit_into_the_queue() -> None:
    """Each is worked off once."""
    assert shared_out(str, range(3_000), 3) == {number: str(number) for number in range(3_000)}


@FORKS
def test_a_system_that_starts_no_process_leaves_all_to_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is raised, nothing is found."""

    def refuse() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    assert shared_out(str, [1, 2], 2) == {}


def started(
    folder: Path, numbers: str, seconds: float, before: str = ""
) -> subprocess.Popen[bytes]:
    """Start a process with two that work, once each of them has a number in hand."""
    script = (
        "import os, signal, threading, time\n"
        f"{before}\n"
        "from fedcheck.lint.engine.processes import shared_out\n"
        "def work(number):\n"
        f"    open(f'{folder}/{{os.getpid()}}-{{number}}', 'w').close()\n"
        f"    time.sleep({seconds})\n"
        f"shared_out(work, {numbers}, 2)\n"
    )
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len(list(folder.iterdir())) < 2:
        time.sleep(0.01)
    return process


@FORKS
def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    """Ctrl-C ends all that was started."""
    process = started(tmp_path, "[1, 2]", 60)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    children = [int(it.name.partition("-")[0]) for it in tmp_path.iterdir()]
    assert said.rstrip().endswith(b"KeyboardInterrupt")
    assert [child for child in children if is_running(child)] == []


@FORKS
def test_an_interrupt_that_wakes_nobody_is_heard_all_the_same(tmp_path: Path) -> None:
    """One that another thread receives, as one just before a read blocks, ends no read."""
    receiver = (
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})"
    )
    process = started(tmp_path, "[1, 2]", 60, before=receiver)
    time.sleep(0.5)  # by then it most likely reads; if it does not yet, the test holds anyway
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert said.rstrip().endswith(b"KeyboardInterrupt")


INTERRUPTED = """
import os, signal, time
from fedcheck.lint.engine.processes import shared_out

fork = os.fork


def forked():
    child = fork()
    if child:
        print(child, flush=True)
        os.kill(os.getpid(), signal.SIGINT)
    return child


os.fork = forked
shared_out(lambda _: time.sleep(60), [1, 2], 2)
"""


@FORKS
def test_an_interrupt_while_a_process_starts_leaves_none_behind() -> None:
    """It comes between the start and the note of it."""
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, check=False, timeout=30)
    assert done.stderr.rstrip().endswith(b"KeyboardInterrupt")
    assert [False] == [is_running(int(child)) for child in done.stdout.split()]


@FORKS
def test_a_killed_caller_leaves_no_process_behind_for_long(tmp_path: Path) -> None:
    """Each ends after what it has in hand."""
    process = started(tmp_path, "range(100)", 0.5)
    process.kill()
    process.communicate(timeout=30)  # until nobody holds its output
    assert len(list(tmp_path.iterdir())) < 100


def is_running(process: int) -> bool:
    """Tell whether there is a process of that number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
