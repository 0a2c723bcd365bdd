"""FED504: a manifest that the loader refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...rule import Example, ManifestHit, Rule
from ...view import ProjectView

_GATED = "5.0.0"
"""Release from which the loader checks the version; older ones are not known to."""
_LEAST = (5, 0, 0)
_TELLING = frozenset({"app_id", "id", "name", "sdk_version", "version", "tools"})
"""Keys that mark a platform manifest; even the oldest has one."""
_JUDGED = "5.1.0"
"""Release from which the SDK's validator compares ``sdk_version`` with 5.0.0."""


def _check(view: ProjectView) -> Iterator[ManifestHit]:
    manifest = view.project.manifest
    if manifest is None or not _TELLING & manifest.keys():
        return
    version = manifest.get("sdk_version")
    gated = view.surface.at_least(_GATED)
    advice = "Build the manifest again with imperal-sdk 5.0.0 or newer: imperal build."
    if version is None:
        message = f"sdk_version is missing: {_refusal(gated)}\nThat counts as 0.0.0. {advice}"
        yield ManifestHit(needle="{", message=message, severity=None if gated else "warning")
    elif _read(str(version)) < _LEAST:
        written = re.search(r'"sdk_version"\s*:\s*"[^"]*"', view.project.manifest_text)
        yield ManifestHit(
            needle=written.group() if written else "sdk_version",
            message=f"{_older(view, str(version))}{advice}",
            severity=None if gated else "warning",
        )


def _refusal(gated: bool) -> str:
    since = "" if gated else f" since SDK {_GATED}"
    return f"the loader refuses the extension{since}"


def _older(view: ProjectView, version: str) -> str:
    if re.fullmatch(r"\d+\.\d+\.\d+", version):
        refusal = _refusal(view.surface.at_least(_GATED))
        return f"sdk_version {version} is older than {_GATED}: {refusal}\n"
    later = "" if view.surface.at_least(_JUDGED) else f" from {_JUDGED} on"
    return (
        f"sdk_version {version!r} is refused by the SDK's validator{later}\nIt reads whole numbers "
        "with dots between them, and what is left of this one counts as older than 5.0.0. "
    )


def _read(version: str) -> tuple[int, ...]:
    """Parse a version as the SDK's validator does: it cuts ``5.0.0rc1`` and ``^6.0.0``."""
    parts = version.partition("-")[0].split(".")
    return tuple(int(part[:9]) for part in parts if part.isdecimal())  # longer ones may raise


RULE = Rule(
    code="FED504",
    name="manifest-sdk-version",
    summary="The manifest names an SDK that the loader accepts.",
    severity="error",
    check_project=_check,
    what="Looks for `sdk_version` in `imperal.json`: it must be there and at least 5.0.0. For a "
    "target before 5.0.0 it is a warning: of an older loader nothing is known.",
    why="The kernel's loader refuses the whole extension; none of its functions exists for the "
    "user.",
    example='{"app_id": "notes", "version": "1.0.0"}',
    instead='{"app_id": "notes", "version": "1.0.0", "sdk_version": "6.3.7"}',
    references=("SDK sources: validator_v1_6_0.py SDK-VERSION-1",),
    bad=(
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "notes"}'},
            holds="missing",
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "n", "sdk_version": "4.2.15"}'},
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "n", "sdk_version": "4.2.15"}'},
            sdk="4.2.15",
            severity="warning",
            holds="refuses the extension since SDK 5.0.0",
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "n", "sdk_version": "^6.3.0"}'},
            sdk="5.1.0",
            holds="'^6.3.0' is refused by the SDK's validator",
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "n", "sdk_version": "^6.3.0"}'},
            sdk="5.0.3",
            holds="validator from 5.1.0 on",
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"id": "notes", "name": "Notes"}'},
            holds="sdk_version is missing",
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"description": "Notes", "sdk_version": "4.2.15"}'},
            holds="sdk_version 4.2.15 is older than 5.0.0",
        ),
    ),
    good=(
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "n", "sdk_version": "5.0.0"}'},
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"app_id": "n", "sdk_version": "6.0.0-rc1"}'},
        ),
        Example(
            """
print(1)
""",
            {"imperal.json": '{"other": 1}'},
        ),
        Example("""
print(1)
"""),
    ),
)
