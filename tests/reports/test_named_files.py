"""A file that a user names and that cannot be read or written is told, with what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.invariants.vocabulary.errors import DocumentError, UsageError
from fedcheck.reports.console.files import reading, writing


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """By its printable name, the system's reason and the remedy; of the kind that was asked for."""
    missing = tmp_path / "no\x1b[31m"
    with pytest.raises(DocumentError) as raised, reading(missing, "try", error=DocumentError):
        missing.read_bytes()

    assert f"{tmp_path}/no\\x1b[31m: cannot be read: No such file or directory; try" == str(
        raised.value
    )


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    """And what is right goes on."""
    with writing(tmp_path / "there"):
        (tmp_path / "there").write_bytes(b"x")
    inside = tmp_path / "there" / "x"
    with pytest.raises(UsageError, match="there/x: cannot be written: Not a dir"), writing(inside):
        inside.write_bytes(b"x")


def test_another_error_stays_what_it_is() -> None:
    """Only what the system says is put into our words."""
    with pytest.raises(KeyError), reading("x"):
        raise KeyError
