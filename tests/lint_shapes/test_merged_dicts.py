"""Dicts that ``|`` and ``|=`` put together are read as those that are written out."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from datetime import datetime


def made():
    row = {"a": 1}
    row |= {"at": datetime.now()}
    return row


def fixed():
    return {"at": "now"}


def mend(row):
    row["at"] = "now"


@chat.function("f", "Tells")
async def f(ctx, raw=False):
"""
NOW = '{"at": datetime.now()}'


def _handler(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.replace("NOW", NOW).splitlines())


def _shown(name: str) -> str:
    return f'\nreturn ActionResult.success({name}, "x")'


@pytest.mark.parametrize(
    "body",
    [
        'd = {"a": 1}\nd |= NOW',
        "d = {}\nd |= NOW",
        "d = dict(a=1)\nd |= dict(at=datetime.now())",
        'd = {"a": 1}\nd = d | NOW',
        'd = {"a": 1} | NOW',
        'd = {"a": 1}\nd |= NOW\nd |= {"b": 2}',
        'd = {"a": 1}\nif raw:\n    d |= NOW',
        "d = made()",
    ],
)
def test_what_is_merged_into_a_dict_is_in_it(lint: Lint, body: str) -> None:
    """The entry that JSON cannot carry is found behind the operator."""
    (found,) = lint("FED402", _handler(body + _shown("d")))
    assert found.message.startswith("data['at'] is a datetime")


@pytest.mark.parametrize(
    "body",
    [
        'd = NOW\nd |= {"at": "now"}',
        "d = NOW\nd |= fixed()",
        'd = {"a": 1}\nd |= NOW\nd["at"] = d["at"].isoformat()',
        'd = {"a": 1}\nd |= NOW\nif raw:\n    d["at"] = "now"\nelse:\n    d["at"] = "then"',
        'd = {"a": 1}\nd |= NOW\nmend(d)',
        'd = {"a": 1}\nd |= NOW\nat = d.pop("at")',
        'd = {"a": 1} | NOW\ndel d["at"]',
        'd = {"at": "now"}\nd |= {"b": 2}\nd.setdefault("at", datetime.now())',
        'd = {"a": 1} | {"at": "now"}\nd.setdefault("at", datetime.now())',
        'd = {"at": "now"}\nd.setdefault("at", datetime.now())\nd |= {"b": 2}',
        'd = {"at": "now"}\nd.setdefault("at", datetime.now())\nd = dict(d, b=2)',
        'd = {"at": "now"}\nif raw: d["at"] = datetime.now()\nd |= fixed()',
        'd = {"a": 1}\nd |= {"row": NOW}\nd["row"]["at"] = "now"',
        'd = {"row": NOW}\nd["row"]["at"] = "now"\nd |= {"b": 2}',
        'd = {"rows": [NOW]}\nd |= {"b": 2}\nfor row in d["rows"]: row["at"] = "now"',
        'e = {"rows": [NOW]}\nd = e | {"b": 2}\nfor row in e["rows"]: row["at"] = "now"',
        "d = NOW\nd |= {key: str(value) for key, value in d.items()}",
        'd = NOW\nfor at in "ab": d |= {"at": at}',
        'e = NOW\nd = e\ne |= {"at": "now"}',
        'n = 0\nfor bit in (1, 2): n |= bit\nd = {"n": n}',
    ],
)
def test_what_is_merged_over_is_gone(lint: Lint, body: str) -> None:
    """What replaces an entry counts, on whichever side of the operator it stands."""
    assert () == lint("FED402", _handler(body + _shown("d")))


def test_a_merged_dict_in_a_loop_is_made_anew_in_each_round(lint: Lint) -> None:
    """What is merged once in each round is not merged again and again."""
    body = 'rows = []\nfor a in "ab":\n    d = {"a": a}\n    d |= NOW\n    rows.append(d)'
    (found,) = lint("FED402", _handler(body + _shown('{"rows": rows}')))
    assert "data['rows'][…]['at'] is a datetime" in found.message


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ('{"text": "x" * 5000}', 1),
        ('{"text": "x" * 500}', 0),
    ],
)
@pytest.mark.parametrize("merge", ["d |= MORE", "d = d | MORE"])
def test_sizes_of_merged_dicts(lint: Lint, more: str, count: int, merge: str) -> None:
    """A long text counts wherever it comes from."""
    body = f'd = {{"a": 1}}\n{merge.replace("MORE", more)}'
    assert count == len(lint("FED403", _handler(body + _shown("d"))))


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        ('d |= {"b": 2}', ["FED210"]),
        ('d |= {"response": {"n": 1}}', []),
        ('d |= {"rows": [{"id": i} for i in range(50)]}\nd = {"response": d}', ["FED213"]),
        ('d |= {"rows": [{"id": i} for i in range(5)]}\nd = {"response": d}', []),
    ],
)
def test_merged_sections(lint: Lint, merge: str, expected: list[str]) -> None:
    """The envelope and the lists of a section are looked for behind the operator too."""
    lines = "".join(f"    {line}\n" for line in ('d = {"a": 1}', *merge.splitlines(), "return d"))
    text = f'@ext.skeleton("n")\nasync def n(ctx):\n{lines}'
    found = lint("FED210 FED211 FED212 FED213", text)
    assert expected == [item.code for item in found]
