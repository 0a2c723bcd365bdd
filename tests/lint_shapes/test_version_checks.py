"""Code behind a question for the version of the SDK."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.sdk_use.versions import Unreadable, called, compared, item_of
from fedcheck.reports.lint.findings import Finding

from .behind import behind, severities

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import functools
import importlib.metadata
import re
import sys

import httpx
import imperal_sdk
import imperal_sdk as sdk
from imperal_sdk import ActionResult, Extension, __version__ as KNOWN
from packaging.version import Version

import compat
from compat import FAR, HAS_MORE, SDK as TAKEN

ext = Extension("notes")
SDK = tuple(int(p) for p in imperal_sdk.__version__.split(".")[:3])
MAJOR = int(imperal_sdk.__version__.split(".")[0])
FIRST, SECOND, *_ = map(int, KNOWN.split("."))
INSTALLED = importlib.metadata.version("imperal-sdk")
LEAST = (90, 0)
FOUND = re.match(r"(\\d+)", sdk.__version__).group(1)
CLIENT = httpx.Client(headers={"User-Agent": imperal_sdk.__version__})
THEIRS = tuple(int(p) for p in httpx.__version__.split("."))
THEIR_VERSION = httpx.__version__
OF_HTTPX = importlib.metadata.version("httpx")
RETRIES = 3
HAS = MAJOR >= 90

try:
    SURE = importlib.metadata.version("imperal-sdk")
except importlib.metadata.PackageNotFoundError:
    SURE = "0"

try:
    from imperal_sdk import __version__ as TRIED
except ImportError:
    TRIED = "0"


def has_more():
    return MAJOR >= 90


def major():
    return int(sdk.__version__.split(".")[0])


def first_of(text):
    return int(text.partition(".")[0])


def agent():
    return {"User-Agent": sdk.__version__}


def at_least(*numbers):
    return SDK >= numbers


def newer_than(number):
    return MAJOR > number


def retries_left():
    return RETRIES >= 90


def parsed(text):
    parts = text.split(".")
    return [int(part) for part in parts]


OWN = parsed(sdk.__version__)


"""
COMPAT = """\
import imperal_sdk

from numbers_of import SDK

FAR = 9
HAS_MORE = SDK >= (90,)
"""
NUMBERS = "import imperal_sdk\n\nSDK = tuple(map(int, imperal_sdk.__version__.split('.')))\n"
ASKED = {
    "SDK >= (90, 0, 0)": "info",
    "SDK >= LEAST": "info",
    "SDK[0] >= 90": "info",
    "(90,) <= SDK": "info",
    "MAJOR >= 90": "info",
    "MAJOR == 90": "info",
    "MAJOR in (90, 91)": "info",
    "FIRST >= 90": "info",
    "HAS": "info",
    "not MAJOR < 90": "info",
    "MAJOR >= 90 and ctx.user": "info",
    "imperal_sdk.__version__.startswith('90.')": "info",
    "imperal_sdk.__version__[0] >= '9'": "info",
    "KNOWN.startswith('90.')": "info",
    "Version(INSTALLED) >= Version('90')": "info",
    "Version(sdk.__version__).major >= 90": "info",
    "INSTALLED.startswith('90')": "info",
    "getattr(sdk, '__version__', '0') >= '90'": "info",
    "importlib.metadata.distribution('imperal_sdk').version >= '90'": "info",
    "SURE.startswith('90')": "info",
    "FOUND == '90'": "info",
    "TRIED.startswith('90')": "info",
    "major() >= 90": "info",
    "first_of(sdk.__version__) >= 90": "info",
    "OWN >= [90]": "info",
    "TAKEN >= (90,)": "info",
    "compat.SDK >= (90,)": "info",
    "HAS_MORE": "info",
    "compat.HAS_MORE": "info",
    "has_more()": "info",
    "at_least(90, 0)": "info",
    "newer_than(89)": "info",
    "SDK >= (5, 0, 0)": "error",
    "MAJOR >= 5": "error",
    "MAJOR < 90": "error",
    "not MAJOR >= 90": "error",
    "FIRST >= 5": "error",
    "not HAS": "error",
    "TAKEN >= (5,)": "error",
    "not HAS_MORE": "error",
    "not has_more()": "error",
    "at_least(5)": "error",
    "newer_than(4)": "error",
    "Version(INSTALLED) >= Version('5')": "error",
    "not INSTALLED.startswith('90')": "error",
    "MAJOR is not None": "error",
    "MAJOR >= 90 or ctx.user": "error",
    "FAR >= 90": "error",
    "compat.FAR >= 90": "error",
    "SURE >= '5'": "error",
    "not TRIED.startswith('90')": "error",
    "major() >= 5": "error",
    "first_of(sdk.__version__) >= 5": "error",
    "first_of('90') >= 90": "error",
    "agent() == 90": "error",
    "RETRIES >= 90": "error",
    "retries_left()": "error",
    "CLIENT.timeout >= 90": "error",
    "THEIRS >= (90,)": "error",
    "OF_HTTPX.startswith('90')": "error",
    "httpx.__version__ >= '90'": "error",
    "not httpx.__version__ < '90'": "error",
    "THEIR_VERSION >= '90'": "error",
    "importlib.metadata.version('httpx') >= '90'": "error",
    "Version(httpx.__version__) >= Version('90')": "error",
    "sys.version >= '90'": "error",
    "ctx.api_version >= '90'": "info",
    "ctx.api_version >= (90, 0)": "info",
    "ctx.sdk_version >= RETRIES": "info",
    "ctx.note_version >= 90": "error",
    "ctx.note_version != ctx.last_version": "error",
    "min(httpx.__version__, sdk.__version__) >= '90'": "info",
    "str(ctx.user).startswith('90')": "error",
}
"""Condition → severity of what the SDK does not have behind it."""


@pytest.mark.parametrize("condition", ASKED)
def test_the_sdk_is_asked_however_it_is_spelt(lint: Lint, condition: str) -> None:
    """A check that fails in the target version guards; one that holds, or of another thing, no."""
    text = HEAD + behind(f"if {condition}:", "return await ctx.store.stream('x')")
    found = lint("FED105", text, compat__py=COMPAT, numbers_of__py=NUMBERS)
    assert [ASKED[condition]] == severities(found, "stream:")


@pytest.mark.parametrize("condition", ["SDK >= (90, 0, 0)", "SDK >= (5, 0, 0)", "RETRIES >= 90"])
def test_an_import_behind_it(lint: Lint, condition: str) -> None:
    """The import never runs, or it does."""
    text = f"{HEAD}if {condition}:\n    from imperal_sdk.streams import stream\n"
    (found,) = lint("FED114", text, compat__py=COMPAT, numbers_of__py=NUMBERS)
    assert ("info" if condition.startswith("SDK >= (90") else "warning") == found.severity


@pytest.mark.parametrize("condition", ASKED)
def test_a_call_behind_it(lint: Lint, condition: str) -> None:
    """A call that the SDK refuses is expected where it is never made."""
    text = HEAD + behind(f"if {condition}:", "return await ctx.store.count('x', hint='y')")
    (found,) = lint("FED108", text, compat__py=COMPAT, numbers_of__py=NUMBERS)
    assert ASKED[condition] == found.severity


@pytest.mark.parametrize("condition", ["MAJOR >= 90", "MAJOR >= 5"])
def test_an_extension_behind_it(lint: Lint, condition: str) -> None:
    """An extension that a later release takes is expected to be refused by this one."""
    text = f"{HEAD}if {condition}:\n    other = Extension('two', title='T')\n"
    (found,) = lint("FED112", text, compat__py=COMPAT, numbers_of__py=NUMBERS)
    assert ("info" if condition == "MAJOR >= 90" else "warning") == found.severity


def test_a_use_beside_it_is_found(lint: Lint) -> None:
    """The check guards its own branch alone."""
    text = f'{HEAD}@ext.panel("p")\nasync def p(ctx):\n    if MAJOR >= 90:\n'
    text += "        await ctx.store.stream('a')\n    else:\n        await ctx.store.stream('b')\n"
    text += "    await ctx.store.stream('c')\n"
    found = lint("FED105", text, compat__py=COMPAT, numbers_of__py=NUMBERS)
    own = [item for item in found if "stream:" in item.message]
    assert ["info", "error", "error"] == [item.severity for item in own]


@pytest.mark.parametrize("condition", ["HERE >= 90", "compat.THERE >= 90", "whirl(1) >= 90"])
def test_a_circle_ends(lint: Lint, condition: str) -> None:
    """Names that stand for each other, in one file and in two, are no version."""
    text = "import compat\nfrom compat import THERE\nfrom imperal_sdk import Extension\n\n"
    text += "ext = Extension('notes')\nHERE = THERE\n\n\ndef whirl(n):\n    return whirl(n)\n\n\n"
    text += f'@ext.panel("p")\nasync def p(ctx):\n    if {condition}:\n'
    text += "        return await ctx.store.stream('x')\n"
    (found,) = lint("FED105", text, compat__py="from main import HERE\n\nTHERE = HERE\n")
    assert "error" == found.severity


@pytest.mark.parametrize(
    "act",
    [
        lambda: called("eval", "1"),
        lambda: called("format", "{}", 1, method=True),
        lambda: called("split", 1, method=True),
        lambda: item_of({"a": 1}, "a"),
        lambda: compared(type("Other", (), {})(), 1, 2),
    ],
)
def test_nothing_else_is_carried_out(act: Callable[[], object]) -> None:
    """Only what takes a version apart is known."""
    with pytest.raises(Unreadable):
        act()
