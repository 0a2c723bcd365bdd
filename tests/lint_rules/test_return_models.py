"""FED502 against the SDK's own validator (V23), on decorators and annotations of every kind."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Generic, Optional, TypeVar, Union

import imperal_sdk
from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel, RootModel

ext = Extension("notes", "1.0.0")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
Item = TypeVar("Item")


class Params(BaseModel):
    limit: int = 0


class Note(BaseModel):
    id: str


class Own(Note):
    pass


class Rows(RootModel[list[int]]):
    pass


class Box(BaseModel, Generic[Item]):
    item: Item


class Plain:
    pass


@dataclass
class Row:
    id: int


Alias = ActionResult[Note]
Result = ActionResult
Other = Note
NOTHING = None
OPTIONS = {"data_model": Note}
"""
RESULTS = (
    "",
    " -> ActionResult",
    ' -> "ActionResult"',
    " -> imperal_sdk.ActionResult",
    " -> Result",
    " -> dict",
    " -> dict[str, Any]",
    " -> None",
    " -> Any",
    " -> object",
    " -> Plain",
    " -> Row",
    " -> list[Note]",
    " -> tuple[Note, int]",
    " -> Note | None",
    " -> Optional[Note]",
    " -> ActionResult | None",
    " -> ActionResult[Note] | None",
    " -> Union[ActionResult[Note], Note]",
    " -> ActionResult[dict]",
    " -> ActionResult[Any]",
    " -> ActionResult[None]",
    " -> ActionResult[str]",
    " -> ActionResult[Plain]",
    " -> ActionResult[Row]",
    " -> ActionResult[list[Note]]",
    " -> ActionResult[Note | None]",
    " -> ActionResult[Note]",
    ' -> "ActionResult[Note]"',
    ' -> ActionResult["Note"]',
    " -> imperal_sdk.ActionResult[Note]",
    " -> ActionResult[Other]",
    " -> ActionResult[Rows]",
    " -> ActionResult[Box[int]]",
    " -> ActionResult[BaseModel]",
    " -> Alias",
    " -> Note",
    " -> Own",
    " -> Other",
    " -> Rows",
    " -> Box[int]",
    " -> Annotated[Note, 1]",
    " -> Annotated[ActionResult[Note], 1]",
)
OPTIONS = (
    ", data_model=Note",
    ", data_model=Other",
    ", data_model=Box[int]",
    ", data_model=None",
    ", data_model=NOTHING",
    ", data_model=dict",
    ", data_model=Plain",
    ", data_model=Row",
    ", data_model=list[Note]",
    ", data_model=Note | None",
    ', data_model="Note"',
    ", ui_builder=True",
    ", ui_builder=False",
    ", ui_builder=None",
    ", **OPTIONS",
    ', action_type="write"',
    ', action_type="destructive"',
)
CASES = [("", result) for result in RESULTS] + [(option, " -> ActionResult") for option in OPTIONS]
CASES += [(", data_model=None", " -> ActionResult[Note]"), (", data_model=dict", " -> Note")]


def _refused(text: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run a case of this file with the SDK and ask its validator."""
    validator: Any = pytest.importorskip("imperal_sdk.validator", reason="needs the extra `sdk`")
    module = types.ModuleType("return_model_case")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(text, "main.py", "exec"), module.__dict__)  # noqa: S102 - our own text
    report = validator.validate_extension(module.__dict__["ext"])
    return any(issue.rule == "V23" and issue.level == "ERROR" for issue in report.issues)


@pytest.mark.parametrize(("option", "result"), CASES)
def test_the_linter_and_the_validator_agree(
    lint: Lint, monkeypatch: pytest.MonkeyPatch, option: str, result: str
) -> None:
    """What V23 refuses is an error of FED502, and nothing else is."""
    text = (
        f'{HEAD}\n\n@chat.function("list_notes", "Lists the notes of the user"{option})\n'
        f'async def list_notes(ctx, params: Params){result}:\n    """Lists."""\n'
        '    return ActionResult.success({}, "x")\n'
    )
    assert _refused(text, monkeypatch) == bool(lint("FED502", text))
