"""Which conditions keep the use of a missing attribute from running, and which do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Lint = Callable[..., list[tuple[str, str, int]]]

HEAD = (
    "from contextlib import suppress\nimport imperal_sdk\nfrom imperal_sdk import Extension\n\n"
    'ext = Extension("n")\n\n\ndef of(user):\n    return user.id\n\n\n'
    '@ext.panel("p")\nasync def p(ctx, **params):\n    u = ctx.user\n'
)

NEVER_RUNS = [
    'return u.imperal_id if hasattr(u, "imperal_id") else u.id',
    'if hasattr(u, "imperal_id"):\n    return 1\nelse:\n    return u.id',
    'if not hasattr(u, "id"):\n    return 1\nelse:\n    return u.id',
    'return getattr(u, "imperal_id", None) or u.id',
    'if not hasattr(u, "id"):\n    return 1\nreturn u.id',
    'assert hasattr(u, "id")\nreturn u.id',
    'while params:\n    if not hasattr(u, "id"):\n        break\n    return u.id',
    'if callable(getattr(u, "id", None)):\n    return u.id()',
    'if getattr(u, "id", None) is not None:\n    return u.id',
    'if (got := getattr(u, "id", None)):\n    return u.id',
    'if "id" in dir(u):\n    return u.id',
    'if "id" in type(u).model_fields:\n    return u.id',
    'return [u.id for _ in params if hasattr(u, "id")]',
    'if not (params or not hasattr(u, "id")):\n    return u.id',
    "with suppress(KeyError, AttributeError):\n    return u.id",
    "try:\n    return u.imperal_id\nexcept AttributeError:\n    return u.id",
    "try:\n    return of(u)\nexcept AttributeError:\n    return 1",
    'return of(u) if hasattr(u, "id") else 1',
    'if imperal_sdk.__version__ < "3":\n    return u.id',
    'if hasattr(u, "id") is True:\n    return u.id',
    'if hasattr(u, "id") == False:\n    return 1\nreturn u.id',
    'match hasattr(u, "id"):\n    case True:\n        return u.id',
    'match hasattr(u, "id"):\n    case False:\n        return 1\n    case _:\n        return u.id',
    'got = hasattr(u, "id")\nmatch got:\n    case True:\n        return u.id',
    'match getattr(u, "id", None):\n    case None:\n        pass\n    case _:\n        return u.id',
]

RAISES = [
    'if hasattr(u, "imperal_id"):\n    return u.id',
    'if hasattr(u, "email") and u.id:\n    return 1',
    'return getattr(u, "agency_id", None) or u.id',
    'if not hasattr(u, "id"):\n    return u.id',
    'if hasattr(ctx.tenant, "tenant_id"):\n    return 1\nreturn u.id',
    'if hasattr(u, "id") or params:\n    return u.id',
    'if hasattr(u, "id"):\n    pass\nreturn u.id',
    'if "id" in params:\n    return u.id',
    'if "id" not in dir(u):\n    return u.id',
    "with suppress(KeyError):\n    return u.id",
    "try:\n    return u.imperal_id\nexcept KeyError:\n    return u.id",
    'try:\n    return params["x"]\nexcept AttributeError:\n    return u.id',
    "try:\n    return u.id\nexcept Exception:\n    return 1",
    "try:\n    return of(u)\nexcept ValueError:\n    return 1",
    'if hasattr(u, "id") is False:\n    return u.id',
    'if hasattr(u, "id") != True:\n    return u.id',
    'match hasattr(u, "id"):\n    case False:\n        return u.id',
    'match hasattr(u, "id"):\n    case True if ctx:\n        pass\n    case _:\n        u.id',
    'match getattr(u, "id", None):\n    case None:\n        return u.id',
]


def _severities(lint: Lint, body: str) -> set[str]:
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    used = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if "u.id" in line or ("return user.id" in line and "of(u)" in text)
    ]
    found = lint({"main.py": text}, codes=frozenset({"FED105"}))
    return {severity for _, severity, line in found if line in used}


@pytest.mark.parametrize("body", NEVER_RUNS)
def test_a_use_that_never_runs_is_no_error(lint: Lint, body: str) -> None:
    """The author asked first, in one of the ways in which people ask."""
    assert set() == _severities(lint, body) - {"info", "warning"}


@pytest.mark.parametrize("body", RAISES)
def test_other_conditions_protect_from_nothing(lint: Lint, body: str) -> None:
    """A question for another name, another object, or the wrong branch."""
    assert "error" in _severities(lint, body)


@pytest.mark.parametrize("owner", ["self", "row"])
def test_an_attribute_that_others_have_hides_nothing(lint: Lint, owner: str) -> None:
    """Nobody attaches anything to a frozen model, whatever has an ``id`` elsewhere."""
    other = f"\n\nclass Row:\n    def set(self, row):\n        {owner}.id = 1\n"
    found = lint({"main.py": HEAD + "    return u.id\n" + other}, codes=frozenset({"FED105"}))
    assert [("FED105", "error", 15)] == found


def test_what_setattr_attaches_exists(lint: Lint) -> None:
    """``setattr`` with a constant name is an assignment."""
    text = HEAD + '    return ext.bag\n\n\nsetattr(ext, "bag", {})\n'
    assert [] == lint({"main.py": text}, codes=frozenset({"FED105"}))
    other = text.replace('"bag", {}', '"box", {}')
    assert [("FED105", "error", 15)] == lint({"main.py": other}, codes=frozenset({"FED105"}))


KEYED = {
    "class Row:\n    def __init__(self, **given):\n        for key, value in given.items():\n"
    "            setattr(self, key, value)\n": 1,
    "def filled(row, key):\n    setattr(row, key, 'bag')\n    return row\n\n\n"
    "filled(object(), 'a')\n": 1,
    "for key in ('box', 'lid'):\n    setattr(ext, key, {})\n": 1,
    "for key in ('box', 'bag'):\n    setattr(ext, key, {})\n": 0,
    "def filled(row, **given):\n    for key, value in given.items():\n"
    "        setattr(row, key, value)\n\n\nfilled(ext, bag={})\n": 0,
    "import elsewhere\n\nfor key, value in {'bag': 1}.items():\n"
    "    setattr(elsewhere.found(), key, value)\n": 0,
    "import elsewhere\n\nfor key, value in elsewhere.read().items():\n"
    "    setattr(elsewhere.found(), key, value)\n": 1,
}


@pytest.mark.parametrize(("code", "count"), KEYED.items())
def test_setattr_with_a_computed_name_counts_where_it_may_reach_the_sdk(
    lint: Lint, code: str, count: int
) -> None:
    """An object of the extension's own class gets no attribute of the SDK's."""
    text = HEAD + f"    return ext.bag\n\n\n{code}"
    assert [("FED105", "error", 15)] * count == lint({"main.py": text}, codes=frozenset({"FED105"}))


def test_a_suppressed_skeleton_read_is_an_info(lint: Lint) -> None:
    """``suppress(PermissionError)`` is the author's own handler."""
    text = (
        HEAD + "    with suppress(PermissionError):\n        return await ctx.skeleton.get('n')\n"
    )
    assert ["info"] == [found[1] for found in lint({"main.py": text}, codes=frozenset({"FED201"}))]
