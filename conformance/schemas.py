"""Every published JSON Schema, generated from the types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..invariants import codec
from ..invariants.errors import UsageError
from ..reports.record import record_schema


def schema_names() -> list[str]:
    """Return the names of the documents that have a schema."""
    return sorted([*codec.SCHEMAS, "record"])


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a document.

    Raises:
        UsageError: no document has that name.
    """
    if name == "record":
        return record_schema()
    if name not in codec.SCHEMAS:
        raise UsageError(f"There is no schema {name!r}; there are: {', '.join(schema_names())}.")
    return codec.schema(name)


def write_schemas(folder: Path) -> None:
    """Write every schema as ``<name>.json`` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in schema_names():
        text = json.dumps(schema(name), indent=2) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="ascii")
