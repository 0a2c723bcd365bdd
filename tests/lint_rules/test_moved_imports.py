"""What the fix of FED501 makes of a file: each import once at the top, and nothing else changed."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.engine.fixes.fixing import Fixer
from fedcheck.lint.engine.run import Linter
from fedcheck.lint.rules import own_rules
from fedcheck.lint.settings.model import Settings

HEAD = """\
from imperal_sdk import Extension
{0}

ext = Extension("n")


"""
PANEL = '@ext.panel("p")\nasync def p(ctx):\n'
Mend = Callable[..., str]


@pytest.fixture
def mend(tmp_path: Path) -> Mend:
    """Return a function: text of main.py → the text that ``--fix --unsafe-fixes`` leaves."""
    (tmp_path / "models.py").write_text("class Idea: ...\nclass Plan: ...\n", "utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("", "utf-8")
    (tmp_path / "parts" / "one.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "loop.py").write_text("import main\n\nx = 1\n", "utf-8")

    def run(text: str, *, mendable: bool = True) -> str:
        file = tmp_path / "main.py"
        file.write_text(text, "utf-8")
        rules, on = own_rules(), frozenset({"FED501"})
        linter = Linter([tmp_path], Settings(root=str(tmp_path)), rules, on, wanted="6.3.7")
        outcome = linter.lint()
        own = [it for it in outcome.findings if it.path.endswith("main.py")]
        assert {mendable} == {it.fix is not None for it in own}
        changes = Fixer(linter, unsafe=True).fix(outcome).changes
        fixed = next((change.after.decode() for change in changes.values()), text)
        ast.parse(fixed)
        file.write_text(fixed, "utf-8")
        assert {} == Fixer(linter, unsafe=True).fix(linter.lint()).changes
        return fixed

    return run


def _file(top: str, body: str) -> str:
    return HEAD.format(top) + PANEL + textwrap.indent(body, "    ")


@pytest.mark.parametrize(
    ("top", "body", "new_top", "new_body"),
    [
        ("import os", "from models import Idea\nIdea()\n", "import os\n+", "Idea()\n"),
        (
            "from models import (\n    Idea,\n    Plan,\n)",
            "from models import Idea\nIdea()\n",
            "from models import (\n    Idea,\n    Plan,\n)",
            "Idea()\n",
        ),
        ("import models", "import models\n\nmodels.Idea()\n", "import models", "models.Idea()\n"),
        (
            "from models import Idea",
            "from models import Idea, Plan\nIdea(Plan)\n",
            "from models import Idea\nfrom models import Plan",
            "Idea(Plan)\n",
        ),
        (
            "from models import Idea",
            "from models import Idea as I\nI()\n",
            "from models import Idea\nfrom models import Idea as I",
            "I()\n",
        ),
        (
            "import os",
            "try:\n    import models as m\n\n    m.Idea()\nexcept Exception:\n    pass\n",
            "import os\nimport models as m",
            "try:\n    m.Idea()\nexcept Exception:\n    pass\n",
        ),
        (
            "import os",
            "if ctx:\n    from models import Idea\n    Idea()\nfrom models import Idea\nIdea(1)\n",
            "import os\nfrom models import Idea",
            "if ctx:\n    Idea()\nIdea(1)\n",
        ),
        (
            "import os",
            "x = 1\n\nfrom models import Idea\n\nIdea()\n",
            "import os\nfrom models import Idea",
            "x = 1\n\nIdea()\n",
        ),
        (
            "import os",
            "if ctx:\n    x = 1\n\n    from models import Idea\n\nreturn Idea\n",
            "import os\nfrom models import Idea",
            "if ctx:\n    x = 1\n\nreturn Idea\n",
        ),
        (
            "import parts",
            "import parts.one\nparts.one.x\n",
            "import parts\nimport parts.one",
            "parts.one.x\n",
        ),
        (
            "import loop",
            "import loop\nloop.x\n",
            "import loop",
            "loop.x\n",
        ),
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from models import Idea",
            "from models import Idea\nIdea()\n",
            "from typing import TYPE_CHECKING\n+\nif TYPE_CHECKING:\n    from models import Idea",
            "Idea()\n",
        ),
    ],
)
def test_an_import_is_moved_or_left_out(
    mend: Mend, top: str, body: str, new_top: str, new_body: str
) -> None:
    """What the top has is only left out, what it lacks is written there; no line is left blank."""
    wanted = _file(new_top.replace("+", "from models import Idea"), new_body)
    assert wanted == mend(_file(top, body))


def test_several_functions_share_one_import(mend: Mend) -> None:
    """Each name is imported once, in one place, though other imports stand further down."""
    local = '@ext.panel("{0}")\nasync def {0}(ctx):\n{1}    return Idea()\n\n\n'
    line = "    from models import Idea\n"
    text = HEAD.format("") + local.format("a", line) + "import os\n\n\n" + local.format("b", line)
    new = HEAD.format("").replace("\n\n", "\nfrom models import Idea\n\n", 1)
    assert new + local.format("a", "") + "import os\n\n\n" + local.format("b", "") == mend(text)


@pytest.mark.parametrize(
    ("top", "body"),
    [
        ("Idea = None", "from models import Idea\nIdea()\n"),
        ("from dataclasses import field as Idea", "from models import Idea\nIdea()\n"),
        ("import os\nPLANS = list(map(open, ()))", "from models import Idea as open\nopen()\n"),
        ("", "from models import Idea\nif ctx:\n    Idea = None\nreturn Idea\n"),
        ("", "if ctx:\n    from models import Idea\nelse:\n    Idea = 1\nreturn Idea\n"),
        (
            "",
            "if ctx:\n    from models import Idea\n    Idea()\nif 1:\n    from models import Idea",
        ),
        ("", "if ctx:\n    from models import Idea\nreturn Idea\n"),
        ("", "def q():\n    from models import Idea\n    return Idea\nIdea = 2\nreturn q\n"),
        ("", "global Idea\nfrom models import Idea\nIdea()\n"),
        ("", "import loop\nloop.x\n"),
        ("", "import loop; loop.x\nreturn 1\n"),
        ("", "from models import Idea  # late\nIdea()\n"),
        ("", "from models import (\n    Idea,\n)\nIdea()\n"),
        (
            "",
            "try:\n    from models import Idea\n    Idea()\nexcept ImportError:\n    return 1\n",
        ),
        ("", "class A:\n    from models import Idea\n    x = Idea()\nreturn A\n"),
    ],
)
def test_a_file_is_left_alone_where_more_would_change(mend: Mend, top: str, body: str) -> None:
    """The name means something else at the top or in the function, or the line is not alone."""
    text = _file(top, body)
    assert text == mend(text, mendable=False)


@pytest.mark.parametrize(
    ("imported", "module", "is_there"),
    [
        ("Idea", "class Idea: ...\n", True),
        ("Idee", "class Idea: ...\n", False),
        ("Idea, Idee", "class Idea: ...\n", False),
        ("Idee", "from parts import *\n", True),
        ("Idee", "def __getattr__(name):\n    return name\n", True),
        ("Idee", "globals().update(found())\n", True),
        ("Idee", "def later():\n    global Idee\n    Idee = 1\n", True),
        ("*", "class Idea: ...\n", True),
    ],
)
def test_what_is_not_there_is_not_moved(
    tmp_path: Path, imported: str, module: str, is_there: bool
) -> None:
    """At the top its ImportError would end the whole extension."""
    (tmp_path / "parts.py").write_text(module, "utf-8")
    line = f"from parts import {imported}"
    body = f"try:\n    {line}\nexcept Exception:\n    return 1"
    (tmp_path / "main.py").write_text(_file("", body), "utf-8")
    on = frozenset({"FED501"})
    (found,) = Linter([tmp_path], Settings(), own_rules(), on, wanted="6.3.7").lint().findings
    assert (f"Move it to the top of the file: {line}." in found.text) == is_there
    assert ("parts has no Idee, so that the line raises ImportError" in found.text) != is_there
    assert is_there or found.fix is None
