"""What tests prove about the characters of a string."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

import msgspec

from ..calls.calling import constant_text
from ..evaluator import Evaluator
from ..syntax.arguments import argument_node
from ..syntax.bindings import Binding, parameters
from ..syntax.blocks import ran_before
from ..syntax.module import Module, last_name
from ..texts.text_values import ALLOWED, SAFE, UNSAFE, Text
from ..values.definitions import definition
from ..values.values import Alternative, External, Function, only_value
from .conditions import conditions, split
from .predicate_helpers import kept_answer
from .type_tests import tests_of

_SHALLOW = frozenset({"len", "bool", "strip", "isinstance"})
"""Functions that say nothing of the letters of a text."""


def is_looked_into(
    evaluator: Evaluator, module: Module, node: ast.expr, names: Collection[str]
) -> bool:
    """Tell whether a test around a node, or a call before it, checks the content of a string.

    Args:
        evaluator: of the extension.
        module: the file of the node.
        node: the string, or what is made of it.
        names: expressions that hold the string: ``query``, ``params.query``.
    """
    return any(looks_into(test, names) for test, _ in conditions(module, node)) or any(
        _is_check(evaluator, module, call, names) for call in _calls_before(module, node)
    )


def looks_into(test: ast.expr, names: Collection[str]) -> bool:
    """Tell whether a test, or a part of it, compares a string or passes it to a call."""
    return any(
        isinstance(part, (ast.Call, ast.Compare)) and _asks_for(part, names)
        for part in ast.walk(test)
    )


def _asks_for(test: ast.Call | ast.Compare, names: Collection[str]) -> bool:
    if isinstance(test, ast.Compare):
        parts = [test.left, *test.comparators]
        plain = isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn))
        return plain and any(ast.unparse(part) in names for part in parts)
    parts = [*test.args, *([test.func.value] if isinstance(test.func, ast.Attribute) else [])]
    return last_name(test.func) not in _SHALLOW and any(
        ast.unparse(part) in names for part in parts
    )


def _calls_before(module: Module, node: ast.AST) -> Iterator[ast.Call]:
    """Yield the expression statements before a node in its blocks: ``ensure(query)``."""
    for before in ran_before(module, node):
        call = before.value if isinstance(before, ast.Expr) else None
        call = call.value if isinstance(call, ast.Await) else call
        if isinstance(call, ast.Call):
            yield call


def _is_check(evaluator: Evaluator, module: Module, call: ast.Call, names: Collection[str]) -> bool:
    """Tell whether a call passes a string to a function of the extension that may raise."""
    given = [*call.args, *(item.value for item in call.keywords)]
    if not any(ast.unparse(part) in names for part in given):
        return False
    return any(
        isinstance(item.value, Function)
        and any(isinstance(part, (ast.Raise, ast.Assert)) for part in ast.walk(item.value.node))
        for item in evaluator.values(module, call.func)
    )


_EVERY = (*map(chr, range(128)), "\u00e9", "\u0416", "\u4e2d", "\u0663", "\u00b2", "\u00df")
"""A character of each kind that a class of ASCII letters, ranges and escapes tells apart."""
_ATOM = re.compile(
    r"\(\?:|\(\?P<\w+>|(?P<unknown>\(\?)|[()|^$]|[*+?]\??|\{\d*,?\d*\}\??|\\[AZbz]"
    r"|(?P<one>\[\^?\]?(?:[^\]\\]|\\.)*\]|\\.|.)",
    re.DOTALL,
)
_HARMLESS_FLAGS = frozenset({"A", "ASCII", "I", "IGNORECASE", "re"})
_SETS = frozenset({"set", "frozenset"})
_ASKING = frozenset({"match", "fullmatch", "search"})
_SHORT = 2
_LETTERS = frozenset({"isalnum", "isalpha", "isdigit", "isdecimal", "isidentifier"})
_METHODS = _ASKING | _LETTERS | {"isascii"}


def safe_bindings(evaluator: Evaluator, module: Module, name: ast.Name) -> set[Binding]:
    """Return the bindings of a name whose texts hold only ``[A-Za-z0-9_:-]`` where it is used."""
    found: set[Binding] = set()
    plain: dict[str, set[Binding]] = {}
    for test, truth, bindings in tests_of(evaluator, module, name):
        for said in _said(_About(evaluator, module, name.id, truth), test):
            if said == "safe":
                found |= set(bindings)
            plain.setdefault(said, set()).update(bindings)
    return found | (plain.get("ascii", set()) & plain.get("letters", set()))


def is_tested(evaluator: Evaluator, module: Module, node: ast.Attribute) -> bool:
    """Tell whether a test proved the text of ``ctx.user.email`` safe where it is used."""
    said = {
        each
        for test, truth in conditions(module, node)
        for each in _said(_About(evaluator, module, ast.unparse(node), truth), test)
    }
    return "safe" in said or {"ascii", "letters"} <= said


def tested(items: list[tuple[Text, Alternative]]) -> list[tuple[Text, Alternative]]:
    """Describe strings that a test proved safe; constants that would fail it are left out."""
    return [
        (Text(SAFE, text.shortest, text.longest, "", text.sample), item)
        for text, item in items
        if text.chars != UNSAFE
    ]


class _About(msgspec.Struct, frozen=True):
    """The string that a test is about, and the outcome.

    Attributes:
        module: the file of the test.
        name: of the text.
        truth: the outcome of the test.
        through: the helpers that lead to the test; one that calls itself proves nothing.
    """

    evaluator: Evaluator
    module: Module
    name: str
    truth: bool
    through: frozenset[ast.AST] = frozenset()


def _said(about: _About, test: ast.expr) -> Iterator[str]:
    """Yield ``safe``, ``ascii`` or ``letters`` as far as a test proves it."""
    question = kept_answer(about.evaluator, about.module, test)
    if isinstance(question, ast.Compare) and len(question.ops) == 1:
        operator, right = question.ops[0], question.comparators[0]
        if isinstance(operator, ast.LtE) and about.truth and _is_set_of(question.left, about.name):
            yield from _of_alphabet(about.evaluator, about.module, right)
        if not isinstance(right, ast.Constant) or right.value is not None:
            return
        truth = about.truth is isinstance(operator, (ast.IsNot, ast.NotEq))
        about = msgspec.structs.replace(about, truth=truth)
        question = kept_answer(about.evaluator, about.module, question.left)
    if isinstance(question, ast.Call):
        yield from _answered(about, question)


def _answered(about: _About, call: ast.Call) -> Iterator[str]:
    method = last_name(call.func)
    if method in {"all", "any"} and isinstance(call.func, ast.Name):
        yield from _of_each(about, call)
    elif method == "bool" and isinstance(call.func, ast.Name) and call.args:
        yield from _said(about, call.args[0])
    elif not isinstance(call.func, ast.Attribute) or method not in _METHODS:
        yield from _of_helper(about, call)
    elif _is(call.func.value, about.name) and about.truth and not call.args:
        yield {"isascii": "ascii"}.get(method, "letters" if method in _LETTERS else "")
    elif method in _ASKING and _admits(about, call):
        yield "safe"


def _of_helper(about: _About, call: ast.Call) -> Iterator[str]:
    """``is_safe(key)`` of a function that only returns such a test of its argument."""
    given = [arg for arg in call.args if _is(arg, about.name)]
    function = only_value(about.evaluator.values(about.module, call.func) if given else ())
    if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
        return
    returned = function.module.returns(function.node)
    if len(returned) != 1 or len(function.node.body) > _SHORT or function.node in about.through:
        return
    through = about.through | {function.node}
    for arg in parameters(function.node):
        skip = int(function.bound is not None)
        if argument_node(call, function.node, arg, skip=skip) in given:
            for part, truth in split(returned[0], truth=about.truth):
                yield from _said(
                    _About(about.evaluator, function.module, arg.arg, truth, through), part
                )


def _is(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return ast.unparse(node) == name
    return isinstance(node, ast.Name) and node.id == name


def _is_set_of(node: ast.expr, name: str) -> bool:
    made = node.args if isinstance(node, ast.Call) and last_name(node.func) in _SETS else []
    return len(made) == 1 and _is(made[0], name)


def _of_each(about: _About, call: ast.Call) -> Iterator[str]:
    """``all(c in "abc" for c in key)``, ``not any(c not in "abc" for c in key)``."""
    walk = call.args[0] if len(call.args) == 1 else None
    if not isinstance(walk, (ast.GeneratorExp, ast.ListComp)) or len(walk.generators) != 1:
        return
    generator, test = walk.generators[0], walk.elt
    if generator.ifs or not _is(generator.iter, about.name) or not isinstance(test, ast.Compare):
        return
    is_all = last_name(call.func) == "all"
    wanted = ast.In if is_all else ast.NotIn
    if is_all is about.truth and len(test.ops) == 1 and isinstance(test.ops[0], wanted):
        yield from _of_alphabet(about.evaluator, about.module, test.comparators[0])


def _of_alphabet(evaluator: Evaluator, module: Module, node: ast.expr) -> Iterator[str]:
    place = definition(evaluator, module, node)
    where, letters = place if place is not None else (module, node)
    if isinstance(letters, ast.Call) and last_name(letters.func) in _SETS:
        letters = letters.args[0] if letters.args else letters
    text = constant_text(evaluator, where, letters)
    if text is not None and ALLOWED.fullmatch(text):
        yield "safe"


# ---- patterns --------------------------------------------------------------------------------


def _admits(about: _About, call: ast.Call) -> bool:
    """Tell whether a pattern that matches, or does not, leaves only safe characters."""
    method = last_name(call.func)
    found = _pattern(about.evaluator, about.module, call, about.name)
    if found is None:
        return False
    pattern, is_ascii = found
    if about.truth:
        return admits_safe_only(pattern, method, is_ascii=is_ascii)
    return method == "search" and _refuses_unsafe(pattern, is_ascii=is_ascii)


def _pattern(
    evaluator: Evaluator, module: Module, call: ast.Call, name: str
) -> tuple[str, bool] | None:
    """Return the pattern that a call applies to a name, and whether it is one for ASCII."""
    assert isinstance(call.func, ast.Attribute)  # noqa: S101 - the caller looked
    asked, given = call.args[:1], call.args[2:]
    where, made = module, call
    if _calls(evaluator, module, call, f"re.{call.func.attr}"):
        asked = call.args[1:2]
    else:
        place = definition(evaluator, module, call.func.value)
        if place is None or not isinstance(place[1], ast.Call):
            return None
        where, made = place[0], place[1]
        given = made.args[1:]
        if not _calls(evaluator, where, made, "re.compile"):
            return None
    if len(asked) != 1 or not _is(asked[0], name) or not made.args:
        return None
    flags = [*given, *(item.value for item in made.keywords)]
    names = {last_name(part) for flag in flags for part in ast.walk(flag)} - {""}
    text = constant_text(evaluator, where, made.args[0])
    if text is None or not names <= _HARMLESS_FLAGS:
        return None
    return text, bool(names & {"A", "ASCII"})


def _calls(evaluator: Evaluator, module: Module, call: ast.Call, callee: str) -> bool:
    return [item.value for item in evaluator.values(module, call.func)] == [External(callee)]


@lru_cache(maxsize=64)
def admits_safe_only(pattern: str, method: str, *, is_ascii: bool = False) -> bool:
    """Tell whether whatever a pattern matches as a whole text holds only ``[A-Za-z0-9_:-]``.

    Args:
        pattern: of the module ``re``.
        method: ``match``, ``fullmatch`` or ``search``.
        is_ascii: whether the flag ``re.ASCII`` is given.
    """
    starts = method != "search" or pattern.startswith(("^", r"\A"))
    ends = method == "fullmatch" or re.search(r"(?<!\\)(?:\$|\\Z)$", pattern) is not None
    if not starts or not ends or (method != "fullmatch" and _has_choice(pattern)):
        return False
    return all(_is_safe(atom, is_ascii=is_ascii) for atom in _atoms(pattern))


def _has_choice(pattern: str) -> bool:
    """Tell whether a pattern has a choice outside of groups: of ``a|b$`` only one end is bound."""
    depth = 0
    for match in _ATOM.finditer(pattern):
        depth += match[0].startswith("(") - (match[0] == ")")
        if match[0] == "|" and not depth:
            return True
    return False


def _atoms(pattern: str) -> Iterator[str | None]:
    """Yield what matches characters in a pattern; None for a part that is not understood."""
    for match in _ATOM.finditer(pattern):
        if match["unknown"] is not None:
            yield None
        elif match["one"] is not None:
            yield match["one"]


def _is_safe(atom: str | None, *, is_ascii: bool) -> bool:
    matched = _matched(atom, is_ascii=is_ascii) if atom is not None else None
    return matched is not None and all(ALLOWED.fullmatch(char) for char in matched)


def _refuses_unsafe(pattern: str, *, is_ascii: bool) -> bool:
    """Tell whether every text in which a pattern finds nothing is safe: ``[^a-z]``."""
    one = re.fullmatch(r"(\[.*\]|\\[WDS])\+?", pattern, re.DOTALL)
    matched = _matched(one[1], is_ascii=is_ascii) if one is not None else None
    return matched is not None and all(
        ALLOWED.fullmatch(char) for char in _EVERY if char not in matched
    )


def _matched(atom: str, *, is_ascii: bool) -> set[str] | None:
    """Return which characters an atom matches; None if it is no class of ASCII characters."""
    if not atom.isascii() or re.search(r"\\[uUxN0-9]", atom):
        return None
    try:
        known = re.compile(atom, re.ASCII if is_ascii else 0)
    except re.error:
        return None
    return {char for char in _EVERY if known.fullmatch(char)}
