"""Names that modules import from each other, and that none of them makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

Lint = Callable[..., list[tuple[str, str, int]]]

SDK = "from imperal_sdk import Extension\n"
PANEL = "\n\n@ext.panel('p')\nasync def p(ctx):\n    return ctx.skeleton_data\n"
CIRCLES: Mapping[str, Mapping[str, str]] = {
    "itself": {"main.py": f"{SDK}from main import ext{PANEL}"},
    "each other": {
        "main.py": f"{SDK}from app import ext{PANEL}",
        "app.py": "from main import ext\n",
    },
    "a star and a name": {
        "main.py": f"{SDK}from app import *{PANEL}",
        "app.py": "from main import ext\n",
    },
    "if it can be had": {
        "main.py": f"{SDK}from app import ext{PANEL}",
        "app.py": "try:\n    from main import ext\nexcept ImportError:\n    ext = None\n",
    },
}

STARS = {
    "main.py": f"{SDK}from app import *{PANEL}",
    "app.py": "from helpers import *\n",
    "helpers.py": "from main import *\n",
}


@pytest.mark.parametrize("files", CIRCLES.values(), ids=CIRCLES)
def test_a_circle_of_imports_costs_no_finding(lint: Lint, files: Mapping[str, str]) -> None:
    """Whoever makes the extension, a member that no context has is told, and nothing else fails."""
    found = lint(files, codes=frozenset({"FED103"}))

    assert ["FED103"] == [code for code, _, _ in found]


def test_a_circle_of_stars_is_left_alone(lint: Lint) -> None:
    """A name that no star brings is not known; no rule fails at it."""
    assert [] == lint(STARS)


def test_what_a_circle_leads_to_is_found(lint: Lint) -> None:
    """A name that goes round and is made in one of the modules is what is made there."""
    files = {
        "main.py": "from app import ext, load\n\n\n@ext.panel('p')\nasync def p(ctx):\n"
        "    return (await load(ctx)).nothing\n",
        "app.py": f"{SDK}from helpers import load\next = Extension('a')\n",
        "helpers.py": "from app import ext\n\n\nasync def load(ctx):\n"
        "    return await ctx.http.get(ext.app_id)\n",
    }

    assert ["FED105"] == [code for code, _, _ in lint(files, codes=frozenset({"FED105"}))]
