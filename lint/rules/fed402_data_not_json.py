"""FED402: data that JSON cannot carry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..queries.payloads import Refusal, ResultCall, refusals, result_calls
from ..queries.result_changes import left
from ..rule import Example, Hit, Rule
from ..view import FileView

_KEY = " as a key"
_INSTEAD = {
    "a set": "Write sorted(…)",
    "a generator": "Write list(…)",
    "bytes": "Write ….decode(), or keep it in ctx.storage and return the path",
    "a datetime": "Write ….isoformat()",
    "a date": "Write ….isoformat()",
    "a time": "Write ….isoformat()",
    "a timedelta": "Write ….total_seconds()",
    "a pattern": "Write ….pattern",
    "a tuple as a key": 'Write one text, such as f"{first}:{second}"',
    "a pydantic model": 'Write ….model_dump(mode="json"): the SDK dumps only a model that is data '
    "itself",
    "a range": "Write list(…)",
    "an iterator": "Write list(…)",
    "a view of a dict": "Write list(…)",
    "a function": "Call it: …()",
    "a class": "Write its name, or an instance's model_dump()",
    "a coroutine that nobody awaits": "Write await …",
    "a member of an Enum": "Write ….value, or make it a class of str and Enum",
    "the number nan": "Write None where there is no number",
    "the number inf": "Write None where there is no number",
    "the number -inf": "Write None where there is no number",
    "the context": "Return the fields that are needed",
    "an HTTPResponse": "Write ….json()",
    "a Document": 'Write {"id": ….id, **….data}',
    "a CompletionResult": "Write ….text",
}


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is None:
            continue
        for refusal in _lasting(view, call, refusals(view.evaluator, view.module, call.data)):
            yield Hit(
                node=call.data,
                message=f"{_said(refusal)}: JSON cannot carry it, so the result is lost when the "
                "kernel serialises it. "
                f"{_INSTEAD.get(refusal.what, 'Write str(…), or leave it out')}.",
                severity=None if refusal.certain else "warning",
            )


def _lasting(view: FileView, call: ResultCall, found: Iterable[Refusal]) -> Iterator[Refusal]:
    """Yield what is still there when the result is handed over."""
    for refusal in found:
        rest = left(view, call)
        again = refusals(view.evaluator, view.module, rest) if rest is not None else ()
        if rest is call.data or (refusal.where, refusal.what) in {
            (other.where, other.what) for other in again
        }:
            yield refusal


def _said(refusal: Refusal) -> str:
    if refusal.what.endswith(_KEY):
        return f"{refusal.where} has {refusal.what.removesuffix(_KEY)} as its key"
    return f"{refusal.where} is {refusal.what}"


RULE = Rule(
    code="FED402",
    name="data-not-json",
    summary="`ActionResult.data` holds only what JSON can carry.",
    severity="error",
    invariant="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds sets, bytes, datetimes, complex numbers, NaN and infinity, tuples as keys, functions, classes,
members of an Enum that is no text and no number itself (those of `str, Enum`, `StrEnum` and
`IntEnum` survive), documents of the store and forgotten coroutines inside the data of
`ActionResult.success`, however deep.
""",
    why="The kernel serialises data as JSON for the fact ledger and the narrator; these values "
    "fail.",
    example='return ActionResult.success({"at": datetime.now()}, "Now")',
    instead='return ActionResult.success({"at": datetime.now().isoformat()}, "Now")',
    references=("Fact-ledger: What it stores",),
    bad=(
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
