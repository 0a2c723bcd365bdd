"""The real rules: what is fixed stays fixed, and what is ignored stays quiet."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedcheck.lint.engine.fixes.adding_ignores import with_ignores
from fedcheck.lint.engine.fixes.fixing import Fixer
from fedcheck.lint.engine.ignores.meta_rules import META_RULES, every_rule
from fedcheck.lint.engine.run import Linter, Outcome
from fedcheck.lint.rule import PREAMBLE
from fedcheck.lint.rules import own_rules
from fedcheck.lint.settings.model import Settings

_FILE = Path("/nowhere/main.py")
_ALONE = [
    (rule, example.code)
    for rule in own_rules()
    for example in (*rule.bad, *rule.good)
    if not example.files and "from imperal_sdk" not in example.code
]
_CODES = sorted({code for _, code in _ALONE})
_MENDABLE = sorted({code for rule, code in _ALONE if "no automatic fix" not in rule.safety})
_PARTS = st.lists(
    st.one_of(
        st.sampled_from(_CODES),
        st.sampled_from(_MENDABLE),
        st.sampled_from(["\n# a remark\n", "\nx = 1  # fedcheck: ignore[FED201] gone\n", "\x0c\n"]),
    ),
    min_size=1,
    max_size=4,
)
_ENDINGS = st.sampled_from(["\n", "\r\n"])
_META = {rule.code for rule in META_RULES}


def linted(data: bytes) -> tuple[Linter, Outcome]:
    """Lint a file that lies nowhere, by every rule."""
    rules = every_rule()
    on = frozenset(rule.code for rule in rules)
    linter = Linter([_FILE], Settings(root="/nowhere"), rules, on, wanted="6.3.7")
    return linter, linter.lint({_FILE: data})


def comments(data: bytes) -> list[str]:
    """Return the comments of a source but our own, in order."""
    found = tokenize.tokenize(io.BytesIO(data).readline)
    texts = [token.string for token in found if token.type == tokenize.COMMENT]
    return [text for text in texts if "fedcheck" not in text]


@given(parts=_PARTS, ending=_ENDINGS, unsafe=st.booleans())
@settings(max_examples=60)
def test_a_fixed_file_has_nothing_left_to_fix(parts: list[str], ending: str, unsafe: bool) -> None:
    """It parses, keeps its comments and line endings, and fixing again changes nothing."""
    data = ending.join((PREAMBLE + "".join(parts)).split("\n")).encode()
    linter, outcome = linted(data)

    once = Fixer(linter, unsafe=unsafe).fix(outcome, {_FILE: data})

    fixed = next((change.after for change in once.changes.values()), data)
    again = linter.lint({_FILE: fixed})
    assert {} == Fixer(linter, unsafe=unsafe).fix(again, {_FILE: fixed}).changes
    assert not any(f.fix and f.fix.safety == "safe" for f in once.outcome.findings)
    ast.parse(fixed)
    assert comments(data) == comments(fixed)
    assert (ending == "\r\n") == (b"\r\n" in fixed)
    assert fixed.count(b"\n") == fixed.count(ending.encode())


@given(parts=_PARTS, ending=_ENDINGS)
@settings(max_examples=60)
def test_an_ignored_file_is_quiet(parts: list[str], ending: str) -> None:
    """Each added comment means its finding, and the code is the same."""
    data = ending.join((PREAMBLE + "".join(parts)).split("\n")).encode()
    _, outcome = linted(data)

    changes, hidden = with_ignores(outcome, "legacy")

    wanted = [f for f in outcome.findings if not f.suppressed and f.code not in _META]
    ignored = next((change.after for change in changes.values()), data)
    _, after = linted(ignored)
    assert len(wanted) == sum(map(len, hidden.values()))
    assert [] == [f for f in after.findings if not f.suppressed and f.code not in _META]
    idle = [sum(f.code in _META for f in it.findings) for it in (outcome, after)]
    assert idle[0] == idle[1]
    assert ast.dump(ast.parse(data)) == ast.dump(ast.parse(ignored))


def test_a_fix_counts_though_its_call_holds_another_finding() -> None:
    """Of the same rule, which nobody can fix: an unsafe fix stays, and a safe one is not made."""
    call = 'return ActionResult.success(sdl.Entity(kind="n"), message="Done")'
    data = f"""from imperal_sdk import ActionResult, Extension, sdl

ext = Extension("n")


@ext.tool("t")
async def t(ctx):
    {call}
""".encode()
    linter, outcome = linted(data)

    safe = Fixer(linter).fix(outcome, {_FILE: data})
    unsafe = Fixer(linter, unsafe=True).fix(outcome, {_FILE: data})

    assert {} == safe.changes
    (change,) = unsafe.changes.values()
    assert data.replace(b"message=", b"summary=") == change.after
    (left,) = (it for it in unsafe.outcome.findings if it.code == "FED108")
    assert left.message.startswith("sdl.Entity() needs id and title")


@pytest.mark.skipif(
    sys.version_info[:2] in {(3, 12), (3, 13)}, reason="Python itself refuses so many terms"
)
def test_a_file_with_a_deep_expression_is_fixed_and_ignored() -> None:
    """What the linter reads, though Python's own parser gives up, it also writes."""
    deep = "zz = " + "1 + " * 20_000 + "1\n"
    data = f"{PREAMBLE}\n\nasync def zy(ctx):\n    return ctx.user.id\n\n\n{deep}".encode()
    linter, outcome = linted(data)

    (fixed,) = Fixer(linter).fix(outcome, {_FILE: data}).changes.values()
    (ignored,) = with_ignores(outcome, "legacy")[0].values()

    assert data.replace(b"user.id", b"user.imperal_id") == fixed.after
    assert b"ctx.user.id  # fedcheck: ignore[FED105] legacy\n" in ignored.after
