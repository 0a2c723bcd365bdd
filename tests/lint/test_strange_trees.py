"""A stranger's tree may hold what never ends, what cannot be listed and what is broken."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path

import libcst
import pytest

from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.engine.findings import _normalised
from fedcheck.lint.files.quiet import Quiet, quiet_files
from fedcheck.lint.sdk.releases import versions
from fedcheck.lint.sdk.targets import target_of

Check = Callable[..., CheckResult]

BREACH = (
    "from imperal_sdk import Extension\n"
    "ext = Extension('notes', capabilities=['a:b'], display_name='Notes', icon='icon.svg', "
    "description='Keeps the notes of the user and finds them again')\n"
    "@ext.panel('p')\nasync def p(ctx):\n    return ctx.skeleton_data\n"
)
NEWEST = Target(sdk=versions()[-1])


def codes(result: CheckResult) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in result.findings]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["x.py", "app.py", "imperal.json", "requirements.txt"])
def test_a_pipe_is_not_waited_for(check_files: Check, tmp_path: Path, name: str) -> None:
    """Nobody may ever write into it."""
    os.mkfifo(tmp_path / name)
    result = check_files({"main.py": BREACH})
    assert ["FED103"] == codes(result)
    assert name.endswith(".py") == any(f"{name}: it cannot be read" in it for it in result.notes)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs devices")
def test_a_link_to_a_device_is_not_read(check_files: Check, tmp_path: Path) -> None:
    """It has no end."""
    (tmp_path / "x.py").symlink_to("/dev/zero")
    result = check_files({"main.py": BREACH})
    assert ["FED103"] == codes(result)
    assert any("x.py: it cannot be read" in it for it in result.notes)


@pytest.mark.parametrize("name", ["x.py", "imperal.json", "requirements.txt", "pyproject.toml"])
def test_a_file_larger_than_memory_is_not_read(
    check_files: Check, tmp_path: Path, name: str
) -> None:
    """A link may lead to one: ``/proc/kcore``."""
    with (tmp_path / name).open("wb") as file:
        file.truncate(1 << 40)
    result = check_files({"main.py": BREACH})
    assert ["FED103"] == codes(result)
    assert (name in {"x.py", "imperal.json"}) == any("larger than" in it for it in result.notes)
    assert versions()[-1] == target_of("")(tmp_path)


@pytest.mark.parametrize("version", ["9" * 5000, f"=={'9' * 5000}", f">=5,<{'9' * 5000}"])
def test_a_version_that_python_cannot_count_is_none(
    check_files: Check, tmp_path: Path, version: str
) -> None:
    """It reads no number of more than 4,300 digits."""
    result = check_files({
        "main.py": BREACH,
        "imperal.json": f'{{"app_id": "notes", "sdk_version": "{version}"}}',
        "requirements.txt": f"imperal-sdk{version if '=' in version else f'=={version}'}\n",
    })  # fmt: skip
    assert () == result.notes
    assert versions()[-1] == target_of("")(tmp_path)


@pytest.mark.parametrize("codec", ["cp1252", "shift_jis", "utf-7", "UTF_8"])
def test_a_codec_for_source_is_read(check_files: Check, codec: str) -> None:
    """Whatever the encoding is, Python reads its name in ASCII."""
    assert ["FED103"] == codes(check_files({"main.py": f"# coding: {codec}\n{BREACH}"}))


@pytest.mark.parametrize(
    "codec",
    ["rot13", "hex", "base64", "undefined", "punycode", "utf-16", "utf-16-le", "utf-32", "cp037"],
)
def test_a_codec_that_makes_no_text_is_a_note(check_files: Check, codec: str) -> None:
    """Python knows some codecs that no source can be in, and some that cannot read their cookie."""
    other = f"# coding: {codec}\nimport os\nctx.skeleton_data\n"
    result = check_files({"main.py": BREACH + "import other\n", "other.py": other})
    assert ["FED103"] == codes(result)
    assert ["other.py"] == [Path(note.split(": ")[0]).name for note in result.notes]


def test_a_folder_that_cannot_be_listed_is_a_note(
    check_files: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in it is not clean but unknown, also where no other file names the SDK."""
    (tmp_path / "closed").mkdir()
    listed = os.scandir

    def scandir(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = check_files({"main.py": BREACH})
    assert (f"{tmp_path / 'closed'}: it cannot be listed: Permission denied",) == result.notes
    assert ["FED103"] == codes(result)

    (tmp_path / "main.py").write_text("import os\n")
    assert None is quiet_files([tmp_path])
    (tmp_path / "closed").rmdir()
    assert Quiet(1, frozenset([tmp_path])) == quiet_files([tmp_path])


@pytest.mark.parametrize(
    "data", [b"", b"\xff", '{"a": 1}'.encode("utf-16"), '{"a": "\xe4"}'.encode("latin-1")]
)
def test_a_manifest_that_is_no_text_is_a_note(
    tmp_path: Path, check_files: Check, data: bytes
) -> None:
    """Taken for none, it would be passed over; in a folder of that name nobody looks for one."""
    (tmp_path / "imperal.json").write_bytes(data)
    note = f"{tmp_path / 'imperal.json'}: it is no JSON object"
    assert (note,) == check_files({"main.py": BREACH}).notes
    (tmp_path / "imperal.json").unlink()
    assert () == check_files({"main.py": BREACH}).notes
    (tmp_path / "imperal.json").mkdir()
    assert () == check_files({"main.py": BREACH}).notes


def test_a_manifest_that_cannot_be_read_is_a_note(
    tmp_path: Path, check_files: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason, as of a Python file."""
    opened = os.open

    def refuse(path: str | Path, *more: int) -> int:
        if str(path).endswith("imperal.json"):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *more)

    monkeypatch.setattr(os, "open", refuse)
    found = check_files({"main.py": BREACH, "imperal.json": "{}"})
    why = "it cannot be read: Permission denied"
    assert (f"{tmp_path / 'imperal.json'}: {why}",) == found.notes


@pytest.mark.parametrize(("text", "broken"), [("{", 1), ("[1]", 1), ('"x"', 1), ("{}", 0)])
def test_a_manifest_that_is_no_object_is_a_note(check_files: Check, text: str, broken: int) -> None:
    """Else every rule about the manifest would be silent."""
    result = check_files({"main.py": BREACH, "imperal.json": text})
    assert broken == sum("imperal.json: it is no JSON object" in it for it in result.notes)


def test_a_slip_in_the_manifest_is_told_with_its_place(check_files: Check) -> None:
    """As one in a Python file is."""
    (note,) = check_files({"main.py": BREACH, "imperal.json": '{"a": 1,\n"b" 2}'}).notes
    assert note.endswith("no JSON object: Expecting ':' delimiter: line 2 column 5 (char 13)")


def test_many_findings_in_one_expression_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For their fixes the statement was read once for each, which took minutes."""
    read: list[object] = []
    parse = libcst.parse_module
    monkeypatch.setattr(libcst, "parse_module", lambda text: (read.append(text), parse(text))[1])
    use = " + ".join(["ctx.user.id"] * 300)
    (tmp_path / "main.py").write_text(BREACH.replace("ctx.skeleton_data", use))
    result = check([tmp_path], NEWEST)
    assert 300 == codes(result).count("FED105")
    assert 300 == sum(finding.fix is not None for finding in result.findings)
    assert 1 == len(read)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("f(a,b)", "f( a , # x\n b)", True),
        ("f('a')", 'f("a")', True),
        ("f(u'a')", "f('a')", True),
        ("f(1)", "f(True)", False),
        ("f(1)", "f(1.0)", False),
        ("f('1')", "f(1)", False),
        ("f(a)(b)", "f(a, b)", False),
        ("f([a], b)", "f([a, b])", False),
        ("f(a=b)", "f(b=a)", False),
        ("f(*a)", "f(**a)", False),
    ],
)
def test_a_fingerprint_is_of_what_is_said(one: str, other: str, same: bool) -> None:
    """Layout and quotes do not count; everything else does."""
    first, second = (_normalised(ast.parse(text, mode="eval").body) for text in (one, other))
    assert same == (first == second)
