"""Names that ``from helpers import *`` binds are followed as those that an import writes out."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
from imperal_sdk import Extension
from others import *
from helpers import *

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    await keep(ctx, {})
"""
KEEP = """
async def keep(ctx, life):
    await ctx.cache.set("notes", value(), ttl_seconds=life)
"""
OTHERS = "HOUR = 3600\n_DAY = 86400\n"
AGAIN = {"helpers__py": "from inner import *\n", "inner__py": KEEP}
ROUND = {"helpers__py": f"from others import *\n{KEEP}", "others__py": "from helpers import *\n"}


@pytest.mark.parametrize(
    ("given", "files", "expected"),
    [
        ("900", {}, "error"),
        ("HOUR", {}, "error"),
        ("60", {}, ""),
        ("900", AGAIN, "error"),
        ("900", ROUND, "error"),
        ("_DAY", {}, ""),
        ("HOUR", {"others__py": f"__all__ = ['_DAY']\n{OTHERS}"}, ""),
        ("_DAY", {"others__py": f"__all__ = ['_DAY']\n{OTHERS}"}, "error"),
        ("HOUR", {"helpers__py": f"{KEEP}\nHOUR = 60\n"}, ""),
        ("900", {"helpers__py": f"__all__ = ['print']\n{KEEP}"}, ""),
    ],
)
def test_a_star_import_is_followed(
    lint: Lint, given: str, files: dict[str, str], expected: str
) -> None:
    """Through further ones and circles too; the last one wins, and ``__all__`` decides."""
    found = lint(
        "FED302", MAIN.format(given), **{"helpers__py": KEEP, "others__py": OTHERS, **files}
    )
    assert expected == "".join(item.severity for item in found)


FROM_SDK = """
from imperal_sdk import *

ext = Extension("notes")


async def count(it: Context, sizes):
    return await it.fact_ledger.recent(len(sizes))


@ext.panel("p")
async def p(ctx):
    await count(ctx, [])
    return ActionResult.ok({})
"""


@pytest.mark.parametrize("star", ["from imperal_sdk import *", "from sdk import *"])
def test_what_a_star_takes_from_the_sdk(lint: Lint, star: str) -> None:
    """Its public names; all others stay what they are."""
    main = FROM_SDK.replace("from imperal_sdk import *", f"import imperal_sdk\n{star}")
    found = lint("FED101 FED105", main, sdk__py="from imperal_sdk import *\n")
    assert [(it.code, it.severity) for it in found] == [("FED101", "error"), ("FED105", "error")]
    own = main.replace("ext =", "class ActionResult:\n    ok = dict\n\n\next =")
    assert [it.code for it in lint("FED101 FED105", own, sdk__py="")][1:] == []
