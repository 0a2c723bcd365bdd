"""Records of runs of ``fedcheck lint``: folder, name, format.

A record holds the command line and environment of a run, its dependencies (files, folders, paths
that did not exist), and its output. docs/architecture.md says why one may be trusted. A replayed
run loads this and ``replay.py`` only, so it imports next to nothing.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Sequence

from ....reports.console.streams import takes_text_as_it_is

STARTED = time.time_ns()
"""When this process began, nearly."""
MAGIC = "fedcheck-lint-run-1"
SUFFIX = ".fedcheck-run"
_MOST_BYTES = 64 << 20
_ENVIRONMENT = ("NO_COLOR", "FORCE_COLOR", "TERM", "GITHUB_STEP_SUMMARY")


class Broken(Exception):
    """A file is no record of a run."""


class Record:
    """The dependencies and the output of one run.

    Attributes:
        key: the command line and the environment.
        code: the exit code.
        taken: when the run began, in ns since 1970.
        until: when it expires, in ns since 1970; 0 for never.
        paths: files and folders, absolute.
        stamps: ``stamp_of`` each; one that is never equal if the file had just changed.
        contents: digests, compared when the stamps differ.
        present: paths of which only the existence counts.
        pieces: (1 for stdout or 2 for stderr, text), in the order in which they were written.
    """

    __slots__ = (
        "code",
        "contents",
        "key",
        "paths",
        "pieces",
        "present",
        "stamps",
        "taken",
        "until",
    )

    def __init__(
        self,
        *,
        key: str,
        code: int,
        taken: int,
        until: int,
        paths: Sequence[str],
        stamps: Sequence[str],
        contents: Sequence[str],
        present: Sequence[str],
        pieces: Sequence[tuple[int, str]],
    ) -> None:
        self.key = key
        self.code = code
        self.taken = taken
        self.until = until
        self.paths = paths
        self.stamps = stamps
        self.contents = contents
        self.present = present
        self.pieces = pieces


def folder_for(words: Sequence[str], chosen: str | None = None) -> str | None:
    """Return the folder of the records; None if these words ask for none.

    Args:
        words: the command line behind ``fedcheck lint``.
        chosen: the folder that was asked for, if the words have been parsed.
    """
    return trusted_folder(words, chosen) if _plain_streams() else None


def trusted_folder(words: Sequence[str], chosen: str | None = None) -> str | None:
    """Return the cache folder; None if there is none that can be trusted.

    Args:
        words: the command line behind ``fedcheck lint``.
        chosen: the folder that was asked for, if the words have been parsed.
    """
    if "--no-cache" in words:
        return None
    asked = chosen if chosen is not None else _asked_for(words)
    if asked is not None:
        return os.path.abspath(asked)  # noqa: PTH100 - pathlib is not loaded
    folder = _of_the_user()
    if folder is None or _is_within(folder, words):
        return None
    try:
        status = os.stat(folder)  # noqa: PTH116 - as above
    except OSError:
        return folder  # it may be made
    if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        return None
    return folder


def key_of(words: Sequence[str]) -> str:
    """Return the command line and environment of a run as one string."""
    streams = [(stream.encoding, stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    environment = [os.environ.get(name) for name in _ENVIRONMENT]
    user = os.geteuid() if hasattr(os, "geteuid") else 0
    where = (os.getcwd(), user, sys.path, sys.getfilesystemencoding())  # noqa: PTH109
    python = (sys.version, sys.executable, sys.flags.optimize)
    return repr((list(words), where, python, streams, environment))


def name_of(key: str) -> str:
    """Return the name of a record's file; the key inside must be equal too."""
    data = key.encode("utf-8", "backslashreplace")
    return f"{zlib.crc32(data):08x}{zlib.adler32(data):08x}{SUFFIX}"


def stamp_of(path: str) -> str:
    """Return the stamp of a path: size, times and so on, by one ``stat``."""
    try:
        it = os.stat(path)  # noqa: PTH116 - pathlib is not loaded
    except OSError as error:
        return f"-{error.errno}"
    return f"{it.st_mtime_ns} {it.st_ctime_ns} {it.st_size} {it.st_ino} {it.st_dev} {it.st_mode}"


def read(path: str) -> Record | None:
    """Return the record in a file; None if there is no such file.

    Raises:
        Broken: the file is no record, or only a part of one.
        OSError: it cannot be read.
    """
    data = contents(path)
    return None if data is None else decoded(data)


def contents(path: str) -> bytes | None:
    """Return the bytes of a regular file, without waiting for a pipe; None if there is none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(_MOST_BYTES)


def decoded(data: bytes) -> Record:
    """Decode a record.

    Raises:
        Broken: they are none, or only a part of one.
    """
    head, _, body = data.partition(b"\n")
    start, _, checksum = head.decode("ascii", "replace").rpartition(" ")
    magic, *words = start.split(" ")
    if magic != MAGIC or checksum != _checksum(start, body):
        raise Broken
    code, taken, until, *sizes = (int(word) for word in words)
    text = body.decode("utf-8", "surrogatepass")
    parts: list[str] = []
    for size in sizes:
        parts.append(text[:size])
        text = text[size:]
    key, rows, present, *written = parts
    fields = rows.split("\0")
    return Record(
        key=key,
        code=code,
        taken=taken,
        until=until,
        paths=fields[0::3],
        stamps=fields[1::3],
        contents=fields[2::3],
        present=present.split("\0") if present else (),
        pieces=[(int(piece[0]), piece[1:]) for piece in written],
    )


def encoded(record: Record) -> bytes:
    """Return a record as the bytes of its file."""
    rows = zip(record.paths, record.stamps, record.contents, strict=True)
    parts = [
        record.key,
        "\0".join(field for row in rows for field in row),
        "\0".join(record.present),
        *(f"{stream}{text}" for stream, text in record.pieces),
    ]
    body = "".join(parts).encode("utf-8", "surrogatepass")
    numbers = (record.code, record.taken, record.until, *(len(part) for part in parts))
    start = " ".join((MAGIC, *map(str, numbers)))
    return f"{start} {_checksum(start, body)}\n".encode() + body


def _checksum(start: str, body: bytes) -> str:
    return str(zlib.crc32(body, zlib.crc32(start.encode("utf-8", "replace"))))


def _plain_streams() -> bool:
    return takes_text_as_it_is(sys.stdout) and takes_text_as_it_is(sys.stderr)


def _asked_for(words: Sequence[str]) -> str | None:
    """Return the folder of ``--cache-dir``; the last one counts."""
    found = None
    for before, word in zip(("", *words), words, strict=False):
        if before == "--cache-dir":
            found = word
        elif word.startswith("--cache-dir="):
            found = word.partition("=")[2]
    return found


def _of_the_user() -> str | None:
    """Return the folder in which this user keeps caches."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # noqa: PTH117 - a relative one does not count
            home = os.path.expanduser("~")  # noqa: PTH111
            base = os.path.join(home, ".cache")  # noqa: PTH118
    return os.path.join(base, "fedcheck") if os.path.isabs(base) else None  # noqa: PTH117, PTH118


def _is_within(folder: str, words: Sequence[str]) -> bool:
    """Tell whether a folder lies in a linted tree, where a stranger may have put records.

    Each word counts as a path, values of options included.
    """
    real = os.path.realpath(folder) + os.sep
    bases = {os.path.realpath(word) for word in (".", *words) if not word.startswith("-")}
    return any(real.startswith(base.rstrip(os.sep) + os.sep) for base in bases)
