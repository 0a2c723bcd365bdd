"""Whole runs in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fedcheck.conformance.driving import plan
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.scenario import Scenario
from fedcheck.reports.record.model import RunRecord

from .watched import Quiet, Run, Watched


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what judges a kernel class."""

    def judged(
        kernel: object,
        *select: str,
        breaks: Callable[[Scenario], None] = lambda _: None,
        observer: Quiet | None = None,
        **options: Any,
    ) -> RunRecord:
        adapter = Watched(kernel, breaks)
        monkeypatch.setattr(plan, "open_kernel", lambda *_args, **_options: adapter)
        chosen = RunOptions(kernel="watched", select=select, **{"examples": 10, **options})
        return run_suite(chosen, observer or Quiet())

    return judged
