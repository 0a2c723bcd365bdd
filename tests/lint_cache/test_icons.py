"""Which icon files are read, and that a run sees when one of them changes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fedcheck.lint.cli.watch import snapshot
from fedcheck.lint.files.icons import LARGEST, Icon, icons_named
from fedcheck.lint.files.source import SourceFile

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
posix = pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")


def _named(root: Path, text: str) -> dict[str, Icon | None]:
    return icons_named(root, [SourceFile(root / "main.py", "main.py", text.encode())])


@pytest.mark.parametrize(
    "text",
    [
        'Extension("n", icon="a.svg")',
        "Extension('n', icon = 'a.svg')",
        'APP_ICON = "a.svg"',
        'ICON: Final[str] = "a.svg"',
        '{"icon": "a.svg"}',
    ],
)
def test_what_code_calls_an_icon_is_read(tmp_path: Path, text: str) -> None:
    """With its size; None says that it is not there."""
    assert {"a.svg": None} == _named(tmp_path, text)
    (tmp_path / "a.svg").write_text(SVG)
    assert {"a.svg": Icon(len(SVG), SVG.encode())} == _named(tmp_path, text)
    (tmp_path / "a.svg").write_bytes(b" " * (LARGEST + 1))
    assert {"a.svg": Icon(LARGEST + 1, b"")} == _named(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        'logo = "a.svg"',
        'icon = "a.png"',
        'icon = "../a.svg"',
        'icon = "/a.svg"',
        'icon = "tests/a.svg"',
        'icon = "build/a.svg"',
        'icon = f"{x}.svg"',
    ],
)
def test_other_files_are_not_looked_for(tmp_path: Path, text: str) -> None:
    """Nothing outside, nothing in folders that nobody watches."""
    assert {} == _named(tmp_path, text)


@posix
def test_nothing_behind_a_link_is_judged(tmp_path: Path) -> None:
    """Who keeps a run would not see that it changes."""
    root, other = tmp_path / "ext", tmp_path / "other"
    for folder in (root, other):
        folder.mkdir()
    (other / "a.svg").write_text(SVG)
    (root / "a.svg").symlink_to(other / "a.svg")
    (root / "assets").symlink_to(other)

    assert {} == _named(root, 'icon="a.svg"\nICON = "assets/a.svg"\n')


def test_a_folder_is_no_icon(tmp_path: Path) -> None:
    """It is there, and holds no bytes."""
    (tmp_path / "a.svg").mkdir()

    assert {} == _named(tmp_path, 'icon="a.svg"')


def test_a_run_that_watches_sees_an_icon(tmp_path: Path) -> None:
    """As it sees the code."""
    (tmp_path / "main.py").write_text("import imperal_sdk\n")
    before = snapshot([tmp_path])
    (tmp_path / "icon.svg").write_text(SVG)

    assert [str(tmp_path / "icon.svg")] == sorted(snapshot([tmp_path]).keys() - before.keys())


def test_a_run_says_what_became_of_the_icon(lint, judged: list[str], tree: Path) -> None:
    """One that appears, one that is spoilt, one that goes: each time what a cold run says."""
    words = ("two", "--select", "FED525", "--format", "concise")
    seen: list[str] = []
    for text in (None, SVG, SVG.replace("viewBox", "viewbox"), SVG, None):
        file = tree / "two" / "note.svg"
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text)
        said = lint(*words)
        assert lint(*words) == said
        assert lint(*words, "--no-cache") == said
        seen.append(said.out.partition(": ")[2].partition(" FED525 ")[0])

    assert ["warning", "", "error", "", "warning"] == seen
    assert "two" in judged
