"""What the extension puts in the place of something of the SDK is not judged like the SDK's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

CODES = "FED105 FED106 FED108 FED112 FED114"
HEAD = """\
import sys
import types

import imperal_sdk
from imperal_sdk import ActionResult, ChatExtension, Extension, ui
from imperal_sdk.types.identity import UserContext

ext = Extension("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
_success = ActionResult.success


def lenient(*given, **named):
    return _success({}, "Done")


"""
PANEL = '\n\n@ext.panel("p")\nasync def p(ctx):\n    return {}\n'
SUCCESS = PANEL.format("ActionResult.success(data=1)")
USER = PANEL.format("ctx.user.id")
SECRET = "from imperal_sdk import secret\n"
TOOLS = "from imperal_sdk.tools import ToolsClient\n"
FUNCTION = (
    '@chat.function("f", "Shows the notes", action_type="read", extra=1)\n'
    'async def f(ctx):\n    return ActionResult.success({}, "Done")\n'
)
PAIRS = {
    "a method": ("ActionResult.success = staticmethod(lenient)\n", "", SUCCESS),
    "a method by setattr": ('setattr(ActionResult, "success", lenient)\n', "", SUCCESS),
    "a method by a loop": (
        'for name in ("success", "error"):\n    setattr(ActionResult, name, lenient)\n',
        'for name in ("ok", "error"):\n    setattr(ActionResult, name, lenient)\n',
        SUCCESS,
    ),
    "another method": (
        "ActionResult.success = staticmethod(lenient)\n",
        "ActionResult.error = staticmethod(lenient)\n",
        SUCCESS,
    ),
    "the class": (
        "imperal_sdk.ActionResult = types.SimpleNamespace(success=lenient)\n",
        "sys.ActionResult = types.SimpleNamespace(success=lenient)\n",
        SUCCESS,
    ),
    "a decorator": ("ChatExtension.function = lenient\n", "", FUNCTION),
    "a constructor": ("Extension.__init__ = lenient\n", "", 'two = Extension("two", title="T")\n'),
    "another constructor": (
        "Extension.__init__ = lenient\n",
        "UserContext.__init__ = lenient\n",
        'two = Extension("two", title="T")\n',
    ),
    "an attribute of a frozen model": (
        "UserContext.id = property(lambda self: self.imperal_id)\n",
        "types.id = property(lambda self: self.imperal_id)\n",
        USER,
    ),
    "a frozen model by setattr": (
        'setattr(UserContext, "id", property(lambda self: self.imperal_id))\n',
        'setattr(UserContext, "uid", property(lambda self: self.imperal_id))\n',
        USER,
    ),
    "a name of the package": (
        "imperal_sdk.secret = lenient\n",
        "types.secret = lenient\n",
        SECRET,
    ),
    "a name by setattr": (
        'if not hasattr(imperal_sdk, "secret"):\n    setattr(imperal_sdk, "secret", lenient)\n',
        'if not hasattr(imperal_sdk, "secret"):\n    setattr(imperal_sdk, "other", lenient)\n',
        SECRET,
    ),
    "a module": (
        'sys.modules["imperal_sdk.tools"] = types.ModuleType("imperal_sdk.tools")\n',
        'sys.modules["imperal_sdk.tool"] = types.ModuleType("imperal_sdk.tools")\n',
        TOOLS,
    ),
    "a module by setdefault": (
        'sys.modules.setdefault("imperal_sdk.tools", types.ModuleType("t"))\n',
        'sys.path_hooks.setdefault("imperal_sdk.tools", types.ModuleType("t"))\n',
        TOOLS,
    ),
    "modules in a loop": (
        'for name in ("imperal_sdk.tools", "x"):\n    sys.modules[name] = types\n',
        'for name in ("imperal_sdk.db", "x"):\n    sys.modules[name] = types\n',
        TOOLS,
    ),
}
"""What is replaced → code that replaces it, code that does not, a use."""


@pytest.mark.parametrize("what", PAIRS)
def test_what_is_replaced_is_not_judged(lint: Lint, what: str) -> None:
    """The extension answers for it, not the SDK."""
    right, _, use = PAIRS[what]
    assert () == tuple(item.message for item in lint(CODES, HEAD + right + use))


@pytest.mark.parametrize("what", PAIRS)
def test_what_stays_is_judged(lint: Lint, what: str) -> None:
    """Without the patch, or with one of something else, the use is an error."""
    _, wrong, use = PAIRS[what]
    found = lint(CODES, HEAD + wrong + use)
    assert "error" in {item.severity for item in found}


def test_another_file_may_replace_it(lint: Lint) -> None:
    """A module that is imported first counts as well."""
    compat = (
        "from imperal_sdk import ActionResult\n\n\ndef lenient(*given, **named):\n    return None\n"
        '\n\nsetattr(ActionResult, "success", lenient)\n'
    )
    text = f"import compat\n{HEAD}{SUCCESS}"
    assert () == lint(CODES, text, compat__py=compat)
    other = compat.replace('"success"', '"shown"')
    assert ["error"] == [item.severity for item in lint(CODES, text, compat__py=other)]


STARRED = f"{HEAD}from helpers import *\n" + PANEL.format('ui.Text(text="a")')
OWN_UI = "class Own:\n    def Text(self, text):\n        return text\n\n\nui = Own()\n"


@pytest.mark.parametrize(
    ("helpers", "severities"),
    [
        (OWN_UI, []),
        (f'__all__ = ["ui"]\n{OWN_UI}', []),
        (f'__all__ = ["Own"]\n{OWN_UI}', ["error"]),
        (OWN_UI.replace("ui =", "_ui ="), ["error"]),
        ("from imperal_sdk import ui\n", ["error"]),
    ],
)
def test_a_star_import_binds_names_anew(lint: Lint, helpers: str, severities: list[str]) -> None:
    """``from helpers import *`` takes the public names, or those that ``__all__`` lists."""
    found = lint("FED108", STARRED, helpers__py=helpers)
    assert severities == [item.severity for item in found]


def test_a_later_import_outdoes_a_star(lint: Lint) -> None:
    """The last import at the top is what functions see."""
    text = "from helpers import *\nfrom helpers import Own as ui\n" + STARRED.replace(
        "from helpers import *\n", ""
    )
    assert ["error"] == [it.severity for it in lint("FED108", text, helpers__py=OWN_UI)]
