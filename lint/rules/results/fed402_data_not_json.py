"""FED402: the data of a result holds a value that JSON cannot encode."""

from __future__ import annotations

from collections.abc import Iterator

from ...payloads.payloads import given_at
from ...payloads.refusals import advice, loss
from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.results import lasting_refusals


def _check(view: FileView) -> Iterator[Hit]:
    for call, node, refusal in lasting_refusals(view):
        yield Hit(
            node=node,
            message=f"{loss(view, refusal)} {advice(refusal)}.",
            severity=None if refusal.certain else "warning",
            chain=given_at(view, call.node, refusal.at),
        )


RULE = Rule(
    code="FED402",
    name="result-data-not-json",
    summary="`ActionResult.data` holds only what JSON can carry.",
    severity="error",
    invariant="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds sets, bytes, datetimes and what is computed from them, complex numbers, NaN and infinity,
tuples as keys, functions, classes, exceptions, members of an Enum that is no text and no number
itself (those of `str, Enum`, `StrEnum` and `IntEnum` survive), objects of the SDK that are no
models (the documents of the store, also those on a page, and what `ctx.billing` returns), models
inside a dict or a list (`sdl.Entity` too), and forgotten coroutines inside the data of
`ActionResult.success`, however deep: in the elements of a comprehension, in what `append` and `+=`
add, also to the lists of a dict, `groups[kind].append(row)`, and in what `result.data["key"] = …`
puts in later. Of a dict whose entries the code does not show, `row = dict(doc.data)`, what is put
into it afterwards counts, and a comprehension that copies a dict hands on what is in it. What only
`@ext.expose` returns is left alone: another extension gets the object itself.

A dict that `model_dump()` or `.dict()` makes of a pydantic model holds the values of the fields as
they are: a field `when: datetime` is a datetime there, whatever it was given. `mode="json"`, a
`field_serializer`, a `PlainSerializer` or `exclude` prevent that, and are left alone; so is a field
that code replaces later. If the type allows None too, or is a list, it is a warning. A model that
is data itself is a warning as well: `ActionResult.to_dict()` of every release dumps it in this
way, but what the kernel does then is not documented. `dataclasses.asdict()` leaves the values of a
dataclass as they are, and nobody holds them against their types: what the call or the default
gives is an error, what only the type says a warning. `vars(deal)`, `deal.__dict__` and
`dict(model)` list the fields as they are too.
""",
    why="The kernel serialises data as JSON for the fact ledger and the narrator; these values "
    "fail.",
    example='return ActionResult.success({"at": datetime.now()}, "Now")',
    instead='return ActionResult.success({"at": datetime.now().isoformat()}, "Now")',
    references=("Fact-ledger: What it stores",),
    bad=(
        Example(
            """
from datetime import datetime


class Out(BaseModel):
    when: datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success(Out(when=p["when"]).model_dump(), "x")
""",
            holds="data['when'] is a datetime",
        ),
        Example(
            """
from datetime import datetime


class Out(BaseModel):
    when: datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success(Out(when=datetime.now()), "x")
""",
            severity="warning",
            holds="ActionResult.to_dict() leaves it so",
        ),
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    rows = []
    for each in p:
        rows.append({"id": each, "at": datetime.utcnow()})
    return ActionResult.success({"items": rows}, "x")
""",
            holds="data['items'][…]['at'] is a datetime",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    result = ActionResult.success({"id": 1, "tags": {1, 2}}, "x")
    result.data["id"] = 2
    return result
"""
        ),
        Example(
            """
from enum import Enum


class State(Enum):
    OPEN = "open"


@chat.function("f", "Tells")
async def f(ctx, p):
    state = State.OPEN
    return ActionResult.success({"state": state, "all": [State("open")]}, "x")
""",
            holds="data['state'] is a member of an Enum",
        ),
        Example(
            """
from enum import Enum


class State(Enum):
    OPEN = "open"


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({State.OPEN: 1}, "x")
""",
            holds="as its key",
        ),
        Example(
            """
import enum


class State(enum.Flag):
    OPEN = enum.auto()


class Params(BaseModel):
    state: State


@chat.function("f", "Tells")
async def f(ctx, params: Params):
    return ActionResult.success({"state": params.state, "open": State.OPEN}, "x")
""",
            severity="warning",
            holds="a member of an Enum",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"counts": [Count(total=1)]}, "x")
""",
            severity="warning",
            holds="only a model that is data",
        ),
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success(dict(at=datetime.now().date()), "x")
""",
            holds="data['at'] is a date",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"names": {"a": 1}.keys()}, "x")
""",
            holds="a view of a dict",
        ),
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"a": [{"at": datetime.now()}]}, "x")
""",
            holds="a datetime",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    tags = {"a", "b"}
    return ActionResult.success({"tags": tags}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"rate": float("nan"), (1, 2): b""}, "x")
"""
        ),
        Example(
            """
async def load():
    return 1


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"a": load()}, "x")
""",
            holds="coroutine",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    note = await ctx.store.get("notes", p)
    if note is None:
        return ActionResult.error("gone")
    return ActionResult.success({"note": note}, "x")
""",
            holds="a Document",
        ),
    ),
    good=(
        Example(
            """
from datetime import datetime

from pydantic import Field, field_serializer


class Out(BaseModel):
    when: datetime
    tags: set[str] = set()
    blob: bytes = Field(default=b"", exclude=True)

    @field_serializer("when", "tags")
    def shown(self, value):
        return str(value)


class Row(BaseModel):
    at: datetime
    until: datetime | None = None


@chat.function("f", "Tells")
async def f(ctx, p):
    out = Out(when=datetime.now())
    rows = [Row(at=each).model_dump(mode="json") for each in p]
    rows.append(Row(at=p[0]).model_dump(exclude={"at", "until"}))
    return ActionResult.success({"out": out.model_dump(), "rows": rows}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    result = ActionResult.success({"id": 1, "tags": {1, 2}}, "x")
    result.data["tags"] = sorted(result.data["tags"])
    return result
"""
        ),
        Example(
            """
from enum import Enum, IntEnum, StrEnum


class Text(str, Enum):
    OPEN = "open"


class Number(IntEnum):
    ONE = 1


class Word(StrEnum):
    OPEN = "open"


class State(Enum):
    OPEN = "open"
    DONE = "done"


class Params(BaseModel):
    state: State


def shown(state):
    return state.value if isinstance(state, Enum) else state


@chat.function("f", "Tells")
async def f(ctx, p: Params):
    state = State.OPEN
    return ActionResult.success({
        "texts": [Text.OPEN, Text("open"), Number.ONE, Word.OPEN], Text.OPEN: {Number.ONE: 1},
        "state": State.OPEN.value, "name": State.OPEN.name, "shown": shown(State.DONE),
        "plain": state.value if isinstance(state, State) else state,
        "asked": p.state.value if isinstance(p.state, State) else p.state,
        "kept": getattr(state, "value", state), "had": state.value if hasattr(state, "value")
        else state}, "x")
"""
        ),
        Example(
            """
from enum import Enum


class State(Enum):
    OPEN = "open"


class Params(BaseModel):
    model_config = {"use_enum_values": True}
    state: State


@chat.function("f", "Tells")
async def f(ctx, params: Params):
    return ActionResult.success({"state": params.state}, "x")
"""
        ),
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    at = datetime.now()
    if isinstance(at, datetime):
        at = at.isoformat()
    return ActionResult.success({"at": at, "names": list({"a": 1}.keys())}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    note = await ctx.store.get("notes", p)
    page = await ctx.store.query("notes")
    return ActionResult.success({"note": note.data, "id": note.id, "now": ctx.time.now_utc,
                                 "all": [each.data for each in page.data]}, "x")
"""
        ),
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    tags = {"a", "b"}
    return ActionResult.success({"at": datetime.now().isoformat(), "tags": sorted(tags),
                                 "n": {1: (1, 2)}, "m": Count(total=1).model_dump()}, "x")
"""
        ),
    ),
)
