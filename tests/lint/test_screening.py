"""What a rule does not ask for is not parsed, and what it may ask for is."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint import rule_plugins as foreign_rules
from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.inference.syntax.module import Module
from fedcheck.lint.inference.syntax.parsing import parse
from fedcheck.lint.view import span_of

Check = Callable[..., object]
Parsed = Callable[..., list[str]]

MAIN = """\
from imperal_sdk import Extension
from helper import use

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    return await use({0})
"""
QUIET = "def use(given):\n    return given\n"


@pytest.fixture
def parsed(check_files: Check, monkeypatch: pytest.MonkeyPatch) -> Parsed:
    """Return a function that lints with one rule and tells the files that were parsed."""

    def run(code: str, main: str, helper: str) -> list[str]:
        names: list[str] = []

        def noted(source: SourceFile) -> Module:
            names.append(source.path.name)
            return parse(source)

        monkeypatch.setattr("fedcheck.lint.inference.syntax.names.parse", noted)
        check_files({"main.py": main, "helper.py": helper}, codes=frozenset({code}))
        return sorted(names)

    return run


@pytest.mark.parametrize(
    ("code", "argument"),
    [
        ("FED104", "ctx.skeleton._client"),
        ("FED104", "ctx.skeleton . _client"),
        ("FED104", "ctx.skeleton.＿client"),
        ("FED104", 'getattr(ctx.skeleton, "_cli" + "ent")'),
        ("FED104", 'getattr(ctx.skeleton, "\\x5fclient")'),
        ("FED110", "ctx.store._gateway_url"),
        ("FED113", "ext._tools_registry"),
        ("FED101", "ctx.fact_ledger"),
    ],
)
def test_a_file_with_the_attribute_is_parsed(parsed: Parsed, code: str, argument: str) -> None:
    """However it is spelt."""
    assert "main.py" in parsed(code, MAIN.format(argument), QUIET)


@pytest.mark.parametrize(
    ("code", "argument"),
    [
        ("FED104", "ctx.http_client"),
        ("FED104", "ctx._client_of"),
        ("FED104", 'getattr(found[0], "data", None)'),
        ("FED110", "ctx._my_own"),
        ("FED101", "ctx.fact_ledgers"),
        ("FED210", "ctx.cache"),
        ("FED502", "ctx.cache"),
    ],
)
def test_a_file_without_it_is_not(parsed: Parsed, code: str, argument: str) -> None:
    """Also if a longer name holds it."""
    assert [] == parsed(code, MAIN.format(argument), QUIET)


@pytest.mark.parametrize(
    ("code", "argument", "expected"),
    [
        ("FED301", "ctx.cache", True),
        ("FED301", "ctx. \\\n    cache", True),
        ("FED301", 'getattr(ctx, "cache")', True),
        ("FED301", "cache", False),
        ("FED301", 'ctx.cache.get("k", dict)', False),
        ("FED201", "ctx.skeleton", True),
        ("FED201", 'getattr(ctx, "skeleton")', True),
        ("FED201", 'getattr(ctx, name), "skeleton"', True),
        ("FED201", 'ctx, "skeleton"', False),
        ("FED210", "ctx.skeleton", False),
    ],
)
def test_what_is_given_away_is_followed(
    parsed: Parsed, code: str, argument: str, *, expected: bool
) -> None:
    """A file that gets the object need not name it; a rule about decorators does not care."""
    main = MAIN.format(argument).replace("from helper import use", "import helper")
    helper = "async def use(given):\n    return await given.get('a b', dict)\n"
    assert expected == ("helper.py" in parsed(code, main, helper))


EXPRESSIONS = (
    "ctx.cache.get(\n    'a',  # why\n    dict\n)",
    "f(x for x in y)",
    "(yield 1), 2",
    "a if b else c",
    "'ä' 'b' + x.ü[1:2]",
    "lambda: (1, 2)",
    "f'{a.b(1)!r:>{w}}'",
    "{1: 2, **c}, [*d]",
    "not a.b == -c ** d",
    "(await x).y",
)


@pytest.mark.parametrize("code", EXPRESSIONS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_spans_are_those_of_the_parser(code: str, end: str) -> None:
    """A finding is marked where the parser has read its expression, in characters."""
    text = f"async def f():\n  if x:\n    z = {code}\n".replace("\n", end)
    module = parse(SourceFile(Path("a.py"), "a.py", text.encode()))
    source = module.source
    for node in ast.walk(module.tree):
        if isinstance(node, ast.expr):
            span = span_of(module, node)
            assert (node.lineno, source.column(node.lineno, node.col_offset)) == (
                span.line,
                span.column,
            )
            assert (
                node.end_lineno,
                source.column(node.end_lineno or 0, node.end_col_offset or 0),
            ) == (span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("name", "group", "expected"),
    [
        ("acme-1.0.dist-info", "fedcheck.rules", True),
        ("Acme.EGG-INFO", "fedcheck.rules", True),
        ("acme-1.0.dist-info", "console_scripts", False),
        ("acme", "fedcheck.rules", False),
    ],
)
def test_packages_with_rules_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, group: str, *, expected: bool
) -> None:
    """By the text of their entry points."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "entry_points.txt").write_text(f"[{group}]\nx = acme:RULE\n")
    monkeypatch.setattr(foreign_rules.sys, "meta_path", [foreign_rules.PathFinder])
    monkeypatch.setattr(foreign_rules.sys, "path", [str(tmp_path), str(tmp_path / "absent.zip")])
    assert expected == foreign_rules.may_have_foreign_rules()


def test_packages_in_an_archive_are_left_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be listed may hold anything."""
    archive = tmp_path / "all.zip"
    archive.write_bytes(b"PK")
    monkeypatch.setattr(foreign_rules.sys, "meta_path", [foreign_rules.PathFinder])
    monkeypatch.setattr(foreign_rules.sys, "path", [str(archive)])
    assert True is foreign_rules.may_have_foreign_rules()
