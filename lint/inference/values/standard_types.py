"""Instances of builtin and standard library classes."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module

import msgspec

from .known_calls import is_text
from .values import (
    Class,
    Const,
    Coroutine,
    Display,
    EnumMember,
    Function,
    Made,
    Sdk,
    SdkClass,
    SdkMethod,
    Value,
)

TIMES = {
    "datetime.datetime": "a datetime", "datetime.date": "a date", "datetime.time": "a time",
    "datetime.timedelta": "a timedelta",
}  # fmt: skip
"""Class of a time → in words."""
_MODULES = frozenset({
    "builtins", "collections", "collections.abc", "datetime", "decimal", "enum", "fractions",
    "numbers", "os", "pathlib", "re", "types", "uuid",
})  # fmt: skip
"""What may be imported to see what extends what: they do nothing else then."""
_CONCRETE = frozenset({"datetime", "pathlib", "uuid"})
"""Modules whose classes nobody extends by a truth of their own."""
_DATETIME = "datetime.datetime"
RESULTS = {
    **{f"{_DATETIME}.{name}": _DATETIME for name in (
        "now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp", "fromisoformat",
        "fromisocalendar", "fromordinal", "strptime", "combine",
    )},
    **{f"datetime.date.{name}": "datetime.date" for name in (
        "today", "fromtimestamp", "fromisoformat", "fromisocalendar", "fromordinal",
    )},
    "datetime.time.fromisoformat": "datetime.time",
    **dict.fromkeys(("uuid.uuid1", "uuid.uuid3", "uuid.uuid4", "uuid.uuid5"), "uuid.UUID"),
    **dict.fromkeys(("decimal.Decimal.from_float",), "decimal.Decimal"),
    **dict.fromkeys(("pathlib.Path.cwd", "pathlib.Path.home"), "pathlib.Path"),
    **dict.fromkeys(("time.time", "time.monotonic", "time.perf_counter"), "float"),
    **dict.fromkeys(("json.dumps", "repr", "time.strftime", "time.ctime"), "str"),
    **{f"base64.{name}": "bytes" for name in (
        "b64encode", "b64decode", "standard_b64encode", "standard_b64decode", "urlsafe_b64encode",
        "urlsafe_b64decode", "b32encode", "b32decode", "b32hexencode", "b32hexdecode", "b16encode",
        "b16decode", "a85encode", "a85decode", "b85encode", "b85decode", "encodebytes",
        "decodebytes",
    )},
    **dict.fromkeys(("secrets.token_bytes", "os.urandom"), "bytes"),
    **dict.fromkeys((
        "pickle.dumps", "marshal.dumps", "zlib.compress", "gzip.compress", "bz2.compress",
        "lzma.compress",
    ), "bytes"),
    **dict.fromkeys((
        "html.escape", "html.unescape", "textwrap.dedent", "textwrap.shorten", "textwrap.indent",
        "textwrap.fill", "urllib.parse.quote", "urllib.parse.quote_plus", "urllib.parse.urlencode",
        "pprint.pformat",
    ), "str"),
    "sorted": "list", "re.compile": "re.Pattern", "iter": "collections.abc.Iterator",
    "dict.keys": "collections.abc.KeysView", "dict.values": "collections.abc.ValuesView",
    "dict.items": "collections.abc.ItemsView",
}  # fmt: skip
"""Function → the class of what it returns; what a class makes is told by its own name."""
_SERIALISERS = {
    **dict.fromkeys((
        "orjson.dumps", "msgpack.packb", "msgpack.dumps", "cbor2.dumps", "msgspec.json.encode",
        "msgspec.msgpack.encode",
    ), "bytes"),
    **dict.fromkeys((
        "simplejson.dumps", "ujson.dumps", "rapidjson.dumps", "toml.dumps", "tomli_w.dumps",
    ), "str"),
}  # fmt: skip
"""Function of another library → the class of what it returns."""
JOINING = frozenset({"copy", "difference", "intersection", "symmetric_difference", "union"})
"""Methods of a set that return another one."""
SAME_DECIMAL = frozenset({"quantize", "normalize", "copy_abs", "copy_negate", "to_integral_value"})
"""Methods of a Decimal that return another one."""
_METHODS = {
    "decimal.Decimal": dict.fromkeys(SAME_DECIMAL, "decimal.Decimal"),
    **{name: dict.fromkeys(JOINING, name) for name in ("set", "frozenset")},
    _DATETIME: {
        "date": "datetime.date", "time": "datetime.time", "timetz": "datetime.time",
        "timestamp": "float", "isoformat": "str", "strftime": "str", "ctime": "str",
        "replace": _DATETIME, "astimezone": _DATETIME,
    },
    "datetime.date": {
        "isoformat": "str", "strftime": "str", "ctime": "str", "replace": "datetime.date",
    },
    "datetime.time": {"isoformat": "str", "strftime": "str", "replace": "datetime.time"},
    "datetime.timedelta": {"total_seconds": "float"},
}  # fmt: skip
"""Class → its methods → the class of what they return."""
_DIGESTS = {"digest": "bytes", "hexdigest": "str"}
_MIXED = (str, int, float, bytes)
"""Classes that an Enum of somebody may extend as well, so that its members are both."""
_DISPLAYS: dict[type[ast.expr], type] = {
    ast.Dict: dict, ast.DictComp: dict, ast.List: list, ast.ListComp: list, ast.Set: set,
    ast.SetComp: set, ast.Tuple: tuple,
}  # fmt: skip


class StandardType(msgspec.Struct, frozen=True):
    """A class of Python or its standard library of which a value is an instance.

    Attributes:
        exact: whether it is no subclass; the argument of an annotated parameter may be one, or
            ``None``.
    """

    cls: type
    exact: bool = True

    def is_of(self, wanted: type) -> bool | None:
        """Tell whether it is an instance of a class; None if that is not known."""
        if issubclass(self.cls, wanted):
            return True
        return False if self.exact or not self._may_extend(wanted) else None

    def _may_extend(self, wanted: type) -> bool:
        is_plain = wanted.__module__ == "builtins"
        return issubclass(wanted, self.cls) or (not is_plain and self.may_be_mixed)

    @property
    def may_be_mixed(self) -> bool:
        """Whether it may be an instance of another library's subclass."""
        return not self.exact and issubclass(self.cls, _MIXED)

    @property
    def is_true(self) -> bool:
        """Whether all instances are true, so that a false value is ``None``."""
        is_plain = self.exact or self.cls.__module__ in _CONCRETE
        return is_plain and not hasattr(self.cls, "__bool__") and not hasattr(self.cls, "__len__")


def class_name(made: str) -> str:
    """Return the class of a call's result; the callee's own name if unknown."""
    owner, _, method = made.rpartition("().")
    if not owner:
        return RESULTS.get(made) or _SERIALISERS.get(made, made)
    methods = _DIGESTS if owner.startswith("hashlib.") else _METHODS.get(class_name(owner), {})
    return methods.get(method, made)


@cache
def standard_class(name: str) -> type | None:
    """Return a class by its dotted name; None if it is none of these modules."""
    module, _, last = name.rpartition(".")
    if (module or "builtins") not in _MODULES:
        return None
    found = getattr(import_module(module or "builtins"), last, None)
    return found if isinstance(found, type) else None


def standard_type(value: Value) -> StandardType | None:
    """Return the standard class that a value certainly is an instance of, if one is known."""
    if isinstance(value, Made):
        name = class_name(value.of)
        cls = standard_class(name)
        is_exact = name != value.of or cls is object
        return StandardType(cls, is_exact) if cls is not None else None
    cls = _class_of(value)
    return StandardType(cls, exact=cls is not type) if cls is not None else None


def _class_of(value: Value) -> type | None:
    if isinstance(value, Const):
        return None if isinstance(value, EnumMember) else type(value.value)
    if isinstance(value, Display):
        return str if is_text(value) else _DISPLAYS.get(type(value.node))
    if isinstance(value, (Class, SdkClass)):
        return type
    name = _NAMES.get(type(value), "")
    is_bound = not isinstance(value, SdkMethod) or isinstance(value.owner, Sdk)
    if isinstance(value, Function):
        is_bound = value.bound is None and not getattr(value.node, "decorator_list", None)
    return standard_class(name) if name and is_bound else None


_NAMES: dict[type[Value], str] = {
    Coroutine: "types.CoroutineType",
    Function: "types.FunctionType",
    SdkMethod: "types.MethodType",
}
