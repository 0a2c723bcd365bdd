"""Imports point down: from floor to floor, and within a folder without circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOORS = (("invariants",), ("reports",), ("fixtures", "lint"), ("conformance",), ("",))
"""The folders from the lowest floor up; the last is the face, in the root."""

BREAK = "move what one of them needs of the next into the room that both stand on"

LEVEL = {folder: level for level, floor in enumerate(FLOORS) for folder in floor}


def modules() -> dict[str, Path]:
    """The modules of the package by name, without ``fedcheck.``; a package is ``a.b``."""
    files = [path for folder in LEVEL if folder for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT).with_suffix("").parts: path for path in files}
    found |= {("__init__",): ROOT / "__init__.py", ("__main__",): ROOT / "__main__.py"}
    return {".".join(x[:-1] if x[-1] == "__init__" else x): path for x, path in found.items()}


def imports(tree: ast.AST, package: list[str], *, typing: bool) -> Iterator[tuple[str, ...]]:
    """Yield what code imports of the package, early or late; on request also for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not typing:
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            base = [*above, *(node.module or "").split(".")] if node.module else above
            yield from ((*base, alias.name) for alias in node.names)
        yield from imports(node, package, typing=typing)


@cache
def uses(*, typing: bool) -> dict[str, set[str]]:
    """Which modules each module imports."""
    known = modules()
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        parts = name.split(".") if name else []
        package = parts if path.name == "__init__.py" else parts[:-1]
        tree = ast.parse(path.read_text("utf-8"))
        named = [(".".join(x), ".".join(x[:-1])) for x in imports(tree, package, typing=typing)]
        wanted = {whole if whole in known else above for whole, above in named}
        found[name] = wanted - {name}
    return found


def level(module: str) -> int:
    """The floor on which a module stands."""
    return LEVEL.get(module.partition(".")[0], LEVEL[""])


def test_every_import_names_a_module_of_the_package() -> None:
    """Else the tests below would look past it."""
    known = modules()
    found = uses(typing=True)

    assert set() == {x for wanted in found.values() for x in wanted if x not in known}
    assert {"reports.record.model", "invariants.vocabulary.verdict"} <= found[
        "reports.record.outcome"
    ]


def test_an_import_points_down() -> None:
    """Not up, and not to the other folder of the same floor; the version is for everybody."""
    wrong = [
        f"{name} imports {other}"
        for name, wanted in uses(typing=True).items()
        for other in wanted
        if other and name.partition(".")[0] != other.partition(".")[0]
        if level(other) >= level(name) and level(name) != LEVEL[""]
    ]

    assert [] == wrong, (
        "move what both need to a lower floor, or hand it in as an argument; "
        "docs/architecture.md tells the floors"
    )


def circle(graph: dict[str, set[str]]) -> str:
    """A circle of imports in words; empty if there is none."""
    try:
        TopologicalSorter(
            {name: {x for x in wanted if x} for name, wanted in graph.items()}
        ).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return ""


PROTOCOLS = {"lint.inference.evaluator.Evaluator"}
"""Of the linter's: docs/architecture.md says why."""


def protocols(folder: str) -> set[str]:
    """The classes of a folder that say what a module needs of another that it may not import."""
    return {
        f"{name}.{node.name}"
        for name, path in modules().items()
        if name.partition(".")[0] == folder
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and "Protocol" in map(last, node.bases)
    }


def last(base: ast.expr) -> str:
    """The last name of a base: ``Protocol`` of ``typing.Protocol[T]``."""
    return ast.unparse(base).partition("[")[0].rpartition(".")[2]


def room(module: str) -> str:
    """The folder inside a folder in which a module lies; a module beside those is its own room."""
    return ".".join(module.split(".")[:2])


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for types."""
    assert "" == circle(uses(typing=True)), BREAK


def test_no_rooms_import_each_other_in_a_circle() -> None:
    """Else nobody could say which stands on which; what a face hands on does not count."""
    rooms: dict[str, set[str]] = {}
    for name, wanted in uses(typing=True).items():
        if name not in LEVEL:
            rooms.setdefault(room(name), set()).update(room(x) for x in wanted if x not in LEVEL)

    assert "" == circle({name: wanted - {name} for name, wanted in rooms.items()}), BREAK


def test_no_protocol_of_the_linter_only_breaks_a_circle() -> None:
    """It would hide an import that points up; the one exception has a reason that is written."""
    assert PROTOCOLS == protocols("lint"), (
        "move the function to the class that it needs, or hand in what it needs of it"
    )
