"""How functions and classes of the SDK may be called, as ``modules.json`` writes it.

``f(a,b=0)`` is a function, ``af(a)`` one whose calls are awaited, ``c(a,b=0)`` a class whose
constructor raises ``TypeError``, ``m(*,a)`` a model of pydantic, which raises ``ValidationError``.
Without parentheses it is not known. A default is always written 0: only that there is one counts.
"""

from __future__ import annotations

import ast

import msgspec

from .package_reading import Definition, Package

_KEEPING = frozenset({"cache", "lru_cache", "contextmanager", "asynccontextmanager", "final"})
"""Decorators that leave a function's parameters as they are."""
_PLAIN = frozenset({"object", "ABC", "Generic"})
_ERRORS = frozenset({"Exception", "ValueError", "RuntimeError", "TypeError", "PermissionError",
                     "LookupError", "KeyError"})  # fmt: skip
_CLASS_DECORATORS = frozenset({"final", "runtime_checkable", "total_ordering"})
_UNFIT = frozenset({"root_validator", "model_validator"})


def described(package: Package, dotted: str, node: Definition) -> str:
    """Return how a definition may be called."""
    if isinstance(node, ast.ClassDef):
        return Constructors(package).text(dotted, node)
    kept = all(_last(item) in _KEEPING for item in node.decorator_list)
    prefix = "a" if _is_coroutine(node) else ""
    return f"{prefix}f{arguments(node.args) if kept else ''}"


def _is_coroutine(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a call must be awaited; generators and context managers are not."""
    return (
        isinstance(node, ast.AsyncFunctionDef)
        and all(_last(item) == "final" for item in node.decorator_list)
        and not any(isinstance(part, ast.Yield) for part in ast.walk(node))
    )


def arguments(spec: ast.arguments, *, skip: int = 0) -> str:
    """Return ``(a,b=0,*,c,**d)``."""
    names = [*spec.posonlyargs, *spec.args]
    first = len(names) - len(spec.defaults)
    parts = [f"{arg.arg}{'=0' * (index >= first)}" for index, arg in enumerate(names)]
    if spec.posonlyargs:
        parts.insert(len(spec.posonlyargs), "/")
    parts = parts[skip:]
    if spec.vararg or spec.kwonlyargs:
        parts.append(f"*{spec.vararg.arg if spec.vararg else ''}")
    for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        parts.append(f"{arg.arg}{'=0' * (default is not None)}")
    if spec.kwarg:
        parts.append(f"**{spec.kwarg.arg}")
    return f"({','.join(parts)})"


class _Shape(msgspec.Struct):
    """What is known of a class and of those that it extends.

    Attributes:
        kind: ``plain``, ``error``, ``dataclass``, ``model``, or empty if it is not known.
        fields: name → (whether it must be given, whether only as keyword).
        init: text of the parameters of a written ``__init__``.
        is_loose: whether what must be given is not known.
        extra: what a model does with unknown names, if that is written.
    """

    kind: str = "plain"
    fields: dict[str, tuple[bool, bool]] = msgspec.field(
        default_factory=dict[str, tuple[bool, bool]]
    )
    init: str = ""
    is_loose: bool = False
    extra: str = ""


class Constructors:
    """Finds how the classes of one package are made."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._active: set[ast.ClassDef] = set()

    def text(self, dotted: str, node: ast.ClassDef) -> str:
        """Return ``c(…)``, ``m(…)`` or ``c``."""
        shape = self._shape(dotted, node)
        if not shape.kind:
            return "c"
        if shape.init:
            return f"c{shape.init}"
        if shape.kind == "model":
            return _model_text(shape)
        if shape.kind == "dataclass":
            return _dataclass_text(shape)
        return "c(*args)" if shape.kind == "error" else "c()"

    def _shape(self, dotted: str, node: ast.ClassDef) -> _Shape:
        if node in self._active:
            return _Shape(kind="")
        self._active.add(node)
        try:
            return self._own(node, self._inherited(dotted, node))
        finally:
            self._active.discard(node)

    def _inherited(self, dotted: str, node: ast.ClassDef) -> _Shape:
        shapes = [self._base(dotted, base) for base in node.bases]
        known = [shape for shape in shapes if shape.kind != "plain" or shape.init]
        if any(not shape.kind for shape in shapes) or node.keywords:
            return _Shape(kind="")
        if not known:
            return _Shape()
        kinds = {shape.kind for shape in known}
        if len(known) > 1 and (kinds != {"model"} or any(shape.init for shape in known)):
            return _Shape(kind="")
        merged = _Shape(kind=known[0].kind, init=known[0].init)
        for shape in reversed(known):
            for name, (required, keyword) in shape.fields.items():
                before = merged.fields.get(name, (required, keyword))
                merged.fields[name] = (required and before[0], keyword)
            merged.is_loose = merged.is_loose or shape.is_loose
            merged.extra = shape.extra or merged.extra
        return merged

    def _base(self, dotted: str, base: ast.expr) -> _Shape:
        if isinstance(base, ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name):
            found = self._package.definition(dotted, base.id)
            if found is not None:
                where, node = found
                return self._shape(where, node) if isinstance(node, ast.ClassDef) else _Shape("")
        name = _last(base)
        if name == "BaseModel":
            return _Shape(kind="model")
        if name in _PLAIN:
            return _Shape()
        return _Shape(kind="error" if name in _ERRORS else "")

    def _own(self, node: ast.ClassDef, shape: _Shape) -> _Shape:
        decorators = {_last(item): item for item in node.decorator_list}
        if not shape.kind or set(decorators) - _CLASS_DECORATORS - {"dataclass"}:
            return _Shape(kind="")
        methods = {
            item.name: item
            for item in node.body
            if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        if "__new__" in methods:
            return _Shape(kind="")
        init = methods.get("__init__")
        if "dataclass" in decorators:
            if shape.kind not in {"plain", "dataclass"}:
                return _Shape(kind="")
            shape.kind = "dataclass"
            _dataclass_fields(node, shape, decorators["dataclass"])
            shape.init = ""
        elif shape.kind == "model":
            _model_fields(node, shape)
        if init is not None:
            if init.decorator_list:
                return _Shape(kind="")
            shape.init = arguments(init.args, skip=1)
        return shape


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_class_variable(item: ast.AnnAssign) -> bool:
    return "ClassVar" in ast.unparse(item.annotation)


def _options(call: ast.expr | None) -> dict[str, object]:
    """Return the keyword arguments of a call; a value that is no literal is None."""
    if not isinstance(call, ast.Call):
        return {}
    return {
        item.arg or "**": item.value.value if isinstance(item.value, ast.Constant) else None
        for item in call.keywords
    }


# ---- dataclasses -----------------------------------------------------------------------------


def _dataclass_fields(node: ast.ClassDef, shape: _Shape, decorator: ast.expr) -> None:
    options = _options(decorator)
    if options.get("init", True) is not True or "**" in options:
        shape.kind = ""
    keyword = options.get("kw_only") is True
    for item in node.body:
        if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
            continue
        if _last(item.annotation) == "KW_ONLY":
            keyword = True
        elif not _is_class_variable(item):
            given = _options(item.value) if _is_field(item.value) else {}
            if given.get("init", True) is False:
                shape.fields.pop(item.target.id, None)
                continue
            required = item.value is None or (
                _is_field(item.value) and not given.keys() & {"default", "default_factory"}
            )
            only = given.get("kw_only", keyword) is True
            shape.fields[item.target.id] = (required, only)


def _is_field(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and _last(value) == "field"


def _dataclass_text(shape: _Shape) -> str:
    parts: dict[bool, list[str]] = {False: [], True: []}
    for name, (required, only) in shape.fields.items():
        parts[only].append(name + "=0" * (not required))
    star = ["*"] if parts[True] else []
    return f"c({','.join([*parts[False], *star, *parts[True]])})"


# ---- models of pydantic ----------------------------------------------------------------------


def _model_fields(node: ast.ClassDef, shape: _Shape) -> None:
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            shape.is_loose = shape.is_loose or any(
                _last(call) in _UNFIT and _options(call).get("mode") != "after"
                for call in item.decorator_list
            )
        elif isinstance(item, ast.ClassDef) and item.name == "Config":
            shape.is_loose = True
        elif isinstance(item, ast.Assign) and "model_config" in map(_last, item.targets):
            _configure(shape, item.value)
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            name = item.target.id
            if name == "model_config":
                _configure(shape, item.value)
            elif not name.startswith("_") and not _is_class_variable(item):
                shape.fields[name] = (_is_required(item), True)
                written = ast.unparse(item)
                shape.is_loose = shape.is_loose or "alias" in written


def _configure(shape: _Shape, config: ast.expr | None) -> None:
    options = _options(config)
    if options.keys() & {"**", "alias_generator"} or not isinstance(config, ast.Call):
        shape.is_loose = True
    shape.extra = str(options.get("extra", shape.extra))


def _is_required(item: ast.AnnAssign) -> bool:
    value = item.value
    if value is None:
        return "Field(" not in ast.unparse(item.annotation)
    if isinstance(value, ast.Call) and _last(value) == "Field":
        default = _options(value).keys() & {"default", "default_factory", "**"}
        return not default and (not value.args or _is_ellipsis(value.args[0]))
    return _is_ellipsis(value)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _model_text(shape: _Shape) -> str:
    required = "" if shape.is_loose else "0"
    names = [
        name + "=0" * (not must or not required) for name, (must, _) in sorted(shape.fields.items())
    ]
    closed = shape.extra == "forbid" and not shape.is_loose
    return f"m({','.join(['*', *names, *([] if closed else ['**extra'])]) if names else '**extra'})"
