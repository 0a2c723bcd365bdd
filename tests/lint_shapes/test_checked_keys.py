"""Parts of cache keys that helpers refuse, encode, format or let choose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import base64
import re
from typing import Annotated, Literal, Optional

from imperal_sdk import ChatExtension, Extension
from pydantic import BaseModel, Field, field_validator

ext = Extension("notes")
chat = ChatExtension(ext=ext)
VALID = re.compile(r"[a-z0-9_]{1,40}")
Sort = Literal["new", "by name"]


class Params(BaseModel):
    query: str = ""
    safe: Literal["a", "b-c"] = "a"
    kind: Literal["a", "b c"] = Field("a", description="One of two")
    sort: Sort = "new"
    maybe: Optional[Literal["x/y"]] = None
    noted: Annotated[Literal["p.q"], Field(description="One")] = "p.q"
    either: Literal["u v"] | None = None
    many: list[Literal["a", "b c"]] = []
    changed: Literal["a", "b c"] = "a"

    @field_validator("changed")
    @classmethod
    def change(cls, value):
        return value.replace(" ", "-")


@ext.cache_model("m")
class M(BaseModel):
    n: int = 0


"""
HANDLER = """

@chat.function("f", "Finds notes by their text", data_model=M)
async def f(ctx, params: Params):
    {before}
    await ctx.cache.get({key}, M)
"""
REFUSING = (
    'if not re.fullmatch(r"[a-z0-9_]{1,40}", s):\n        raise ValueError("bad")',
    "if VALID.fullmatch(s) is None:\n        raise ValueError",
    "s = s.strip().lower()\n    if not VALID.fullmatch(s):\n        raise ValueError",
    "assert VALID.fullmatch(s)",
    'if s not in ("a", "b"):\n        raise ValueError',
    "if not known(s):\n        raise ValueError",
    "ensure(s)",
)
LETTING_PASS = (
    "if len(s) > 40:\n        raise ValueError",
    "if not s.strip():\n        raise ValueError",
    "if not VALID.fullmatch('x'):\n        raise ValueError",
    "print(s)",
    "note(s)",
    "pass",
)
HELPERS = (
    "def ensure(text):\n    if not VALID.fullmatch(text):\n        raise ValueError\n\n\n"
    "def note(text):\n    print(text)\n\n\n"
)


def _found(lint: Lint, key: str, helpers: str = "", before: str = "pass") -> list[Finding]:
    return list(lint("FED301", HEAD + helpers + HANDLER.format(key=key, before=before)))


def _check(body: str) -> str:
    return f"{HELPERS}def check(s):\n    {body}\n    return s\n"


@pytest.mark.parametrize("key", ['f"k:{check(params.query)}"', 'f"k:{checked}"'])
@pytest.mark.parametrize("body", REFUSING)
def test_what_a_helper_refuses_never_comes_to_the_cache(lint: Lint, body: str, key: str) -> None:
    """It raises, or gives back a text that it looked into."""
    before = "checked = check(params.query)"
    assert [] == _found(lint, key, _check(body), before)


@pytest.mark.parametrize("body", LETTING_PASS)
def test_a_helper_that_looks_at_no_letter_is_no_check(lint: Lint, body: str) -> None:
    """Length and presence say nothing of what stands in a text."""
    found = _found(lint, 'f"k:{check(params.query)}"', _check(body))
    assert [("warning", True)] == [(it.severity, "is free text" in it.message) for it in found]


@pytest.mark.parametrize(("before", "count"), [("ensure(params.query)", 0), ("note(params)", 1)])
def test_a_call_before_the_key_may_refuse(lint: Lint, before: str, count: int) -> None:
    """A function that raises checked the text in the handler itself."""
    assert count == len(_found(lint, 'f"k:{params.query}"', HELPERS, before))


@pytest.mark.parametrize("method", ["check", "K.check", "K().own"])
def test_a_method_refuses_too(lint: Lint, method: str) -> None:
    """Of whatever kind the helper is."""
    helpers = f"{_check(REFUSING[0])}\n\nclass K:\n    check = staticmethod(check)\n\n"
    helpers += "    def own(self, s):\n        return check(s)\n"
    assert [] == _found(lint, f'f"k:{{{method}(params.query)}}"', helpers)


ENCODED = "base64.{}(params.query.encode()).decode()"


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (f'f"k:{{{ENCODED.format("b64encode")}}}"', "may hold '+', '/' or '='"),
        (f'"k:" + {ENCODED.format("b64encode")}[:20]', "may hold '+', '/' or '='"),
        (f'f"k:{{{ENCODED.format("urlsafe_b64encode")}}}"', "may end in '='"),
        ('base64.b64encode(b"ab").decode()', ""),
        ('base64.b64encode("ab".encode()).decode()', "it holds '='"),
        ('base64.b64encode("abc".encode()).decode()', ""),
        (f'{ENCODED.format("urlsafe_b64encode")}.rstrip("=")', ""),
        (f'"k:" + {ENCODED.format("urlsafe_b64encode")}.replace("=", "")', ""),
        (f'"k:" + {ENCODED.format("urlsafe_b64encode")}[:20]', ""),
        ("base64.urlsafe_b64encode(digest).decode()", ""),
        ("params.query.encode().hex()", ""),
        ("load(params.query).decode()", ""),
    ],
)
def test_base64_pads_with_a_sign_that_no_key_may_hold(lint: Lint, key: str, says: str) -> None:
    """``=`` is refused; without the padding the urlsafe form is allowed."""
    found = _found(lint, key)
    assert [bool(says)] == [bool(found)]
    assert all(says in item.message for item in found)


@pytest.mark.parametrize(
    ("key", "severities"),
    [
        ('"k:%(q)s" % {"q": params.query}', ["warning"]),
        ('"k:%(q)s/%(n)d" % {"q": "a", "n": 1}', ["error"]),
        ('"k:%(q)s" % {"q": "a b"}', ["error"]),
        ('"k:%(q)s:%(n)03d" % {"q": "a", "n": 1}', []),
        ('"k:%(q)s" % given', []),
        ('"k:%(q)s" % {**given}', []),
        ('"k:%(q)s" % {"other": params.query}', []),
        ('"k:%s" % {"q": 1}', []),
        ('"k:%s:%%" % params.safe', ["error"]),
    ],
)
def test_names_in_a_format_are_followed(lint: Lint, key: str, severities: list[str]) -> None:
    """A part is what the dict holds under its name."""
    assert severities == [item.severity for item in _found(lint, key)]


@pytest.mark.parametrize(
    ("key", "choice"),
    [
        ("params.kind", "b c"),
        ('f"k:{params.kind}"', "b c"),
        ('f"k:{params.sort}"', "by name"),
        ('f"k:{params.maybe}"', "x/y"),
        ('f"k:{params.noted}"', "p.q"),
        ('f"k:{params.either}"', "u v"),
        ('f"k:{params.kind.upper()}"', "b c"),
        ('f"k:{params.many}"', ""),
        ('f"k:{params.safe}"', ""),
        ('f"k:{params.changed}"', ""),
        ('f"k:{params.kind.replace(chr(32), chr(45))}"', ""),
        ('f"k:{params.kind}" if params.kind == "a" else "k:b"', ""),
    ],
)
def test_a_choice_that_no_key_may_hold_is_found(lint: Lint, key: str, choice: str) -> None:
    """The user or the classifier may take any of a ``Literal``."""
    found = _found(lint, key)
    assert [f"may be {choice!r}"] * bool(choice) == [
        item.message.partition(".")[2].partition(" ")[2].partition(",")[0] for item in found
    ]
    assert {"warning"} >= {item.severity for item in found}


def test_a_choice_that_a_test_ruled_out_is_no_finding(lint: Lint) -> None:
    """Only the other choice comes to the key."""
    before = 'if params.kind == "b c":\n        return None'
    assert [] == _found(lint, 'f"k:{params.kind}"', before=before)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ('""', 'it is empty, so get raises ValueError|Name what is kept: "list".'),
        ("5", '5 is no text, so get raises ValueError|Write "5".'),
        ("1.5", '1.5 is no text, so get raises ValueError|Write "1_5".'),
        ('b"all notes"', "b'all notes' is no text, so get raises ValueError|Write \"all_notes\"."),
        ('"a b"', "it holds ' ', and only A-Z a-z 0-9 _ - : are allowed|Write \"a_b\"."),
    ],
)
def test_the_advice_fits_what_stands_there(lint: Lint, key: str, says: str) -> None:
    """An empty key has nothing to hash, and a number is written as a text."""
    (found,) = _found(lint, key)
    what, advice = says.split("|")
    assert (True, True) == (what in found.message, found.message.endswith(f" {advice}"))
