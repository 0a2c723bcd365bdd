"""What later code writes into the lists and dicts inside a payload."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """
import datetime as dt


def mend(part):
    part["at"] = "now"
    part["seen"] = []


@chat.function("f", "Tells")
async def f(ctx, p):
"""
ROWS = 'rows = [{"at": dt.datetime.now()}]'
ROW = 'row = {"user": {"seen": {1}}}'
USER = 'user = {"seen": {1}}\nrow = {"user": user}'
MENDED_ROWS = (
    'for r in rows:\n    r["at"] = r["at"].isoformat()',
    'for i, r in enumerate(rows):\n    rows[i] = {**r, "at": str(r["at"])}',
    'for r in rows:\n    r.update(at="now")',
    "for r in rows:\n    mend(r)",
    'for r in rows:\n    r |= {"at": "now"}',
    "for r in list(rows):\n    mend(r)",
    '[r.update(at="now") for r in rows]',
    "mend(rows)",
    "list(map(mend, rows))",
    "rows[0] = {}",
    "rows.clear()",
    'first, *rest = rows\nfirst["at"] = "now"',
    'it = iter(rows)\nnext(it)["at"] = "now"',
    'first = next((r for r in rows if r), None)\nfirst["at"] = "now"',
    'newest = max(rows, key=len)\nnewest["at"] = "now"',
    'late = [r for r in rows if r]\nfor r in late:\n    r["at"] = "now"',
    'named = {id(r): r for r in rows}\nfor r in named.values():\n    r["at"] = "now"',
    'late = []\nfor r in rows:\n    late.append(r)\nlate[0]["at"] = "now"',
    'named = {}\nfor r in rows:\n    named[p] = r\nnamed[p]["at"] = "now"',
    'by = {}\nfor r in rows:\n    by.setdefault(p, []).append(r)\nby[p][0]["at"] = "now"',
    'for _, some in groupby(rows, len):\n    for r in some:\n        r["at"] = "now"',
    'mend({"rows": rows})',
    'for r in rows + [{}]:\n    r["at"] = "now"',
    'every = []\nevery.extend(rows)\nevery[0]["at"] = "now"',
    'both = [*rows, {}]\nboth[0]["at"] = "now"',
    "clear = rows.clear\nclear()",
    'todo = deque(rows)\nwhile todo:\n    todo.popleft()["at"] = "now"',
    'match rows:\n    case [first, *_]:\n        first["at"] = "now"',
    'match rows:\n    case [_, *rest] | rest:\n        rest[0]["at"] = "now"',
)
KEPT_ROWS = (
    "pass",
    'for r in rows:\n    print(r["at"])',
    'for r in rows:\n    r["n"] = 1',
    'names = [str(r["at"]) for r in rows]',
    "rows.append({})",
    'rows[0] = {"at": dt.datetime.now()}',
    'copy = [dict(r) for r in rows]\ncopy[0]["at"] = "now"',
    "late = [r for r in rows if r]\nlate[0] = {}\nlate.clear()",
    'late = []\nfor r in rows:\n    late.append(dict(r))\nlate[0]["at"] = "now"',
    'named = {id(r): r["at"] for r in rows}\nnamed[1] = "now"',
    "count = rows.count\ncount(1)",
    "every = []\nevery.extend(rows)\nevery[0] = {}\nevery.clear()",
    'more = rows + [{}]\nmore[0] = {"at": "now"}',
    'match rows:\n    case [first, *_]:\n        print(first["at"])',
    "match rows:\n    case [_, *rest]:\n        rest[0] = {}\n        rest.clear()",
)
MENDED_ROW = (
    'row["user"]["seen"] = list(row["user"]["seen"])',
    'row["user"].update({"seen": []})',
    'row.get("user").pop("seen")',
    'del row["user"]["seen"]',
    'u = row["user"]\nu["seen"] = [1]',
    'if (u := row["user"]):\n    u["seen"] = [1]',
    'mend(row["user"])',
    "for part in row.values():\n    mend(part)",
    'if p:\n    row["user"]["seen"] = []',
    'u, n = row["user"], 1\nu["seen"] = []',
    'for u in (row["user"],):\n    u["seen"] = []',
    'def change():\n    row["user"]["seen"] = []\n\nchange()',
    'match row:\n    case {"user": user}:\n        user["seen"] = []',
    'match row:\n    case {"user": {"seen": _} as user}:\n        user["seen"] = []',
    'match row:\n    case {"n": _, **rest}:\n        rest["user"]["seen"] = []',
)
OF_DICT = (
    ("for it in (row, p):\n    it['at'] = 'now'", []),
    ("both = [row]\nboth[0].update(at='now')", []),
    ("state = {'row': row}\nstate['row']['at'] = 'now'", []),
    ("pop = row.pop\npop('at')", []),
    ("put = row.update\nput(at='now')", []),
    ("for it in (row, p):\n    it['n'] = 'now'", ["error"]),
    ("state = {'row': dict(row)}\nstate['row']['at'] = 'now'", ["error"]),
    ("keys = row.keys\nkeys()", ["error"]),
)
"""What is done with a dict by way of something else that holds it → severities."""
KEPT_ROW = (
    'row["user"]["n"] = 1',
    'row["user"]["seen"] = {2}',
    'row["user"] = {"seen": {2}}',
    'row["other"] = {}\nrow["other"]["seen"] = []',
    'u = dict(row["user"])\nu["seen"] = []',
    'u = row["user"].copy()\nu["seen"] = []',
    'print(row["user"], len(row["user"]))',
    'match row:\n    case {"user": user}:\n        print(user)',
    'match row:\n    case {"n": n, "user": _}:\n        n["seen"] = []',
    'match row:\n    case {"n": _, **rest}:\n        rest["user"] = {}',
)


def _severities(lint: Lint, body: str, data: str, code: str = "FED402") -> list[str]:
    lines = f'{body}\nreturn ActionResult.success({data}, "ok")'.splitlines()
    found = lint(code, HEAD + "".join(f"    {line}\n" for line in lines))
    return [item.severity for item in found]


@pytest.mark.parametrize("lines", MENDED_ROWS)
def test_entries_of_a_list_that_are_mended_are_silent(lint: Lint, lines: str) -> None:
    """A loop, an index, another name and a function of the project may mend what a list holds."""
    assert [] == _severities(lint, f"{ROWS}\n{lines}", '{"rows": rows}')


@pytest.mark.parametrize("lines", KEPT_ROWS)
def test_entries_of_a_list_that_stay_are_errors(lint: Lint, lines: str) -> None:
    """Reading, other keys, copies and new entries mend nothing."""
    assert ["error"] == _severities(lint, f"{ROWS}\n{lines}", '{"rows": rows}')


@pytest.mark.parametrize(("lines", "expected"), OF_DICT)
def test_a_dict_inside_something_else_is_the_same(
    lint: Lint, lines: str, expected: list[str]
) -> None:
    """A list, another dict and a bound method change the dict itself."""
    assert expected == _severities(lint, f'row = {{"at": dt.datetime.now()}}\n{lines}', "row")


@pytest.mark.parametrize("lines", MENDED_ROW)
def test_an_inner_dict_that_is_mended_is_silent(lint: Lint, lines: str) -> None:
    """Whatever way code takes to the inner dict, it may mend it."""
    assert [] == _severities(lint, f"{ROW}\n{lines}", "row")


@pytest.mark.parametrize("lines", KEPT_ROW)
def test_an_inner_dict_that_stays_is_an_error(lint: Lint, lines: str) -> None:
    """Other entries, copies and values that are no better leave the set where it is."""
    assert ["error"] == _severities(lint, f"{ROW}\n{lines}", "row")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('user["seen"] = [1]', []),
        ("mend(user)", []),
        ('user["n"] = 1', ["error"]),
        ('user = {"seen": []}', ["error"]),
    ],
)
def test_a_name_for_the_inner_dict_still_reaches_it(
    lint: Lint, lines: str, expected: list[str]
) -> None:
    """What is written through the name after it was put into the payload counts."""
    assert expected == _severities(lint, f"{USER}\n{lines}", "row")


@pytest.mark.parametrize(
    ("lines", "data", "expected"),
    [
        ('row["user"]["seen"] = []', "{**row}", []),
        ('row["user"]["seen"] = []', "dict(row)", []),
        ('row["user"]["seen"] = []', 'row | {"n": 1}', []),
        ('out = {**row}\nrow["user"]["seen"] = []', "out", []),
        ('row["user"]["n"] = 1', "{**row}", ["error"]),
        ('out = {**row}\nrow["user"] = []', "out", ["error"]),
    ],
)
def test_a_dict_that_is_spread_shares_what_it_holds(
    lint: Lint, lines: str, data: str, expected: list[str]
) -> None:
    """A new dict with the entries of another has the same inner dicts."""
    assert expected == _severities(lint, f"{ROW}\n{lines}", data)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('for r in rows:\n    r["text"] = r["text"][:9]', []),
        ("for r in rows:\n    len(r)", ["error"]),
    ],
)
def test_a_text_inside_that_is_cut_is_not_too_large(
    lint: Lint, lines: str, expected: list[str]
) -> None:
    """Only what is there when the payload is handed over has a size."""
    body = f'rows = [{{"text": "x" * 9000}}]\n{lines}'
    assert expected == _severities(lint, body, '{"rows": rows}', "FED403")


KEEPING = {
    "box": (
        'class Box:\n    def __init__(self):\n        self.rows = [{"at": dt.datetime.now()}]\n',
        "box = Box()",
    ),
    "given": (
        "class Box:\n    def __init__(self, rows):\n        self.rows = rows\n",
        'box = Box(rows=[{"at": dt.datetime.now()}])',
    ),
    "by position": (
        "class Box:\n    def __init__(self, items):\n        self.rows = items\n",
        'box = Box([{"at": dt.datetime.now()}])',
    ),
    "by another name": (
        "class Box:\n    def __init__(self, items):\n        self.rows = items\n",
        'box = Box(items=[{"at": dt.datetime.now()}])',
    ),
    "class": (
        'class Box:\n    rows = [{"at": dt.datetime.now()}]\n',
        "box = Box()",
    ),
}
"""How an object gets its rows → its class, and what makes it."""


def _kept(lint: Lint, kind: str, lines: str, inside: str = "") -> list[str]:
    cls, made = KEEPING[kind]
    head = HEAD.replace("import datetime as dt\n", f"import datetime as dt\n\n\n{cls}{inside}")
    body = f'{made}\n{lines}\nreturn ActionResult.success({{"rows": box.rows}}, "ok")'
    text = head + "".join(f"    {line}\n" for line in body.splitlines())
    return [item.severity for item in lint("FED402", text)]


@pytest.mark.parametrize("kind", KEEPING)
@pytest.mark.parametrize("lines", [it for it in MENDED_ROWS if "first" not in it])
def test_rows_of_an_object_that_are_mended_are_silent(lint: Lint, kind: str, lines: str) -> None:
    """What an attribute holds may be mended through the attribute."""
    assert [] == _kept(lint, kind, lines.replace("rows", "box.rows"))


def test_rows_of_an_object_that_its_method_mends(lint: Lint) -> None:
    """Also where the object does so itself, in another function."""
    inside = '\n    def mend(self):\n        for r in self.rows:\n            r["at"] = "now"\n'
    assert [] == _kept(lint, "box", "box.mend()", inside)


@pytest.mark.parametrize("kind", ["box", "given", "by position"])
@pytest.mark.parametrize("lines", KEPT_ROWS)
def test_rows_of_an_object_that_stay_are_errors(lint: Lint, kind: str, lines: str) -> None:
    """Reading them, and changing other keys, mends nothing."""
    assert ["error"] == _kept(lint, kind, lines.replace("rows", "box.rows"))


REPORT = """
class Report:
    def __init__(self):
        self.told = {"at": dt.datetime.now()}

    def mended(self):
        %s
        return self.told
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ('self.told["at"] = "now"', []),
        ('self.told.pop("at")', []),
        ('self.told["n"] = 1', ["error"]),
        ('self.told["at"] = {1}', ["error"]),
    ],
)
def test_a_dict_of_an_object_that_its_method_mends(
    lint: Lint, change: str, expected: list[str]
) -> None:
    """Its own entries as well as what they hold."""
    head = HEAD.replace("import datetime as dt\n", f"import datetime as dt\n\n{REPORT % change}")
    text = f'{head}    return ActionResult.success(Report().mended(), "ok")\n'
    assert expected == [item.severity for item in lint("FED402", text)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("for key in ('at', 'n'):\n        setattr(row, key, 'now')", []),
        ("for key in ('at', 'n'):\n        setattr(other, key, 'now')", ["error"]),
        ("setattr(row, 'n', 'now')", ["error"]),
        ("vars(row)['at'] = 'now'", []),
        ("vars(row).update(at='now')", []),
        ("row.__dict__.update({'n': 1, 'at': 'now'})", []),
        ("vars(row).update(p)", []),
        ("vars(row)['n'] = 'now'", ["error"]),
        ("vars(other).update(p)", ["error"]),
        ("print(vars(row)['at'], row.__dict__.keys())", ["error"]),
    ],
)
def test_attributes_that_are_set_by_names(lint: Lint, change: str, expected: list[str]) -> None:
    """Any attribute of that object may be one of them."""
    kinds = "class Row:\n    def __init__(self, at):\n        self.at = at\n\n\nclass Other: ..."
    head = HEAD.replace("import datetime as dt\n", f"import datetime as dt\n\n\n{kinds}\n")
    body = f"    row, other = Row(dt.datetime.now()), Other()\n    {change}\n"
    text = f'{head}{body}    return ActionResult.success({{"at": row.at}}, "ok")\n'
    assert expected == [item.severity for item in lint("FED402", text)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ('State.last = "now"', []),
        ('def touch():\n    State.last = "now"\n\n\ntouch()', []),
        ("State.touch()", []),
        ('Other.first = "now"', ["error"]),
    ],
)
def test_an_attribute_of_a_class_that_is_set_later(
    lint: Lint, change: str, expected: list[str]
) -> None:
    """From outside, by a function, or by its own class method; another attribute tells nothing."""
    touch = '\n    @classmethod\n    def touch(cls):\n        cls.last = "now"\n'
    state = f"class State:\n    last = dt.datetime.now()\n{touch if '.touch()' in change else ''}"
    head = f"import datetime as dt\n\n\n{state}\n\nclass Other: ...\n\n\n{change}\n"
    text = HEAD.replace("import datetime as dt\n", head)
    text += '    return ActionResult.success({"at": State.last}, "ok")\n'
    assert expected == [item.severity for item in lint("FED402", text)]


@pytest.mark.parametrize(
    ("change", "expected"), [('state.LAST = "now"', []), ('state.OTHER = "now"', ["error"])]
)
def test_an_attribute_of_a_module_that_is_set_later(
    lint: Lint, change: str, expected: list[str]
) -> None:
    """Another file may give it to the module."""
    state = "import datetime as dt\n\nLAST = dt.datetime.now()\n"
    head = f"import datetime as dt\n\nimport state\n\n{change}\n"
    text = HEAD.replace("import datetime as dt\n", head)
    text += '    return ActionResult.success({"at": state.LAST}, "ok")\n'
    assert expected == [item.severity for item in lint("FED402", text, state__py=state)]
