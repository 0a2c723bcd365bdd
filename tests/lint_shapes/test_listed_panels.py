"""Lists of panels that code changes between writing them out and handing them over."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    'import conf\nimport more\nfrom conf import SHARED\n\nOWN = ["side", "gone"]\n\n\n'
    '@ext.panel("side")\nasync def side(ctx):\n    return None\n\n\n'
    'def trim(names):\n    names.remove("gone")\n\n\n'
    "def reset():\n    OWN.clear()\n\n\n"
    '@chat.function("f", "Saves")\nasync def f(ctx, p):\n    names = ["side", "gone"]\n'
)
CONF = (
    'SHARED = ["gone"]\nSHARED[0] = "side"\n\n\nclass Names:\n    KEPT: list = ["gone"]\n\n\n'
    'Names.KEPT.remove("gone")\n'
)
KEEPS = (
    'names.append("side")', 'names.insert(0, "side")', 'names.extend(["side"])', "names.sort()",
    'if "gone" in names:\n        print(len(names))', "for name in names:\n        print(name)",
    "first = names[0]", 'if p.x:\n        names.remove("gone")\n        return None',
    'others = ["gone"]\n    others.remove("gone")',
    "def show():\n        print(names[0])\n    show()",
    'def own():\n        names = ["gone"]\n        names.clear()\n    own()',
)  # fmt: skip
LOSES = (
    'names.remove("gone")', "names.pop()", "names.clear()", 'names[1] = "side"', "del names[1]",
    'names[1:] = ["side"]', 'if "gone" in names:\n        names.remove("gone")', "trim(names)",
    "trim(names=names)", "more.trim(names)", "names = names[:1]",
    'names = [name for name in names if name != "gone"]', "names = list(filter(p.may, names))",
    'def cut():\n        names.remove("gone")\n    cut()',
    'def cut():\n        names[:] = ["side"]\n    cut()',
    "names = OWN", "names = SHARED", "names = conf.Names.KEPT",
    "others = names\n    others.pop()", 'others = ["gone"]\n    names = others\n    others.pop()',
    'others = names = ["gone"]\n    others.clear()',
)  # fmt: skip


def _lint(lint: Lint, body: str, end: str) -> list[str]:
    found = lint("FED503", f"{HEAD}    {body}\n{end}", conf__py=CONF, more__py="trim = None\n")
    return [f"{item.severity} {item.message[:51]}" for item in found]


DONE = '    return ActionResult.success({"id": 1}, "s", refresh_panels=names)\n'
SAID = "error no panel of this extension is called 'gone': nothin"


@pytest.mark.parametrize("change", KEEPS)
def test_a_list_that_loses_nothing(lint: Lint, change: str) -> None:
    """What is only read or grows still holds the unknown panel."""
    assert [SAID] == _lint(lint, change, DONE)


@pytest.mark.parametrize("change", LOSES)
def test_a_list_that_may_lose_a_name(lint: Lint, change: str) -> None:
    """What takes names out may have taken the unknown panel out."""
    assert [] == _lint(lint, change, DONE)


@pytest.mark.parametrize(
    "change", ['names.append("gone")', 'names.extend(("gone",))', 'names.insert(0, "gone")']
)
def test_a_name_that_is_added(lint: Lint, change: str) -> None:
    """An unknown panel that joins the list is found where it does."""
    known = 'names = ["side"]\n    '
    assert [SAID] == _lint(lint, known + change, DONE)
    assert [] == _lint(lint, known + change.replace("gone", "side"), DONE)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("print(r.refresh_panels)", [SAID]),
        ('r.refresh_panels = ["side"]', []),
        ('r.refresh_panels = ["side", "gone"]', [SAID]),
        ('r.refresh_panels = ["gone"]\n    r.refresh_panels = ["side"]', []),
        ('other.refresh_panels = ["gone"]', []),
        ('r.refresh_panels.remove("gone")', []),
        ('r.refresh_panels[1] = "side"', []),
    ],
)
def test_panels_of_a_result_that_is_made(lint: Lint, after: str, expected: list[str]) -> None:
    """Who gives a result other panels afterwards refreshes those."""
    end = (
        '    r = ActionResult.success({"id": 1}, "s", refresh_panels=names)\n'
        f"    {after}\n    return r\n"
    )
    assert expected == _lint(lint, "pass", end)


GROWING = """
def grow(names):
    names.append("gone")


NAMES = ["side"]
{0}
for name in NAMES:
    ext.panel(name)(print)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({{"id": 1}}, "s", refresh_panels=["gone"])
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("print(NAMES)", [SAID]),
        ('OTHERS = ["gone"]\nOTHERS.append("gone")', [SAID]),
        ('NAMES.append("gone")', []),
        ('NAMES += ["gone"]', []),
        ('OTHERS = NAMES\nOTHERS.append("gone")', []),
        ("grow(NAMES)", []),
    ],
)
def test_a_loop_over_a_list_that_grows(lint: Lint, change: str, expected: list[str]) -> None:
    """It registers more panels than the list has where it is written out."""
    found = lint("FED503", GROWING.format(change))
    assert expected == [f"{item.severity} {item.message[:51]}" for item in found]
