"""The parts of a SARIF 2.1.0 log that the reports of a run and of the linter share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal
from urllib.parse import quote

from ..record.ids import machine_json, machine_json_pieces

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "fedcheck/v1"
"""Our own key. GitHub computes its key from the source line itself and warns if it is given."""

RESULTS_LIMIT = 25_000
"""Results of one run that GitHub accepts; a longer log is refused as a whole."""

SarifLevel = Literal["error", "warning", "note", "none"]


def log_text(run: dict[str, Any]) -> str:
    """Return a log with one run as JSON text, ASCII only."""
    return machine_json(_log(run))


def log_pieces(run: dict[str, Any]) -> Iterator[str]:
    """Yield the same text piece by piece, of a run that may hold iterators for arrays."""
    return machine_json_pieces(_log(run))


def _log(run: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def tool(version: str, rules: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the tool of a run: fedcheck with these rules, a list or an iterator."""
    return {"driver": {"name": "fedcheck", "version": version, "rules": rules}}


def rule(
    rule_id: str, *, name: str, summary: str, help_text: str, level: SarifLevel, tags: Iterable[str]
) -> dict[str, Any]:
    """Return a rule; ``help_text`` may have several lines."""
    return {
        "id": rule_id,
        "name": name,
        "shortDescription": {"text": plain(summary)},
        "fullDescription": {"text": plain(summary)},
        "help": {"text": plain(help_text)},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": list(tags), "precision": "very-high"},
    }


def identifier(text: str) -> str:
    """Return a name in CamelCase, as the names of rules are; it is never the rule's id."""
    return "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", text)) or "Rule"


def artifact(path: str) -> dict[str, str]:
    """Return the location of a file by its relative path, escaped as a URI."""
    return {"uri": quote(path.removeprefix("./"), safe="/", errors="surrogatepass")}


def suppression(
    kind: Literal["inSource", "external"], justification: str, **properties: str
) -> dict[str, Any]:
    """Return an accepted suppression; properties without a value are left out."""
    found: dict[str, Any] = {"kind": kind, "status": "accepted"}
    if justification:
        found["justification"] = justification
    if told := {name: value for name, value in properties.items() if value}:
        found["properties"] = told
    return found


def plain(text: str) -> str:
    """Return a text in which nothing is a link: SARIF reads ``[a](b)`` in messages as one."""
    return text.replace("](", "\\](")
