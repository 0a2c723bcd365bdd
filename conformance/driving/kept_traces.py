"""Writes what a run saw as recordings, a trace on each line, which `fedcheck audit` reads."""

from __future__ import annotations

import os
from pathlib import Path

from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.trace import Trace
from ...reports.console.files import writing


class KeptTraces:
    """A file for each process of a run, in a folder that is made where there is none.

    Args:
        folder: where.
        run: a name that no other run has.
    """

    def __init__(self, folder: Path, run: str) -> None:
        self._path = folder / f"traces-{run}-{os.getpid()}.jsonl"

    def add(self, trace: Trace) -> None:
        """Write a trace.

        Raises:
            UsageError: the folder cannot be written.
        """
        with writing(self._path, "name a folder that can be written, and has room"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="ascii") as file:
                file.write(f"{to_json(trace)}\n")
