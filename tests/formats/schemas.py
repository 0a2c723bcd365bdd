"""The official schemas, which lie beside the checkout."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def official_schema(name: str) -> Path:
    """Return an official schema; skip with the reason where it is absent, except in CI."""
    folder = os.environ.get("FEDCHECK_SCHEMAS") or str(REPOSITORY / "../shared/schemas")
    path = Path(folder) / name
    if not path.is_file():
        unavailable(f"the official schema {name} is not in {folder}; see FEDCHECK_SCHEMAS")
    return path


def unavailable(reason: str) -> NoReturn:
    """Skip a test that cannot run here; in CI it fails instead."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def schema_errors(schema: str, document: Any) -> list[str]:
    """Return what an official JSON Schema has to say against a document."""
    path = official_schema(schema)
    try:
        import jsonschema_rs
    except ImportError:
        unavailable("jsonschema-rs is not installed: pip install 'fedcheck[test]'")
    validator = jsonschema_rs.validator_for(json.loads(path.read_bytes()))
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(document)]
