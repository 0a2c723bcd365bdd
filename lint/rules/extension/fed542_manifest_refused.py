"""FED542: a manifest that the SDK's schema refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...rule import Example, ManifestHit, Rule
from ...sdk_use.certainty import near_names
from ...view import ProjectView

_KEYS = frozenset({
    "actions_explicit", "app_id", "author", "capabilities", "category", "config_defaults",
    "description", "events", "exposed", "file_sinks", "hidden_in_sidebar", "homepage", "icon",
    "icon_size_bytes", "license", "lifecycle", "lifecycle_hooks", "manifest_schema_version",
    "marketplace", "menu", "migrations_dir", "name", "oauth", "panels", "pricing",
    "required_scopes", "schedules", "sdk_version", "search_providers", "secrets",
    "signals", "system", "tags", "tools", "tray", "version", "webhooks",
})  # fmt: skip
"""Top-level keys of ``manifest_schema.Manifest``, in whatever release."""
_PATH = re.compile(r"/[a-z0-9_/-]+")
_HAS_WEBHOOKS = "4.0.0"


def _check(view: ProjectView) -> Iterator[ManifestHit]:
    manifest = view.project.manifest
    if manifest is None or "app_id" not in manifest:
        return
    for key in sorted(manifest.keys() - _KEYS):
        near = near_names(key, _KEYS, most=1, alike=0.8)
        advice = f'Write "{near[0]}".' if near else "Leave it out."
        yield ManifestHit(
            needle=f'"{key}"',
            message=f"{key}: the manifest has a key that the schema does not know\n"
            f"The validator of {view.surface.version} refuses it (M3), and nothing reads what "
            f"stands there. {advice}",
        )
    webhooks = view.project.listed("webhooks") if view.surface.at_least(_HAS_WEBHOOKS) else []
    for path in (item.get("path") for item in webhooks):
        if isinstance(path, str) and not _PATH.fullmatch(path):
            yield ManifestHit(
                needle=f'"{path}"',
                message=f"webhook {path}: the schema refuses the path\n"
                f"A path begins with / and has lower-case letters, digits, _, - and / "
                f"(M4 of the validator of {view.surface.version}). Write it so in @ext.webhook "
                "and build the manifest again: imperal build.",
            )


RULE = Rule(
    code="FED542",
    name="manifest-refused",
    summary="The manifest fits the SDK's schema.",
    severity="error",
    since="1.6.2",
    check_project=_check,
    what="Finds top-level keys of `imperal.json` that the schema of no release knows, such as "
    "`schedule` for `schedules`, and paths in `webhooks` that are not `/` and lower-case letters, "
    "digits, `_`, `-` or `/`.",
    why="`imperal validate`, which gates publishing, refuses the manifest, and what a mistyped key "
    "holds is read by nothing: a schedule under `schedule` never runs.",
    example='{"app_id": "notes", "version": "1.0.0", "schedule": []}',
    instead='{"app_id": "notes", "version": "1.0.0", "schedules": []}',
    references=("SDK sources: manifest_schema.py M3, M4",),
    bad=(
        Example(
            "\nprint(1)\n",
            {"imperal.json": '{"app_id": "n", "schedule": []}'},
            holds='Write "schedules".',
        ),
        Example(
            "\nprint(1)\n",
            {"imperal.json": '{"app_id": "n", "homes": []}'},
            holds="Leave it out.",
        ),
        Example(
            "\nprint(1)\n",
            {"imperal.json": '{"app_id": "n", "webhooks": [{"path": "telegram/Updates"}]}'},
            holds="webhook telegram/Updates: the schema refuses the path",
        ),
    ),
    good=(
        Example(
            "\nprint(1)\n",
            {
                "imperal.json": '{"app_id": "n", "schedules": [], "menu": [], '
                '"webhooks": [{"path": "/updates/new-1"}]}'
            },
        ),
        Example("\nprint(1)\n", {"imperal.json": '{"schedule": []}'}),
        Example(
            "\nprint(1)\n",
            {"imperal.json": '{"app_id": "n", "webhooks": [{"path": "Updates"}]}'},
            sdk="3.7.0",
        ),
    ),
)
