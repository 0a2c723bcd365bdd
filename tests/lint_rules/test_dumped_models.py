"""What a pydantic model leaves in the data of a result; each case was tried on the real SDK."""

from __future__ import annotations

from .conftest import Lint

HEAD = """
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Optional, Union

from pydantic import ConfigDict, Field, HttpUrl, PlainSerializer, SecretStr
from pydantic import field_serializer, field_validator, model_serializer, model_validator
import imperal_sdk

ISO = Annotated[datetime, PlainSerializer(str)]
NAMES = {"when"}


class State(Enum):
    OPEN = "open"


class Word(str, Enum):
    OPEN = "open"


"""
HANDLER = '\n\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
OUT = '    when: datetime\n    name: str = ""'


def _severities(lint: Lint, text: str, code: str = "FED402") -> list[str]:
    return [item.severity for item in lint(code, text)]


def _run(lint: Lint, fields: str, body: str, more: str = "") -> list[str]:
    text = f"{HEAD}class Out(BaseModel):\n{fields}\n{more}\n{HANDLER}{body}\n"
    return _severities(lint, text)


def test_models_that_name_each_other(lint: Lint) -> None:
    """Many ways through models end, and say the first thing that may stand there."""
    names = [f"M{index}" for index in range(24)]
    fields = "".join(f"    {name.lower()}: {name} | None = None\n" for name in names)
    fields += "".join(f"    l{name.lower()}: list[{name}] = []\n" for name in names)
    classes = "".join(
        f"\n\nclass {name}(BaseModel):\n    at: datetime | None = None\n{fields}" for name in names
    )
    body = f"    return ActionResult.success({names[-1]}(**p).model_dump(), 's')"
    assert ["warning"] == _run(lint, OUT, body, classes)
