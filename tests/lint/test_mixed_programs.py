"""No rule fails at a program of which only its grammar is right: examples, mixed at random."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable, Iterator, Mapping

import pytest

from fedcheck.lint.engine.engine import CheckResult
from fedcheck.lint.engine.ignores.meta_rules import every_rule
from fedcheck.lint.rule import PREAMBLE

Check = Callable[..., CheckResult]
Place = tuple[ast.AST, str, int | None]

ODD = (
    "f(*())",
    "tuple[()]",
    "x[::]",
    "x[1:2, 3]",
    "{**{}}",
    "1e999",
    "...",
    "(y := ctx)",
    "super()",
    "lambda *a, **k: ctx",
    "(x for x in ctx)",
    "a < b < c",
    "getattr(ctx, 'store', None)",
    "partial(ctx.cache.set, 'a')",
    "''.join(x)",
    "await ctx",
    "math.inf * 0",
    "10**5000",
    "'x' * 10**12",
    "1 // 0",
    "'%1000000000d' % 1",
    "'{0.x}'.format(1)",
    "re.compile('(')",
    "range(0, 10, 0)",
)
"""Expressions that the examples have seldom."""
MODULES = ("main", "app", "helpers")
TOO_SHORT = """
@chat.function("f", "Tells")
async def f(ctx, params):
    rows, count = {}
    return ActionResult.success({{"rows": rows, "count": count}}, "Told")
"""
"""What Python refuses only when it runs."""
HALF = "\\ud800"
HALVES = (
    f'@ext.skeleton("n{HALF}", alert=True)\nasync def n(ctx):\n    return {{"response": {{}}}}\n',
    f'@ext.panel("p{HALF}")\nasync def p(ctx):\n    return getattr(ctx, "{HALF}", None)\n',
    f'@ext.panel("p")\nasync def p(ctx):\n    return getattr(ctx.http, "x{HALF}", None)\n',
    f'@ext.panel("p")\nasync def p(ctx):\n    await ctx.cache.set("{HALF}", 1, ttl_seconds=60)\n',
    f'@chat.function("f{HALF}", "Tells")\nasync def f(ctx, params):\n    return None\n',
)
"""Programs with half a character in a name, which no bytes stand for."""
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))]
PROGRAMS = 40
"""Programs of one seed."""


def example_codes() -> list[str]:
    """Return the examples of all rules that have an expression."""
    found = [item.code for rule in every_rule() for item in (*rule.bad, *rule.good)]
    codes = [code if "from imperal_sdk" in code else PREAMBLE + code for code in found]
    return [code for code in codes if any(read_expressions(ast.parse(code)))]


def read_expressions(tree: ast.AST) -> Iterator[tuple[Place, ast.expr]]:
    """Yield the expressions of a tree that are read, each with its place."""
    for owner in ast.walk(tree):
        for field, held in ast.iter_fields(owner):
            several = isinstance(held, list)
            for number, node in enumerate(held if several else [held]):
                if isinstance(node, ast.expr) and isinstance(
                    getattr(node, "ctx", None), ast.Load | None
                ):
                    yield (owner, field, number if several else None), node


def put(place: Place, node: ast.expr) -> None:
    """Put an expression into a place."""
    owner, field, number = place
    if number is None:
        setattr(owner, field, node)
    else:
        getattr(owner, field)[number] = node


def mixed(chance: random.Random, codes: list[str]) -> str:
    """Return an example with some expressions of another one, or odd ones, in place of its own."""
    text = ast.unparse(ast.parse(chance.choice(codes)))
    others = [node for _, node in read_expressions(ast.parse(chance.choice(codes)))]
    others += [ast.parse(odd, mode="eval").body for odd in ODD]
    for _ in range(chance.choice((1, 2, 4, 8))):
        tree = ast.parse(text)
        place, _ = chance.choice(list(read_expressions(tree)))
        put(place, chance.choice(others))
        text = grammatical(tree) or text
    return text


def grammatical(tree: ast.Module) -> str:
    """Return the text of a tree; empty if Python would not read it."""
    try:
        text = ast.unparse(tree)
        ast.parse(text)
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return ""
    return text


def torn(chance: random.Random, code: str) -> Mapping[str, str]:
    """Spread a program's statements over modules that import everything from anywhere."""
    parts: dict[str, list[str]] = {name: [] for name in MODULES}
    made: list[str] = []
    for statement in ast.parse(code).body:
        is_import = isinstance(statement, ast.Import | ast.ImportFrom)
        for name in MODULES if is_import else (chance.choice(MODULES),):
            parts[name].append(ast.unparse(statement))
        made += [
            node.id
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
    for lines in parts.values():
        lines[:0] = [f"from {chance.choice(MODULES)} import {name}" for name in made]
    return {f"{name}.py": "\n".join(lines) + "\n" for name, lines in parts.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_rule_fails_at_mixed_programs(check_files: Check, seed: int) -> None:
    """Each program is linted to its end, without a note."""
    chance = random.Random(seed)  # noqa: S311 - the same programs each time
    codes = example_codes()
    for _ in range(PROGRAMS):
        text = mixed(chance, codes)

        assert () == check_files({"main.py": text}).notes, text


@pytest.mark.parametrize("seed", SEEDS)
def test_no_rule_fails_at_torn_programs(check_files: Check, seed: int) -> None:
    """Modules in circles, each with a part of a program, are linted to their end."""
    chance = random.Random(seed)  # noqa: S311 - the same programs each time
    codes = example_codes()
    for _ in range(PROGRAMS):
        files = torn(chance, chance.choice(codes))

        assert () == check_files(files).notes, files


@pytest.mark.parametrize("given", ["()", "(await ctx.store.query('a'),)", "[]"])
def test_no_rule_fails_where_too_little_is_unpacked(check_files: Check, given: str) -> None:
    """Names that get no value have none."""
    result = check_files({"main.py": PREAMBLE + TOO_SHORT.format(given)})

    assert () == result.notes


@pytest.mark.parametrize("text", HALVES)
def test_no_rule_fails_at_half_a_character(check_files: Check, text: str) -> None:
    """Neither in the code nor in the manifest."""
    tool = {"name": f"g{chr(0xD800)}", "description": "Tells"}
    manifest = {"app_id": "notes", "sdk_version": "6.3.7", "name": chr(0xDFFF), "tools": [tool]}
    result = check_files({"main.py": PREAMBLE + text, "imperal.json": json.dumps(manifest)})

    assert () == result.notes
