"""What a rule sees of a file and of its extension."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, TypeVar

import msgspec

from ..reports.lint.findings import ChainStep, Span
from .inference.calls.calling import constant_text
from .inference.calls.roles import Role
from .inference.evaluator import Alternatives, Evaluator
from .inference.project import Project
from .inference.syntax.module import FunctionNode, Module
from .inference.values.evaluate import LazyEvaluator
from .inference.values.values import (
    Alternative,
    Class,
    Coroutine,
    External,
    Frame,
    Instance,
    ModuleValue,
    Partial,
    Sdk,
    SdkClass,
    SdkField,
    SdkMethod,
    Value,
)

Result = TypeVar("Result")
Handlers = tuple[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Role], ...]

READERS = frozenset({"getattr", "hasattr", "setattr", "delattr"})
_OF_SDK = frozenset({Sdk, SdkClass, SdkMethod, SdkField, Partial})
_LEADING = frozenset({Sdk, SdkClass, Class, Instance, ModuleValue})
_CALLEES = frozenset({ast.Attribute, ast.Name, ast.Call, ast.Subscript})
_NEVER_SDK = frozenset(
    {ast.Constant, ast.JoinedStr, ast.BinOp, ast.UnaryOp, ast.Dict, ast.List, ast.Tuple, ast.Set}
)
"""Expressions that are worth no object of the SDK, so that nobody need ask what they are worth."""


class Access(msgspec.Struct, frozen=True):
    """A use of an attribute, however it is spelt.

    Attributes:
        node: the whole use.
        owner: the expression whose attribute it is.
        name: of the attribute.
        how: ``read``, ``write``, ``delete``, ``hasattr`` or ``default`` (getattr with a default).
        dynamic: whether it is spelt with getattr and the like.
    """

    node: ast.expr
    owner: ast.expr
    name: str
    how: str
    dynamic: bool = False


class ProjectView:
    """An extension, for rules that judge it as a whole.

    Attributes:
        project: its files.
        evaluator: answers what expressions are worth.
        surface: the SDK in the target version.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.evaluator: Evaluator = LazyEvaluator(project)
        self.surface = project.surface
        self._once: dict[Callable[[ProjectView], Any], Any] = {}
        self._handlers: dict[str, tuple[tuple[Module, FunctionNode, Role], ...]] = {}

    def once(self, compute: Callable[[ProjectView], Result]) -> Result:
        """Return what a function says of the extension; it is asked once."""
        if compute not in self._once:
            self._once[compute] = compute(self)
        return self._once[compute]

    def handlers(self, mention: str) -> tuple[tuple[Module, FunctionNode, Role], ...]:
        """Return the handlers in the files that hold a text, such as ``.skeleton``'s."""
        if mention not in self._handlers:
            self._handlers[mention] = tuple(
                (module, function, role)
                for module in self.project.mentioning(mention)
                if module.source.path in self.project.reachable
                for kind in (ast.FunctionDef, ast.AsyncFunctionDef)
                for function in module.nodes(kind)
                for role in self.evaluator.roles(module, function)
                if not role.is_elsewhere
            )
        return self._handlers[mention]


class FileView:
    """A file, for a rule.

    Attributes:
        module: the parsed file.
        extension: the extension that it belongs to.
        surface: the SDK in the target version.
    """

    def __init__(self, extension: ProjectView, module: Module) -> None:
        self.extension = extension
        self.module = module
        self.evaluator = extension.evaluator
        self.surface = extension.surface
        self._once: dict[Callable[[FileView], Any], Any] = {}

    def once(self, compute: Callable[[FileView], Result]) -> Result:
        """Return what a function says of the file; it is asked once."""
        if compute not in self._once:
            self._once[compute] = compute(self)
        return self._once[compute]

    @property
    def sdk(self) -> str:
        """The target version as messages name it."""
        return f"imperal-sdk {self.surface.version}"

    def values(self, node: ast.AST, frame: Frame | None = None) -> Alternatives:
        """Return the values that an expression may have."""
        return self.evaluator.values(self.module, node, frame)

    def sdk_values(self, node: ast.expr, *classes: str) -> list[tuple[Sdk, Alternative]]:
        """Return those values that are instances of the named SDK classes."""
        return [
            (item.value, item)
            for item in self.values(node)
            if isinstance(item.value, Sdk) and item.value.cls in classes
        ]

    def roles(self, function: ast.AST) -> tuple[Role, ...]:
        """Return what a function is registered as, in its own file."""
        found = self.evaluator.roles(self.module, function)
        return tuple(role for role in found if not role.is_elsewhere)

    def handlers(self) -> Handlers:
        """Return the handlers of the file."""
        return self.once(_handlers)

    def accesses(self, *names: str) -> Iterator[Access]:
        """Yield the uses of attributes with one of these names; of all if none is given."""
        plain = self.module.attributes(*names) if names else self.module.nodes(ast.Attribute)
        yield from map(_plain_access, plain)
        for access in self._dynamic_accesses:
            if not names or access.name in names:
                yield access

    @cached_property
    def sdk_accesses(self) -> tuple[Access, ...]:
        """The uses of attributes of what may be an object or a class of the SDK."""
        plain = (node for node in self.module.nodes(ast.Attribute) if self._is_sdk(node.value))
        dynamic = (access for access in self._dynamic_accesses if self._is_sdk(access.owner))
        return (*map(_plain_access, plain), *dynamic)

    @cached_property
    def sdk_calls(self) -> dict[ast.Call, Alternatives]:
        """The calls of what may be a method or a class of the SDK → what they may call."""
        return {
            call: self.values(call.func)
            for call in self.module.nodes(ast.Call)
            if type(call.func) in _CALLEES and self._is_sdk(call.func)
        }

    def _is_sdk(self, node: ast.expr) -> bool:
        """Tell whether an expression may be an object or a class of the SDK, or of a subclass."""
        if type(node) in _NEVER_SDK:
            return False
        if isinstance(node, ast.Attribute) and not self._leads_to_sdk(node.value):
            return False
        for item in self.evaluator.values(self.module, node):
            value = item.value
            if type(value) in _OF_SDK:
                return True
            cls = value.cls if type(value) is Instance else value
            if type(cls) is Class and self.evaluator.sdk_base(cls):
                return True
        return False

    def _leads_to_sdk(self, owner: ast.expr) -> bool:
        """Tell whether an attribute of an expression may be an object or a class of the SDK."""
        for item in self.evaluator.values(self.module, owner):
            value = item.value
            if type(value) in _LEADING:
                return True
            if isinstance(value, External) and value.name.startswith("imperal_sdk"):
                return True
        return False

    @cached_property
    def _dynamic_accesses(self) -> tuple[Access, ...]:
        """The uses spelt with getattr and the like, whose name is known."""
        found: list[Access] = []
        calls = (call for name in READERS for call in self.module.calls.get(name, ()))
        for call in sorted(calls, key=attrgetter("lineno", "col_offset")):
            if isinstance(call.func, ast.Name) and len(call.args) > 1:
                name = constant_text(self.evaluator, self.module, call.args[1])
                if name is not None:
                    found.append(Access(call, call.args[0], name, _how(call), dynamic=True))
        return tuple(found)

    def calls(self, *methods: str) -> Iterator[tuple[ast.Call, ast.Attribute]]:
        """Yield the calls ``x.method(…)`` of the named methods."""
        for call in self.module.nodes(ast.Call):
            if isinstance(call.func, ast.Attribute) and call.func.attr in methods:
                yield call, call.func

    def chain(self, item: Alternative) -> tuple[ChainStep, ...]:
        """Return the way of a value from its handler, outermost first."""
        calls = tuple(step_at(step.module, step.node, f"calls {step.callee}") for step in item.via)
        if item.origin is None:
            return calls
        return (step_at(*item.origin, f"{self.label(item)} gets the context"), *calls)

    def label(self, item: Alternative) -> str:
        """Return ``@ext.panel("x") panel_x``, the handler whose context it is."""
        if item.origin is None:
            return "a handler"
        module, function = item.origin
        roles = self.evaluator.roles(module, function)
        kind = kind_of(item.value)
        labels = [role.label for role in roles if not kind or role.kind == kind]
        return f"{labels[0] if labels else 'a handler'} {getattr(function, 'name', '')}"


def _handlers(view: FileView) -> Handlers:
    return tuple(
        (function, role)
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef)
        for function in view.module.nodes(kind)
        for role in view.roles(function)
    )


def kind_of(value: Value) -> str:
    """Return the kind of handler whose context a value hangs on, or an empty text."""
    if isinstance(value, (SdkMethod, SdkField)):
        value = value.owner
    if isinstance(value, Coroutine):
        return kind_of(value.result)
    return value.kind if isinstance(value, Sdk) else ""


def step_at(module: Module, node: ast.AST, note: str) -> ChainStep:
    """Return a step of a chain; of a definition only its name is marked."""
    return ChainStep(path=module.source.name, span=span_of(module, node), note=note)


def span_of(module: Module, node: ast.AST) -> Span:
    """Return where a node stands; of a function or class its first line up to the name."""
    source = module.source
    line: int = getattr(node, "lineno", 1)
    column = source.column(line, getattr(node, "col_offset", 0))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        text = source.lines[line - 1]
        found = text.find(node.name, column - 1)
        end = found + len(node.name) + 1 if found >= 0 else len(text.rstrip("\r\n")) + 1
        return Span(line=line, column=column, end_line=line, end_column=end)
    end_line: int = getattr(node, "end_lineno", None) or line
    end_offset: int | None = getattr(node, "end_col_offset", None)
    end_column = column if end_offset is None else source.column(end_line, end_offset)
    return Span(line=line, column=column, end_line=end_line, end_column=end_column)


def _plain_access(node: ast.Attribute) -> Access:
    return Access(node, node.value, node.attr, _HOW[type(node.ctx)])


_HOW: dict[type[ast.expr_context], str] = {
    ast.Load: "read",
    ast.Store: "write",
    ast.Del: "delete",
}


def _how(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name == "getattr":
        return "default" if len(call.args) > 2 else "read"
    return {"hasattr": "hasattr", "setattr": "write"}.get(name, "delete")


def asked_once(compute: Callable[[FileView], Result]) -> Callable[[FileView], Result]:
    """Let the view of a file keep what a function says of it."""

    @wraps(compute)
    def ask(view: FileView) -> Result:
        return view.once(compute)

    return ask
