"""Results that are made without ``ActionResult.success``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]
HEAD = """\
from datetime import datetime

from imperal_sdk import ActionResult
from imperal_sdk.chat import ActionResult as Result


DONE = "success"


"""
BAD = {
    "ActionResult(status='success', data='three', summary='ok')": "FED401",
    "ActionResult('success', 'three', 'ok')": "FED401",
    "Result(DONE, data='three')": "FED401",
    "ActionResult(**{'status': 'success', 'data': 'three'})": "FED401",
    "ActionResult(status='success', data={'at': datetime.now()})": "FED402",
    "ActionResult(status='success', data={'rows': 'x' * 4000})": "FED403",
}
GOOD = (
    "ActionResult(status='success', data={'n': 3}, summary='ok')",
    "ActionResult('error', 'three', 'ok')",
    "ActionResult(status='error', data={'at': datetime.now()})",
    "ActionResult(status=ctx.status, data='three')",
    "ActionResult(status='success', data={'at': datetime.now().isoformat()})",
    "Own(status='success', data='three')",
)


def _panel(result: str) -> str:
    return (
        f"{HEAD}class Own:\n    def __init__(self, **kw):\n        self.kw = kw\n\n\n"
        f'@ext.tool("t")\nasync def t(ctx):\n    return {result}\n'
    )


@pytest.mark.parametrize("result", BAD)
def test_a_breach_is_found(lint: Lint, result: str) -> None:
    """What the constructor gets is the data of the result too."""
    found = lint(BAD[result], _panel(result))
    assert [BAD[result]] == [item.code for item in found]


@pytest.mark.parametrize("result", GOOD)
@pytest.mark.parametrize("code", ["FED401", "FED402"])
def test_what_is_right_or_no_success_is_left_alone(lint: Lint, result: str, code: str) -> None:
    """Errors carry what they want; of another status nobody knows."""
    assert () == lint(code, _panel(result))


OF_MODEL = """\
from datetime import datetime

from imperal_sdk import ActionResult
from pydantic import BaseModel


class Note(BaseModel):
    title: str = ""


Told = ActionResult[Note]


@ext.tool("t")
async def t(ctx):
    return {}
"""
WRITTEN = ("ActionResult[Note]", "ActionResult[{'a': Note}['a']]", "Told")
WRONG = {
    "{}(status='success', data={{'at': datetime.now()}}, summary='x')": "FED402",
    "{}.success({{'at': datetime.now()}}, 'x')": "FED402",
    "{}.success('three', 'x')": "FED401",
    "{}.success({{'n': 3}})": "FED108",
    "{}.error('x', data={{}})": "FED108",
    "{}.success({{}}, f\"You have {{await ctx.store.count('n')}}\")": "FED404",
}
RIGHT = (
    "{}(status='success', data={{'n': 3}}, summary='x')",
    "{}.success({{'n': 3}}, 'x')",
    "{}.error('x')",
    "{}.success(Note(), 'x')",
)


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("made", WRONG)
def test_a_result_of_a_model_is_one(lint: Lint, written: str, made: str) -> None:
    """``ActionResult[Note]`` makes what ``ActionResult`` makes."""
    found = lint("FED108 FED401 FED402 FED404", OF_MODEL.format(made.format(written)))
    assert [WRONG[made]] == [item.code for item in found]


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("made", RIGHT)
def test_a_right_result_of_a_model(lint: Lint, written: str, made: str) -> None:
    """It may be called as the class itself may be."""
    codes = "FED105 FED107 FED108 FED111 FED112 FED401 FED402 FED404"
    assert () == lint(codes, OF_MODEL.format(made.format(written)))
