"""Which conditions hold where an expression is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from ..syntax.bindings import Binding, parameters
from ..syntax.blocks import ENDING, has_break, leaves
from ..syntax.memo import remembered
from ..syntax.module import COMPREHENSIONS, FUNCTIONS, TEXT_TESTS, Module, block_of, last_name
from ..syntax.spelling import spelled
from .exact_type_tests import as_boolean, as_question

Condition = tuple[ast.expr, bool]
"""A test and whether it is true."""
_Left = tuple[ast.expr, bool, set[str] | None]
"""A test, whether it is true, and the names of whose older values alone it is, if it is."""
_ASKING = frozenset({ast.If, ast.IfExp, ast.While, ast.BoolOp, *COMPREHENSIONS})
_IN_BLOCKS = (ast.stmt, ast.match_case, ast.ExceptHandler)
_TELLING = ENDING | {ast.Assert, ast.For}
"""Statements that may leave something true for those behind them."""
_HOPS = 3
"""Names that keep answers, one behind the other."""
NEVER: Condition = (ast.Constant(value=False), True)
"""What stands behind ``return`` in a block waits for it."""
Spoken = Callable[[ast.expr], list[ast.Name]]
"""Returns the names of which a test speaks."""


def conditions(
    module: Module, node: ast.AST, *, rebound: bool = True, spoken: Spoken | None = None
) -> Iterator[Condition]:
    """Yield (test, outcome) for the tests in the node's function that are decided where it runs.

    Args:
        module: the file of the node.
        node: what is evaluated.
        rebound: whether ``if x is None: x = y`` proves that the older value of ``x`` is not None;
            what runs behind it also runs for the callers that gave None.
        spoken: returns the names that such a test is about, if more than ``subjects``.
    """
    about = (spoken or subjects) if rebound else None
    child = node
    for parent in module.ancestors(node):
        if type(parent) in _ASKING or isinstance(child, _IN_BLOCKS):
            for part, given, told in _decided(module, child):
                if given is None or (about and any(it.id in given for it in about(part))):
                    yield from told
        if isinstance(parent, FUNCTIONS):
            return
        child = parent


@remembered
def _decided(
    module: Module, child: ast.AST
) -> list[tuple[ast.expr, set[str] | None, tuple[Condition, ...]]]:
    """Return the tests that a node's parent decides for it, each with what follows from it.

    Each is of the older values of some names alone, or of all values if that is None.
    """
    left = _raw(module, module.parents[child], child)
    return [
        (part, given, ((part, truth), *_kept(module, part, truth))) for part, truth, given in left
    ]


def known_inside(module: Module, parent: ast.AST, child: ast.AST) -> Iterator[Condition]:
    """Yield the tests that a node decides for its child."""
    yield from (
        (part, truth) for part, truth, given in _raw(module, parent, child) if given is None
    )


def _raw(module: Module, parent: ast.AST, child: ast.AST) -> Iterator[_Left]:
    """Yield what a node decides for its child, be it of older values alone."""
    if type(parent) in _ASKING:
        yield from ((part, truth, None) for part, truth in _of_parent(parent, child))
    if isinstance(child, _IN_BLOCKS):
        yield from _of_block(module, parent, child)


@remembered
def _kept(module: Module, test: ast.expr, truth: bool, hops: int = _HOPS) -> list[Condition]:
    """Return what a test of ``is_new`` says after ``is_new = x is None``."""
    if not isinstance(test, ast.Name) or test not in module.parents or not hops:
        return []
    function = module.function(test)
    given = module.stores(function, test.id) if function is not None else []
    if function is None or any(arg.arg == test.id for arg in parameters(function)):
        return []
    made = module.parents[given[0]] if len(given) == 1 else None
    if not isinstance(made, ast.Assign) or made.targets != given:
        return []
    said = split(made.value, truth=truth)
    return [each for it in said for each in (it, *_kept(module, *it, hops - 1))]


def _of_parent(parent: ast.AST, child: ast.AST) -> Iterator[Condition]:
    if isinstance(parent, (ast.If, ast.IfExp, ast.While)):
        yield from _of_branch(parent, child)
    elif isinstance(parent, ast.BoolOp):
        for value in parent.values[: _index(parent.values, child)]:
            yield from split(value, truth=isinstance(parent.op, ast.And))
    elif isinstance(parent, COMPREHENSIONS) and not isinstance(child, ast.comprehension):
        for test in (test for generator in parent.generators for test in generator.ifs):
            yield from split(test, truth=True)


def _of_block(module: Module, parent: ast.AST, child: ast.AST) -> Iterator[_Left]:
    if isinstance(child, ast.stmt):
        if isinstance(parent, ast.match_case) and parent.guard is not None:
            yield from ((part, truth, None) for part, truth in split(parent.guard, truth=True))
        yield from _of_earlier(module, parent, child)
    elif isinstance(child, ast.match_case):
        yield from ((part, truth, None) for part, truth in of_case(parent, child))
    elif isinstance(child, ast.ExceptHandler):
        yield from ((part, truth, None) for part, truth in _of_handler(parent, child))


def _of_handler(parent: ast.AST, child: ast.ExceptHandler) -> Iterator[Condition]:
    """Yield that ``x`` has no ``isoformat`` where ``x.isoformat()`` alone raised AttributeError."""
    if child.type is None or last_name(child.type) != "AttributeError":
        return
    body = parent.body if isinstance(parent, ast.Try) else []
    read = [part for step in body for part in ast.walk(step) if isinstance(part, ast.Attribute)]
    if len(body) == len(read) == 1:
        asked = [read[0].value, ast.Constant(read[0].attr)]
        yield ast.copy_location(ast.Call(ast.Name("hasattr"), asked, []), child), False


def _of_earlier(module: Module, parent: ast.AST, child: ast.stmt) -> Iterator[_Left]:
    """Yield what the statements before one in its block leave true."""
    for before in block_of(parent, child):
        if before is child:
            return
        if type(before) in _TELLING:
            yield from _left_by(module, before)


def _of_walk(loop: ast.For) -> Iterator[Condition]:
    """After ``for kind in TABLE: if isinstance(x, kind): return …`` x is of no kind in it."""
    step = loop.body[0]
    test = step.test if isinstance(step, ast.If) and isinstance(step.body[-1], ast.Return) else None
    if not isinstance(test, ast.Call) or last_name(test.func) != "isinstance" or has_break(loop):
        return
    names = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    walked = loop.iter
    if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Attribute):
        walked = walked.func.value
    if len(test.args) == 2 and last_name(test.args[1]) in names:
        question = ast.Call(ast.Name("isinstance"), [test.args[0], walked], [])
        yield ast.copy_location(question, test), False


def left_true(module: Module, body: list[ast.stmt]) -> Iterator[Condition]:
    """Yield what holds after statements: after ``if test: raise …`` the test is false."""
    for statement in body:
        left = _of_exit(module, statement)
        yield from ((test, truth) for test, truth, given in left if given is None)


def _of_branch(parent: ast.If | ast.IfExp | ast.While, child: ast.AST) -> Iterator[Condition]:
    """A test holds in its body; what comes after a loop may come by ``break``."""
    if child is parent.test:
        return
    body = parent.body if isinstance(parent.body, list) else [parent.body]
    if child in body or not isinstance(parent, ast.While):
        yield from split(parent.test, truth=child in body)


def of_case(parent: ast.AST, child: ast.match_case) -> Iterator[Condition]:
    """Yield the test of a case as true, and those of the cases before it as false.

    ``case Page():`` is ``isinstance``, ``case "a":`` a comparison,
    ``case str() | bytes():`` ``isinstance`` with a tuple.
    """
    assert isinstance(parent, ast.Match)  # noqa: S101 - cases stand nowhere else
    for case in parent.cases[: parent.cases.index(child) + 1]:
        question = _asked_by(parent.subject, case.pattern)
        if question is not None and (case is child or (case.guard is None and _is_bare(case))):
            yield from split(ast.copy_location(question, parent.subject), truth=case is child)


def _asked_by(subject: ast.expr, pattern: ast.pattern) -> ast.expr | None:
    if isinstance(pattern, ast.MatchOr):
        questions = [_asked_by(subject, part) for part in pattern.patterns]
        known = [ast.copy_location(each, subject) for each in questions if each is not None]
        return ast.BoolOp(ast.Or(), known) if len(known) == len(questions) else None
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        return _asked_by(subject, pattern.pattern)
    if isinstance(pattern, ast.MatchSequence) and isinstance(subject, ast.Tuple):
        return _asked_by_parts(subject, pattern)
    if isinstance(pattern, ast.MatchClass):
        return ast.Call(ast.Name("isinstance"), [subject, pattern.cls], [])
    if isinstance(pattern, ast.MatchValue):
        return ast.Compare(subject, [ast.Eq()], [pattern.value])
    if isinstance(pattern, ast.MatchSingleton):
        return ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])
    return None


def _asked_by_parts(subject: ast.Tuple, pattern: ast.MatchSequence) -> ast.expr | None:
    """``match kind, fresh: case "live", _:`` tests the kind alone."""
    pairs = list(zip(subject.elts, pattern.patterns, strict=False))
    questions = [_asked_by(part, asked) for part, asked in pairs]
    known = [ast.copy_location(it, subject) for it in questions if it is not None]
    others = [asked for (_, asked), it in zip(pairs, questions, strict=True) if it is None]
    takes_all = all(isinstance(it, ast.MatchAs) and it.pattern is None for it in others)
    if not known or not takes_all or len(subject.elts) != len(pattern.patterns):
        return None
    return known[0] if len(known) == 1 else ast.BoolOp(ast.And(), known)


def _is_bare(case: ast.match_case) -> bool:
    """Tell whether a case matches by its class or value alone, without sub-patterns or guard."""
    return not any(
        isinstance(pattern, ast.MatchClass) and (pattern.patterns or pattern.kwd_patterns)
        for pattern in ast.walk(case.pattern)
    )


def _index(nodes: list[ast.expr], child: ast.AST) -> int:
    return next(index for index, node in enumerate(nodes) if node is child)


@remembered
def _left_by(module: Module, before: ast.stmt) -> list[_Left]:
    """Return what holds after a statement; kept, for all later statements of its block ask."""
    never = [(*NEVER, None)] if leaves(before, module.swallowing) else []
    walked = _of_walk(before) if isinstance(before, ast.For) else ()
    return [*never, *((*condition, None) for condition in walked), *_of_exit(module, before)]


def _of_exit(module: Module, before: ast.stmt) -> Iterator[_Left]:
    """After ``if test: return`` the test is false, and what was true before has gone.

    After ``if x is None: x = y`` the older ``x`` is not None.
    """
    if isinstance(before, ast.Assert):
        yield from _told(before.test, None, truth=True)
    if isinstance(before, ast.If) and before.orelse:
        ends = leaves(before.orelse[-1], module.swallowing)
        yield from _told(before.test, None if ends else bound_in(before.orelse), truth=True)
    names: set[str] | None = None
    node: ast.stmt | None = before
    while isinstance(node, ast.If) or (isinstance(node, ast.While) and not has_break(node)):
        if isinstance(node, ast.While) or not leaves(node.body[-1], module.swallowing):
            given = bound_in(node.body)
            names = given if names is None else names & given
        yield from _told(node.test, names, truth=False)
        is_chain = isinstance(node, ast.If) and len(node.orelse) == 1
        node = node.orelse[0] if is_chain else None


def _told(test: ast.expr, given: set[str] | None, *, truth: bool) -> Iterator[_Left]:
    if given is None or given:
        yield from ((*condition, given) for condition in split(test, truth=truth))


def bound_in(body: list[ast.stmt]) -> set[str]:
    """Return the names to which the statements of a block assign."""
    targets = [
        target
        for statement in body
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        for target in (
            statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        )
    ]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def split(test: ast.expr, *, truth: bool) -> Iterator[Condition]:
    """Yield what is known of the parts of a test that is true, or is not."""
    test = as_boolean(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from split(test.operand, truth=not truth)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == truth:
        for value in test.values:
            yield from split(value, truth=truth)
    else:
        yield as_question(test, truth=truth)


def subjects(test: ast.expr) -> list[ast.Name]:
    """Return the names that a test is about."""
    return [part for part in _parts(test) if isinstance(part, ast.Name)]


def asked(test: ast.expr) -> list[ast.expr]:
    """Return the names, attributes and items that a test is about."""
    return [part for part in _parts(test) if spelled(part)]


def _parts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.Name):
        return [test]
    if isinstance(test, ast.BoolOp):
        return [part for value in test.values for part in _parts(value)]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _parts(test.operand)
    parts: list[ast.expr] = [test]
    if isinstance(test, ast.Call):
        method = test.func
        if isinstance(method, ast.Attribute) and method.attr in TEXT_TESTS:
            return [named(method.value)]
        parts = test.args[:1]
    elif isinstance(test, ast.Compare):
        parts = [test.left, *test.comparators]
    return [named(part) for part in parts]


def named(node: ast.expr) -> ast.expr:
    """Return ``x`` of ``(x := y)``, which a test around it is about."""
    return node.target if isinstance(node, ast.NamedExpr) else node


def are_related(module: Module, use: ast.Name, found: Sequence[Binding]) -> bool:
    """Tell whether conditions around the bindings of a name and around its use share a subject.

    Then the reaching bindings are unknown. Tests of the name itself do not count: narrowing.py.
    """
    if len(found) < 2:
        return False
    asked = {test for test, _ in conditions(module, use, rebound=False)}
    around = set(module.ancestors(use))
    given = {it for each in found for it in _branches_around(module, each.node) if it not in around}
    tests = asked | {branch.test for branch in given}
    return any(
        not names.isdisjoint(_read_in(test)) and not _is_one_choice(module, branch, test)
        for branch in given
        if (names := {it for it in _read_in(branch.test) if it.partition(".")[0] != use.id})
        for test in tests
    )


def _branches_around(module: Module, node: ast.AST) -> Iterator[ast.If]:
    for up in module.ancestors(node):
        if isinstance(up, FUNCTIONS):
            return
        if isinstance(up, ast.If):
            yield up


def _is_one_choice(module: Module, branch: ast.If, test: ast.expr) -> bool:
    """Tell whether a test belongs to the same ``if`` … ``elif`` chain as a branch."""
    other = next((up for up in module.ancestors(test) if isinstance(up, ast.stmt)), branch)
    return other is branch or other in module.ancestors(branch) or branch in module.ancestors(other)


@remembered
def _read_in(test: ast.expr) -> set[str]:
    """Return the names and attributes that a test reads."""
    parts = [part for part in ast.walk(test) if isinstance(part, (ast.Name, ast.Attribute))]
    owners = {spelled(part.value) for part in parts if isinstance(part, ast.Attribute)}
    return {spelled(part) for part in parts} - owners - {""}
