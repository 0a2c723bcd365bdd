"""The values that an expression may have, as far as the source tells them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import chain, islice

import msgspec

from ..limits import VALUES
from ..syntax.module import FunctionNode, Module


class Value(msgspec.Struct, frozen=True):
    """Base of the abstract values; the base itself is *unknown*."""


class Const(Value, frozen=True):
    """A number, text, bytes, bool, ``None`` or ``...`` that is known."""

    value: object


class EnumMember(Const, frozen=True):
    """A member of an Enum of the linted tree that is no text and no number itself.

    Attributes:
        value: what the class gives it.
        cls: the class.
    """

    cls: Class


class Sdk(Value, frozen=True):
    """An instance of one of the SDK's classes.

    Attributes:
        cls: name of the class as in ``surface.json``.
        kind: for a context and what hangs on it, the kind of handler that got it; empty if no
            handler is known.
        certain: whether it is proved; a parameter called ``ctx`` without any caller is likely.
        scoped: whether it comes from ``ctx.as_user(…)``, so that it acts for a user.
        row: class of what it holds, for a page of them.
    """

    cls: str
    kind: str = ""
    certain: bool = True
    scoped: bool = False
    row: str = ""


class SdkClass(Value, frozen=True):
    """One of the SDK's classes itself."""

    cls: str


class SdkMethod(Value, frozen=True):
    """A bound method of an SDK object, or a method taken from the class."""

    owner: Sdk | SdkClass
    name: str

    @property
    def certain(self) -> bool:
        """Whether the object is proved; a class is."""
        return not isinstance(self.owner, Sdk) or self.owner.certain


class SdkField(Value, frozen=True):
    """The value of an SDK object's field that holds no SDK object, ``ctx.user.email``."""

    owner: Sdk
    name: str


class Function(Value, frozen=True):
    """A function of the linted tree.

    Attributes:
        bound: the instance, for a bound method.
    """

    module: Module
    node: FunctionNode
    bound: Value | None = None


class Class(Value, frozen=True):
    """A class of the linted tree."""

    module: Module
    node: ast.ClassDef


class Instance(Value, frozen=True):
    """An instance of a class of the linted tree."""

    cls: Class


class ModuleValue(Value, frozen=True):
    """A module of the linted tree."""

    module: Module


class External(Value, frozen=True):
    """A module, function or class from elsewhere, by its dotted name: ``datetime.datetime``."""

    name: str


class Made(Value, frozen=True):
    """What calling something from elsewhere returned, ``datetime.datetime.now()``.

    Attributes:
        of: dotted name of the callee; the class's name for builtin types: ``int``, ``str``.
    """

    of: str


class Rows(Made, frozen=True):
    """A list whose items are all of one kind.

    Attributes:
        row: one of them.
    """

    row: Value


class Gathered(Rows, frozen=True):
    """What has to be awaited for such a list: ``asyncio.gather(*…)``."""


class Duration(Made, frozen=True):
    """A ``datetime.timedelta`` whose length is known."""

    length: timedelta


class Partial(Made, frozen=True):
    """What ``functools.partial(ctx.cache.get, key)`` made: a method that has some arguments.

    Attributes:
        method: what is called in the end.
        module: where the call of ``partial`` stands.
        node: that call.
    """

    method: SdkMethod
    module: Module
    node: ast.Call


class TupleClass(Made, frozen=True):
    """A class that ``namedtuple("Slot", "key ttl")`` made.

    Attributes:
        module: where that call stands.
        node: the call.
    """

    module: Module
    node: ast.Call


class Namespace(Made, frozen=True):
    """What ``SimpleNamespace(ctx=ctx)`` made: an object that has what it is given.

    Attributes:
        module: where that call stands.
        node: the call.
    """

    module: Module
    node: ast.Call


class Computed(External, frozen=True):
    """A callee from elsewhere whose result is known: ``timedelta(minutes=1).total_seconds``."""

    result: Value


class Coroutine(Value, frozen=True):
    """What an async function returned, not yet awaited."""

    result: Value
    maker: str = ""


class Task(Coroutine, frozen=True):
    """A coroutine that something of ``asyncio`` waits for, ``asyncio.create_task(…)``."""


class Display(Value, frozen=True):
    """A dict, list, tuple, set or comprehension, an f-string, an operation: judged by its node.

    Attributes:
        module: where the node stands.
    """

    module: Module
    node: ast.expr


class Record(Display, frozen=True):
    """A tuple whose places have names.

    Attributes:
        names: of its places, in order.
    """

    names: tuple[str, ...]


UNKNOWN = Value()


def types_of(*classes: type[Value]) -> frozenset[type[Value]]:
    """Return classes of values with those that extend them: looked up faster than ``isinstance``.

    A value that is of none of some classes costs ``isinstance`` ten times as much.
    """
    below = (types_of(*each.__subclasses__()) for each in classes)
    return frozenset(classes).union(*below)


class Step(msgspec.Struct, frozen=True):
    """A call through which a value came.

    Attributes:
        module: where the call stands.
        node: the call.
        callee: qualified name of what is called.
    """

    module: Module
    node: ast.AST
    callee: str


class Frame(msgspec.Struct, frozen=True, eq=False):
    """The call that a function's parameters are read through."""

    function: ast.AST
    module: Module
    call: ast.Call
    outer: Frame | None
    bound: Value | None = None
    depth: int = 1


class Alternative(msgspec.Struct, frozen=True):
    """One value that an expression may have, and the calls that led to it, outermost first.

    Attributes:
        origin: the handler whose context it is or hangs on, if it is one.
        frame: the call in which a ``Display`` is to be read.
    """

    value: Value
    via: tuple[Step, ...] = ()
    origin: tuple[Module, ast.AST] | None = None
    frame: Frame | None = None


def only_value(found: Sequence[Alternative]) -> Value | None:
    """Return the value of what has only one, or None."""
    return found[0].value if len(found) == 1 else None


def frame_of(frame: Frame | None, function: ast.AST | None) -> Frame | None:
    """Return the innermost call of a function among those that lead to a place."""
    while frame is not None and frame.function is not function:
        frame = frame.outer
    return frame


_FRAMED = frozenset({Display, Function, Namespace})
_WHOLE = frozenset({tuple, list})


def distinct(items: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Keep one alternative, the one with the shortest way, for each value."""
    if type(items) in _WHOLE and len(items := tuple(items)) < 2:
        return items
    rest = iter(items)
    start = tuple(islice(rest, 2))
    if len(start) < 2:
        return start
    kept: dict[object, Alternative] = {}
    for item in chain(start, rest):
        value = item.value
        key: object = value
        if type(value) is Const or type(value) is EnumMember:
            key = (type(value.value), value.value)
        elif type(value) in _FRAMED:
            key = (value, id(item.frame))
        if key not in kept or len(item.via) < len(kept[key].via):
            kept[key] = item
        if len(kept) > VALUES:
            kept[Value] = Alternative(UNKNOWN)
            break
    return tuple(kept.values())


def proved(items: Iterable[Alternative]) -> list[Alternative]:
    """Leave out guesses where a handler proves what comes: a dead helper casts no doubt on it."""
    found = list(items)
    objects = [item.value for item in found if isinstance(item.value, Sdk)]
    known = {value.cls for value in objects if value.certain}
    if len(objects) < 2 or not known:
        return found
    return [
        item
        for item in found
        if not isinstance(item.value, Sdk) or item.value.certain or item.value.cls not in known
    ]


def replaced(item: Alternative, value: Value) -> Alternative:
    """Return the alternative with another value, on the same way."""
    return Alternative(value, item.via, item.origin, item.frame)


def carried(inside: Iterable[Alternative], base: Alternative) -> Iterator[Alternative]:
    """Yield what a container holds, on the way by which the container came."""
    for each in inside:
        via = (*each.via, *base.via)
        yield Alternative(each.value, via, each.origin or base.origin, each.frame)


def is_same_way(one: Alternative, other: Alternative) -> bool:
    """Tell whether one run can meet either value: the calls to one lead to the other as well."""
    short, long = sorted((one.via, other.via), key=len)
    return long[len(long) - len(short) :] == short
