"""Rows of a page, exceptions and spans of time in a payload: each case was tried on SDK 6.3.7."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "from datetime import date, datetime, timedelta\n\n\n"
    "class Failed(Exception):\n    pass\n\n\n"
    "class Text(str, Exception):\n    pass\n\n\n"
    "class Out(BaseModel):\n    rows: list = []\n    took: float = 0\n\n\n"
    "async def rows(ctx):\n    page = await ctx.store.query('n')\n    return page.data\n\n\n"
    "async def page_of(ctx, name):\n    return await ctx.store.query(name)\n\n\n"
    "def failed(error):\n    return {'error': error}\n\n\n"
    "def kept(page):\n    return page.data\n\n\n"
    "def all_of(rows):\n    return [row for row in rows]\n\n\n"
    "def any_of(*pages):\n    return [page for page in pages]\n\n\n"
    "def clean(data):\n    return {key: str(value) for key, value in data.items()}\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p, when: datetime, day: date):\n'
    "    page = await ctx.store.query('n')\n    started = datetime.now()\n"
    "    span = timedelta(days=1)\n"
)
ROWS = (
    "page.data", "[d for d in page.data]", "[d for d in page]", "list(page)", "tuple(page)",
    "sorted(page.data, key=str)", "page.data[:5]", "await rows(ctx)",
    "(await ctx.store.query('n')).data", "(await page_of(ctx, 'n')).data",
    "[{'doc': d} for d in page]", "[(1, d) for d in page]", "page.data or []", "kept(page)",
    "page.data if p else []", "[d for d in page if d.data.get('open')]", "all_of(page.data)",
)  # fmt: skip
DATA_OF_ROWS = (
    "[d.data for d in page.data]", "[d.data for d in page]", "len(page.data)", "page.total",
    "[d.id for d in await rows(ctx)]", "[d['a'] for d in page]", "[str(d) for d in page]",
    "page.data[0].data", "page.model_dump()['data']", "[d.get('a') for d in page]",
    "[d for d in page if isinstance(d, dict)]", "bool(page.data)",
    "[d.data if hasattr(d, 'data') else d for d in page]", "Out(rows=page.data).model_dump()",
    "[d if isinstance(d, dict) else d.data for d in page]", "list(page.data[0].data)",
    "{d.id: d.data for d in page}", "[d for d in page if checked(d)]", "kept(p)", "any_of(page)",
    "[d for d in p if d.open]", "all_of([d.data for d in page])",
)  # fmt: skip
LOOPS = (
    "out = []\nfor d in page:\n    out.append({})\n",
    "out = []\nfor d in page.data:\n    out += [{}]\n",
    "out = []\nout += [{} for d in page]\n",
)
TIMES = (
    ("datetime.now() - started", "a timedelta"), ("when - started", "a timedelta"),
    ("day - date.today()", "a timedelta"), ("started + span", "a datetime"),
    ("span + started", "a datetime"), ("started - span", "a datetime"), ("day + span", "a date"),
    ("(datetime.now() - started) * 2", "a timedelta"), ("2 * span", "a timedelta"),
    ("span / 2", "a timedelta"), ("span + (started - when)", "a timedelta"),
    ("datetime.now() - (started + span)", "a timedelta"), ("day - span", "a date"),
)  # fmt: skip
NO_TIMES = (
    "(datetime.now() - started).total_seconds()", "str(datetime.now() - started)",
    "(datetime.now() - started).days", "span / (datetime.now() - started)",
    "started.timestamp() - when.timestamp()", "f'{started - when}'", "p - started", "p + span",
    "(started - when) / span", "started.hour - 1", "(started + span).isoformat()",
    "day.year - when.year", "p * span", "(started - when) // span", "p if p else str(started)",
    "Out(took=1).model_dump()",
)  # fmt: skip
CAUGHT = (
    "except ValueError as exc:\n    x = exc\n",
    "except (KeyError, ValueError) as exc:\n    x = [exc]\n",
    "except Failed as exc:\n    x = {'error': exc}\n",
    "except Exception as exc:\n    other = exc\n    x = other\n",
    "except Exception as exc:\n    x = []\n    x.append(exc)\n",
    "except Exception as exc:\n    x = []\n    x += [exc]\n",
    "except Exception as exc:\n    x = failed(exc)\n",
)
TOLD = (
    "except ValueError as exc:\n    x = str(exc)\n",
    "except ValueError as exc:\n    x = exc.args[0]\n",
    "except ValueError as exc:\n    x = f'{exc}'\n",
    "except ValueError as exc:\n    exc = str(exc)\n    x = exc\n",
    "except Text as exc:\n    x = exc\n",
    "except Failed as exc:\n    x = type(exc).__name__\n",
    "except Exception as exc:\n    x = []\n    x.append(repr(exc))\n",
    "except Exception as exc:\n    x = []\n    x.append(exc)\n    x = [str(e) for e in x]\n",
)
GROWN = (
    "out = []\nout += [{'at': started}]\n",
    "out = []\nfor each in p:\n    out += [{'at': started}]\n",
    "out = [{'at': started}]\nout += [{'at': 'x'}]\n",
    "out = []\nout += [{'n': 1}]\nout += [{'at': started}]\n",
    "out = []\nout += [{'at': started} for each in p]\n",
    "out = []\nif p:\n    out += [{'at': started}]\n",
)
MENDED = (
    "for r in out:\n    r['at'] = str(r['at'])\n",
    "for r in out:\n    r.pop('at')\n",
    "for i, r in enumerate(out):\n    out[i] = {'at': str(r)}\n",
    "for r in out:\n    r.update(at='x')\n",
    "out.clear()\n",
    "out[:] = [str(r) for r in out]\n",
    "out = [{**r, 'at': 'x'} for r in out]\n",
    "out = [str(r) for r in out]\n",
    "for r in out:\n    r['at'] = 'x'\nout += [{'n': 1}]\n",
)
NOT_GROWN = (
    "out = []\nout += [{'at': started.isoformat()}]\n",
    "out = []\nif False:\n    out += [{'at': started}]\n",
    "out = 0\nout += 1\n",
    "out = 'a'\nout += 'b'\n",
    "out = []\nlog = []\nlog += [started]\n",
    "out = []\nout += [r.data for r in page]\n",
)
PUT = (
    "r.data['x'] = {1, 2}",
    "if p:\n    r.data['x'] = {1, 2}",
    "r.data = {'x': {1, 2}}",
    "r.data['x'] = {'at': started}",
    "r.data['x'] = {1, 2}\nr.data['y'] = 1",
)
NOT_PUT = (
    "r.data['x'] = sorted({1, 2})",
    "r.data['x'] = {1, 2}\nr.data['x'] = 1",
    "r.data['x'] = {1, 2}\nr.data.pop('x')",
    "r.data['x'] = {1, 2}\nr.data = {}",
    "r.data['x'] = {1, 2}\nr.data = clean(r.data)",
    "r.data['x'] = {1, 2}\nr = ActionResult.success(clean(r.data), 's')",
    "r.data['x'] = {1, 2}\ndel r.data['x']",
    "if False:\n    r.data['x'] = {1, 2}",
    "r.error = {1, 2}",
)


def _indented(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.splitlines())


def _found(lint: Lint, body: str, data: str) -> list[tuple[str, str]]:
    text = f"{HEAD}{_indented(body)}    return ActionResult.success({data}, 's')\n"
    found = lint("FED402", text)
    return [(it.severity, it.message.partition(" is ")[2].partition(":")[0]) for it in found]


@pytest.mark.parametrize("rows", ROWS)
def test_rows_of_a_page(lint: Lint, rows: str) -> None:
    """A page of the store holds Documents, which are no JSON, however they are taken from it."""
    assert [("error", "a Document")] == _found(lint, "", f"{{'rows': {rows}}}")


@pytest.mark.parametrize("data", DATA_OF_ROWS)
def test_data_of_rows(lint: Lint, data: str) -> None:
    """What the rows hold is JSON; so is what pydantic dumps of them."""
    assert [] == _found(lint, "", f"{{'rows': {data}}}")


@pytest.mark.parametrize("loop", LOOPS)
def test_rows_that_loops_collect(lint: Lint, loop: str) -> None:
    """Loops put the rows into lists, or what they hold."""
    assert [("error", "a Document")] == _found(lint, loop.format("d"), "{'rows': out}")
    assert [] == _found(lint, loop.format("d.data"), "{'rows': out}")
    asked = "d if isinstance(d, dict) else d.data"
    assert [] == _found(lint, loop.format(asked), "{'rows': out}")


@pytest.mark.parametrize(
    "change",
    ["page.data = [1]", "page.data[0] = 1", "page.data.clear()", "page.data[:] = []"],
)
def test_pages_that_get_other_rows(lint: Lint, change: str) -> None:
    """Where code puts something else on a page, nothing is known of its rows."""
    assert [] == _found(lint, change, "{'rows': page.data}")
    body = "rows = page.data\nfor i, d in enumerate(rows):\n    rows[i] = d.data\n"
    assert [] == _found(lint, body, "{'rows': rows}")


def test_one_row_or_none(lint: Lint) -> None:
    """A row where there is one is a warning: no row, no loss."""
    one = "{'row': page.data[0] if page.data else None}"
    assert [("warning", "a Document")] == _found(lint, "", one)
    assert [("error", "a Document")] == _found(lint, "", "{'row': page.data[0]}")
    assert [("warning", "a pydantic model")] == _found(lint, "", "{'page': page}")
    assert [] == _found(lint, "", "page")


def test_files_and_times_of_the_sdk(lint: Lint) -> None:
    """Dataclasses of the SDK are no JSON; their fields are."""
    files = "files = await ctx.storage.list('x')\n"
    assert [("error", "a FileInfo")] == _found(lint, files, "{'files': files.data}")
    assert [] == _found(lint, files, "{'files': [each.path for each in files]}")
    assert [("error", "a TimeContext")] == _found(lint, "", "{'time': ctx.time}")
    assert [] == _found(lint, "", "{'time': ctx.time.now_utc, 'zone': ctx.time.timezone}")


@pytest.mark.parametrize(("time", "what"), TIMES)
def test_times_that_are_computed(lint: Lint, time: str, what: str) -> None:
    """Sums and differences of times are times."""
    assert [("error", what)] == _found(lint, "", f"{{'x': {time}}}")
    assert [("error", what)] == _found(lint, f"x = {time}", "{'x': x}")


@pytest.mark.parametrize("number", NO_TIMES)
def test_numbers_of_times(lint: Lint, number: str) -> None:
    """Numbers and texts of times are JSON, and of a value that is not known nothing is said."""
    assert [] == _found(lint, "", f"{{'x': {number}}}")


@pytest.mark.parametrize("handler", CAUGHT)
def test_exceptions_that_are_caught(lint: Lint, handler: str) -> None:
    """An exception is no JSON."""
    body = f"x = ''\ntry:\n    int(p)\n{handler}    return ActionResult.success({{'x': x}}, 's')\n"
    assert [("error", "an exception")] == _found(lint, body, "{}")


def test_exceptions_that_are_made(lint: Lint) -> None:
    """So it is where nobody raises it."""
    assert [("error", "an exception")] == _found(lint, "", "{'x': ValueError('no')}")
    assert [] == _found(lint, "", "{'x': str(ValueError('no'))}")
    assert [] == _found(lint, "", "{'x': ValueError('no').args[0]}")


@pytest.mark.parametrize("handler", TOLD)
def test_texts_of_exceptions(lint: Lint, handler: str) -> None:
    """Its text, its class's name, and one that is a text itself are."""
    body = f"x = ''\ntry:\n    int(p)\n{handler}    return ActionResult.success({{'x': x}}, 's')\n"
    assert [] == _found(lint, body, "{}")


@pytest.mark.parametrize("grown", GROWN)
def test_lists_that_grow(lint: Lint, grown: str) -> None:
    """What ``+=`` adds is there, unless code mends it afterwards."""
    assert [("error", "a datetime")] == _found(lint, grown, "{'rows': out}")
    for mending in MENDED:
        assert [] == _found(lint, grown + mending, "{'rows': out}")


@pytest.mark.parametrize("body", NOT_GROWN)
def test_lists_that_grow_by_json(lint: Lint, body: str) -> None:
    """What is not refused, not added or no list is left alone."""
    assert [] == _found(lint, body, "{'rows': out}")


def _put(lint: Lint, body: str) -> list[str]:
    made = "r = ActionResult.success({'id': 1}, 's')\n"
    text = f"{HEAD}{_indented(made + body)}    return r\n"
    return [item.severity for item in lint("FED402", text)]


@pytest.mark.parametrize("body", PUT)
def test_what_is_put_into_a_result(lint: Lint, body: str) -> None:
    """What the data of a result gets later is handed over too."""
    assert ["error"] == _put(lint, body)


@pytest.mark.parametrize("body", NOT_PUT)
def test_what_does_not_stay_in_a_result(lint: Lint, body: str) -> None:
    """What is replaced, taken out or handed over otherwise is left alone."""
    assert [] == _put(lint, body)


GENERIC = """
import datetime
from typing import Generic, TypeVar

import imperal_sdk.sdl as sdl
from pydantic import BaseModel

T = TypeVar("T")


class Task(sdl.Entity):
    pass


class Rows(BaseModel, Generic[T]):
    items: list[T] = []
    at: datetime.datetime | None = None


Tasks = sdl.EntityList[Task]


@chat.function("f", description="x", action_type="read")
async def f(ctx):
    return ActionResult.success(data={{"n": {0}}}, summary="x")
"""


@pytest.mark.parametrize(
    "made",
    ["sdl.EntityList[Task](items=[])", "Tasks(items=[])", "Rows[int]()", "Rows[list[str]]()"],
)
def test_a_model_of_a_generic_class_is_a_model(lint: Lint, made: str) -> None:
    """``json.dumps`` raises for it as for other models; dumped it is right."""
    (found,) = lint("FED402", GENERIC.format(made))
    assert ("warning", True) == (found.severity, "is a pydantic model" in found.message)
    assert () == lint("FED402", GENERIC.format(f"{made}.model_dump()"))


def test_the_fields_of_a_generic_class_are_known(lint: Lint) -> None:
    """``Rows[int]`` keeps a datetime as ``Rows`` does."""
    made = "Rows[int](at=datetime.datetime.now()).model_dump({0})"
    (found,) = lint("FED402", GENERIC.format(made.format("")))
    assert "data['n']['at'] is a datetime" in found.message
    assert () == lint("FED402", GENERIC.format(made.format('mode="json"')))
