"""What is shipped, and under which names it is loaded."""

import ast
import contextlib
import importlib
import importlib.metadata
import pkgutil
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import fedcheck
from fedcheck.invariants.vocabulary.errors import KernelReferenceError

ROOT = Path(__file__).resolve().parent.parent
FACE = ("__init__.py", "__main__.py", "py.typed")
FOLDERS = ("conformance", "fixtures", "invariants", "lint", "reports")
PAPERS = (
    *(
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "Containerfile",
        "LICENSE",
        "README.md",
        "SECURITY.md",
    ),
    "pyproject.toml",
)
BESIDE = (".ci", ".github", "benchmarks", "docs", "examples", "tests")


def files_of(*folders: str) -> set[str]:
    """Every file below the folders, relative to the root; no caches, nothing hidden."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    names = {path.relative_to(ROOT).as_posix() for path in found if path.suffix != ".pyc"}
    return {name for name in names if "/." not in name}


def build(hook: str, source: Path, target: Path) -> Path:
    """Call a hook of the build backend in its own process, as pip does; return what it made."""
    target.mkdir()
    code = f"from setuptools import build_meta; build_meta.{hook}({str(target)!r})"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=source, check=False, capture_output=True, text=True
    )
    assert 0 == run.returncode, run.stderr
    return next(target.iterdir())


def copy_tree(target: Path) -> Path:
    """Copy the project alone: no environment, no earlier build."""
    papers = [*FACE, *PAPERS, "MANIFEST.in", ".gitignore"]
    for name in [*papers, *files_of(*FOLDERS, *BESIDE)]:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    return target


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the top-level names that code imports when it runs, not those for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        yield from imported(node)


def test_sdist_and_wheel_hold_what_the_tree_holds(tmp_path: Path):
    """The sdist holds the whole project; the wheel built from it the package, and no more."""
    sdist = build("build_sdist", copy_tree(tmp_path / "tree"), tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "unpacked", filter="data")
    left_out = (files_of(*FOLDERS, *BESIDE) | {*FACE, *PAPERS}) - shipped
    assert set() == left_out, "name their folder in MANIFEST.in"

    wheel = build("build_wheel", next((tmp_path / "unpacked").iterdir()), tmp_path / "wheel")
    names = zipfile.ZipFile(wheel).namelist()
    package = {name for name in names if not re.match(r"fedcheck-[^/]+\.dist-info/", name)}
    assert {f"fedcheck/{name}" for name in files_of(*FOLDERS) | {*FACE}} == package, (
        "name each package in `packages`, each data file in `package-data`, of pyproject.toml"
    )


def test_nothing_else_lies_in_the_root():
    """Setuptools ships every module of the root; there are only the two of the face."""
    assert ["__init__.py", "__main__.py"] == sorted(path.name for path in ROOT.glob("*.py")), (
        "move the others into one of the packages"
    )


def test_no_file_is_loaded_under_two_names():
    """Two copies of a module would have two classes of each name; only the face may be twice."""
    for folder in FOLDERS:
        package = importlib.import_module(f"fedcheck.{folder}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with contextlib.suppress(KernelReferenceError):  # the extra `sdk` is not installed
                importlib.import_module(module.name)
    names: dict[str, set[str]] = defaultdict(set)
    for name, module in list(sys.modules.items()):
        names[getattr(module, "__file__", None) or name].add(name)
    ours = [names.get(str(ROOT / file), set()) for file in files_of(*FOLDERS, *BESIDE)]
    twice = [found for found in ours if len(found) > 1]
    assert [] == twice, "import them relatively, or as fedcheck.…"


def test_every_import_is_declared():
    """A package that code imports stands in the metadata, under the dependencies or an extra."""
    required = importlib.metadata.requires("fedcheck") or []
    declared = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in required}
    known = {*sys.stdlib_module_names, "fedcheck", *declared}
    files = [name for name in files_of(*FOLDERS) if name.endswith(".py")]
    foreign = {
        (file, name)
        for file in files
        for name in imported(ast.parse((ROOT / file).read_text()))
        if name not in known
    }
    assert set() == foreign, (
        "name each in `dependencies` or an extra of pyproject.toml, then install it: "
        "python -m pip install -e '.[dev]'"
    )


def test_the_face_loads_nothing():
    """``import fedcheck`` must not import its own packages, else a clone named x-y fails."""
    code = "import fedcheck, sys; print(*[n for n in sys.modules if n.startswith('fedcheck.')])"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "" == run.stdout.strip(), "import them inside the functions of __init__.py"


def test_the_version_is_one():
    """The installed metadata and every paper that names the version name the face's."""
    papers = {
        "CHANGELOG.md": r"\A.*?^## (\S+)",
        "CITATION.cff": r"^version: (\S+)$",
        "docs/ci.md": r"fedcheck[-:](\d[\d.]+\d)",
        "docs/lint.md": r"(?:fedcheck@|rev: )v(\S+)",
        "examples/vscode/package.json": r"^  \"version\": \"(\S+)\"",
        "docs/releasing.md": r"^git tag --annotate v(\S+)",
    }
    named = {
        paper: set(re.findall(pattern, (ROOT / paper).read_text("utf-8"), re.MULTILINE | re.DOTALL))
        for paper, pattern in papers.items()
    }
    wanted = {paper: {fedcheck.__version__} for paper in papers}
    assert wanted == named, "correct the paper, or __version__ in __init__.py"
    installed = importlib.metadata.version("fedcheck")
    assert fedcheck.__version__ == installed, "python -m pip install -e ."


def test_no_text_names_an_address_that_does_not_exist():
    """The project has no place on the web: neither its papers nor its code name one."""
    files = [*FACE, *PAPERS, "action.yml", ".pre-commit-hooks.yaml", *files_of(*FOLDERS, *BESIDE)]
    invented = re.compile(rb"\b(?:github|gitlab)\.com/fedcheck\b|\bfedcheck\.(?:org|dev|io|com)\b")
    assert [] == [name for name in files if invented.search((ROOT / name).read_bytes())]
    metadata = importlib.metadata.metadata("fedcheck")
    assert [None, None] == [metadata.get("Home-page"), metadata.get("Project-URL")]


def test_the_migration_note_leads_somewhere():
    """Every old name in its tables is gone, and every new one is there."""
    note = (ROOT / "docs" / "migration-0.2.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in note.splitlines() if line.startswith("| `")]
    moves: dict[str, str] = {}
    for old, new in rows:
        (home, *names), places = (re.findall(r"`([\w.]+)`", cell) for cell in (old, new))
        moves |= {f"{home}.{name}": f"{places[0]}.{name}" for name in names}
        moves |= {} if names else dict.fromkeys([home], places[0])
    files = {name.removesuffix(".py").removesuffix("/__init__") for name in files_of(*FOLDERS)}
    modules = {name.replace("/", ".") for name in files}
    assert moves
    assert set() == {*moves.values()} - modules
    rooms = {"lint.engine", "lint.settings", "reports.formats", "reports.record"}
    assert rooms == {*moves} & modules, "rooms by now"
