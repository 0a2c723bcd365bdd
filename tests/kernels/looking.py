"""A program whose version tells, as JSON, what it sees or did: ``looking.py ACTION ARGUMENT``."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path


def descriptors(_: str) -> dict[str, str]:
    """Return the open descriptors, each with what it leads to."""
    links = list(Path("/proc/self/fd").iterdir())
    return {x.name: str(x.readlink()) for x in links if x.is_symlink()}  # without what listed them


def processes(_: str) -> list[str]:
    """Return the command lines of all processes."""
    found = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    return [line.replace(b"\0", b" ").decode("utf-8", "replace") for line in found]


def escape(path: str) -> str:
    """Start a process that nobody is the parent of, without any environment; it locks a file."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, __file__, "lock", path], {})  # noqa: S606
        os._exit(0)
    os.wait()
    while not _is_locked(path):
        time.sleep(0.01)
    return "escaped"


def _is_locked(path: str) -> bool:
    try:
        with Path(path).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def lock(path: str) -> None:
    """Hold a lock on a file for some minutes."""
    signal.alarm(300)
    with Path(path).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        signal.pause()


def write(path: str) -> str:
    """Write a file."""
    Path(path).write_text("written")
    return "written"


def connect(port: str) -> str:
    """Connect to a server on this machine."""
    socket.create_connection(("127.0.0.1", int(port))).close()
    return "connected"


def main() -> None:
    """Act, then describe what came of it as often as asked."""
    action, argument = sys.argv[1:]
    seen = globals()[action](argument)
    description = {"kernel": "looking", "version": json.dumps(seen), "protocol": "fedcheck/1"}
    for line in sys.stdin:
        answer = {"jsonrpc": "2.0", "id": json.loads(line)["id"]}
        print(json.dumps({**answer, "result": description}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
