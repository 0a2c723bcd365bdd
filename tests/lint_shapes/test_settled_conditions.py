"""Code behind conditions whose outcome is always the same: constants, ``TYPE_CHECKING``."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "import os\nfrom datetime import datetime\nfrom typing import TYPE_CHECKING\n"
    "from conf import LIVE, TURNED\n\nOFF = False\nON = True\nOPEN = bool(input())\n"
    "SET = os.environ.get('SET', False)\nREADY = False\n"
    "try:\n    import redis\n    HAS = True\nexcept ImportError:\n    HAS = False\n\n\n"
    "def boot():\n    global READY\n    READY = True\n\n\n"
    "def when(p):\n    if {test}:\n        return datetime.now()\n    return 'x'\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p):\n    row = {{"id": 1}}\n'
)
CONF = "LIVE = False\nTURNED = False\n\n\ndef turn():\n    global TURNED\n    TURNED = True\n"
NEVER = (
    "False", "0", "''", "None", "not True", "OFF", "not ON", "LIVE", "OFF and p", "TYPE_CHECKING",
    "OFF or LIVE", "not (ON or p)",
)  # fmt: skip
ALWAYS = ("True", "1", "ON", "not OFF", "ON or p", "not LIVE")
SOMETIMES = ("p", "OFF or p", "ON and p", "TURNED", "OPEN", "SET", "not p", "f.OFF", "READY", "HAS")
WAYS = (
    "    if {test}:\n        row['at'] = datetime.now()\n    data = row\n",
    "    if {test}:\n        row.update(at=datetime.now())\n    data = row\n",
    "    at = 'x'\n    if {test}:\n        at = datetime.now()\n    data = {{'at': at}}\n",
    "    at = datetime.now()\n    if not ({test}):\n        at = 'x'\n    data = {{'at': at}}\n",
    (
        "    if {test}:\n        at = datetime.now()\n    else:\n        at = 'x'\n"
        "    data = {{'at': at}}\n"
    ),
    "    data = {{'at': datetime.now() if {test} else 'x'}}\n",
    "    data = {{'at': 'x' if not ({test}) else datetime.now()}}\n",
    "    data = {{'at': when(p)}}\n",
    "    out = []\n    if {test}:\n        out.append(datetime.now())\n    data = {{'at': out}}\n",
    (
        "    if not ({test}):\n        return ActionResult.success(row, 's')\n"
        "    data = {{'at': datetime.now()}}\n"
    ),
)


def _severities(lint: Lint, way: str, test: str) -> list[str]:
    text = f"{HEAD}{way}    return ActionResult.success(data, 's')\n".format(test=test)
    return [item.severity for item in lint("FED402", text, conf__py=CONF)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("test", NEVER)
def test_what_never_runs(lint: Lint, way: str, test: str) -> None:
    """Nothing is said of what no run reaches."""
    assert [] == _severities(lint, way, test)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("test", ALWAYS)
def test_what_always_runs(lint: Lint, way: str, test: str) -> None:
    """What each run reaches is an error."""
    assert ["error"] == _severities(lint, way, test)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("test", SOMETIMES)
def test_what_may_run(lint: Lint, way: str, test: str) -> None:
    """Where the outcome is not known, or another file changes it, the breach is found."""
    assert 1 == len(_severities(lint, way, test))


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("return ActionResult.success(row, 's')", []),
        ("for _ in 'ab':\n            break", []),
        ("row.clear()", []),
        ("break", ["error"]),
        ("for _ in 'ab':\n            row.clear()\n        else:\n            break", ["error"]),
    ],
)
def test_what_stands_behind_an_endless_loop(lint: Lint, inner: str, expected: list[str]) -> None:
    """Only ``break`` leads there, and one of the loop itself."""
    way = f"    while True:\n        {inner}\n    data = {{{{'at': datetime.now()}}}}\n"
    assert expected == _severities(lint, way, "True")


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("FED101", "ctx.fact_ledger"),
        ("FED104", "ctx.skeleton._client"),
        ("FED109", "ctx.store.count('n')"),
        ("FED111", "(await ctx.store.query('n'))['x']"),
        ("FED201", "await ctx.skeleton.get('n')"),
        ("FED301", "await ctx.cache.delete('a b')"),
        ("FED503", "return ActionResult.success({}, 'x', refresh_panels=['gone'])"),
        ("FED509", "await ctx.secrets.get('k')"),
    ],
)
@pytest.mark.parametrize(
    ("given", "never"), [("False", True), ("bool(input())", False), ("not True", True)]
)
def test_what_never_runs_is_an_info(
    lint: Lint, code: str, line: str, given: str, *, never: bool
) -> None:
    """Behind a constant that nobody changes no rule tells an error or a warning."""
    text = (
        f'LEGACY = {given}\n\n\n@ext.tool("t")\nasync def t(ctx):\n    if LEGACY:\n        {line}\n'
    )
    found = lint(code, text)
    assert [never] == [it.severity == "info" for it in found]
    assert never == found[0].message.endswith("never runs.")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('globals()["OFF"] = True', 1),
        ("globals().update(OFF=True)", 1),
        ('setattr(conf, "OFF", True)', 1),
        ('print(globals()["OFF"])', 0),
        ('setattr(conf, "ON", True)', 0),
    ],
)
def test_a_constant_that_is_set_by_its_name(lint: Lint, line: str, expected: int) -> None:
    """What ``globals()`` and ``setattr`` change is no constant."""
    head = HEAD.format(test="OFF").replace("OFF = False", f"OFF = False\n{line}", 1)
    text = f"{head}    return ActionResult.success({{'at': when(p)}}, 's')\n"
    assert expected == len(lint("FED402", text, conf__py=CONF))
