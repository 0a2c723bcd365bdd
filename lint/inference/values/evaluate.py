"""Evaluates expressions on demand, through the whole extension."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ...sdk.surface import PACKAGE
from ..calls import asyncio_gather, calling
from ..calls.call_arguments import argument
from ..calls.call_sites import from_callers
from ..calls.handlers import roles
from ..calls.roles import Role
from ..containers import rows
from ..evaluator import Alternatives, Evaluator
from ..flow.conditions import are_related
from ..flow.narrowing import NARROWED, narrowed, possible
from ..limits import CALLERS_DEPTH, CALLS, DEPTH, FEW_CALLS, MANY_CALLS
from ..project import Project
from ..syntax.bindings import Binding, parameters, settled
from ..syntax.module import FUNCTIONS, LINKS, FunctionNode, Module, is_deep
from ..syntax.names import imported_path
from . import arithmetic
from .annotations import annotated, is_told_by_caller, says_nothing
from .attributes import attribute, has_decorator
from .changed_objects import is_kept
from .classes import running
from .objects import of_object
from .supers import on_caller
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    External,
    Frame,
    Function,
    Instance,
    ModuleValue,
    Sdk,
    SdkClass,
    Summary,
    Value,
    call_of,
    distinct,
    proved,
    replaced,
)

_MOST_CUTS = 50
"""Circles after which what was found in one serves as a draft until the question is answered:
each way through them cannot be followed, for there are too many. Real extensions have dozens."""
_FRAMELESS = frozenset({"import", "class"})
"""Kinds of bindings that give the same values in every call."""
NOTHING: Alternatives = (Alternative(UNKNOWN),)
_IN_WORK: Alternatives = (Alternative(UNKNOWN),)
"""Stands in a memo while its expression is followed, so that a circle is seen."""


class LazyEvaluator:
    """Evaluates expressions of one extension; its attributes are those of ``Evaluator``."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.surface = project.surface
        self.cuts = 0
        self.summaries: dict[FunctionNode, list[Summary]] = {}
        self._tick = project.clock.tick
        self._memo: dict[ast.AST, Alternatives] = {}
        self._framed: defaultdict[Frame, dict[ast.AST, Alternatives]] = defaultdict(dict)
        self._frames: dict[object, Frame] = {}
        self._bound: dict[Binding, Alternatives] = {}
        self._roles: dict[ast.AST, tuple[Role, ...]] = {}
        self._sdk_bases: dict[ast.ClassDef, str] = {}
        self._named_modules: dict[tuple[Module, str], Value] = {}
        self._sought: set[tuple[Module, str, int]] = set()
        self._depth = 0
        self._drafts: dict[tuple[Frame | None, ast.AST], Alternatives] = {}

    def values(self, module: Module, node: ast.AST, frame: Frame | None = None) -> Alternatives:
        """Return the values of an expression; ``UNKNOWN`` stands for what is not followed."""
        self._tick()  # also where all is known: whoever asks in circles asks here
        memo = self._memo if frame is None else self._framed[frame]
        known = memo.get(node)
        if known is not None and known is not _IN_WORK:
            return known
        if known is None and type(node) is ast.Name and self._settled(module, node, frame, memo):
            return memo[node]
        draft = self._drafts.get((frame, node)) if self._drafts else None
        if known is not None or draft is not None or self._depth > DEPTH:
            self.cuts += 1
            return draft or ()
        step = _STEPS.get(type(node))
        if step is None or (type(node) in LINKS and is_deep(node)):
            found = arithmetic.as_written(module, node, frame) if step is None else NOTHING
            memo[node] = found
            return found
        memo[node] = _IN_WORK
        self._depth += 1
        cut = self.cuts
        try:
            found = distinct(step(self, module, node, frame))
        finally:
            self._depth -= 1
            del memo[node]
        self._keep(memo, node, frame, found, is_whole=cut == self.cuts)
        return found

    def _keep(
        self,
        memo: dict[ast.AST, Alternatives],
        node: ast.AST,
        frame: Frame | None,
        found: Alternatives,
        *,
        is_whole: bool,
    ) -> None:
        """Keep the values of an expression; as a draft what a circle has left incomplete."""
        if is_whole or not self._depth:
            memo[node] = found
            if not self._depth and self._drafts:
                self._drafts.clear()
        elif self.cuts > _MOST_CUTS:
            self._drafts[frame, node] = found

    def frame(self, frame: Frame) -> Frame:
        """Return the frame that stands for this call already, or this one."""
        key = (frame.function, frame.call, frame.outer, frame.bound)
        return self._frames.setdefault(key, frame)

    def is_new(self, frame: Frame) -> bool:
        """Tell whether nothing has been evaluated in a call yet."""
        return frame not in self._framed

    def is_deep(self, frame: Frame, levels: int = 0) -> bool:
        """Tell whether a call is too far in for what it returns to be followed."""
        depth = frame.depth + levels
        found = depth > (CALLS if len(self._frames) < MANY_CALLS else FEW_CALLS)
        around: Frame | None = frame
        while around is not None:
            reading = around.reading
            if reading is not None:
                reading.is_used = reading.is_used or found
                reading.deepest = max(reading.deepest, depth)
            around = around.outer
        return found

    # ---- names -------------------------------------------------------------------------------

    def name(self, module: Module, node: ast.Name, frame: Frame | None) -> Iterable[Alternative]:
        """Follow a name to its bindings."""
        scope, found = self.project.lookup(module, node)
        if not found:
            return (Alternative(External(node.id)),)
        is_tested = module.is_tested(node)
        if len(found) == 1 and not is_tested:
            return self.binding(module, scope, found[0], frame)
        result: list[tuple[Binding, Alternative]] = [
            (binding, item)
            for binding in found
            for item in self.binding(module, scope, binding, frame)
        ]
        items = [item for _, item in result]
        is_same = all(item.value == items[0].value for item in items)
        if not is_same and are_related(module, node, found):
            return NOTHING
        if not is_tested or not any(type(item.value) in NARROWED for item in items):
            return items
        allowed = possible(self, module, node, [(given, item.value) for given, item in result])
        return [item for item, keep in zip(items, allowed, strict=True) if keep]

    def _settled(
        self, module: Module, node: ast.Name, frame: Frame | None, memo: dict[ast.AST, Alternatives]
    ) -> bool:
        """Copy the values of a name from an earlier use with the same bindings."""
        _, found, _ = self.project.bindings(module, node)
        known: Alternatives | None = None
        if not found:
            known = (Alternative(External(node.id)),)
        elif len(found) == 1 and not module.is_tested(node):
            binding = found[0]
            is_same = frame is None or binding.kind in _FRAMELESS
            known = self._bound.get(binding) if is_same else None
        if known is not None:
            memo[node] = known
        return known is not None

    def binding(
        self, module: Module, scope: ast.AST, binding: Binding, frame: Frame | None
    ) -> Iterable[Alternative]:
        """Return the values that a binding gives; memoised where no frame matters."""
        if frame is not None and binding.kind not in _FRAMELESS:
            return self._binding(module, scope, binding, frame)
        known = self._bound.get(binding)
        if known is None:
            cut = self.cuts
            known = distinct(self._binding(module, scope, binding, None))
            if cut == self.cuts or not self._depth:
                self._bound[binding] = known
        return known

    def _binding(
        self, module: Module, scope: ast.AST, binding: Binding, frame: Frame | None
    ) -> Iterable[Alternative]:
        if binding.kind == "param" and isinstance(scope, FUNCTIONS):
            assert isinstance(binding.node, ast.arg)  # noqa: S101 - bindings.py made it so
            return self.parameter(module, scope, binding.node, frame)
        if binding.kind == "def":
            assert isinstance(binding.node, FUNCTIONS)  # noqa: S101 - the same
            return (Alternative(Function(module, binding.node), frame=frame),)
        if binding.kind == "class":
            assert isinstance(binding.node, ast.ClassDef)  # noqa: S101 - the same
            kept = is_kept(self, module, binding.node)
            return (Alternative(Class(module, binding.node) if kept else UNKNOWN),)
        if binding.kind == "import":
            return (Alternative(value) for value in _imported(self, module, binding))
        if binding.kind == "assign" and binding.value is not None:
            return self._assigned(module, binding, frame)
        if binding.kind == "for":
            return rows.looped(self, module, binding, frame)
        if isinstance(binding.node, ast.AugAssign):
            return arithmetic.augmented(self, module, binding, frame)
        return NOTHING

    def _assigned(
        self, module: Module, binding: Binding, frame: Frame | None
    ) -> Iterable[Alternative]:
        assert binding.value is not None  # noqa: S101 - the caller looked
        if isinstance(binding.node, ast.AnnAssign) and not binding.path:
            typed = annotated(self, module, binding.node.annotation)
            if isinstance(typed, (Sdk, Instance)):
                return (Alternative(typed),)
        return rows.assigned(
            self, module, binding.node, asyncio_gather.bound(self, module, binding, frame)
        )

    def module_named(self, importer: Module, dotted: str) -> Value:
        """Return a module of the tree, or the outside name."""
        key = (importer, dotted)
        known = self._named_modules.get(key)
        if known is None:
            known = self._named_modules[key] = self._module_named(importer, dotted)
        return known

    def _module_named(self, importer: Module, dotted: str) -> Value:
        path = self.project.resolver.module(importer.source.path, dotted)
        if path is None:
            return External(dotted)
        found = self.project.module(path)
        return UNKNOWN if found is None else ModuleValue(found)

    def external(self, dotted: str) -> Value:
        """Return an outside name; a class of the SDK is known as such."""
        first, _, path = dotted.partition(".")
        last = path.rpartition(".")[2]
        if first == PACKAGE and path[:3] != "ui." and self.surface.has_class(last):
            return SdkClass(last)
        return External(dotted)

    def global_name(self, module: Module, name: str) -> Alternatives:
        """Return the values of a module's global; nothing if the module does not bind it."""
        key = (module, name, self._depth)  # expressions that lead here again end by themselves
        if key in self._sought:  # modules that import it from each other, or one from itself
            self.cuts += 1
            return ()
        self._sought.add(key)
        try:
            found = settled(module.tree, self.project.global_bindings(module, name))
            return distinct(
                it for each in found for it in self.binding(module, module.tree, each, None)
            )
        finally:
            self._sought.remove(key)

    # ---- parameters --------------------------------------------------------------------------

    def roles(self, module: Module, function: ast.AST) -> tuple[Role, ...]:
        """Return what a function is registered as."""
        if function not in self._roles:
            self._roles[function] = ()
            self._roles[function] = roles(self, module, function)
        return self._roles[function]

    def parameter(
        self, module: Module, function: FunctionNode, arg: ast.arg, frame: Frame | None
    ) -> Iterable[Alternative]:
        """Return the values of a parameter: by the frame, the decorator, or all callers."""
        owner = call_of(frame, function)
        if owner is not None:
            given = tuple(argument(self, module, function, arg, owner))
            if owner.reading is not None:
                owner.reading.given[arg] = given
            return given
        own_class = self.enclosing_class(module, function)
        if own_class is not None and parameters(function)[:1] == [arg]:
            made = running(self, own_class, function)
            is_class = has_decorator(function, "classmethod")
            return (Alternative(each if is_class else Instance(each)) for each in made)
        given = [
            Alternative(Sdk("Context", role.kind), origin=(module, function))
            for role in self.roles(module, function)
            if role.context is arg
        ]
        typed = annotated(self, module, arg.annotation) if arg.annotation else UNKNOWN
        if type(typed) is not Value and not isinstance(typed, Sdk) and not is_told_by_caller(typed):
            return given or (Alternative(typed),)
        if self._depth > CALLERS_DEPTH:
            self.cuts += 1
            return given
        called = [
            replaced(item, typed) if says_nothing(item.value) else item
            for item in from_callers(self, module, function, arg)
        ]
        return proved([*given, *called]) or self._uncalled(function, arg, typed)

    def _uncalled(
        self, function: FunctionNode, arg: ast.arg, typed: Value
    ) -> Iterable[Alternative]:
        """Return the values of a parameter without callers: by its name and annotation."""
        if type(typed) is not Value:
            return (Alternative(typed),)
        if arg.arg == "ctx" and not getattr(function, "decorator_list", None):
            return (Alternative(Sdk("Context", certain=False)),)
        return NOTHING

    def enclosing_class(self, module: Module, function: ast.AST) -> Class | None:
        """Return the class whose method a function is; none for a static method."""
        parent = module.parents.get(function)
        if not isinstance(parent, ast.ClassDef) or isinstance(function, ast.Lambda):
            return None
        return None if has_decorator(function, "staticmethod") else Class(module, parent)

    def project_name(self, module: Module, function: ast.AST) -> str:
        """Return the name by which messages speak of a function."""
        return module.qualified_name(function) or "lambda"

    # ---- classes -----------------------------------------------------------------------------

    def bases(self, cls: Class) -> Iterable[Value]:
        """Yield the bases of a class, their bases included; unknown ones too."""
        seen: set[ast.AST] = set()
        todo = [cls]
        while todo:
            current = todo.pop(0)
            if current.node in seen:
                continue
            seen.add(current.node)
            for base in current.node.bases:
                target = base.value if isinstance(base, ast.Subscript) else base
                for item in self.values(current.module, target):
                    yield item.value
                    if isinstance(item.value, Class):
                        todo.append(item.value)

    def sdk_base(self, cls: Class) -> str:
        """Return the SDK class that a class of the tree extends, or an empty text."""
        known = self._sdk_bases.get(cls.node)
        if known is None:
            cut = self.cuts
            known = next((base.cls for base in self.bases(cls) if isinstance(base, SdkClass)), "")
            if cut == self.cuts or not self._depth:
                self._sdk_bases[cls.node] = known
        return known

    # ---- expressions -------------------------------------------------------------------------

    def attribute(
        self, module: Module, node: ast.Attribute, frame: Frame | None
    ) -> Iterable[Alternative]:
        """``x.name`` on each value of ``x``."""
        return narrowed(self, module, node, self._attribute(module, node, frame))

    def _attribute(
        self, module: Module, node: ast.Attribute, frame: Frame | None
    ) -> Iterable[Alternative]:
        bases = self.values(module, node.value, frame)
        if len(bases) == 1:
            if type(bases[0].value) is Instance:
                found = of_object(self, module, node, bases[0], frame)
                return on_caller(self, module, node, found, frame)
            return attribute(self, bases[0], node.attr)
        return [item for base in bases for item in attribute(self, base, node.attr)]

    def item(
        self, module: Module, node: ast.Subscript, frame: Frame | None
    ) -> Iterable[Alternative]:
        """``x["key"]`` on each value of ``x``."""
        return narrowed(self, module, node, arithmetic.subscript(self, module, node, frame))

    def call(self, module: Module, node: ast.Call, frame: Frame | None) -> Iterable[Alternative]:
        """A call of each value of its callee."""
        return calling.call(self, module, node, frame)


_Handler = Callable[[LazyEvaluator, Module, Any, Frame | None], Iterable[Alternative]]
_STEPS: dict[type[ast.AST], _Handler] = {
    ast.Name: LazyEvaluator.name,
    ast.Attribute: LazyEvaluator.attribute,
    ast.Call: LazyEvaluator.call,
    ast.Await: arithmetic.awaited,
    ast.IfExp: arithmetic.either,
    ast.BoolOp: arithmetic.boolean,
    ast.NamedExpr: arithmetic.walrus,
    ast.Lambda: arithmetic.function,
    ast.BinOp: arithmetic.operation,
    ast.UnaryOp: arithmetic.sign,
    ast.JoinedStr: arithmetic.joined,
    ast.Subscript: LazyEvaluator.item,
}


def _imported(evaluator: Evaluator, module: Module, binding: Binding) -> Iterable[Value]:
    """Return what an import binds."""
    alias, statement = binding.node, binding.value
    assert isinstance(alias, ast.alias)  # noqa: S101 - bindings.py made it so
    if isinstance(statement, ast.ImportFrom):
        return _member_of(evaluator, module, imported_path(statement), alias.name)
    dotted = alias.name if alias.asname else alias.name.split(".")[0]
    return (evaluator.module_named(module, dotted),)


def _member_of(evaluator: Evaluator, importer: Module, base: str, name: str) -> Iterable[Value]:
    """Return what ``from base import name`` binds."""
    owner = evaluator.module_named(importer, base)
    if isinstance(owner, ModuleValue):
        found = tuple(item.value for item in evaluator.global_name(owner.module, name))
        if found:
            return found
        sep = "" if base.endswith(".") else "."
        inner = evaluator.module_named(importer, f"{base}{sep}{name}")
        return (inner if isinstance(inner, ModuleValue) else UNKNOWN,)
    if isinstance(owner, External):
        return (evaluator.external(f"{owner.name}.{name}"),)
    return (UNKNOWN,)
