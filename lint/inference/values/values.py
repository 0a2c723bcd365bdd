"""Abstract values: what an expression may evaluate to."""

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
    """A known number, string, bytes, bool, ``None`` or ``...``."""

    value: object


class EnumMember(Const, frozen=True):
    """A member of an Enum of the extension that is no string and no number.

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
        certain: whether it is proved; a parameter called ``ctx`` without callers is a guess.
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
    """A field of an SDK object that holds a plain value, ``ctx.user.email``."""

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
    """An external module, function or class, by its dotted name: ``datetime.datetime``."""

    name: str


class Made(Value, frozen=True):
    """The result of an external call, ``datetime.datetime.now()``.

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
    """The awaitable of such a list: ``asyncio.gather(*…)``."""


class Duration(Made, frozen=True):
    """A ``datetime.timedelta`` whose length is known."""

    length: timedelta


class Partial(Made, frozen=True):
    """The result of ``functools.partial(ctx.cache.get, key)``.

    Attributes:
        method: what is called in the end.
        module: where the call of ``partial`` stands.
        node: that call.
    """

    method: SdkMethod
    module: Module
    node: ast.Call


class TupleClass(Made, frozen=True):
    """The result of ``namedtuple("Slot", "key ttl")``, a class.

    Attributes:
        module: where that call stands.
        node: the call.
    """

    module: Module
    node: ast.Call


class Namespace(Made, frozen=True):
    """The result of ``SimpleNamespace(ctx=ctx)``.

    Attributes:
        module: where that call stands.
        node: the call.
    """

    module: Module
    node: ast.Call


class Computed(External, frozen=True):
    """A callable whose result is known: ``timedelta(minutes=1).total_seconds``."""

    result: Value


class Coroutine(Value, frozen=True):
    """The coroutine of an async function, not yet awaited."""

    result: Value


class Task(Coroutine, frozen=True):
    """A coroutine that ``asyncio`` runs: ``asyncio.create_task(…)``."""


class Display(Value, frozen=True):
    """A display, comprehension, f-string or operation, represented by its node.

    Attributes:
        module: where the node stands.
    """

    module: Module
    node: ast.expr


class Record(Display, frozen=True):
    """A named tuple with known items.

    Attributes:
        names: of its places, in order.
    """

    names: tuple[str, ...]


UNKNOWN = Value()


def types_of(*classes: type[Value]) -> frozenset[type[Value]]:
    """Return the classes and their subclasses, for ``type(value) in …``.

    Where most values are of none, this is ten times as fast as ``isinstance``.
    """
    below = (types_of(*each.__subclasses__()) for each in classes)
    return frozenset(classes).union(*below)


class Step(msgspec.Struct, frozen=True):
    """A call on the path of a value.

    Attributes:
        module: where the call stands.
        node: the call.
        callee: qualified name of what is called.
    """

    module: Module
    node: ast.AST
    callee: str


class Reading(msgspec.Struct, eq=False):
    """What is looked at of a call while the result of its function is worked out.

    Attributes:
        deepest: how far in the innermost call is that was looked at.
        given: the parameters that were asked for, and what the call gives.
        is_used: whether anything else of the call was looked at, so that another call, which
            gives the same, might not return the same.
    """

    deepest: int
    given: dict[ast.arg, tuple[Alternative, ...]] = {}
    is_used: bool = False


class Frame(msgspec.Struct, eq=False):
    """The call through which a function's parameters are read.

    Attributes:
        reading: what is looked at of the call, while that is noted.
    """

    function: ast.AST
    module: Module
    call: ast.Call
    outer: Frame | None
    bound: Value | None = None
    depth: int = 1
    reading: Reading | None = None


class Alternative(msgspec.Struct, frozen=True):
    """One value that an expression may have, and its call path (``via``), outermost first.

    Attributes:
        origin: the handler whose context it is or hangs on, if it is one.
        frame: the call in which a ``Display`` is to be read.
    """

    value: Value
    via: tuple[Step, ...] = ()
    origin: tuple[Module, ast.AST] | None = None
    frame: Frame | None = None


class Summary(msgspec.Struct, frozen=True, eq=False):
    """What a function returned in one call.

    Attributes:
        frame: the call.
        given: the parameters that were asked for, and what the call gave.
        levels: how many calls further in were looked at.
        found: what the function returned.
    """

    frame: Frame
    given: dict[ast.arg, tuple[Alternative, ...]]
    levels: int
    found: tuple[Alternative, ...]


def only_value(found: Sequence[Alternative]) -> Value | None:
    """Return the value of what has only one, or None."""
    return found[0].value if len(found) == 1 else None


def frame_of(frame: Frame | None, function: ast.AST | None) -> Frame | None:
    """Return the innermost call of a function among those that lead to a place."""
    found = call_of(frame, function)
    if found is not None and found.reading is not None:
        found.reading.is_used = True
    return found


def call_of(frame: Frame | None, function: ast.AST | None) -> Frame | None:
    """Return what ``frame_of`` returns, for one who notes what is read of it, or reads nothing."""
    innermost = frame
    while frame is not None and frame.function is not function:
        frame = frame.outer
    if frame is not None and frame is not innermost:
        _use(innermost, frame)
    return frame


def _use(frame: Frame | None, last: Frame) -> None:
    """Note that more than the arguments matter of the calls up to one further out."""
    while frame is not None and frame is not last:
        if frame.reading is not None:
            frame.reading.is_used = True
        frame = frame.outer


_FRAMED = frozenset({Display, Function, Namespace})
_WHOLE = frozenset({tuple, list})


def distinct(items: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Keep the alternative with the shortest call path for each value."""
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
    """Drop guesses if another alternative is proved, so that a dead helper adds no doubt."""
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
    """Return the alternative with another value, on the same call path."""
    return Alternative(value, item.via, item.origin, item.frame)


def carried(inside: Iterable[Alternative], base: Alternative) -> Iterator[Alternative]:
    """Yield the items of a container, with the container's call path."""
    for each in inside:
        via = (*each.via, *base.via)
        yield Alternative(each.value, via, each.origin or base.origin, each.frame)


def is_same_way(one: Alternative, other: Alternative) -> bool:
    """Tell whether one run can meet either value: one call path ends with the other."""
    short, long = sorted((one.via, other.via), key=len)
    return long[len(long) - len(short) :] == short
