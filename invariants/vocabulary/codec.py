"""Documents in and out: strict decoding with paths, lossless encoding, JSON Schemas.

Text is decoded by the standard ``json`` and then converted: msgspec's own parser refuses
lone surrogates, which kernels do send.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, cast

import msgspec

from .canonical import fast_json
from .errors import DocumentError
from .json_values import is_object
from .scenario import Scenario
from .trace import KernelDescription, Trace
from .verdict import Violation

T = TypeVar("T")

SCHEMAS: dict[str, Any] = {
    "scenario": Scenario,
    "trace": Trace,
    "kernel": KernelDescription,
    "violation": Violation,
}
"""The published documents by name."""

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def parse_json(text: str | bytes, where: str) -> Any:
    """Parse JSON text; refuses NaN and Infinity, and an object in which a key stands twice.

    Raises:
        DocumentError: naming ``where``, line and column.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"{where}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        ) from None
    except UnicodeDecodeError as error:
        raise DocumentError(f"{where}: byte {error.start}: not UTF-8") from None
    except RecursionError:
        raise DocumentError(f"{where}: nested too deeply to be read") from None
    except ValueError as error:
        raise DocumentError(f"{where}: not JSON: {error}") from None


def convert(value: Any, kind: type[T], where: str) -> T:
    """Turn parsed JSON into a typed document.

    Raises:
        DocumentError: naming ``where`` and the path inside the document.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise DocumentError(f"{where}: {error}") from None
    except RecursionError:
        raise DocumentError(f"{where}: nested too deeply to be read") from None


def decode(text: str | bytes, kind: type[T], where: str) -> T:
    """Parse and convert a document; see ``parse_json`` and ``convert`` for the errors."""
    return convert(parse_json(text, where), kind, where)


def to_json(document: Any, *, indent: int | None = None) -> str:
    """Return a typed document as canonical JSON: ASCII, sorted keys, no spaces.

    With ``indent`` it is for people, in the order of the fields.

    Raises:
        DocumentError: it holds NaN or Infinity, which JSON does not have; names the path.
    """
    if indent is None and (text := fast_json(document)) is not None:
        return text
    plain = msgspec.to_builtins(document)
    try:
        if indent is not None:
            return json.dumps(plain, indent=indent, allow_nan=False)
        return _CANONICAL.encode(plain)
    except ValueError as error:
        why = next(_not_finite(plain, "$"), str(error))
        raise DocumentError(f"{type(document).__name__} cannot be written as JSON: {why}") from None


def _not_finite(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield f"{value} is no JSON value; give a finite number or a text - at `{path}`"
    elif is_object(value):
        for key, item in value.items():
            yield from _not_finite(item, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(cast("Sequence[Any]", value)):
            yield from _not_finite(item, f"{path}[{index}]")


def schema(name: str, kind: Any) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a published document of this name and type."""
    body = msgspec.json.schema(kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"fedcheck {name}",
        **body,
    }


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; readers differ in which of two equal keys they believe."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"the key {twice[:80]!a} stands twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
