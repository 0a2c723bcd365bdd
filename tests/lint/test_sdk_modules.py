"""The SDK's modules as data: names, signatures, what comes and goes."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.lint.engine.engine import CheckResult
from fedcheck.lint.sdk import surface_extraction
from fedcheck.lint.sdk.module_surface import modules
from fedcheck.lint.sdk.releases import versions
from fedcheck.lint.sdk.surface import surface

CheckFiles = Callable[..., CheckResult]

KIT = """
import contextlib
import functools
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator
from elsewhere import Foreign, wrapper

from .parts import Inner as Renamed
from .parts import *

if TYPE_CHECKING:
    from .parts import Never

Same = Renamed

def plain(a, /, b, *rest, c, d=1, **more): ...
async def waited(a, b=None): ...
async def generated(a): yield a
@contextlib.asynccontextmanager
async def managed(a): yield a
@functools.lru_cache(maxsize=3)
def cached(a): ...
@wrapper
def wrapped(a): ...
try:
    def twice(a): ...
except ImportError:
    def twice(b): ...

class Empty: ...
class Written:
    def __init__(self, a, b=1): ...
class Below(Written): ...
class Failure(ValueError): ...
class Unknown(Foreign): ...
class Meta(metaclass=type): ...
class Shape(Protocol): ...
class New:
    def __new__(cls, a): ...

@dataclass(frozen=True)
class Data:
    a: int
    kind: ClassVar[str] = "x"
    made: int = field(init=False, default=3)
    b: list = field(default_factory=list)
    _: KW_ONLY
    c: int = field()
@dataclass
class More(Data):
    d: int = 1

class Model(BaseModel):
    a: int
    b: int = Field(...)
    c: int = Field(default=1)
    d: int = 2
    _hidden: int = 3
class Closed(Model, Generic[int]):
    model_config = ConfigDict(extra="forbid")
    a: int = 1
class Aliased(BaseModel):
    a: int = Field(..., alias="A")
class Filling(BaseModel):
    a: int
    @model_validator(mode="before")
    def fill(cls, data): ...
class Checking(BaseModel):
    a: int
    @model_validator(mode="after")
    def check(self): ...
"""
EXPECTED = {
    "plain": "f(a,/,b,*rest,c,d=0,**more)",
    "waited": "af(a,b=0)",
    "generated": "f(a)",
    "managed": "f(a)",
    "cached": "f(a)",
    "wrapped": "f",
    "twice": "v",
    "Empty": "c()",
    "Written": "c(a,b=0)",
    "Below": "c(a,b=0)",
    "Failure": "c(*args)",
    "Unknown": "c",
    "Meta": "c",
    "Shape": "c",
    "New": "c",
    "Data": "c(a,b=0,*,c)",
    "More": "c(a,b=0,d=0,*,c)",
    "Model": "m(*,a,b,c=0,d=0,**extra)",
    "Closed": "m(*,a=0,b,c=0,d=0)",
    "Aliased": "m(*,a=0,**extra)",
    "Filling": "m(*,a=0,**extra)",
    "Checking": "m(*,a,**extra)",
    "Renamed": "=kit.parts.Inner",
    "Same": "=kit.parts.Inner",
    "Inner": "=kit.parts.Inner",
    "parts": ".",
    "BaseModel": "v",
}


def _wheel(folder: Path, version: str, files: Mapping[str, str]) -> None:
    with zipfile.ZipFile(folder / f"imperal_sdk-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(f"imperal_sdk/{name}", text)


def test_names_and_signatures_are_read(tmp_path: Path) -> None:
    """Functions, constructors of each sort, aliases; what is not certain has no signature."""
    first = {"__init__.py": "", "kit/__init__.py": "def plain(a): ...\ndef gone(): ...\n"}
    then = {
        "__init__.py": "def __getattr__(name): ...\n",
        "kit/__init__.py": KIT,
        "kit/parts.py": "class Inner: ...\ndef _hidden(): ...\nraise SystemExit\n",
        "cli/main.py": "def main(): ...\n",
    }
    _wheel(tmp_path, "1.0.0", first)
    _wheel(tmp_path, "1.1.0", then)
    output = str(tmp_path / "surface.json")
    result = CliRunner().invoke(surface_extraction.main, [str(tmp_path), "-o", output])
    assert 0 == result.exit_code, result.output
    table = json.loads((tmp_path / "modules.json").read_text())
    kit = {name: spans[-1][1] for name, spans in table["kit"].items()}
    assert EXPECTED == {name: kit.get(name) for name in EXPECTED}
    assert [["1.0.0", "f(a)"], ["1.1.0", EXPECTED["plain"]]] == table["kit"]["plain"]
    assert [["1.0.0", "f()"], ["1.1.0", ""]] == table["kit"]["gone"]
    assert {"Never", "_hidden"}.isdisjoint(table["kit"])
    assert ("(open)" in table[""], "(open)" in table["kit"], "cli.main" in table) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("version", "path", "expected"),
    [
        ("6.3.7", "ui.Header", "f(text,level=0,subtitle=0)"),
        ("1.1.0", "ui.Button", "f(label,variant=0,on_click=0,disabled=0)"),
        ("4.2.6", "ui.Password", "f(placeholder=0,on_submit=0,value=0,param_name=0)"),
        ("4.2.5", "ui.Password", None),
        ("6.3.7", "sdl.Ref", "m(*,app_id=0,id,kind,title,**extra)"),
        ("6.3.7", "WebhookResponse", "c(status_code=0,body=0,headers=0)"),
        ("6.3.7", "ui.MODAL_SIZES", None),
        ("99.0", "ui.Divider", "f(label=0)"),
    ],
)
def test_facts_of_the_modules(version: str, path: str, expected: str | None) -> None:
    """Signatures are those of the release, also behind aliases."""
    found = modules(version).callee(path)
    assert expected == (found.text if found is not None else None)


@pytest.mark.parametrize(
    ("version", "path", "expected"),
    [
        ("6.3.7", "ui.Buton", ("ui", "Buton")),
        ("6.3.7", "ui.buttons.Button", ("ui", "buttons")),
        ("6.3.7", "ui.base.UINode", None),
        ("6.3.7", "ui.Button.name", None),
        ("6.3.7", "ui._serialize", None),
        ("6.3.7", "cli.anything", None),
        ("6.3.7", "nothing.at.all", None),
        ("5.9.19", "ui.Toast", ("ui", "Toast")),
        ("99.0", "ui.Buton", None),
    ],
)
def test_what_is_absent(version: str, path: str, expected: tuple[str, str] | None) -> None:
    """Only what is proved absent: no private names, nothing in a release newer than the table."""
    assert expected == modules(version).absent(path)


def test_both_tables_know_the_same_classes() -> None:
    """What the root offers in one table is callable or known in the other."""
    newest = versions()[-1]
    known = modules(newest)
    lacking = [
        name
        for name in ("ActionResult", "Context", "Extension", "HTTPResponse", "FileInfo", "ui")
        if name not in known.names("") or surface(newest).member("", name) is None
    ]
    assert [] == lacking


HEAD = "from imperal_sdk import Extension, sdl, ui\n\next = Extension('n')\n"
CALLS = [
    ("ui.Text('a', weight=1)", "error"),
    ("ui.Text()", "error"),
    ("ui.Text('a', 'b', True, 'c', 1)", "error"),
    ("ui.Text('a', content='b')", "error"),
    ("getattr(ui, 'Text')(size=1)", "error"),
    ("(text := ui.Text)(size=1)", "error"),
    ("text = ui.Text\ntext(size=1)", "error"),
    ("parts = ui\nparts.Text(size=1)", "error"),
    ("make = ui.Text if ext else ui.Link\nmake(size=1)", "warning"),
    ("from imperal_sdk.ui import Text as T\nT(size=1)", "error"),
    ("import imperal_sdk.ui as u\nu.display.Text(size=1)", "error"),
    ("import imperal_sdk\nimperal_sdk.ui.Text(size=1)", "error"),
    ("from kit import own\nown.Text(size=1)", "error"),
    ("from imperal_sdk import FileInfo\nFileInfo(size=1)", "error"),
    ("from imperal_sdk import WebhookResponse\nWebhookResponse.error()", "error"),
    ("sdl.Ref(id=1, title='a')", "error"),
    ("class Note(sdl.Entity):\n    title: str = ''\nNote()", "error"),
    ("class Notes(sdl.EntityList[str]): ...\nNotes(rows=[])", "error"),
    ("try:\n    ui.Text(size=1)\nexcept TypeError:\n    pass", "info"),
    ("import inspect\nif 'size' in inspect.signature(ui.Text).parameters:\n    ui.Text(size=1)",
     "info"),
    ("from imperal_sdk import __version__\nif __version__ > '7':\n    ui.Text(size=1)", "info"),
    ("ui.Text(*row, **row)", ""),
    ("ui.Text('a', **row)", ""),
    ("ui.Call('f', anything=1)", ""),
    ("ui.Text = print\nui.Text(size=1)", ""),
    ("setattr(ui, 'Text', print)\nui.Text(size=1)", ""),
    ("def f(ui):\n    ui.Text(size=1)", ""),
    ("class Note(sdl.Entity):\n    def __init__(self, **row): ...\nNote()", ""),
    ("class Note(sdl.Entity, kw=1): ...\nNote()", ""),
    ("class Note(sdl.Entity):\n    id: int = 1\n    title: str = ''\nNote()", ""),
    ("class Note(Unknown, sdl.Entity): ...\nNote()", ""),
    ("class Note(sdl.Entity): ...\nNote(**row)", ""),
]  # fmt: skip


@pytest.mark.parametrize("exhaustive", [False, True], ids=["fast", "exhaustive"])
@pytest.mark.parametrize(("code", "expected"), CALLS)
def test_calls_of_functions_and_models(
    check_files: CheckFiles, code: str, expected: str, exhaustive: bool
) -> None:
    """However a component is reached, its signature is known; what may differ is not judged."""
    files = {"main.py": f"{HEAD}{code}\n", "kit.py": "from imperal_sdk import ui as own\n"}
    found = check_files(files, codes=frozenset({"FED108"}), exhaustive=exhaustive)
    assert () == found.notes
    assert ([expected] if expected else []) == [item.severity for item in found.findings]


ADVICE = [
    ("ui.Text()", "Its parameters: content, "),
    ("ui.Call('f', {'a': 1, 'b-c': 2, 'd': 3})", "entries of the dict as keywords: a=…, d=…."),
    ("ui.Call('f', {})", "Its parameters: function, **…."),
    ("ui.Call('f', row)", "Its parameters: function, **…."),
    ("class Note(sdl.Entity): ...\nNote(title='a')", "pass id=…, or give Note a default for it."),
    (
        "class Note(sdl.Entity): ...\nNote()",
        "pass id=… and title=…, or give Note defaults for them.",
    ),
]


@pytest.mark.parametrize(("code", "expected"), ADVICE)
def test_what_to_write_instead(check_files: CheckFiles, code: str, expected: str) -> None:
    """The message ends with it."""
    (found,) = check_files({"main.py": f"{HEAD}{code}\n"}, codes=frozenset({"FED108"})).findings
    assert expected in found.text


NAMES = [
    ("ui.Buton", "error"),
    ("getattr(ui, 'Buton')", "error"),
    ("getattr(ui, 'Buton', None)", "warning"),
    ("hasattr(ui, 'Buton') and ui.Buton", "info"),
    ("import imperal_sdk.ui.theme as t\nt.Agency", "error"),
    ("ui.Button", ""),
    ("ui.data.Stat", ""),
    ("x: 'ui.Buton' = 1", ""),
    ("def f(x: ui.Buton) -> ui.Buton: ...", ""),
    ("ui.Buton = 1\nui.Buton", ""),
    ("ui.__name__", ""),
]


@pytest.mark.parametrize("exhaustive", [False, True], ids=["fast", "exhaustive"])
@pytest.mark.parametrize(("code", "expected"), NAMES)
def test_names_of_modules(
    check_files: CheckFiles, code: str, expected: str, exhaustive: bool
) -> None:
    """A name that a module lacks is an error only where it is used and nothing guards it."""
    files = {"main.py": f"{HEAD}{code}\n"}
    found = check_files(files, codes=frozenset({"FED105"}), exhaustive=exhaustive)
    assert () == found.notes
    kept = {item.severity for item in found.findings}
    assert ({expected} if expected else set()) == (kept - {"info"} or kept)


def test_a_page_of_ui_is_no_page_of_the_store(check_files: CheckFiles) -> None:
    """Both classes are called Page; only one is iterable and has rows."""
    code = f"{HEAD}page = ui.Page([]).to_dict()\nui.Page(children=[], title='a')\n"
    assert () == check_files({"main.py": code}, codes=frozenset({"FED105", "FED108"})).findings
