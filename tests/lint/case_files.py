"""Small programs in Markdown, with comments that say what a rule finds in them.

``cases/FED213.md`` tests FED213. A section is a heading, which says what holds, and blocks:

- ``python frame`` is what the programs of the section share; ``BODY`` stands where they differ.
  ``python frame helpers.py`` is a further file. Above the first heading, for all sections.
- ``python`` holds programs, or bodies for the frame, with a line ``---`` between them. After a
  line ``===`` stands the body, before it what replaces ``ABOVE`` in the frame. After a line
  ``--- helpers.py`` stands a further file of the same program.
- ``python each`` holds a program, or a body, in each line.

``sdk=5.0.0`` after these words is the version that the programs of the block are linted for.

A comment ``# error: FED213 "up to 8"`` is a finding in its line; the message has these words,
which can be left out. Where a body leads to a finding in the frame, a comment ``# @there`` names
the line of the frame and ``# @there error: FED213`` stands in the body. In a line without a
comment nothing is found: nothing of the file's rule and of others that the section names. A
program without any finding needs one with a finding in its section: a dead rule is silent too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rule import PREAMBLE
from fedcheck.lint.sdk.releases import versions

_FENCE = re.compile(r"(```+)\w* ?(.*)")
_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"')
_FINDING = re.compile(
    rf"# (?:@(\w+) )?(error|warning|info): ([A-Z]+\d+)((?: {_WORDS.pattern})*)\s*"
)
_HOLE = re.compile(r"\b(?:BODY|ABOVE)\b")
_LABEL = re.compile(r"# @(\w+)$")


class Expected(NamedTuple):
    """What a comment says: the label of the line, if it is another one, and the finding."""

    label: str
    severity: str
    code: str
    words: tuple[str, ...]


class Line(NamedTuple):
    """A line of a program, and the line of the Markdown that it comes from."""

    text: str
    place: int
    label: str = ""
    expected: tuple[Expected, ...] = ()


Files = dict[str, list[Line]]
"""Name of a file, or of a hole in the frame → its lines."""


class Case(NamedTuple):
    """A program: the line of the Markdown where it begins, the SDK's version, the files."""

    place: int
    sdk: str
    files: Files

    def expected(self) -> Iterator[tuple[Line, Expected]]:
        """Yield the findings that its comments tell of, with their lines."""
        lines = [line for lines in self.files.values() for line in lines]
        labelled = {line.label: line for line in lines}
        for line in lines:
            for it in line.expected:
                yield (labelled[it.label] if it.label else line), it


class Section(NamedTuple):
    """A heading: where it stands, what its programs share, the programs, the rules they test."""

    place: int
    frame: Files
    cases: list[Case]
    codes: set[str]


def sections(path: Path) -> list[Section]:
    """Read a file.

    Raises:
        ValueError: A section has no program in which something is found.
    """
    found = [Section(1, {}, [], {path.stem})]
    for place, info, block in _blocks(path.read_text(encoding="utf-8")):
        if block is None:
            found.append(Section(place, dict(found[0].frame), [], {path.stem}))
            continue
        kind, *words = info.split() or [""]
        sdk = next((word[4:] for word in (kind, *words) if word.startswith("sdk=")), versions()[-1])
        if kind == "frame":
            found[-1].frame["".join(words) or "main.py"] = block
            continue
        programs = ({"BODY": [line]} for line in block) if kind == "each" else _programs(block)
        found[-1].cases.extend(_case(found[-1].frame, parts, sdk) for parts in programs)
    for section in found:
        told = [it.code for case in section.cases for _, it in case.expected()]
        section.codes.update(told)
        if section.cases and not told:
            place = section.cases[0].place
            raise ValueError(
                f"{path.name}:{place}: silent case without a positive twin; add a program with a "
                "finding to its section, or move it to one that has some"
            )
    return [section for section in found if section.cases]


def _blocks(text: str) -> Iterator[tuple[int, str, list[Line] | None]]:
    """Yield each heading, and each block with the words behind its language."""
    fence, info, block = "", "", list[Line]()
    for place, line in enumerate(text.splitlines(), 1):
        if fence and line != fence:
            block.append(_line(line, place))
        elif fence:
            fence = ""
            yield place, info, block
        elif opened := _FENCE.fullmatch(line):
            (fence, info), block = opened.groups(), []
        elif line.startswith("## "):
            yield place, line, None


def _line(text: str, place: int) -> Line:
    expected = tuple(
        Expected(label, severity, code, tuple(map(ast.literal_eval, _WORDS.findall(words))))
        for label, severity, code, words in _FINDING.findall(text)
    )
    label = _LABEL.search(text)
    plain = _LABEL.sub("", _FINDING.sub("", text))
    return Line(
        plain if plain == text else plain.rstrip(), place, label[1] if label else "", expected
    )


def _programs(block: list[Line]) -> Iterator[Files]:
    """Yield the programs that stand in a block, in their parts."""
    parts, name = Files(BODY=[]), "BODY"
    for line in block:
        if line.text == "---":
            yield parts
            parts, name = Files(BODY=[]), "BODY"
        elif line.text == "===":
            parts.update(ABOVE=parts["BODY"], BODY=[])
        elif line.text.startswith("--- "):
            name = line.text[4:]
            parts[name] = []
        else:
            parts[name].append(line)
    yield parts


def _case(frame: Files, parts: Files, sdk: str) -> Case:
    """Put the parts of a program together, and begin it as an extension begins."""
    whole = {"main.py": [Line("BODY", 0)]} if parts["BODY"] else {}
    files = {
        name: [new for line in lines for new in _filled(line, parts)]
        for name, lines in {**whole, **frame, **parts}.items()
        if name not in {"BODY", "ABOVE"}
    }
    main = files.get("main.py", [])
    if main and not any("from imperal_sdk" in line.text for line in main):
        files["main.py"] = [*(Line(text, 0) for text in PREAMBLE.splitlines()), *main]
    return Case(min(line.place for lines in parts.values() for line in lines), sdk, files)


def _filled(line: Line, parts: Files) -> Iterator[Line]:
    hole = _HOLE.search(line.text)
    if not hole:
        yield line
        return
    before, after = line.text[: hole.start()], line.text[hole.end() :]
    indent = before[: len(before) - len(before.lstrip())]
    body = parts.get(hole[0], [])
    for number, new in enumerate(body, 1):
        text = f"{indent if number > 1 and new.text else before if new.text else ''}{new.text}"
        yield new._replace(text=text + after if number == len(body) else text)


def linted(path: Path, section: Section, folder: Path) -> tuple[list[str], list[str]]:
    """Lint the programs of a section: return which findings are expected, and which there are."""
    expected, actual = list[str](), list[str]()
    for number, case in enumerate(section.cases):
        root = folder / str(number)
        for name, lines in case.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("".join(f"{line.text}\n" for line in lines), "utf-8")
        told = list(case.expected())
        expected += [_said(path, line, it.severity, it.code, *it.words) for line, it in told]
        result = check([root], Target(sdk=case.sdk), codes=frozenset(section.codes))
        actual += [f"{path.name}:{case.place} {note}" for note in result.notes]
        for found in result.findings:
            line = case.files[Path(found.path).relative_to(root).as_posix()][found.span.line - 1]
            said = " ".join((*found.text.split(), *(step.note for step in found.chain)))
            words = (said,)
            for at, it in told:
                if (at, it.severity, it.code) == (line, found.severity, found.code) and all(
                    word in said for word in it.words
                ):
                    words = it.words
            actual.append(_said(path, line, found.severity, found.code, *words))
    return sorted(expected), sorted(actual)


def _said(path: Path, line: Line, severity: str, code: str, *words: str) -> str:
    return " ".join((f"{path.name}:{line.place}", severity, code, *map(repr, words)))
