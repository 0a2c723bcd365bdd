"""Keys that are the same in every run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def _key(number: int) -> Any:
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    return ed25519.Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


@pytest.fixture
def key() -> Any:
    """Return a signing key."""
    return _key(1)


@pytest.fixture
def other_key() -> Any:
    """Return somebody else's signing key."""
    return _key(2)


@pytest.fixture
def key_files(tmp_path: Path) -> tuple[Path, Path]:
    """Return the files of a new pair: secret, public."""
    from click.testing import CliRunner

    from fedcheck.reports.commands.keygen import command

    pytest.importorskip("cryptography")
    result = CliRunner().invoke(command, [str(tmp_path / "pair")])
    assert 0 == result.exit_code, result.output
    return tmp_path / "pair.key", tmp_path / "pair.pub"
