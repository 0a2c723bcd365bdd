"""Expressions that say again what the caller gave or what the code itself holds."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from ..model.arguments import argument_node, default_of, shows_all
from ..model.bindings import Binding, parameters, sole_value
from ..model.blocks import LOOPS
from ..model.call_sites import call_sites
from ..model.evaluator import Evaluator
from ..model.module import FUNCTIONS, FunctionNode, Module, last_name
from ..model.spelling import OWN_NAMES
from ..model.values import Class, Const, Display, External, Function, ModuleValue, Sdk, SdkMethod
from ..model.written import called, is_left_alone
from .echo_parts import (
    BUILTINS,
    UNSEEN,
    asks_nobody,
    is_bare,
    is_config,
    is_method,
    may_break_off,
    operands,
    part_of,
    parts_inside,
    put_into,
    questions_of,
    source,
    taken_apart,
    waits,
)

_DEEPEST = 60
"""Expressions inside each other, those of helpers included."""
_MOST = 4000
"""Expressions that are looked at for one question."""
_WHOLE = (
    ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.BoolOp, ast.UnaryOp, ast.BinOp,
    ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.Slice,
    ast.NamedExpr, ast.Lambda, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp,
    ast.comprehension, ast.keyword,
)  # fmt: skip
"""What is an echo if all of its parts are."""
_JOINING = (ast.Add, ast.Sub, ast.Mod, ast.BitOr, ast.BitAnd)
"""Operators that texts, sets and counts know; a product or a quotient is a result."""
_OWN = OWN_NAMES | {"ctx"}


class Echoes:
    """Tells of expressions whether they only repeat what was known before.

    That is what the caller gave, what the source writes out, and what follows from both by
    functions that ask nobody: ``params.name.strip()``, ``len(ids)``, ``clean(params.name)``.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._project = evaluator.project
        self._left = _MOST
        self._path: set[tuple[ast.AST, bool]] = set()
        self._entered: set[ast.AST] = set()
        self._objects: set[ast.AST] = set()

    def holds(self, module: Module, node: ast.AST | None, *, chooses: bool = False) -> bool:
        """Tell whether an expression is an echo.

        Args:
            module: where it stands.
            node: the expression; without one nothing is said that was not known.
            chooses: whether it only chooses among what is known, so that it may ask
                ``ctx.config``: the language of a text.
        """
        self._project.clock.tick()
        if node is None or (node, chooses) in self._path:
            return True
        self._left -= 1
        if len(self._path) > _DEEPEST or self._left < 0:
            return False
        self._path.add((node, chooses))
        try:
            return self._judge(module, node, chooses)
        finally:
            self._path.discard((node, chooses))

    def _all(self, module: Module, nodes: Iterable[ast.AST | None], chooses: bool) -> bool:
        return all(self.holds(module, node, chooses=chooses) for node in nodes)

    def _judge(self, module: Module, node: ast.AST, chooses: bool) -> bool:
        if isinstance(node, ast.Name):
            return self._name(module, node, chooses)
        if isinstance(node, ast.Attribute):
            return self._attribute(module, node, chooses)
        if isinstance(node, ast.Call):
            return self._call(module, node, chooses)
        if isinstance(node, ast.Subscript):
            return self._item(module, node, chooses)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, _JOINING):
            return False
        if isinstance(node, ast.comprehension) and node.is_async:
            return False
        return isinstance(node, _WHOLE) and self._all(module, operands(node), chooses)

    # ---- names -------------------------------------------------------------------------------

    def _name(self, module: Module, node: ast.Name, chooses: bool) -> bool:
        scope, found = self._project.lookup(module, node)
        if not found:
            return node.id in BUILTINS and hasattr(builtins, node.id)
        if any(binding.kind == "import" for binding in found):
            return self._elsewhere(module, node, chooses)
        if isinstance(scope, ast.Module) and node.id in module.changed_names:
            return False
        return all(
            self._binding(module, binding, node, chooses) for binding in found
        ) and self._changes_hold(module, scope, node, chooses)

    def _binding(self, module: Module, binding: Binding, use: ast.Name, chooses: bool) -> bool:
        if binding.kind == "param":
            return self._parameter(module, binding, use)
        if isinstance(binding.node, ast.For | ast.comprehension) or binding.kind == "assign":
            held = self.holds(module, source(binding), chooses=chooses)
        elif isinstance(binding.node, ast.Assign):  # first, *rest = …
            held = self.holds(module, binding.node.value, chooses=chooses)
        elif isinstance(binding.node, ast.AugAssign):
            held = self._augmented(module, binding.node, chooses)
        else:
            subject = taken_apart(module, binding.node)
            held = subject is not None and self.holds(module, subject, chooses=chooses)
        return held and self._comes_surely(module, binding.node, use)

    def _augmented(self, module: Module, node: ast.AugAssign, chooses: bool) -> bool:
        known = isinstance(node.op, _JOINING)
        return known and self._all(module, (node.target, node.value), chooses)

    def _parameter(self, module: Module, binding: Binding, use: ast.Name) -> bool:
        function, arg = binding.value, binding.node
        is_own = function in self._objects and use.id in OWN_NAMES
        if is_own or isinstance(function, ast.Lambda):
            return True
        found = self._evaluator.values(module, use)
        if use.id in _OWN or any(isinstance(item.value, Sdk) for item in found):
            return False
        if function in self._entered:  # what the call gives was asked before
            return True
        if not isinstance(function, FUNCTIONS) or not isinstance(arg, ast.arg):
            return False
        if self._evaluator.roles(module, function):
            return is_left_alone(function) or arg in parameters(function)[:2]
        sites = call_sites(self._evaluator, module, function)
        return bool(sites) and all(
            self.holds(caller, self._argument(call, function, arg, bound is not None))
            for caller, call, bound in sites
        )

    @staticmethod
    def _argument(call: ast.Call, function: FunctionNode, arg: ast.arg, bound: bool) -> ast.AST:
        """Return what a call gives to a parameter; what nobody sees if it does not show it."""
        given = argument_node(call, function, arg, skip=int(bound))
        default = default_of(function, arg) if shows_all(call) else None
        return given or default or UNSEEN

    def _elsewhere(self, module: Module, node: ast.expr, chooses: bool) -> bool:
        """What another module gives a name."""
        found = self._evaluator.values(module, node)
        for item in found:
            value = item.value
            if isinstance(value, Display):
                name = last_name(node)
                changed = name in module.changed_names or name in value.module.changed_names
                if changed or not self.holds(value.module, value.node, chooses=chooses):
                    return False
            elif not isinstance(value, Const):
                return False
        return bool(found)

    def _attribute(self, module: Module, node: ast.Attribute, chooses: bool) -> bool:
        if chooses and is_config(node) and self._is_context(module, node):
            return True
        found = self._evaluator.values(module, node.value)
        if any(isinstance(item.value, ModuleValue) for item in found):
            return self._elsewhere(module, node, chooses)
        if found and all(isinstance(item.value, Class) for item in found):
            values = self._evaluator.values(module, node)
            return all(isinstance(item.value, Const) for item in values)
        return self._part(module, node.value, node.attr, chooses)

    def _item(self, module: Module, node: ast.Subscript, chooses: bool) -> bool:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        held = self._part(module, node.value, key, chooses)
        return held and self.holds(module, node.slice, chooses=True)

    def _part(self, module: Module, owner: ast.expr, key: object, chooses: bool) -> bool:
        """Judge one part of an object, and of one that the code shows not the others."""
        if isinstance(owner, ast.Name):
            scope, found = self._project.lookup(module, owner)
            made = sole_value(found)
            if isinstance(made, ast.Call) and not self._is_class(module, made.func):
                made = None
            shown = part_of(made, key)
            if shown is not None:
                held = self.holds(module, shown, chooses=chooses)
                return held and self._changes_hold(module, scope, owner, chooses)
        return self.holds(module, owner, chooses=chooses)

    def _is_class(self, module: Module, callee: ast.expr) -> bool:
        found = self._evaluator.values(module, callee)
        return bool(found) and all(isinstance(item.value, Class) for item in found)

    def _is_context(self, module: Module, node: ast.Attribute) -> bool:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        found = self._evaluator.values(module, root)
        return last_name(root) == "ctx" or any(isinstance(item.value, Sdk) for item in found)

    # ---- calls -------------------------------------------------------------------------------

    def _call(self, module: Module, node: ast.Call, chooses: bool) -> bool:
        functions = [function for function, _ in called(self._evaluator, module, node, None)]
        if functions:
            return all(self._helper(module, node, function, chooses) for function in functions)
        choosing = chooses or last_name(node.func) == "get"
        first = self._all(module, node.args[:1], choosing)
        given = (*node.args[1:], *node.keywords)
        return first and self._all(module, given, chooses) and self._callee(module, node, chooses)

    def _callee(self, module: Module, node: ast.Call, chooses: bool) -> bool:
        found = [item.value for item in self._evaluator.values(module, node.func)]
        outside = [value.name for value in found if isinstance(value, External)]
        if outside and not all(map(is_method, outside)):
            return len(outside) == len(found) and all(map(asks_nobody, outside))
        if isinstance(node.func, ast.Name):
            _, bound = self._project.lookup(module, node.func)
            return not bound and node.func.id in BUILTINS
        of_sdk = any(isinstance(value, SdkMethod | Function) for value in found)
        if not isinstance(node.func, ast.Attribute) or (of_sdk and not is_config(node.func)):
            return False
        return self.holds(module, node.func.value, chooses=chooses)

    def _helper(self, module: Module, node: ast.Call, function: Function, chooses: bool) -> bool:
        """A function of the tree: what it returns must follow from its arguments."""
        inside, owner = function.node, function.module
        if isinstance(inside, ast.AsyncFunctionDef) or owner.is_generator(inside):
            return False
        given: list[ast.AST] = [*node.args, *node.keywords]
        passed = [part for part in given if not self._passes_context(module, part)]
        own = parameters(inside)[:1] if function.bound is not None else []
        if any(arg.arg not in OWN_NAMES for arg in own) or not self._all(module, passed, chooses):
            return False
        if inside in self._entered:
            return True
        callee = node.func if function.bound is not None else None
        if isinstance(callee, ast.Attribute) and self.holds(module, callee.value, chooses=chooses):
            self._objects.add(inside)
        self._entered.add(inside)
        try:
            return self._body(owner, inside, chooses)
        finally:
            self._entered.discard(inside)
            self._objects.discard(inside)

    def _passes_context(self, module: Module, node: ast.AST) -> bool:
        value = node.value if isinstance(node, ast.keyword) else node
        return isinstance(value, ast.Name) and self._is_given_context(module, value)

    def _is_given_context(self, module: Module, name: ast.Name) -> bool:
        found = self._evaluator.values(module, name)
        return name.id == "ctx" or any(
            isinstance(item.value, Sdk) and item.value.cls == "Context" for item in found
        )

    def _body(self, module: Module, function: FunctionNode, chooses: bool) -> bool:
        returned = module.returns(function)
        tests = self._tests(module, function)
        return bool(returned) and tests and self._all(module, returned, chooses)

    # ---- whether a value comes whatever the store says -----------------------------------------

    def _comes_surely(self, module: Module, node: ast.AST, use: ast.AST) -> bool:
        """Tell whether what chooses that a statement runs, and how often, is an echo itself.

        Of what stands around the use as well only loops count: they say how often.
        """
        around = {use, *module.ancestors(use)}
        outermost: ast.AST | None = None
        for up in (node, *module.ancestors(node)):
            if isinstance(up, (*FUNCTIONS, ast.ClassDef, ast.Module)):
                break
            loops = isinstance(up, LOOPS)
            if isinstance(up, ast.stmt) and (loops or up not in around):
                outermost = up
        return outermost is None or self._tests(module, outermost)

    def _tests(self, module: Module, node: ast.AST) -> bool:
        """Tell whether all that branches and loops in a statement or function ask is an echo."""
        for part in (node, *parts_inside(node)):
            if isinstance(part, ast.AsyncFor) or (may_break_off(module, part) and waits(part)):
                return False
            if not self._all(module, questions_of(part), chooses=True):
                return False
        return True

    def _changes_hold(self, module: Module, scope: ast.AST, use: ast.Name, chooses: bool) -> bool:
        """Tell whether what is put into a list, a dict or an object later is an echo as well."""
        uses = module.names.get(use.id, ()) if isinstance(scope, FUNCTIONS) else ()
        own = [name for name in uses if self._project.bindings(module, name)[0] is scope]
        for name in own:
            given = put_into(module, name)
            if given is None and self._may_be_filled(module, name):
                return False
            echoes = given is None or self._all(module, given, chooses)
            if not echoes or (given is not None and not self._comes_surely(module, name, use)):
                return False
        return True

    def _may_be_filled(self, module: Module, name: ast.Name) -> bool:
        """Tell whether an empty list or dict is given to a function of the tree."""
        call = module.parents.get(name)
        if not isinstance(call, ast.Call) or name not in call.args:
            return False
        _, found = self._project.lookup(module, name)
        return any(is_bare(binding.value) for binding in found) and any(
            isinstance(item.value, Function) for item in self._evaluator.values(module, call.func)
        )
