"""Guards of a use: tests before it, caught exceptions, fallbacks."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from ..inference.calls.calling import constant_text
from ..inference.flow.conditions import known_inside
from ..inference.flow.exact_type_tests import as_boolean
from ..inference.flow.predicate_helpers import kept_answer
from ..inference.syntax.arguments import argument_node, callee_of, default_of, shows_all
from ..inference.syntax.bindings import parameters, sole_value
from ..inference.syntax.module import FUNCTIONS, Module, last_name
from ..inference.values.definitions import definition
from ..inference.values.values import Alternative, Function, Sdk, SdkClass, Step, only_value
from ..sdk.module_surface import modules
from ..sdk.surface import PACKAGE, Member
from ..view import Access, FileView
from .sdk_names import path_of
from .versions import VersionCheck, asks_for_member, asks_for_signature, version_check

_KEEPING = frozenset({"cache", "lru_cache"})
"""Decorators that leave the answer as it is."""
_ANSWERS = (ast.Call, ast.Compare, ast.BoolOp, ast.UnaryOp)
"""What a name of another file may keep that asks something."""
_DISPLAYS = (ast.List, ast.Set, ast.Tuple)
_SMALL = 60
_DEPTH = 4


def spelt_out(view: FileView, module: Module, test: ast.expr, depth: int = _DEPTH) -> ast.expr:
    """Return a condition with names replaced by the tests whose results they hold.

    Calls of predicate helpers are inlined, and comparisons with the SDK's version replaced by a
    ``VersionCheck``.
    """
    if depth == 0:
        return test
    test = as_boolean(_of_each(view, module, test))
    if isinstance(test, ast.UnaryOp):
        return ast.UnaryOp(test.op, spelt_out(view, module, test.operand, depth - 1))
    if isinstance(test, ast.BoolOp):
        parts = [spelt_out(view, module, part, depth - 1) for part in test.values]
        return ast.BoolOp(test.op, parts)
    if isinstance(test, ast.Compare):
        return _compared(view, module, test, depth)
    if isinstance(test, ast.Call) and last_name(test.func) == "callable" and test.args:
        asked = [spelt_out(view, module, part, depth - 1) for part in test.args]
        return ast.Call(test.func, asked, test.keywords)
    return _looked_up(view, module, test, depth) if test in module.parents else test


def _of_each(view: FileView, module: Module, test: ast.expr) -> ast.expr:
    """Return ``all((ask("a"), ask("b")))`` for ``all(ask(n) for n in ("a", "b"))``."""
    if not isinstance(test, ast.Call) or len(test.args) != 1:
        return test
    each = test.args[0]
    if not isinstance(each, (ast.GeneratorExp, ast.ListComp)) or len(each.generators) != 1:
        return test
    loop, names = each.generators[0], each.generators[0].iter
    found = definition(view.evaluator, module, names) if names in module.parents else None
    names = found[1] if found is not None else names
    if not isinstance(names, _DISPLAYS) or not isinstance(loop.target, ast.Name) or loop.ifs:
        return test
    variable, asks = loop.target.id, _unnamed(view, module, each.elt)
    asked = [_Given({variable: it}).visit(copy.deepcopy(asks)) for it in names.elts[:_SMALL]]
    return ast.Call(test.func, [ast.copy_location(ast.Tuple(asked), each)], [])


def _compared(view: FileView, module: Module, test: ast.Compare, depth: int) -> ast.expr:
    """Normalise ``answer is not None``, and ``"key" in names`` where ``names`` is a variable."""
    if _is_about_one(test):
        left = spelt_out(view, module, test.left, depth - 1)
        return ast.Compare(left, test.ops, test.comparators)
    known = _looked_up(view, module, test, depth) if test in module.parents else test
    names = test.comparators[0]
    is_asked = known is test and isinstance(test.ops[0], (ast.In, ast.NotIn))
    if not is_asked or not isinstance(names, ast.Name) or names not in module.parents:
        return known
    kept = sole_value(view.extension.project.lookup(module, names)[1])
    is_shown = isinstance(kept, (ast.Attribute, ast.Call))
    return ast.Compare(test.left, test.ops, [kept]) if is_shown else test


def _looked_up(view: FileView, module: Module, test: ast.expr, depth: int) -> ast.expr:
    if isinstance(test, (ast.Name, ast.Attribute)):
        kept = kept_answer(view.evaluator, module, test)
        if kept is not test:
            return spelt_out(view, module, kept, depth - 1)
        found = definition(view.evaluator, module, test)
        is_answer = found is not None and found[0] is not module and isinstance(found[1], _ANSWERS)
        return spelt_out(view, *found, depth - 1) if found and is_answer else test
    check = version_check(view, module, test)
    if check is not None:
        return check
    return _of_helper(view, module, test, depth) if isinstance(test, ast.Call) else test


def _is_about_one(test: ast.Compare) -> bool:
    """Tell whether a comparison is with None, True or False."""
    right = test.comparators[0]
    is_one = isinstance(right, ast.Constant) and isinstance(right.value, (bool, type(None)))
    return len(test.ops) == 1 and is_one


def _of_helper(view: FileView, module: Module, call: ast.Call, depth: int) -> ast.expr:
    """Return the inlined result of a predicate helper for a call."""
    if last_name(call.func) in {"hasattr", "getattr"}:
        return call
    helper = only_value(view.evaluator.values(module, call.func))
    returned = _sole_return(helper) if isinstance(helper, Function) else None
    if not isinstance(helper, Function) or returned is None:
        return call
    check = version_check(view, helper.module, returned, _constants(helper, call))
    if check is not None:
        return check
    given = _given(helper, call)
    if given is None:
        return call
    asked = _unnamed(view, helper.module, spelt_out(view, helper.module, returned, depth - 1))
    if sum(1 for _ in islice(ast.walk(asked), _SMALL)) == _SMALL:
        return call
    return _Given(given).visit(copy.deepcopy(asked)) if given else asked


def _unnamed(view: FileView, module: Module, asked: ast.expr, depth: int = _DEPTH) -> ast.expr:
    """Return a test with a helper's local aliases replaced by the objects."""
    names = (it for it in ast.walk(asked) if isinstance(it, ast.Name) and it in module.parents)
    kept = {it.id: kept for it in names if (kept := second_name(view, module, it)) is not None}
    if not kept or not depth:
        return asked
    shown = {name: _unnamed(view, module, each, depth - 1) for name, each in kept.items()}
    return _Given(shown).visit(copy.deepcopy(asked))


def second_name(view: FileView, module: Module, name: ast.Name) -> ast.expr | None:
    """Return the name, attribute or constant that a name is an alias of."""
    if name not in module.parents:
        return None
    kept = sole_value(view.extension.project.lookup(module, name)[1])
    return kept if isinstance(kept, (ast.Name, ast.Attribute, ast.Constant)) else None


def _given(helper: Function, call: ast.Call) -> dict[str, ast.expr] | None:
    """Return parameter → argument or default; None if one is not written out."""
    if helper.node.args.vararg or not shows_all(call):
        return None
    skip = int(helper.bound is not None)
    found = {
        arg.arg: argument_node(call, helper.node, arg, skip=skip) or default_of(helper.node, arg)
        for arg in parameters(helper.node)[skip:]
    }
    known = {name: node for name, node in found.items() if node is not None}
    return known if len(known) == len(found) else None


def _constants(helper: Function, call: ast.Call) -> Mapping[str, object]:
    """Return parameter → value of the literal arguments."""
    spec, names = helper.node.args, _positional(helper)
    try:
        values = [ast.literal_eval(arg) for arg in call.args]
    except (ValueError, TypeError, RecursionError):
        return {}
    known: dict[str, object] = dict(zip(names, values, strict=False))
    if spec.vararg is not None:
        known[spec.vararg.arg] = tuple(values[len(names) :])
    return known


def _positional(helper: Function) -> list[str]:
    spec = helper.node.args
    return [arg.arg for arg in (*spec.posonlyargs, *spec.args)]


def _sole_return(helper: Function) -> ast.expr | None:
    node = helper.node
    if isinstance(node, ast.Lambda):
        return node.body
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if isinstance(node, ast.AsyncFunctionDef) or not body:
        return None
    if any(last_name(callee_of(each)) not in _KEEPING for each in node.decorator_list):
        return None
    return _returned(body)


def _returned(body: list[ast.stmt]) -> ast.expr | None:
    """Return the test that a helper's body returns, if it makes only one."""
    first = body[0] if body else ast.Return(None)
    if isinstance(first, ast.Return):
        return first.value
    inside = _inside(first)
    return None if inside is None else _returned([*inside, *body[1:]])


def _inside(step: ast.stmt) -> list[ast.stmt] | None:
    """Return the statements inside of one that may hold the test; None if it decides itself.

    Assignments and expression statements decide nothing.
    """
    if isinstance(step, (ast.Expr, ast.Import, ast.ImportFrom, ast.Pass, ast.Assert)):
        return []
    if isinstance(step, ast.Assign):
        return [] if isinstance(step.targets[0], ast.Name) else None
    if isinstance(step, ast.With):
        return step.body
    if isinstance(step, ast.If):
        return [] if not step.orelse and _gives_up(step.body) else None
    if not isinstance(step, ast.Try) or step.orelse or step.finalbody:
        return None
    return step.body if all(_gives_up(handler.body) for handler in step.handlers) else None


def _gives_up(body: list[ast.stmt]) -> bool:
    """Tell whether a handler ends in ``return False`` or ``raise``."""
    *before, last = body
    if not all(isinstance(step, ast.Expr) for step in before):
        return False
    value = last.value if isinstance(last, ast.Return) else last
    is_nothing = value is None or (isinstance(value, ast.Constant) and not value.value)
    return is_nothing or isinstance(last, (ast.Raise, ast.Pass))


class _Given(ast.NodeTransformer):
    """Replaces the parameters in an expression by arguments."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the argument for the name of a parameter."""
        return self._given.get(node.id, node)


_NUMBERED = re.compile(r"v?\d")
BROAD = frozenset({"Exception", "BaseException"})
"""Exceptions whose handlers catch nearly all others."""
Answer = Callable[[ast.expr, bool], str]
"""Says which protection a condition gives that holds, or does not hold; empty if none."""

_MISSING = "AttributeError"
_VERSION = "a check of the version"
_FINDING = "find_spec"
_PARAMETERS = frozenset({"args", "co_varnames", "kwonlyargs", "parameters"})
"""Names of the parameters of a function: of its signature, its specification, its code."""
_HOPS = 4
_COPYING = frozenset({"frozenset", "keys", "list", "set", "tuple"})
_NEVER_EMPTY = frozenset({"imperal_id", "tenant_id"})
"""Fields that the SDK's models refuse to take empty: what stands behind ``or`` never runs."""


def guard(view: FileView, access: Access, via: Iterable[Step] = ()) -> str:
    """Return in words what guards the use of an attribute; empty if nothing does.

    Args:
        view: the file of the use.
        access: the use.
        via: the call path of the owner; a guard around one of these calls counts too.
    """
    if access.how == "hasattr":
        return "hasattr"

    def is_question(call: ast.Call) -> bool:
        return _question(view, view.module, call) == access.name

    def here(test: ast.expr, holds: bool) -> str:
        asked = spelt_out(view, view.module, test)
        found = _answer(asked, holds, lambda call: _verdict(view, access, call))
        is_kept = not found and asks_for_member(view, view.module, test, is_question, holds=holds)
        return "hasattr" if is_kept else found

    found = _protection(view.module, access.node, here) or _older_way(view, access)
    for step in () if found else via:
        asks = _asks_somewhere(view, step.module, access.name)
        found = found or _protection(step.module, step.node, asks)
    return found


def caught(module: Module, node: ast.AST, *names: str) -> bool:
    """Tell whether a named exception is caught or suppressed around a node."""
    return any(_stops(parent, child, names) for parent, child in _inside_out(module, node))


def refusal_expected(view: FileView, call: ast.Call, error: str = "TypeError") -> str:
    """Return in words what shows that the author expects a call to raise; empty if nothing.

    A caught exception, a comparison of versions, or ``inspect.signature`` before the call.

    Args:
        view: the file.
        call: the call.
        error: name of the exception that it raises.
    """
    if caught(view.module, call, error):
        return f"except {error}"

    def asks_signature(question: ast.Call) -> bool | None:
        asked = question.args[:1]
        return True if asked and last_name(asked[0]) in _PARAMETERS else None

    def answer(test: ast.expr, holds: bool) -> str:
        found = _answer(spelt_out(view, view.module, test), holds, asks_signature)
        is_asked = not found and asks_for_signature(view, view.module, test, holds=holds)
        return "inspect.signature" if is_asked else found

    found = _protection(view.module, call, answer)
    return "" if found == f"except {_MISSING}" else found


def asked_before(view: FileView, statement: ast.stmt, module: str, name: str) -> str:
    """Return in words the test around an import that the name exists; empty if none.

    ``hasattr(imperal_sdk, "name")``, ``find_spec("imperal_sdk.name")`` or a check of the version.

    Args:
        view: the file.
        statement: the import.
        module: of the SDK, below the package; empty for the package itself.
        name: what the module may lack.
    """
    path = f"{PACKAGE}.{module}.{name}" if module else f"{PACKAGE}.{name}"
    found = _protection(view.module, statement, _asks_somewhere(view, view.module, name, path))
    return "" if found == f"except {_MISSING}" else found


def _inside_out(module: Module, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield (parent, child) from a node up to its function."""
    child = node
    for parent in module.ancestors(node):
        if runs_later(parent, child):
            return
        yield parent, child
        child = parent


def runs_later(parent: ast.AST, child: ast.AST) -> bool:
    """Tell whether ``child`` is in a function's body; decorators and defaults run at once."""
    if isinstance(parent, ast.Lambda):
        return child is parent.body
    return isinstance(parent, FUNCTIONS) and isinstance(child, ast.stmt)


def _stops(parent: ast.AST, child: ast.AST, names: Iterable[str]) -> bool:
    if isinstance(parent, ast.Try):
        handled = [exception_names(handler.type) for handler in parent.handlers]
        return child in parent.body and any(name in found for found in handled for name in names)
    return not suppressed(parent, child).isdisjoint(names)


def suppressed(parent: ast.AST, child: ast.AST) -> set[str]:
    """Return the last names of the exceptions that ``with suppress(…)`` drops in its body."""
    if not isinstance(parent, (ast.With, ast.AsyncWith)) or child not in parent.body:
        return set()
    calls = [it.context_expr for it in parent.items if isinstance(it.context_expr, ast.Call)]
    dropping = (call for call in calls if last_name(call.func) == "suppress")
    return {last_name(item) for call in dropping for item in call.args}


def exception_names(node: ast.expr | None) -> set[str]:
    """Return the last names of the exceptions that a handler catches; none if it catches all."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {last_name(part) for part in parts if isinstance(part, (ast.Attribute, ast.Name))}


# ---- conditions ------------------------------------------------------------------------------


def _protection(module: Module, node: ast.AST, answer: Answer) -> str:
    """Return the guard of a node in its function or those around it."""
    child = node
    is_later = False
    for parent in module.ancestors(node):
        is_later = is_later or runs_later(parent, child)
        if not is_later and _stops(parent, child, (_MISSING,)):
            return f"except {_MISSING}"
        known = known_inside(module, parent, child)
        found = next((words for test, holds in known if (words := answer(test, holds))), "")
        if found:
            return found
        child = parent
    return ""


def _answer(test: ast.expr, holds: bool, verdict: Callable[[ast.Call], bool | None]) -> str:
    """Return the guard in a condition; ``verdict`` tells which outcome of a test guards, if any."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _answer(test.operand, not holds, verdict)
    if isinstance(test, ast.BoolOp):
        known = holds is isinstance(test.op, ast.And)
        found = (_answer(part, holds, verdict) for part in test.values) if known else ()
        return next((words for words in found if words), "")
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _guarding(test, holds, verdict)
    if isinstance(test, VersionCheck):
        return "" if test.outcome is holds else _VERSION
    if isinstance(test, ast.NamedExpr):
        return _answer(test.value, holds, verdict)
    return _asked(test, holds, verdict) if isinstance(test, ast.Call) else ""


def _asked(test: ast.Call, holds: bool, verdict: Callable[[ast.Call], bool | None]) -> str:
    if isinstance(test.func, ast.Name):
        if test.func.id == "callable" and test.args:
            return _answer(test.args[0], holds, verdict)
        return test.func.id if verdict(test) is holds else ""
    is_search = last_name(test.func) == _FINDING
    return _FINDING if is_search and verdict(test) is holds else ""


def _guarding(test: ast.Compare, holds: bool, verdict: Callable[[ast.Call], bool | None]) -> str:
    operator, right = test.ops[0], test.comparators[0]
    if isinstance(right, ast.Constant) and isinstance(right.value, (bool, type(None))):
        is_there = isinstance(operator, (ast.IsNot, ast.NotEq)) is not bool(right.value)
        return _answer(test.left, holds is is_there, verdict)
    if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(test.left, ast.Constant):
        question = ast.Call(ast.Name("hasattr"), [_listed(right), test.left], [])
        return "in" if verdict(question) is (holds is isinstance(operator, ast.In)) else ""
    return _VERSION if _is_about_version(test) else ""


def _is_about_version(test: ast.Compare) -> bool:
    """Tell whether a comparison that is not followed may be about the SDK's version.

    One of ``workspace_version`` is not, unless that is compared with ``(6, 0)`` or ``"6.0"``.
    """
    parts = list(ast.walk(test))
    names = [last_name(part).strip("_").lower() for part in parts]
    asked = [name for name in names if name.endswith("version")]
    if any(name == "version" or "sdk" in name or "imperal" in name for name in asked):
        return True
    known = (part.value for part in parts if isinstance(part, ast.Constant))
    is_text = any(isinstance(it, str) and _NUMBERED.match(it) for it in known)
    return bool(asked) and (is_text or any(isinstance(part, ast.Tuple) for part in parts))


def _listed(node: ast.expr) -> ast.expr:
    """Return the object whose names ``dir(x)``, ``x.__dict__`` or ``type(x).model_fields`` list."""
    if isinstance(node, ast.Attribute) and node.attr in {"__dict__", "model_fields", "__fields__"}:
        return _listed(node.value)
    if not isinstance(node, ast.Call):
        return node
    name = last_name(node.func)
    if name in _COPYING:
        return _listed(node.args[0] if node.args else getattr(node.func, "value", node.func))
    return node.args[0] if name in {"dir", "vars", "type"} and node.args else node


def _question(view: FileView, module: Module, call: ast.Call) -> str:
    """Return the name in ``hasattr(x, "name")`` or ``getattr(x, NAME, …)``."""
    asked = call.args[1] if len(call.args) > 1 else None
    if not isinstance(call.func, ast.Name) or call.func.id not in {"hasattr", "getattr"}:
        return ""
    if isinstance(asked, (ast.Name, ast.Attribute)) and asked in module.parents:
        return constant_text(view.evaluator, module, asked) or ""
    name = asked.value if isinstance(asked, ast.Constant) else ""
    return name if isinstance(name, str) else ""


def _verdict(view: FileView, access: Access, call: ast.Call) -> bool | None:
    name = _question(view, view.module, call)
    if not name or _origin(view, call.args[0]) != _origin(view, access.owner):
        return None
    if name == access.name:
        return True
    only_asks = isinstance(call.func, ast.Name) and call.func.id == "hasattr"
    members = _members(view, access.owner, name)
    is_true = only_asks or name in _NEVER_EMPTY or all(it.is_method for it in members)
    return False if members and is_true else None


def _origin(view: FileView, node: ast.expr, hops: int = _HOPS) -> str:
    """Return the spelling of an object, ``ctx.user`` also for a variable that holds it."""
    if isinstance(node, ast.NamedExpr):
        return _origin(view, node.value, hops)
    if isinstance(node, ast.Attribute):
        return f"{_origin(view, node.value, hops)}.{node.attr}"
    kept = second_name(view, view.module, node) if isinstance(node, ast.Name) and hops else None
    return ast.dump(node) if kept is None else _origin(view, kept, hops - 1)


def _asks_somewhere(view: FileView, module: Module, name: str, path: str = "") -> Answer:
    def asks(call: ast.Call) -> bool | None:
        return True if _question(view, module, call) == name or _is_looked_for(call, path) else None

    def answer(test: ast.expr, holds: bool) -> str:
        return _answer(spelt_out(view, module, test), holds, asks)

    return answer


def _is_looked_for(call: ast.Call, path: str) -> bool:
    """Tell whether a call is ``find_spec("imperal_sdk.tools")`` for a dotted path."""
    asked = call.args[0] if call.args and last_name(call.func) == _FINDING else None
    return isinstance(asked, ast.Constant) and asked.value == path


def _members(view: FileView, owner: ast.expr, name: str) -> list[Member]:
    """Return the members of that name which an SDK object has."""
    found = [item.value for item in view.values(owner)]
    known = [view.surface.member(it.cls, name) for it in found if isinstance(it, Sdk)]
    return [member for member in known if member is not None]


def _older_way(view: FileView, access: Access) -> str:
    """A use in ``except AttributeError`` after an existing attribute of the same object."""
    for parent, child in _inside_out(view.module, access.node):
        if not isinstance(child, ast.ExceptHandler) or not isinstance(parent, ast.Try):
            continue
        if _MISSING in exception_names(child.type) and any(
            isinstance(part, ast.Attribute)
            and ast.dump(part.value) == ast.dump(access.owner)
            and _members(view, access.owner, part.attr)
            for statement in parent.body
            for part in ast.walk(statement)
        ):
            return f"except {_MISSING}"
    return ""


def fallback(view: FileView, access: Access, item: Alternative) -> str:
    """Return in words what makes a ``getattr`` with a default right; empty if nothing.

    Its default, or the other side of ``or``, is an existing member of the same object; or it is
    itself the default of one, or tested by ``callable``.

    Args:
        view: the file of the use.
        access: the ``getattr``, spelt with a default, of a name that does not exist.
        item: the object, of which it is an attribute.
    """
    call = access.node
    if not isinstance(call, ast.Call):
        return ""
    parent = view.module.parents.get(call)
    if isinstance(parent, ast.Call) and parent.args == [call] and _is_callable(parent.func):
        return "callable asks whether it is there"
    taken = [part for default in call.args[2:] for part in _ends(default)]
    before: list[ast.expr] = []
    if isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.Or):
        place = parent.values.index(call)
        before = parent.values[:place]
        taken += [part for value in parent.values[place + 1 :] for part in _ends(value)]
    elif isinstance(parent, ast.Call) and parent.args[2:] == [call]:
        before = [parent]
    for words, parts in (("goes on with", taken), ("stands behind", before)):
        for part in parts:
            if _is_member(view, access, part, item):
                return f"getattr {words} {_read(part)[1]}, which exists"
    return ""


def _is_callable(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "callable"


def _ends(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the alternatives of a conditional or boolean expression."""
    if isinstance(node, ast.IfExp):
        yield from (part for side in (node.body, node.orelse) for part in _ends(side))
    elif isinstance(node, ast.BoolOp):
        yield from (part for value in node.values for part in _ends(value))
    else:
        yield node


def _is_member(view: FileView, access: Access, node: ast.expr, item: Alternative) -> bool:
    """Tell whether an expression reads an existing member of the object: ``user.imperal_id``."""
    owner, name = _read(node)
    if owner is None or ast.dump(owner) != ast.dump(access.owner):
        return False
    path = path_of(item.value)
    if path:
        return name in modules(view.surface.version).names(path)
    value = item.value
    member = view.surface.member(value.cls, name) if isinstance(value, (Sdk, SdkClass)) else None
    return member is not None and (isinstance(value, Sdk) or member.is_method)


def _read(node: ast.expr) -> tuple[ast.expr | None, str]:
    """Return ``x`` and ``name`` of ``x.name`` and ``getattr(x, "name", …)``."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    if isinstance(node, ast.Call) and last_name(node.func) == "getattr" and len(node.args) > 1:
        name = node.args[1]
        return node.args[0], str(name.value) if isinstance(name, ast.Constant) else ""
    return None, ""
