"""What ``asdict()``, ``vars()`` and the like leave in the data; each case was run with json."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import dataclasses
import json
from dataclasses import InitVar, KW_ONLY, asdict, dataclass, field
from datetime import datetime, timezone
from enum import Enum

import imperal_sdk


class Stage(Enum):
    NEW = "new"


class Word(str, Enum):
    NEW = "new"


"""
DEAL = """
@dataclass
class Deal:
    name: str
    opened: datetime
    stage: Stage | None = None
"""
TEXTS = """
def of_texts(cls):
    made = cls.__init__
    cls.__init__ = lambda self, *given: made(self, *map(str, given))
    return cls
"""
HANDLER = '\n\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
OPENED = "data['deal']['opened'] is a datetime"

BAD = {
    "by position": (DEAL, 'asdict(Deal("a", datetime.now()))', OPENED),
    "by name": (DEAL, 'asdict(Deal(name="a", opened=datetime.now()))', OPENED),
    "of the module": (DEAL, 'dataclasses.asdict(Deal("a", datetime.now()))', OPENED),
    "a member": (
        DEAL,
        'asdict(Deal("a", "2026", Stage.NEW))',
        "data['deal']['stage'] is a member of an Enum",
    ),
    "a default": (
        "@dataclass(frozen=True, slots=True)\nclass Deal:\n    stage: Stage = Stage.NEW\n",
        "asdict(Deal())",
        "data['deal']['stage'] is a member of an Enum",
    ),
    "a factory": (
        (
            "@dataclass\nclass Deal:\n    name: str\n"
            "    opened: datetime = field(default_factory=lambda: datetime.now(timezone.utc))\n"
        ),
        'asdict(Deal("a"))',
        OPENED,
    ),
    "a factory of sets": (
        "@dataclass\nclass Deal:\n    tags: set = field(default_factory=set)\n",
        "asdict(Deal())",
        "data['deal']['tags'] is a set",
    ),
    "listed by vars": (DEAL, 'vars(Deal("a", datetime.now()))', OPENED),
    "the dict of the object": (DEAL, 'Deal("a", datetime.now()).__dict__', OPENED),
    "spread": (DEAL, '{**asdict(Deal("a", datetime.now())), "id": 1}', OPENED),
    "its dict spread": (DEAL, '{"id": 1, **vars(Deal("a", datetime.now()))}', OPENED),
    "within a list": (
        "@dataclass\nclass Deal:\n    days: list\n",
        "asdict(Deal([datetime.now()]))",
        "data['deal']['days'][0] is a datetime",
    ),
}
GOOD = {
    "a text for a datetime": (DEAL, 'asdict(Deal("a", datetime.now().isoformat()))'),
    "None": (DEAL, 'asdict(Deal("a", None))'),
    "a word": (
        "@dataclass\nclass Deal:\n    stage: Word = Word.NEW\n",
        "asdict(Deal())",
    ),
    "a factory for dicts": (DEAL, 'asdict(Deal("a", datetime.now()), dict_factory=plain)'),
    "mended in the dict": (DEAL, '{**asdict(Deal("a", datetime.now())), "opened": "2026"}'),
    "mended in its own dict": (
        DEAL,
        '{**vars(Deal("a", datetime.now())), "opened": "2026"}',
    ),
    "no dict of its own": (
        "@dataclass(slots=True)\nclass Deal:\n    opened: datetime\n",
        "vars(Deal(datetime.now()))",
    ),
    "each value of its dict made text": (
        DEAL,
        '{key: str(value) for key, value in vars(Deal("a", datetime.now())).items()}',
    ),
    "another vars": (
        f"{DEAL}\n\ndef vars(deal):\n    return {{'opened': str(deal.opened)}}\n",
        'vars(Deal("a", datetime.now()))',
    ),
    "written as text": (
        DEAL,
        'json.loads(json.dumps(asdict(Deal("a", datetime.now())), default=str))',
    ),
    "each value made text": (
        DEAL,
        '{key: str(value) for key, value in asdict(Deal("a", datetime.now())).items()}',
    ),
    "mended behind the constructor": (
        f"{DEAL}\n    def __post_init__(self):\n        self.opened = self.opened.isoformat()\n",
        'asdict(Deal("a", datetime.now()))',
    ),
    "mended elsewhere": (
        f"{DEAL}\n\ndef mended(deal):\n    deal.opened = str(deal.opened)\n    return deal\n",
        'asdict(mended(Deal("a", datetime.now())))',
    ),
    "mended by vars": (
        f"{DEAL}\n\ndef mended(deal):\n    vars(deal)['opened'] = 'now'\n    return deal\n",
        'asdict(mended(Deal("a", datetime.now())))',
    ),
    "a constructor of its own": (
        (
            f"{DEAL}\n    def __init__(self, name, opened):\n"
            "        self.name, self.opened, self.stage = name, str(opened), None\n"
        ),
        'asdict(Deal("a", datetime.now()))',
    ),
    "fields by name only": (
        "@dataclass\nclass Deal:\n    _: KW_ONLY\n    opened: str = ''\n    name: str = ''\n",
        'asdict(Deal(name="a"))',
    ),
    "a value for the constructor alone": (
        "@dataclass\nclass Deal:\n    at: InitVar[datetime]\n    name: str = ''\n",
        'asdict(Deal(datetime.now(), "a"))',
    ),
    "no field": (
        (
            "@dataclass\nclass Deal:\n    name: str\n    opened: datetime = field(init=False)\n\n"
            "    def __post_init__(self):\n        self.opened = '2026'\n"
        ),
        'asdict(Deal("a"))',
    ),
    "a decorator besides": (
        f"{TEXTS}\n\n@of_texts{DEAL}",
        'asdict(Deal("a", datetime.now()))',
    ),
    "another asdict": (
        f"{DEAL}\n\ndef asdict(deal):\n    return {{'opened': str(deal.opened)}}\n",
        'asdict(Deal("a", datetime.now()))',
    ),
}


def data(deal: str) -> str:
    """Return a handler whose result has some data."""
    return f'{HANDLER}    return ActionResult.success({{"deal": {deal}}}, "s")\n'


@pytest.mark.parametrize("name", BAD)
def test_a_field_that_json_cannot_carry(lint: Lint, name: str) -> None:
    """What the call or the default gives stays as it is."""
    classes, deal, told = BAD[name]
    found = lint("FED402", f"{HEAD}{classes}{data(deal)}")
    assert [(it.severity, told in it.message) for it in found] == [("error", True)]


@pytest.mark.parametrize("name", GOOD)
def test_a_field_that_json_carries(lint: Lint, name: str) -> None:
    """Nobody holds what is given against the type, and the dict may be mended."""
    classes, deal = GOOD[name]
    assert lint("FED402", f"{HEAD}{classes}{data(deal)}") == ()


NOTE = """
from pydantic import computed_field


class Note(BaseModel):
    name: str

    @computed_field
    @property
    def seen(self) -> datetime:
        return datetime.now()


class Timed(Note):
    opened: datetime
"""


@pytest.mark.parametrize(
    "listed", ["dict({})", "vars({})", "{}.__dict__", "{{**vars({}), 'id': 1}}"]
)
def test_the_fields_of_a_model(lint: Lint, listed: str) -> None:
    """They are listed as they are; what methods compute is not among them."""
    timed = listed.format('Timed(name="a", opened=datetime.now())')
    (found,) = lint("FED402", f"{HEAD}{NOTE}{data(timed)}")
    assert (found.severity, OPENED in found.message) == ("error", True)
    assert 'Write ….model_dump(mode="json").' in found.message
    assert lint("FED402", f"{HEAD}{NOTE}{data(listed.format('Note(name=1)'))}") == ()


@pytest.mark.parametrize("mended", ["deal.opened = str(deal.opened)", "rows['opened'] = '2026'"])
def test_a_dict_that_is_mended(lint: Lint, mended: str) -> None:
    """Both the object and its dict may be."""
    body = (
        'deal = Deal("a", datetime.now())\n    rows = vars(deal)\n    '
        f'{mended}\n    return ActionResult.success({{"deal": rows}}, "s")\n'
    )
    assert lint("FED402", f"{HEAD}{DEAL}{HANDLER}    {body}") == ()
    assert lint("FED402", f"{HEAD}{DEAL}{HANDLER}    {body.replace(mended, 'pass')}") != ()


def test_a_field_of_which_only_the_type_is_known(lint: Lint) -> None:
    """A type is a promise that nobody keeps: a warning."""
    found = lint("FED402", f"{HEAD}{DEAL}{data('asdict(Deal(**p))')}")
    assert [(it.severity, "['opened'] may be a datetime" in it.message) for it in found] == [
        ("warning", True)
    ]


def test_what_to_write_instead(lint: Lint) -> None:
    """The field is put right in the dict."""
    for by in ("asdict", "vars"):
        main = f"{HEAD}{DEAL}{data(BAD['by name'][1].replace('asdict', by))}"
        (found,) = lint("FED402", main)
        assert f"Write {{**{by}(…), 'opened': ….isoformat()}}." in found.message


@pytest.mark.parametrize(
    ("head", "listed", "count"),
    [
        ("@dataclass\nclass Row:", "asdict(Row())", 1),
        ("@dataclass\nclass Row:", "{'x': 1, **vars(Row())}", 1),
        ("class Row(BaseModel):", "dict(Row())", 1),
        ("class Row(dict):", "dict(Row(x=1))", 0),
        ("class Row(dict):", "{**dict(Row(x=1))}", 0),
        ("class Row:", "vars(Row())", 0),
    ],
)
def test_which_keys_are_listed(lint: Lint, head: str, listed: str, count: int) -> None:
    """The fields of dataclasses and models; what other classes only annotate may not be there."""
    default = " = 0" if count else ""
    fields = "".join(f"    {name}: int{default}\n" for name in "abcdefg")
    section = f'\n\n@ext.skeleton("s")\nasync def s(ctx):\n    return {{"response": {listed}}}\n'
    found = lint("FED211", f"{HEAD}{head}\n{fields}{section}")
    assert len(found) == count
