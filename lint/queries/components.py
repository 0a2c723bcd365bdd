"""What the functions of ``imperal_sdk.ui`` return: the components of a page."""

from __future__ import annotations

from ..model.values import Made, Value, types_of
from ..sdk.surface import PACKAGE

UI = "ui."
"""Where the components are, below the SDK's package."""
_COMPONENTS = f"{PACKAGE}.{UI}"
_MADE = types_of(Made)


def made_by(value: Value) -> str:
    """Return the path of the function of ``ui`` that returned a value, ``ui.Text``; else empty."""
    if type(value) not in _MADE or not isinstance(value, Made):
        return ""
    return value.of.removeprefix(f"{PACKAGE}.") if value.of.startswith(_COMPONENTS) else ""
