"""What comes of an import or a constructor that raises when the extension is loaded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

CODES = "FED112 FED114"
HEAD = "import importlib\nimport importlib.util\nimport os\nfrom typing import TYPE_CHECKING\n\n"
HEAD += "import imperal_sdk\nfrom imperal_sdk import Extension\n\next = Extension('notes')\n"
BAD_IMPORT = "from imperal_sdk import secret\n"
BAD_CALL = "other = Extension('two', title='T')\n"
FAILS = "so the whole extension fails to load"
CAUGHT = "which the code that imports this file catches"
WHERE = {
    "if os.environ.get('OLD'):\n    {}": "warning",
    "while os.environ.get('OLD'):\n    {}    break\n": "warning",
    "for _ in os.environ:\n    {}": "warning",
    "match os.environ:\n    case {{}}:\n        {}": "warning",
    "try:\n    import json5\nexcept ImportError:\n    {}": "warning",
    "if False:\n    {}": "info",
    "OLD = False\nif OLD and os.environ:\n    {}": "info",
    "if not True:\n    {}": "info",
    "try:\n    from imperal_sdk.chat import TaskCancelled\nexcept ImportError:\n    {}": "info",
    "try:\n    {}except:\n    pass\n": "info",
    "try:\n    {}except BaseException as error:\n    print(error)\n": "info",
    "{}": "error",
    "if True:\n    {}": "error",
    "if not TYPE_CHECKING:\n    {}": "error",
    "for _ in (1, 2):\n    {}": "error",
    "try:\n    {}except KeyError:\n    pass\n": "error",
    "try:\n    from imperal_sdk import nothing\nexcept ImportError:\n    {}": "error",
    "class Holder:\n    {}": "error",
}
"""Place in a file → severity of what raises there."""


@pytest.mark.parametrize("bad", [BAD_IMPORT, BAD_CALL])
@pytest.mark.parametrize("place", WHERE)
def test_severity_follows_certainty(lint: Lint, place: str, bad: str) -> None:
    """Only what certainly ends the loading says so."""
    line = bad.replace("secret", "secret as it").strip()
    found = lint(CODES, HEAD + place.format(line + "\n"))
    own = [item for item in found if "nothing" not in item.message]
    assert [WHERE[place]] == [item.severity for item in own]
    assert [WHERE[place] == "error"] == [FAILS in item.message for item in own]


@pytest.mark.parametrize(
    ("test", "branch", "severities"),
    [
        ("TYPE_CHECKING", "if", []),
        ("TYPE_CHECKING", "else", ["error"]),
        ("not TYPE_CHECKING", "if", ["error"]),
        ("not TYPE_CHECKING", "else", []),
    ],
)
def test_an_import_for_types_is_left_alone(
    lint: Lint, test: str, branch: str, severities: list[str]
) -> None:
    """What stands in the other branch runs."""
    parts = (BAD_IMPORT, "pass") if branch == "if" else ("pass\n", BAD_IMPORT)
    text = f"{HEAD}if {test}:\n    {parts[0]}else:\n    {parts[1]}"
    assert severities == [item.severity for item in lint("FED114", text)]


def test_a_handler_that_raises_hands_it_on(lint: Lint) -> None:
    """A constructor whose error is raised again ends the loading."""
    text = f"{HEAD}try:\n    {BAD_CALL}except Exception:\n    print(1)\n    "
    caught, raised = (lint(CODES, text + end) for end in ("other = ext\n", "raise\n"))
    assert ["info"] == [item.severity for item in caught]
    assert ["error"] == [item.severity for item in raised]


@pytest.mark.parametrize("bad", [BAD_IMPORT, BAD_CALL])
def test_a_function_does_not_run_while_loading(lint: Lint, bad: str) -> None:
    """The error comes when it is called."""
    (found,) = lint(CODES, f"{HEAD}\n\ndef later():\n    {bad}    return 1\n")
    assert "error" == found.severity
    assert (False, True) == (FAILS in found.message, "when the function runs" in found.message)


IMPORTED = {
    "import extra\n": ("error", FAILS),
    "if True:\n    import extra\n": ("error", FAILS),
    "try:\n    import extra\nexcept Exception:\n    extra = None\n": ("info", CAUGHT),
    "try:\n    from extra import x\nexcept:\n    x = None\n": ("info", CAUGHT),
    "try:\n    import extra\nexcept Exception:\n    raise\n": ("error", FAILS),
    "try:\n    import extra\nexcept Exception:\n    pass\nimport extra\n": ("error", FAILS),
    "for m in ('extra',):\n    try:\n        importlib.import_module(m)\n"
    "    except Exception:\n        pass\n": ("info", CAUGHT),
    "def later():\n    import extra\n": ("error", "when a function imports this file"),
    "if os.environ.get('X'):\n    import extra\n": ("warning", "where a condition lets this file"),
    "try:\n    import between\nexcept Exception:\n    pass\n": ("info", CAUGHT),
    "import between\n": ("error", FAILS),
}
"""How the entry imports a file → what is said of an import in it that fails."""


@pytest.mark.parametrize("bad", [BAD_IMPORT, BAD_CALL])
@pytest.mark.parametrize("how", IMPORTED)
def test_the_way_to_a_file_counts(lint: Lint, how: str, bad: str) -> None:
    """What its importers catch does not end the loading."""
    extra = f"from imperal_sdk import Extension\n\n{bad}"
    files = {"extra__py": extra, "between__py": "import extra\n"}
    (found,) = lint(CODES, HEAD + how, **files)
    severity, words = IMPORTED[how]
    assert (severity, True) == (found.severity, words in found.message)


def test_a_condition_in_a_file_whose_import_is_caught(lint: Lint) -> None:
    """The importer catches it, whenever it comes."""
    extra = f"import os\n\nif os.environ.get('X'):\n    {BAD_IMPORT}"
    ways = ("import extra\n", "try:\n    import extra\nexcept ImportError:\n    pass\n")
    severities = [
        item.severity for how in ways for item in lint(CODES, HEAD + how, extra__py=extra)
    ]
    assert ["warning", "info"] == severities


def test_import_error_is_not_type_error(lint: Lint) -> None:
    """``except ImportError`` around an import catches nothing that a constructor raises."""
    how = "try:\n    import extra\nexcept ImportError:\n    extra = None\n"
    head = "from imperal_sdk import Extension\n\n"
    assert ["info"] == [it.severity for it in lint(CODES, HEAD + how, extra__py=head + BAD_IMPORT)]
    assert ["error"] == [it.severity for it in lint(CODES, HEAD + how, extra__py=head + BAD_CALL)]


ASKED = {
    'if importlib.util.find_spec("imperal_sdk.tools"):\n    {}': "info",
    'if importlib.util.find_spec("imperal_sdk.tools") is not None:\n    {}': "info",
    'if importlib.util.find_spec("imperal_sdk.chat"):\n    {}': "warning",
    'if not importlib.util.find_spec("imperal_sdk.tools"):\n    {}': "warning",
    'HAS = hasattr(imperal_sdk, "tools")\nif HAS:\n    {}': "info",
    'tools = getattr(imperal_sdk, "tools", None)\nif tools is not None:\n    {}': "info",
    'tools = getattr(imperal_sdk, "ui", None)\nif tools is not None:\n    {}': "warning",
}
"""Question → severity of an import of ``imperal_sdk.tools`` behind it."""


@pytest.mark.parametrize("question", ASKED)
def test_a_question_for_the_module_guards_its_import(lint: Lint, question: str) -> None:
    """Only one for that very module does."""
    line = "from imperal_sdk.tools import ToolsClient\n"
    assert [ASKED[question]] == [
        item.severity for item in lint("FED114", HEAD + question.format(line))
    ]
