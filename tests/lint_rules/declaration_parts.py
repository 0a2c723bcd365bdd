"""What declarations stand behind, and what the SDK's own validator says of them."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

HEAD = """\
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Generic, Optional, TypedDict, TypeVar, Union, TYPE_CHECKING

import imperal_sdk
from imperal_sdk import ActionResult, ActionResult as Other, ChatExtension, Context, Extension
from pydantic import BaseModel, RootModel

if TYPE_CHECKING:
    from imperal_sdk import Context as Typed

ext = Extension("notes", "1.0.0")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
Item = TypeVar("Item")


class Params(BaseModel):
    limit: int = 0


class Own(Params):
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


class Shape(TypedDict):
    id: int


class Answer(ActionResult):
    pass


Alias = ActionResult[Params]
Same = Params
NOTHING = None
NO = False
ACTION = "update"
"""


def refused(text: str, monkeypatch: pytest.MonkeyPatch, judged: frozenset[str]) -> set[str]:
    """Run declarations with the SDK and ask its validator."""
    validator: Any = pytest.importorskip("imperal_sdk.validator", reason="needs the extra `sdk`")
    module = types.ModuleType("function_declaration_case")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(text, "main.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - ours
    issues = validator.validate_extension(module.__dict__["ext"]).issues
    return {issue.rule for issue in issues if issue.level == "ERROR" and issue.rule in judged}
