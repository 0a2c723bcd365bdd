"""Keys of the cache whose letters the code tests before it uses them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.inference.flow.text_tests import admits_safe_only
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import hashlib
import re

from imperal_sdk import ChatExtension, Extension
from patterns import SHARED
from pydantic import BaseModel

ext = Extension("notes")
chat = ChatExtension(ext=ext)
SAFE = re.compile(r"[A-Za-z0-9_:-]{1,64}\\Z")
WHOLE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
ANY = re.compile(r".{1,64}\\Z")
LETTERS = "abcdefghijklmnopqrstuvwxyz_"


class Params(BaseModel):
    query: str = ""


@ext.cache_model("m")
class M(BaseModel):
    n: int = 0


class Keys:
    SAFE = re.compile(r"\\A[a-z]+\\Z")


def sha(k):
    return hashlib.sha256(k.encode()).hexdigest()


def key(k):
    if SAFE.match(k):
        return k
    return sha(k)


def longer_key(k):
    return k if len(k) > 3 else sha(k)


def is_safe(text):
    return bool(SAFE.match(text)) and len(text) < 60


def is_long(text):
    return len(text) > 60


@chat.function("f", "Finds notes by their text", data_model=M)
async def f(ctx, params: Params):
"""
PATTERNS = 'import re\n\nSHARED = re.compile(r"[a-z]{1,20}$")\n'
TESTED = (
    "if not SAFE.match(k):\n    k = sha(k)",
    "if not SAFE.match(k):\n    return None",
    "if SAFE.match(k) is None:\n    raise ValueError(k)",
    "if not WHOLE.fullmatch(k):\n    k = sha(k)",
    "if not SHARED.match(k):\n    k = sha(k)",
    "if not Keys.SAFE.match(k):\n    k = sha(k)",
    'if not re.fullmatch(r"[\\w-]{1,50}", k, re.ASCII):\n    k = sha(k)',
    'if re.match(r"^[a-z0-9_]{1,50}$", k) is None:\n    k = sha(k)',
    'if re.search(r"[^A-Za-z0-9]", k):\n    k = sha(k)',
    "if SAFE.match(k):\n    pass\nelse:\n    k = sha(k)",
    "found = SAFE.match(k)\nif not found:\n    k = sha(k)",
    "if not (found := SAFE.match(k)):\n    k = sha(k)",
    "k = k if SAFE.match(k) else sha(k)",
    "if len(k) > 60 or not (k.isascii() and k.isalnum()):\n    k = sha(k)",
    "if not all(c in LETTERS for c in k):\n    k = sha(k)",
    "if any(c not in LETTERS for c in k):\n    k = sha(k)",
    "if not set(k) <= set(LETTERS):\n    k = sha(k)",
    "if not is_safe(k):\n    k = sha(k)",
    "k = k if is_safe(k) else sha(k)",
)
NOT_TESTED = (
    "if ANY.match(k) is None:\n    k = sha(k)",
    "if WHOLE.match(k) is None:\n    k = sha(k)",
    'if re.fullmatch(r"[a-z/]+", k) is None:\n    k = sha(k)',
    'if re.fullmatch(r"\\w+", k) is None:\n    k = sha(k)',
    'if re.search(r"[a-z]", k) is None:\n    k = sha(k)',
    'if SAFE.match("x") is None:\n    k = sha(k)',
    "if SAFE.match(k) is not None:\n    k = sha(k)",
    "if not k.isalnum():\n    k = sha(k)",
    'if not all(c in "ab/" for c in k):\n    k = sha(k)',
    "k = sha(k) if SAFE.match(k) else k",
    "if not is_long(k):\n    k = sha(k)",
)


def _used(*steps: str, key: str = "k") -> str:
    lines = "\n".join((*steps, f"await ctx.cache.get({key}, M)")).splitlines()
    return HEAD + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("key", ["k", 'f"notes:{k}"'])
@pytest.mark.parametrize("source", ["params.query.strip()", "ctx.user.email"])
@pytest.mark.parametrize("test", TESTED)
def test_a_key_that_passed_a_test_is_silent(lint: Lint, test: str, source: str, key: str) -> None:
    """Whatever the pattern does not admit is hashed, or never comes to the cache."""
    text = _used(f"k = {source}", test, key=key)
    assert () == lint("FED301", text, patterns__py=PATTERNS)


@pytest.mark.parametrize("test", NOT_TESTED)
def test_a_key_that_a_test_admits_is_found(lint: Lint, test: str) -> None:
    """A pattern that admits other characters, and a test of something else, prove nothing."""
    found = lint("FED301", _used("k = ctx.user.email", test), patterns__py=PATTERNS)
    assert ["warning"] == [item.severity for item in found]


@pytest.mark.parametrize(
    ("key", "severities"),
    [
        ("key(ctx.user.email)", []),
        ('key("a/b")', []),
        ('f"notes:{key(ctx.user.email)}"', []),
        ("longer_key(ctx.user.email)", ["warning"]),
        ("(ctx.user.email if is_safe(ctx.user.email) else 'x')", []),
        ("(ctx.user.email if is_long(ctx.user.email) else 'x')", ["warning"]),
    ],
)
def test_a_helper_tests_its_argument(lint: Lint, key: str, severities: list[str]) -> None:
    """What a helper returns is judged where it returns it."""
    found = lint("FED301", _used(key=key), patterns__py=PATTERNS)
    assert severities == [item.severity for item in found]


@pytest.mark.parametrize(
    ("pattern", "method", "admits"),
    [
        (r"[\w:-]+", "fullmatch", False),
        (r"[A-Za-z0-9_:\-]+", "fullmatch", True),
        (r"(?P<a>[a-z]+)(?:_\d)?", "fullmatch", False),
        (r"(?P<a>[a-z]+)(?:_[0-9])?", "fullmatch", True),
        (r"a|b", "fullmatch", True),
        (r"a|b$", "match", False),
        (r"(a|b)$", "match", True),
        (r"[a-z]+", "match", False),
        (r"[a-z]+\$", "match", False),
        (r"^[a-z]+$", "search", True),
        (r"[a-z]+$", "search", False),
        (r"(?!x)[a-z]+", "fullmatch", False),
        (r"[^ /]+", "fullmatch", False),
        (r"[a-zä]+", "fullmatch", False),
        (r"[a-z.]+", "fullmatch", False),
        (r"a\.b", "fullmatch", False),
        (r"\x41", "fullmatch", False),
        (r"[z-a]", "fullmatch", False),
    ],
)
def test_what_a_pattern_admits(pattern: str, method: str, admits: bool) -> None:
    """Each of its parts matches safe characters only, and both ends of the text are bound."""
    assert admits is admits_safe_only(pattern, method)


def test_ascii_narrows_the_classes() -> None:
    """With the flag re.ASCII no letter of another script is a word character."""
    assert admits_safe_only(r"[\w:-]+\d", "fullmatch", is_ascii=True)


def test_helpers_that_call_each_other_prove_nothing(lint: Lint) -> None:
    """They are followed once, and not without end."""
    helpers = "\ndef one(k):\n    return two(k)\n\n\ndef two(k):\n    return one(k)\n"
    use = "k = ctx.user.email\n    if one(k):\n        return await ctx.cache.get(k, Count)\n"
    found = lint("FED301", f'{helpers}\n\n@ext.panel("p")\nasync def p(ctx):\n    {use}')
    assert ["error"] == [item.severity for item in found]


def test_another_name_for_what_was_tested(lint: Lint) -> None:
    """What a test proves of ``k`` holds for ``key = k``, too, if the test comes first."""
    refused = "if not SAFE.match(k):\n    return None"
    email = "k = ctx.user.email"
    for steps, key in (
        ((email, refused, "key = k"), "key"),
        ((email, refused, "key = k"), 'f"notes:{key}"'),
        (("if not SAFE.match(ctx.user.email):\n    return None", email), "k"),
    ):
        assert lint("FED301", _used(*steps, key=key), patterns__py=PATTERNS) == ()
    for steps in ((email, "key = k"), ("k = 'x'", refused, email, "key = k")):
        assert len(lint("FED301", _used(*steps, key="key"), patterns__py=PATTERNS)) == 1
