"""Whether the reports of a bundle were made by other versions of what renders them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..formats.registry import FORMATS
from .bundle import Manifest, renderer_versions, report_path

_VERSION = re.compile(r"\d[\w.+!-]{0,60}")


def other_versions(path: str, manifest: Manifest) -> dict[str, str]:
    """Return the packages of which another version than here made a report, each with its own.

    A version that the manifest does not tell, or that could be none, excuses no difference.

    Args:
        path: of a file in the bundle.
        manifest: of the bundle.
    """
    packages = next((row.renderers for x, row in FORMATS.items() if report_path(x) == path), ())
    here = renderer_versions([path])
    told: Mapping[str, str] = manifest.renderers
    return {
        name: told[name]
        for name in packages
        if _VERSION.fullmatch(told.get(name, "")) and told[name] != here[name]
    }


def not_comparable(path: str, others: Mapping[str, str]) -> str:
    """Return why a report could not be compared, and what to install."""
    here = renderer_versions([path])
    asked = " ".join(f"{name}=={version}" for name, version in others.items())
    found = ", ".join(f"{name} {here[name]}" for name in others)
    return (
        f"{path} could not be compared: other versions made it, and here is {found}; "
        f"run `python -m pip install {asked}` and verify again"
    )
