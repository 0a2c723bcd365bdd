"""Every published JSON Schema, generated from the types."""

from __future__ import annotations

import json
from inspect import cleandoc
from pathlib import Path
from typing import Any, cast

from ...invariants.vocabulary import codec
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.near_names import did_you_mean
from ...reports.console.files import writing
from ...reports.lint.json_list import lint_schema
from ...reports.record.model import record_schema
from ..counterexamples.documents import CounterexampleFile
from ..recordings.mapping import Mapping
from ..settings.configuration import Settings

_DOCUMENTS: dict[str, Any] = {
    **codec.SCHEMAS,
    "config": Settings,
    "counterexample": CounterexampleFile,
    "mapping": Mapping,
}
"""The published documents whose schema is that of a type, by name."""

_SCHEMAS = {"lint": lint_schema, "record": record_schema}
"""Those whose schema is made elsewhere."""


def schema_names() -> list[str]:
    """Return the names of the documents that have a schema."""
    return sorted([*_DOCUMENTS, *_SCHEMAS])


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a document.

    Raises:
        UsageError: no document has that name.
    """
    if name in _SCHEMAS:
        return _tidied(_SCHEMAS[name]())
    if name not in _DOCUMENTS:
        hint = did_you_mean(name, schema_names(), f"there are: {', '.join(schema_names())}.")
        raise UsageError(f"There is no schema {name!r}; {hint}")
    return _tidied(codec.schema(name, _DOCUMENTS[name]))


def _tidied(value: Any) -> Any:
    """Return a schema whose descriptions are the same on every version of Python.

    Docstrings keep their indentation up to 3.12 and lose it from 3.13 on.
    """
    if isinstance(value, list):
        return [_tidied(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    tidied = {key: _tidied(item) for key, item in cast("dict[str, Any]", value).items()}
    text = tidied.get("description")
    return tidied | {"description": cleandoc(text)} if isinstance(text, str) else tidied


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write every schema as ``<name>.json`` into a folder; return their paths.

    Raises:
        UsageError: the folder cannot be written.
    """
    texts = {f"{name}.json": json.dumps(schema(name), indent=2) + "\n" for name in schema_names()}
    with writing(folder, "name another folder"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="ascii")
    return tuple(folder / name for name in texts)
