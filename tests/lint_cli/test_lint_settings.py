"""``[tool.fedcheck.lint]`` and ``[lint]`` of ``fedcheck.toml``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.conformance.settings.configuration import Settings as SuiteSettings
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.near_names import closest
from fedcheck.invariants.vocabulary.toml_file import read_toml
from fedcheck.lint.commands.lint import command
from fedcheck.lint.inference.syntax.parsing import parse
from fedcheck.lint.settings.files import LINT_ONLY
from fedcheck.lint.settings.model import Settings, find_settings, matches


def found(lint, *words: str) -> set[str]:
    """Return path and code of what is left."""
    return {f"{f['path']} {f['code']}" for f in json.loads(lint("--format", "json", *words).out)}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two folders with a finding each."""
    for name in ("main.py", "legacy/old.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("bad(1)\ngood()\n")
    return tmp_path


@pytest.mark.parametrize("file", ["pyproject.toml", "fedcheck.toml"])
def test_settings_are_found_and_the_command_line_wins(lint, tree: Path, file: str) -> None:
    """In the linted folder or above, also when called from elsewhere."""
    table = "tool.fedcheck.lint" if file == "pyproject.toml" else "lint"
    (tree / file).write_text(f'[{table}]\nselect = ["FED902"]\nfail-on = "error"\n')

    assert {"main.py FED902", "legacy/old.py FED902"} == found(lint)
    assert 0 == lint().code
    assert 1 == lint("--fail-on", "warning").code
    assert {"legacy/old.py FED902"} == found(lint, "legacy")
    assert {"legacy/old.py FED901"} == found(lint, "legacy", "--select", "FED901")
    assert {"legacy/old.py FED902", "legacy/old.py FED901"} == found(lint, "legacy", "--isolated")


def test_fedcheck_toml_wins_and_a_file_without_the_table_is_passed_over(tree: Path) -> None:
    """The nearest file that says something about lint counts."""
    (tree / "pyproject.toml").write_text('[tool.fedcheck.lint]\nselect = ["A"]\n')
    assert ("A",) == find_settings([tree / "legacy"]).select

    (tree / "fedcheck.toml").write_text('[run]\nkernel = "reference"\n')
    assert ("A",) == find_settings([tree / "legacy"]).select

    (tree / "fedcheck.toml").write_text('[lint]\nselect = ["B"]\n')
    assert ("B",) == find_settings([tree / "legacy" / "old.py"]).select


def test_settings_above_the_repository_do_not_count(tree: Path) -> None:
    """What lies above ``.git`` belongs to somebody else."""
    (tree / "fedcheck.toml").write_text('[lint]\nselect = ["B"]\n')
    (tree / "legacy" / ".git").mkdir()

    assert () == find_settings([tree / "legacy"]).select


def test_per_file_ignores_suppress_and_excludes_leave_out(lint, tree: Path) -> None:
    """A per-file ignore is still to be seen, in SARIF for example; an excluded file is not."""
    (tree / "fedcheck.toml").write_text('[lint.per-file-ignores]\n"legacy/*" = ["FED901"]\n')
    assert {"main.py FED901", "main.py FED902", "legacy/old.py FED902"} == found(lint)
    shown = json.loads(lint("--format", "json", "--show-suppressed").out)
    assert ["per-file-ignores of legacy/*"] == [
        x["justification"] for x in shown if x["suppressed"] == "config"
    ]

    (tree / "fedcheck.toml").write_text('[lint]\nexclude = ["legacy"]\n')
    assert {"main.py FED901", "main.py FED902"} == found(lint, "--show-suppressed")


_HELPER = "async def load(ctx):\n    return await ctx.skeleton.get('a')\n"
_ENTRY = (
    "from imperal_sdk import Extension\nfrom {0} import load\n\n"
    'ext = Extension("n", capabilities=["n:read"])\n\n\n'
    '@ext.panel("p")\nasync def p(ctx):\n    return await load(ctx)\n'
)


@pytest.mark.parametrize("left_out", ["main.py", "part/helper.py"])
def test_excluded_files_are_not_linted_and_still_lead_somewhere(
    tmp_path: Path, left_out: str
) -> None:
    """A helper is judged by its caller in an excluded file; a finding in one is not reported."""
    (tmp_path / "part").mkdir()
    (tmp_path / "main.py").write_text(_ENTRY.format("part.helper"))
    (tmp_path / "part" / "helper.py").write_text(_HELPER)
    (tmp_path / "part" / "old.py").write_text("print 'python 2'\nctx.skeleton_data\n")
    (tmp_path / "fedcheck.toml").write_text(f'[lint]\nexclude = ["{left_out}", "part/old.py"]\n')
    result = CliRunner().invoke(
        command, [str(tmp_path), "--format", "json", "--all-files", "--no-cache"]
    )

    codes = {finding["code"] for finding in json.loads(result.stdout)}
    assert ("FED201" in codes, "") == (left_out == "main.py", result.stderr)


def test_excluded_files_are_not_parsed(tmp_path: Path, monkeypatch) -> None:
    """Unless something that is linted leads there."""
    (tmp_path / "main.py").write_text(_ENTRY.format("helper"))
    (tmp_path / "helper.py").write_text(_HELPER)
    (tmp_path / "apart.py").write_text(_HELPER.replace("load", "other"))
    parsed: list[str] = []
    monkeypatch.setattr(
        "fedcheck.lint.inference.syntax.names.parse",
        lambda source: parsed.append(source.path.name) or parse(source),
    )
    for exclude, expected in (([], True), (["apart.py"], False)):
        parsed.clear()
        (tmp_path / "fedcheck.toml").write_text(f"[lint]\nexclude = {exclude}\n")
        CliRunner().invoke(
            command, [str(tmp_path), "--all-files", "--no-cache", "--select", "FED201"]
        )
        assert expected == ("apart.py" in parsed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[lint]\nselct = ["FED901"]', "no setting 'selct'; did you mean 'select'?"),
        ("[lint]\ncolour = 1", "there are: select"),
        ('[lint]\nselect = "FED901"', "lint.select: expected a list of texts, got 'FED901'"),
        ("[lint]\nselect = [1]", "expected a list of texts"),
        ('[lint]\nselect = ["FED990"]', "lint.select: there is no lint rule 'FED990'"),
        ('[lint]\nignore = ["FED405"]', "lint.ignore: FED405 (sensitive-literal) was retired in"),
        ('[lint]\nignore = ["FED990"]', "lint.ignore: there is no lint rule 'FED990'"),
        ('[lint]\nselect = ["fed90"]', "'fed90'; did you mean FED90?"),
        ('[lint]\nselect = ["fed901"]', "'fed901'; did you mean FED901?"),
        ('[lint]\nselect = ["FED8"]', "'FED8'; `fedcheck rule list` shows all"),
        ("lint = 5", "lint: expected a table, got 5"),
        ('[tool.fedcheck.lint]\nselect = ["FED901"]', "write [lint] here"),
        ('[per-file-ignores]\n"x" = ["FED901"]', "per-file-ignores is of the linter; write it in"),
        ('exclude = ["x"]\n[lint]\n', "exclude is of the linter; write it in [lint]"),
        ('[lint]\nfail-on = "often"', "expected one of error, warning, info, never"),
        ("[lint]\nall-files = 1", "expected true or false"),
        ("[lint]\nbaseline-days = 0", "expected a whole number of days"),
        ("[lint]\nbaseline = 1", "expected a text"),
        ('[lint]\nbaseline = "../x.json"', "lint.baseline leads out of"),
        ('[lint]\nbaseline = "/etc/x.json"', "lint.baseline leads out of"),
        ('[lint]\ntarget-sdk = "old"', "lint.target-sdk: 'old' is no version"),
        ("[lint]\nper-file-ignores = []", "expected a table"),
        ('[lint.per-file-ignores]\n"x" = "FED901"', "expected a list of texts"),
        ('[lint.per-file-ignores]\n"*" = ["FED99"]', "there is no lint rule 'FED99'"),
        ("[lint\n", "(at line 1, column 6)"),
        ("x = 1\n[lint]\nselect = [\n", "at "),
    ],
)
def test_wrong_settings_are_named(lint, tree: Path, text: str, message: str) -> None:
    """With the file, the key, what was expected and what was probably meant."""
    (tree / "fedcheck.toml").write_text(text)

    done = lint()

    assert 2 == done.code
    assert message in done.err
    assert "fedcheck.toml" in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool]\nfedcheck = 3", "tool.fedcheck: expected a table, got 3"),
        ("[tool.fedcheck]\nlint = 3", "tool.fedcheck.lint: expected a table, got 3"),
        (
            "[tool.fedcheck]\nall-files = true",
            "all-files is of the linter; write it in [tool.fedcheck.lint]",
        ),
    ],
)
def test_settings_that_are_no_table_are_named(lint, tree: Path, text: str, message: str) -> None:
    """They were meant for us, and would be passed over in silence otherwise."""
    (tree / "pyproject.toml").write_text(text)

    done = lint()

    assert 2 == done.code
    assert f"pyproject.toml: {message}" in done.err


def test_what_the_suite_takes_too_is_not_refused(lint, tree: Path) -> None:
    """Its keys stand beside the linter's table; all others of the linter are known."""
    (tree / "fedcheck.toml").write_text('ignore = ["I-CACHE-*"]\nprofile = "gate"\n')

    assert 1 == lint().code
    suite = {name.replace("_", "-") for name in SuiteSettings.__struct_fields__}
    (tree / "fedcheck.toml").write_text("[lint]\ncolour = 1\n")
    known = lint().err.partition("there are: ")[2].strip().split(", ")
    assert set(known) - suite == LINT_ONLY


def test_a_table_of_others_is_theirs(lint, tree: Path) -> None:
    """A ``tool`` that is no table is for whoever owns the file to mend."""
    (tree / "pyproject.toml").write_text("tool = 3")

    assert 2 != lint().code


def test_a_toml_file_that_is_no_text_names_the_line(tmp_path: Path) -> None:
    """Neither a traceback nor a guess."""
    (tmp_path / "x.toml").write_bytes(b"a = 1\nb = '\xff'\n")

    with pytest.raises(UsageError, match=r"x\.toml, line 2: not UTF-8"):
        read_toml(tmp_path / "x.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_toml(tmp_path / "y.toml")
    assert ("select", "") == (closest("selct", ["ignore", "select"]), closest("x", ["select"]))


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("legacy/old.py", "legacy", True),
        ("legacy/old.py", "legacy/", True),
        ("legacy/old.py", "./legacy/*", True),
        ("a/legacy/old.py", "legacy", True),
        ("a/legacy/old.py", "legacy/*", False),
        ("a/legacy/old.py", "*/legacy/*", True),
        ("old.py", "*.py", True),
        ("a/b/old.py", "old.py", True),
        ("old.pyi", "*.py", False),
        ("legacy2/old.py", "legacy", False),
        ("legacy/old.py", "**/legacy/*", True),
        ("a/b/legacy/old.py", "**/legacy/*", True),
        ("old.py", "**/old.py", True),
        ("a/c.py", "a/**/c.py", True),
        ("a/b/c.py", "a/**/c.py", True),
        ("ab/c.py", "a**/c.py", True),
        ("legacy2/old.py", "**/legacy/*", False),
    ],
)
def test_globs(path: str, glob: str, expected: bool) -> None:
    """With a slash they count from the settings' folder, else at any depth."""
    assert expected == matches(path, glob)


def test_the_defaults() -> None:
    """Warnings fail, nothing is left out."""
    assert ("warning", 180, ()) == (Settings().fail_on, Settings().baseline_days, Settings().ignore)


@pytest.mark.parametrize(
    ("settings", "words", "said"),
    [
        ('exclude = ["*"]', (), "leave out every file"),
        ('per-file-ignores = { "*" = ["ALL"] }', (), "leave out every file"),
        ('exclude = ["legacy"]\nper-file-ignores = { "main.py" = ["ALL"] }', (), "every file"),
        ('ignore = ["ALL"]', (), "no rule is on"),
        ('select = ["FED902"]', ("--ignore", "FED902"), "no rule is on"),
        ('exclude = ["legacy"]', (), ""),
        ('per-file-ignores = { "*" = ["FED902"] }', (), ""),
    ],
)
def test_settings_that_leave_nothing_are_said_aloud(
    lint, tree: Path, settings: str, words: tuple[str, ...], said: str
) -> None:
    """'No findings' would be taken for a verdict; it is said again when the run is replayed."""
    (tree / "fedcheck.toml").write_text(f"[lint]\n{settings}\n")

    for _ in range(2):
        told = lint(*words).err
        assert (bool(said), True) == ("nothing was judged" in told, said in told)
