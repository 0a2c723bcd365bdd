"""Private modules and names of the SDK, however a file takes them."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = "from imperal_sdk import Extension\n\next = Extension('notes')\n"
TAKEN = {
    "from imperal_sdk.cache import _private": "imperal_sdk.cache._private",
    "from imperal_sdk import _x": "imperal_sdk._x",
    "from imperal_sdk import _x as x": "imperal_sdk._x",
    "import imperal_sdk._internal.x as y": "imperal_sdk._internal",
    "from imperal_sdk._internal import a, b": "imperal_sdk._internal",
    "from imperal_sdk._internal.deep import a": "imperal_sdk._internal",
    "import imperal_sdk.cache\nprint(imperal_sdk.cache._thing)": "imperal_sdk.cache._thing",
    "import imperal_sdk.cache as kept\nprint(kept._thing)": "imperal_sdk.cache._thing",
    "from imperal_sdk import http\nhttp._client = None": "imperal_sdk.http._client",
    "import imperal_sdk\nprint(imperal_sdk._x)": "imperal_sdk._x",
    "import imperal_sdk._x\nprint(imperal_sdk._x.y)": "imperal_sdk._x",
    "import importlib\nimportlib.import_module('imperal_sdk._x')": "imperal_sdk._x",
    "from importlib import import_module\nN = 'imperal_sdk._x'\nimport_module(N)": "imperal_sdk._x",
    "__import__('imperal_sdk.cache._x')": "imperal_sdk.cache._x",
}
"""Code → the path that is private."""


@pytest.mark.parametrize("code", TAKEN)
def test_what_is_private_is_told_once(lint: Lint, code: str) -> None:
    """A breach is one warning, though several names are taken and used."""
    found = lint("FED110", f"{HEAD}\n{code}\n")
    starts = [(item.severity, item.message.split(" is private")[0]) for item in found]
    assert [("warning", TAKEN[code])] == starts


GUARDED = [
    "try:\n    from imperal_sdk._x import y\nexcept ImportError:\n    y = None",
    "try:\n    from imperal_sdk._x import y\nexcept Exception:\n    y = None",
    "if False:\n    import imperal_sdk._x",
    "import contextlib\nwith contextlib.suppress(ImportError):\n    import imperal_sdk._x",
]


@pytest.mark.parametrize("code", GUARDED)
def test_who_goes_on_without_it_is_told_less(lint: Lint, code: str) -> None:
    """An import whose failure is caught is an info."""
    assert ["info"] == [item.severity for item in lint("FED110", f"{HEAD}\n{code}\n")]


PUBLIC = [
    "from imperal_sdk import __version__",
    "import imperal_sdk\nprint(imperal_sdk.__file__, imperal_sdk.__version__)",
    "from imperal_sdk.http import client as _client\nprint(_client)",
    "import imperal_sdk.cache as _cache\nprint(_cache.client)",
    "from .imperal_sdk import _x",
    "from other._x import _y\nprint(_y._z)",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from imperal_sdk._x import Y",
    "import sys\nsys.modules['imperal_sdk._x'] = sys\nfrom imperal_sdk._x import y",
    "import importlib\nimportlib.import_module('other._x')",
    "print('imperal_sdk._x')",
]


@pytest.mark.parametrize("code", PUBLIC)
def test_what_is_public_or_elsewhere_is_left_alone(lint: Lint, code: str) -> None:
    """Dunder names are public; one's own private names and other packages are no concern."""
    assert () == lint("FED110", f"{HEAD}\n{code}\n")
