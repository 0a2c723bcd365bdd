"""From the string that names a kernel to the kernel, or to the reason why not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.loading import load
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.errors import (
    KernelReferenceError,
    KernelUnreachable,
    UsageError,
)


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(Path(__file__).parent / "kernels")


def test_load_suggests_attributes() -> None:
    """A misspelt attribute is answered with near ones."""
    with pytest.raises(KernelReferenceError, match="no attribute 'Polit'; did you mean Polite"):
        load("toys:Polit")


def test_load_tells_a_missing_module_from_one_that_fails() -> None:
    """Only the user's own spelling is the user's mistake."""
    with pytest.raises(KernelReferenceError, match="no module named 'toyz'"):
        load("toyz:Polite")
    with pytest.raises(KernelReferenceError, match=r"'mutnt' in .*; did you mean mutant\?"):
        load("mutnt:x")
    with pytest.raises(KernelReferenceError, match=r"no module named 'toys\.inner'"):
        load("toys.inner:Polite")
    with pytest.raises(KernelUnreachable, match="No module named 'a_module_that_nobody_has'"):
        load("broken_import:Kernel")


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("raising_import", "OSError: no configuration found"),
        ("exiting_import", "SystemExit: usage"),
    ],
)
def test_load_shows_why_an_import_failed(module: str, message: str) -> None:
    """The last lines of the traceback say what to mend."""
    with pytest.raises(KernelUnreachable) as raised:
        load(f"{module}:kernel")
    assert f"importing {module} failed" in str(raised.value)
    assert message in str(raised.value)


def test_load_of_a_name_that_is_resolved_lazily() -> None:
    """An error on first use is shown like one of the import."""
    with pytest.raises(KernelUnreachable, match="ImportError: install the extra first"):
        load("lazy_names:kernel")
    with pytest.raises(KernelReferenceError, match="no attribute 'kernal'"):
        load("lazy_names:kernal")


@pytest.mark.parametrize(
    "reference",
    ["", "toys", "toys:", ":Polite", "toys:Polite:x", "my-module:k", "ftp://h/k"],
)
def test_reference_outside_the_grammar(reference: str) -> None:
    """The answer lists what a reference may look like."""
    with pytest.raises(KernelReferenceError, match=r"package\.module:attribute"):
        open_kernel(reference)


@pytest.mark.parametrize(
    ("reference", "message"),
    [("exec:", "no command"), ("exec:''", "no command"), ("exec:run 'it", "check the quotes")],
)
def test_command_that_is_none(reference: str, message: str) -> None:
    """An empty or unfinished command line is a usage error."""
    with pytest.raises(KernelReferenceError, match=message):
        open_kernel(reference)


def test_command_cannot_run_in_process() -> None:
    """``--in-process`` is for Python kernels."""
    with pytest.raises(KernelReferenceError, match="cannot run in process"):
        open_kernel("exec:cat", in_process=True)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_timeout_must_be_positive(timeout: float) -> None:
    """A deadline that never comes, or has passed, is refused."""
    with pytest.raises(UsageError, match="timeout"):
        open_kernel("toys:Polite", timeout=timeout)


@pytest.mark.parametrize("reference", ["mutant:no-such", "style:no-such", "mutant:"])
def test_unknown_embedded_kernel(reference: str) -> None:
    """A misspelt mutant or style is a usage error."""
    with pytest.raises(KernelReferenceError, match=reference):
        open_kernel(reference)


def test_embedded_reference_kernel() -> None:
    """The default reference is there without any set-up."""
    with open_kernel("reference") as adapter:
        assert "fact_ledger" in adapter.describe().capabilities


def test_open_kernel_in_process() -> None:
    """A reference to Python code can be hosted here."""
    with open_kernel("toys:Polite", in_process=True) as adapter:
        assert ("toys:Polite", "polite") == (adapter.reference, adapter.describe().kernel)
