"""What an entry follows from: all of it is in its digest, and what cannot be is not kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fedcheck.lint import rules
from fedcheck.lint.engine import engine
from fedcheck.lint.engine.cache import extensions
from fedcheck.lint.engine.extension_run import ExtensionRun
from fedcheck.lint.engine.results import Found, Inputs
from fedcheck.lint.files.icons import Icon
from fedcheck.lint.files.source import SourceFile


@pytest.mark.parametrize("name", ["linter_files", "places_of_distributions"])
def test_another_linter_knows_nothing(
    lint, judged: list[str], tree: Path, monkeypatch, name: str
) -> None:
    """An edited module of it, and a newly installed package."""
    code = tree.with_name("code")
    (code / "a.dist-info").mkdir(parents=True)
    (code / "rule.py").write_text("x = 1\n")
    added = {"linter_files": code / "rule.py", "places_of_distributions": code}[name]
    real = getattr(extensions, name)
    monkeypatch.setattr(extensions, name, lambda: [*real(), str(added)])
    for _ in range(2):
        lint("--format", "json")
    assert 3 == len(judged)

    (code / "rule.py").write_text("x = 2\n")
    (code / "b.dist-info").mkdir()
    lint()

    assert 6 == len(judged)


def test_code_that_changed_before_it_was_read_is_not_kept(lint, entries, monkeypatch) -> None:
    """What was loaded may be older than what lies there, or lie elsewhere."""
    with monkeypatch.context() as patch:
        patch.setattr(extensions, "STARTED", 0)
        lint()
    monkeypatch.setattr(extensions, "linter_files", lambda: [engine.__file__])
    lint("--format", "json")

    assert [] == entries()


def test_code_that_changes_while_it_judges_is_not_kept(
    lint, entries, monkeypatch, tree: Path
) -> None:
    """Some of it is loaded only when it is needed."""
    code = tree.with_name("rule.py")
    code.write_text("x = 1\n")
    monkeypatch.setattr(extensions, "linter_files", lambda: [extensions.__file__, str(code)])
    real = ExtensionRun.found

    def found(run: ExtensionRun) -> Found:
        if code.stat().st_size < 7:
            code.write_text("x = 22\n")
        return real(run)

    monkeypatch.setattr(ExtensionRun, "found", found)
    lint()
    assert [] == entries()

    lint("--format", "json")
    assert 3 == len(entries())


@pytest.mark.parametrize(
    "note",
    [
        "main.py: FED101 took longer than 10 s; it was stopped",
        "main.py: FED101 failed: KeyError: 1; report this rule",
        "main.py: its expressions are nested too deeply",
    ],
)
def test_what_may_go_otherwise_the_next_time_is_not_kept(
    lint, entries, monkeypatch, note: str
) -> None:
    """A rule that ran out of time or failed, a parser that ran out of room."""
    monkeypatch.setattr(ExtensionRun, "found", lambda _: Found((), (note,), ()))

    assert note in lint("one").err

    assert [] == entries()


def test_what_does_not_parse_is_kept(lint, judged: list[str], tree: Path) -> None:
    """The note is as certain as a finding."""
    (tree / "one" / "helper.py").write_text("def f(:\n")
    noted = lint()
    judged.clear()

    assert "not linted: one/helper.py: line 1" in noted.err
    assert lint("--format", "concise").err == noted.err
    assert [] == judged


def test_rules_of_other_people_are_not_kept(lint, entries, monkeypatch) -> None:
    """What they read besides is not known; ours all count as ours."""
    ours = rules.all_rules()
    assert all(extensions._is_own(rule.check) for rule in ours)
    check = ours[0].check
    monkeypatch.setattr(
        "fedcheck.lint.rules.all_rules",
        lambda: (_with(ours[0], check=lambda view: check(view) if check else ()), *ours[1:]),
    )
    monkeypatch.setattr("fedcheck.lint.engine.engine.all_rules", rules.all_rules)

    lint()

    assert [] == entries()


def _with(item, **changes: object):
    from msgspec.structs import replace

    return replace(item, **changes)


def _files(*files: SourceFile) -> dict[Path, SourceFile]:
    return {file.path: file for file in files}


_ONE = SourceFile(Path("/e/a.py"), "a.py", b"ab")
_TWO = SourceFile(Path("/e/b.py"), "b.py", b"c")
_MOVED = SourceFile(Path("/e/c.py"), "a.py", b"ab")
_RULES = rules.all_rules()
_BASE = Inputs(
    root=Path("/e"),
    files=_files(_ONE, _TWO),
    linted=[_ONE.path, _TWO.path],
    named=frozenset(),
    excluded=frozenset(),
    manifest="{}",
    icons={"a.svg": None},
    sdk="6.0.0",
    rules=_RULES[:2],
    all_files=False,
    exhaustive=False,
)
_OTHERS: dict[str, list[object]] = {
    "root": [Path("/f")],
    "files": [
        _files(_ONE),
        _files(_TWO, _ONE),
        _files(SourceFile(_ONE.path, "a.py", b"a"), SourceFile(_TWO.path, "b.py", b"bc")),
        _files(SourceFile(_ONE.path, "e/a.py", b"ab"), _TWO),
        _files(_MOVED, _TWO),
    ],
    "linted": [[_ONE.path], [_TWO.path, _ONE.path], []],
    "named": [frozenset({_ONE.path}), frozenset({_TWO.path})],
    "excluded": [frozenset({"a.py"}), frozenset({"b.py"})],
    "manifest": ["", "{ }"],
    "icons": [
        {}, {"b.svg": None}, {"a.svg": Icon(0, b"")}, {"a.svg": Icon(1, b"")},
        {"a.svg": Icon(1, b"a")}, {"a.svg": Icon(1, b"b")}, {"a.svg": None, "b.svg": None},
    ],
    "sdk": ["6.0.1"],
    "rules": [_RULES[:1], _RULES[1::-1], _RULES[1:3], ()],
    "all_files": [True],
    "exhaustive": [True],
}  # fmt: skip


def test_everything_that_counts_is_in_the_digest() -> None:
    """Each field has variants here, and all of them differ from the rest, as do other linters."""
    assert list(Inputs.__struct_fields__) == list(_OTHERS)
    variants = [_with(_BASE, **{name: x}) for name, others in _OTHERS.items() for x in others]

    variants.append(_with(_BASE, files=_files(_MOVED, _TWO), linted=[_MOVED.path, _TWO.path]))

    digests = [extensions._digest("x", item) for item in (_BASE, *variants)]
    digests.append(extensions._digest("y", _BASE))

    assert len(digests) == len(set(digests))
    again = [SourceFile(it.path, it.name, bytes(it.data)) for it in _BASE.files.values()]
    assert digests[0] == extensions._digest("x", _with(_BASE, files=_files(*again)))


class Spelt:
    """Stands for a digest, and is all that went into it."""

    def __init__(self) -> None:
        self._data = b""

    def update(self, data: bytes) -> None:
        self._data += data

    def hexdigest(self) -> str:
        return self._data.hex()


def test_a_text_cannot_pass_for_two(monkeypatch) -> None:
    """What stands between two files, written into one of them, does not move the border."""
    monkeypatch.setattr(extensions, "sha256", Spelt)

    def spelt(one: bytes, two: bytes) -> bytes:
        files = _files(SourceFile(_ONE.path, "a.py", one), SourceFile(_TWO.path, "b.py", two))
        return bytes.fromhex(extensions._digest("x", _with(_BASE, files=files)))

    border = spelt(b"<<1>>", b"<<2>>").partition(b"<<1>>")[2].partition(b"<<2>>")[0]

    assert b"b.py" in border
    assert spelt(b"1" + border + b"2", b"3") != spelt(b"1", b"2" + border + b"3")


_SPY = """
import os, sys, time
from pathlib import Path
seen, spying = [], False
names = {"open", "os.scandir", "os.listdir", "socket.connect", "subprocess.Popen", "os.putenv"}
def note(event, *args):
    if spying and "site-packages" not in str(args[0]) and "/lib/python" not in str(args[0]):
        seen.append((event, str(args[0])))
sys.addaudithook(lambda event, args: event in names and note(event, *args))
for name in ("stat", "lstat"):
    def spied(path, *more, _real=getattr(os, name), _name=name, **options):
        note(_name, path)
        return _real(path, *more, **options)
    setattr(os, name, spied)
from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rules import all_rules
def recall(inputs, lint):
    global spying
    spying = True
    found = lint()
    spying = False
    return found
codes = frozenset(rule.code for rule in all_rules())
target = Target(sdk="6.3.7", all_files=True)
for turn in range(2):  # the first one loads modules
    seen.clear()
    result = check([Path(sys.argv[1])], target, codes=codes, recall=recall)
ours = [m for name, m in sys.modules.items() if name.partition(".")[0] == "fedcheck"]
loaded = {module.__file__ for module in ours}
from fedcheck.lint.engine.cache.dependencies import linter_files
print(len(result.findings) > 10, len(loaded) > 60, seen, loaded - set(linter_files()))
"""


def test_judging_reads_nothing_but_what_is_in_the_digest(tree: Path) -> None:
    """No file is opened, listed or looked for, and the code that runs is that of the linter."""
    shown = subprocess.run(
        [sys.executable, "-c", _SPY, str(tree)], capture_output=True, text=True, check=False
    )

    assert "True True [] set()\n" == shown.stdout
