"""FED526: the SDK's validator rejects the declaration of a chat function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ...files.plain_text import plain_text
from ...inference.syntax.arguments import callee_of
from ...inference.values.values import Const, Display, External, Function, Instance, Value
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import constants_of, is_proved
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, ProjectView
from .support.chat_functions import TRIGGER, WRITING, ChatFunction, chat_functions, may_be_model
from .support.handler_types import (
    candidates,
    declaration_line,
    gives_result,
    is_model_type,
    is_text,
    unresolved_name,
)

_TYPED = "4.0.0"
"""Release from which V17 to V19 are checked, except for names that begin with ``__``."""
_ACTIONS = frozenset({"read", "write", "destructive"})
_MEANT = {
    **dict.fromkeys(("delete", "remove", "danger", "dangerous"), "destructive"),
    **dict.fromkeys(("get", "list", "query", "search", "readonly", "read_only"), "read"),
}
"""Word → its action type; any other word counts as ``write``."""
_SHOWN = (Const, Display, Instance)
_EXPLICIT = "actions_explicit"
_WIDEST = 100
"""Letters of a first line, as ``Hit`` says."""


class _Problem(msgspec.Struct, frozen=True):
    """What is wrong with a declaration.

    Attributes:
        sure: whether the validator certainly rejects it.
        advice: one line to write instead; empty if the message about the function says it.
    """

    text: str
    sure: bool = True
    advice: str = ""


def _check(view: FileView) -> Iterator[Hit]:
    for item in chat_functions(view):
        around = _decorators_below(view, item)
        if not all(_wraps(view, node) for node in around) or _is_own(view, item):
            continue
        problems = [*_of_types(view, item), *_of_values(view, item)]
        if not problems:
            continue
        said = "; ".join(problem.text for problem in problems)
        sure = not around and is_proved(view, item.role) and any(it.sure for it in problems)
        can, refuses = ("cannot", "refuses") if sure else ("may not", "would refuse")
        yield Hit(
            node=item.call,
            message=f"{_headline(item, can, problems[0])}\nThe validator of {view.sdk} "
            f"{refuses} it: {said}. {_advice(view, item, problems)}",
            severity=None if sure else "warning",
        )


def _headline(item: ChatFunction, can: str, first: _Problem) -> str:
    """Return the first line, with the reason if that fits."""
    line = f"{item.role.label} {can} be published"
    whole = f"{line}: {first.text}"
    return whole if len(whole) <= _WIDEST else line


def _is_own(view: FileView, item: ChatFunction) -> bool:
    """Tell whether a class of the extension itself registers the function."""
    return any(isinstance(it.value, Function) for it in view.values(item.call.func))


def _of_types(view: FileView, item: ChatFunction) -> Iterator[_Problem]:
    typed = view.surface.at_least(_TYPED) and not item.role.name.startswith("__")
    if gives_result(view, item.function) is False:
        written, model = item.function.returns, item.arguments.get("data_model")
        named = written is not None and is_model_type(view, written) is not False
        named = named or (model is not None and may_be_model(view, model))
        rules = "V5" if named or not typed else "V5, V18"
        lack = f"-> {source_of(written)} is no ActionResult" if written else "no -> ActionResult"
        yield _Problem(f"{lack} ({rules})")
    if typed:
        yield from _of_parameters(view, item)


def _of_parameters(view: FileView, item: ChatFunction) -> Iterator[_Problem]:
    sure = bool(item.role.name)
    given = item.arguments.get("params")
    found = [it.value for it in view.values(given)] if given is not None else []
    if found and all(isinstance(value, _SHOWN) and not _is_none(value) for value in found):
        lack = "params= keeps the SDK from taking the model of the parameters (V17)"
        yield _Problem(lack, sure, "leave params= out")
    params = candidates(item.function)
    verdicts = [(it, is_model_type(view, it.annotation)) for it in params if it.annotation]
    if all(verdict is False for _, verdict in verdicts):
        yield _Problem(f"{_without_model(params)} (V17)", sure)
        return
    name, reason = unresolved_name(view, item.function)
    models = [it.annotation for it, verdict in verdicts if verdict is not False]
    if name and all(is_text(view, written) for written in models if written):
        lack = f"{name} {reason}, so that none of its annotations can be resolved (V17)"
        yield _Problem(lack, sure, f"bind {name} in the file above the function, at run time")


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _without_model(params: list[ast.arg]) -> str:
    if not params:
        return "it has no parameter for its arguments"
    shown = [f"{it.arg}: {source_of(it.annotation)}" for it in params if it.annotation]
    if shown:
        return f"{', '.join(shown)} is no pydantic model"
    return f"{', '.join(it.arg for it in params)} has no type"


def _of_values(view: FileView, item: ChatFunction) -> Iterator[_Problem]:
    action = item.arguments.get("action_type")
    if action is not None:
        known = constants_of(view, action)
        wrong = [value for value, _ in known if value not in _ACTIONS]
        if wrong:
            lack = f"action_type={wrong[0]!r} is none of read, write, destructive (V4)"
            sure = len(wrong) == len(view.values(action))
            meant = _MEANT.get(str(wrong[0]).lower(), "write")
            yield _Problem(lack, sure, f'write action_type="{meant}"')
    chained = item.arguments.get("chain_callable")
    is_typed = view.surface.at_least(_TYPED) and not item.role.name.startswith("__")
    if chained is None or item.action not in WRITING or not is_typed:
        return
    off = [value for value, _ in constants_of(view, chained) if value is not None and not value]
    if off and not view.extension.once(_leaves_actions_implicit):
        lack = f"chain_callable={source_of(chained)} on a {item.action} function (V19)"
        sure = len(off) == len(view.values(chained)) and bool(item.role.name)
        yield _Problem(lack, sure, "leave chain_callable out")


def _leaves_actions_implicit(extension: ProjectView) -> bool:
    """Tell whether ``actions_explicit`` may be off; then V19 is about the extension alone."""
    for module in extension.project.mentioning(_EXPLICIT):
        given = [it.value for it in module.nodes(ast.keyword) if it.arg == _EXPLICIT]
        on = [it for it in given if isinstance(it, ast.Constant) and it.value is True]
        if len(on) != plain_text(module.source).count(_EXPLICIT.encode()):
            return True
    return False


def _decorators_below(view: FileView, item: ChatFunction) -> list[ast.expr]:
    """Return the decorators below the SDK's, whose result is registered instead of the function."""
    own = item.function.decorator_list
    below = own[own.index(item.call) + 1 :] if item.call in own else own
    registering = [role.call for role in view.roles(item.function)]
    return [node for node in below if node not in registering]


def _wraps(view: FileView, decorator: ast.expr) -> bool:
    """Tell whether the extension's own decorator copies the annotations of the wrapped function."""
    found = [it.value for it in view.values(callee_of(decorator))]
    return bool(found) and all(_uses_wraps(view, it) for it in found)


def _uses_wraps(view: FileView, value: object) -> bool:
    if not isinstance(value, Function):
        return False
    calls = (node for node in ast.walk(value.node) if isinstance(node, ast.Call))
    return any(
        it.value == External("functools.wraps")
        for call in calls
        for it in view.evaluator.values(value.module, call.func)
    )


def _advice(view: FileView, item: ChatFunction, problems: list[_Problem]) -> str:
    lines = [problem.advice for problem in problems if problem.advice]
    if any(not problem.advice for problem in problems):
        lines.insert(0, f"write {declaration_line(view, item.function)}")
    said = ", and ".join(lines)
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(':') else '.'}"


RULE = Rule(
    code="FED526",
    name="invalid-function-declaration",
    summary="A chat function is declared so that the validator of the SDK takes it.",
    severity="error",
    since="1.0.0",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds `@chat.function` handlers that the SDK's validator refuses, and says all that is wrong with
each:

- no `-> ActionResult`, or another type (V5, V18). A pydantic model or `data_model=` satisfies V18,
  not V5; `ActionResult[Model]` and `ActionResult | None` satisfy both.
- no parameter whose type is a pydantic class (V17, since 4.0.0). `Model | None`, `Optional[Model]`
  and `list[Model]` are none to the SDK. Nor does it look if `params=` is given, or if a type of the
  function cannot be resolved while it is registered, because it is imported under `TYPE_CHECKING`.
- an `action_type` other than `read`, `write`, `destructive` (V4). The decorator itself takes any.
- `chain_callable=False` on a function that changes something (V19, since 4.0.0).

Types that the code does not show are not judged. Behind a decorator that uses `functools.wraps`,
and where the name is not known, it is a warning.
""",
    why="""
The validator gates publishing. What it asks for is what the platform builds its calls from: without
a model of the parameters the manifest has an empty schema, and the arguments are guessed.
""",
    example='@chat.function("find_note", "Finds a note by its title")\n'
    "async def find_note(ctx, title: str):",
    instead="class FindNoteParams(BaseModel):\n    title: str\n\n\n"
    '@chat.function("find_note", "Finds a note by its title")\n'
    "async def find_note(ctx, params: FindNoteParams) -> ActionResult:",
    references=("SDK sources: validator.py V4, V5, V17, V18, V19; chat/extension.py",),
    bad=(
        Example(
            """
@chat.function("find_note", "Finds a note")
async def find_note(ctx, title: str):
    ...
""",
            holds="no -> ActionResult (V5, V18); title: str is no pydantic model (V17). "
            "Write async def find_note(ctx, params: FindNoteParams) -> ActionResult: with class "
            "FindNoteParams(BaseModel): title: str.",
        ),
        Example(
            """
@chat.function("count", "Counts")
async def count(ctx, params: Count) -> Count:
    ...
""",
            holds="-> Count is no ActionResult (V5)",
        ),
        Example(
            """
@chat.function("count", "Counts", data_model=Count)
async def count(ctx, params: Count | None = None) -> "dict":
    ...
""",
            holds="-> 'dict' is no ActionResult (V5); params: Count | None is no pydantic model",
        ),
        Example(
            """
@chat.function("count", "Counts", params={"total": {"type": "integer"}})
async def count(ctx, params: Count) -> ActionResult:
    ...
""",
            holds="Leave params= out.",
        ),
        Example(
            """
@chat.function("drop", "Drops", action_type="delete")
async def drop(ctx, params: Count) -> ActionResult:
    ...
""",
            holds="action_type='delete' is none of read, write, destructive (V4)",
        ),
        Example(
            """
@chat.function("drop", "Drops", action_type="write", chain_callable=False)
async def drop(ctx, params: Count) -> ActionResult:
    ...
""",
            holds="chain_callable=False on a write function (V19)",
        ),
        Example(
            """
from __future__ import annotations

from typing import TYPE_CHECKING

from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel

if TYPE_CHECKING:
    from imperal_sdk import Context

ext = Extension("notes")
chat = ChatExtension(ext)


class Params(BaseModel):
    total: int


@chat.function("count", "Counts")
async def count(ctx: Context, params: Params) -> ActionResult:
    ...
""",
            holds="Context is imported for type checkers alone",
        ),
        Example(
            """
from functools import wraps


def guarded(function):
    @wraps(function)
    async def inner(*args):
        return await function(*args)

    return inner


@chat.function("count", "Counts")
@guarded
async def count(ctx, params):
    ...
""",
            severity="warning",
        ),
        Example(
            """
@chat.function("count", "Counts")
async def count(ctx, params) -> dict:
    ...
""",
            sdk="3.7.0",
            holds="-> dict is no ActionResult (V5). Write",
        ),
    ),
    good=(
        Example(
            """
from typing import Annotated, Optional


@chat.function("f", "Counts", chain_callable=False)
async def f(ctx, params: Count) -> ActionResult:
    ...


@chat.function("g", "Counts", None, "write", chain_callable=True)
async def g(ctx, *, params: "Count") -> "ActionResult[Count]":
    ...


@chat.function("h", "Counts", action_type="destructive", chain_callable=None)
async def h(ctx, at: int = 0, params: Annotated[Count, "what"] = None) -> Optional[ActionResult]:
    ...
"""
        ),
        Example(
            """
from models import Found, Params, Result


@chat.function("f", "Finds")
async def f(ctx, params: Params) -> Result:
    ...


@chat.function("g", "Finds")
async def g(ctx, params: Found) -> Result:
    ...
""",
            files={
                "models.py": "from imperal_sdk import ActionResult as Result, sdl\n"
                "from elsewhere import Base\n\n\nclass Params(Base):\n    pass\n\n\n"
                "class Found(sdl.Entity):\n    pass\n"
            },
        ),
        Example(
            """
from library import kept


@chat.function("f", "Finds")
@kept
async def f(ctx, params):
    ...


@ext.tool("t", description="Lists")
async def t(ctx, title: str):
    ...
"""
        ),
        Example(
            """
@chat.function("__hidden", "Finds")
async def hidden(ctx) -> ActionResult:
    ...
"""
        ),
    ),
)
