"""A package of an extension may hold an ``app.py``: it is no extension of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.engine.engine import CheckResult

Check = Callable[..., CheckResult]

APP = "from imperal_sdk import Extension\n\next = Extension('notes')\n"
MAIN = "from core.app import ext\nfrom core.repo import load\n"
HANDLER = "\n\n@ext.panel('p')\nasync def p(ctx):\n    return await load(ctx)\n"
REPO = "async def load(ctx):\n    return ctx.skeleton_data\n"


@pytest.mark.parametrize(
    ("files", "severities"),
    [
        ({"imperal.json": "{}", "core/__init__.py": ""}, ["error"]),
        ({"core/__init__.py": "", "main.py": f"import imperal_sdk\n{MAIN}{HANDLER}"}, ["error"]),
        ({"imperal.json": "{}", "core/__init__.py": "", "core/imperal.json": "{}"}, []),
        ({"imperal.json": "{}"}, []),
    ],
)
def test_a_package_belongs_to_the_extension_around_it(
    check_files: Check, files: dict[str, str], severities: list[str]
) -> None:
    """What has a manifest of its own, or is no package, is an extension itself."""
    tree = {"main.py": f"{MAIN}{HANDLER}", "core/app.py": APP, "core/repo.py": REPO, **files}
    found = [it for it in check_files(tree).findings if it.code == "FED103"]
    assert severities == [it.severity for it in found]
