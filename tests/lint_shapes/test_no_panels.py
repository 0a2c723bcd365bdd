"""``refresh_panels`` in an extension that has no panel, and where nobody knows that it has none."""

from __future__ import annotations

import pytest

from .conftest import Lint

SAVES = """
@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["side"])
"""
OWN = """\
from imperal_sdk import ActionResult, ChatExtension, Extension


class Own(Extension):
    pass


ext = Own("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
"""
FOREIGN = """\
from imperal_sdk import ActionResult, ChatExtension
from kit import make

ext = make("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
"""


@pytest.mark.parametrize(
    "before",
    [
        "",
        "import json\nimport kit\n\nprint(kit, json)\n",
        "# the panel is gone\n",
        'ext.secret("token", "Token")\n',
        '@ext.skeleton("notes")\nasync def notes(ctx):\n    return {}\n',
        "def twice(e: Extension) -> None:\n    ...\n",
    ],
)
def test_a_panel_of_nobody(lint: Lint, before: str) -> None:
    """Where the whole extension is seen and has no panel, it is a warning without a fix."""
    (found,) = lint("FED503", before + SAVES)
    assert ("warning", None) == (found.severity, found.fix)
    assert "has no panel, so that nothing is refreshed for 'side'" in found.message


@pytest.mark.parametrize(
    "before",
    [
        'for name in ("side", "main"):\n    ext.panel(name)(print)\n',
        'def add(e):\n    e.panel("side")(print)\n\n\nadd(ext)\n',
        'setattr(ext, "_panels", {"side": {}})\n',
        'method = "pa" + "nel"\ngetattr(ext, method)("side")(print)\n',
        "import kit\n\nkit.add(ext)\n",
        "import kit\n\nplugin = ext\nkit.add(plugin)\n",
        "from kit import *\n",
        "from . import parts\n",
        "from .parts import side\n",
        "import side_panels\n",
        "from kit import panel_of\n",
        "ALL = [ext]\n",
        'ext.tool("__panel__" + input())(print)\n',
        '@ext.tray("side")\nasync def side(ctx):\n    ...\n',
        '@ext.widget("side")\nasync def side(ctx):\n    ...\n',
    ],
)
def test_what_may_register_one(lint: Lint, before: str) -> None:
    """Loops, helpers, computed names, other packages and files that are not there: silent."""
    assert () == lint("FED503", before + SAVES)


@pytest.mark.parametrize("head", [OWN, FOREIGN])
def test_an_extension_made_elsewhere(lint: Lint, head: str) -> None:
    """A subclass or a factory may register panels itself."""
    assert () == lint("FED503", head + SAVES)


def test_a_panel_in_another_file(lint: Lint) -> None:
    """A call in another file of the tree registers it; under another name only that one exists."""
    other = 'from main import ext\n\n\next.panel("{}")(print)\n'
    start = "import other\n\nprint(other)\n"
    assert () == lint("FED503", start + SAVES, other__py=other.format("side"))
    (found,) = lint("FED503", start + SAVES, other__py=other.format("main"))
    assert "error" == found.severity


def test_another_name_for_it_in_another_file(lint: Lint) -> None:
    """An import may give the extension another name, under which anything can be done with it."""
    other = "import kit\nfrom main import ext as e\n\nkit.add(e)\n"
    assert () == lint("FED503", "import other\n" + SAVES, other__py=other)


def test_the_manifest_may_list_it(lint: Lint) -> None:
    """A panel without a name that stands in the manifest is one."""
    assert () == lint("FED503", SAVES, imperal__json='{"panels": [{"slot": "left"}]}')


GIVEN = """
NAME = "side"
NAMES = ("side",)


@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({{}}, "x", refresh_panels={})
"""


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ('"side"', "['side']"),
        ("NAME", "[NAME]"),
        ('f"{p.x}_side"', "[f'{p.x}_side']"),
        ('"side" if p.x else "other"', "['side' if p.x else 'other']"),
    ],
)
def test_a_text_in_place_of_the_list(lint: Lint, given: str, advice: str) -> None:
    """The contract of the SDK refuses it, and nobody knows what the platform does with it."""
    (found,) = lint("FED503", GIVEN.format(given))
    assert ("warning", True) == (
        found.severity,
        found.message.endswith(f"Write refresh_panels={advice}."),
    )


@pytest.mark.parametrize(
    "given",
    [
        '["side"]',
        "[NAME]",
        "NAMES",
        "[*NAMES]",
        "None",
        "[]",
        "p.panels",
        'p.panels or "side"',
        '""',
    ],
)
def test_a_list_of_names_is_one(lint: Lint, given: str) -> None:
    """Also where the code does not show what is given, and where nothing is."""
    assert () == lint("FED503", GIVEN.format(given))
